# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Slurm of one node for a test (tests/programs/slurm_lab.cpp), beside the programs of a build."""

import pathlib
import subprocess


class SlurmLab:
    def __init__(self, program):
        """`program`: trialdeckd of the build."""
        self.program = pathlib.Path(program).resolve().parent.parent / "tests" / "slurm_lab"
        self.process = None
        self.settings = {}

    def start(self):
        # It stays until its standard input ends: also when this process dies.
        self.process = subprocess.Popen([str(self.program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2):
            name, _, value = self.process.stdout.readline().strip().partition("=")
            if not value:
                raise AssertionError(f"{self.program} did not start")
            self.settings[name] = value
        return self

    def stop(self):
        if self.process:
            self.process.communicate("", timeout=60)
            self.process = None
