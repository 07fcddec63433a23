#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A search of an unmodified NNI, whose trials are objects with two pods each on a real Kubernetes (kubernetes_lab.py): NNI's manager and
tuner here, Trialdeck's adapter between them and a service, NNI's SDK in the pods.

    python3 -B tests/peers/test_kubernetes_search.py build/dev/bin/trialdeckd

By day with FrameworkController, at night (TRIALDECK_NIGHTLY=1) with Kubeflow, too.
"""

import json
import os
import sys
import unittest

from kubernetes import images
from kubernetes_trials import KubernetesTest, give_up, start_lab
from nni_peer import Nni
from peer_venv import Missing
from trialdeck_service import until

VERSION = "2.10.1"
ARCHIVES = {}
TRIALS = 20
TRIAL = """
import nni
x = nni.get_next_parameter()["x"]
nni.report_intermediate_result(x)
nni.report_intermediate_result({"default": x / 2, "seen": nni.get_sequence_id()})
nni.report_final_result((x - 0.3) ** 2)
"""
# It reports nothing, and never ends by itself: the end of the other one is the trial's.
HELPER = "echo helping; exec sleep 100000"


class Search:
    """`roles`: the one that decides, and another."""

    object_kind = ""
    roles = ("", "")
    options = {}

    def test_twenty_trials_of_tpe(self):
        namespace = f"search-{self.kind}"
        self.lab.command("namespace", namespace)
        self.lab.command("load", ARCHIVES[VERSION])
        self.platform(self.settings(namespace, image=f"{images.REGISTRY}/nni-{VERSION}:1"))
        roles = [{"name": self.roles[0]}, {"name": self.roles[1], "command": HELPER}]
        options = {"trialCpuNumber": "0.1", "roles": roles, **self.options}
        nni = Nni(VERSION, self.folder / "nni")
        experiment = nni.begin(
            "search", {"dataDir": str(self.service.folder), "platformId": "lab", "platformOptions": options}, TRIAL,
            trialCommand="python3 trial.py", maxTrialNumber=TRIALS, trialConcurrency=4,
            tuner={"name": "TPE", "classArgs": {"optimize_mode": "minimize"}})
        self.addCleanup(experiment.kill)
        print("".join(f"{line}\n" for line in experiment.retries), end="", file=sys.stderr)
        experiment.wait(900)
        self.assertEqual(experiment.final_statuses(), ["SUCCEEDED"] * TRIALS)
        trials = self.service.trials(experiment.service_id())
        self.assertEqual(len(trials), TRIALS)
        # Both sides have the same values, those of the pod that decides alone.
        stored = experiment.stored_metrics()
        self.assertEqual(stored, {trial["clientId"]: sorted(
            (one["type"], one["step"], str(one["parameterId"]), one["data"]) for one in self.service.metrics(trial["id"])) for trial in trials})
        for number, job in enumerate(sorted(experiment.trials(), key=lambda one: one["sequenceId"])):
            x = json.loads(job["hyperParameters"][0])["parameters"]["x"]
            values = {(kind, step): json.loads(data) for kind, step, _, data in stored[job["trialJobId"]]}
            self.assertEqual(values, {("PERIODICAL", 0): x, ("PERIODICAL", 1): {"default": x / 2, "seen": number},
                                      ("FINAL", 0): (x - 0.3) ** 2}, job)
        for trial in trials:
            names = self.service.get(f"/trials/{trial['id']}/logs")["logs"]
            self.assertIn(f"{self.roles[1].lower()}-0", names, self.notes(trial["id"]))
        until(90, "no pod runs", lambda: self.lab.command("count", "pods", namespace, "trialdeck-service", "status.phase=Running") == "0")
        experiment.stop()
        self.clean(namespace)


if os.environ.get("TRIALDECK_NIGHTLY") == "1":
    class Kubeflow(Search, KubernetesTest):
        kind = "kubeflow"
        resources = ("pytorchjobs.kubeflow.org",)
        roles = ("Master", "Worker")
        options = {"jobKind": "PyTorchJob"}


class FrameworkController(Search, KubernetesTest):
    kind = "frameworkcontroller"
    resources = ("frameworks.frameworkcontroller.microsoft.com",)
    roles = ("chief", "worker")


def setUpModule():
    try:
        ARCHIVES[VERSION] = images.nni(VERSION)
    except Missing as error:
        give_up(error)
    KubernetesTest.lab = start_lab(operators=("training", "framework"))


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
