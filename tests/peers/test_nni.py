# SPDX-License-Identifier: GPL-3.0-or-later
"""The real, unmodified NNI 2.10.1 and 3.0 with Trialdeck as their training service.

python3 test_nni.py PROGRAM [unittest's arguments]. NNI looks at its trials every five seconds, so most of the time here is
waiting: all experiments are started together, and each test waits for its own.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from loopback_sshd import Sshd
from nni_peer import PATIENCE, Nni
from peer_venv import Missing
from slurm_lab import SlurmLab
from trialdeck_service import Service, until

VERSIONS = ("2.10.1", "3.0")
REMOTE_TRIALS = int(os.environ.get("TRIALDECK_REMOTE_TRIALS", "16"))
PROGRAM = None

MARK = """
import os, pathlib, time
def mark(what):
    with open(os.environ["MARKS"], "a") as file:
        file.write(f"{what} {os.environ['NNI_TRIAL_JOB_ID']}\\n")
mark("start")
"""
SEARCH = MARK + """
import nni
x = nni.get_next_parameter()["x"]
nni.report_intermediate_result(x)
nni.report_intermediate_result({"default": x / 2, "note": "it's \\u00fcber 'quoted' \\u2028 $HOME"})
nni.report_intermediate_result(float("nan"))
nni.report_final_result({"default": (x - 0.3) ** 2, "sequence": nni.get_sequence_id(), "experiment": nni.get_experiment_id()})
"""
# Trial and advisor in one. NNI's own Hyperband dies of its first metric, because it compares its ids with a number.
BANDS = """
import nni
if __name__ == "__main__":
    x = nni.get_next_parameter()["x"]
    nni.report_intermediate_result(x / 2)
    nni.report_final_result(x)
else:
    from nni.algorithms.hpo.hyperband_advisor import Hyperband
    class Bands(Hyperband):
        def is_created_in_previous_exp(self, param_id):
            return False
"""


def six_values(pause):
    """A trial that reports six values and an end; `pause`: what it does after each but the end, which may ask for its number `i`."""
    return MARK + f"""
import nni
x = nni.get_next_parameter()["x"]
for i in range(6):
    nni.report_intermediate_result(i + x)
    {pause}
nni.report_final_result(x)
mark("end")
"""


SLOW = six_values("time.sleep(1)")
# In its middle it waits for the line "go" among the marks.
HELD = six_values(r"""while i == 3 and "\ngo\n" not in pathlib.Path(os.environ["MARKS"]).read_text(): time.sleep(0.1)""")
ENDLESS = MARK + """
import nni
nni.get_next_parameter()
nni.report_intermediate_result(1)
time.sleep(3600)
"""
TALKING = MARK + """
import nni, sys
nni.get_next_parameter()
print("spoken", os.environ["INHERITED"], flush=True)
print("complained", file=sys.stderr, flush=True)
time.sleep(3600)
"""
CHATTY = MARK + """
import nni
nni.get_next_parameter()
for i in range(10000):
    nni.report_intermediate_result(i)
nni.report_final_result(1)
"""
# Without NNI or Python: a thousand of these are to run, 250 at a time.
QUICK = r"""
id=$(sed 's/.*"parameter_id": *\([0-9]*\).*/\1/' "$NNI_SYS_DIR/parameter.cfg")
printf "NNISDK_MEb'{\"parameter_id\": %s, \"trial_job_id\": \"%s\", \"type\": \"FINAL\", \"sequence\": 0, \"value\": \"0.%s\"}'\n" \
    "$id" "$NNI_TRIAL_JOB_ID" "$id"
