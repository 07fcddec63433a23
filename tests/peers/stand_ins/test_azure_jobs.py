# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of the stand-in for Azure, with their logs and metrics: python3 test_azure_jobs.py [unittest's arguments]."""

import datetime
import os
import pathlib
import signal
import time
import urllib.parse

import azure_test_case
from azure_test_case import IMAGE, AzureTest
from stand_in_client import StandIn, bearer, lives, until


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Submit(AzureTest):
    def test_answer(self):
        before = time.time()
        self.act("hold", at="NotStarted")
        answer = self.arm("PUT", f"/jobs/{self.name}", self.spec(description="text", environmentVariables={"A": "1"}))
        self.assertEqual(answer.status, 201)
        found = answer.json
        self.assertEqual((found["id"], found["name"], found["type"]), (
            f"{self.workspace}/jobs/{self.name}", self.name, "Microsoft.MachineLearningServices/workspaces/jobs"))
        self.assertTrue(before - 1 <= seconds(found["systemData"]["createdAt"]) <= time.time() + 1)
        properties = found["properties"]
        expected = {"jobType": "Command", "status": "NotStarted", "displayName": self.name, "experimentName": "exp", "description": "text",
                    "tags": {"nni_exp": "E"}, "environmentVariables": {"A": "1"}, "isArchived": False}
        self.assertEqual({name: properties[name] for name in expected}, expected)
        self.assertIn(f"/runs/{self.name}?wsid=", properties["services"]["Studio"]["endpoint"])
        self.assertTrue(properties["services"]["Tracking"]["endpoint"].startswith("azureml://"))
        self.assertEqual(self.get(f"/jobs/{self.name}"), found)

    def test_again(self):
        self.submit("sleep 1000")
        self.assertEqual(self.arm("PUT", f"/jobs/{self.name}", self.spec("sleep 1000", tags={"more": "1"})).status, 200)
        self.assertEqual(self.get(f"/jobs/{self.name}")["properties"]["tags"], {"nni_exp": "E", "more": "1"})
        self.refused(self.arm("PUT", f"/jobs/{self.name}", self.spec("true")), 409, "UserError")
        self.settings(conflict=400)
        self.refused(self.arm("PUT", f"/jobs/{self.name}", self.spec("true")), 400, "UserError")
        self.wait_for(self.name, "Running")
        self.assertEqual(self.seen(self.name)["starts"], 1)
        self.act("fail")

    def test_refused(self):
        for more in ({"command": None}, {"computeId": f"{self.workspace}/computes/none"}, {"jobType": "Sweep"},
                     {"environmentId": f"{self.workspace}/environments/none/versions/1"}, {"environmentId": "x"},
                     {"codeId": f"{self.workspace}/codes/none/versions/1"}):
            self.refused(self.arm("PUT", f"/jobs/{self.name}", self.spec(**{"command": "true", **more})), 400, "UserError")
        self.refused(self.arm("PUT", "/jobs/_x", self.spec()), 400, "UserError")
        self.refused(self.azure.call("PUT", f"{self.workspace}/jobs/x?api-version=2023-10-01", "[]", self.token), 400, "UserError")
        self.refused(self.arm("GET", f"/jobs/{self.name}"), 404, "UserError")


