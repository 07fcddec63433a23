#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs trials for a long time and asserts that the service holds no more at the end than early on.

  soak.py --bin DIR [--minutes 60] [--trials 10000]

Experiments of 50 trials come one after the other, spread over the time: most succeed, some fail, some are cancelled while they run, some are
retried; each reports values and prints lines. The last ten experiments are kept, older ones are deleted, so that what the service has
to hold is constant once the history of changes (ten minutes) is full. Two listeners follow: one always, one that comes and goes.
From then on memory, descriptors, threads, processes and files must not grow.
"""
import argparse
import json
import os
import statistics
import sys
import threading
import time

from measured_service import Service, own_folder

BATCH = 50
KEPT = 10
COMMAND = r"""echo begin {kind}
for i in 1 2 3 4 5 6 7 8 9 10; do echo '{"metric": '$i'}' >> "$TRIALDECK_METRICS_FILE"; echo "step $i"; done
case {kind} in fail) exit 3;; hang) exec sleep 600;; esac"""


class Soak:
    def __init__(self, service):
        self.service = service
        self.experiments = []
        self.trials = 0
        self.changes = 0
        self.returns = 0
        self.resets = 0
        self.closing = False
        threading.Thread(target=self.follow, daemon=True).start()
        threading.Thread(target=self.come_and_go, daemon=True).start()

    def follow(self):
        stream = self.service.events("?metrics=all")
        while not self.closing and stream.readline():
            self.changes += 1

    def come_and_go(self):
        """Reads some changes, leaves, and asks later for what it missed."""
        since = ""
        while not self.closing:
            stream = self.service.events(since)
            for _ in range(20):
                line = stream.readline()
                if not line or self.closing:
                    break
                change = json.loads(line)
                self.resets += bool(since) and change.get("reset", False)
                since = f"?since={change['epoch']}.{change['revision']}"
            stream.close()
            self.returns += 1
            time.sleep(1)

    def batch(self):
        service = self.service
        experiment = service.experiment(COMMAND, 8)
        kinds = ["good"] * (BATCH - 6) + ["fail"] * 4 + ["hang"] * 2
        trials = service.ask("POST", f"/experiments/{experiment}/trials", {"trials": [{"parameters": {"kind": k}} for k in kinds]})["trials"]
        ids = [trial["id"] for trial in trials]
        service.wait(experiment, "SUCCEEDED", BATCH - 6)
        service.wait(experiment, "FAILED", 4)
        service.wait(experiment, "RUNNING", 2)
        service.ask("POST", f"/trials/{ids[-1]}/cancel", {})
        service.ask("POST", f"/trials/{ids[-2]}/cancel", {})
        service.wait(experiment, "USER_CANCELED", 2)
        service.ask("POST", f"/trials/{ids[-6]}/retry", {})
        service.wait(experiment, "FAILED", 5)
        self.trials += BATCH + 1
        self.experiments.append(experiment)
        if len(self.experiments) > KEPT:
            old = self.experiments.pop(0)
            service.ask("POST", f"/experiments/{old}/stop", {})
            service.ask("DELETE", f"/experiments/{old}")

    def sample(self):
        pid = self.service.process.pid
        mark = self.service.folder.encode()
        processes = 0
        for other in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{other}/cmdline", "rb") as file:
                    processes += mark in file.read()
            except OSError:
                pass
        return {"memory_mb": self.service.memory(kind="Anonymous"), "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
                "threads": len(os.listdir(f"/proc/{pid}/task")), "processes": processes,
                "files": sum(len(files) + len(folders) for _, folders, files in os.walk(self.service.data))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of trialdeckd (release build)")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--trials", type=int, default=10000)
    options = parser.parse_args()
    seconds = options.minutes * 60
    # The history of changes is full after ten minutes, the kept experiments after eleven batches.
    settled = max(min(660, seconds / 3), (KEPT + 1) * seconds * BATCH / options.trials)
    failures = []
    with own_folder():
        service = Service(options.bin)
        try:
            soak = Soak(service)
            samples = []
            begin = time.monotonic()
            while time.monotonic() - begin < seconds and soak.trials < options.trials:
                soak.batch()
                now = time.monotonic() - begin
                if now >= settled:
                    samples.append(soak.sample())
                time.sleep(max(0, seconds * soak.trials / options.trials - now))
            soak.closing = True
            if not samples:
                raise SystemExit("too short: nothing was measured after the first eleven batches")
            third = max(1, len(samples) // 3)
            early = {key: statistics.median(s[key] for s in samples[:third]) for key in samples[0]}
            late = {key: statistics.median(s[key] for s in samples[-third:]) for key in samples[0]}
            # Room for what an allocator rounds, and for a batch that the early samples did not have.
            room = {"memory_mb": 1 + 0.03 * early["memory_mb"], "descriptors": 4, "threads": 2, "processes": 3, "files": 0.02 * early["files"]}
            failures = [f"{key}: {early[key]} early, {late[key]} late" for key in early if late[key] > early[key] + room[key]]
            if soak.trials < options.trials:
                failures.append(f"only {soak.trials} of {options.trials} trials in {options.minutes} minutes")
            if not soak.changes or not soak.returns:
                failures.append("a listener received nothing")
            if soak.resets:
                failures.append(f"a listener that came back after a second had to read everything anew {soak.resets} times")
            print(json.dumps({"trials": soak.trials, "seconds": round(time.monotonic() - begin), "samples": len(samples), "early": early,
                              "late": late, "changes": soak.changes, "returns": soak.returns, "resets": soak.resets, "holds": not failures}), flush=True)
        finally:
            service.close()
    for failure in failures:
        print(f"grew: {failure}" if ":" in failure else failure, file=sys.stderr)
    return 1 if failures else 0


sys.exit(main())
