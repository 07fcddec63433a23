# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of a real service on stand-ins of clusters with a REST API: python3 test_rest_clusters.py PROGRAM [unittest's arguments].

Jobs are processes of this machine, so that real trials report real values; the network between lies as it likes."""

import json
import pathlib
import re
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
sys.path.insert(0, str(HERE.parent / "peers" / "stand_ins"))
from cluster_test import ClusterTest  # noqa: E402
from stand_in_client import StandIn  # noqa: E402
from trialdeck_service import below, until  # noqa: E402

PROGRAM = None
VALUES = 20
# What an ordinary script does, and a mark for each time that it began.
TRAIN = f"""
import json, os, sys, time
marks, x = sys.argv[1], float(sys.argv[2])
with open(os.path.join(marks, os.environ["NNI_TRIAL_JOB_ID"]), "a") as mark:
    mark.write("start\\n")
with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as metrics:
    for step in range({VALUES}):
        print(f"step {{step}}", flush=True)
        metrics.write(json.dumps({{"metric": x + step, "step": step}}) + "\\n")
        metrics.flush()
        time.sleep(0.1)
    metrics.write(json.dumps({{"metric": x + {VALUES}, "type": "FINAL"}}) + "\\n")
print("done")
"""
# In which ways a share of all requests fails.
FAULTS = [
    "drop", "refuse", "truncate", "short", "closeAfterHeaders", "close",
    {"kind": "status", "status": 500}, {"kind": "status", "status": 503, "retryAfter": 1},
    {"kind": "status", "status": 429, "retryAfter": 1}, {"kind": "status", "status": 500, "accepted": True},
    {"kind": "html", "status": 502}, {"kind": "html", "status": 200}, {"kind": "delay", "seconds": 1},
]


POSTS = """
from post_metrics import Metrics
metrics = Metrics(patience=60)
for value in range(20):
    metrics.report(value, step=value, final=value == 19)
