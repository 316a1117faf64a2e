//go:build tools

package tools

import (
	_ "github.com/argoproj/argo-workflows/v4/cmd/workflow-controller"
	_ "github.com/argoproj/argo-workflows/v4/cmd/argoexec"
)
