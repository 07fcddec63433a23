# SPDX-License-Identifier: GPL-3.0-or-later
"""An unmodified NNI, with Trialdeck's adapter registered in it, and experiments of it that tests watch from both sides."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

from peer_venv import venv
from trialdeck_service import until

ADAPTER = pathlib.Path(__file__).resolve().parents[2] / "resources" / "nni"


# NNI gives its tuner ten seconds to load, and nnictl gives NNI three to listen, however busy the machine is: few start at a time,
# and one that gave itself up before its first trial starts again.
STARTING = threading.Semaphore(max(1, (os.cpu_count() or 1) // 2))
ATTEMPTS = 8
# Seconds for a step that takes a few on an idle machine: several NNIs and their trials fill all processors for minutes.
PATIENCE = 600
# NNI runs ahead of trials and compilers, where that is allowed. Linux compares the sessions of processes first (sched(7), autogroup).
AHEAD = () if os.geteuid() != 0 else (
    "setsid", "--wait", "sh", "-c", "echo -15 >/proc/self/autogroup; exec nice -n -10 \"$@\"", "sh")


def free_port():
    """A port with a free one behind it, which NNI wants, too."""
    while True:
        with socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0))
            try:
                two.bind(("127.0.0.1", one.getsockname()[1] + 1))
            except OSError:
                continue
            return one.getsockname()[1]


def metrics_in(database):
    """Of a file that SQLite opens: those of each trial, in order."""
    found = {}
    with contextlib.closing(sqlite3.connect(database, uri=True)) as opened:
        rows = opened.execute("SELECT trialJobId, type, sequence, parameterId, data FROM MetricData")
        for trial, kind, sequence, parameter, data in rows:
            found.setdefault(trial, []).append((kind, sequence, str(parameter), json.loads(data)))
    return {trial: sorted(metrics) for trial, metrics in found.items()}


class Nni:
    """One version of NNI with a home and a configuration folder of its own."""

    def __init__(self, version, folder):
        self.version = version
        self.venv = venv(f"nni=={version}")
        self.folder = pathlib.Path(folder)
        self.python = self.venv / "bin" / "python"
        adapter = self.folder / "site"
        subprocess.run([str(self.venv / "bin" / "pip"), "install", "--quiet", "--no-index", "--disable-pip-version-check",
                        "--target", str(adapter), str(ADAPTER)], check=True)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("TRIALDECK_", "NNI_"))}
        self.environment.update(
            HOME=str(self.folder), NNI_CONFIG_DIR=str(self.folder / "config"), PYTHONPATH=str(adapter),
            PATH=f"{self.venv / 'bin'}:{os.environ['PATH']}", OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1",
            INHERITED="by nnictl",  # to be seen in trials
        )
        # The environment may be shared with other tests, what is registered is not: it lies in NNI_CONFIG_DIR.
        said = self.nnictl("trainingservice", "register", "--package", "trialdeck")
        assert "registered trialdeck" in said, said

    def nnictl(self, *arguments, check=True, environment=None):
        done = subprocess.run(
            [*AHEAD, str(self.venv / "bin" / "nnictl"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**self.environment, **(environment or {})}, timeout=120, check=False,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"nnictl {' '.join(arguments)}: {done.stdout}")
        return done.stdout

    def create(self, name, service, script, **fields):
        """Starts an experiment, or tries to; `fields` go over the defaults of its file, `service` into its trainingService."""
        return Experiment(self, name, service, script, fields)

    def begin(self, name, service, script, **fields):
        """The same until it has submitted trials. What it took is in the experiment's `retries`."""
        retries = []
        for attempt in range(ATTEMPTS):
            with STARTING:
                experiment = self.create(f"{name}-{attempt}" if attempt else name, service, script, **fields)
                experiment.retries = retries
                if experiment.has_begun():
                    return experiment
                retries.append(f"begun again: {experiment.last_words()}")
                experiment.kill()
        raise AssertionError(experiment.output + experiment.log()[-2000:])