"""


class World:
    """What all tests share: a folder, one service, both NNIs, and the experiments that run at the same time."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trialdeck-nni-"))
        self.services = []
        self.machines = []
        self.experiments = []
        self.service = self.new_service("service")
        with concurrent.futures.ThreadPoolExecutor(len(VERSIONS)) as pool:
            self.nnis = dict(zip(VERSIONS, pool.map(lambda version: Nni(version, self.folder / f"nni-{version}"), VERSIONS)))
        # Four NNIs keep a processor busy; more of them only make each other wait, until time limits are missed.
        self.pool = concurrent.futures.ThreadPoolExecutor(min(16, 4 * (os.cpu_count() or 1)))
        self.results = {}
        self.of_thread = {}
        self.made = time.monotonic()
        self.begun = {}
        self.ended = {}

    def new_service(self, name, start=True):
        # Trials, which inherit this, leave the processors to an NNI that starts.
        service = Service(PROGRAM, self.folder / name, wrapper=("nice", "-n", "10"))
        self.services.append(service)
        return service.start() if start else service

    def new_sshd(self, name):
        sshd = Sshd(self.folder / name).start()
        self.machines.append(sshd)
        return sshd

    def create(self, version, name, script, service=None, **fields):
        marks = self.folder / f"marks-{version}-{name}"
        training = {"dataDir": str((service or self.service).folder), "environment": {"MARKS": str(marks)}}
        training.update(fields.pop("trainingService", {}))
        experiment = self.nnis[version].begin(name, training, script, **fields)
        experiment.marks = marks
        self.begun[f"{name} {version}"] = time.monotonic()
        self.experiments.append(experiment)
        self.of_thread.setdefault(threading.get_ident(), []).append(experiment)
        return experiment

    def close(self):
        self.pool.shutdown(wait=False, cancel_futures=True)
        for experiment in self.experiments:
            experiment.kill()
        for service in self.services:
            service.stop()
        for machine in self.machines:
            machine.stop()
        if os.environ.get("TRIALDECK_KEEP"):
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


WORLD = None
SCENARIOS = []


def scenario(function):
    """Runs for each version, beside all others; its test waits for what it gives back."""
    SCENARIOS.append(function)
    return function


def marks(experiment, what):
    lines = experiment.marks.read_text().splitlines() if experiment.marks.exists() else []
    return [line.split()[1] for line in lines if line.startswith(what)]


def ours_of(experiment):
    return WORLD.service.trials(experiment.service_id())


def told(service, experiment):
    """Trialdeck's own record of what NNI's trials reported, in the form of NNI's database."""
    found = {}
    for trial in service.trials(experiment.service_id()):
        found[trial["clientId"]] = sorted(
            (m["type"], m["step"], str(m["parameterId"]), m["data"]) for m in service.metrics(trial["id"]))
    return found


def written(experiment, values):
    """NNI's database once it holds so many values: NNI is done before the last of thousands are written there."""
    return until(PATIENCE, f"{values} values in NNI's database", lambda: (
        lambda stored: sum(map(len, stored.values())) >= values and stored)(experiment.stored_metrics()))


@scenario
def search(version):
    """50 trials of the TPE tuner, four at a time, each reporting four values."""
    experiment = WORLD.create(version, "search", SEARCH, maxTrialNumber=50,
                              tuner={"name": "TPE", "classArgs": {"optimize_mode": "minimize"}})
    experiment.wait(900)
    stored, ours = experiment.stored_metrics(), told(WORLD.service, experiment)
    statuses = experiment.final_statuses()
    best = WORLD.service.get(f"/experiments/{experiment.service_id()}")
    return experiment, statuses, stored, ours, best


@scenario
def remote(version):
    """The same search on two machines behind sshd, each with a copy of the code."""
    service = WORLD.new_service(f"remote-{version}", start=False)
    machines = [WORLD.new_sshd(f"machine-{version}-{number}") for number in (1, 2)]
    service.folder.mkdir(parents=True, exist_ok=True)
    (service.folder / "known_hosts").write_text("".join(machine.known_hosts_line for machine in machines))
    service.start()
    service.call("PUT", "/platforms/lab", {"kind": "remote", "settings": {"machineList": [m.machine for m in machines]}})

    def ready():
        return [m["state"] for m in service.get("/machines?platformId=lab")["machines"]] == ["READY", "READY"]

    until(120, "both machines are ready", ready)
    experiment = WORLD.create(version, "remote", SEARCH, service=service, maxTrialNumber=REMOTE_TRIALS,
                              trainingService={"platformId": "lab"},
                              tuner={"name": "TPE", "classArgs": {"optimize_mode": "minimize"}})
    experiment.wait(900)
    ours = told(service, experiment)
    used = {trial["machineId"] for trial in service.trials(experiment.service_id())}
    return experiment.final_statuses(), experiment.stored_metrics(), ours, used


