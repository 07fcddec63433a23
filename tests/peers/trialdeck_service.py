# SPDX-License-Identifier: GPL-3.0-or-later
"""A Trialdeck service of a test's own, and a client for its HTTP interface."""

import fnmatch
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.request


def until(seconds, what, condition):
    """The first true answer of `condition`, or an AssertionError that says what was waited for."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.05)


def below(folder, name="*"):
    """Files of this name, or pattern. A folder may go while it is looked into: rglob() fails then, walk() does not."""
    return [pathlib.Path(place, file) for place, _, files in os.walk(folder) for file in fnmatch.filter(files, name)]


class Service:
    def __init__(self, program, folder, wrapper=()):
        self.wrapper = wrapper
        self.program = str(program)
        self.folder = pathlib.Path(folder)
        self.process = None
        self.url = ""
        self.token_file = ""

    def start(self, listen="127.0.0.1:0", wrapper=(), environment=None, arguments=()):
        """`wrapper`: words before the program; `arguments`: more of its own; `environment`: more variables."""
        variables = {k: v for k, v in os.environ.items() if not k.startswith(("TRIALDECK_", "NNI_"))}
        variables.update(environment or {})
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "service.log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.wrapper, *wrapper, self.program, "--serve", "--listen", listen, "--data-dir", str(self.folder),
                 *arguments],
                stdout=subprocess.PIPE, stderr=log, text=True, env=variables, start_new_session=True,
            )
        line = self.process.stdout.readline()
        self.url = re.match(r"listening on (\S+)", line).group(1)
        endpoint = json.loads((self.folder / "endpoint.json").read_text())
        self.token_file = endpoint["tokenFile"]
        return self

    def kill(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process.stdout.close()
            self.process = None

    def stop(self):
        """Ends the service and whatever trials it has left, with the agent that watches them."""
        if not self.process:
            return
        for experiment in self.get("/experiments")["experiments"]:
            if experiment["state"] not in ("STOPPED", "DONE", "ERROR"):
                self.post(f"/experiments/{experiment['id']}/stop")
        until(60, "all trials end", lambda: not self.get("/trials?status=WAITING,RUNNING,UNKNOWN&limit=1")["total"])
        self.process.terminate()
        code = self.process.wait(120)
        self.process.stdout.close()
        assert code == 0, f"the service ended with {code}: {(self.folder / 'service.log').read_text(errors='replace')[-4000:]}"
        self.process = None

    def call(self, method, path, body=None):
        token = pathlib.Path(self.token_file).read_text().strip()
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/api/v1" + path, data, method=method)
        request.add_header("Authorization", f"Bearer {token}")
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None):
        return self.call("POST", path, {} if body is None else body)

    def trials(self, experiment_id, extra=""):
        trials, after = [], ""
        while True:
            page = self.get(f"/trials?experimentId={experiment_id}&limit=10000{extra}{after}")
            trials += page["trials"]
            if not page["next"]:
                return trials
            after = f"&after={page['next']}"

    def metrics(self, trial_id):
        metrics = []
        while True:
            page = self.get(f"/trials/{trial_id}/metrics?since={len(metrics)}&limit=10000")["metrics"]
            metrics += page
            if len(page) < 10000:
                return metrics
