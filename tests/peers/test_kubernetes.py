#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials as Jobs of a real Kubernetes (kubernetes_lab.py), by a real service.

    python3 -B tests/peers/test_kubernetes.py build/dev/bin/trialdeckd
"""

import os
import sys
import time
import unittest

from kubernetes import images
from kubernetes_lab import PODS, pod, pod_spec
from kubernetes_trials import KubernetesTest, start_lab
from trialdeck_service import until

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
# What trial.c does, in the same order of operations.
WORK = """
import json, os, sys
print("\\n".join(sys.argv[1:]))
parameters = json.load(open(os.environ["TRIALDECK_PARAMETERS_FILE"]))
rate, target = parameters["rate"], parameters["target"]
x, least = 0.0, None
with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as metrics:
    for step in range(parameters["steps"]):
        off = x - target
        value = off * off + x
        least = value if least is None else min(least, value)
        print(json.dumps({"metric": value, "step": step}), file=metrics, flush=True)
        print("step", step)
        x = x - rate * (2 * off + 1)
    print(json.dumps({"metric": least, "type": "FINAL"}), file=metrics)
print("x =", x, file=sys.stderr)
"""


class Jobs(KubernetesTest):
    def test_many_trials_over_a_kill_and_a_restart(self):
        """The service is killed and the API server crashes in the middle: nothing is lost, nothing runs twice, nothing stays."""
        count = 200 if os.environ.get("TRIALDECK_NIGHTLY") == "1" else 80
        self.lab.command("namespace", "many", "restricted")
        self.platform(self.settings("many"))
        experiment = self.experiment("python3 train.py", codeDir=self.code("train.py", TRAIN))
        began = time.monotonic()
        ids = self.submit(experiment, [{"parameters": {"number": number}} for number in range(count)])
        self.wait_for(experiment, "SUCCEEDED", 40)
        self.service.kill()
        self.lab.command("stop", "kube-apiserver")
        self.service.start()
        self.lab.command("start", "kube-apiserver")
        self.wait_for(experiment, "SUCCEEDED", count, 900)  # the platform is opened again minutes after an API server that comes late
        print(f"{count} trials in {time.monotonic() - began:.0f} s", file=sys.stderr)
        for number, trial in enumerate(ids):
            self.assertEqual(self.points(trial), [("PERIODICAL", step, number * 1000 + step) for step in range(POINTS)],
                             self.notes(trial))
            lines = self.log(trial).splitlines()
            self.assertEqual(lines, [f"begin {number}", *[f"step {step}" for step in range(POINTS)]], trial)
            self.assertEqual(self.log(trial, "stderr"), "end\n", trial)
        self.assertEqual(self.count(experiment, "FAILED"), 0)
        self.clean("many")

    def test_the_same_work_with_and_without_a_shell(self):
        """A static program and nothing else in the image, and Python with code that was sent there, both under pod security
        restricted: states, curves and logs are the same, and those of the arithmetic done here."""
        self.lab.command("namespace", "bare", "restricted")
        self.platform(self.settings("bare", image=self.lab.command("image", "trial")))
        words = """plain "two words" 'costs $5 \\' --rate={rate}"""
        bare = self.experiment(f"/trial {words}")
        full = self.experiment(f"python3 work.py {words}", codeDir=self.code("work.py", WORK),
                               platformOptions={"image": self.lab.command("image", "python")})
        forms = [{"parameters": {"rate": rate, "target": target, "steps": 40}} for rate in (0.03, 0.1, 0.7) for target in (-1.5, 3)]
        for form, *trials in zip(forms, self.submit(bare, forms), self.submit(full, forms)):
            parameters = form["parameters"]
            x, values = 0.0, []
            for _ in range(parameters["steps"]):
                off = x - parameters["target"]
                values.append(off * off + x)
                x = x - parameters["rate"] * (2 * off + 1)
            for trial in trials:
                ended = self.wait_for_end(trial)
                self.assertEqual((ended["status"], ended["exitCode"]), ("SUCCEEDED", 0), (ended, self.notes(trial)))
                self.assertEqual(self.points(trial), [*(("PERIODICAL", step, value) for step, value in enumerate(values)),
                                                      ("FINAL", None, min(values))])
                self.assertEqual(self.log(trial).splitlines(), [
                    "plain", "two words", "costs $5 \\", f"--rate={parameters['rate']}",
                    *(f"step {step}" for step in range(len(values)))])
                self.assertEqual(float(self.log(trial, "stderr").removeprefix("x = ")), x)
        # What needs a shell says so.
        piped = self.submit(self.experiment("/trial a | /trial b"), forms[:1])[0]
        ended = self.wait_for_end(piped)
        self.assertEqual(ended["status"], "FAILED")
        self.assertIn("has no shell", ended["reason"])
        self.clean("bare")

    def test_reasons_to_wait(self):
        """Too many GPUs, an image that nobody has, a quota: each in words, none an end."""
        self.lab.command("namespace", "reasons", "restricted")
        self.platform(self.settings("reasons"))
        many = self.submit(self.experiment("true", gpuNumber=3), [{}])[0]
        self.assertIn("less than 3", self.wait_for_reason(many, "nvidia.com/gpu"))
        missing = self.submit(self.experiment("true", platformOptions={"image": "127.0.0.1:1/none:1"}), [{}])[0]
        self.assertIn("127.0.0.1:1/none:1", self.wait_for_reason(missing, "none:1"))
        for trial in (many, missing):
            self.service.post(f"/trials/{trial}/cancel")
            self.assertEqual(self.wait_for_end(trial)["status"], "USER_CANCELED")
        self.lab.command("quota", "reasons", "pods=1")
        experiment = self.experiment("until [ -e /trialdeck/trial/go ]; do sleep 0.1; done")
        trials = self.submit(experiment, [{}, {}])
        until(60, "one waits for the quota", lambda: any(
            "quota" in (self.service.get(f"/trials/{trial}").get("reason") or "") for trial in trials))
        self.wait_for(experiment, "RUNNING", 1)
        for trial in sorted(trials, key=lambda trial: self.service.get(f"/trials/{trial}")["status"]):  # RUNNING, WAITING
            self.let_go(self.running_pod("reasons", trial))
            self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.clean("reasons")

    def test_out_of_memory(self):
        self.lab.command("namespace", "memory", "restricted")
        self.platform(self.settings("memory"))
        experiment = self.experiment("python3 -c 'x = bytearray(500_000_000)'", platformOptions={"trialMemorySize": "64 MB"})
        ended = self.wait_for_end(self.submit(experiment, [{}])[0])
        self.assertEqual((ended["status"], ended["failureClass"]), ("FAILED", "outOfMemory"))
        self.assertIn("memory", ended["reason"])
        self.clean("memory")

    def test_deleted_behind_our_back(self):
        self.lab.command("namespace", "deleted", "restricted")
        self.platform(self.settings("deleted"))
        experiment = self.experiment("sleep 600")
        trial = self.submit(experiment, [{}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        self.lab.command("clear", "deleted", f"trialdeck-trial={trial}")
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SYS_CANCELED")
        self.clean("deleted")

    def test_a_pod_that_pretends(self):
        """Somebody else's pod with the labels of a trial, and a newer one: neither its log nor its end is the trial's."""
        self.lab.command("namespace", "pretends", "restricted")
        self.platform(self.settings("pretends"))
        experiment = self.experiment("echo mine; until [ -e /trialdeck/trial/go ]; do sleep 0.1; done; echo done")
        trial = self.submit(experiment, [{}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        found = self.lab.client.get("/api/v1/namespaces/pretends/pods")["items"][0]["metadata"]
        # Those of the Job's selector would make it the Job's own pod.
        labels = {name: value for name, value in found["labels"].items() if name.startswith("trialdeck-")}
        other = pod("other", pod_spec(images.STATIC, args=["exit=7"]))
        other["metadata"]["labels"] = labels
        self.lab.command("image", "static")
        self.lab.create(PODS, "pretends", other)
        self.lab.wait_for_pod("pretends", "other", "Failed", "Succeeded")
        self.assertEqual(self.service.get(f"/trials/{trial}")["status"], "RUNNING")
        self.let_go(found)
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.assertEqual(self.log(trial), "mine\ndone\n")
        self.lab.client.delete("/api/v1/namespaces/pretends/pods/other")
        self.clean("pretends")

    def test_rights(self):
        """An account that lacks a right: the check names it with a Role to apply. One with no more than that Role runs trials."""
        self.lab.command("namespace", "rights", "restricted")
        poor = self.lab.command("user", "rights", "poor", "get,list,watch:pods,jobs:", "get,list,watch:jobs:batch")
        self.service.call("PUT", "/platforms/poor", {"kind": "kubernetes", "settings": self.settings("rights", kubeconfig=poor)})
        rights = self.check("poor")["rights"]
        self.assertEqual(rights["state"], "fail")
        self.assertIn("create jobs.batch", rights["detail"])
        self.assertIn("kind: Role", rights["remedy"])
        enough = self.lab.command("user", "rights", "enough", "create,get,list,watch,delete:jobs:batch", "get,list,watch:pods:",
                             "get:pods/log:", "list,watch:events:", "create,get,list,delete:configmaps:")
        self.platform(self.settings("rights", kubeconfig=enough))
        experiment = self.experiment("echo hello")
        trial = self.submit(experiment, [{}])[0]
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.assertEqual(self.log(trial), "hello\n")
        # A token that ends while a trial runs is read again from its file.
        running = self.submit(experiment, [{}])[0]
        self.lab.command("rotate", "rights", "enough")
        self.assertEqual(self.wait_for_end(running)["status"], "SUCCEEDED")
        self.clean("rights")

    def test_conformance(self):
        """`trialdeck conformance`, on a service of its own."""
        self.lab.command("namespace", "promises", "restricted")
        self.keeps_promises("promises")

    def test_posts_that_pods_cannot_send(self):
        """The check's pod looks, and trials are not told an address that pods do not reach."""
        self.lab.command("namespace", "posts", "restricted")
        self.service.kill()
        self.service.start(arguments=("--ingest", "127.0.0.1:0"))
        self.platform(self.settings("posts"))
        steps = self.check()
        self.assertEqual((steps["job"]["state"], steps["posts"]["state"]), ("ok", "warn"), steps)
        self.assertRegex(steps["posts"]["detail"], r"a node has no connection to http://127\.0\.0\.1:\d+")
        trial = self.submit(self.experiment("env"), [{}])[0]
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.assertIn("NNI_TRIAL_JOB_ID=", self.log(trial))
        self.assertNotIn("TRIALDECK_INGEST", self.log(trial))
        self.clean("posts")

    def test_a_namespace_that_is_not_there(self):
        """Whoever may see namespaces is told at once, anybody else by the test job."""
        self.service.call("PUT", "/platforms/lost", {"kind": "kubernetes", "settings": self.settings("nowhere")})
        steps = self.check("lost")
        self.assertEqual(list(steps)[-1], "namespace")
        self.assertEqual((steps["namespace"]["state"], steps["namespace"]["detail"]), ("fail", "the cluster has no namespace nowhere"))
        self.assertIn("kubectl get namespaces", steps["namespace"]["remedy"])


def setUpModule():
    KubernetesTest.lab = start_lab()


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
