#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many Jobs of a real API server, watched by one service; their pods seem to run on nodes of kwok. At night they are 2,000, else 120.

    python3 -B tests/peers/test_kubernetes_many.py build/daemon-only/bin/trialdeckd

The bounds of memory and speed are those of an optimised program. All figures are printed.
"""

import concurrent.futures
import datetime
import http.client
import json
import os
import pathlib
import re
import statistics
import sys
import threading
import time
import unittest
import urllib.parse

from kubernetes import images
from kubernetes_trials import KubernetesTest, start_lab
from trialdeck_service import until

COUNT = 2000 if os.environ.get("TRIALDECK_NIGHTLY") == "1" else 120
ONE_BY_ONE = 30
# Connections to the API server: one that watches share, eight requests that change something at once, and as many that ask.
QUIET_CONNECTIONS = 17
LOG_CONNECTIONS = 2  # of PodLogs::mostStreams logs, 100 on each


class Follower(threading.Thread):
    """Reads lines of JSON from an answer that does not end, and when each came. One that its server ends, as an API server does with
    who reads too slowly, is asked for again where `is_asked_again`."""

    def __init__(self, ask, take, is_asked_again=False):
        super().__init__(daemon=True)
        self.ask, self.take, self.is_asked_again = ask, take, is_asked_again
        self.is_over = False
        self.start()

    def run(self):
        while not self.is_over:
            try:
                for line in self.ask():
                    self.take(json.loads(line), time.monotonic())
            except (OSError, ValueError, http.client.HTTPException):
                if not self.is_over and not self.is_asked_again:
                    raise
            if not self.is_asked_again:
                return


class Pods:
    """The Jobs of a namespace and where their pods are, as a watch of the test's own tells it."""

    def __init__(self, lab, namespace):
        self.lab = lab
        self.namespace = namespace
        self.jobs = {}  # when each was seen first, by trial
        self.names = {}  # of pods that have a node, by trial
        self.followers = [self.follow("apis/batch", "jobs", self.take_job), self.follow("api", "pods", self.take_pod)]

    def follow(self, group, resource, take):
        path = f"/{group}/v1/namespaces/{self.namespace}/{resource}?watch=true&timeoutSeconds=3600"
        # Without a version it begins with all that there is.
        return Follower(lambda: self.lab.client.open("GET", path, timeout=3600), take, is_asked_again=True)

    def take_job(self, event, at):
        self.jobs.setdefault(event["object"]["metadata"]["labels"]["trialdeck-trial"], at)

    def take_pod(self, event, _):
        if event["object"]["spec"].get("nodeName"):
            metadata = event["object"]["metadata"]
            self.names[metadata["labels"]["trialdeck-trial"]] = metadata["name"]

    def let_run(self, trial):
        """Its pod runs, as a kubelet writes it. Comes back when that stands in the cluster."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.lab.client.call("PATCH", f"/api/v1/namespaces/{self.namespace}/pods/{self.names[trial]}/status", {"status": {
            "phase": "Running", "startTime": now, "conditions": [{"type": "Ready", "status": "True"}],
            "containerStatuses": [{"name": "trial", "image": images.STATIC, "imageID": "", "ready": True, "restartCount": 0,
                                   "state": {"running": {"startedAt": now}}}]}}, content_type="application/merge-patch+json")

    def end(self):
        for follower in self.followers:
            follower.is_over = True


class ManyJobs(KubernetesTest):
    def setUp(self):
        super().setUp()
        self.namespace = re.sub("[^a-z]", "-", self.id().rpartition(".")[2])[:60].strip("-")
        self.lab.command("namespace", self.namespace, "restricted")
        self.platform(self.settings(
            self.namespace, image=images.STATIC, nodeSelector="type=kwok", tolerations="kwok.x-k8s.io/node",
            podTemplate='metadata: {annotations: {trialdeck.test/held: "yes"}}'))
        self.pods = Pods(self.lab, self.namespace)
        self.addCleanup(self.pods.end)
        self.seen = {}  # when the feed of changes first said a status of a trial
        feed = Follower(self.events, self.take_change)
        self.addCleanup(setattr, feed, "is_over", True)

    def events(self):
        place = urllib.parse.urlsplit(self.service.url)
        connection = http.client.HTTPConnection(place.hostname, place.port)
        token = pathlib.Path(self.service.token_file).read_text().strip()
        connection.request("GET", "/api/v1/events?topics=trials&metrics=none",
                           headers={"Authorization": f"Bearer {token}", "Accept": "application/x-ndjson"})
        return connection.getresponse()

    def take_change(self, change, at):
        for trial in change["trials"]:
            self.seen.setdefault((trial["id"], trial["status"]), at)

    def say(self, text):
        print(f"{COUNT} Jobs: {text}", file=sys.stderr, flush=True)

    # What the service costs.

    def connections(self):
        """How many it has to the API server."""
        port = f":{int(self.lab.server.rpartition(':')[2]):04X}"
        sockets = {line.split()[9] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
                   if line.split()[2].endswith(port) and line.split()[3] == "01"}
        found = 0
        for entry in pathlib.Path(f"/proc/{self.service.process.pid}/fd").iterdir():
            try:
                found += os.readlink(entry).removeprefix("socket:[").rstrip("]") in sockets
            except OSError:
                pass
        return found

    def memory(self):
        """Resident, MB."""
        status = pathlib.Path(f"/proc/{self.service.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status)[1]) * 1.024e-3

    def processor(self):
        """Seconds."""
        fields = pathlib.Path(f"/proc/{self.service.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def most(self, figure, stop):
        """The most of what `figure` gives, until `stop` is set."""
        found = figure()
        while not stop.wait(0.1):
            found = max(found, figure())
        return found

    def begin(self, count):
        """So many trials whose Jobs have pods with nodes; their ids."""
        self.lab.command("nodes", -(-count // 100))
        experiment = self.experiment("true", trialConcurrency=count)
        trials = self.submit(experiment, [{} for _ in range(count)])
        until(600, f"{count} Jobs", lambda: len(self.pods.jobs) >= count)
        until(600, f"{count} pods with nodes", lambda: len(self.pods.names) >= count)
        return experiment, trials

    def all_run(self, trials):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(self.pods.let_run, trials))
        until(300, "all run", lambda: all((trial, "RUNNING") in self.seen for trial in trials))

    def delays(self, trials):
        """From before the pod of a trial is made to run to when the feed says so, milliseconds, sorted; one after the other."""
        found = []
        for trial in trials:
            began = time.monotonic()
            self.pods.let_run(trial)
            until(60, f"{trial} runs", lambda: (trial, "RUNNING") in self.seen)
            found.append((self.seen[(trial, "RUNNING")] - began) * 1000)
        return sorted(found)

    def kubectl_rate(self):
        """Jobs a second that `kubectl create` makes, one call each."""
        made = self.lab.client.get(f"/apis/batch/v1/namespaces/{self.namespace}/jobs?limit=1")["items"][0]
        pod = made["spec"]["template"]["spec"]
        body = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"suspend": True, "template": {"spec": pod}}}
        began, count = time.monotonic(), 20
        self.lab.command("namespace", f"{self.namespace[:50]}-by-hand", "restricted")
        for number in range(count):
            body["metadata"] = {"name": f"by-hand-{number}"}
            self.lab.kubectl("-n", f"{self.namespace[:50]}-by-hand", "create", "-f", "-", stdin=json.dumps(body))
        return count / (time.monotonic() - began)

    def test_figures(self):
        """What many Jobs cost that one service watches, and how soon it says what happens to them."""
        stop = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            most = pool.submit(self.most, self.connections, stop)
            try:
                began = time.monotonic()
                _, trials = self.begin(COUNT)
                rate = COUNT / (max(self.pods.jobs.values()) - began)
                by_hand = self.kubectl_rate()
                quiet = self.connections()
            finally:
                stop.set()
            busiest = most.result()
            stop.clear()
            most = pool.submit(self.most, self.connections, stop)
            try:
                delays = self.delays(trials[:ONE_BY_ONE])
                began, cost = time.monotonic(), self.processor()
                self.all_run(trials[2 * ONE_BY_ONE:])
                took = time.monotonic() - began
                busy_delays = self.delays(trials[ONE_BY_ONE:2 * ONE_BY_ONE])
            finally:
                stop.set()
            following = most.result()
        cost = self.processor() - cost
        memory = self.memory()
        self.say(f"submitted {rate:.0f} a second, `kubectl create` {by_hand:.1f} a second")
        self.say(f"{COUNT - 2 * ONE_BY_ONE} pods began to run in {took:.1f} s; the service's processor time {cost:.1f} s")
        for when, found in (("while all wait", delays), ("while all run, and logs take turns", busy_delays)):
            self.say(f"from a pod's phase to the feed, {when}: p50 {statistics.median(found):.0f} ms, "
                     f"p90 {found[len(found) * 9 // 10]:.0f} ms, most {found[-1]:.0f} ms")
        self.say(f"connections: {quiet} at rest, {busiest} while Jobs were made, {following} while logs were followed; "
                 f"memory {memory:.0f} MB")
        self.assertLessEqual(quiet, QUIET_CONNECTIONS)
        self.assertLessEqual(busiest, QUIET_CONNECTIONS)
        self.assertLessEqual(following, QUIET_CONNECTIONS + LOG_CONNECTIONS)
        self.assertGreater(rate, by_hand)
        self.assertLess(memory, 100)
        self.assertLess(statistics.median(delays), 100)
        self.assertLess(statistics.median(busy_delays), 100)
        self.clean(self.namespace, 300)  # kwok goes on with the log of a pod that is gone, and its end is waited for


def setUpModule():
    KubernetesTest.lab = start_lab(kwok=True)


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
