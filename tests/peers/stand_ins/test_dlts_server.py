# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stand-in for DLTS does: python3 test_dlts_server.py [unittest's arguments]."""

import datetime
import email.utils
import hashlib
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import unittest
import urllib.parse

from stand_in_client import Gate, StandIn, lives, until

DLTS = None
FOLDER = None
NAMES = iter(range(1, 10_000))
JOB = {"team": "platform", "vcName": "platform", "userName": "somebody", "jobType": "training", "jobtrainingtype": "RegularJob",
       "gpuType": "P40", "resourcegpu": 0, "image": "msranni/nni", "workPath": "", "enableworkpath": True, "dataPath": "",
       "enabledatapath": False, "jobPath": "", "enablejobpath": True, "mountpoints": [], "env": [{"name": "TMPDIR", "value": "$HOME/tmp"}],
       "interactivePorts": [], "ssh": False, "ipython": False, "tensorboard": False, "hostNetwork": False, "isPrivileged": False,
       "hostIPC": False, "useGPUTopology": False, "preemptionAllowed": "False"}


def password(address):
    return hashlib.md5(f"{address}:m4st3r".encode()).hexdigest()


class DltsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.name = f"job_{next(NAMES)}"
        self.addCleanup(DLTS.control, "clear")

    def call(self, method, path, body=None, who="u@x.com", **query):
        words = urllib.parse.urlencode({"email": who, "password": password(who), **query})
        return DLTS.call(method, f"/api{path}?{words}", body)

    def get(self, path, who="u@x.com", **query):
        answer = self.call("GET", path, None, who, **query)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.headers["Content-Type"].startswith("application/json"))
        return answer.json

    def refused(self, answer, status, text=None):
        self.assertEqual(answer.status, status, answer.text)
        self.assertEqual(answer.headers["Content-Type"], "text/plain; charset=utf-8")
        if text is not None:
            self.assertEqual(answer.text, text)

    def post(self, command="true", who="u@x.com", **more):
        return self.call("POST", "/clusters/c1/jobs", {**JOB, "jobName": self.name, "cmd": command, **more}, who)

    def submit(self, command="true", who="u@x.com", **more):
        """The new job's id."""
        answer = self.post(command, who, **more)
        self.assertEqual((answer.status, list(answer.json)), (200, ["jobId"]), answer.text)
        return answer.json["jobId"]

    def status(self, job):
        return self.get(f"/v2/clusters/c1/jobs/{job}", who="admin@x.com").get("jobStatus")

    def wait_for(self, job, *statuses):
        try:
            return until(30, f"{job} is {statuses}", lambda: (found := self.status(job)) in statuses and found)
        except AssertionError as error:
            raise AssertionError(f"{error}, but {self.status(job)}") from error

    def order(self, job, status, who="u@x.com"):
        """The text of the result."""
        answer = self.call("PUT", f"/clusters/c1/jobs/{job}/status", {"status": status}, who)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json["result"]

    def settings(self, **changes):
        """Until the test ends."""
        before = DLTS.call("GET", "/control/settings").json
        self.addCleanup(DLTS.control, "settings", {name: before[name] for name in changes})
        DLTS.control("settings", changes)

    def act(self, action, **members):
        DLTS.control("job", {"action": action, "job": f" {self.name}$", **members})

    def seen(self, job):
        """What the server knows of it."""
        return next(found for found in DLTS.jobs() if found["id"] == job)

    def gate(self):
        return Gate(FOLDER / f"{self.name}.pipe")

    def running(self, command="sleep 1000", **more):
        job = self.submit(command, **more)
        self.wait_for(job, "running")
        return job