class Course(AzureTest):
    def test_every_status(self):
        def hold(status, action="hold"):
            self.azure.control("job", action=action, at=status, job=f"^{self.name} (?#{status})")

        statuses = ("NotStarted", "Starting", "Preparing", "Queued", "Finalizing")
        for status in statuses:
            hold(status)
        gate = self.gate()
        self.submit(gate.ready() + gate.wait())
        for status in statuses[:-1]:
            self.wait_for(self.name, status)
            hold(status, "release")
        self.wait_for(self.name, "Running")
        gate.came()
        gate.open()
        self.wait_for(self.name, "Finalizing")
        hold("Finalizing", "release")
        self.wait_for(self.name, "Completed")
        found = self.details(self.name)
        self.assertEqual((found["runId"], found["status"], found["error"]), (self.name, "Completed", None))
        self.assertLessEqual(seconds(found["startTimeUtc"]), seconds(found["endTimeUtc"]))

    def test_fails(self):
        self.submit("echo about to fail; exit 7")
        self.wait_for(self.name, "Failed")
        error = self.details(self.name)["error"]["error"]
        self.assertEqual(error["code"], "UserError")
        self.assertIn("status code 7", error["message"])
        self.assertEqual(self.log(self.name).text, "about to fail\n")

    def test_nodes(self):
        self.submit("sleep 1000", resources={"instanceCount": 3})
        self.wait_for(self.name, "Running")
        self.assertEqual(len(self.arm("POST", "/computes/gpu/listNodes").json["nodes"]), 3)
        self.assertEqual(self.get("/computes/gpu")["properties"]["properties"]["currentNodeCount"], 3)
        second = self.submit("true", name=f"{self.name}-b", resources={"instanceCount": 2})
        self.wait_for(second, "Queued")
        third = self.submit("true", name=f"{self.name}-c")  # there is room for this one
        self.wait_for(third, "Completed")
        self.assertEqual(self.status(second), "Queued")
        self.act("fail")
        self.wait_for(second, "Completed")

    def test_timeout(self):
        self.submit("sleep 1000", limits={"jobLimitsType": "Command", "timeout": "PT0.2S"})
        self.wait_for(self.name, "Canceled")

    def test_compute(self):
        self.azure.control("compute", name="odd", nodes=1, started=False)
        self.submit("sleep 1000", computeId=f"{self.workspace}/computes/odd")
        self.wait_for(self.name, "Queued")
        self.azure.control("compute", name="odd", started=True)
        self.wait_for(self.name, "Running")
        second = self.submit("true", name=f"{self.name}-b", computeId=f"{self.workspace}/computes/odd")
        self.wait_for(second, "Queued")
        self.azure.control("compute", name="odd", remove=True)
        for name in (self.name, second):
            self.assertEqual((self.status(name), self.details(name)["error"]["error"]["code"]), ("Failed", "ComputeNotFound"))

    def test_pretend(self):
        self.settings(pretend=0.05)
        self.submit("exit 7")
        self.wait_for(self.name, "Completed")


