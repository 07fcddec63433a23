#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""NNI's own SDK, unmodified, in trials on this computer and in pods of a real Kubernetes (kubernetes_lab.py), by a real service: what one
reports, the other does, value by value.

    python3 -B tests/peers/test_kubernetes_nni.py build/dev/bin/trialdeckd
"""

import json
import sys
import unittest

from kubernetes import images
from kubernetes_trials import KubernetesTest, give_up, start_lab
from peer_venv import Missing, venv

VERSIONS = ("2.10.1", "3.0")
ARCHIVES = {}
# Numbers whose texts are not obvious, records with other things in them, and one value that is none.
TRIAL = """
import math, sys
import nni
import numpy
parameters = nni.get_next_parameter()
x, layers = parameters["x"], parameters["net"]["layers"]
for step in range(parameters["steps"]):
    nni.report_intermediate_result(math.exp(-step * x) / 3)
    if step % 10 == 0:
        mean = numpy.float64(x) / (step + 1)
        nni.report_intermediate_result({"default": mean, "layers": layers, "note": "it's \\u00fcber 'quoted' $HOME"})
nni.report_intermediate_result(float("nan"))
nni.report_final_result({"default": sum(layers) * x, "sequence": nni.get_sequence_id()})
print("said", nni.get_trial_id() != "", file=sys.stderr)
"""


class NniInPods(KubernetesTest):
    def test_values_of_pods_are_those_of_this_computer(self):
        for version in ARCHIVES:
            with self.subTest(version):
                self.compare(version)

    def compare(self, version):
        namespace = f"nni-{version.replace('.', '-')}"
        self.lab.command("namespace", namespace, "restricted")
        self.lab.command("load", ARCHIVES[version])
        self.platform(self.settings(namespace, image=f"{images.REGISTRY}/nni-{version}:1"))
        code = self.code(f"trial-{version}.py", TRIAL)
        python = venv(f"nni=={version}") / "bin" / "python"
        options = {"platformOptions": {"trialCpuNumber": "1"}, "trialConcurrency": 2}
        here = self.experiment(f"{python} trial-{version}.py", codeDir=code, platformId="local", trialConcurrency=2)
        there = self.experiment(f"python3 trial-{version}.py", codeDir=code, **options)
        forms = [{"parameters": {"x": x, "net": {"layers": layers}, "steps": steps}}
                 for x, layers, steps in ((0.1, [1, 2, 3], 30), (1e-9, [2.5], 3), (123456789.123456789, [], 1), (0, [-1], 200))]
        pairs = list(zip(forms, self.submit(here, forms), self.submit(there, forms)))
        for number, (form, *trials) in enumerate(pairs):
            reports = []
            for trial in trials:
                ended = self.wait_for_end(trial)
                self.assertEqual(ended["status"], "SUCCEEDED", (ended, self.notes(trial), self.log(trial, "stderr")))
                self.assertEqual(self.log(trial, "stderr"), "said True\n")
                metrics = self.service.metrics(trial)
                reports.append([(metric["type"], metric["step"], metric["parameterId"], metric["data"]) for metric in metrics])
            steps = form["parameters"]["steps"]
            # Each step, each tenth with a record besides, one that is no number, and the end.
            self.assertEqual(len(reports[0]), steps + -(-steps // 10) + 2)
            self.assertEqual(reports[1], reports[0])
            self.assertEqual([kind for kind, *_ in reports[0]], ["PERIODICAL"] * (len(reports[0]) - 1) + ["FINAL"])
            self.assertEqual(json.loads(reports[0][-1][3])["sequence"], number)
        self.clean(namespace)


def setUpModule():
    try:
        ARCHIVES.update({version: images.nni(version) for version in VERSIONS})
    except Missing as error:
        give_up(error)
    KubernetesTest.lab = start_lab()


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
