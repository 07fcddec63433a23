# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of jobs of the stand-in for OpenPAI: python3 test_openpai_jobs.py [unittest's arguments]."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from openpai_test_case import API, OpenPaiTest, main, spec, start_server, stop_server
from stand_in_client import StandIn, bearer, lives, until


class Course(OpenPaiTest):
    def test_early_form(self):
        before = time.time()
        self.pai.control("job", action="hold", job=self.name, diagnostics="no machine is free")
        job = self.run_job()
        found = self.get(f"/jobs/{job}")
        self.assertEqual((found["name"], found["tags"], found["taskRoles"]), (self.name, [], {}))
        status = found["jobStatus"]
        self.assertNotIn("attemptId", status)
        self.assertEqual((status["state"], status["subState"], status["executionType"], status["retries"]),
                         ("WAITING", "AttemptCreationPending", "START", 0))
        self.assertEqual((status["createdTime"], status["launchedTime"], status["completedTime"], status["appExitCode"]), (None,) * 4)
        self.assertTrue(before - 1 <= status["submissionTime"] / 1000 <= time.time() + 1)
        until(30, "the text", lambda: self.status(job)["appExitDiagnostics"] == "no machine is free")
        self.pai.control("job", action="release", job=self.name)
        self.assertEqual(self.wait_for(job, "SUCCEEDED")["attemptId"], 0)

    def test_waits_for_its_image(self):
        self.pai.control("job", action="hold", job=self.name, at="prepare")
        job = self.run_job()
        until(30, "prepared", lambda: self.status(job)["subState"] == "AttemptPreparing")
        until(30, "held", lambda: next(found for found in self.pai.jobs() if found["id"] == job)["held"])
        tasks = self.get(f"/jobs/{job}")["taskRoles"]["taskrole"]["taskStatuses"]
        self.assertEqual([(task["taskState"], task["containerId"]) for task in tasks], [("WAITING", None)])
        self.pai.control("job", action="release", job=self.name)
        self.wait_for(job, "SUCCEEDED")

    def test_detail(self):
        job = self.run_job("sleep 1000", resourcePerInstance={
            "gpu": 1, "cpu": 4, "memoryMB": 8192, "ports": {"web": 2}})
        status = self.wait_for(job, "RUNNING")
        self.assertEqual((status["subState"], status["attemptId"], status["attemptState"], status["virtualCluster"]),
                         ("AttemptRunning", 0, "RUNNING", "default"))
        self.assertLessEqual(status["submissionTime"], status["createdTime"])
        self.assertLessEqual(status["createdTime"], status["launchedTime"])
        task = self.get(f"/jobs/{job}")["taskRoles"]["taskrole"]["taskStatuses"][0]
        self.assertEqual((task["taskIndex"], task["taskState"], task["containerExitCode"], task["attemptId"]), (0, "RUNNING", None, 0))
        self.assertEqual(sorted(task["containerPorts"]), ["http", "ssh", "web"])
        self.assertEqual(len(task["containerPorts"]["web"].split(",")), 2)
        self.assertEqual(task["containerLog"], f"/api/v2/jobs/{job}/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs")
        os.killpg(next(found for found in self.pai.jobs() if found["id"] == job)["pids"][0], signal.SIGTERM)
        status = self.wait_for(job, "FAILED")
        self.assertEqual((status["subState"], status["appExitCode"]), ("Completed", 143))

    def test_exit_code(self):
        job = self.run_job("exit 7")
        status = self.wait_for(job, "FAILED", "SUCCEEDED")
        self.assertEqual((status["state"], status["appExitCode"], status["appExitSpec"]["code"], status["appExitType"], status["retries"]),
                         ("FAILED", 7, 7, "USER_FAILURE", 0))
        self.assertIn("7", status["appExitDiagnostics"])
        self.assertGreaterEqual(status["completedTime"], status["launchedTime"])

    def test_sub_states_in_order(self):
        self.settings(delays={"complete": 1000})
        first, second, gate = f"{self.name}", f"{self.name}$", self.gate()
        self.pai.control("job", action="hold", job=first)
        self.pai.control("job", action="hold", job=second, at="prepare")
        job = self.run_job(gate.wait())

        def reached(*expected):
            def there():
                status = self.status(job)
                return (status["state"], status["subState"]) == expected
            until(30, expected, there)

        reached("WAITING", "AttemptCreationPending")
        self.pai.control("job", action="release", job=first)
        reached("WAITING", "AttemptPreparing")
        self.pai.control("job", action="release", job=second)
        reached("RUNNING", "AttemptRunning")
        gate.open()
        reached("RUNNING", "AttemptCompleted")
        self.assertEqual(self.status(job)["appExitCode"], 0)

    def test_environment(self):
        job = self.run_job("env; cat <(echo bash)", resourcePerInstance={"gpu": 2, "cpu": 4, "memoryMB": 8192, "ports": {"web": 2}})
        self.wait_for(job, "SUCCEEDED")
        text = self.log(job, "stdout").text
        found = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        self.assertTrue(text.endswith("bash\n"))
        expected = {"PAI_JOB_NAME": job, "PAI_USER_NAME": "u", "PAI_TASK_ROLE_LIST": "taskrole", "PAI_TASK_ROLE_TASK_COUNT_taskrole": "1",
                    "PAI_CURRENT_TASK_ROLE_NAME": "taskrole", "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX": "0",
                    "PAI_HOST_IP_taskrole_0": "127.0.0.1", "PAI_RESOURCE_taskrole": "2,4,8192,512", "PAI_VIRTUAL_CLUSTER": "default",
                    "NVIDIA_VISIBLE_DEVICES": "0,1"}
        self.assertEqual({name: found.get(name) for name in expected}, expected)
        task = self.get(f"/jobs/{job}")["taskRoles"]["taskrole"]["taskStatuses"][0]
        self.assertEqual(found["PAI_PORT_LIST_taskrole_0_web"], task["containerPorts"]["web"])
        self.assertNotIn("HOSTNAME_OF_TEST", found)

    def test_storage(self):
        where = self.folder / "root" / "mnt" / "data"
        job = self.run_job(f"echo written > {where}/file; cat {where}/file", job={
            "extras": {"storages": [{"name": "confignfs", "mountPath": str(where)}]}})
        self.wait_for(job, "SUCCEEDED")
        self.assertEqual((self.folder / "storage" / "file").read_text(), "written\n")
        self.assertTrue(where.is_symlink())

    def test_storage_that_cannot_be_mounted(self):
        for number, path in enumerate(("/nowhere/data", str(self.folder / "root" / ".." / "beside"), "/tmp")):
            self.name = f"{self.name}_{number}"
            job = self.run_job("true", job={"extras": {"storages": [{"name": "confignfs", "mountPath": path}]}})
            status = self.wait_for(job, "FAILED")
            self.assertEqual((status["appExitCode"], status["appExitType"]), (128, "PLATFORM_FAILURE"))
            self.assertIn("MountVolume.SetUp failed for volume \"confignfs\"", status["appExitDiagnostics"])
        self.assertFalse((self.folder / "beside").exists())

    def test_default_storages(self):
        job = self.run_job("true", job={"extras": {"storages": []}})
        found = next(found for found in self.pai.jobs() if found["id"] == job)
        self.assertEqual(found["mounts"], [["confignfs", "/mnt/confignfs"]])

    def test_roles_and_completion(self):
        role = spec("x")["taskRoles"]["taskrole"]
        roles = {"server": {**role, "commands": ["trap 'exit 0' TERM; sleep 1000 & wait"]},
                 "worker": {**role, "instances": 2, "completion": {"minSucceededInstances": 2},
                            "commands": ["echo $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX of $PAI_TASK_ROLE_TASK_COUNT_worker"]}}
        job = self.run_job(job={"taskRoles": roles})
        self.assertEqual(self.wait_for(job, "SUCCEEDED", "FAILED")["appExitCode"], 0)
        self.assertEqual(self.get(f"/jobs?keyword={self.name}")[0]["totalTaskNumber"], 3)
        found = next(found for found in self.pai.jobs() if found["id"] == job)
        self.assertEqual((found["starts"], found["pids"]), (3, []))

    def test_retries_of_the_user(self):
        job = self.run_job("exit 3", job={"jobRetryCount": 2}, taskRetryCount=1)
        status = self.wait_for(job, "FAILED")
        self.assertEqual((status["retries"], status["retryDetails"], status["attemptId"]),
                         (2, {"user": 2, "platform": 0, "resource": 0}, 2))
        self.assertEqual(next(found for found in self.pai.jobs() if found["id"] == job)["starts"], 6)
        attempts = self.get(f"/jobs/{job}/job-attempts")
        self.assertEqual([(found["attemptIndex"], found["attemptState"], found["exitCode"], found["isLatest"]) for found in attempts],
                         [(2, "FAILED", 3, True), (1, "FAILED", 3, False), (0, "FAILED", 3, False)])
        self.assertEqual(self.get(f"/jobs/{job}/attempts/1")["attemptIndex"], 1)

    def test_gpus_are_shared(self):
        first = self.run_job("sleep 1000", resourcePerInstance={"gpu": 5, "cpu": 1, "memoryMB": 1})
        self.wait_for(first, "RUNNING")
        cluster = self.get("/virtual-clusters")["default"]
        self.assertEqual((cluster["resourcesTotal"]["gpu"], cluster["resourcesUsed"]["gpu"], cluster["dedicated"]), (8, 7, False))
        self.name += "_second"
        self.pai.control("clear", requests=True)
        second = self.run_job("true", resourcePerInstance={"gpu": 2, "cpu": 1, "memoryMB": 1})
        until(30, "it waits for GPUs", lambda: self.status(second)["state"] == "WAITING" and len(self.pai.requests(second)) > 20)
        self.stop(first)
        self.wait_for(second, "SUCCEEDED")
        self.assertEqual(self.get("/virtual-clusters/default")["resourcesUsed"]["gpu"], 2)


