#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a real Kubernetes (kubernetes_lab.py) that fail, and logs that they rotate, under trials of a real service.

    python3 -B tests/peers/test_kubernetes_nodes.py build/dev/bin/trialdeckd
"""

import os
import re
import sys
import unittest

from kubernetes_trials import KubernetesTest, start_lab
from trialdeck_service import until

LINE = 1000  # bytes of a line of TALK, with its end
# Prints `lines` lines, and reports each `every`-th; after each `portion` lines it rests for 0.1 s. It begins with one line, and waits for more
# until the file `allowed` in its folder says how many there may be.
TALK = f"""
import json, os, sys, time
parameters = json.load(open(os.environ["TRIALDECK_PARAMETERS_FILE"]))
place, allowed = os.environ["NNI_SYS_DIR"] + "/allowed", 1
with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as metrics:
    for number in range(parameters["lines"]):
        while number >= allowed:
            time.sleep(0.05)
            if os.path.exists(place):
                allowed = int(open(place).read())
        sys.stdout.write(f"{{number:08d}} ".ljust({LINE - 1}, "x") + "\\n")
        if number % parameters["every"] == 0:
            print(json.dumps({{"metric": number, "step": number}}), file=metrics, flush=True)
        if number % parameters["portion"] == parameters["portion"] - 1:
            sys.stdout.flush()
            time.sleep(0.1)
    sys.stdout.flush()
    print(json.dumps({{"metric": parameters["lines"], "type": "FINAL"}}), file=metrics)
