# SPDX-License-Identifier: GPL-3.0-or-later
"""`trialdeck conformance` on machines behind SSH and on Slurm: python3 test_conformance.py PROGRAM [unittest's arguments]."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
from cluster_test import ClusterTest  # noqa: E402
from loopback_sshd import Sshd  # noqa: E402
from slurm_lab import SlurmLab  # noqa: E402


class Remote(ClusterTest):
    kind = "remote"

    def test_conformance(self):
        sshd = Sshd(self.folder / "machine")
        self.addCleanup(sshd.stop)
        sshd.start()
        (self.folder / "data" / "known_hosts").write_text(sshd.known_hosts_line)
        found = self.conformance({"machineList": [sshd.machine]})
        self.assertEqual({name for name, promise in found.items() if promise["verdict"] != "ok"}, {"options", "repeats", "program"}, found)


class Slurm(ClusterTest):
    kind = "slurm"

    def test_conformance(self):
        lab = SlurmLab(self.program)
        self.addCleanup(lab.stop)
        lab.start()
        # The time limit is a text, also where it looks like a number.
        found = self.conformance(lab.settings, "--option", "trialMemorySize=20 MB", "--option", "timeLimit=30")
        self.assertEqual({name for name, promise in found.items() if promise["verdict"] != "ok"}, {"repeats", "program"}, found)


del ClusterTest  # unittest would run it by itself

if __name__ == "__main__":
    Remote.program = Slurm.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
