// Copyright: (c) 2026, ProficientNow
// GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Pause holds a pod's namespaces open: it waits to be ended and reaps what the pod's other processes leave behind.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for {
			if child, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); child <= 0 || err != nil {
				break
			}
		}
	}
}
