# Nothing reaches a pod of this namespace unless a policy allows it.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: default-deny-ingress
spec:
  podSelector: {}
  policyTypes: [Ingress]
---
# The bus is for EventSources and Sensors, which live in this namespace.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: event-bus
spec:
  podSelector:
    matchLabels:
      controller: eventbus-controller
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector: {}
---
# A webhook is called from outside; which of them are exposed is decided by their Services.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: event-source
spec:
  podSelector:
    matchLabels:
      controller: eventsource-controller
  policyTypes: [Ingress]
  ingress:
    - {}