class Stop(OpenPaiTest):
    def test_running(self):
        self.settings(delays={"stop": 1000}, grace=1000)
        gate = self.gate()
        job = self.run_job(f"trap '{gate.wait()}echo term; exit 5' TERM\n{gate.ready()}sleep 1000 & wait")
        gate.came()
        answer = self.stop(job)
        self.assertEqual((answer.status, answer.json), (202, {"status": 202, "message": f"Execute job {job} successfully."}))
        status = self.status(job)
        self.assertEqual((status["executionType"], status["state"]), ("STOP", "RUNNING"))
        self.pai.control("settings", delays={"stop": 0.05})
        self.stop(job)
        status = self.wait_for(job, "STOPPING")
        self.assertEqual((status["subState"], status["appExitCode"]), ("AttemptDeleting", -210))
        gate.open()
        status = self.wait_for(job, "STOPPED")
        self.assertEqual((status["subState"], status["appExitCode"], status["appExitSpec"]["phrase"]),
                         ("Completed", -210, "StopFrameworkRequested"))
        self.assertEqual(self.log(job, "stdout").text, "term\n")
        self.assertEqual(self.stop(job).status, 202)
        self.assertEqual(self.status(job)["state"], "STOPPED")

    def test_grace(self):
        self.settings(grace=0.1)
        gate = self.gate()
        job = self.run_job(f"trap '' TERM\n{gate.ready()}sleep 1000")
        gate.came()
        self.stop(job)
        self.wait_for(job, "STOPPED")

    def test_waiting(self):
        self.pai.control("job", action="hold", job=self.name)
        job = self.run_job()
        self.stop(job)
        self.assertEqual(self.wait_for(job, "STOPPED")["appExitCode"], -210)
        self.assertEqual(next(found for found in self.pai.jobs() if found["id"] == job)["starts"], 0)

    def test_finished(self):
        job = self.run_job()
        self.wait_for(job, "SUCCEEDED")
        self.assertEqual(self.stop(job).status, 202)
        self.assertEqual((self.status(job)["state"], self.status(job)["executionType"]), ("SUCCEEDED", "STOP"))

    def test_end_that_comes_first_wins(self):
        self.settings(delays={"stop": 1000})
        gate = self.gate()
        job = self.run_job(gate.wait())
        self.wait_for(job, "RUNNING")
        self.stop(job)
        gate.open()
        self.assertEqual(self.wait_for(job, "SUCCEEDED", "STOPPED")["state"], "SUCCEEDED")

    def test_refused(self):
        job = self.run_job("sleep 1000")
        for value in ("PAUSE", None, 1):
            answer = self.pai.call("PUT", f"{API}/jobs/{job}/executionType", {"value": value}, self.token)
            self.assert_error(answer, 400, "InvalidParametersError")
        self.assert_error(self.stop(job, self.log_in("other", "secret7")), 403, "ForbiddenUserError")
        self.assert_error(self.stop("u~nothing"), 404, "NoJobError", "Job u~nothing is not found.")
        self.assertEqual(self.stop(job, self.log_in("admin", "secret8")).status, 202)
        self.wait_for(job, "STOPPED")

    def test_by_somebody_else(self):
        for code in (-210, -220):
            job = self.run_job("sleep 1000")
            self.wait_for(job, "RUNNING")
            self.act("stop", job, code=code)
            self.assertEqual(self.wait_for(job, "STOPPED")["appExitCode"], code)
            self.name += "_deleted"


