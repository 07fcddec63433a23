# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of the stand-in for Azure share."""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import urllib.parse

from stand_in_client import Gate, StandIn, bearer, until

NAMES = iter(range(1, 10_000))
VERSION = "2023-10-01"
LINES = ("url", "tenant", "client", "secret", "token", "identity", "subscription", "group", "workspace", "az", "ca")
IMAGE = "azureml://registries/azureml/environments/sklearn/versions/1"


def start_server(*arguments):
    AzureTest.folder = pathlib.Path(tempfile.mkdtemp(prefix="td-azure-"))
    AzureTest.azure = StandIn("azure_server.py", *arguments, lines=LINES).start()


def stop_server():
    AzureTest.azure.stop()
    shutil.rmtree(AzureTest.folder)


def main():
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and os.path.exists(sys.argv[1]):
        del sys.argv[1]  # the path of a program, as other tests take it
    unittest.main()


class AzureTest(unittest.TestCase):
    maxDiff = None
    azure = folder = None

    def setUp(self):
        self.name = f"job-{next(NAMES)}"
        self.token = bearer(self.azure.settings["token"])
        self.addCleanup(self.azure.control, "clear")

    # Requests.

    @property
    def workspace(self):
        settings = self.azure.settings
        return (f"/subscriptions/{settings['subscription']}/resourceGroups/{settings['group']}/providers/"
                f"Microsoft.MachineLearningServices/workspaces/{settings['workspace']}")

    def arm(self, method, path, properties=None, who=None, **query):
        """`path`: below the workspace, or an absolute one."""
        words = urllib.parse.urlencode({"api-version": VERSION, **query}, safe="$")
        where = path if path.startswith("/subscriptions") else self.workspace + path
        return self.azure.call(method, f"{where}?{words}", None if properties is None else {"properties": properties}, who or self.token)

    def get(self, path, **query):
        answer = self.arm("GET", path, **query)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def at(self, url, method="GET", body=None, **headers):
        """An address that the server gave out."""
        target = url.removeprefix(self.azure.url)
        self.assertNotEqual(target, url)
        return self.azure.call(method, target, body, {name.replace("_", "-"): value for name, value in headers.items()})

    def refused(self, answer, status, code=None):
        self.assertEqual(answer.status, status, answer.text)
        if code:
            self.assertEqual(answer.json["error"]["code"], code)
        return answer

    def history(self, path, method="GET", body=None, who=None):
        return self.azure.call(method, f"/history/v1.0{self.workspace}/{path}", body, who or self.token)

    def mlflow(self, call, body=None, who=None, **query):
        words = f"?{urllib.parse.urlencode(query)}" if query else ""
        return self.azure.call("GET" if body is None else "POST", f"/mlflow/v1.0{self.workspace}/api/2.0/mlflow/{call}{words}", body,
                               who or self.token)

    # Code and jobs.

    def upload(self, name=None, version="1", **files):
        """A code version of these files; its id."""
        path = f"/codes/{name or self.name}/versions/{version}"
        place = self.arm("POST", f"{path}/startPendingUpload").json["blobReferenceForConsumption"]
        folder, sas = place["blobUri"], place["credential"]["sasUri"].partition("?")[2]
        for file, text in files.items():
            answer = self.at(f"{folder}/code/{file.replace('__', '/').replace('_', '.')}?{sas}", "PUT", text, x_ms_blob_type="BlockBlob")
            self.assertEqual(answer.status, 201, answer.text)
        answer = self.arm("PUT", path, {"codeUri": f"{folder}/code"})
        self.assertEqual(answer.status, 201, answer.text)
        return answer.json["id"]

    def spec(self, command="true", **more):
        return {"jobType": "Command", "displayName": self.name, "experimentName": "exp", "command": command, "environmentId": IMAGE,
                "computeId": f"{self.workspace}/computes/gpu", "tags": {"nni_exp": "E"}, **more}

    def submit(self, command="true", name=None, **more):
        """Its name."""
        name = name or self.name
        answer = self.arm("PUT", f"/jobs/{name}", self.spec(command, **more))
        self.assertEqual((answer.status, answer.json["properties"]["status"]), (201, "NotStarted"), answer.text)
        return name

    def status(self, name):
        return self.get(f"/jobs/{name}")["properties"]["status"]

    def wait_for(self, name, *statuses):
        try:
            return until(30, f"{name} is {statuses}", lambda: (found := self.status(name)) in statuses and found)
        except AssertionError as error:
            raise AssertionError(f"{error}, but {self.status(name)}") from error

    def details(self, name):
        answer = self.history(f"runs/{name}/details")
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def log(self, name, file="user_logs/std_log.txt", **headers):
        return self.at(self.details(name)["logFiles"][file], **headers)

    def seen(self, name):
        """What the server knows of it."""
        return next(found for found in self.azure.jobs() if found["id"] == name)

    # What a test asks of the server.

    def settings(self, **changes):
        """Until the test ends."""
        before = self.azure.call("GET", "/control/settings").json
        self.addCleanup(self.azure.control, "settings", {name: before[name] for name in changes})
        self.azure.control("settings", changes)

    def act(self, action, name=None, **members):
        return self.azure.control("job", {"action": action, "job": f"^{name or self.name} ", **members})

    def gate(self):
        return Gate(self.folder / f"{self.name}.pipe")