"""


class RestClusterTest(ClusterTest):
    """`server`: the stand-in of a test; `storage`: the folder of this machine that its containers see."""

    program_name = ""
    server = None
    many_requests_a_minute = 0  # for 1,000 jobs that run
    calm = {}  # settings of the server when requests are counted
    of_cluster = ()  # beginnings of variables that the cluster gives its jobs, and secrets with them

    def setUp(self):
        super().setUp()
        self.storage = self.folder / "storage"
        self.marks = self.folder / "marks"
        for folder in (self.storage, self.marks):
            folder.mkdir()
        self.server = StandIn(f"{self.program_name}.py", *self.arguments(), lines=self.lines).start()
        self.addCleanup(self.server.stop)

    def make_ready(self):
        """A test job begins soon."""

    def open(self, **more):
        self.platform({**self.settings(), **more})

    def experiment(self, command, **more):
        return self.service.post("/experiments", {
            "platformId": "lab", "trialConcurrency": 20, "trialCommand": command, "codeDir": self.code("train.py", TRAIN), **more,
            "platformOptions": self.options})["id"]

    def train(self):
        return f"python3 train.py {self.marks} {{x}}"

    def check_curves(self, experiment, count):
        trials = self.service.trials(experiment)
        self.assertEqual([trial["status"] for trial in trials], ["SUCCEEDED"] * count)
        for number, trial in enumerate(trials):
            wanted = [("PERIODICAL", step, number + step) for step in range(VALUES)]
            points = self.points(trial["id"])
            self.assertEqual(points[:-1], wanted, trial["id"])
            self.assertEqual((points[-1][0], points[-1][2]), ("FINAL", number + VALUES), trial["id"])
            self.assertEqual(self.log(trial["id"]), "".join(f"step {step}\n" for step in range(VALUES)) + "done\n", trial["id"])
            self.assertEqual((self.marks / trial["id"]).read_text(), "start\n", "each began once")
        return trials

    def check_files(self):
        """No token and no password is in a file but where secrets are kept."""
        for path in below(self.folder / "data"):
            if path.is_file() and path.name != "secrets.json":
                try:
                    found = path.read_bytes()
                except FileNotFoundError:
                    continue  # The service lives.
                for secret in self.secrets():
                    self.assertNotIn(secret.encode(), found, path)

    def check_processes(self, experiment):
        """No token and no password is in a command line, nor in the environment of the experiment's trials: of how many processes.
        Other tests run beside this one, with trials of their own."""
        mark = b"NNI_EXP_ID=" + experiment.encode()
        count = 0
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes()
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"stand_ins/" in words:
                continue  # which was told its accounts by its command line
            count += mark in environment
            ours = [variable for variable in environment if mark in environment and not variable.startswith(self.of_cluster)]
            for secret in self.secrets():
                self.assertNotIn(secret.encode(), words)
                self.assertNotIn(secret.encode(), b"\0".join(ours))
        return count

    def check_traffic(self):
        """What the cluster's server was asked for while the trials ran."""

    def clean(self, experiment):
        self.service.post(f"/experiments/{experiment}/stop")
        until(60, "the experiment is stopped", lambda: self.service.get(f"/experiments/{experiment}")["state"] in ("STOPPED", "DONE"))
        self.service.post(f"/experiments/{experiment}/cleanup")
        self.nothing_is_left(self.storage / "trialdeck")
        until(60, "no job is left", lambda: all(map(self.is_over, self.server.jobs())))

    # What is the same on each cluster.

    def test_a_hundred_trials_through_a_network_that_lies(self):
        self.open()
        experiment = self.experiment(self.train())
        self.server.control("random", share=0.05, seed=7, kinds=FAULTS)
        self.submit(experiment, [{"parameters": {"x": number}} for number in range(100)])
        self.wait_for(experiment, "SUCCEEDED", 30)
        self.service.kill()
        self.service.start()
        self.wait_for(experiment, "SUCCEEDED", 100, 400)
        trials = self.check_curves(experiment, 100)
        jobs = self.server.jobs()
        self.assertEqual(len(jobs), 100, "no job doubled, none lost")
        self.assertEqual(len({self.name(job) for job in jobs}), 100)
        self.assertTrue(all(any(trial["id"] in self.name(job) for job in jobs) for trial in trials))
        self.check_files()
        self.check_traffic()
        self.server.control("clear")
        self.clean(experiment)

    def test_fifty_are_adopted(self):
        self.open()
        go = self.folder / "go"
        experiment = self.experiment(f"while [ ! -e {go} ]; do sleep 0.1; done; {self.train()}", trialConcurrency=50)
        self.submit(experiment, [{"parameters": {"x": number}} for number in range(50)])
        self.wait_for(experiment, "RUNNING", 50)
        until(60, "a process of a trial, all of which wait, was looked at", lambda: self.check_processes(experiment) > 0)
        self.service.metrics(self.service.trials(experiment)[0]["id"])  # answered when what was shown is stored
        self.service.kill()
        self.service.start()
        until(60, "the platform is there again", lambda: self.service.get("/platforms/lab")["state"] == "READY")
        counts = self.service.get(f"/experiments/{experiment}")["counts"]
        self.assertEqual(counts["RUNNING"] + counts["UNKNOWN"], 50, counts)
        go.touch()
        self.wait_for(experiment, "SUCCEEDED", 50)
        self.check_curves(experiment, 50)
        self.assertEqual(len(self.server.jobs()), 50)

    def test_metrics_by_posts(self):
        """A check's job looks whether nodes reach the service, and trials are told where to post only where they can."""
        def begin(*arguments):
            self.service.kill()
            self.service.start(arguments=("--ingest", "127.0.0.1:0", *arguments))

        def check():
            self.make_ready()
            steps = self.check()
            self.assertEqual(steps["job"]["state"], "ok", steps["job"])
            return steps["posts"]

        def is_told():
            experiment = self.experiment("env", codeDir="")
            trial = self.submit(experiment, [{"parameters": {}}])[0]
            self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED")
            said = self.log(trial)
            self.assertIn("NNI_TRIAL_JOB_ID=", said)
            return "TRIALDECK_INGEST_URL=" in said and "TRIALDECK_INGEST_TOKEN=" in said

        begin()
        self.open()
        self.assertTrue(is_told(), "nobody has looked yet")
        found = check()
        self.assertEqual((found["state"], found["remedy"]), ("ok", ""))
        code = pathlib.Path(self.code("posts.py", POSTS))
        (code / "post_metrics.py").write_text((HERE.parents[1] / "resources" / "examples" / "post_metrics.py").read_text())
        trial = self.submit(self.experiment("python3 posts.py", codeDir=str(code)), [{"parameters": {}}])[0]
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SUCCEEDED", (ended, self.log(trial)))
        self.assertEqual([value for _, _, value in self.points(trial)], list(range(20)))
        begin("--ingest-url", "http://127.0.0.1:1")
        until(60, "the platform is there again", lambda: self.service.get("/platforms/lab")["state"] == "READY")
        found = check()
        self.assertEqual((found["state"], found["detail"]), ("warn", "a node has no connection to http://127.0.0.1:1"))
        self.assertIn("--ingest-url", found["remedy"])
        self.assertFalse(is_told())
        begin("--ingest-url", "http://127.0.0.1:1")
        until(60, "the platform is there again", lambda: self.service.get("/platforms/lab")["state"] == "READY")
        self.assertFalse(is_told(), "what a check found outlives the service")
        begin()
        until(60, "the platform is there again", lambda: self.service.get("/platforms/lab")["state"] == "READY")
        self.assertTrue(is_told(), "another address was not tried")

    def test_conformance(self):
        """`trialdeck conformance`, on a service of its own."""
        self.make_ready()
        words = [word for name, value in self.options.items() for word in ("--option", f"{name}={value}")]
        found = self.conformance({**self.settings(), "pollInterval": 5}, *words)
        self.assertEqual({name for name, promise in found.items() if promise["verdict"] != "ok"} - {"files"}, {"repeats", "program"}, found)

    def test_killed_between_code_and_job(self):
        self.open()
        experiment = self.experiment(self.train())
        self.server.fault("refuse", method="POST", path=self.submission, seconds=600)
        trial = self.submit(experiment, [{"parameters": {"x": 1}}])[0]
        until(60, "the code is there", lambda: below(self.storage, "train.py"))
        until(60, "the job is on its way", lambda: below(self.storage, "job.sh"))
        self.service.kill()
        self.server.control("clear")
        self.assertEqual(self.server.jobs(), [])
        self.service.start()
        self.service.post(f"/trials/{trial}/cancel", {"isEarlyStopped": False})
        self.assertEqual(self.wait_for_end(trial)["status"], "USER_CANCELED")
        self.clean(experiment)
        self.assertEqual(list(self.marks.iterdir()), [], "it never began, or is known to have ended")

    def test_a_thousand_jobs(self):
        self.server.control("settings", pretend=3600, **self.calm)
        self.open()
        experiment = self.experiment("true", trialConcurrency=1000)
        began = time.monotonic()
        self.submit(experiment, [{"parameters": {"x": number}} for number in range(1000)])
        self.wait_for(experiment, "RUNNING", 1000)
        took = time.monotonic() - began
        self.server.control("clear", requests=True)

        def turns():
            """When the first page of each list was asked for."""
            return [request["time"] for request in self.server.requests("/jobs$", "GET") if request["arguments"].get("offset", "0") == "0"]

        # Three whole turns, each with the time from its beginning to that of the next one.
        first, _, _, fourth = until(120, "four lists of jobs", lambda: (found := turns())[3:] and found)[:4]
        asked = sum(first <= request["time"] < fourth for request in self.server.requests())
        a_minute = asked / (fourth - first) * 60
        memory = int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.service.process.pid}/status").read_text())[1]) / 1024
        print(json.dumps({"kind": self.kind, "jobs": 1000, "submitted_per_second": round(1000 / took, 1),
                          "requests_per_minute": round(a_minute, 1), "rss_mb": round(memory, 1)}), flush=True)
        self.assertLessEqual(a_minute, self.many_requests_a_minute)
        self.assertLess(memory, 100)