class Misfortune(OpenPaiTest):
    def running(self, command="sleep 1000"):
        job = self.run_job(command)
        self.wait_for(job, "RUNNING")
        return job

    def again(self, job, kind):
        """It ran once more after a loss of this kind."""
        def second():
            status = self.status(job)
            return status["state"] == "RUNNING" and status.get("attemptId") == 1 and status["subState"] == "AttemptRunning" and status
        status = until(30, f"{job} runs again", second)
        self.assertEqual((status["retries"], status["retryDetails"][kind]), (1, 1))
        return next(found for found in self.pai.jobs() if found["id"] == job)

    def test_lost_node(self):
        job = self.running()
        pid = next(found for found in self.pai.jobs() if found["id"] == job)["pids"][0]
        self.act("lose", job)
        found = self.again(job, "platform")
        self.assertEqual((found["starts"], len(found["pids"])), (2, 1))
        self.assertNotEqual(found["pids"], [pid])
        self.assertFalse(lives(pid))

    def test_node_that_is_only_cut_off(self):
        job = self.running()
        pid = next(found for found in self.pai.jobs() if found["id"] == job)["pids"][0]
        self.act("lose", job, leave=True)
        self.assertNotIn(pid, self.again(job, "platform")["pids"])
        self.assertTrue(lives(pid))

    def test_preempted(self):
        job = self.running()
        self.pai.control("job", action="hold", job=self.name, diagnostics="makes room")
        self.act("preempt", job)
        self.assertEqual(self.wait_for(job, "WAITING")["attemptId"], 1)
        self.pai.control("job", action="release", job=self.name)
        self.again(job, "resource")

    def test_out_of_memory(self):
        job = self.running()
        self.act("fail", job, code=137, diagnostics="used more than 8192 MB", spec={"phrase": "ContainerOOMKilled", "type": "USER_FAILURE"})
        status = self.wait_for(job, "FAILED")
        self.assertEqual((status["appExitCode"], status["appExitSpec"]["phrase"], status["appExitDiagnostics"], status["appExitType"]),
                         (137, "ContainerOOMKilled", "used more than 8192 MB", "USER_FAILURE"))

    def test_container_that_cannot_start(self):
        job = self.run_job(resourcePerInstance={"gpu": 0, "cpu": 1, "memoryMB": 1, "ports": {"a=b": 1}})  # no name of a variable
        status = self.wait_for(job, "FAILED")
        self.assertEqual((status["appExitCode"], status["appExitSpec"]["phrase"]), (128, "ContainerCannotRun"))
        self.assertIn("variable name", status["appExitDiagnostics"])

    def test_word_that_nobody_knows(self):
        job = self.running()
        self.act("show", job, state="MIGRATING", subState="AttemptMigrating")
        self.assertEqual((self.status(job)["state"], self.status(job)["subState"]), ("MIGRATING", "AttemptMigrating"))
        self.assertEqual(self.get(f"/jobs?keyword={self.name}")[0]["state"], "MIGRATING")
        self.act("show", job)
        self.assertEqual(self.status(job)["state"], "RUNNING")


