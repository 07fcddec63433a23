# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stand-in for OpenPAI answers: python3 test_openpai_server.py [unittest's arguments]."""

import json
import time

from openpai_test_case import API, LOGIN, OpenPaiTest, main, spec, start_server, stop_server
from stand_in_client import basic, bearer, until

YAML = """\
protocolVersion: 2
name: NAME                                # a comment
type: job
jobRetryCount: 0
prerequisites:
  - {type: dockerimage, name: docker_image_0, uri: "msranni/nni:latest"}
taskRoles:
  taskrole:
    instances: 1
    completion: {minFailedInstances: 1, minSucceededInstances: -1}
    taskRetryCount: 0
    dockerImage: docker_image_0
    resourcePerInstance: {gpu: 1, cpu: 4, memoryMB: 8192}
    commands: ["echo from yaml"]
defaults: {virtualCluster: default}
extras:
  submitFrom: submit-job-v2
"""


class Accounts(OpenPaiTest):
    def test_information_needs_no_token(self):
        self.assertEqual(self.pai.call("GET", f"{API}/info").json, {
            "name": "PAI RESTful API", "version": "v1.8.0", "launcherType": "k8s", "authnMethod": "basic"})
        self.assertEqual(self.pai.call("GET", "/rest-server/api/v1/authn/info").json, {
            "authn_type": "basic", "loginURI": "/api/v1/authn/basic/login", "loginURIMethod": "post"})

    def test_login(self):
        for path in (LOGIN, "/rest-server/api/v1/token", f"{API}/tokens", f"{API}/authn/basic/login"):
            answer = self.pai.call("POST", path, {"username": "u", "password": "secret6", "expiration": 60})
            self.assertEqual((answer.status, answer.json["user"], answer.json["admin"]), (200, "u", False))
        found = self.get("/tokens/check", bearer(answer.json["token"]))
        self.assertEqual((found["username"], found["application"], found["admin"]), ("u", False, False))
        self.assertEqual(found["exp"] - found["iat"], 604_800)  # not the 60 that were asked for
        admin = self.pai.call("POST", LOGIN, {"username": "admin", "password": "secret8"}).json
        self.assertIs(admin["admin"], True)

    def test_login_is_refused(self):
        def refused(code, **members):
            self.assert_error(self.pai.call("POST", LOGIN, members), 400, code)
        refused("IncorrectPasswordError", username="u", password="secret7")
        refused("NoUserError", username="nobody", password="secret7")
        refused("InvalidParametersError", username="u", password="short")
        refused("InvalidParametersError", username="u v", password="secret6")
        refused("InvalidParametersError", username="u", password="secret6", expiration=59)

    def test_bad_tokens_look_alike(self):
        self.assert_error(self.pai.call("GET", f"{API}/jobs"), 401, "UnauthorizedUserError", "Guest is not allowed to do this operation.")
        token = self.log_in()
        self.get("/jobs", token)
        revoked = self.pai.call("DELETE", f"{API}/tokens/{token['Authorization'].split()[1]}", headers=token)
        self.assertEqual(revoked.status, 200, revoked.text)
        self.settings(tokenSeconds=-1)
        expired = self.log_in()
        app = self.pai.settings["token"]
        for bad in (token, expired, bearer("x.y.z"), bearer(app + "x"), basic("other", app), basic("u", "secret6"), {"Authorization": app}):
            self.assert_error(self.pai.call("GET", f"{API}/jobs", headers=bad), 401, "UnauthorizedUserError", "Your token is invalid.")

    def test_logout(self):
        self.settings(tokenSeconds=1000)  # another token than those of other tests in the same second
        token = self.log_in()
        self.assertEqual(self.pai.call("DELETE", "/rest-server/api/v1/authn/basic/logout", headers=token).status, 200)
        self.assertEqual(self.pai.call("GET", f"{API}/jobs", headers=token).status, 401)

    def test_application_token(self):
        person = self.log_in()
        answer = self.pai.call("POST", f"{API}/tokens/application", headers=person)
        self.assertEqual((answer.status, answer.json["application"]), (200, True))
        token = answer.json["token"]
        for way in (bearer(token), basic("u", token)):
            found = self.get("/tokens/check", way)
            self.assertEqual((found["application"], "exp" in found), (True, False))
        self.assertIn(token, self.get("/tokens", person)["tokens"])
        for method, path in (("POST", "/tokens/application"), ("GET", "/tokens"), ("DELETE", f"/tokens/{token}")):
            answer = self.pai.call(method, API + path, headers=bearer(token))
            self.assert_error(answer, 403, "ForbiddenUserError")
            self.assertTrue(answer.json["message"].startswith("Applications are not allowed"))

    def test_revoked_now_and_allowed_again(self):
        self.pai.control("tokens", revoke=True)
        self.assertEqual(self.pai.call("GET", f"{API}/jobs", headers=self.token).status, 401)
        self.assertEqual(self.pai.call("GET", f"{API}/jobs", headers=self.log_in()).status, 200)  # a new one is good
        self.pai.control("tokens", allow=True)
        self.get("/jobs")

    def test_clock_skew(self):
        self.settings(skew=86_400)
        before = time.time()
        answer = self.pai.call("POST", LOGIN, {"username": "u", "password": "secret6"})
        issued = self.get("/tokens/check", bearer(answer.json["token"]))["iat"]
        self.assertTrue(before - 1 <= issued - 86_400 <= time.time() + 1)
        date = time.mktime(time.strptime(answer.headers["Date"], "%a, %d %b %Y %H:%M:%S GMT")) - time.timezone
        self.assertTrue(before - 1 <= date - 86_400 <= time.time() + 1)

    def test_oidc(self):
        self.settings(oidc=True)
        self.assertEqual(self.pai.call("GET", f"{API}/info").json["authnMethod"], "OIDC")
        self.assertEqual(self.pai.call("GET", "/rest-server/api/v1/authn/info").json, {
            "authn_type": "oidc", "loginURI": "/api/v1/authn/oidc/login", "loginURIMethod": "get"})
        self.assert_error(self.pai.call("POST", LOGIN, {"username": "u", "password": "secret6"}), 404, "NoApiError")
        answer = self.pai.call("GET", "/rest-server/api/v1/authn/oidc/login?redirect_uri=http://here")
        self.assertEqual(answer.status, 302)
        self.assertIn("response_type=code&response_mode=form_post", answer.headers["Location"])
        self.get("/jobs")  # A token from the portal is still good.