class OpenPai(RestClusterTest):
    kind = "openpai"
    program_name = "openpai_server"
    lines = ("url", "token")
    options = {"trialMemorySize": "100 MB"}
    submission = "/api/v2/jobs$"
    # Each 10 seconds two full pages of 500 and one that ends them; virtual clusters each minute.
    many_requests_a_minute = 6 * 3 + 2
    calm = {"tokenSeconds": 604_800}  # no login is counted

    def arguments(self):
        return ("--root", str(self.folder), "--storage", f"confignfs={self.storage}", "--token-seconds", "5")

    def settings(self):
        return {"host": self.server.url, "username": "u", "password": "secret6", "storageConfigName": "confignfs",
                "localStorageMountPoint": str(self.storage), "containerStorageMountPoint": str(self.folder / "mnt"),
                "dockerImage": "an/image:1"}

    def secrets(self):
        return ["secret6", "eyJhbGciOi"]  # with which each token begins

    def check_traffic(self):
        self.assertGreater(len(self.server.requests("authn/basic/login")), 1, "tokens expired and were renewed")

    @staticmethod
    def name(job):
        return job["name"]

    @staticmethod
    def is_over(job):
        return job["state"] in ("STOPPED", "SUCCEEDED", "FAILED")


class Dlts(RestClusterTest):
    kind = "dlts"
    program_name = "dlts_server"
    lines = ("url", "password")
    options = {}
    submission = "/clusters/[^/]+/jobs$"
    of_cluster = (b"DLTS_JOB_TOKEN=", b"DLWS_JOB_TOKEN=")
    # One list each 10 seconds has all jobs; the team each minute.
    many_requests_a_minute = 6 + 2

    def arguments(self):
        return ("--root", str(self.folder), "--share", f"work={self.storage}")

    def settings(self):
        return {"dashboard": self.server.url, "team": "platform", "email": "u@x.com", "password": self.server.settings["password"],
                "localStorageMountPoint": str(self.storage), "containerStorageMountPoint": str(self.folder / "work"),
                "dockerImage": "an/image:1"}

    def secrets(self):
        return [self.server.settings["password"]]

    @staticmethod
    def name(job):
        return job["name"]

    @staticmethod
    def is_over(job):
        return job["status"] in ("finished", "failed", "error", "killed")


