# SPDX-License-Identifier: GPL-3.0-or-later
"""The units of systemd as CMake made them (the folder is the argument): what keeps trials alive is there, and systemd
accepts them where it is installed."""

import configparser
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1))


class Units(unittest.TestCase):
    def read(self, manager, name="trialdeck.service"):
        # SystemCallFilter= may come twice.
        unit = configparser.ConfigParser(interpolation=None, strict=False)
        unit.optionxform = str
        self.assertTrue(unit.read(FOLDER / manager / name))
        return unit

    def test_trials_outlive_the_service(self):
        for manager in ("user", "system"):
            with self.subTest(manager):
                for name in ("trialdeck.service", "trialdeck-agent@.service"):
                    service = self.read(manager, name)["Service"]
                    self.assertEqual(service["KillMode"], "process")
                    self.assertEqual(service["OOMPolicy"], "continue")
                    self.assertEqual(service["Type"], "exec")
                    self.assertEqual(service["TasksMax"], "infinity")

    def test_trials_are_outside_of_the_sandbox(self):
        for manager in ("user", "system"):
            with self.subTest(manager):
                service, agent = self.read(manager), self.read(manager, "trialdeck-agent@.service")["Service"]
                listener = self.read(manager, "trialdeck-agent.socket")["Socket"]
                self.assertEqual(service["Service"]["NoNewPrivileges"], "yes")
                self.assertEqual(service["Unit"]["Wants"], "trialdeck-agent.socket")
                self.assertEqual(service["Service"]["Environment"], "TRIALDECK_AGENT_SOCKET=" + listener["ListenStream"])
                self.assertEqual(listener["Accept"], "yes")
                self.assertEqual(listener["SocketMode"], "0600")
                self.assertEqual(agent["StandardInput"], "socket")
                self.assertRegex(agent["ExecStart"], r"^/\S+/trialdeck/trialkeeper launch$")
                allowed = {"User", "Type", "ExecStart", "StandardInput", "StandardOutput", "StandardError", "KillMode", "OOMPolicy",
                           "TasksMax", "LimitNOFILE"}
                self.assertLessEqual(set(agent), allowed)
        system = self.read("system", "trialdeck-agent@.service")["Service"]["User"]
        self.assertEqual(system, self.read("system")["Service"]["User"])
        self.assertEqual(system, self.read("system", "trialdeck-agent.socket")["Socket"]["SocketUser"])

    def test_exposure(self):
        """What systemd itself says of the sandbox; 10 is none."""
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze here")
        for manager, most in (("system", 2.5), ("user", 7.0)):
            with self.subTest(manager):
                done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                                       FOLDER / manager / "trialdeck.service"], capture_output=True, text=True, timeout=60)
                self.assertLess(float(re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout).group(1)), most)

    def test_the_program_is_an_absolute_path_and_nothing_is_left_to_fill_in(self):
        for manager in ("user", "system"):
            with self.subTest(manager):
                self.assertRegex(self.read(manager)["Service"]["ExecStart"], r"^/\S+/bin/trialdeckd --serve")
                for name in ("trialdeck.service", "trialdeck-agent.socket", "trialdeck-agent@.service"):
                    self.assertNotRegex((FOLDER / manager / name).read_text(), "@[A-Z_]+@")

    def test_systemd_accepts_them(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("no systemd-analyze here")
        for manager in ("user", "system"):
            with self.subTest(manager):
                done = subprocess.run(
                    ["systemd-analyze", f"--{manager}", "--man=no", "verify",
                     FOLDER / manager / "trialdeck.service", FOLDER / manager / "trialdeck-agent.socket",
                     FOLDER / manager / "trialdeck-agent@.service"],
                    capture_output=True, text=True, timeout=60,
                )
                ours = [line for line in done.stderr.splitlines() if "trialdeck" in line]
                # The program is not installed when this runs; every other remark is a mistake in the unit.
                self.assertEqual([line for line in ours if "is not executable" not in line], [])


if __name__ == "__main__":
    unittest.main()