@scenario
def slurm(version):
    """The same search as jobs of a real Slurm; one NNI is enough to see that the adapter passes on what Slurm needs."""
    if version != VERSIONS[0]:
        return None
    lab = SlurmLab(PROGRAM)
    WORLD.machines.append(lab)
    lab.start()
    service = WORLD.new_service("slurm")
    service.call("PUT", "/platforms/lab", {"kind": "slurm", "settings": lab.settings})
    until(120, "the cluster is ready", lambda: service.get("/platforms/lab")["state"] == "READY")
    experiment = WORLD.create(version, "slurm", SEARCH, service=service, maxTrialNumber=8,
                              trainingService={"platformId": "lab", "platformOptions": {"trialMemorySize": "300 MB"}},
                              tuner={"name": "TPE", "classArgs": {"optimize_mode": "minimize"}})
    experiment.wait(PATIENCE)
    return experiment.final_statuses(), experiment.stored_metrics(), told(service, experiment), service.trials(experiment.service_id())


def curve(trial, metrics):
    """What a trial of SEARCH reported, and what it has to report for its x."""
    x = json.loads(trial["form"]["hyperParameters"]["value"])["parameters"]["x"]
    values = {(kind, step): json.loads(data.replace("NaN", "null")) for kind, step, _, data in metrics}
    found = [values["PERIODICAL", 0], values["PERIODICAL", 1]["default"], values["PERIODICAL", 2], values["FINAL", 0]["default"]]
    return found, [x, x / 2, None, (x - 0.3) ** 2]


@scenario
def restart(version):
    """The service is killed while trials run, and is back five seconds later at another address."""
    service = WORLD.new_service(f"restarted-{version}")
    experiment = WORLD.create(version, "restart", SLOW, service=service, maxTrialNumber=8)
    until(PATIENCE, "four trials run", lambda: len(marks(experiment, "start")) >= 4)
    service.kill()
    time.sleep(5)  # What it does not know meanwhile is the point.
    service.start()
    experiment.wait(PATIENCE)
    return experiment, experiment.final_statuses(), experiment.stored_metrics(), told(service, experiment)


def books(experiment):
    """Each of NNI's trials by its id: parameters and status. One that was taken over may be in its list twice, as the same."""
    found = {}
    for trial in experiment.trials():
        parameters = json.loads(trial["hyperParameters"][0])
        found.setdefault(trial["trialJobId"], set()).add(
            (parameters["parameter_id"], json.dumps(parameters["parameters"], sort_keys=True), trial["status"]))
    return found


@scenario
def resume(version):
    """NNI and its tuner are killed while trials run, and are missed; `nnictl resume` goes on with these trials."""
    # NNI 2.10 counts what a resumed manager takes over twice: there have to be more to go on with.
    experiment = WORLD.create(version, "resume", HELD, maxTrialNumber=12, trainingService={"leaseSeconds": 2})
    until(PATIENCE, "four trials run", lambda: len(marks(experiment, "start")) == 4)
    address = f"/experiments/{experiment.service_id()}"
    trials = until(PATIENCE, "they have reported", lambda: len(experiment.stored_metrics()) == 4 and experiment.trials())
    before = books(experiment)
    experiment.kill()
    known = experiment.stored_metrics_of_the_dead()
    missed = until(30, "NNI's manager is missed", lambda: (record := WORLD.service.get(address))["message"] and record)
    lived = [t["status"] for t in ours_of(experiment)]
    with open(experiment.marks, "a", encoding="ascii") as file:
        file.write("go\n")
    experiment.resume(len(trials))
    until(30, "it is heard of", lambda: not WORLD.service.get(address)["message"])
    experiment.wait(PATIENCE)
    experiment.final_statuses()
    after, stored = books(experiment), experiment.stored_metrics()
    return experiment, before, known, missed, lived, after, stored, ours_of(experiment), told(WORLD.service, experiment)


