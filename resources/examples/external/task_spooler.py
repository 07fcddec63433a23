#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials through task-spooler (`tsp`, or `ts`): a training service of one's own, in the protocol of resources/api/external-platform.md.

    trialdeck external add spooler -- python3 task_spooler.py
"""

import contextlib
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys

TSP = shutil.which("tsp") or shutil.which("ts")
# ID, state, output, exit code, times, [label]: the job's name, and a word of this one submission
LINE = re.compile(r"(\d+)\s+(queued|allocating|running|finished|skipped)\s+\S+\s+(?:(-?\d+)\s+\S+\s+)?\[(td-[a-z0-9-]+)\.(\w+)\]")
FIELDS = [
    {"name": "socket", "type": "file", "title": "Socket", "help": "Which queue: TS_SOCKET. Empty: your own.", "namesCluster": True},
    {"name": "slots", "type": "integer", "title": "Jobs at once", "help": "Of the whole queue. Empty: as it is.", "minimum": 1},
]
# What the queue runs. A program that was killed may leave a tsp behind that hands its job over later than the next program does: the queue has it twice
# then, and the first of them that makes the link goes on. Its process group is written down before it is looked whether the job was cancelled, and a
# cancel does it the other way round: one of the two sees the other. `tsp -k` cannot: the queue says that a job runs before it knows the job's process.
RUN = 'ln -s "$3" "$1/begun" || exit; echo $$ >"$1/group" && [ ! -e "$1/cancelled" ] || exit 143; exec bash "$2"'


class Refused(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Spooler:
    def describe(self, _):
        return {"title": "Task spooler", "fields": FIELDS, "calls": ["forget", "check"]}

    def check(self, call):
        self.use(call["settings"])
        slots = self.tsp("-S").strip()
        return {"steps": [{"id": "queue", "title": "Queue", "state": "ok", "detail": f"{slots} job{'s' * (slots != '1')} at once"}]}

    def open(self, call):
        self.use(call["settings"])
        if call["settings"].get("slots"):
            self.tsp("-S", str(call["settings"]["slots"]))
        self.folder = pathlib.Path(call["folder"]) / "jobs"  # one for each, for what the queue does not know
        self.folder.mkdir(exist_ok=True)
        self.known = {name: job["job"] for name, job in self.found().items()}  # nobody else hands jobs of this service over
        return {}

    def submit(self, call):
        if call["name"] not in self.known:
            job = self.folder / call["name"]
            job.mkdir(exist_ok=True)
            word = secrets.token_hex(4)
            self.known[call["name"]] = self.tsp("-n", "-L", f"{call['name']}.{word}", "bash", "-c", RUN, "job", str(job), call["script"], word).strip()
        return {"job": self.known[call["name"]]}

    def jobs(self, _):
        jobs = self.found()
        for mark in self.folder.glob("*/cancelled"):  # the queue knows nothing of what was taken out of it
            jobs.setdefault(mark.parent.name, {"name": mark.parent.name, "state": "ended", "cancelled": True})
        return {"jobs": list(jobs.values())}

    def cancel(self, call):
        job = self.found().get(call["name"])
        if job and job["state"] != "ended":
            folder = self.folder / call["name"]
            try:
                (folder / "cancelled").touch()
            finally:  # a full disk, which has no room for the mark, stops no cancel
                self.take_out(call["name"], "waiting")
                # It may have begun meanwhile; or not yet, or have ended.
                with contextlib.suppress(FileNotFoundError, ValueError, ProcessLookupError):
                    os.killpg(int((folder / "group").read_text()), signal.SIGTERM)
        return {}

    def forget(self, call):
        self.take_out(call["name"], "ended")
        shutil.rmtree(self.folder / call["name"], ignore_errors=True)
        self.known.pop(call["name"], None)
        return {}

    def use(self, settings):
        if not TSP:
            raise Refused("invalid", "There is neither tsp nor ts here: install task-spooler.")
        self.environment = dict(os.environ, TS_MAXFINISHED="100000", **({"TS_SOCKET": settings["socket"]} if settings.get("socket") else {}))

    def tsp(self, *words):
        done = subprocess.run([TSP, *words], env=self.environment, capture_output=True, text=True, timeout=50, stdin=subprocess.DEVNULL)
        if done.returncode and words[0] != "-r":  # of a job that has just begun, or ended
            raise Refused("platform", f"tsp {words[0]}: {done.stderr.strip() or done.returncode}")
        return done.stdout

    def found(self):
        """The jobs in the queue, by name."""
        jobs = {}
        for job, word in self.listed():
            if job["name"] not in jobs or self.has_begun(job["name"], word):
                jobs[job["name"]] = job
        return jobs

    def listed(self):
        for job, state, code, name, word in LINE.findall(self.tsp("-l")):
            found = {"name": name, "job": job, "state": {"finished": "ended", "skipped": "ended", "running": "running"}.get(state, "waiting")}
            if state == "finished" and int(code) >= 0:
                found["exitCode"] = int(code)
            yield found, word

    def has_begun(self, name, word):
        with contextlib.suppress(FileNotFoundError):
            return os.readlink(self.folder / name / "begun") == word
        return False

    def take_out(self, name, state):
        for job, _ in self.listed():
            if job["name"] == name and job["state"] == state:
                self.tsp("-r", job["job"])


def serve(platform):
    print(json.dumps({"protocol": 1, "name": "Task spooler", "version": "1.0"}), flush=True)
    for line in sys.stdin:
        call = json.loads(line)
        if call["call"] == "close":
            return
        try:
            answer = getattr(platform, call["call"])(call)
        except Refused as error:
            answer = {"error": {"kind": error.kind, "message": str(error)}}
        except Exception as error:  # the service shows it, and goes on
            print(f"{call['call']}: {error!r}", file=sys.stderr)
            answer = {"error": {"kind": "platform", "message": f"task_spooler.py failed: {error!r}"}}
        print(json.dumps({"id": call["id"], **answer}), flush=True)


if __name__ == "__main__":
    serve(Spooler())