class End(unittest.TestCase):
    """Nothing runs on when the server has ended."""

    def start(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="td-pai-")))
        server = StandIn("openpai_server.py", "--root", str(folder), lines=("url", "token")).start()
        self.addCleanup(server.stop)
        text = json.dumps(spec("long", f"setsid sleep 1000 & echo $! > {folder}/other; trap '' TERM; echo > {folder}/ready; sleep 1000"))
        server.call("POST", f"{API}/jobs", text, {**bearer(server.settings["token"]), "Content-Type": "text/yaml"})
        until(30, "it runs", (folder / "ready").exists)
        pids = [server.jobs()[0]["pids"][0], int((folder / "other").read_text())]
        self.assertTrue(all(lives(pid) for pid in pids))
        return server, pids

    def gone(self, pids):
        until(30, f"{pids} end", lambda: not any(lives(pid) for pid in pids))

    def test_standard_input_ends(self):
        server, pids = self.start()
        process = server.process
        server.stop()
        self.assertEqual(process.returncode, 0)
        self.gone(pids)

    def test_parent_ends(self):
        server = StandIn("openpai_server.py", lines=("url", "token"))
        starter = "import subprocess, sys; process = subprocess.Popen(sys.argv[1:]); print(process.pid, flush=True); process.wait()"
        # Standard input of both stays open.
        parent = subprocess.Popen([sys.executable, "-c", starter, *server.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(parent.communicate)
        pid = int(parent.stdout.readline())
        self.assertTrue(parent.stdout.readline().startswith("url="))
        self.assertTrue(lives(pid))
        parent.kill()
        until(30, "the server ends", lambda: not lives(pid))

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            server, pids = self.start()
            server.process.send_signal(number)
            self.assertEqual(server.process.wait(20), 0 if number == signal.SIGTERM else -signal.SIGKILL)
            self.gone(pids)


def setUpModule():
    start_server()


def tearDownModule():
    stop_server()


if __name__ == "__main__":
    main()
