# SPDX-License-Identifier: GPL-3.0-or-later
"""The sample of a training service for Node.js: python3 test_external_node.py PROGRAM [unittest's arguments]."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from azurite_peer import node
from cluster_test import ClusterTest
from external_program import ExternalProgram
from kubernetes_trials import give_up
from peer_venv import Missing
from trialdeck_service import until

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples" / "external" / "processes.mjs"
NAME = "td-s1-t1"


class ExternalNode(ClusterTest):
    kind = "external.processes"

    def setUp(self):
        super().setUp()
        subprocess.run([self.program, "external", "add", "processes", "--data-dir", str(self.folder / "data"), "--", str(self.node), str(SAMPLE)],
                       check=True, capture_output=True, timeout=120)
        self.service.kill()
        self.service.start()

    def test_conformance(self):
        found = self.conformance({"slots": 8})
        self.assertEqual({name for name, promise in found.items() if promise["verdict"] != "ok"}, {"options"}, found)

    def test_a_queue(self):
        """Two at once, the others wait with a reason; a cancel gives the trial its grace."""
        self.platform({"slots": 2})
        command = ("trap 'echo saved; exit 0' TERM; echo ready; echo '{\"metric\": 1}' >>$TRIALDECK_METRICS_FILE; "
                   "while :; do sleep 0.1; done")
        experiment = self.service.post("/experiments", {"platformId": "lab", "trialConcurrency": 20, "trialCommand": command})["id"]
        trials = self.submit(experiment, [{"parameters": {}}] * 5)
        self.wait_for(experiment, "RUNNING", 2)
        waiting = [trial for trial in trials if self.service.get(f"/trials/{trial}")["status"] == "WAITING"]
        self.assertEqual(len(waiting), 3)
        self.wait_for_reason(waiting[-1], "2 trials run already")
        running = [trial for trial in trials if trial not in waiting]
        until(60, "both have begun", lambda: all(self.service.metrics(trial) for trial in running))
        for trial in waiting + running:
            self.service.post(f"/trials/{trial}/cancel", {"isEarlyStopped": False})
        for trial in trials:
            self.assertEqual(self.wait_for_end(trial)["status"], "USER_CANCELED")
        for trial in running:
            self.assertEqual(self.log(trial), "ready\nsaved\n")

    def test_cancels_without_room_for_a_mark(self):
        """On a full disk a running trial is cancelled all the same."""
        self.platform({"slots": 2})
        self.cancel_without_room("exec sleep 600")

    def test_cancelled_before_it_begins(self):
        """The program says that the job runs, and its process is not there yet. The cancel comes once."""
        lab = SlowLab(self)
        program = lab.life()
        program.ask("submit", name=NAME, script=str(lab.script))
        self.assertEqual(program.states(), ["running"])
        self.assertNotIn("error", program.ask("cancel", name=NAME, job=""))
        lab.go.touch()
        until(60, "its shells have ended", (lab.job / "exit").exists)
        self.assertEqual(program.states(), ["ended"])
        self.assertFalse(lab.begun.exists())

    def test_killed_before_it_starts_the_shell(self):
        """A pipe instead of the job's description holds the program there."""
        lab = SlowLab(self)
        lab.go.touch()
        lab.job.mkdir(parents=True)
        os.mkfifo(lab.job / "job")
        program = lab.life(opens=False)
        program.tell("open", **lab.settings)
        with open(lab.job / "job", "w", encoding="utf-8"):  # it reads
            program.kill()
        (lab.job / "job").unlink()
        (lab.job / "job").write_text(json.dumps({"script": str(lab.script)}))
        until(60, "the job ends", lambda at=lab.life(): at.states() == ["ended"])
        self.assertEqual(lab.begun.read_text().count("\n"), 1)

    def test_killed_while_the_shell_starts(self):
        """Each life of the program starts a shell. One of them goes on."""
        lab = SlowLab(self)
        lab.life().ask("submit", name=NAME, script=str(lab.script))
        for _ in range(2):
            lab.lives[-1].kill()
            self.assertEqual(lab.life().states(), ["running"])
        lab.go.touch()
        until(60, "all shells have looked", lambda: len(list(lab.job.glob("pid.*"))) == 3)
        until(60, "the job ends", lambda: lab.lives[-1].states() == ["ended"])
        self.assertEqual(lab.begun.read_text().count("\n"), 1)

    def test_shell_that_cannot_begin(self):
        """The reason says so while it is tried again; then the job runs, once."""
        lab = SlowLab(self)
        bash = pathlib.Path(lab.path.split(":")[0]) / "bash"
        slow = bash.read_text()
        bash.write_text("#!/bin/sh\nexit 1\n")
        program = lab.life()
        program.ask("submit", name=NAME, script=str(lab.script))
        until(60, "a reason", lambda: any("could not begin" in job.get("reason", "") for job in program.jobs()))
        lab.go.touch()
        (fixed := bash.with_name("fixed")).write_text(slow)
        fixed.chmod(0o755)
        fixed.rename(bash)
        until(60, "the job ends", lambda: program.states() == ["ended"])
        self.assertEqual(lab.begun.read_text().count("\n"), 1)


class SlowLab:
    """Where a shell that runs a job waits for `go` before it does anything. The job's script writes a line to `begun`."""

    def __init__(self, case):
        self.case = case
        folder = case.folder / "own"
        self.go, self.begun, self.script = folder / "go", folder / "begun", folder / "job.sh"
        self.job = folder / "jobs" / NAME
        self.settings = {"settings": {"slots": 1}, "folder": str(folder)}
        self.lives = []
        slow = folder / "slow"
        slow.mkdir(parents=True)
        (slow / "bash").write_text(f"#!/bin/sh\nwhile [ ! -e '{self.go}' ]; do sleep 0.1; done\nexec /bin/bash \"$@\"\n")
        (slow / "bash").chmod(0o755)
        self.path = f"{slow}:{os.environ['PATH']}"
        self.script.write_text(f"echo $$ >>'{self.begun}'\n")
        case.addCleanup(subprocess.run, ["pkill", "-f", str(folder)], check=False)

    def life(self, opens=True):
        self.lives.append(ExternalProgram(self.case, [self.case.node, SAMPLE], PATH=self.path))
        if opens:
            self.lives[-1].ask("open", **self.settings)
        return self.lives[-1]


def setUpModule():
    try:
        ExternalNode.node = node()
    except Missing as error:
        give_up(error)


del ClusterTest  # unittest would run it by itself

if __name__ == "__main__":
    ExternalNode.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
