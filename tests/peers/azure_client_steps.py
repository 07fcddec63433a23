# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by the Python that Microsoft's clients are in: python azure_client_steps.py STEP < SETTINGS.json. A step prints a line of JSON."""

import contextlib
import io
import json
import pathlib
import socket
import sys
import tempfile

SETTINGS = json.load(sys.stdin)
URL = SETTINGS["url"]
SCOPE = f"{URL}/.default"
AUTHORITY = {"authority": URL, "disable_instance_discovery": True}


def secret():
    from azure.identity import ClientSecretCredential
    return ClientSecretCredential(SETTINGS["tenant"], SETTINGS["client"], SETTINGS["secret"], **AUTHORITY)


def device_code():
    """Twice: the second token comes by the refresh token."""
    from azure.identity import DeviceCodeCredential
    told = []
    credential = DeviceCodeCredential(tenant_id=SETTINGS["tenant"], prompt_callback=lambda *words: told.append(words[1]), **AUTHORITY)
    tokens = [credential.get_token(SCOPE).token for _ in range(2)]
    return {"told": told, "tokens": tokens}


def identities():
    from azure.identity import EnvironmentCredential, ManagedIdentityCredential
    return {"tokens": [secret().get_token(SCOPE).token, EnvironmentCredential(**AUTHORITY).get_token(SCOPE).token,
                       ManagedIdentityCredential().get_token(SCOPE).token]}


def wrong_secret():
    from azure.core.exceptions import ClientAuthenticationError
    from azure.identity import ClientSecretCredential
    try:
        ClientSecretCredential(SETTINGS["tenant"], SETTINGS["client"], "wrong", **AUTHORITY).get_token(SCOPE)
    except ClientAuthenticationError as error:
        return {"error": str(error)}
    return {}


def workspace():
    """A cloud of the test's own: all six addresses are asked for."""
    from azure.ai.ml import MLClient
    names = ("azure_portal", "resource_manager", "active_directory", "aml_resource_id", "registry_discovery_endpoint")
    metadata = {**dict.fromkeys(names, URL), "storage_endpoint": f"localhost:{URL.rpartition(':')[2]}"}
    return MLClient(secret(), SETTINGS["subscription"], SETTINGS["group"], SETTINGS["workspace"], cloud="standin", cloud_metadata=metadata,
                    enable_telemetry=False)


def make_job(name, line, **more):
    from azure.ai.ml import command
    from azure.ai.ml.entities import Environment
    return command(name=name, command=line, compute="gpu", environment=Environment(image="ubuntu:22.04"), experiment_name="exp",
                   tags={"nni_exp": "E"}, **more)


def resolve_localhost():
    """As curl does it: names of storage accounts are names of this machine."""
    real = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *words, **more: real("127.0.0.1" if str(host).endswith(".localhost") else host, *words, **more)


def run():
    """Submits a job, streams its log and fetches what it made; then the same code once more."""
    client = workspace()
    code, target, place = (pathlib.Path(tempfile.mkdtemp(prefix=f"td-azure-{name}-")) for name in ("code", "made", "gate"))
    gate = place / "go"
    (code / "sub").mkdir()
    # The client streams only what has not ended when it looks.
    (code / "run.sh").write_text("echo \"hello $WHO\"; cat sub/data.txt; mkdir outputs; echo made >outputs/made.txt; echo bye >&2\n"
                                 "while [ ! -e \"$GATE\" ]; do sleep 0.1; done\n")
    (code / "sub" / "data.txt").write_text("of the code\n")
    job = {"code": str(code), "environment_variables": {"WHO": "world", "GATE": str(gate)}}

    class Log(io.StringIO):
        """The job goes on once its last line was streamed."""

        def write(self, text):
            done = super().write(text)
            if "bye\n" in self.getvalue():
                gate.touch()
            return done

    submitted = client.jobs.create_or_update(make_job("run-1", "bash run.sh", **job))
    with contextlib.redirect_stdout(Log()) as log:
        client.jobs.stream("run-1")
    resolve_localhost()
    client.jobs.download("run-1", download_path=target, all=True)
    client.jobs.create_or_update(make_job("run-2", "bash run.sh", **job))
    found = client.jobs.get("run-1")
    return {"submitted": submitted.status, "log": log.getvalue(), "status": found.status, "studio": found.studio_url, "tags": found.tags,
            "made": {str(path.relative_to(target)): path.read_text() for path in sorted(target.rglob("*")) if path.is_file()}}


def fail():
    from azure.ai.ml.exceptions import JobException
    client = workspace()
    client.jobs.create_or_update(make_job("fail-1", "exit 7"))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            client.jobs.stream("fail-1")
    except JobException as error:
        return {"error": str(error)}
    return {}


