# Copyright: (c) 2026, ProficientNow
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, replace

import pytest

from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.api import KubeError
from ansible_collections.proficientnow.deploy_ops.plugins.module_utils._kube.lock import (
    ANNOTATION,
    Holder,
    Lock,
    LockHeld,
)

LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/deploy-ops"
ME = Holder.this_run()


class Leases:
    def __init__(self, holder=None, age=0, duration=7200):
        self.lease = None
        if holder:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(time.time() - age))
            self.lease = {
                "metadata": {"resourceVersion": "7", "annotations": {ANNOTATION: json.dumps(asdict(holder))}},
                "spec": {"renewTime": stamp, "acquireTime": stamp, "leaseDurationSeconds": duration},
            }

    def get(self, path):
        assert path == LEASE
        return self.lease

    def create(self, path, body):
        if self.lease:
            raise KubeError("exists", 409)
        self.lease = dict(body, metadata=dict(body["metadata"], resourceVersion="1"))

    def replace(self, path, body):
        if body["metadata"]["resourceVersion"] != self.lease["metadata"]["resourceVersion"]:
            raise KubeError("conflict", 409)
        self.lease = body

    def delete(self, path):
        self.lease = None
        return True


def lock(leases, me=ME):
    return Lock(leases, "kube-system", "deploy-ops", me)


def holder_in(leases):
    return Holder(**json.loads(leases.lease["metadata"]["annotations"][ANNOTATION]))


def test_a_free_lock_is_taken_and_given_back():
    leases = Leases()
    assert lock(leases).hold(60, False) is None
    assert holder_in(leases) == ME
    assert lock(leases).release()
    assert leases.lease is None


def test_the_same_run_takes_it_again():
    leases = Leases(ME)
    assert lock(leases).hold(60, False) is None


def test_a_living_run_on_this_machine_keeps_it():
    parent = replace(ME, pid=os.getppid(), started=Holder.this_run().started + "0")
    other = replace(ME, pid=1, started=_started(1))
    assert parent.is_dead()
    with pytest.raises(LockHeld, match=r"process 1, since .*deploy_ops_lock_takeover=true"):
        lock(Leases(other)).hold(60, False)


def _started(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stream:
        return stream.read().rsplit(")", 1)[1].split()[19]


def test_a_dead_run_on_this_machine_loses_it_at_once():
    dead = replace(ME, pid=4194304, started="1")
    leases = Leases(dead)
    assert lock(leases).hold(60, False) == str(dead)
    assert holder_in(leases) == ME


def test_a_run_before_the_last_boot_is_dead():
    assert lock(Leases(replace(ME, boot="another"))).hold(60, False)


def test_a_run_on_another_machine_is_believed_until_its_lease_expires():
    elsewhere = replace(ME, host="bastion", pid=4194304)
    with pytest.raises(LockHeld, match="bastion"):
        lock(Leases(elsewhere, age=50, duration=60)).hold(60, False)
    assert lock(Leases(elsewhere, age=70, duration=60)).hold(60, False) == str(elsewhere)


def test_takeover_needs_no_proof():
    assert lock(Leases(replace(ME, host="bastion"))).hold(60, True)


def test_a_lease_of_somebody_else_is_not_given_back():
    leases = Leases(replace(ME, host="bastion"))
    assert not lock(leases).release()
    assert leases.lease


def test_who_comes_second_by_milliseconds_is_refused():
    class Raced(Leases):
        def __init__(self):
            super().__init__()
            self.reads = 0

        def get(self, path):
            self.reads += 1
            if self.reads == 2:
                self.lease = Leases(replace(ME, host="bastion")).lease
            return self.lease

        def create(self, path, body):
            raise KubeError("exists", 409)

    with pytest.raises(LockHeld, match="bastion"):
        lock(Raced()).hold(60, False)


def test_a_lease_without_our_annotation_is_respected():
    leases = Leases(ME)
    leases.lease["metadata"]["annotations"] = {}
    leases.lease["spec"]["holderIdentity"] = "somebody"
    with pytest.raises(LockHeld, match="somebody"):
        lock(leases).hold(60, False)
