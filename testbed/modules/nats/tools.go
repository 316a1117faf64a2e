//go:build tools

package tools

import (
	_ "github.com/nats-io/nats-server/v2"
)
