# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for Azure Machine Learning: python3 -B azure_server.py [--compute NAME=NODES]… [--client ID:SECRET] [--token-seconds N]
[--subscription ID] [--group NAME] [--workspace NAME] [--plain] [--port N]

Entra ID, Azure Resource Manager, the addresses of a region (run history, MLflow) and a storage account, chosen by path on one port, by
https unless --plain is given. Prints `url=`, `tenant=`, `client=`, `secret=`, `token=` (good for all of it), `identity=` (the header of
IDENTITY_ENDPOINT), `subscription=`, `group=`, `workspace=`, `az=` (a program as the one of Azure) and `ca=`, and stays until its standard
input ends. Jobs run as processes of this machine, in a copy of their code. Besides what stand_in.py has, a test may ask with POST /control/…

    job       {"action":…,"job":REGEX}, of its name or display name
              hold       those that come and those that are there stay "at" a status: NotStarted, Starting, Preparing, Queued (so without
                         it), Finalizing or CancelRequested
              release    what was held by the same REGEX
              cancel     by somebody else
              fail       it ends with "code" and "message"; "leave":true lets its process live on, as behind a cut cable
              preempt    its node is taken away, it is queued and begins anew; "leave" as above
              show       tells a "status" that it does not have, as NotResponding, or 404 with "hidden":true; without them, what is so
    compute   {"name":…}, with "nodes", "started", "state", "errors", "size", "priority", "idle"; "remove":true deletes it
    device    {"action":"approve", "decline" or "expire"}, of all device codes or of the user's "code"
    tokens    {"revoke":true}: all that were given out have ended; {"refresh":"expired", "revoked" or "consent"}: refresh tokens, too
    blobs     {"name":REGEX}: names of blobs by container; {"expire":true}: all signed addresses have ended
    fill      {"name":…,"count":N,"status":"Completed","tags":{…}}: jobs NAME-1, … without a process; in tags {number}
    settings  delays {NotStarted, Starting, Preparing, Queued, Finalizing, CancelRequested}: seconds in each, and grace; pretend (seconds
              that a job lasts which starts nothing); tokenSeconds; rotation (an old refresh token is worthless);
              device {interval, expires, pending: polls until it approves itself, slowDown: first polls, slower: seconds each};
              limits {reads, writes, deletes, seconds}; denied ([actions] as "jobs/write"); quota (null, {used, limit}: cores); pageSize; idCase (given, lower);
              conflict (status of a second PUT with another spec, and of a cancel of what has ended); cancelReply (202, 200); retryAfter;
              secrets (AccountKey, Sas); pendingUpload (new, same, refused); uploadFolder; sasSeconds; pastEnd (416, 206);
              blobUrls (path, host); logs (new, old); az {loggedIn, old: without expires_on}; mlflow {names, metrics, params, tags, bytes}; skew