class Accounts(DltsTest):
    def test_password(self):
        self.assertEqual(DLTS.settings["password"], password("u@x.com"))
        found = self.get("/user")
        self.assertEqual(sorted(found), ["email", "familyName", "gid", "givenName", "password", "uid"])
        self.assertEqual((found["email"], found["password"]), ("u@x.com", password("u@x.com")))
        words = urllib.parse.urlencode({"email": "u@x.com", "token": password("u@x.com")})
        self.assertEqual(DLTS.call("GET", f"/api/user?{words}").status, 200)  # the older name

    def test_refused(self):
        for words in ("", "?email=u@x.com", f"?password={password('u@x.com')}"):
            self.refused(DLTS.call("GET", f"/api/teams{words}"), 403)
        self.refused(DLTS.call("GET", f"/api/teams?email=other@x.com&password={password('u@x.com')}"), 403, "Invalid token")
        self.refused(DLTS.call("POST", "/api/clusters/c1/jobs?email=u@x.com&password=%C3%BC", {}), 403, "Invalid token")

    def test_teams(self):
        self.assertEqual(self.get("/teams"), [{"id": "platform", "clusters": [
            {"id": "c1", "admin": False, "gpus": {"P40": {"perNode": 4, "quota": 8}}, "userQuota": None}]}])
        self.assertEqual([(team["id"], team["clusters"][0]["admin"]) for team in self.get("/teams", who="admin@x.com")],
                         [("platform", True), ("private", True)])
        self.assertEqual(self.get("/teams", who="stranger@x.com"), [])

    def test_team_in_a_cluster(self):
        found = self.get("/teams/platform/clusters/c1")
        self.assertEqual(found["vcName"], "platform")
        self.assertEqual(list(json.loads(found["metadata"])), ["P40"])
        self.assertEqual((found["gpu_capacity"], found["gpu_used"], found["gpu_available"]), ({"P40": 8}, {"P40": 2}, {"P40": 6}))
        self.assertEqual((found["user_status"], len(found["node_status"])), ([], 1))
        self.assertEqual(self.get("/teams/platform/clusters/.default"), found)
        self.settings(metadata="{}")
        self.assertEqual(self.get("/teams/platform/clusters/c1")["metadata"], "{}")
        self.refused(self.call("GET", "/teams/platform/clusters/c9"), 404, "Cluster is not found")
        self.refused(self.call("GET", "/teams/none/clusters/c1"), 404, "Team is not found")
        self.refused(self.call("GET", "/teams/private/clusters/c1"), 404, "Team is not found")