class Aml(RestClusterTest):
    kind = "aml"
    program_name = "azure_server"
    lines = ("url", "tenant", "client", "secret", "token", "identity", "subscription", "group", "workspace", "az", "ca")
    options = {}
    of_cluster = (b"AZUREML_RUN_TOKEN=", b"MLFLOW_TRACKING_TOKEN=")
    test_killed_between_code_and_job = None  # nothing lies on a storage here
    test_a_thousand_jobs = None  # how many a page has is Azure's to say

    def arguments(self):
        return ("--compute", "gpu=100", "--token-seconds", "5")

    def settings(self):
        server = self.server.settings
        return {"auth": "serviceprincipal", "tenantId": server["tenant"], "clientId": server["client"], "clientSecret": server["secret"],
                "armEndpoint": self.server.url, "loginEndpoint": self.server.url, "caFile": server["ca"],
                "subscriptionId": server["subscription"], "resourceGroup": server["group"], "workspaceName": server["workspace"],
                "computeTarget": "gpu", "dockerImage": "an/image:1"}

    def make_ready(self):
        self.server.control("compute", name="gpu", idle=1)  # of nodes: else no test job is run

    def check_curves(self, experiment, count):
        """The studio shows the final values, too; not of trials that ended when the service was killed."""
        trials = super().check_curves(experiment, count)
        wanted = {trial["id"]: [float(number + VALUES), VALUES] for number, trial in enumerate(trials)}

        def shown():
            values = {job["id"]: job["metrics"].get("default") for job in self.server.jobs()}
            return {trial: [points[-1][0], points[-1][2]] for trial in wanted for name, points in values.items()
                    if points and trial in name}
        least = count if count < 100 else count - 20
        until(60, "the final values are metrics of the jobs", lambda: len(shown()) >= least)
        for trial, value in shown().items():
            self.assertEqual(value, wanted[trial], trial)
        return trials

    def secrets(self):
        return [self.server.settings["secret"], "eyJhbGciOi"]  # with which each token begins

    def check_traffic(self):
        self.assertGreater(len(self.server.requests("oauth2/v2.0/token")), 1, "tokens expired and were renewed")
        uploads = {request["path"] for request in self.server.requests("startPendingUpload")}
        self.assertEqual(len(uploads), 1, "code goes up once")

    def clean(self, experiment):
        self.service.post(f"/experiments/{experiment}/stop")
        until(60, "the experiment is stopped", lambda: self.service.get(f"/experiments/{experiment}")["state"] in ("STOPPED", "DONE"))
        self.service.post(f"/experiments/{experiment}/cleanup")
        until(60, "no job is left", lambda: not self.server.jobs())

    @staticmethod
    def name(job):
        return job["id"]

    @staticmethod
    def is_over(job):
        return job["status"] in ("Completed", "Failed", "Canceled")


del RestClusterTest, ClusterTest  # unittest would run them by themselves

if __name__ == "__main__":
    OpenPai.program = Dlts.program = Aml.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    program = pathlib.Path(OpenPai.program).read_bytes()
    if b"__asan_init" in program or b"__tsan_init" in program:
        OpenPai.test_a_thousand_jobs = Dlts.test_a_thousand_jobs = None  # figures are those of the optimised program, which has this test
    unittest.main()
