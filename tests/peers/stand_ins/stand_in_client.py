# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in server of a test's own, and plain requests to it."""

import base64
import dataclasses
import http.client
import json
import os
import pathlib
import ssl
import subprocess
import sys
import time
import urllib.parse


@dataclasses.dataclass
class Answer:
    status: int
    headers: object
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


def until(seconds, what, condition):
    """The first true answer of `condition`, or an AssertionError that says what was waited for."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.01)


class Gate:
    """A named pipe at which a job says that it is ready, and waits to go on."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        os.mkfifo(self.path)

    def ready(self):
        """For a script. The test goes on after came()."""
        return f"echo > {self.path}\n"

    def wait(self):
        """For a script. It goes on after open()."""
        return f"read line < {self.path}\n"

    def came(self):
        self.path.read_text()

    def open(self):
        self.path.write_text("\n")


def lives(pid):
    """Not also where nobody has asked yet how it ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def basic(name, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class StandIn:
    def __init__(self, program, *arguments, lines=("url",)):
        """`program`: of this folder, as in openpai_server.py. `lines`: what it prints first."""
        self.command = [sys.executable, "-B", str(pathlib.Path(__file__).parent / program), *arguments]
        self.lines = lines
        self.process = None
        self.settings = {}

    def start(self):
        # It stays until its standard input ends: also when this process dies.
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in self.lines:
            found, _, self.settings[name] = self.process.stdout.readline().strip().partition("=")
            if found != name:
                raise AssertionError(f"{self.command} did not start")
        return self

    def stop(self):
        if self.process:
            self.process.communicate("", timeout=60)
            self.process = None

    @property
    def url(self):
        return self.settings["url"]

    def connect(self, timeout=20):
        """It trusts the server's own certificate authority, where it has one."""
        place = urllib.parse.urlsplit(self.url)
        if place.scheme == "https":
            return http.client.HTTPSConnection(place.netloc, timeout=timeout,
                                               context=ssl.create_default_context(cafile=self.settings["ca"]))
        return http.client.HTTPConnection(place.netloc, timeout=timeout)

    def call(self, method, path, body=None, headers=None, connection=None):
        """`body`: bytes, text, or what is sent as JSON."""
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        own = connection or self.connect()
        try:
            own.request(method, path, body.encode() if isinstance(body, str) else body, headers)
            reply = own.getresponse()
            return Answer(reply.status, reply.headers, reply.read())
        finally:
            if connection is None:
                own.close()

    def control(self, name, members=None, /, **more):
        """POST /control/NAME."""
        answer = self.call("POST", f"/control/{name}", {**(members or {}), **more})
        if answer.status != 200:
            raise AssertionError(f"{name}: {answer.text}")
        return answer.json

    def fault(self, kind, /, **members):
        return self.control("fault", {"kind": kind, **members})

    def requests(self, path="", method=None):
        """What was asked of it, in order."""
        words = {"path": path} | ({"method": method} if method else {})
        return self.call("GET", f"/control/requests?{urllib.parse.urlencode(words)}").json["requests"]

    def jobs(self):
        return self.call("GET", "/control/jobs").json