def manage():
    """Lists, cancels and archives; reads what is around jobs."""
    from azure.core.exceptions import HttpResponseError
    client = workspace()
    for number in range(3):
        client.jobs.create_or_update(make_job(f"manage-{number}", "sleep 1000"))
    listed = [job.name for job in client.jobs.list()]
    for number in range(3):
        client.jobs.begin_cancel(f"manage-{number}").result()
    client.jobs.archive("manage-0")
    try:
        client.jobs.get("none")
        missing = None
    except HttpResponseError as error:
        missing = [error.status_code, error.error.code]
    store = client.datastores.get_default()
    return {"listed": listed, "active": [job.name for job in client.jobs.list()], "missing": missing,
            "statuses": [client.jobs.get(name).status for name in listed],
            "computes": {compute.name: [compute.type, compute.size, compute.max_instances] for compute in client.compute.list()},
            "workspaces": [[found.name, found.location] for found in client.workspaces.list()], "store": [store.name, store.account_name],
            "environments": [found.name for found in client.environments.list()],
            "tracking": client.workspaces.get(SETTINGS["workspace"]).mlflow_tracking_uri}


def cloud():
    """The other way to a cloud: the document at ARM_CLOUD_METADATA_URL."""
    from azure.ai.ml import MLClient
    client = MLClient(secret(), SETTINGS["subscription"], SETTINGS["group"], SETTINGS["workspace"], enable_telemetry=False)
    return {"computes": [compute.name for compute in client.compute.list()]}


def blobs():
    """Blocks, several at a time, each with a sum; then pieces of them, and a list by pages."""
    from azure.core.exceptions import HttpResponseError
    from azure.storage.blob import ContainerClient, ContentSettings
    small = {"max_block_size": 1000, "max_single_put_size": 1000, "max_single_get_size": 1000, "max_chunk_get_size": 700}
    container = ContainerClient.from_container_url(SETTINGS["sas"], **small)
    data = bytes(range(256)) * 20
    for number in range(3):
        container.upload_blob(f"a b/{number}", data, validate_content=True, max_concurrency=4, metadata={"kind": "trial"},
                              content_settings=ContentSettings(content_type="text/x-mine"))
    blob = container.get_blob_client("a b/1")
    properties = blob.get_blob_properties()
    refused = []
    for wrong in (lambda: container.upload_blob("a b/1", b"x"), lambda: container.download_blob("none"), blob.delete_blob,
                  lambda: blob.download_blob(offset=6000, length=1).readall()):
        try:
            wrong()
        except HttpResponseError as error:
            refused.append([error.status_code, error.response.headers["x-ms-error-code"]])
    return {"same": blob.download_blob(max_concurrency=4, validate_content=True).readall() == data, "refused": refused, "size": properties.size,
            "piece": list(blob.download_blob(offset=255, length=3).readall()), "metadata": properties.metadata,
            "type": properties.content_settings.content_type, "pages": [
                [found.name for found in page] for page in container.list_blobs("a b/", results_per_page=2).by_page()]}


def track():
    """MLflow's client over a run that is a job; the token comes from MLFLOW_TRACKING_TOKEN."""
    from mlflow import MlflowClient
    from mlflow.entities import Metric, Param, RunTag
    from mlflow.exceptions import MlflowException
    client = MlflowClient(tracking_uri=SETTINGS["tracking"].replace("azureml://", "https://"))
    run = SETTINGS["run"]
    for step in range(3):
        client.log_metric(run, "default", step / 2, timestamp=1_700_000_000_000 + step, step=step)
    client.log_batch(run, [Metric("loss", float("nan"), 1, 0)], [Param("p", "1")], [RunTag("t", "v")])
    client.set_tag(run, "u", "w")
    experiment = client.get_experiment_by_name("exp").experiment_id
    found = client.get_run(run)
    try:
        client.get_run("none")
        foreign = None
    except MlflowException as error:
        foreign = error.error_code
    return {"history": [[metric.value, metric.step] for metric in client.get_metric_history(run, "default")], "foreign": foreign,
            "metrics": {name: str(value) for name, value in found.data.metrics.items()}, "params": found.data.params,
            "tags": {name: found.data.tags[name] for name in ("t", "u")}, "status": found.info.status,
            "searched": [one.info.run_id for one in client.search_runs([experiment], "tags.t = 'v'")]}


if __name__ == "__main__":
    print(json.dumps({step.__name__: step for step in (device_code, identities, wrong_secret, run, fail, manage, cloud, blobs, track)}
                     [sys.argv[1]]()))
