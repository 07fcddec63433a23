# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of trials on a cluster by a real service share."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.request

from trialdeck_service import Service, below, until

FINAL = ("SUCCEEDED", "FAILED", "USER_CANCELED", "SYS_CANCELED", "EARLY_STOPPED")


class ClusterTest(unittest.TestCase):
    """Each test has a service of its own, and on it the platform `lab`. Of all tests of a file is `program`, trialdeckd."""

    program = None
    kind = ""  # of the platform

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="td-cluster-", ignore_cleanup_errors=True)))
        self.service = Service(self.program, self.folder / "data").start()
        self.addCleanup(self.service.kill)
        self.addCleanup(self.complain)

    def complain(self):
        """The service may have said why, too."""
        log = (self.folder / "data" / "service.log").read_text(errors="replace")
        if self.service.process and self.service.process.poll() is not None:
            self.fail(f"the service ended with {self.service.process.poll()}: {log[-6000:]}")

    # What is asked of the service.

    def platform(self, settings, state="READY"):
        self.service.call("PUT", "/platforms/lab", {"kind": self.kind, "settings": settings})
        until(180, f"the platform is {state}", lambda: self.service.get("/platforms/lab")["state"] == state)

    def submit(self, experiment, forms):
        return [trial["id"] for trial in self.service.post(f"/experiments/{experiment}/trials", {"trials": forms})["trials"]]

    def code(self, name, text):
        """A folder with one file of code."""
        folder = self.folder / f"code-{name}"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        return str(folder)

    def check(self, platform="lab"):
        """The steps of a check by their ids."""
        request = self.service.post(f"/platforms/{platform}/check")["requestId"]
        steps = until(180, "the check ends", lambda: (
            found := self.service.get(f"/requests/{request}"))["endTime"] and found)["steps"]
        return {step["id"]: step for step in steps}

    def conformance(self, settings, *words, code=0):
        """What `trialdeck conformance` says of a platform with these settings: promises by their names."""
        form = self.folder / "form.json"
        form.write_text(json.dumps({"kind": self.kind, "settings": settings}))
        done = subprocess.run([self.program, "conformance", str(form), "--data-dir", str(self.folder / "data"), "--json", *words],
                              capture_output=True, text=True, check=False, timeout=1500)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr + self.log_of_suite(done.stderr))
        return {promise["name"]: promise for promise in json.loads(done.stdout)["promises"]}

    @staticmethod
    def log_of_suite(said):
        """The end of its service's log, which stays where the suite could not go on."""
        folder = re.search(r"data directory is (\S+)\.$", said, re.MULTILINE)
        if not folder:
            return ""
        logs = list(pathlib.Path(folder[1]).rglob("trialdeck.log"))
        text = "".join(log.read_text(errors="replace")[-4000:] for log in logs)
        shutil.rmtree(folder[1], ignore_errors=True)
        return text

    def cancel_without_room(self, command):
        """Of the samples of own training services, which mark a job as cancelled: a link to nowhere is a mark that cannot be made."""
        experiment = self.service.post("/experiments", {"platformId": "lab", "trialConcurrency": 1, "trialCommand": command})["id"]
        trial = self.submit(experiment, [{"parameters": {}}])[0]
        group = until(180, "the trial begins", lambda: next(iter(below(self.folder / "data", "group")), None))
        group.with_name("cancelled").symlink_to("/nowhere/cancelled")
        self.service.post(f"/trials/{trial}/cancel", {"isEarlyStopped": False})
        self.assertEqual(self.wait_for_end(trial)["status"], "USER_CANCELED")

    # What it answers.

    def log(self, trial, name="stdout"):
        return self.text(f"/trials/{trial}/logs/{name}")

    def text(self, path):
        """Of a log or file."""
        text = b""
        token = pathlib.Path(self.service.token_file).read_text().strip()
        while True:  # It gives a part at a time.
            request = urllib.request.Request(f"{self.service.url}/api/v1{path}?offset={len(text)}&limit=4000000")
            request.add_header("Authorization", f"Bearer {token}")
            with urllib.request.urlopen(request, timeout=60) as reply:
                part = reply.read()
            if not part:
                return text.decode()
            text += part

    def points(self, trial):
        """What a trial reported, in order: (type, step, value)."""
        return [(metric["type"], metric["step"], json.loads(metric["data"])) for metric in self.service.metrics(trial)]

    def count(self, experiment, status):
        return self.service.get(f"/experiments/{experiment}")["counts"].get(status, 0)

    def wait_for(self, experiment, status, count, seconds=900):
        """AssertionError with the reasons of the others; at once where so many have ended in other ways that it can not be any more."""
        def reached():
            counts = self.service.get(f"/experiments/{experiment}")["counts"]
            other = sum(counts.get(end, 0) for end in FINAL if end != status)
            if other and sum(counts.values()) - other < count:
                raise AssertionError(f"{other} trials have ended, and {count} can not be {status} any more")
            return counts.get(status, 0) >= count

        try:
            until(seconds, f"{count} trials {status}", reached)
        except AssertionError as error:
            others = [trial for trial in self.service.trials(experiment) if trial["status"] != status]
            first = self.notes(others[0]["id"]) if others else []
            raise AssertionError(f"{error}, but {len(others)} are {[(t['id'], t['status'], t.get('reason')) for t in others][:10]}, "
                                 f"of the first {first}") from error

    def nothing_is_left(self, storage):
        """No file below a folder of the cluster's storage, once a cleanup is through."""
        try:
            until(180, "nothing is left on the storage", lambda: not below(storage))
        except AssertionError:
            self.fail(f"left on the storage: {below(storage)}; requests: {self.service.get('/requests')}")

    def wait_for_end(self, trial, seconds=300):
        return until(seconds, f"{trial} ends", lambda: (
            found := self.service.get(f"/trials/{trial}"))["status"] in FINAL and found)

    def wait_for_reason(self, trial, word, seconds=180):
        def reason():
            found = self.service.get(f"/trials/{trial}").get("reason") or ""
            return word in found and found
        return until(seconds, f"{trial} waits because of {word}", reason)

    def notes(self, trial):
        """The sentences of a trial's journal."""
        return [event["text"] for event in self.service.get(f"/trials/{trial}/events")["events"]]
