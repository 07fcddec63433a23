# SPDX-License-Identifier: GPL-3.0-or-later
"""What a measurement needs: a service and a folder of its own, machines over SSH, quantiles."""
import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
import loopback_sshd  # noqa: E402 (beside the peers)


class Service:
    def __init__(self, binaries, folder=None):
        self.binaries = binaries
        self.folder = folder or tempfile.mkdtemp(prefix="service-")
        self.data = os.path.join(self.folder, "data")
        self.platform = "local"
        self.start()

    def start(self):
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [os.path.join(self.binaries, "trialdeckd"), "--serve", "--listen", "127.0.0.1:0", "--data-dir", self.data],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.url = urllib.parse.urlsplit(line.split()[2])
                break
        else:
            raise SystemExit("the service did not start")
        self.startup = time.monotonic() - begin
        with open(os.path.join(self.data, "endpoint.json")) as file:
            with open(json.load(file)["tokenFile"]) as token:
                self.token = token.read().strip()
        self.connection = self.connect()

    def connect(self):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port)
        connection.connect()
        connection.sock.setsockopt(6, 1, 1)
        return connection

    def ask(self, method, path, body=None, raw=False, connection=None):
        connection = connection or self.connection
        headers = {"Authorization": "Bearer " + self.token}
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, (bytes, str)) else json.dumps(body)
        connection.request(method, "/api/v1" + path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return text if raw else json.loads(text)

    def experiment(self, command, concurrency, **more):
        return self.ask("POST", "/experiments", {"name": "bench", "platformId": self.platform, "trialCommand": command,
                                                 "trialConcurrency": concurrency, **more})["id"]

    def counts(self, experiment):
        return self.ask("GET", f"/experiments/{experiment}")["counts"]

    def wait(self, experiment, status, number, timeout=300):
        """Asks again after half of the time that the rest takes at the rate so far: to ask each few milliseconds takes an eighth of
        this computer's time from what is measured."""
        begin = time.monotonic()
        while time.monotonic() < begin + timeout:
            reached = self.counts(experiment)[status]
            if reached >= number:
                return
            rest = (number - reached) * (time.monotonic() - begin) / max(reached, 1)
            time.sleep(min(max(rest / 2, 0.005), 0.1))
        raise RuntimeError(f"{number} {status} were not reached: {self.counts(experiment)}")

    def events(self, query=""):
        connection = self.connect()
        connection.request("GET", "/api/v1/events" + query,
                           headers={"Authorization": "Bearer " + self.token, "Accept": "application/x-ndjson"})
        answer = connection.getresponse()
        answer.readline()
        return answer

    def memory(self, pid=None, kind="Pss"):
        with open(f"/proc/{pid or self.process.pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith(kind + ":"):
                    return int(line.split()[1]) / 1024
        return 0

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        mark = self.folder.encode()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if int(pid) != os.getpid() and mark in file.read() :
                        os.kill(int(pid), signal.SIGKILL)
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if int(pid) != os.getpid() and mark + b"/" in file.read():
                        os.kill(int(pid), signal.SIGKILL)
            except (OSError, ProcessLookupError):
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


@contextlib.contextmanager
def own_folder():
    """Everything is made in here, by us and by those beside us: where users' data lies. Takes away what a killed one left."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    os.makedirs(home, exist_ok=True)
    prefix = "trialdeck-bench-"
    for name in os.listdir(home):
        pid = name.removeprefix(prefix).split("-")[0]
        if name.startswith(prefix) and pid.isdigit() and not is_alive(int(pid)):
            shutil.rmtree(os.path.join(home, name), ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=home)
    tempfile.tempdir = folder
    os.environ["TMPDIR"] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


class Lab:
    """Machines over SSH: sshds on loopback, each at some of its addresses, one machine an address."""

    ADDRESSES = 16  # that one sshd listens on

    def __init__(self, service, count):
        self.sshds = []
        self.machines = []
        for first in range(0, count, self.ADDRESSES):
            addresses = [f"127.0.1.{n + 1}" for n in range(first, min(count, first + self.ADDRESSES))]
            sshd = loopback_sshd.Sshd(f"{service.folder}/sshd{first}", addresses).start()
            self.sshds.append(sshd)
            self.machines += sshd.machines
        with open(f"{service.data}/known_hosts", "w") as file:
            file.write("".join(sshd.known_hosts_line for sshd in self.sshds))

    def close(self):
        for sshd in self.sshds:
            sshd.stop()


def ready(service, count):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        states = [m["state"] for m in service.ask("GET", "/machines?platformId=remote")["machines"]]
        if states.count("READY") == count:
            return
        time.sleep(0.01)
    raise RuntimeError(f"machines are not ready: {states}")