class Work(AzureTest):
    def test_code_and_environment(self):
        code = self.upload(run_sh="pwd; cat sub/data.txt; mkdir outputs; echo made >outputs/made.txt\n", sub__data_txt="of the code\n")
        self.submit("bash run.sh; env | grep -E '^(AZUREML|MLFLOW|MINE|HOSTNAME_OF|SSL_CERT)'; echo error >&2", codeId=code,
                    environmentVariables={"MINE": "a 'b' $c"}, environmentId=IMAGE)
        self.wait_for(self.name, "Completed")
        lines = self.log(self.name).text.splitlines()
        self.assertEqual((lines[1], lines[-1]), ("of the code", "error"))
        variables = dict(line.split("=", 1) for line in lines[2:-1])
        expected = {"AZUREML_RUN_ID": self.name, "MINE": "a 'b' $c", "SSL_CERT_FILE": self.azure.settings["ca"], "MLFLOW_RUN_ID": self.name,
                    "AZUREML_ARM_PROJECT_NAME": "exp", "AZUREML_ARM_WORKSPACE_NAME": "Workspace1"}
        self.assertEqual({name: variables[name] for name in expected}, expected)
        self.assertNotIn("HOSTNAME_OF_TEST", variables)
        found = self.history(f"experiments/exp/runs/{self.name}/artifacts/contentinfo?path=outputs/made.txt").json
        self.assertEqual(self.at(found["contentUri"]).text, "made\n")
        self.assertEqual([one["path"] for one in self.history(f"runs/{self.name}/artifacts").json["value"]],
                         ["user_logs/std_log.txt", "outputs/made.txt"])

    def test_each_job_has_its_own_copy(self):
        code = self.upload(a_txt="a")
        for number in range(2):
            self.submit("cat a.txt; echo b >> a.txt", name=f"{self.name}-{number}", codeId=code)
            self.wait_for(f"{self.name}-{number}", "Completed")
            self.assertEqual(self.log(f"{self.name}-{number}").text, "a")

    def test_inputs_and_outputs(self):
        self.submit("echo ${{inputs.lr}} > ${{outputs.model}}/x; cat ${{ outputs.model }}/x",
                    inputs={"lr": {"jobInputType": "literal", "value": "0.5"}}, outputs={"model": {"jobOutputType": "uri_folder"}})
        self.wait_for(self.name, "Completed")
        self.assertEqual(self.log(self.name).text, "0.5\n")

    def test_what_cannot_be_set_up(self):
        self.submit("echo ${{inputs.none}}")
        self.wait_for(self.name, "Failed")
        self.assertEqual(self.details(self.name)["error"]["error"]["code"], "SystemError")
        self.assertIn("could not be set up", self.log(self.name, "system_logs/lifecycler/lifecycler.log").text)

    def test_log_while_it_runs(self):
        gate = self.gate()
        self.submit(f"echo one; {gate.ready()}{gate.wait()}echo two")
        gate.came()
        address = self.details(self.name)["logFiles"]["user_logs/std_log.txt"]
        self.assertIn("/azureml/ExperimentRun/dcid." + self.name + "/user_logs/std_log.txt?", address)
        self.assertEqual(self.at(address).text, "one\n")
        self.assertEqual(self.at(address, Range="bytes=4-").status, 416)
        gate.open()
        self.wait_for(self.name, "Completed")
        found = self.at(address, Range="bytes=4-")
        self.assertEqual((found.status, found.text), (206, "two\n"))

    def test_names_of_logs(self):
        self.submit("true", resources={"instanceCount": 2})
        self.wait_for(self.name, "Completed")
        self.assertEqual(list(self.details(self.name)["logFiles"]), ["user_logs/std_log_process_0.txt"])
        self.settings(logs="old")
        other = self.submit("true", name=f"{self.name}-old")
        self.wait_for(other, "Completed")
        self.assertEqual(list(self.details(other)["logFiles"]), ["azureml-logs/70_driver_log.txt"])

    def test_managed_identity(self):
        self.submit("curl -s --noproxy '*' -H \"X-IDENTITY-HEADER: $IDENTITY_HEADER\" "
                    "\"$IDENTITY_ENDPOINT?api-version=2019-08-01&resource=https://management.azure.com\"",
                    identity={"identityType": "Managed"})
        self.wait_for(self.name, "Completed")
        self.assertIn("access_token", self.log(self.name).json)


class Cancel(AzureTest):
    def cancel(self, name=None):
        return self.arm("POST", f"/jobs/{name or self.name}/cancel")

    def test_running(self):
        self.settings(grace=1000)
        self.submit("trap 'echo told; exit 3' TERM; echo $$; while true; do sleep 0.01; done")
        self.wait_for(self.name, "Running")
        until(30, "it runs", lambda: self.log(self.name).body)
        self.act("hold", at="CancelRequested")
        answer = self.cancel()
        self.assertEqual((answer.status, self.status(self.name)), (202, "CancelRequested"))
        place = answer.headers["Location"]
        self.assertEqual(self.at(place, **self.token).status, 202)
        self.act("release")
        self.wait_for(self.name, "Canceled")
        self.assertEqual(self.at(place, **self.token).status, 200)
        self.assertIn("told", self.log(self.name).text)
        self.refused(self.cancel(), 409, "UserError")

    def test_waiting(self):
        for status in ("NotStarted", "Queued"):
            name = f"{self.name}-{status}"
            self.act("hold", name, at=status)
            self.submit("true", name=name, displayName=name)
            self.wait_for(name, status)
            self.assertEqual(self.cancel(name).status, 202)
            self.wait_for(name, "Canceled")
            self.assertEqual(self.seen(name)["starts"], 0)

    def test_the_end_wins(self):
        self.act("hold", at="Finalizing")
        self.submit("true")
        self.wait_for(self.name, "Finalizing")
        self.assertEqual(self.cancel().status, 202)
        self.act("release")
        self.wait_for(self.name, "Completed")

    def test_what_does_not_listen_is_killed(self):
        self.settings(grace=0.1)
        self.submit("trap '' TERM; echo; while true; do sleep 0.01; done")
        self.wait_for(self.name, "Running")
        until(30, "it runs", lambda: self.log(self.name).body)
        pid = self.seen(self.name)["pids"][0]
        self.cancel()
        self.wait_for(self.name, "Canceled")
        self.assertFalse(lives(pid))

    def test_answers(self):
        self.refused(self.cancel("none"), 404, "UserError")
        self.settings(cancelReply=200)
        self.submit("sleep 1000")
        self.assertEqual(self.cancel().status, 200)


