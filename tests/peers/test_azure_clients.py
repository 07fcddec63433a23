# SPDX-License-Identifier: GPL-3.0-or-later
"""Microsoft's own clients, and MLflow's, believe the stand-in for Azure: python3 test_azure_clients.py [unittest's arguments]."""

import json
import os
import pathlib
import subprocess
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "stand_ins"))

import azure_peer
import azure_test_case
from azure_test_case import AzureTest
from peer_venv import HERE, Missing
from stand_in_client import bearer, until

PYTHON = None
PASSED_ON = ("PATH", "LANG")


class ClientTest(AzureTest):
    def run_step(self, step, variables=None, **settings):
        """What a step of azure_client_steps.py found."""
        mine = self.azure.settings
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment.update(REQUESTS_CA_BUNDLE=mine["ca"], AZUREML_RUN_POLLING_INTERVAL_MIN="1", AZUREML_RUN_POLLING_INTERVAL_MAX="1",
                           NO_PROXY="*", HOME=str(self.folder), TMPDIR=str(self.folder), **(variables or {}))
        done = subprocess.run([str(PYTHON), "-B", str(HERE / "azure_client_steps.py"), step], input=json.dumps({**mine, **settings}),
                              env=environment, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def accepted(self, tokens):
        for token in tokens:
            self.assertEqual(self.arm("GET", "", who=bearer(token)).status, 200)


class Identity(ClientTest):
    def test_device_code(self):
        self.settings(device={"interval": 1, "pending": 1}, tokenSeconds=1)
        found = self.run_step("device_code")
        self.assertEqual((len(found["told"]), len(set(found["tokens"]))), (1, 2))
        grants = [urllib.parse.parse_qs(one["body"])["grant_type"][0].rpartition(":")[2] for one in self.azure.requests("/token$", "POST")]
        self.assertEqual(grants[-3:], ["device_code", "device_code", "refresh_token"])

    def test_programs_and_machines(self):
        mine = self.azure.settings
        self.accepted(self.run_step("identities", {
            "AZURE_TENANT_ID": mine["tenant"], "AZURE_CLIENT_ID": mine["client"], "AZURE_CLIENT_SECRET": mine["secret"],
            "IDENTITY_ENDPOINT": f"{mine['url']}/msi/token", "IDENTITY_HEADER": mine["identity"]})["tokens"])

    def test_wrong_secret(self):
        self.assertIn("AADSTS7000215", self.run_step("wrong_secret")["error"])


class MachineLearning(ClientTest):
    def test_run(self):
        found = self.run_step("run")
        self.assertEqual((found["submitted"], found["status"], found["tags"]), ("NotStarted", "Completed", {"nni_exp": "E"}))
        lines = found["log"].splitlines()
        start = lines.index("Streaming user_logs/std_log.txt") + 3
        self.assertEqual(lines[start:start + 3], ["hello world", "of the code", "bye"])
        self.assertIn("/runs/run-1?wsid=", found["studio"])
        self.assertEqual(found["made"]["artifacts/outputs/made.txt"], "made\n")
        self.assertEqual(len(self.azure.requests("startPendingUpload", "POST")), 1)  # the second job has found the code by its hash

    def test_fail(self):
        self.assertIn("exited with status code 7", self.run_step("fail")["error"])

    def test_manage(self):
        self.settings(pageSize=2)
        found = self.run_step("manage")
        listed = [name for name in found["listed"] if name.startswith("manage-")]
        self.assertEqual(listed, ["manage-2", "manage-1", "manage-0"])
        self.assertEqual(found["statuses"][:3], ["Canceled"] * 3)
        self.assertEqual(set(found["listed"]) - set(found["active"]), {"manage-0"})
        self.assertEqual(found["missing"], [404, "UserError"])
        self.assertEqual(found["computes"], {"gpu": ["amlcompute", "Standard_NC6s_v3", 4], "cpu": ["amlcompute", "Standard_NC6s_v3", 2]})
        self.assertEqual((found["workspaces"], found["store"]), ([["Workspace1", "westus"]], ["workspaceblobstore", "standinstore"]))
        self.assertEqual(found["tracking"], self.get("")["properties"]["mlFlowTrackingUri"])

    def test_cloud_by_its_document(self):
        document = f"{self.azure.url}/metadata/endpoints"
        found = self.run_step("cloud", {"ARM_CLOUD_METADATA_URL": document, "AZUREML_CURRENT_CLOUD": "StandIn"})
        self.assertEqual(found["computes"], ["gpu", "cpu"])


class Storage(ClientTest):
    def test_blobs(self):
        place = self.arm("POST", f"/codes/{self.name}/versions/1/startPendingUpload").json["blobReferenceForConsumption"]
        self.assertEqual(self.run_step("blobs", sas=place["credential"]["sasUri"]), {
            "same": True, "size": 5120, "piece": [255, 0, 1], "metadata": {"kind": "trial"}, "type": "text/x-mine",
            "pages": [["a b/0", "a b/1"], ["a b/2"]], "refused": [
                [409, "BlobAlreadyExists"], [404, "BlobNotFound"], [403, "AuthorizationPermissionMismatch"], [416, "InvalidRange"]]})
        blocks = [one for one in self.azure.requests("/a b/0$", "PUT") if one["arguments"].get("comp") == "block"]
        self.assertEqual((len(blocks), all("Content-MD5" in one["headers"] for one in blocks)), (6, True))


class Mlflow(ClientTest):
    def test_track(self):
        gate = self.gate()
        self.submit(f"echo $AZUREML_RUN_TOKEN\n{gate.ready()}{gate.wait()}")
        gate.came()
        token = until(30, "the log", lambda: self.log(self.name).text.strip())
        tracking = self.get("")["properties"]["mlFlowTrackingUri"]
        found = self.run_step("track", {"MLFLOW_TRACKING_TOKEN": token}, run=self.name, tracking=tracking)
        gate.open()
        self.assertEqual(found, {
            "history": [[0.0, 0], [0.5, 1], [1.0, 2]], "foreign": "PERMISSION_DENIED", "metrics": {"default": "1.0", "loss": "nan"},
            "params": {"p": "1"}, "tags": {"t": "v", "u": "w"}, "status": "RUNNING", "searched": [self.name]})


def setUpModule():
    global PYTHON
    try:
        PYTHON = azure_peer.python()
    except Missing as error:
        if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
            raise
        raise unittest.SkipTest(str(error)) from error
    azure_test_case.start_server()


tearDownModule = azure_test_case.stop_server

if __name__ == "__main__":
    azure_test_case.main()