"""
GAP = re.compile(r"\n\[trialdeck: (\d+) bytes of this log did not arrive\]\n")
# A pod stays on a node that is lost for five seconds, not for the five minutes that a cluster gives it.
IMPATIENT = """
spec:
  tolerations:
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 5}
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 5}
"""


def line(number):
    return f"{number:08d} ".ljust(LINE - 1, "x")


class Nodes(KubernetesTest):
    def setUp(self):
        super().setUp()
        self.folders = {}  # of trials, on the node's disk

    def start(self, namespace, lines, every, portion, allowed, **options):
        self.lab.command("namespace", namespace, "restricted")
        self.platform(self.settings(namespace))
        experiment = self.experiment("python3 talk.py", codeDir=self.code("talk.py", TALK),
                                     platformOptions={"trialCpuNumber": "1", **options})
        return self.begin(namespace, experiment, lines, every, portion, allowed)

    def begin(self, namespace, experiment, lines, every, portion, allowed):
        trial = self.submit(experiment, [{"parameters": {"lines": lines, "every": every, "portion": portion}}])[0]
        self.wait_for_points(trial, 1)  # so that nothing is rotated away before it is read
        self.folders[trial] = self.folder_of(self.running_pod(namespace, trial))
        self.allow(trial, allowed)
        return trial

    def allow(self, trial, lines):
        """It may print so many of its lines."""
        new = self.folders[trial] / "allowed.new"
        new.write_text(str(lines))
        new.rename(new.with_name("allowed"))

    def wait_for_points(self, trial, count):
        until(120, f"{count} values", lambda: len(self.service.metrics(trial)) >= count)

    def node_status(self):
        conditions = self.lab.client.get("/api/v1/nodes/node1")["status"]["conditions"]
        return next(condition["status"] for condition in conditions if condition["type"] == "Ready")

    def files(self, namespace):
        """The log's files that there are on the node: the current one, and those that were rotated."""
        return {path.name for path in (self.lab.folder / "log" / "pods").glob(f"{namespace}_*/trial/*")}

    def check_whole(self, trial, lines, every):
        self.assertEqual(self.points(trial), [*(("PERIODICAL", number, number) for number in range(0, lines, every)),
                                              ("FINAL", None, lines)], self.notes(trial))
        # Not as lists, whose difference would be as long as they are.
        self.assertTrue(self.log(trial) == "".join(f"{line(number)}\n" for number in range(lines)), self.notes(trial))

    def test_log_that_is_rotated_while_it_is_read(self):
        """Twenty megabytes through files of one: not a line, and not a value, is lost or comes twice."""
        lines, every, ahead = 20_000, 25, 500  # half a file, so that no rotation overtakes the reader
        trial = self.start("rotated", lines, every, 100, ahead)
        seen = set()

        def may_end():
            """It goes on as it is read, and not beyond 7,000 lines before a file was rotated, which is full with 1,000."""
            seen.update(self.files("rotated"))
            allowed = min(len(self.service.metrics(trial)) * every + ahead, 7_000 * len(seen))
            self.allow(trial, allowed)
            return allowed >= lines

        until(900, "it is rotated twice", may_end)
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
        self.check_whole(trial, lines, every)
        self.clean("rotated")

    def test_log_that_is_rotated_away(self):
        """Nobody reads while the node throws away what it has: what is missing is said, to the byte, and nothing comes twice."""
        lines, every = 30_000, 25
        trial = self.start("away", lines, every, 200, 500)
        self.wait_for_points(trial, 20)
        self.lab.command("refuse")
        try:
            self.lab.command("cut")
            before, seen = self.files("away"), set()
            for times in (1, 2):
                self.allow(trial, 10_000 * times)
                until(120, f"rotation {times}", lambda times=times: seen.update(self.files("away")) or len(seen - before) >= times)
        finally:
            self.lab.command("admit")
        self.allow(trial, lines)
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SUCCEEDED", (ended, self.notes(trial)))
        found, text = self.points(trial), self.log(trial)
        self.assertEqual(found[-1], ("FINAL", None, lines))
        values = [value for _, _, value in found[:-1]]
        self.assertEqual(values, sorted(set(values)))
        self.assertLess(len(values), lines // every)  # some were lost, or this shows nothing
        self.assertEqual([number for number in values if number % every], [])
        # Pieces of what it printed, and between them how much is missing.
        whole = "".join(f"{line(number)}\n" for number in range(lines))
        pieces, at = GAP.split(text), 0
        self.assertGreater(len(pieces), 1)
        for piece, gap in zip(pieces[::2], [*pieces[1::2], 0]):
            self.assertTrue(whole.startswith(piece, at), piece[:100])
            at += len(piece) + int(gap)
        self.assertEqual(at, len(whole))
        for gap in pieces[1::2]:
            self.assertTrue(any(f"{gap} bytes of stdout are missing" in note for note in self.notes(trial)), self.notes(trial))
        self.assertTrue(any("bytes of file are missing" in note for note in self.notes(trial)), self.notes(trial))
        self.clean("away")

    def test_node_that_is_lost_and_comes_back(self):
        """Its kubelet dies, the cluster gives the node up, its containers run on. One trial ends meanwhile, another one after it."""
        lines, every = 900, 3
        long = self.start("back", lines, every, 2, 600)
        self.wait_for_points(long, 10)
        short = self.begin("back", self.service.get(f"/trials/{long}")["experimentId"], 60, every, 2, 10)
        self.wait_for_points(short, 4)
        self.lab.command("stop", "kubelet")
        try:
            self.allow(short, 60)
            self.lab.wait(90, "the node is lost", lambda: self.node_status() == "Unknown")
            for trial in (long, short):
                self.assertIn(self.service.get(f"/trials/{trial}")["status"], ("RUNNING", "UNKNOWN"), self.notes(trial))
        finally:
            self.lab.command("start", "kubelet")
        self.allow(long, lines)
        self.assertEqual(self.wait_for_end(short)["status"], "SUCCEEDED")
        self.check_whole(short, 60, every)
        self.assertEqual(self.wait_for_end(long)["status"], "SUCCEEDED")
        self.check_whole(long, lines, every)
        self.clean("back")

    def lose_for_good(self, namespace):
        """A trial whose pod the cluster wants to take from a node that does not answer. It does so only where other nodes do."""
        self.lab.command("nodes", 3)
        trial = self.start(namespace, 100_000, 3, 2, 100_000, podTemplate=IMPATIENT)
        self.wait_for_points(trial, 10)
        self.lab.command("stop", "kubelet")
        pods = f"/api/v1/namespaces/{namespace}/pods"
        self.lab.wait(120, "the pod is to go", lambda: self.lab.client.get(pods)["items"][0]["metadata"].get("deletionTimestamp"))
        return trial

    def check_lost(self, trial, ended):
        self.assertEqual((ended["status"], ended["failureClass"]), ("FAILED", "infrastructure"), (ended, self.notes(trial)))
        self.assertIn("node1", ended["reason"])
        values = [value for _, _, value in self.points(trial)]
        self.assertEqual(values, list(range(0, 3 * len(values), 3)))

    def test_node_that_comes_back_too_late(self):
        """The cluster has given the pod up: the trial failed for that reason, not by the signal that ends it there."""
        try:
            trial = self.lose_for_good("late")
        finally:
            self.lab.command("start", "kubelet")
        self.check_lost(trial, self.wait_for_end(trial))
        self.clean("late")

    if os.environ.get("TRIALDECK_NIGHTLY") == "1":  # a quarter of an hour; a skip would count as a peer that is missing
        def test_node_that_stays_lost(self):
            """For ten minutes it may come back (lostNodeMs)."""
            try:
                trial = self.lose_for_good("lost")
                ended = self.wait_for_end(trial, 900)
            finally:
                self.lab.command("start", "kubelet")
            self.check_lost(trial, ended)
            self.clean("lost")


def setUpModule():
    KubernetesTest.lab = start_lab(kwok=True, log_size="1Mi")


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
