#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials as objects of Kubeflow's Training Operator 1.9, which is asked by webhook about each object, on a real Kubernetes
(kubernetes_lab.py). test_kubernetes_operators.py has 1.7.

    TRIALDECK_NIGHTLY=1 python3 -B tests/peers/test_kubernetes_training19.py build/dev/bin/trialdeckd

CTest has it at night alone: `ctest --preset dev -C nightly -R training19`.
"""

import sys
import unittest

from kubernetes_trials import KubernetesTest, start_lab
from test_kubernetes_operators import Failures, OfMpi, OfPyTorch, OfTensorFlow, OperatorTest, Trials


class PyTorchJobs(Trials, Failures, OfPyTorch, OperatorTest):
    operator = "training19"

    def test_the_webhook_does_not_answer(self):
        """As long as the operator is gone, the API server takes no object. The trial waits with a reason, and begins once it is back."""
        namespace = self.ns("silent")
        self.begin(namespace)
        self.lab.command("stop", self.operator)
        try:
            trial = self.submit(self.pair(), [{"parameters": {"number": 1}}])[0]
            self.wait_for_reason(trial, "webhook", 60)
        finally:
            self.lab.command("start", self.operator)
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.notes(trial)))
        self.check_trial(trial, 1)
        self.clean(namespace)


class TFJobs(Trials, OfTensorFlow, OperatorTest):
    operator = "training19"


class MPIJobs(Trials, OfMpi, OperatorTest):
    operator = "training19"


def setUpModule():
    KubernetesTest.lab = start_lab(operators=("training19",))


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