class Submit(OpenPaiTest):
    def test_yaml(self):
        answer = self.submit(YAML.replace("NAME", self.name))
        self.assertEqual(answer.status, 202, answer.text)
        self.wait_for(f"u~{self.name}", "SUCCEEDED")
        self.assertEqual(self.log(f"u~{self.name}", "stdout").text, "from yaml\n")
        answer = self.submit(YAML.replace("NAME", f"{self.name}_y").replace('["echo from yaml"]', "[yes, true]"))
        self.assertEqual([found["params"] for found in json.loads(answer.json["message"])], [{"type": "string"}])  # of `true` only

    def test_json_in_yaml_is_kept(self):
        job = self.run_job("echo ünïcode '\U0001f600' \"a/b\"")
        answer = self.pai.call("GET", f"{API}/jobs/{job}/config", headers=self.token)
        self.assertEqual(answer.headers["Content-Type"].partition(";")[0], "text/yaml")
        self.assertEqual(answer.json, spec(self.name, "echo ünïcode '\U0001f600' \"a/b\""))
        self.wait_for(job, "SUCCEEDED")
        self.assertEqual(self.log(job, "stdout").text, "ünïcode \U0001f600 a/b\n")

    def test_secrets_are_masked(self):
        job = self.run_job("echo <% $secrets.key %> <%$parameters.rate%>", job={"secrets": {"key": "open"}, "parameters": {"rate": 0.5}})
        self.wait_for(job, "SUCCEEDED")
        self.assertEqual(self.log(job, "stdout").text, "open 0.5\n")
        self.assertEqual(self.pai.call("GET", f"{API}/jobs/{job}/config", headers=self.token).json["secrets"], {"key": "******"})

    def test_only_yaml(self):
        for kind in ("application/json", "text/plain"):
            answer = self.submit(spec(self.name), kind=kind)
            self.assert_error(answer, 400, "InvalidProtocolError")
            self.assertEqual([found["message"] for found in json.loads(answer.json["message"])], ["should be object"])

    def test_size_limit(self):
        text = json.dumps(spec(self.name))
        answer = self.submit(text + " " * (102_401 - len(text)))
        self.assertEqual((answer.status, answer.json), (413, {"message": "request entity too large"}))
        self.assertEqual(self.submit(text + " " * (102_400 - len(text))).status, 202)

    def test_broken_yaml(self):
        answer = self.submit("name: [a\ntype: job")
        self.assertEqual((answer.status, list(answer.json)), (500, ["message"]))
        self.assertIn("line 2", answer.json["message"])

    def test_schema(self):
        role = spec("x")["taskRoles"]["taskrole"]
        cases = (
            ("required", {"taskRoles": None}), ("required", {"protocolVersion": None}), ("required", {"type": None}),
            ("additionalProperties", {"comment": "x"}), ("pattern", {"name": "a.b"}), ("maxLength", {"name": "a" * 256}),
            ("minimum", {"jobRetryCount": -1}), ("enum", {"protocolVersion": 1}),
            ("additionalProperties", {"taskRoles": {"task-role": role}}),
            ("additionalProperties", {"taskRoles": {"r": {**role, "env": {}}}}),
            ("minItems", {"taskRoles": {"r": {**role, "commands": []}}}),
            ("required", {"taskRoles": {"r": {**role, "resourcePerInstance": {"gpu": 1, "cpu": 1}}}}),
            ("type", {"taskRoles": {"r": {**role, "resourcePerInstance": {"gpu": 0.5, "cpu": 1, "memoryMB": 1}}}}),
        )
        for keyword, change in cases:
            with self.subTest(keyword=keyword, change=str(change)[:60]):
                job = {name: value for name, value in {**spec(self.name), **change}.items() if value is not None}
                answer = self.submit(job)
                self.assert_error(answer, 400, "InvalidProtocolError")
                errors = json.loads(answer.json["message"])
                self.assertEqual(list(errors[0]), ["keyword", "dataPath", "schemaPath", "params", "message"])
                self.assertIn(keyword, [found["keyword"] for found in errors])
        self.assertEqual(json.loads(self.submit({"name": 1}).json["message"])[-1]["dataPath"], ".name")

    def test_image_must_be_there(self):
        answer = self.submit(spec(self.name, dockerImage="other_image"))
        self.assert_error(answer, 400, "InvalidProtocolError")
        self.assertIn("other_image", answer.json["message"])

    def test_template_must_close(self):
        self.assert_error(self.submit(spec(self.name, "cat <% x")), 400, "InvalidProtocolError")

    def test_rights(self):
        job = spec(self.name, job={"defaults": {"virtualCluster": "private"}})
        self.assert_error(self.submit(job), 403, "ForbiddenUserError", "User u is not allowed to do operation in private")
        self.assertEqual(self.submit(job, self.log_in("other", "secret7")).status, 202)
        extras = {"storages": [{"name": "nostorage", "mountPath": "/mnt/x"}]}
        self.assert_error(self.submit(spec(self.name, job={"extras": extras})), 404, "NoStorageError")
        extras = {"storages": [{"name": "privatestorage"}]}
        self.assert_error(self.submit(spec(self.name, job={"extras": extras})), 403, "ForbiddenUserError")

    def test_name_is_for_ever(self):
        job = self.run_job()
        self.wait_for(job, "SUCCEEDED")
        self.assert_error(self.submit(spec(self.name)), 409, "ConflictJobError", f"Job {job} already exists.")
        self.assertEqual(self.submit(spec(self.name), self.log_in("other", "secret7")).status, 202)

    def test_unknown_paths(self):
        job = self.run_job()
        for method, path in (("DELETE", f"/jobs/{job}"), ("GET", "/nothing"), ("POST", f"/jobs/{job}")):
            self.assert_error(self.pai.call(method, API + path, headers=self.token), 404, "NoApiError")
        self.assertEqual(self.pai.call("GET", "/api/v2/info").status, 404)

    def test_server_is_down(self):
        self.settings(down="controller")
        self.assert_error(self.submit(spec(self.name)), 500, "ECONNREFUSED")
        self.get("/jobs")
        self.settings(down="database")
        for answer in (self.submit(spec(self.name)), self.pai.call("GET", f"{API}/jobs", headers=self.token)):
            self.assertEqual(answer.status, 500)
            self.assertTrue(answer.json["message"].startswith("There is a problem with your database connection."))
        self.settings(down=None)
        self.assertEqual(self.pai.call("GET", f"{API}/jobs/u~{self.name}", headers=self.token).status, 404)


