# SPDX-License-Identifier: GPL-3.0-or-later
"""resources/examples against a real service: python3 test_examples.py PROGRAM [unittest's arguments]."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from peer_venv import Missing, venv
from trialdeck_service import Service

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples"
PROGRAM = None


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="trialdeck-examples-")
        cls.service = Service(PROGRAM, pathlib.Path(cls.folder.name, "data")).start()

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()
        cls.folder.cleanup()

    def run_example(self, command, **environment):
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=600, check=False,
            env={**os.environ, "TRIALDECK_URL": self.service.url,
                 "TRIALDECK_TOKEN_FILE": self.service.token_file, **environment},
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def statuses(self, name):
        found = [e for e in self.service.get("/experiments")["experiments"] if e["name"] == name]
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["state"], "STOPPED")
        return [trial["status"] for trial in self.service.trials(found[0]["id"])]

    def test_shell(self):
        said = self.run_example(["sh", str(EXAMPLES / "shell_search.sh"), "3"], TRIALDECK=PROGRAM)
        self.assertEqual(self.statuses("shell search"), ["SUCCEEDED"] * 12)
        self.assertAlmostEqual(float(re.search(r"^rate=([0-9.]+)$", said, re.M).group(1)), 0.37, delta=0.02)

    def test_optuna(self):
        try:
            python = venv("optuna==5.0.0") / "bin" / "python"
        except Missing as error:
            if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
                raise
            self.skipTest(str(error))
        said = self.run_example([str(python), "-B", str(EXAMPLES / "optuna_search.py"), "--trials", "40"])
        self.assertEqual(self.statuses("optuna search"), ["SUCCEEDED"] * 40)
        done, best = re.search(r"^(\d+) trials, best ([0-9.]+) with", said).groups()
        self.assertEqual(done, "40")
        self.assertLess(float(best), 1.0)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