class Submit(DltsTest):
    def test_detail(self):
        before = time.time()
        self.act("hold")
        job = self.submit("exit 3", resourcegpu=1)
        found = self.get(f"/v2/clusters/c1/jobs/{job}")
        expected = {"jobId": job, "jobName": self.name, "userName": "u@x.com", "vcName": "platform", "jobStatus": "unapproved",
                    "jobStatusDetail": None, "jobType": "training", "insight": None}
        self.assertEqual({name: found.get(name, "missing") for name in expected}, expected)
        self.assertTrue(found["jobTime"].endswith(" GMT"))
        self.assertTrue(before - 1 <= email.utils.parsedate_to_datetime(found["jobTime"]).timestamp() <= time.time() + 1)
        parameters = found["jobParams"]
        self.assertEqual({name: parameters[name] for name in ("cmd", "image", "resourcegpu", "gpuType", "workPath", "preemptionAllowed")}, {
            "cmd": "exit 3", "image": "msranni/nni", "resourcegpu": 1, "gpuType": "P40", "workPath": "u", "preemptionAllowed": False})
        self.assertRegex(parameters["jobPath"], rf"^u/jobs/\d{{6}}/{job}$")
        self.act("release")
        self.wait_for(job, "failed")
        found = self.get(f"/v2/clusters/c1/jobs/{job}")["jobStatusDetail"]
        self.assertEqual((len(found), sorted(found[0])), (1, ["finishedAt", "message", "startedAt"]))
        began = datetime.datetime.fromisoformat(found[0]["startedAt"])
        self.assertIsNone(began.tzinfo)
        self.assertTrue(before - 1 <= began.timestamp() <= time.time() + 1)
        self.assertEqual(self.get(f"/clusters/c1/jobs/{job}/status"), {"status": "failed", "message": "The job exited with code 3."})
        old = self.get(f"/clusters/c1/jobs/{job}")
        self.assertEqual((old["jobStatus"], old["errorMsg"], old["endpoints"], old["log"]), (
            "failed", "The job exited with code 3.", {}, ""))

    def test_unknown(self):
        self.assertEqual(self.get("/v2/clusters/c1/jobs/none"), {})
        self.refused(self.call("GET", "/clusters/c1/jobs/none"), 502)
        self.refused(self.call("GET", "/clusters/c1/jobs/none/status"), 404)
        self.refused(self.call("GET", "/clusters/c1/jobs/none/log"), 404)
        self.refused(self.call("GET", "/clusters/c9/jobs/none/status"), 404, "Cluster is not found")
        self.refused(self.call("DELETE", "/clusters/c1/jobs/none"), 404)
        job = self.submit()
        self.assertEqual(self.get(f"/v2/clusters/c1/jobs/{job}", who="other@x.com"), {})
        self.assertEqual(self.get(f"/v2/clusters/c1/jobs/{job}", who="admin@x.com")["jobId"], job)
        self.assertIn("status", self.get(f"/clusters/c1/jobs/{job}/status", who="other@x.com"))

    def test_refused(self):
        for name in ("team", "vcName"):
            self.refused(self.post(**{name: ""}), 400)
        self.refused(self.call("POST", "/clusters/c9/jobs", {}), 404, "Cluster is not found")
        before = len(DLTS.jobs())
        for more, text in (({"team": "private", "vcName": "private"}, "Cannot create job!Access Denied!"),
                           ({"jobType": None}, "Cannot add job into database"), ({"jobName": ""}, "The job name is empty"),
                           ({"jobPath": "/etc"}, "jobPath"), ({"workPath": "u/../v"}, "workPath")):
            answer = self.post(**more)
            self.assertEqual((answer.status, list(answer.json)), (200, ["error"]))
            self.assertIn(text, answer.json["error"])
        self.assertEqual(self.post(preemptionAllowed="perhaps").status, 500)
        self.assertEqual(len(DLTS.jobs()), before)
        self.submit(preemptionAllowed="1")

    def test_own_id(self):
        job = "11111111-2222-4333-8444-555555555555"
        self.assertEqual(self.submit(jobId=job), job)
        answer = self.post(jobId=job)
        self.assertEqual((answer.status, answer.json), (200, {"error": "Cannot create job!Cannot add job into database"}))
        self.wait_for(job, "finished")
        self.assertEqual(self.seen(job)["starts"], 1)

    def test_environment_and_share(self):
        file = FOLDER / "root" / "work" / "file"
        job = self.submit(f"env; echo $TMPDIR; echo here > {file}", resourcegpu=1)
        self.wait_for(job, "finished")
        log = pathlib.Path(FOLDER / "share" / self.get(f"/v2/clusters/c1/jobs/{job}")["jobParams"]["jobPath"] / "logs" / "joblog.txt")
        found = dict(line.split("=", 1) for line in log.read_text().splitlines() if "=" in line)
        for prefix in ("DLTS", "DLWS"):
            expected = {"JOB_ID": job, "JOB_TOKEN": password("u@x.com"), "USER_NAME": "u", "USER_EMAIL": "u@x.com", "VC_NAME": "platform",
                        "NUM_GPU_PER_WORKER": "1", "PREEMPTIBLE": "False"}
            self.assertEqual({name: found.get(f"{prefix}_{name}") for name in expected}, expected)
        self.assertEqual(found["TMPDIR"], found["HOME"] + "/tmp")
        self.assertEqual((FOLDER / "share" / "file").read_text(), "here\n")

    def test_mounts(self):
        where = FOLDER / "root" / "data"
        job = self.submit(f"echo 7 > {where}/number", mountpoints=[{"containerPath": str(where), "hostPath": str(FOLDER / "share")}])
        self.wait_for(job, "finished")
        self.assertEqual((FOLDER / "share" / "number").read_text(), "7\n")
        for mount in ({"containerPath": "/nowhere/x", "hostPath": "work"}, {"containerPath": str(where), "hostPath": "none"}):
            job = self.submit(mountpoints=[mount])
            self.wait_for(job, "failed")
            self.assertIn("MountVolume.SetUp failed", self.get(f"/clusters/c1/jobs/{job}/status")["message"])
            self.assertEqual(self.seen(job)["exitCode"], 128)