class Lists(OpenPaiTest):
    def names(self, query, who=None):
        return [found["name"] for found in self.get(f"/jobs?{query}", who)]

    def test_filters(self):
        self.pai.control("fill", name=f"{self.name}_s", count=3)
        self.pai.control("fill", name=f"{self.name}_f", count=2, state="FAILED")
        self.pai.control("fill", name=f"{self.name}_o", count=1, state="WAITING", user="other")
        mine = f"keyword={self.name}_&"
        self.assertEqual(len(self.names(mine)), 6)
        self.assertEqual(len(self.names(mine + "username=u")), 5)
        self.assertEqual(self.names(mine + "username=other"), [f"{self.name}_o-1"])
        self.assertEqual(len(self.names(mine + "username=u,other&state=WAITING,SUCCEEDED")), 4)
        self.assertEqual(len(self.names(mine + "state=FAILED")), 2)
        self.assertEqual(self.names(mine + "vc=private"), [])
        self.assertEqual(len(self.names(mine + "vc=default&jobPriority=default")), 6)
        self.assertEqual(self.names(mine + "jobPriority=prod"), [])
        tag = self.pai.call("PUT", f"{API}/jobs/u~{self.name}_s-2/tag", {"value": "nni"}, self.token)
        self.assertEqual(tag.status, 200, tag.text)
        self.assertEqual(self.names(mine + "tagsContain=nni,other"), [f"{self.name}_s-2"])
        self.assertEqual(len(self.names(mine + "tagsNotContain=nni")), 5)
        self.assertEqual(self.names(mine + "username=u&order=jobName,ASC"),
                         [f"{self.name}_{end}" for end in ("f-1", "f-2", "s-1", "s-2", "s-3")])
        self.assertEqual(self.names(mine + "username=u&order=submissionTime,DESC&state=SUCCEEDED"),
                         [f"{self.name}_s-{number}" for number in (3, 2, 1)])
        self.assertEqual(len(self.names(f"keyword={self.name}_o-1")), 1)

    def test_form(self):
        job = self.run_job("exit 4", resourcePerInstance={"gpu": 1, "cpu": 1, "memoryMB": 1})
        self.wait_for(job, "FAILED")
        found = self.get(f"/jobs?keyword={self.name}&withTotalCount=true")
        self.assertEqual((sorted(found), found["totalCount"]), (["data", "totalCount"], 1))
        item = found["data"][0]
        expected = {"name": self.name, "username": "u", "state": "FAILED", "subState": "Completed", "executionType": "START", "tags": [],
                    "retries": 0, "appExitCode": 4, "virtualCluster": "default", "totalGpuNumber": 1, "totalTaskNumber": 1}
        self.assertEqual({name: item.get(name) for name in expected}, expected)
        self.assertEqual(item["debugId"], self.get(f"/jobs/{job}")["debugId"])
        self.assertTrue(all(isinstance(item[name], int) for name in ("submissionTime", "createdTime", "launchedTime", "completedTime")))
        self.assertEqual(self.get(f"/jobs?keyword={self.name}"), found["data"])

    def test_pages(self):
        self.pai.control("fill", name=self.name, count=5200)
        words = f"username=u&keyword={self.name}-"
        self.assertEqual(len(self.names(words)), 5000)  # where no limit is given
        self.assertEqual(len(self.names(words + "&limit=50000")), 5200)
        pages = [self.get(f"/jobs?{words}&withTotalCount=true&offset={offset}&limit=2000") for offset in (0, 2000, 4000, 6000)]
        self.assertEqual([len(page["data"]) for page in pages], [2000, 2000, 1200, 0])
        self.assertEqual({page["totalCount"] for page in pages}, {5200})
        self.assertEqual(len({item["name"] for page in pages for item in page["data"]}), 5200)
        for query in ("limit=50001", "limit=x", "offset=-1", "order=beauty,ASC"):
            self.assert_error(self.pai.call("GET", f"{API}/jobs?{query}", headers=self.token), 400, "InvalidParametersError")

    def test_others_in_a_cluster_without_right(self):
        answer = self.submit(spec(self.name, job={"defaults": {"virtualCluster": "private"}}), self.log_in("other", "secret7"))
        self.assertEqual(answer.status, 202, answer.text)
        self.assertEqual(self.names(f"keyword={self.name}"), [])
        self.assertEqual(self.names(f"keyword={self.name}", self.log_in("admin", "secret8")), [self.name])

    def test_tags(self):
        job = self.run_job()
        self.assert_error(self.pai.call("PUT", f"{API}/jobs/{job}/tag", {"value": "a,b"}, self.token), 400, "InvalidParametersError")
        self.pai.call("PUT", f"{API}/jobs/{job}/tag", {"value": "a"}, self.token)
        self.assertEqual(self.get(f"/jobs/{job}")["tags"], ["a"])
        self.assertEqual(self.pai.call("DELETE", f"{API}/jobs/{job}/tag", {"value": "a"}, self.token).status, 200)
        self.assert_error(self.pai.call("DELETE", f"{API}/jobs/{job}/tag", {"value": "a"}, self.token), 404, "NoTagError")


