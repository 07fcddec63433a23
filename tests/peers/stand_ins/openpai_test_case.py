# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of the stand-in for OpenPAI share."""

import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from stand_in_client import Gate, StandIn, bearer, until

API = "/rest-server/api/v2"
LOGIN = "/rest-server/api/v1/authn/basic/login"
NAMES = iter(range(1, 10_000))


def spec(name, command="true", **more):
    """A minimal complete job. `more`: members of its task role; those of the job are in `job`."""
    job = more.pop("job", {})
    return {"protocolVersion": 2, "name": name, "type": "job", "jobRetryCount": 0,
            "prerequisites": [{"type": "dockerimage", "name": "docker_image_0", "uri": "msranni/nni:latest"}],
            "taskRoles": {"taskrole": {"instances": 1, "completion": {"minFailedInstances": 1, "minSucceededInstances": -1},
                                       "taskRetryCount": 0, "dockerImage": "docker_image_0",
                                       "resourcePerInstance": {"gpu": 0, "cpu": 4, "memoryMB": 8192}, "commands": [command], **more}},
            "defaults": {"virtualCluster": "default"}, "extras": {"submitFrom": "submit-job-v2"}, **job}


def start_server():
    """A server with a storage `confignfs`, which is a folder, and one of Azure, `blobs`; and the folder around them."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="td-pai-"))
    (folder / "storage").mkdir()
    os.environ["HOSTNAME_OF_TEST"] = "not for jobs"
    OpenPaiTest.folder = folder
    OpenPaiTest.pai = StandIn("openpai_server.py", "--root", str(folder / "root"), "--storage", f"confignfs={folder}/storage", "--blob",
                              "blobs=c,account,a2V5==", lines=("url", "token")).start()


def stop_server():
    OpenPaiTest.pai.stop()
    shutil.rmtree(OpenPaiTest.folder)


def main():
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and os.path.exists(sys.argv[1]):
        del sys.argv[1]  # the path of a program, as other tests take it
    unittest.main()


class OpenPaiTest(unittest.TestCase):
    maxDiff = None
    pai = folder = None

    def setUp(self):
        self.name = f"job_{next(NAMES)}"
        self.token = bearer(self.pai.settings["token"])
        self.addCleanup(self.pai.control, "clear")

    # Requests.

    def log_in(self, name="u", password="secret6"):
        answer = self.pai.call("POST", LOGIN, {"username": name, "password": password})
        self.assertEqual(answer.status, 200, answer.text)
        return bearer(answer.json["token"])

    def get(self, path, who=None):
        answer = self.pai.call("GET", API + path, headers=who or self.token)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def submit(self, text, who=None, kind="text/yaml"):
        text = text if isinstance(text, (str, bytes)) else json.dumps(text)
        return self.pai.call("POST", f"{API}/jobs", text, {**(who or self.token), "Content-Type": kind})

    def run_job(self, command="true", **more):
        """Submits one; its id."""
        answer = self.submit(spec(self.name, command, **more))
        self.assertEqual((answer.status, answer.json), (202, {
            "status": 202, "message": f"Update job {self.name} for user u successfully."}))
        return f"u~{self.name}"

    def status(self, job):
        return self.get(f"/jobs/{job}")["jobStatus"]

    def wait_for(self, job, *states):
        def there():
            found = self.status(job)
            return found["state"] in states and found
        try:
            return until(30, f"{job} is {states}", there)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.status(job)}") from error

    def stop(self, job, who=None):
        return self.pai.call("PUT", f"{API}/jobs/{job}/executionType", {"value": "STOP"}, who or self.token)

    def settings(self, **changes):
        """Until the test ends."""
        before = self.pai.call("GET", "/control/settings").json
        self.addCleanup(self.pai.control, "settings", {name: before[name] for name in changes})
        self.pai.control("settings", changes)

    def act(self, action, job, **members):
        return self.pai.control("job", {"action": action, "job": f"^{job}$", **members})

    def gate(self):
        return Gate(self.folder / f"{self.name}.pipe")

    def log(self, job, name, tail=False):
        task = self.get(f"/jobs/{job}")["taskRoles"]["taskrole"]["taskStatuses"][0]
        answer = self.pai.call("GET", "/rest-server" + task["containerLog"] + ("?tail-mode=true" if tail else ""), headers=self.token)
        self.assertEqual(answer.status, 200, answer.text)
        places = {place["name"]: place["uri"] for place in answer.json["locations"]}
        self.assertEqual(list(places), ["all", "stdout", "stderr"])
        return self.pai.call("GET", places[name].removeprefix(self.pai.url))

    def assert_error(self, answer, status, code, message=None):
        self.assertEqual((answer.status, answer.json.get("code")), (status, code), answer.text)
        self.assertEqual(answer.headers["Content-Type"], "application/json; charset=utf-8")
        if message is not None:
            self.assertEqual(answer.json["message"], message)
