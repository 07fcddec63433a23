# SPDX-License-Identifier: GPL-3.0-or-later
"""`cmake --install` into an empty prefix: everything that the programs look for is there. Arguments: the build folder, and
the cmake that made it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD, CMAKE = sys.argv.pop(1), sys.argv.pop(1)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name)
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, capture_output=True, timeout=600)

    def test_files(self):
        for name in (
            "bin/trialdeckd",
            "libexec/trialdeck/trialkeeper",
            "libexec/trialdeck/trialkeeper-pod",
            "share/trialdeck/demo/experiment.json",
            "share/trialdeck/demo/trials.json",
            "share/trialdeck/demo/train.py",
            "share/trialdeck/demo/digits.py",
            "share/trialdeck/nni/pyproject.toml",
            "share/trialdeck/nni/backend.py",
            "share/trialdeck/nni/trialdeck/service.js",
            "share/trialdeck/api/openapi.yaml",
            "share/trialdeck/api/external-platform.md",
            "share/trialdeck/examples/external/task_spooler.py",
            "share/trialdeck/guide/en/index.md",
            "share/trialdeck/guide/zh_CN/index.md",
            "share/man/man1/trialdeck.1",
            "share/man/man1/trialdeckd.1",
            "lib/systemd/user/trialdeck.service",
            "lib/systemd/user/trialdeck-agent.socket",
            "lib/systemd/user/trialdeck-agent@.service",
            "lib/systemd/system/trialdeck.service",
            "lib/systemd/system/trialdeck-agent.socket",
            "lib/systemd/system/trialdeck-agent@.service",
            "lib/sysusers.d/trialdeck.conf",
            "share/doc/trialdeck/LICENSE",
        ):
            with self.subTest(name):
                self.assertTrue((self.prefix / name).is_file())
        self.assertEqual(list(self.prefix.rglob("__pycache__")), [])

    def test_the_installed_service_says_its_version(self):
        done = subprocess.run([self.prefix / "bin/trialdeckd", "--version"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\d+\.\d+\.\d+")

    def test_the_demo_is_a_document_that_its_trials_fit(self):
        demo = self.prefix / "share/trialdeck/demo"
        space = json.loads((demo / "experiment.json").read_text())["searchSpace"]
        for trial in json.loads((demo / "trials.json").read_text())["trials"]:
            self.assertEqual(set(trial["parameters"]), set(space))


if __name__ == "__main__":
    unittest.main()