class Rest(OpenPaiTest):
    def test_logs(self):
        job = self.run_job("printf '%020000d' 7; echo bad >&2")
        self.wait_for(job, "SUCCEEDED")
        self.assertEqual(len(self.log(job, "stdout").text), 20_000)
        self.assertEqual(self.log(job, "stderr").text, "bad\n")
        self.assertEqual(self.log(job, "all", tail=True).body[-5:], b"7bad\n")
        self.assertEqual(len(self.log(job, "stdout", tail=True).body), 16_384)
        self.settings(logs="azure_storage")
        self.assertEqual((self.log(job, "stderr").status, self.log(job, "stderr").text), (200, "bad\n"))
        answer = self.log(job, "stdout", tail=True)
        self.assertEqual((answer.status, len(answer.body)), (206, 16_384))
        self.settings(logs="unreachable")
        place = f"{API}/jobs/{job}/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs"
        self.assert_error(self.pai.call("GET", place, headers=self.token), 500, "UnknownError", "Failed to get log list")

    def test_no_log_yet(self):
        self.pai.control("job", action="hold", job=self.name)
        job = self.run_job()
        place = f"{API}/jobs/{job}/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs"
        self.assert_error(self.pai.call("GET", place, headers=self.token), 404, "NoTaskLogError")

    def test_address_of_a_log_is_signed(self):
        job = self.run_job()
        self.wait_for(job, "SUCCEEDED")
        place = f"{API}/jobs/{job}/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs"
        uri = self.pai.call("GET", place, headers=self.token).json["locations"][0]["uri"]
        self.assertTrue(uri.startswith("/log-manager/127.0.0.1:9103/api/v1/logs/"))
        self.assertEqual(self.pai.call("GET", uri).status, 200)
        self.assertEqual(self.pai.call("GET", uri[:-1] + ("0" if uri[-1] != "0" else "1")).status, 403)

    def test_ssh_events_and_skus(self):
        job = self.run_job()
        self.assert_error(self.pai.call("GET", f"{API}/jobs/{job}/ssh", headers=self.token), 404, "NoJobSshInfoError")
        self.assertEqual(self.get(f"/jobs/{job}/events"), {"totalCount": 0, "data": []})
        self.assertEqual(len(self.get("/cluster/sku-types?vc=default")), 1)
        self.assert_error(self.pai.call("GET", f"{API}/jobs/u~none/config", headers=self.token), 404, "NoJobError")

    def test_storages(self):
        self.assertEqual(self.get("/storages"), {"storages": [
            {"name": "confignfs", "share": True, "volumeName": "pv1", "default": True},
            {"name": "blobs", "share": True, "volumeName": "pv2", "default": False}]})
        self.assertEqual([found["name"] for found in self.get("/storages?default=true")["storages"]], ["confignfs"])
        found = self.get("/storages/confignfs")
        self.assertEqual((found["type"], found["data"]), ("nfs", {"server": "127.0.0.1", "path": str(self.folder / "storage")}))
        found = self.get("/storages/blobs")
        self.assertEqual((found["type"], found["data"]), (
            "azureBlob", {"containerName": "c", "accountName": "account", "accountKey": "a2V5=="}))
        self.assert_error(self.pai.call("GET", f"{API}/storages/privatestorage", headers=self.token), 403, "ForbiddenUserError")
        self.assert_error(self.pai.call("GET", f"{API}/storages/nothing", headers=self.token), 404, "NoStorageError")

    def test_virtual_clusters(self):
        found = self.get("/virtual-clusters")
        self.assertEqual(sorted(found), ["default", "private"])
        self.assertEqual(sorted(found["default"]), ["capacity", "dedicated", "resourcesGuaranteed", "resourcesTotal", "resourcesUsed",
                                                    "usedCapacity"])
        self.assert_error(self.pai.call("GET", f"{API}/virtual-clusters/none", headers=self.token), 404, "NoVirtualClusterError")

    def test_rate_limit(self):
        self.settings(limits={"list": 60, "seconds": 600})  # longer than any machine takes for them
        begin = time.time()
        answers = [self.pai.call("GET", f"{API}/jobs?limit=1", headers=self.token)]
        began = time.time()
        answers += [self.pai.call("GET", f"{API}/jobs?limit=1", headers=self.token) for _ in range(60)]
        self.assertEqual([answer.status for answer in answers], [200] * 60 + [429])
        self.assertEqual(answers[0].headers["X-RateLimit-Remaining"], "59")
        last = answers[-1]
        self.assertEqual(last.text, "Too many requests, please try again later.")
        self.assertTrue(last.headers["Content-Type"].startswith("text/plain"))
        self.assertEqual([last.headers[name] for name in ("Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining")], ["600", "60", "0"])
        reset = int(answers[0].headers["X-RateLimit-Reset"])
        self.assertTrue(begin + 600 <= reset < began + 601, (begin, reset, began))
        self.assertEqual(self.pai.call("GET", f"{API}/jobs", headers=self.log_in("other", "secret7")).status, 200)  # of each user
        self.pai.control("settings", limits={"list": 1, "seconds": 0.1})
        self.addCleanup(self.pai.control, "settings", limits={"seconds": 60})
        self.get("/jobs?limit=1")
        until(60, "another while", lambda: self.pai.call("GET", f"{API}/jobs?limit=1", headers=self.token).status == 200)

    def test_pretended_jobs(self):
        self.settings(pretend=0.1)
        job = self.run_job("exit 9")
        self.wait_for(job, "SUCCEEDED")
        self.assertEqual(next(found for found in self.pai.jobs() if found["id"] == job)["pids"], [])


def setUpModule():
    start_server()


def tearDownModule():
    stop_server()


if __name__ == "__main__":
    main()
