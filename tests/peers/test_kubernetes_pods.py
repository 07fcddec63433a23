#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Code that is sent into pods, pods that cannot begin, queues, and GPUs of others, on a real Kubernetes (kubernetes_lab.py), by a real
service.

    python3 -B tests/peers/test_kubernetes_pods.py build/dev/bin/trialdeckd
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import unittest

from kubernetes import images
from kubernetes_lab import PODS, pod, pod_spec
from kubernetes_trials import KubernetesTest, start_lab
from trialdeck_service import until

MEGABYTE = 1_000_000
# What Kueue's own definition has in it that is used here.
WORKLOADS = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "workloads.kueue.x-k8s.io",
                 "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
    "spec": {"group": "kueue.x-k8s.io", "scope": "Namespaced",
             "names": {"kind": "Workload", "plural": "workloads", "singular": "workload"},
             "versions": [{"name": "v1beta1", "served": True, "storage": True, "subresources": {"status": {}}, "schema": {
                 "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}


class Pods(KubernetesTest):
    def large_code(self, megabytes):
        """A folder with so much that does not become smaller, and what its file is."""
        folder = self.folder / "large"
        folder.mkdir()
        data = os.urandom(megabytes * MEGABYTE)
        (folder / "data.bin").write_bytes(data)
        (folder / "train.py").write_text(
            "import hashlib\nprint(hashlib.sha256(open('data.bin', 'rb').read()).hexdigest())\nopen('data.bin', 'ab').write(b'mine')\n")
        return str(folder), hashlib.sha256(data).hexdigest()

    def test_code_too_large_for_config_maps(self):
        """It is sent into each pod, whole, and each has its own."""
        self.lab.command("namespace", "large", "restricted")
        self.platform(self.settings("large"))
        folder, digest = self.large_code(20)
        experiment = self.experiment("python3 train.py", codeDir=folder)
        trials = self.submit(experiment, [{} for _ in range(6)])
        for trial in trials:
            ended = self.wait_for_end(trial)
            self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.log(trial, "stderr")))
            self.assertEqual(self.log(trial), digest + "\n")
        self.assertEqual(self.lab.command("count", "configmaps", "large", "trialdeck-part=code"), "0")
        self.clean("large")

    def test_killed_while_code_is_sent(self):
        """The pod waits on, and gets its code from the service that comes after."""
        self.lab.command("namespace", "killed", "restricted")
        self.platform(self.settings("killed"))
        folder, digest = self.large_code(120)
        experiment = self.experiment("python3 train.py", codeDir=folder)
        trial = self.submit(experiment, [{}])[0]
        said = self.wait_for_reason(trial, "MB.")
        self.assertIn("is sent into its pod", said)
        self.service.kill()
        self.service.start()
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SUCCEEDED", ended.get("reason"))
        self.assertEqual(self.log(trial), digest + "\n")
        self.clean("killed")

    def test_code_for_an_image_with_nothing_in_it(self):
        """The program comes as code; the image has neither shell nor tar."""
        self.lab.command("namespace", "nothing", "restricted")
        self.platform(self.settings("nothing", image=self.lab.command("image", "static"), codeDelivery="send"))
        folder = self.folder / "program"
        folder.mkdir()
        source = pathlib.Path(images.HERE / "trial.c")
        subprocess.run(["gcc", "-Os", "-static", "-s", "-o", str(folder / "train"), str(source)], check=True)
        experiment = self.experiment("./train 'two words' three", codeDir=str(folder))
        trial = self.submit(experiment, [{"parameters": {"rate": 0.1, "target": 1, "steps": 3}}])[0]
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.log(trial, "stderr")))
        self.assertEqual(self.log(trial).splitlines()[:2], ["two words", "three"])
        self.assertEqual([kind for kind, _, _ in self.points(trial)], ["PERIODICAL"] * 3 + ["FINAL"])
        # ConfigMaps are no way there, which is said with the way that is one.
        experiment = self.experiment("./train", codeDir=str(folder), platformOptions={"codeDelivery": "auto"})
        ended = self.wait_for_end(self.submit(experiment, [{}])[0])
        self.assertEqual(ended["status"], "FAILED")
        self.assertIn("codeDelivery: send", ended["reason"])
        self.clean("nothing")

    def test_a_pod_that_cannot_begin(self):
        """It holds a GPU for as long as the platform's patience, no longer."""
        self.lab.command("namespace", "stuck", "restricted")
        self.platform(self.settings("stuck", startPatience=1))
        experiment = self.experiment("true", gpuNumber=1, platformOptions={"image": "127.0.0.1:1/none:1"})
        trial = self.submit(experiment, [{}])[0]
        self.wait_for_reason(trial, "none:1")
        ended = self.wait_for_end(trial, 120)
        self.assertEqual((ended["status"], ended["failureClass"]), ("FAILED", "startFailed"), ended)
        self.assertIn("for 1 minutes", ended["reason"])
        self.assertIn("none:1", ended["reason"])
        until(180, "its pod is gone", lambda: self.lab.command("count", "pods", "stuck", "trialdeck-service") == "0")
        self.clean("stuck")

    def test_a_queue(self):
        """Kueue's own words for a Job that it holds. What Kueue does is done by hand here: its Workload, and letting the Job begin."""
        client = self.lab.client
        client.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WORKLOADS)
        self.lab.command("namespace", "queue", "restricted")
        until(30, "the API server has Workloads", lambda: any(
            one["name"] == "kueue.x-k8s.io" for one in client.get("/apis")["groups"]))
        self.platform(self.settings("queue"))
        experiment = self.experiment("echo begun; while [ ! -e /trialdeck/trial/go ]; do sleep 0.2; done",
                                     platformOptions={"queue": "team"})
        trial = self.submit(experiment, [{}])[0]
        self.wait_for_reason(trial, "queue team")
        job = client.get("/apis/batch/v1/namespaces/queue/jobs")["items"][0]
        self.assertEqual(job["metadata"]["labels"]["kueue.x-k8s.io/queue-name"], "team")
        self.assertTrue(job["spec"]["suspend"])
        owner = {"apiVersion": "batch/v1", "kind": "Job", "name": job["metadata"]["name"], "uid": job["metadata"]["uid"], "controller": True}
        place = "/apis/kueue.x-k8s.io/v1beta1/namespaces/queue/workloads"
        made = client.call("POST", place, {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload",
                                           "metadata": {"name": "job-1", "ownerReferences": [owner]}, "spec": {"queueName": "team"}})
        made["status"] = {"conditions": [{
            "type": "QuotaReserved", "status": "False", "reason": "Pending", "lastTransitionTime": "2026-01-01T00:00:00Z",
            "message": "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor a100, 1 more needed"}]}
        client.call("PUT", f"{place}/job-1/status", made)
        self.assertEqual(self.wait_for_reason(trial, "a100"), "It waits in the queue team (Kueue): insufficient unused quota for "
                         "nvidia.com/gpu in flavor a100, 1 more needed.")

        def suspend(is_suspended):
            client.call("PATCH", f"/apis/batch/v1/namespaces/queue/jobs/{job['metadata']['name']}", {"spec": {"suspend": is_suspended}},
                        content_type="application/merge-patch+json")

        suspend(False)
        self.wait_for(experiment, "RUNNING", 1)
        # Its place is taken away: it waits again, and begins anew.
        made = client.get(f"{place}/job-1")
        made["status"]["conditions"].append({
            "type": "Evicted", "status": "True", "reason": "Preempted", "lastTransitionTime": "2026-01-01T00:00:00Z", "message": "x"})
        client.call("PUT", f"{place}/job-1/status", made)
        suspend(True)
        self.wait_for_reason(trial, "Kueue took its place in the queue team away (Preempted)")
        self.assertEqual(self.service.get(f"/trials/{trial}")["status"], "WAITING")
        until(180, "its pod is gone", lambda: self.lab.command("count", "pods", "queue", "trialdeck-service") == "0")
        suspend(False)
        self.wait_for(experiment, "RUNNING", 1)
        self.let_go(client.get("/api/v1/namespaces/queue/pods")["items"][0]["metadata"])
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.clean("queue")

    def test_gpus_of_others(self):
        """Who holds a GPU is seen at once, whoever it is; where the account may not see that, its own namespace is left."""
        def holders():
            machines = self.service.get("/machines?platformId=lab")["machines"]
            return sorted(process["name"] for machine in machines for gpu in machine["gpus"] for process in gpu.get("processes", []))

        def gpus():
            machine = self.service.get("/machines?platformId=lab")["machines"][0]
            return [[one["trialId"] for one in gpu["reservations"]] for gpu in machine["gpus"]]

        self.lab.command("namespace", "ours", "restricted")
        self.lab.command("namespace", "others", "restricted")
        self.lab.command("image", "static")
        self.platform(self.settings("ours"))
        until(30, "the node's GPUs are seen", lambda: sum(
            len(machine["gpus"]) for machine in self.service.get("/machines?platformId=lab")["machines"]) == 2)
        self.assertEqual(holders(), [])
        held = pod("holder", pod_spec(images.STATIC, args=["pause"], limits={"nvidia.com/gpu": "1"}))
        self.lab.create(PODS, "others", held)
        until(20, "it is seen", lambda: holders() == ["others/holder"])
        experiment = self.experiment("sleep 600", gpuNumber=1)
        trial = self.submit(experiment, [{}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        until(20, "each has its own", lambda: (gpus() == [[trial], []] or gpus() == [[], [trial]]) and holders() == ["others/holder"])
        self.lab.client.delete("/api/v1/namespaces/others/pods/holder")
        until(20, "one is left", lambda: len(sum(gpus(), [])) == 1 and holders() == [])
        self.service.post(f"/trials/{trial}/cancel")
        until(60, "none is left", lambda: gpus() == [[], []] and holders() == [])
        self.clean("ours")
        # An account with no rights beyond its namespace, which sees the nodes.
        few = self.lab.command("user", "ours", "few", "create,get,list,watch,delete:jobs:batch", "get,list,watch:pods:", "get:pods/log:",
                               "list,watch:events:", "create,get,list,delete:configmaps:")
        self.platform(self.settings("ours", kubeconfig=few))
        self.assertEqual(self.service.get("/machines?platformId=lab")["machines"], [])


def setUpModule():
    KubernetesTest.lab = start_lab()


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
