module deploy-ops-testbed/pause

go 1.26.0
