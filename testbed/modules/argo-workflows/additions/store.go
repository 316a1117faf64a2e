// Copyright: (c) 2026, ProficientNow
// GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// What the store of the Argo server lacks to be a cache.Store of the Kubernetes libraries v0.36, which all programs of
// the testbed share (upstream uses v0.35). argoexec contains that store but never uses it; the server is not built.
package store

func (s *SQLiteStore) Bookmark(string) {
	panic("the testbed does not run the Argo server")
}

func (s *SQLiteStore) LastStoreSyncResourceVersion() string {
	panic("the testbed does not run the Argo server")
}