class Course(DltsTest):
    def test_order_of_statuses(self):
        gate = self.gate()
        places = {"unapproved": f" {self.name}", "queued": f" {self.name}$", "scheduling": f"{self.name}$"}
        for place, pattern in places.items():
            DLTS.control("job", action="hold", job=pattern, at=place, message=f"held at {place}")
        job = self.submit(gate.wait())
        for place, pattern in places.items():
            until(30, place, lambda: self.get(f"/v2/clusters/c1/jobs/{job}")["jobStatusDetail"] == [{"message": f"held at {place}"}])
            self.assertEqual(self.status(job), place)
            DLTS.control("job", action="release", job=pattern)
        self.wait_for(job, "running")
        self.assertEqual(list(self.get(f"/v2/clusters/c1/jobs/{job}")["jobStatusDetail"][0]), ["startedAt"])
        gate.open()
        self.wait_for(job, "finished")

    def test_held_over_a_quota(self):
        self.settings(userQuota=2)
        job = self.submit(resourcegpu=3)
        text = until(30, "a message", lambda: (self.get(f"/v2/clusters/c1/jobs/{job}")["jobStatusDetail"] or [{}])[0].get("message"))
        self.assertIn("more than 2 GPUs", text)
        self.assertEqual(self.status(job), "unapproved")
        self.assertEqual(self.order(job, "approved"), f"Cannot Approve the job. Job ID:{job}")
        self.assertEqual(self.order(job, "approved", "admin@x.com"), "Success, the job is scheduled to be approved.")
        self.wait_for(job, "finished")

    def test_gpus(self):
        first = self.running(resourcegpu=5)
        self.assertEqual(self.get("/teams/platform/clusters/c1")["gpu_used"], {"P40": 7})
        self.assertEqual(self.get("/teams/platform/clusters/c1")["user_status"], [{"userName": "u@x.com", "userGPU": {"P40": 5}}])
        second = self.submit(resourcegpu=2)
        self.wait_for(second, "queued")
        third = self.submit(resourcegpu=1)
        self.wait_for(third, "finished")
        self.assertEqual(self.status(second), "queued")
        self.order(first, "killing")
        self.wait_for(second, "finished")

    def test_lost_node(self):
        job = self.running()
        pid = self.seen(job)["pids"][0]
        self.act("hold", at="queued")
        self.act("lose", message="node lost")
        self.assertEqual(self.status(job), "queued")
        self.act("release")
        until(30, "it runs again", lambda: self.status(job) == "running" and self.seen(job)["starts"] == 2)
        until(30, "its first process is gone", lambda: not lives(pid))

    def test_node_that_is_only_cut_off(self):
        job = self.running()
        pid = self.seen(job)["pids"][0]
        self.act("lose", leave=True)
        until(30, "it runs again", lambda: self.status(job) == "running" and self.seen(job)["starts"] == 2)
        self.assertTrue(lives(pid))
        self.assertNotEqual(self.seen(job)["pids"], [pid])

    def test_paused_by_an_administrator(self):
        self.settings(grace=1000)
        gate = self.gate()
        job = self.running(f"trap '{gate.wait()}exit' TERM\n{gate.ready()}sleep 1000 & wait")
        gate.came()
        self.act("pause", message="maintenance")
        self.assertEqual(self.status(job), "pausing")
        gate.open()
        self.wait_for(job, "paused")
        self.assertEqual(self.get(f"/v2/clusters/c1/jobs/{job}")["jobStatusDetail"][0]["message"], "maintenance")
        self.assertEqual(self.seen(job)["pids"], [])
        self.assertEqual(self.order(job, "pausing"), f"Cannot Pause the job. Job ID:{job}")
        self.act("hold")
        self.assertEqual(self.order(job, "queued"), "Success, the job is scheduled to be resumed.")
        self.assertEqual(self.status(job), "unapproved")
        self.act("release")
        self.wait_for(job, "running")
        self.assertEqual(self.seen(job)["starts"], 2)

    def test_failed_and_error(self):
        for status in ("failed", "error"):
            job = self.running()
            self.act("fail", status=status, message="no such image")
            self.assertEqual(self.get(f"/clusters/c1/jobs/{job}/status"), {"status": status, "message": "no such image"})
            self.name += "_next"

    def test_shown(self):
        job = self.running()
        self.act("show", status="migrating")
        self.assertEqual(self.status(job), "migrating")
        self.act("show", hidden=True)
        self.assertEqual(self.get(f"/v2/clusters/c1/jobs/{job}"), {})
        self.act("show")
        self.assertEqual(self.status(job), "running")