@scenario
def stop(version):
    """NNI is stopped while trials run."""
    experiment = WORLD.create(version, "stop", ENDLESS, maxTrialNumber=4)
    until(PATIENCE, "four trials run", lambda: len(marks(experiment, "start")) == 4)
    service_id = experiment.service_id()
    running = until(PATIENCE, "they run at Trialdeck", lambda: len(
        found := [t for t in WORLD.service.trials(service_id) if t["status"] == "RUNNING"]) == 4 and found)
    output = experiment.stop()
    ended = until(30, "no trial is left", lambda: all(
        t["status"] == "USER_CANCELED" for t in WORLD.service.trials(service_id)) and WORLD.service.trials(service_id))
    return experiment, running, output, ended, WORLD.service.get(f"/experiments/{service_id}")


@scenario
def bands(version):
    """Hyperband, whose parameter ids are texts."""
    hyperband = {"className": "trial.Bands", "codeDirectory": "code", "classArgs": {"optimize_mode": "minimize", "R": 2, "eta": 2}}
    experiment = WORLD.create(version, "bands", BANDS, maxTrialNumber=4, tuner=None, advisor=hyperband, nniManagerIp="127.0.0.1")
    experiment.wait(PATIENCE)
    return experiment.output, experiment.final_statuses(), written(experiment, 8), told(WORLD.service, experiment), ours_of(experiment)


@scenario
def ended(version):
    """The experiment is stopped at Trialdeck while NNI has most of its budget left."""
    experiment = WORLD.create(version, "ended", TALKING, maxTrialNumber=1000, trialConcurrency=2)
    until(PATIENCE, "two trials run", lambda: len(marks(experiment, "start")) == 2)
    trials = sorted(marks(experiment, "start"))
    shown = until(PATIENCE, "trials have said something", lambda: all(
        "spoken" in experiment.file(trial, "trial.log") and "complained" in experiment.file(trial, "stderr") for trial in trials) and [
            {name: experiment.file(trial, name) for name in ("trial.log", "stderr", "stdout", "token")} for trial in trials])
    WORLD.service.post(f"/experiments/{experiment.service_id()}/stop", {})
    experiment.wait(PATIENCE, "ERROR")
    until(PATIENCE, "both ends are in NNI's books", lambda: {
        t["trialJobId"]: t["status"] for t in experiment.trials() if t["trialJobId"] in trials} == dict.fromkeys(trials, "USER_CANCELED"))
    return experiment, trials, shown, experiment.rest("/check-status"), experiment.trials()


@scenario
def cancels(version):
    """One trial is cancelled at NNI, one at Trialdeck, one stopped early at Trialdeck."""
    # With trialGpuNumber NNI has one environment for all trials, without it one for each.
    gpus = {"trialGpuNumber": 0} if version == VERSIONS[0] else {}
    experiment = WORLD.create(version, "cancels", ENDLESS, maxTrialNumber=3, maxTrialDuration="60s", trialConcurrency=4, **gpus)
    until(PATIENCE, "three trials run", lambda: len(marks(experiment, "start")) == 3)
    by_client = {t["clientId"]: t["id"] for t in WORLD.service.trials(experiment.service_id())}
    first, second, third = sorted(by_client)
    WORLD.service.post(f"/trials/{by_client[first]}/cancel", {"isEarlyStopped": False})
    WORLD.service.post(f"/trials/{by_client[second]}/cancel", {"isEarlyStopped": True})
    # The third one is over maxTrialDuration, for which NNI stops it early.
    experiment.wait(PATIENCE)
    experiment.final_statuses()
    trials = until(30, "the last one is dead", lambda: not any(t["status"] == "RUNNING" for t in ours_of(experiment)) and ours_of(experiment))
    ours = {t["clientId"]: t["status"] for t in trials}
    theirs = {t["trialJobId"]: t["status"] for t in experiment.trials()}
    return (first, second, third), theirs, ours


