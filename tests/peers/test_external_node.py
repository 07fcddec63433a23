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
from kubernetes_trials import give_up
from peer_venv import Missing
from trialdeck_service import until

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "examples" / "external" / "processes.mjs"


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
        own = self.folder / "own"
        slow = own / "slow"
        slow.mkdir(parents=True)
        go = own / "go"
        (slow / "bash").write_text(f"#!/bin/sh\nwhile [ ! -e '{go}' ]; do sleep 0.1; done\nexec /bin/bash \"$@\"\n")
        (slow / "bash").chmod(0o755)
        begun = own / "begun"
        script = own / "job.sh"
        script.write_text(f"echo $$ >'{begun}'; exec sleep 600\n")
        self.addCleanup(subprocess.run, ["pkill", "-f", str(own)], check=False)
        program = subprocess.Popen([str(self.node), str(SAMPLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "PATH": f"{slow}:{os.environ['PATH']}"})
        self.addCleanup(program.communicate)

        def ask(call, **members):
            program.stdin.write(json.dumps({"id": 1, "call": call, **members}) + "\n")
            program.stdin.flush()
            for line in program.stdout:
                if "id" in (answer := json.loads(line)):
                    return answer
            return self.fail(f"{call}: no answer")

        def jobs():
            return ask("jobs")["jobs"]

        ask("open", settings={"slots": 1}, folder=str(own))
        ask("submit", name="td-s1-t1", script=str(script))
        self.assertEqual([job["state"] for job in jobs()], ["running"])
        self.assertNotIn("error", ask("cancel", name="td-s1-t1", job=""))
        go.touch()
        until(60, "its shells have ended", (own / "jobs" / "td-s1-t1" / "exit").exists)
        self.assertEqual([job["state"] for job in jobs()], ["ended"])
        self.assertFalse(begun.exists())


def setUpModule():
    try:
        ExternalNode.node = node()
    except Missing as error:
        give_up(error)


del ClusterTest  # unittest would run it by itself

if __name__ == "__main__":
    ExternalNode.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
