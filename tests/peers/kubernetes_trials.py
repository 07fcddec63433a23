# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of trials on a real Kubernetes (kubernetes_lab.py) by a real service share."""

import os
import sys
import unittest
import urllib.parse

from cluster_test import FINAL, ClusterTest  # noqa: F401
from kubernetes_lab import KubernetesLab, prepare
from peer_venv import Missing
from trialdeck_service import until


def start_lab(**options):
    """A node for a whole file, with the options of KubernetesLab. Where there can be none, the file is skipped, or fails where peers
    are required."""
    try:
        prepare(options.get("kwok", False), options.get("operators", ()))
    except Missing as error:
        give_up(error)
    return KubernetesLab(**options).start()


def give_up(error):
    if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
        raise error
    raise unittest.SkipTest(str(error)) from error


class KubernetesTest(ClusterTest):
    """Of all tests of a file is `lab`, the node, too."""

    lab = None
    kind = "kubernetes"  # of the platform
    resources = ("jobs",)  # what trials are in the cluster, as the command `count` takes it

    # What is asked of the service.

    def settings(self, namespace, **more):
        image = more.get("image") or self.lab.command("image", "python")
        return {"kubeconfig": str(self.lab.kubeconfig), "namespace": namespace, "podSecurity": "restricted", **more, "image": image}

    def experiment(self, command, **more):
        members = {"platformId": "lab", "trialConcurrency": 20, "trialCommand": command, **more}
        if members["platformId"] == "lab":
            members["platformOptions"] = {"trialCpuNumber": "0.05", **members.get("platformOptions", {})}
        return self.service.post("/experiments", members)["id"]

    def running_pod(self, namespace, trial, end=""):
        """The metadata of a trial's pod once it runs; `end`: of its name, where the trial has several."""
        words = urllib.parse.urlencode({"labelSelector": f"trialdeck-trial={trial}", "fieldSelector": "status.phase=Running"})
        path = f"/api/v1/namespaces/{namespace}/pods?{words}"
        return until(300, f"the pod of {trial} runs", lambda: next((
            pod["metadata"] for pod in self.lab.client.get(path)["items"] if pod["metadata"]["name"].endswith(end)), None))

    def folder_of(self, pod):
        """/trialdeck/trial of a pod, as it lies on the node's disk, also where no kubelet runs. `pod`: its metadata."""
        return self.lab.folder / "lib" / "kubelet" / "pods" / pod["uid"] / "volumes" / "kubernetes.io~empty-dir" / "trialdeck-trial"

    def let_go(self, pod):
        """Makes /trialdeck/trial/go, which the command of a trial may wait for."""
        (self.folder_of(pod) / "go").touch()

    def keeps_promises(self, namespace, **settings):
        """`trialdeck conformance`, in a namespace that is there; it leaves nothing behind."""
        found = self.conformance(self.settings(namespace, **settings), "--option", "trialCpuNumber=0.05")
        not_promised = {"files", "repeats", "program"}
        self.assertEqual({name: promise["verdict"] for name, promise in found.items() if promise["verdict"] != "ok"},
                         {name: "not promised" for name in not_promised}, found)
        took = ", ".join(f"{name} {promise['milliseconds'] / 1000:.0f}" for name, promise in found.items() if name not in not_promised)
        print(f"conformance of {self.kind}, in seconds: {took}", file=sys.stderr)
        self.clean(namespace)

    def clean(self, namespace, seconds=300):
        """All is stopped, and nothing of ours stays in the namespace."""
        experiments = [found["id"] for found in self.service.get("/experiments")["experiments"] if found["platformId"] == "lab"]
        for experiment in experiments:
            self.service.post(f"/experiments/{experiment}/stop")
        for experiment in experiments:
            until(seconds, "the experiment is stopped", lambda: self.service.get(f"/experiments/{experiment}")["state"] == "STOPPED")
            self.service.post(f"/experiments/{experiment}/cleanup")
        for resource in (*self.resources, "pods", "configmaps", "secrets"):
            until(seconds, f"no {resource}", lambda: self.lab.command("count", resource, namespace, "trialdeck-service") == "0")