class Kill(DltsTest):
    def test_running(self):
        self.settings(grace=1000)
        gate = self.gate()
        job = self.running(f"trap '{gate.wait()}echo term; exit 0' TERM\n{gate.ready()}sleep 1000 & wait")
        gate.came()
        self.assertEqual(self.order(job, "killing"), "Success, the job is scheduled to be terminated.")
        self.assertEqual(self.status(job), "killing")
        self.assertEqual(self.order(job, "killing"), f"Cannot Kill the job. Job ID:{job}")
        gate.open()
        self.wait_for(job, "killed")
        self.assertEqual(self.get(f"/clusters/c1/jobs/{job}/log")["log"], {job: "term\n"})
        self.assertEqual(self.order(job, "killing"), f"Cannot Kill the job. Job ID:{job}")

    def test_waiting(self):
        for place in ("unapproved", "queued", "scheduling"):
            self.name = f"{self.name}_{place}"
            self.act("hold", at=place)
            job = self.submit()
            until(30, "held", lambda: self.seen(job)["held"])
            self.assertTrue(self.order(job, "killing").startswith("Success"))
            self.wait_for(job, "killed")
            self.assertEqual(self.seen(job)["starts"], 0)

    def test_refused(self):
        job = self.running()
        self.assertEqual(self.order(job, "killing", "other@x.com"), f"Cannot Kill the job. Job ID:{job}")
        self.assertEqual(self.order("none", "killing"), "Cannot Kill the job. Job ID:none")
        self.refused(self.call("PUT", f"/clusters/c1/jobs/{job}/status", {"status": "finished"}), 400)
        self.assertEqual(self.status(job), "running")
        self.assertTrue(self.order(job, "killing", "admin@x.com").startswith("Success"))
        self.wait_for(job, "killed")

    def test_by_somebody_else(self):
        job = self.running()
        self.act("kill", message="killed by the administrator")
        self.wait_for(job, "killed")
        self.assertEqual(self.get(f"/clusters/c1/jobs/{job}/status")["message"], "killed by the administrator")

    def test_stubborn(self):
        self.settings(grace=0.1)
        gate = self.gate()
        job = self.running(f"trap '' TERM\n{gate.ready()}sleep 1000")
        gate.came()
        self.order(job, "killing")
        self.wait_for(job, "killed")

    def test_many(self):
        self.settings(delays={"kill": 1000})
        mine = [self.running(), self.running()]
        self.order(mine[1], "killing")
        others = self.submit("sleep 1000", who="other@x.com")
        self.wait_for(others, "running")
        answer = self.call("POST", "/clusters/c1/jobs/status", {"status": {job: "killing" for job in (*mine, others, "none")}})
        self.assertEqual((answer.status, answer.json), (200, {
            mine[0]: "successfully killed", mine[1]: "cannot kill a(n) \"killing\" job", others: "unauthorized to kill"}))
        self.refused(self.call("POST", "/clusters/c1/jobs/status", {"status": {mine[0]: "x"}}), 400)


