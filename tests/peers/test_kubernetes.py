#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials as Jobs of a real Kubernetes (kubernetes_lab.py), by a real service.

    python3 -B tests/peers/test_kubernetes.py build/dev/bin/trialdeckd
"""

import json
import os
import pathlib
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

from kubernetes import images
from kubernetes_lab import PODS, KubernetesLab, pod, pod_spec, prepare
from peer_venv import Missing
from trialdeck_service import Service, until

LAB = PROGRAM = None
POINTS = 20
TRAIN = f"""
import json, os, sys, time
number = int(json.load(open(os.environ["TRIALDECK_PARAMETERS_FILE"]))["number"])
print("begin", number, flush=True)
for step in range({POINTS}):
    with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as out:
        out.write(json.dumps({{"metric": number * 1000 + step, "step": step}}) + "\\n")
    print("step", step, flush=True)
    time.sleep(0.02)
print("end", file=sys.stderr)
"""


def settings(namespace, **more):
    return {"kubeconfig": str(LAB.kubeconfig), "namespace": namespace, "image": LAB.command("image", "python"),
            "podSecurity": "restricted", **more}


class KubernetesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="td-kube-")))
        self.service = Service(PROGRAM, self.folder / "data").start()
        self.addCleanup(self.service.kill)
        self.addCleanup(self.complain)

    def complain(self):
        """The service may have said why, too."""
        log = (self.folder / "data" / "service.log").read_text(errors="replace")
        if self.service.process and self.service.process.poll() is not None:
            self.fail(f"the service ended with {self.service.process.poll()}: {log[-6000:]}")

    def platform(self, settings_, state="READY"):
        self.service.call("PUT", "/platforms/lab", {"kind": "kubernetes", "settings": settings_})
        until(60, f"the platform is {state}", lambda: self.service.get("/platforms/lab")["state"] == state)

    def experiment(self, command, **more):
        members = {"platformId": "lab", "trialConcurrency": 20, "trialCommand": command, **more}
        members["platformOptions"] = {"trialCpuNumber": "0.05", **members.get("platformOptions", {})}
        return self.service.post("/experiments", members)["id"]

    def submit(self, experiment, forms):
        return [trial["id"] for trial in self.service.post(f"/experiments/{experiment}/trials", {"trials": forms})["trials"]]

    def log(self, trial, name="stdout"):
        token = pathlib.Path(self.service.token_file).read_text().strip()
        request = urllib.request.Request(f"{self.service.url}/api/v1/trials/{trial}/logs/{name}?limit=1000000")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.read().decode()

    def count(self, experiment, status):
        return self.service.get(f"/experiments/{experiment}")["counts"].get(status, 0)

    def wait_for(self, experiment, status, count, seconds=300):
        try:
            until(seconds, f"{count} trials {status}", lambda: self.count(experiment, status) >= count)
        except AssertionError as error:
            trials = self.service.trials(experiment)
            raise AssertionError(f"{error}: {[(t['status'], t.get('reason')) for t in trials][:10]}") from error

    def wait_for_end(self, trial, seconds=90):
        final = ("SUCCEEDED", "FAILED", "USER_CANCELED", "SYS_CANCELED", "EARLY_STOPPED")
        return until(seconds, f"{trial} ends", lambda: (
            found := self.service.get(f"/trials/{trial}"))["status"] in final and found)

    def wait_for_reason(self, trial, word, seconds=60):
        def reason():
            found = self.service.get(f"/trials/{trial}").get("reason") or ""
            return word in found and found
        return until(seconds, f"{trial} waits because of {word}", reason)

    def clean(self, experiment, namespace):
        """Nothing of ours stays in the namespace."""
        self.service.post(f"/experiments/{experiment}/stop")
        until(60, "the experiment is stopped", lambda: self.service.get(f"/experiments/{experiment}")["state"] == "STOPPED")
        self.service.post(f"/experiments/{experiment}/cleanup")
        for resource in ("jobs", "pods", "configmaps", "secrets"):
            until(60, f"no {resource}", lambda: LAB.command("count", resource, namespace, "trialdeck-service") == "0")

    def test_two_hundred_trials_over_a_kill_and_a_restart(self):
        """The service is killed and the API server crashes in the middle: nothing is lost, nothing runs twice, nothing stays."""
        count = 200
        LAB.command("namespace", "many", "restricted")
        self.platform(settings("many"))
        code = self.folder / "code"
        code.mkdir()
        (code / "train.py").write_text(TRAIN)
        experiment = self.experiment("python3 train.py", codeDir=str(code))
        began = time.monotonic()
        ids = self.submit(experiment, [{"parameters": {"number": number}} for number in range(count)])
        self.wait_for(experiment, "SUCCEEDED", 40)
        self.service.kill()
        LAB.command("stop", "kube-apiserver")
        self.service.start()
        LAB.command("start", "kube-apiserver")
        self.wait_for(experiment, "SUCCEEDED", count)
        print(f"{count} trials in {time.monotonic() - began:.0f} s", file=sys.stderr)
        for number, trial in enumerate(ids):
            points = [(metric["step"], json.loads(metric["value"]) if isinstance(metric["value"], str) else metric["value"])
                      for metric in self.service.metrics(trial)]
            self.assertEqual(points, [(step, number * 1000 + step) for step in range(POINTS)],
                             self.service.get(f"/trials/{trial}/events"))
            lines = self.log(trial).splitlines()
            self.assertEqual(lines, [f"begin {number}", *[f"step {step}" for step in range(POINTS)]], trial)
            self.assertEqual(self.log(trial, "stderr"), "end\n", trial)
        self.assertEqual(self.count(experiment, "FAILED"), 0)
        self.clean(experiment, "many")

    def test_an_image_without_a_shell(self):
        """A static program and nothing else, under pod security restricted: the keeper needs nothing of the image."""
        LAB.command("namespace", "bare", "restricted")
        self.platform(settings("bare", image=LAB.command("image", "static")))
        experiment = self.experiment("true")
        trial = self.submit(experiment, [{}])[0]
        # The keeper runs there, and says that the image has no shell for the command.
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "FAILED")
        self.assertIn("not found", ended["reason"])
        self.clean(experiment, "bare")

    def test_reasons_to_wait(self):
        """Too many GPUs, an image that nobody has, a quota: each in words, none an end."""
        LAB.command("namespace", "reasons", "restricted")
        self.platform(settings("reasons"))
        many = self.submit(self.experiment("true", gpuNumber=3), [{}])[0]
        self.assertIn("less than 3", self.wait_for_reason(many, "nvidia.com/gpu"))
        missing = self.submit(self.experiment("true", platformOptions={"image": "127.0.0.1:1/none:1"}), [{}])[0]
        self.assertIn("127.0.0.1:1/none:1", self.wait_for_reason(missing, "none:1"))
        for trial in (many, missing):
            self.service.post(f"/trials/{trial}/cancel")
            self.assertEqual(self.wait_for_end(trial)["status"], "USER_CANCELED")
        LAB.command("quota", "reasons", "pods=1")
        experiment = self.experiment("sleep 3")
        trials = self.submit(experiment, [{}, {}])
        until(60, "one waits for the quota", lambda: any(
            "quota" in (self.service.get(f"/trials/{trial}").get("reason") or "") for trial in trials))
        for trial in trials:
            self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.clean(experiment, "reasons")

    def test_out_of_memory(self):
        LAB.command("namespace", "memory", "restricted")
        self.platform(settings("memory"))
        experiment = self.experiment("python3 -c 'x = bytearray(500_000_000)'", platformOptions={"trialMemorySize": "64 MB"})
        ended = self.wait_for_end(self.submit(experiment, [{}])[0])
        self.assertEqual((ended["status"], ended["failureClass"]), ("FAILED", "outOfMemory"))
        self.assertIn("memory", ended["reason"])
        self.clean(experiment, "memory")

    def test_deleted_behind_our_back(self):
        LAB.command("namespace", "deleted", "restricted")
        self.platform(settings("deleted"))
        experiment = self.experiment("sleep 600")
        trial = self.submit(experiment, [{}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        LAB.command("clear", "deleted", f"trialdeck-trial={trial}")
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SYS_CANCELED")
        self.clean(experiment, "deleted")

    def test_a_pod_that_pretends(self):
        """Somebody else's pod with the labels of a trial, and a newer one: neither its log nor its end is the trial's."""
        LAB.command("namespace", "pretends", "restricted")
        self.platform(settings("pretends"))
        experiment = self.experiment("echo mine; sleep 8; echo done")
        trial = self.submit(experiment, [{}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        found = LAB.client.get("/api/v1/namespaces/pretends/pods")["items"][0]["metadata"]["labels"]
        # Those of the Job's selector would make it the Job's own pod.
        labels = {name: value for name, value in found.items() if name.startswith("trialdeck-")}
        other = pod("other", pod_spec(images.STATIC, args=["exit=7"]))
        other["metadata"]["labels"] = labels
        LAB.command("image", "static")
        LAB.create(PODS, "pretends", other)
        LAB.wait_for_pod("pretends", "other", "Failed", "Succeeded")
        self.assertEqual(self.service.get(f"/trials/{trial}")["status"], "RUNNING")
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.assertEqual(self.log(trial), "mine\ndone\n")
        LAB.client.delete("/api/v1/namespaces/pretends/pods/other")
        self.clean(experiment, "pretends")

    def test_rights(self):
        """An account that lacks a right: the check names it with a Role to apply. One with no more than that Role runs trials."""
        LAB.command("namespace", "rights", "restricted")
        poor = LAB.command("user", "rights", "poor", "get,list,watch:pods,jobs:", "get,list,watch:jobs:batch")
        self.service.call("PUT", "/platforms/poor", {"kind": "kubernetes", "settings": settings("rights", kubeconfig=poor)})
        request = self.service.post("/platforms/poor/check")["requestId"]
        steps = until(60, "the check ends", lambda: (
            found := self.service.get(f"/requests/{request}"))["endTime"] and found)["steps"]
        rights = next(step for step in steps if step["id"] == "rights")
        self.assertEqual(rights["state"], "fail")
        self.assertIn("create jobs.batch", rights["detail"])
        self.assertIn("kind: Role", rights["remedy"])
        enough = LAB.command("user", "rights", "enough", "create,get,list,watch,delete:jobs:batch", "get,list,watch:pods:",
                             "get:pods/log:", "list,watch:events:", "create,get,list,delete:configmaps:")
        self.platform(settings("rights", kubeconfig=enough))
        experiment = self.experiment("echo hello")
        trial = self.submit(experiment, [{}])[0]
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.assertEqual(self.log(trial), "hello\n")
        # A token that ends while a trial runs is read again from its file.
        running = self.submit(experiment, [{}])[0]
        LAB.command("rotate", "rights", "enough")
        self.assertEqual(self.wait_for_end(running)["status"], "SUCCEEDED")
        self.clean(experiment, "rights")


def setUpModule():
    global LAB
    try:
        prepare()
    except Missing as error:
        if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
            raise
        raise unittest.SkipTest(str(error)) from error
    LAB = KubernetesLab().start()


def tearDownModule():
    if LAB:
        LAB.stop()


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
