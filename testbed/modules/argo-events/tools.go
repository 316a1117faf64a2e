//go:build tools

package tools

import (
	_ "github.com/argoproj/argo-events/cmd"
)