class Rest(DltsTest):
    def test_log_in_pages(self):
        job = self.submit("seq 250")
        self.wait_for(job, "finished")
        text, cursor, pages = "", {}, 0
        while page := (found := self.get(f"/clusters/c1/jobs/{job}/log", **cursor))["log"]:
            self.assertEqual(list(page), [job])
            text, pages, cursor = text + page[job], pages + 1, {"cursor": found["cursor"]}
            self.assertRegex(found["cursor"], r"^\d+\.\d{9}$")
        self.assertEqual((text.split(), pages), ([str(number) for number in range(1, 251)], 3))
        self.settings(logs="legacy")
        self.assertEqual(self.get(f"/clusters/c1/jobs/{job}/log"), {"log": text, "cursor": None})

    def test_log_while_it_runs(self):
        job = self.submit("echo first; sleep 1000")
        self.wait_for(job, "running")
        until(30, "a line", lambda: self.call("GET", f"/clusters/c1/jobs/{job}/log").status == 200)
        self.assertEqual(self.get(f"/clusters/c1/jobs/{job}/log")["log"], {job: "first\n"})
        self.refused(self.call("GET", f"/clusters/c1/jobs/{job}/log", who="other@x.com"), 404)

    def test_no_log(self):
        self.act("hold")
        self.refused(self.call("GET", f"/clusters/c1/jobs/{self.submit()}/log"), 404)

    def test_endpoints(self):
        job = self.running()
        path = f"/clusters/c1/jobs/{job}/endpoints"
        self.assertEqual(self.get(path), [])
        answer = self.call("POST", path, {"endpoints": ["ssh", {"name": "nni-rest-server", "podPort": 40001}]})
        self.assertEqual((answer.status, [(found["name"], found["status"]) for found in answer.json]), (
            200, [("ssh", "pending"), ("nni-rest-server", "pending")]))
        until(30, "they run", lambda: {found["status"] for found in self.get(path)} == {"running"})
        found = self.get(path)[1]
        self.assertEqual((found["podPort"], found["port"], found["nodeName"], found["username"]), (40001, 40001, "127.0.0.1", "u"))
        self.assertIn("domain", found)
        for bad in ({"name": "x", "podPort": 39_999}, {"name": "x", "podPort": 50_000}, {"name": "x" * 17, "podPort": 40_000}, "telnet"):
            self.refused(self.call("POST", path, {"endpoints": [bad]}), 502)
        self.assertEqual(len(self.get(path)), 2)

    def test_list(self):
        DLTS.control("fill", name=self.name, count=30)
        live = self.running()
        first = self.submit(who="other@x.com")
        self.wait_for(first, "finished")

        def listed(path="/v2/clusters/c1/teams/platform/jobs", **query):
            return [found["jobName"] for found in self.get(path, **query) if found["jobName"].startswith(self.name)]
        for path in ("/teams/platform/jobs", "/v2/clusters/c1/teams/platform/jobs"):
            self.assertEqual(len([name for name in listed(path) if name != self.name]), 10)  # of those that are over
            self.assertIn(self.name, listed(path, limit=1))
        self.assertEqual(len(listed(limit=1000)), 31)
        self.assertEqual(len(listed(limit=1000, user="all")), 32)
        found = self.get("/v2/clusters/c1/teams/platform/jobs", limit=1000)
        times = [email.utils.parsedate_to_datetime(item["jobTime"]) for item in found]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(next(item for item in found if item["jobId"] == live), self.get(f"/v2/clusters/c1/jobs/{live}"))
        self.refused(self.call("GET", "/teams/none/jobs"), 404, "Team is not found")

    def test_priority(self):
        job = self.running()
        for user, wanted, found in (("u@x.com", 150, 150), ("u@x.com", 900, 200), ("u@x.com", 1, 100), ("admin@x.com", 900, 900)):
            answer = self.call("PUT", f"/clusters/c1/jobs/{job}/priority", {"priority": wanted}, user)
            self.assertEqual((answer.status, self.get(f"/v2/clusters/c1/jobs/{job}")["priority"]), (200, found))

    def test_old_dashboard(self):
        job = self.submit()
        self.settings(v2=False)
        self.refused(self.call("GET", f"/v2/clusters/c1/jobs/{job}"), 404)
        self.assertIn("status", self.get(f"/clusters/c1/jobs/{job}/status"))

    def test_server_behind_is_down(self):
        job = self.running()
        statuses = {}
        for down in ("error", "network"):
            self.settings(down=down)
            statuses[down] = [self.call("GET", f"/v2/clusters/c1/jobs/{job}").status, self.post().status,
                              self.call("PUT", f"/clusters/c1/jobs/{job}/status", {"status": "killing"}).status]
        self.assertEqual(statuses, {"error": [502, 500, 500], "network": [500, 500, 500]})
        self.settings(down=None)
        self.assertEqual(self.status(job), "running")

    def test_faults(self):
        DLTS.fault("drop", method="POST", path="/jobs$", times=1)
        job = "99999999-2222-4333-8444-555555555555"
        with self.assertRaises(OSError):
            self.post(jobId=job)
        self.wait_for(job, "finished")
        DLTS.fault("status", status=403, times=1)
        self.refused(self.call("GET", "/user"), 403, "Invalid token")

    def test_nothing_runs_on(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="td-dlts-")))
        for number in (None, signal.SIGKILL):
            server = StandIn("dlts_server.py", "--share", f"work={folder}", "--master", "m4st3r").start()
            self.addCleanup(server.stop)
            words = urllib.parse.urlencode({"email": "u@x.com", "password": password("u@x.com")})
            server.call("POST", f"/api/clusters/c1/jobs?{words}", {**JOB, "jobName": "x", "cmd": "trap '' TERM; sleep 1000 & wait; wait"})
            pid = until(30, "it runs", lambda: (pids := server.jobs()[0]["pids"]) and pids[0])
            if number:
                server.process.send_signal(number)
            else:
                server.stop()
            until(30, "it ends", lambda: not lives(pid))


def setUpModule():
    global DLTS, FOLDER
    FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="td-dlts-"))
    (FOLDER / "share").mkdir()
    DLTS = StandIn("dlts_server.py", "--root", str(FOLDER / "root"), "--share", f"work={FOLDER}/share", "--master", "m4st3r",
                   lines=("url", "password")).start()


def tearDownModule():
    DLTS.stop()
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and os.path.exists(sys.argv[1]):
        del sys.argv[1]  # the path of a program, as other tests take it
    unittest.main()