class Lists(AzureTest):
    def names(self, **query):
        """Through all pages."""
        found, answer = [], self.get("/jobs", **query)
        while True:
            found += [one["name"] for one in answer["value"]]
            if not answer["nextLink"]:
                return found
            answer = self.at(answer["nextLink"], **self.token).json

    def test_pages(self):
        self.azure.control("fill", name=self.name, count=5, tags={self.name: "n{number}"})
        self.settings(pageSize=2)
        self.assertEqual(self.names(tag=self.name), [f"{self.name}-{number}" for number in (5, 4, 3, 2, 1)])
        asked = self.azure.requests("/jobs$", "GET")[-3:]
        self.assertEqual([one["arguments"].get("$skip") for one in asked], [None, "2", "4"])
        self.assertEqual({one["arguments"]["tag"] for one in asked}, {self.name})
        self.assertEqual(self.seen(f"{self.name}-3")["tags"], {self.name: "n3"})

    def test_filters(self):
        self.submit("true", tags={self.name: "x"}, properties={"kind": self.name})
        self.wait_for(self.name, "Completed")
        for query, expected in (({"tag": self.name}, [self.name]), ({"tag": "none"}, []), ({"jobType": "Sweep"}, []),
                                ({"properties/kind": self.name}, [self.name]), ({"properties/kind": "none"}, [])):
            self.assertEqual(self.names(**query), expected)
        self.assertEqual(self.arm("PUT", f"/jobs/{self.name}", self.spec(properties={"kind": self.name}, isArchived=True)).status, 200)
        views = {view: self.names(tag=self.name, listViewType=view) for view in ("ActiveOnly", "ArchivedOnly", "All")}
        self.assertEqual(views, {"ActiveOnly": [], "ArchivedOnly": [self.name], "All": [self.name]})
        self.assertEqual(self.history(f"experiments/exp/runs/{self.name}", "PATCH", {"hidden": False}).json["hidden"], False)
        self.assertEqual(self.names(tag=self.name), [self.name])

    def test_delete(self):
        self.act("hold")
        self.submit("true")
        self.refused(self.arm("DELETE", f"/jobs/{self.name}"), 409)
        self.act("release")
        self.wait_for(self.name, "Completed")
        answer = self.arm("DELETE", f"/jobs/{self.name}")
        self.assertEqual(answer.status, 202)
        self.assertEqual(self.at(answer.headers["Location"], **self.token).status, 200)
        self.refused(self.arm("GET", f"/jobs/{self.name}"), 404)
        self.assertEqual(self.arm("DELETE", f"/jobs/{self.name}").status, 204)


class ByTests(AzureTest):
    def test_show(self):
        self.submit("sleep 1000")
        self.wait_for(self.name, "Running")
        self.act("show", status="NotResponding")
        self.assertEqual((self.status(self.name), self.details(self.name)["status"]), ("NotResponding", "NotResponding"))
        self.act("show", status="Invented")
        self.assertEqual(self.status(self.name), "Invented")
        self.act("show", hidden=True)
        self.refused(self.arm("GET", f"/jobs/{self.name}"), 404)
        self.assertEqual(self.history(f"runs/{self.name}/details").status, 404)
        self.act("show")
        self.assertEqual(self.status(self.name), "Running")
        self.act("cancel")
        self.wait_for(self.name, "Canceled")

    def test_preempt(self):
        marks = self.folder / self.name
        self.submit(f"echo x >> {marks}; [ $(wc -l < {marks}) -gt 1 ] || sleep 1000")
        until(30, "it runs", lambda: marks.exists() and marks.read_text())
        pid = self.seen(self.name)["pids"][0]
        self.act("preempt")
        self.wait_for(self.name, "Completed")
        self.assertEqual((self.seen(self.name)["starts"], marks.read_text()), (2, "x\nx\n"))
        until(30, "its first process is gone", lambda: not lives(pid))

    def test_left_behind(self):
        self.submit("echo; sleep 1000")
        self.wait_for(self.name, "Running")
        pid = self.seen(self.name)["pids"][0]
        self.act("fail", code="NodeLost", message="The node is gone.", leave=True)
        self.assertEqual(self.details(self.name)["error"]["error"], {"code": "NodeLost", "message": "The node is gone."})
        self.assertTrue(lives(pid))
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(self.azure.call("POST", "/control/job", {"action": "fail", "job": self.name}).status, 400)

    def test_faults(self):
        self.azure.fault("drop", method="PUT", path="/jobs/", times=1)
        with self.assertRaises(ConnectionError):
            self.submit("true")
        self.wait_for(self.name, "Completed")  # it was accepted
        self.azure.fault("status", status=429, retryAfter=3, times=1)
        answer = self.refused(self.arm("GET", "/jobs"), 429, "TooManyRequests")
        self.assertEqual(answer.headers["Retry-After"], "3")
        self.azure.fault("status", status=401, times=1)
        self.refused(self.arm("GET", "/jobs"), 401, "ExpiredAuthenticationToken")


