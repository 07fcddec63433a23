#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide's pages about Kubernetes, typed as a reader would, on a real one (kubernetes_lab.py):

    python3 -B tests/peers/test_kubernetes_guide.py build/dev/bin/trialdeckd
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "resources"))
from guide_pages import PageTest, merged  # noqa: E402
from kubernetes_trials import start_lab  # noqa: E402


class Pages(PageTest):
    lab = None

    def type_page(self, name):
        """Its platform is this cluster, not the reader's; all else is as the page says."""
        namespace = f"guide-{name}"
        self.lab.command("namespace", namespace)
        here = {"kubeconfig": str(self.lab.kubeconfig), "context": None, "namespace": namespace, "image": self.lab.command("image", "python")}
        self.run_page(f"{name}.md", {f"{name}.json": lambda text: merged(text, here)})

    def test_kubernetes(self):
        self.type_page("kubernetes")

    def test_kubeflow(self):
        self.type_page("kubeflow")

    def test_frameworkcontroller(self):
        self.type_page("frameworkcontroller")


del PageTest  # unittest would run it by itself


def setUpModule():
    Pages.lab = start_lab(operators=("training", "framework"))


def tearDownModule():
    if Pages.lab:
        Pages.lab.stop()


if __name__ == "__main__":
    Pages.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
