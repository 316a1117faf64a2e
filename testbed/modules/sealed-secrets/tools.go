//go:build tools

package tools

import (
	_ "github.com/bitnami-labs/sealed-secrets/cmd/controller"
	_ "github.com/bitnami-labs/sealed-secrets/cmd/kubeseal"
)