"""

import argparse
import sys
import uuid

from azure_accounts import ARM, TENANT, Accounts
from azure_arm import PROVIDER, Arm, Compute
from azure_blob import Storage
from azure_cli import Cli
from azure_errors import error_reply
from azure_history import History
from azure_jobs import ARTIFACTS, Engine, for_tests
from job_processes import Containers
from stand_in import Application, json_reply, serve

SETTINGS = {
    "delays": dict.fromkeys(("NotStarted", "Starting", "Preparing", "Queued", "Finalizing", "CancelRequested"), 0.02), "grace": 10,
    "pretend": None, "rotation": True, "device": {"interval": 5, "expires": 900, "pending": None, "slowDown": 0, "slower": 5},
    "limits": {"reads": 12_000, "writes": 1_200, "deletes": 15_000, "seconds": 3600}, "denied": [], "quota": None, "pageSize": 100, "idCase": "given",
    "conflict": 409, "cancelReply": 202, "retryAfter": 1, "secrets": "AccountKey", "pendingUpload": "new", "uploadFolder": "",
    "sasSeconds": 3600, "pastEnd": 416, "blobUrls": "path", "logs": "new", "az": {"loggedIn": True, "old": False},
    "mlflow": {"names": 50, "metrics": 250, "params": 100, "tags": 100, "bytes": 1_000_000}}


class Azure(Application):
    def __init__(self, options, containers):
        super().__init__()
        self.settings.update(SETTINGS, tokenSeconds=options.token_seconds)
        self.subscription, self.group, self.workspace = options.subscription, options.group, options.workspace
        self.location = "westus"
        self.workspace_guid = str(uuid.uuid4())
        self.containers = containers
        self.ca = None if options.plain else containers.folder / "tls" / "ca.pem"
        self.accounts = Accounts(self, *options.client.split(":", 1))
        self.storage = Storage(self, "standinstore")
        self.datastores = {"workspaceblobstore": self.storage.make_container(f"azureml-blobstore-{self.workspace_guid}"),
                           "workspaceartifactstore": self.storage.make_container(ARTIFACTS)}
        self.engine = Engine(self, containers, self.storage)
        self.engine.computes = {name: Compute(int(nodes)) for name, nodes in options.computes}
        self.arm = Arm(self)
        self.history = History(self)
        self.cli = Cli(self)
        self.controls = {
            "job": lambda members: self.engine.act(members["action"], members["job"], members), "compute": self.arm.control_compute,
            "device": self.accounts.control_device, "tokens": self.accounts.control_tokens, "blobs": self.storage.control,
            "fill": lambda members: self.engine.fill(members["name"], members["count"], members.get("status", "Completed"),
                                                     members.get("tags") or {})}

    @property
    def workspace_id(self):
        found = (f"/subscriptions/{self.subscription}/resourceGroups/{self.group}/providers/{PROVIDER}/workspaces/{self.workspace}")
        if self.settings["idCase"] == "lower":
            return found.replace("resourceGroups", "resourcegroups").replace(PROVIDER, PROVIDER.lower())
        return found

    def tracking_uri(self):
        return f"azureml://{self.url.partition('//')[2]}/mlflow/v1.0{self.workspace_id}"

    def answer(self, request):
        for face in (self.accounts, self.history, self.storage, self.cli):
            reply = face.answer(request)
            if reply:
                return reply
        if request.path == "/metadata/endpoints":
            return self.cloud()
        return self.arm.answer(request)

    def cloud(self):
        """What clients may learn about a cloud that they do not know."""
        return json_reply([{"name": "StandIn", "portal": "https://portal.azure.com", "resourceManager": self.url,
                            "authentication": {"loginEndpoint": self.url, "audiences": list(ARM)}, "suffixes": {
                                "storage": f"localhost:{self.url.rpartition(':')[2]}"}}])

    def error(self, status):
        words = {401: ("ExpiredAuthenticationToken", "The access token has expired."), 404: ("ResourceNotFound", "It was not found."),
                 403: ("AuthorizationFailed", "The client does not have authorization to perform this action."),
                 409: ("Conflict", "It conflicts with what is there."), 429: ("TooManyRequests", "The request is being throttled.")}
        return error_reply(status, *words.get(status, ("ServiceError", "InternalServerError")))

    def jobs(self):
        return [for_tests(job) for job in self.engine.jobs.values()]

    def set(self, name, value):
        super().set(name, value)
        if name == "limits":
            self.arm.buckets.ends = 0  # another while begins

    def close(self):
        self.containers.close()


def main():
    parser = argparse.ArgumentParser(description="A stand-in for Azure Machine Learning.", epilog="It stays until its standard input ends.")
    parser.add_argument("--compute", action="append", default=[], metavar="NAME=NODES", help="a cluster; instead of gpu=4 and cpu=2")
    parser.add_argument("--client", default="11111111-bbbb-4ccc-8ddd-000000000002:s3cret", metavar="ID:SECRET", help="who may log in")
    parser.add_argument("--token-seconds", type=int, default=3599, help="how long tokens live")
    parser.add_argument("--subscription", default="11111111-cccc-4ddd-8eee-000000000003")
    parser.add_argument("--group", default="Group1")
    parser.add_argument("--workspace", default="Workspace1")
    parser.add_argument("--plain", action="store_true", help="http, without certificates")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()

    containers = Containers(None, {})  # before any thread
    options.computes = [compute.split("=", 1) for compute in options.compute or ("gpu=4", "cpu=2")]
    application = Azure(options, containers)
    accounts = application.accounts
    return serve(application, options.port, None if options.plain else containers.folder / "tls", tenant=TENANT,
                 client=accounts.program.name, secret=accounts.program.secret,
                 token=lambda: accounts.make_token(accounts.program, application.url), identity=accounts.identity_header,
                 subscription=options.subscription, group=options.group, workspace=options.workspace,
                 az=lambda: application.cli.install(containers.folder / "bin", sys.executable))


if __name__ == "__main__":
    sys.exit(main())
