# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Private to this collection: may change without notice.

"""The gate: nothing goes on before an Application is Healthy at the revision that the run is for.

This package also travels into the cluster, zipped, as `deploy_ops_gate`: standard library and relative imports only.
"""