class Tracking(AzureTest):
    def setUp(self):
        super().setUp()
        self.act("hold")
        self.submit(tags={"nni_exp": self.name})
        self.addCleanup(self.act, "cancel")

    def ok(self, answer):
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def bad(self, answer, status, code):
        self.assertEqual((answer.status, answer.json["error_code"]), (status, code), answer.text)

    def post(self, call, **members):
        return self.mlflow(call, {"run_id": self.name, **members})

    def metric(self, key="default", value=0.5, step=0):
        return {"key": key, "value": value, "timestamp": 1_700_000_000_000 + step, "step": step}

    def test_metrics(self):
        for step in range(3):
            self.assertEqual(self.ok(self.post("runs/log-metric", **self.metric(value=step / 2, step=step))), {})
        self.ok(self.post("runs/log-batch", metrics=[self.metric("loss", "NaN")], params=[{"key": "p", "value": "1"}],
                          tags=[{"key": "t", "value": "v"}]))
        found = self.ok(self.mlflow("metrics/get-history", run_id=self.name, metric_key="default", max_results=2))
        self.assertEqual(found, {"next_page_token": "2", "metrics": [
            {"key": "default", "value": step / 2, "timestamp": 1_700_000_000_000 + step, "step": str(step)} for step in range(2)]})
        found = self.ok(self.mlflow("metrics/get-history", run_id=self.name, metric_key="default", max_results=2, page_token="2"))
        self.assertEqual(([one["value"] for one in found["metrics"]], "next_page_token" in found), ([1.0], False))
        run = self.ok(self.mlflow("runs/get", run_id=self.name))["run"]
        self.assertEqual(run["info"]["status"], "SCHEDULED")
        self.assertEqual({one["key"]: one["value"] for one in run["data"]["metrics"]}, {"default": 1.0, "loss": "NaN"})
        self.assertEqual(run["data"]["params"], [{"key": "p", "value": "1"}])
        self.assertIn({"key": "t", "value": "v"}, run["data"]["tags"])
        self.assertEqual(self.get(f"/jobs/{self.name}")["properties"]["tags"]["t"], "v")

    def test_limits(self):
        self.bad(self.post("runs/log-batch", metrics=[self.metric()] * 251), 400, "INVALID_PARAMETER_VALUE")
        self.ok(self.post("runs/log-batch", metrics=[self.metric()] * 250))
        self.ok(self.post("runs/log-batch", metrics=[self.metric(f"m{number}") for number in range(49)]))
        self.bad(self.post("runs/log-metric", **self.metric("another")), 400, "RESOURCE_LIMIT_EXCEEDED")
        self.bad(self.post("runs/set-tag", key="k", value="v" * 5001), 400, "INVALID_PARAMETER_VALUE")
        self.ok(self.post("runs/log-parameter", key="k", value="v"))
        self.bad(self.post("runs/log-parameter", key="k", value="w"), 400, "INVALID_PARAMETER_VALUE")
        self.bad(self.post("runs/set-tag", key="k"), 400, "INVALID_PARAMETER_VALUE")
        self.bad(self.mlflow("runs/get", run_id="none"), 404, "RESOURCE_DOES_NOT_EXIST")
        self.bad(self.post("runs/nothing"), 404, "ENDPOINT_NOT_FOUND")

    def test_search(self):
        experiment = self.ok(self.mlflow("experiments/get-by-name", experiment_name="exp"))["experiment"]["experiment_id"]

        def found(text, **more):
            return [run["info"]["run_id"] for run in self.ok(self.mlflow("runs/search", {
                "experiment_ids": [experiment], "filter": text, **more}))["runs"]]

        self.assertEqual(found(f"tags.nni_exp = '{self.name}'"), [self.name])
        self.assertEqual(found(f"tags.nni_exp = '{self.name}' and attributes.status = 'FAILED'"), [])
        self.assertEqual(len(found("", max_results=1)), 1)
        self.bad(self.mlflow("runs/search", {"experiment_ids": [experiment], "filter": "metrics.x > 1"}), 400, "INVALID_PARAMETER_VALUE")

    def test_token_of_a_run(self):
        name = f"{self.name}-own"
        self.submit("echo $MLFLOW_TRACKING_TOKEN; url=https${MLFLOW_TRACKING_URI#azureml}/api/2.0/mlflow/runs/log-metric\n"
                    "echo \"Authorization: Bearer $MLFLOW_TRACKING_TOKEN\" | "  # other tests look for tokens in command lines
                    "curl -sf --noproxy '*' -H @- -H 'Content-Type: application/json' -d "
                    "\"{\\\"run_id\\\":\\\"$AZUREML_RUN_ID\\\",\\\"key\\\":\\\"final\\\",\\\"value\\\":2,\\\"timestamp\\\":3}\" $url",
                    name=name)
        self.wait_for(name, "Completed")
        self.assertEqual(self.seen(name)["metrics"], {"final": [[2.0, 3, 0]]})
        own = bearer(self.log(name).text.splitlines()[0])
        self.assertEqual(self.mlflow("runs/get", who=own, run_id=name).status, 200)
        self.bad(self.mlflow("runs/get", who=own, run_id=self.name), 403, "PERMISSION_DENIED")
        self.assertEqual(self.history(f"runs/{self.name}/details", who=own).status, 403)
        self.refused(self.arm("GET", "/jobs", who=own), 403, "AuthorizationFailed")

    def test_who_may(self):
        words = {"grant_type": "client_credentials", "client_id": self.azure.settings["client"], "client_secret": "s3cret",
                 "scope": "https://ml.azure.com/.default"}
        token = self.azure.call("POST", f"/{self.azure.settings['tenant']}/oauth2/v2.0/token", urllib.parse.urlencode(words)).json
        self.assertEqual(self.history(f"runs/{self.name}", who=bearer(token["access_token"])).status, 200)
        self.assertEqual(self.history(f"runs/{self.name}", who={"X-None": "1"}).status, 401)
        elsewhere = f"/history/v1.0{self.workspace.replace('Group1', 'x')}/runs/{self.name}"
        self.assertEqual(self.azure.call("GET", elsewhere, headers=self.token).status, 404)
        found = self.history("rundata", "POST", {"runId": self.name, "selectRunMetadata": True}).json
        self.assertEqual(found["runMetadata"]["runId"], self.name)


class End(AzureTest):
    def test_nothing_is_left(self):
        self.azure = StandIn("azure_server.py", lines=azure_test_case.LINES).start()
        self.addCleanup(self.azure.stop)
        self.token = bearer(self.azure.settings["token"])
        self.submit("sleep 1000 & echo; wait")
        self.wait_for(self.name, "Running")
        until(30, "it runs", lambda: self.log(self.name).body)
        pid = self.seen(self.name)["pids"][0]
        os.kill(self.azure.process.pid, signal.SIGKILL)
        folder = pathlib.Path(self.azure.settings["ca"]).parents[1]
        until(30, "all is gone", lambda: not lives(pid) and not folder.exists())


setUpModule = azure_test_case.start_server
tearDownModule = azure_test_case.stop_server

if __name__ == "__main__":
    azure_test_case.main()
