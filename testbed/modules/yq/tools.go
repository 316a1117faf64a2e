//go:build tools

package tools

import (
	_ "github.com/mikefarah/yq/v4"
)