class Experiment:
    def __init__(self, nni, name, service, script, fields):
        self.nni = nni
        self.retries = []  # why it was begun or resumed once more, a line each
        self.port = free_port()
        self.home = nni.folder / name
        code = self.home / "code"
        code.mkdir(parents=True)
        (code / "trial.py").write_text(script)
        config = {
            "experimentName": f"{name} on NNI {nni.version}",
            "experimentWorkingDirectory": str(self.home / "experiments"),
            "searchSpace": {"x": {"_type": "uniform", "_value": [0, 1]}},
            "trialCommand": f"{nni.python} trial.py",
            "trialCodeDirectory": str(code),
            "trialConcurrency": 4,
            "maxTrialNumber": 4,
            "tuner": {"name": "Random"},
            "trainingService": {"platform": "trialdeck", **service},
            **fields,
        }
        self.config = self.home / "experiment.json"  # JSON is YAML
        self.config.write_text(json.dumps(config))
        self.output = nni.nnictl("create", "--config", str(self.config), "--port", str(self.port), check=False)
        folders = [p for p in (self.home / "experiments").glob("*") if p.is_dir() and not p.is_symlink() and not p.name.startswith(".")]
        self.id = folders[0].name if folders else None
        self.folder = folders[0] if folders else None

    def rest(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/nni{path}", timeout=30) as reply:
            return json.load(reply)

    def file(self, trial, name):
        """What NNI's page shows of a trial; of a refusal, its sentence."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/nni/trial-file/{trial}/{name}", timeout=30) as reply:
                return reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def status(self):
        try:
            return self.rest("/check-status")["status"]
        except (urllib.error.URLError, OSError):
            return "no answer"

    def wait(self, seconds, *wanted):
        wanted = wanted or ("DONE",)

        def reached():
            status = self.status()
            if status == "ERROR" and "ERROR" not in wanted:
                raise AssertionError(f"the experiment went to ERROR: {self.rest('/check-status')}\n{self.log()[-4000:]}")
            return status in wanted

        until(seconds, f"NNI {self.nni.version}, {self.home.name}: {' or '.join(wanted)}", reached)

    def trials(self):
        return self.rest("/trial-jobs")

    def final_statuses(self):
        """Once all are final: NNI may say that it is done before it has written everything down."""
        live = ("WAITING", "RUNNING", "UNKNOWN")
        until(PATIENCE, "NNI's books are closed", lambda: all(t["status"] not in live for t in self.trials()))
        return [trial["status"] for trial in self.trials()]

    def log(self):
        file = self.folder / "log" / "nnimanager.log" if self.folder else None
        return file.read_text(errors="replace") if file and file.exists() else self.output  # it may not have come so far

    def last_words(self):
        """Why it gave itself up: the last line of its manager's log, else of what nnictl said."""
        for text in (self.log(), self.output):
            if lines := text.strip().splitlines():
                return lines[-1][:300]
        return "it said nothing"

    def service_id(self):
        """The id of the experiment at Trialdeck, once it is known."""
        file = self.folder / "trialdeck.json"
        return until(PATIENCE, "the experiment at Trialdeck", lambda: file.exists() and json.loads(file.read_text())["experimentId"])

    def stored_metrics(self):
        """NNI's own database: what each trial reported, as (type, sequence, parameter id, text), in order."""
        return metrics_in(f"file:{self.folder / 'db' / 'nni.sqlite'}?mode=ro")

    def stored_metrics_of_the_dead(self):
        """The same, of a manager that was killed: what it had not finished is undone in a copy, and left to its next life here."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(self.folder / "db", folder, dirs_exist_ok=True)
            return metrics_in(f"file:{pathlib.Path(folder, 'nni.sqlite')}")

    def pids(self):
        """The manager and its tuner: those processes whose command line names the folder of this experiment's files."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    environment = (entry / "environ").read_bytes()
                except OSError:
                    continue
                here = str(self.home).encode()
                is_manager = any(word.endswith(b"main.js") for word in words) and any(here in word for word in words)
                is_tuner = b"SDK_PROCESS=dispatcher" in environment.split(b"\0") and here in environment
                if is_manager or is_tuner:
                    found.append(int(entry.name))
        return found

    def kill(self):
        """As a machine that crashes: the manager and its tuner are gone at once."""
        def is_dead():
            pids = self.pids()
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return not pids

        until(30, "NNI is dead", is_dead)  # a manager may have started its tuner meanwhile

    def has_begun(self, known=0):
        """Whether it submits trials, beyond those that it has known from an earlier life."""
        def begun():
            status = self.status()
            return status if status in ("no answer", "ERROR") else len(self.trials()) > known and "begun"

        try:
            return until(120, "NNI submits trials", begun) == "begun"
        except (AssertionError, OSError):
            return False

    def resume(self, known):
        """`known`: how many trials it has submitted before."""
        for _attempt in range(ATTEMPTS):
            with STARTING:
                self.port = free_port()
                self.output = self.nni.nnictl(
                    "resume", self.id, "--port", str(self.port), "--experiment_dir", str(self.home / "experiments"), check=False)
                if self.has_begun(known):
                    return
                self.retries.append(f"resumed again: {self.last_words()}")
                self.kill()
        raise AssertionError(self.output + self.log()[-2000:])

    def stop(self):
        return self.nni.nnictl("stop", self.id, check=False)
