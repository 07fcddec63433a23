# SPDX-License-Identifier: GPL-3.0-or-later
"""The units of systemd as CMake made them (the folder is the argument): what keeps trials alive is there, and systemd
accepts them where it is installed."""

import configparser
import pathlib
import shutil
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1))


class Units(unittest.TestCase):
    def read(self, manager):
        unit = configparser.ConfigParser(interpolation=None, strict=True)
        unit.optionxform = str
        self.assertTrue(unit.read(FOLDER / manager / "trialdeck.service"))
        return unit

    def test_trials_outlive_the_service(self):
        for manager in ("user", "system"):
            with self.subTest(manager):
                service = self.read(manager)["Service"]
                self.assertEqual(service["KillMode"], "process")
                self.assertEqual(service["OOMPolicy"], "continue")
                self.assertEqual(service["Type"], "exec")
                self.assertEqual(service["TasksMax"], "infinity")

    def test_the_program_is_an_absolute_path_and_nothing_is_left_to_fill_in(self):
        for manager in ("user", "system"):
            with self.subTest(manager):
                self.assertRegex(self.read(manager)["Service"]["ExecStart"], r"^/\S+/bin/trialdeckd --serve")
                self.assertNotIn("@", (FOLDER / manager / "trialdeck.service").read_text())

    def test_systemd_accepts_them(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze here")
        for manager in ("user", "system"):
            with self.subTest(manager):
                done = subprocess.run(
                    ["systemd-analyze", f"--{manager}", "--man=no", "verify", FOLDER / manager / "trialdeck.service"],
                    capture_output=True, text=True, timeout=60,
                )
                ours = [line for line in done.stderr.splitlines() if "trialdeck" in line]
                # The program is not installed when this runs; every other remark is a mistake in the unit.
                self.assertEqual([line for line in ours if "is not executable" not in line], [])


if __name__ == "__main__":
    unittest.main()