@scenario
def chatty(version):
    """One trial reports ten thousand values as fast as it can, and ends."""
    experiment = WORLD.create(version, "chatty", CHATTY, maxTrialNumber=1)
    experiment.wait(PATIENCE)
    return experiment, written(experiment, 10001), told(WORLD.service, experiment)


@scenario
def thousand(version):
    """A thousand trials, 250 at a time."""
    experiment = WORLD.create(version, "thousand", QUICK, maxTrialNumber=1000, trialConcurrency=250,
                              trialCommand="sh trial.py")
    experiment.wait(PATIENCE)
    return experiment, experiment.final_statuses(), written(experiment, 1000), told(WORLD.service, experiment)


# One NNI starts after the other, and must do so within seconds: those that need the processors come last. How long each took is
# printed at the end.
LOAD = {resume: -1, remote: 1, slurm: 1, search: 2, chatty: 3, thousand: 4}


def timed(function, version):
    WORLD.of_thread[threading.get_ident()] = []
    try:
        return function(version)
    finally:
        # What NNI has done it still keeps polling: those that are yet to start need the processors.
        for experiment in WORLD.of_thread[threading.get_ident()]:
            experiment.kill()
        WORLD.ended[f"{function.__name__} {version}"] = time.monotonic()


def start(functions):
    for function in functions:
        for version in VERSIONS:
            WORLD.results[function.__name__, version] = WORLD.pool.submit(timed, function, version)


def result(function, version):
    if (function.__name__, version) not in WORLD.results:
        start([function])
    return WORLD.results[function.__name__, version].result()


