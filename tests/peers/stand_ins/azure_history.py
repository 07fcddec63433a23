# SPDX-License-Identifier: GPL-3.0-or-later
"""The regional addresses of the Azure stand-in: run history with addresses of logs, and MLflow's tracking of metrics."""

import hashlib
import math
import re

import azure_jobs as jobs
from azure_accounts import MACHINE_LEARNING
from azure_errors import error_reply, refuse
from stand_in import json_reply

WORKSPACE = (r"subscriptions/(?P<subscription>[^/]+)/resourceGroups/(?P<group>[^/]+)/providers/Microsoft.MachineLearningServices/"
             r"workspaces/(?P<workspace>[^/]+)")
RUN = r"(?:experiments/(?P<experiment>[^/]+)/)?runs/(?P<run>[^/]+)"
TRACKED = {"Running": "RUNNING", "Finalizing": "RUNNING", "CancelRequested": "RUNNING", "NotResponding": "RUNNING",
           "Completed": "FINISHED", "Failed": "FAILED", "Canceled": "KILLED"}


class TrackingError(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.reply = json_reply({"error_code": code, "message": message}, status)


def invalid(message):
    return TrackingError(400, "INVALID_PARAMETER_VALUE", message)


def number(value):
    """As JSON can say it."""
    return value if math.isfinite(value) else str(value).replace("inf", "Infinity").replace("nan", "NaN")


class History:
    """What was asked of a run, in this case of a job."""

    def __init__(self, application):
        self.application = application
        self.engine = application.engine
        self.tracking = Tracking(application)
        self.routes = [(method, re.compile(f"/history/v1.0/{WORKSPACE}/{pattern}", re.IGNORECASE), function)
                       for method, pattern, function in (
            ("GET", RUN, self.run), ("PATCH", RUN, self.change), ("GET", rf"{RUN}/details", self.details),
            ("POST", "rundata", self.run_data), ("GET", rf"{RUN}/artifacts", self.artifacts),
            ("GET", rf"{RUN}/artifacts/contentinfo", self.content_info))]
        self.mlflow = re.compile(rf"/mlflow/v[12]\.0/{WORKSPACE}/api/2\.0/mlflow/(?P<call>.*)", re.IGNORECASE)

    def answer(self, request):
        """None where the path is none of a region."""
        if request.path == "/discovery":
            url = self.application.url
            return json_reply({"api": url, "history": url, "experimentation": url, "studio": "https://ml.azure.com"})
        if not request.path.startswith(("/history/", "/mlflow/")):
            return None
        caller = self.application.accounts.caller(request, (MACHINE_LEARNING,))
        found = self.mlflow.fullmatch(request.path)
        if found:
            self.check_place(found)
            return self.tracking.answer(caller, request, found["call"])
        for method, pattern, function in self.routes:
            found = pattern.fullmatch(request.path)
            if found and method == request.method:
                self.check_place(found)
                job = self.find(found.groupdict().get("run") or request.json()["runId"])
                if caller.run not in (None, job.id):
                    refuse(403, "Forbidden", "The token of a run is good for its own run only.")
                return function(request, job)
        return error_reply(404, "NotFound", f"There is no {request.method} {request.path}.")

    def check_place(self, found):
        application = self.application
        named = [found[name].lower() for name in ("subscription", "group", "workspace")]
        if named != [name.lower() for name in (application.subscription, application.group, application.workspace)]:
            refuse(404, "UserError", "The workspace was not found.")

    def find(self, name):
        job = self.engine.jobs.get(name)
        if not job or job.shown.get("hidden"):
            refuse(404, "UserError", f"Run with id {name} was not found.")
        return job

    @staticmethod
    def told(job):
        return {"runId": job.id, "status": job.told(), "createdUtc": jobs.moment(job.created), "target": job.compute,
                "startTimeUtc": job.started and jobs.moment(job.started), "endTimeUtc": job.ended and jobs.moment(job.ended),
                "error": job.error and {"error": job.error}, "warnings": [], "tags": job.tags,
                "properties": job.properties.get("properties") or {}, "displayName": job.display_name, "hidden": job.archived,
                "runType": "azureml", "experimentId": experiment_id(job.experiment), "outputs": {}}

    def run(self, _request, job):
        return json_reply(self.told(job))

    def details(self, _request, job):
        return json_reply({**self.told(job), "logFiles": self.engine.log_files(job)})

    def run_data(self, _request, job):
        return json_reply({"runMetadata": self.told(job), "runDefinition": None, "jobSpecification": None})

    def change(self, request, job):
        members = request.json()
        job.tags.update(members.get("tags") or {})
        job.display_name = members.get("displayName") or job.display_name
        job.archived = job.archived if members.get("hidden") is None else members["hidden"]
        for name in ("description", "properties"):
            if members.get(name):
                job.properties[name] = members[name]
        return self.run(request, job)

    def artifact(self, job, name):
        return {"artifactId": f"ExperimentRun/dcid.{job.id}/{name}", "origin": "ExperimentRun", "container": f"dcid.{job.id}", "path": name}

    def artifacts(self, _request, job):
        return json_reply({"value": [self.artifact(job, name) for name in self.engine.artifacts(job)], "continuationToken": None})

    def content_info(self, request, job):
        name = request.query.get("path", "")
        if name not in self.engine.artifacts(job):
            refuse(404, "UserError", f"The artifact {name} was not found.")
        blob = self.engine.blob_name(job, name)
        return json_reply({**self.artifact(job, name), "contentUri": self.engine.storage.signed_url(jobs.ARTIFACTS, "r", blob)})


def experiment_id(name):
    return hashlib.sha256(name.encode()).hexdigest()[:32]


class Tracking:
    """MLflow 2.0 over runs that are jobs."""

    def __init__(self, application):
        self.application = application
        self.engine = application.engine
        self.limits = application.settings["mlflow"]
        self.calls = {
            ("GET", "runs/get"): lambda query: {"run": self.run(self.find(query))},
            ("GET", "metrics/get-history"): self.history, ("POST", "runs/log-metric"): self.log_metric,
            ("POST", "runs/log-batch"): self.log_batch, ("POST", "runs/log-parameter"): self.log_parameter,
            ("POST", "runs/set-tag"): self.set_tag, ("POST", "runs/search"): self.search, ("POST", "runs/update"): self.update,
            ("GET", "experiments/get-by-name"): lambda query: self.experiment(
                lambda job: job.experiment == query.get("experiment_name")),
            ("GET", "experiments/get"): lambda query: self.experiment(
                lambda job: experiment_id(job.experiment) == query.get("experiment_id"))}

    def answer(self, caller, request, call):
        try:
            function = self.calls.get((request.method, call))
            if not function:
                raise TrackingError(404, "ENDPOINT_NOT_FOUND", f"There is no {request.method} {call}.")
            if len(request.body) > self.limits["bytes"]:
                raise invalid(f"The request is longer than {self.limits['bytes']} bytes.")
            members = request.query if request.method == "GET" else request.json()
            if caller.run not in (None, members.get("run_id", caller.run)):
                raise TrackingError(403, "PERMISSION_DENIED", "The token of a run is good for its own run only.")
            return json_reply(function(members))
        except TrackingError as error:
            return error.reply
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            return invalid(f"The request is not understood: {error}").reply

    def find(self, members):
        name = members.get("run_id") or members.get("run_uuid")
        job = self.engine.jobs.get(name)
        if not job or job.shown.get("hidden"):
            raise TrackingError(404, "RESOURCE_DOES_NOT_EXIST", f"Run '{name}' not found.")
        return job

    def run(self, job):
        newest = {key: max(values, key=lambda value: (value[2], value[1])) for key, values in job.metrics.items()}
        info = {"run_id": job.id, "run_uuid": job.id, "run_name": job.display_name, "experiment_id": experiment_id(job.experiment),
                "user_id": job.owner, "status": TRACKED.get(job.told(), "SCHEDULED"), "lifecycle_stage": "active",
                "start_time": int((job.started or job.created) * 1000),
                "artifact_uri": f"{self.application.tracking_uri()}/experiments/{experiment_id(job.experiment)}/runs/{job.id}/artifacts"}
        if job.ended:
            info["end_time"] = int(job.ended * 1000)
        return {"info": info, "data": {
            "metrics": [self.metric(key, value) for key, value in newest.items()],
            "params": [{"key": key, "value": value} for key, value in job.parameters.items()],
            "tags": [{"key": key, "value": value} for key, value in job.tags.items()]}}

    @staticmethod
    def metric(key, value):
        return {"key": key, "value": number(value[0]), "timestamp": value[1], "step": str(value[2])}

    def history(self, query):
        values = self.find(query).metrics.get(query["metric_key"], [])
        start = int(query.get("page_token") or 0)
        end = start + int(query.get("max_results") or 25_000)
        found = {"metrics": [self.metric(query["metric_key"], value) for value in values[start:end]]}
        return found | ({"next_page_token": str(end)} if end < len(values) else {})

    def log_metric(self, members):
        self.add_metrics(self.find(members), [members])
        return {}

    def add_metrics(self, job, metrics):
        """All or none."""
        read = [(metric["key"], (float(metric["value"]), int(metric["timestamp"]), int(metric.get("step") or 0))) for metric in metrics]
        if len({*job.metrics, *(key for key, _ in read)}) > self.limits["names"]:
            raise TrackingError(400, "RESOURCE_LIMIT_EXCEEDED", f"A run has {self.limits['names']} metrics at most.")
        for key, value in read:
            job.metrics.setdefault(key, []).append(value)

    def add_parameters(self, job, parameters):
        for parameter in parameters:
            key, value = parameter["key"], parameter["value"]
            if len(value.encode()) > 500:
                raise invalid(f"The value of the parameter {key} is longer than 500 bytes.")
            if job.parameters.get(key, value) != value:
                raise invalid(f"The parameter {key} is already written, with another value.")
        job.parameters.update((parameter["key"], parameter["value"]) for parameter in parameters)

    def add_tags(self, job, tags):
        for tag in tags:
            if len(tag["key"].encode()) > 250 or len(tag["value"].encode()) > 5000:
                raise invalid(f"The tag {tag['key'][:250]} is too long.")
        job.tags.update((tag["key"], tag["value"]) for tag in tags)

    def log_batch(self, members):
        job = self.find(members)
        given = {kind: members.get(kind) or [] for kind in ("metrics", "params", "tags")}
        for kind, entries in given.items():
            if len(entries) > self.limits[kind]:
                raise invalid(f"A batch has {self.limits[kind]} {kind} at most, not {len(entries)}.")
        if sum(map(len, given.values())) > 1000:
            raise invalid("A batch has 1000 entries at most.")
        self.add_metrics(job, given["metrics"])
        self.add_parameters(job, given["params"])
        self.add_tags(job, given["tags"])
        return {}

    def log_parameter(self, members):
        self.add_parameters(self.find(members), [members])
        return {}

    def set_tag(self, members):
        self.add_tags(self.find(members), [members])
        return {}

    def update(self, members):
        """The status of a job is the service's own."""
        job = self.find(members)
        job.display_name = members.get("run_name") or job.display_name
        return {"run_info": self.run(job)["info"]}

    def search(self, members):
        wanted = [re.fullmatch(r"\s*(tags?|params?|attributes?)\.[\"`]?([^\"`=]+?)[\"`]?\s*=\s*[\"'](.*)[\"']\s*", part)
                  for part in re.split(r"\s+and\s+", members.get("filter") or "", flags=re.IGNORECASE) if part.strip()]
        if None in wanted:
            raise invalid(f"The filter is not understood: {members['filter']}")
        found = [run for job in self.engine.jobs.values() if experiment_id(job.experiment) in members["experiment_ids"]
                 and not job.shown.get("hidden") for run in [self.run(job)] if all(self.fits(run, *part.groups()) for part in wanted)]
        start = int(members.get("page_token") or 0)
        end = start + int(members.get("max_results") or 1000)
        return {"runs": found[start:end]} | ({"next_page_token": str(end)} if end < len(found) else {})

    @staticmethod
    def fits(run, kind, key, value):
        if kind.startswith("attribute"):
            return str(run["info"].get(key)) == value
        return {"key": key, "value": value} in run["data"]["tags" if kind.startswith("tag") else "params"]

    def experiment(self, fits):
        job = next(filter(fits, self.engine.jobs.values()), None)
        if not job:
            raise TrackingError(404, "RESOURCE_DOES_NOT_EXIST", "The experiment was not found.")
        return {"experiment": {"experiment_id": experiment_id(job.experiment), "name": job.experiment, "lifecycle_stage": "active",
                               "artifact_location": ""}}