class NniTest(unittest.TestCase):
    maxDiff = 2000

    def test_search_has_the_same_values_on_both_sides(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                experiment, statuses, stored, ours, best = result(search, version)
                self.assertEqual(statuses, ["SUCCEEDED"] * 50)
                self.assertEqual(len(stored), 50)
                self.assertEqual([len(metrics) for metrics in stored.values()], [4] * 50)
                self.assertEqual(stored, ours)
                self.assertEqual(len(marks(experiment, "start")), 50)
                finals = [data for metrics in stored.values() for kind, _, _, data in metrics if kind == "FINAL"]
                self.assertTrue(all(experiment.id in data for data in finals), finals)
                self.assertEqual(best["objective"]["direction"], "minimize")
                self.assertLess(best["best"]["value"], 0.05)

    def test_search_on_machines_behind_ssh(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                statuses, stored, ours, used = result(remote, version)
                self.assertEqual(statuses, ["SUCCEEDED"] * REMOTE_TRIALS)
                self.assertEqual([len(metrics) for metrics in stored.values()], [4] * REMOTE_TRIALS)
                self.assertEqual(stored, ours)
                self.assertEqual(len(used), 2, "both machines")

    def test_search_on_slurm_has_the_curves_of_this_computer(self):
        version = VERSIONS[0]
        statuses, stored, ours, trials = result(slurm, version)
        self.assertEqual(statuses, ["SUCCEEDED"] * 8)
        self.assertEqual(stored, ours)
        self.assertTrue(all(trial["machineId"].startswith("lab.") for trial in trials), trials)
        here = [(trial, told_here) for trial in ours_of(result(search, version)[0])
                if (told_here := result(search, version)[3].get(trial["clientId"]))]
        self.assertEqual(len(here), 50)
        for trial, metrics in [(trial, ours[trial["clientId"]]) for trial in trials] + here:
            found, wanted = curve(trial, metrics)
            self.assertEqual(found, wanted, trial["id"])

    def test_service_killed_and_restarted(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                experiment, statuses, stored, ours = result(restart, version)
                self.assertEqual(statuses, ["SUCCEEDED"] * 8)
                self.assertEqual(sorted(marks(experiment, "start")), sorted(stored), "each trial started once")
                self.assertEqual(sorted(marks(experiment, "end")), sorted(stored), "each trial ended once")
                self.assertEqual([len(metrics) for metrics in stored.values()], [7] * 8)
                self.assertEqual(stored, ours)

    def test_nni_killed_and_resumed(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                experiment, before, known, missed, lived, theirs, stored, ours, values = result(resume, version)
                self.assertIn("NNI's manager has not been heard of since 20", missed["message"])
                self.assertIn(f"`nnictl resume {experiment.id}`", missed["message"])
                self.assertEqual(missed["state"], "RUNNING")
                self.assertEqual(lived, ["RUNNING"] * 4, "nothing was ended")
                # Running trials were taken over, not started again.
                starts = marks(experiment, "start")
                self.assertEqual(len(starts), len(set(starts)), "no trial started twice")
                self.assertEqual(sorted(starts), sorted(marks(experiment, "end")))
                # Trial by trial: the same parameters and status on both sides, for those of before as before.
                self.assertEqual(sorted(t["clientId"] for t in ours), sorted(starts), "each has one record")
                self.assertEqual(sorted(theirs), sorted(starts), experiment.log()[-3000:])
                self.assertEqual(sorted(stored), sorted(starts))
                for trial in ours:
                    name = trial["clientId"]
                    sent = json.loads(trial["form"]["hyperParameters"]["value"])
                    run = (sent["parameter_id"], json.dumps(sent["parameters"], sort_keys=True), trial["status"])
                    self.assertEqual(trial["status"], "SUCCEEDED")
                    self.assertEqual(theirs[name], {run}, name)
                    if name in before:
                        self.assertEqual({entry[:2] for entry in before[name]}, {run[:2]}, name)
                    self.assertEqual([(kind, step) for kind, step, _, _ in values[name]],
                                     [("FINAL", 0)] + [("PERIODICAL", step) for step in range(6)], name)
                    x = sent["parameters"]["x"]
                    self.assertEqual([float(data) for *_, data in values[name]], [x] + [step + x for step in range(6)], name)
                    # NNI has every value: once, or, of those that it had stored before it was killed, twice.
                    for value in values[name]:
                        times = stored[name].count(value)
                        self.assertIn(times, (1, 2) if value in known.get(name, []) else (1,), (name, value))
                    self.assertEqual(set(stored[name]), set(values[name]), name)

    def test_nni_stopped_cleans_up(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                experiment, running, output, ended, ours = result(stop, version)
                self.assertNotIn("nni_manager_ip is not set", experiment.output)
                self.assertEqual(len(running), 4)
                self.assertIn("success", output.lower())
                self.assertEqual({t["id"] for t in ended}, {t["id"] for t in running})
                self.assertEqual(ours["state"], "STOPPED")

    def test_ids_that_are_texts(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                output, statuses, stored, values, ours = result(bands, version)
                self.assertEqual(statuses, ["SUCCEEDED"] * 4)
                self.assertEqual(stored, values)
                for trial in ours:
                    sent = json.loads(trial["form"]["hyperParameters"]["value"])["parameter_id"]
                    self.assertRegex(sent, r"^\d+-\d+_\d+")
                    self.assertEqual({parameter for _, _, parameter, _ in values[trial["clientId"]]}, {sent})
                self.assertIn("nniManagerIp has no use", output)

    def test_experiment_ended_at_trialdeck(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                experiment, trials, shown, status, theirs = result(ended, version)
                self.assertIn("was stopped at Trialdeck", " ".join(status["errors"]))
                self.assertLessEqual(len(theirs), 4, "the two that ran, and at most what NNI had asked for in their place")
                self.assertEqual([t["trialJobId"] for t in theirs if t["status"] == "FAILED"], [])
                for trial, files in zip(trials, shown):
                    self.assertIn("spoken by nnictl", files["trial.log"], trial)
                    self.assertIn("complained", files["stderr"], trial)
                    self.assertEqual(files["stdout"], "stdout is empty.", trial)
                    self.assertIn("can be shown, not token", files["token"], trial)
                logs = {t["trialJobId"]: t.get("logPath", "") for t in theirs}
                self.assertEqual(len({logs[trial] for trial in trials}), 2, f"each trial has its own folder: {logs}")

    def test_cancelled_on_either_side(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                (first, second, third), theirs, ours = result(cancels, version)
                self.assertEqual(theirs, {first: "USER_CANCELED", second: "EARLY_STOPPED", third: "EARLY_STOPPED"})
                self.assertEqual(ours, theirs)

    def test_ten_thousand_values_of_one_trial(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                _experiment, stored, ours = result(chatty, version)
                self.assertEqual([len(metrics) for metrics in stored.values()], [10001])
                self.assertEqual(stored, ours)

    def test_thousand_trials(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                _experiment, statuses, stored, ours = result(thousand, version)
                self.assertEqual(statuses, ["SUCCEEDED"] * 1000)
                self.assertEqual(len(stored), 1000)
                self.assertEqual(stored, ours)


class ChannelTest(unittest.TestCase):
    """The adapter's inner part on the Node of each NNI, with a service that misbehaves as it is told."""

    def test_channel(self):
        for version in VERSIONS:
            with self.subTest(nni=version):
                node = subprocess.run(
                    [str(WORLD.nnis[version].python), "-c", "import nni_node; print(nni_node.__path__[0])"],
                    capture_output=True, text=True, check=True).stdout.strip() + "/node"
                script = str(pathlib.Path(__file__).resolve().parent / "channel_test.js")
                done = subprocess.run([node, script], capture_output=True, text=True, timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class RefusalTest(unittest.TestCase):
    """What cannot work is said by nnictl, before anything starts."""

    def refused(self, version, name, **training):
        experiment = WORLD.nnis[version].create(name, training, QUICK)
        self.assertIsNone(experiment.id, experiment.output)
        return experiment.output

    def test_refusals(self):
        wrong = WORLD.folder / "wrong-token"
        wrong.write_text("not the token\n")
        free = socket.socket()  # nobody else is given its port, and nobody listens there
        self.addCleanup(free.close)
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
        service = WORLD.service
        cases = [
            ("no-service", {"url": nobody, "tokenFile": str(wrong)}, "does not answer: ECONNREFUSED"),
            ("no-endpoint", {"dataDir": str(WORLD.folder / "empty")}, "No Trialdeck service runs"),
            ("wrong-token", {"url": service.url, "tokenFile": str(wrong)}, "refuses the token"),
            ("no-platform", {"dataDir": str(service.folder), "platformId": "moon"}, 'no platform "moon" (platformId). It has: local'),
            ("code-mode", {"dataDir": str(service.folder), "codeMode": "hover"}, 'must be "inPlace" or "snapshot"'),
            ("unknown-field", {"dataDir": str(service.folder), "plattformId": "local"}, "plattformid"),
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = [(version, name, sentence, pool.submit(self.refused, version, name, **training))
                    for version in VERSIONS for name, training, sentence in cases]
        for version, name, sentence, output in said:
            with self.subTest(nni=version, case=name):
                self.assertIn(sentence, output.result())


def setUpModule():
    global WORLD  # pylint: disable=global-statement
    try:
        WORLD = World()
    except Missing as error:
        if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
            raise
        raise unittest.SkipTest(str(error)) from error
    if len(sys.argv) == 1 or sys.argv[1:] == ["-v"]:  # all tests: none waits for another one's start
        start(sorted(SCENARIOS, key=lambda function: LOAD.get(function, 0)))


def tearDownModule():
    if WORLD:
        for name, begun in WORLD.begun.items():
            print(f"{name}: from {begun - WORLD.made:.0f} to {WORLD.ended.get(name, begun) - WORLD.made:.0f} s", file=sys.stderr)
        # NNI's retries on a busy machine are no failure, but they are reported, so that a growing number is noticed.
        retries = [(experiment, why) for experiment in WORLD.experiments for why in experiment.retries]
        print(f"retries: {len(retries)} in {len(WORLD.experiments)} experiments", file=sys.stderr)
        for experiment, why in retries:
            print(f"retry: {experiment.home.name} on NNI {experiment.nni.version}, {why}", file=sys.stderr)
        WORLD.close()


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
