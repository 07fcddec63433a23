# SPDX-License-Identifier: GPL-3.0-or-later
"""Azure Resource Manager of the stand-in: one subscription with one workspace, its computes, datastores, assets and jobs."""

import dataclasses
import json
import math
import re
import urllib.parse
import uuid

import azure_jobs as jobs
from azure_accounts import TENANT
from azure_assets import Assets
from azure_errors import refuse
from stand_in import Refusal, Reply, json_reply

PROVIDER = "Microsoft.MachineLearningServices"
VERSIONS = (
    "2022-05-01", "2022-10-01", "2022-10-01-preview", "2023-02-01-preview", "2023-04-01", "2023-04-01-preview", "2023-06-01-preview",
    "2023-08-01-preview", "2023-10-01", "2024-01-01-preview", "2024-04-01", "2024-04-01-preview", "2024-07-01-preview", "2024-10-01",
    "2024-10-01-preview", "2025-01-01-preview")
JOB_NAME = r"[a-zA-Z0-9][a-zA-Z0-9\-_]{0,254}"
CHANGEABLE = ("tags", "displayName", "description", "isArchived", "properties", "services", "status", "parameters")


@dataclasses.dataclass
class Compute:
    nodes: int
    size: str = "Standard_NC6s_v3"
    priority: str = "Dedicated"
    started: bool = True
    state: str = "Succeeded"
    errors: list = dataclasses.field(default_factory=list)
    idle: int = 0  # nodes that are there and run nothing


class Buckets:
    """How many requests of a kind are left in this while."""

    def __init__(self, settings):
        self.settings = settings
        self.ends = 0
        self.counts = {}

    def take(self, method, now):
        """The headers that tell it; a Refusal where none is left."""
        kind = {"GET": "reads", "DELETE": "deletes"}.get(method, "writes")
        limits = self.settings["limits"]
        if now >= self.ends:
            self.ends, self.counts = now + limits["seconds"], {}
        self.counts[kind] = self.counts.get(kind, 0) + 1
        left = limits[kind] - self.counts[kind]
        if left < 0:
            refuse(429, "SubscriptionRequestsThrottled", f"Number of {kind} requests for subscription exceeded the limit.",
                   headers={"Retry-After": math.ceil(self.ends - now)})
        return {f"x-ms-ratelimit-remaining-subscription-{kind}": left}


class Arm:
    def __init__(self, application):
        self.application = application
        self.settings = application.settings
        self.engine = application.engine
        self.storage = application.storage
        self.buckets = Buckets(self.settings)
        self.environments = {}  # by (name, version): properties
        self.deleted = set()  # jobs
        group = r"/subscriptions/(?P<subscription>[^/]+)/resourceGroups/(?P<group>[^/]+)"
        provider = rf"/providers/{PROVIDER}"
        workspace = rf"{group}{provider}/workspaces/(?P<workspace>[^/]+)"
        compute = rf"{workspace}/computes/(?P<name>[^/]+)"
        self.routes = [(method, re.compile(pattern, re.IGNORECASE), action, function) for method, pattern, action, function in (
            ("GET", r"/tenants", "", self.list_tenants),
            ("GET", r"/subscriptions", "", self.list_subscriptions),
            ("GET", r"/subscriptions/(?P<subscription>[^/]+)", "", self.get_subscription),
            ("GET", r"/subscriptions/(?P<subscription>[^/]+)/resourceGroups", "groups/read", self.list_groups),
            ("GET", group, "groups/read", self.get_group),
            ("GET", rf"/subscriptions/(?P<subscription>[^/]+){provider}/workspaces", "workspaces/read", self.list_workspaces),
            ("GET", rf"{group}{provider}/workspaces", "workspaces/read", self.list_workspaces),
            ("GET", rf"/subscriptions/(?P<subscription>[^/]+){provider}/locations/(?P<location>[^/]+)/usages", "usages/read", self.usages),
            ("GET", rf"/subscriptions/(?P<subscription>[^/]+){provider}/locations/(?P<location>[^/]+)/vmSizes", "vmSizes/read", self.sizes),
            ("GET", rf"/subscriptions/(?P<subscription>[^/]+){provider}/locations/(?P<location>[^/]+)/mfeOperationResults/"
                    r"(?P<operation>[^/]+)", "", self.operation),
            ("GET", workspace, "workspaces/read", self.get_workspace),
            ("GET", rf"{workspace}/computes", "computes/read", self.list_computes),
            ("GET", compute, "computes/read", self.get_compute),
            ("POST", rf"{compute}/listNodes", "computes/listNodes/action", self.list_nodes),
            *Assets(self).routes(workspace),
            ("GET", rf"{workspace}/jobs", "jobs/read", self.list_jobs),
            ("GET", rf"{workspace}/jobs/(?P<name>[^/]+)", "jobs/read", self.get_job),
            ("PUT", rf"{workspace}/jobs/(?P<name>[^/]+)", "jobs/write", self.put_job),
            ("DELETE", rf"{workspace}/jobs/(?P<name>[^/]+)", "jobs/delete", self.delete_job),
            ("POST", rf"{workspace}/jobs/(?P<name>[^/]+)/cancel", "jobs/cancel/action", self.cancel_job),
        )]

    # Requests.

    def answer(self, request):
        ids = {"x-ms-request-id": str(uuid.uuid4()), "x-ms-correlation-request-id": str(uuid.uuid4())}
        try:
            caller = self.application.accounts.caller(request)
            ids.update(self.buckets.take(request.method, self.application.now()))
            reply = self.dispatch(caller, request)
        except Refusal as refusal:
            reply = refusal.reply
        reply.headers = {**ids, **reply.headers}
        return reply

    def dispatch(self, caller, request):
        self.check_version(request)
        for method, pattern, action, function in self.routes:
            found = pattern.fullmatch(request.path.rstrip("/"))
            if found and method == request.method:
                words = found.groupdict()
                self.check_right(caller, action)
                self.check_place(words)
                return function(request, **words)
        refuse(404, "InvalidResourceType", f"The resource type of '{request.path}' could not be found in the namespace '{PROVIDER}'.")

    def check_version(self, request):
        wanted = request.query.get("api-version")
        if not wanted:
            refuse(400, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.")
        if f"/{PROVIDER.lower()}/" in request.path.lower() and wanted not in VERSIONS:
            refuse(400, "NoRegisteredProviderFound", (
                f"No registered resource provider found for location '{self.application.location}' and API version '{wanted}' for type "
                f"'workspaces'. The supported api-versions are '{', '.join(VERSIONS)}'."))

    def check_right(self, caller, action):
        if caller.run:
            refuse(403, "AuthorizationFailed", "The token of a run is good for its own run only.")
        if action and action in self.settings["denied"]:
            refuse(403, "AuthorizationFailed", (
                f"The client '{caller.name}' with object id '{caller.oid}' does not have authorization to perform action "
                f"'{PROVIDER}/workspaces/{action}' over scope '{self.application.workspace_id}' or the scope is invalid."))

    def check_place(self, words):
        """Removes from the words what is so for all resources."""
        subscription, group, workspace = (words.pop(name, None) for name in ("subscription", "group", "workspace"))
        application = self.application
        if subscription and subscription.lower() != application.subscription.lower():
            refuse(404, "SubscriptionNotFound", f"The subscription '{subscription}' could not be found.")
        if group and group.lower() != application.group.lower():
            refuse(404, "ResourceGroupNotFound", f"Resource group '{group}' could not be found.")
        if workspace and workspace.lower() != application.workspace.lower():
            refuse(404, "ResourceNotFound", (
                f"The Resource '{PROVIDER}/workspaces/{workspace}' under resource group '{group}' was not found."))

    @staticmethod
    def properties(request):
        try:
            found = request.json()["properties"]
        except (ValueError, KeyError, TypeError):
            found = None
        if not isinstance(found, dict):
            refuse(400, "UserError", "The request has no object `properties`.")
        return found

    def page(self, request, found, tell=lambda one: one):
        """As much of it as fits, and where it goes on. `tell`: what is said of each."""
        start = int(request.query.get("$skip") or 0)
        end = start + min(self.settings["pageSize"], int(request.query.get("$top") or 1_000_000))
        if end >= len(found):
            return json_reply({"value": [tell(one) for one in found[start:]], "nextLink": None})
        query = urllib.parse.urlencode({**request.query, "$skip": end})
        return json_reply({"value": [tell(one) for one in found[start:end]], "nextLink": f"{self.application.url}{request.path}?{query}"})

    def resource(self, kind, name, properties, **more):
        return {"id": f"{self.application.workspace_id}/{kind}/{name}", "name": name.rpartition("/")[2],
                "type": f"{PROVIDER}/workspaces/" + kind.split("/", 1)[0], "properties": properties,
                "systemData": {"createdAt": jobs.moment(self.application.now()), "createdBy": "U", "createdByType": "User"}, **more}

    # Around the workspace.

    def list_tenants(self, request):
        return self.page(request, [{"id": f"/tenants/{TENANT}", "tenantId": TENANT, "displayName": "Stand-in"}])

    def subscription(self):
        name = self.application.subscription
        return {"id": f"/subscriptions/{name}", "subscriptionId": name, "tenantId": TENANT, "displayName": "Stand-in", "state": "Enabled"}

    def list_subscriptions(self, request):
        return self.page(request, [self.subscription()])

    def get_subscription(self, _request):
        return json_reply(self.subscription())

    def group(self):
        application = self.application
        return {"id": f"/subscriptions/{application.subscription}/resourceGroups/{application.group}", "name": application.group,
                "type": "Microsoft.Resources/resourceGroups", "location": application.location,
                "properties": {"provisioningState": "Succeeded"}}

    def list_groups(self, request):
        return self.page(request, [self.group()])

    def get_group(self, _request):
        return json_reply(self.group())

    def workspace(self):
        application = self.application
        return {"id": application.workspace_id, "name": application.workspace, "type": f"{PROVIDER}/workspaces",
                "location": application.location, "tags": {}, "identity": {"type": "SystemAssigned", "tenantId": TENANT},
                "properties": {
                    "friendlyName": application.workspace, "workspaceId": application.workspace_guid, "provisioningState": "Succeeded",
                    "discoveryUrl": f"{application.url}/discovery", "mlFlowTrackingUri": application.tracking_uri(),
                    "storageAccount": f"{self.group()['id']}/providers/Microsoft.Storage/storageAccounts/{self.storage.account}"}}

    def list_workspaces(self, request):
        return self.page(request, [self.workspace()])

    def get_workspace(self, _request):
        return json_reply(self.workspace())

    def usages(self, request, location):
        """Of the quota of cores, six for each node."""
        used = sum(job.nodes for job in self.engine.jobs.values() if job.placed)
        limit = sum(compute.nodes for compute in self.engine.computes.values())
        count = self.settings["quota"] or {"used": 6 * used, "limit": 6 * limit}
        name = "Standard NCSv3 Family Cluster Dedicated vCPUs"
        place = f"/subscriptions/{self.application.subscription}/providers/{PROVIDER}/locations/{location}/usages"
        return self.page(request, [{"id": place, "type": f"{PROVIDER}/usages", "unit": "Count", "currentValue": count["used"],
                                    "limit": count["limit"], "name": {"value": name, "localizedValue": name}}])

    @staticmethod
    def sizes(_request, location):
        """Of nodes, those that have one GPU."""
        return json_reply({"value": [{"name": Compute.size, "family": "standardNCSv3Family", "vCPUs": 6, "gpus": 1, "memoryGB": 112.0,
                                      "lowPriorityCapable": True, "premiumIO": True, "supportedComputeTypes": ["AmlCompute"]}]})

    def operation(self, _request, location, operation):
        """Of a cancellation or deletion: whether it is over."""
        job = self.engine.jobs.get(operation)
        if job is None or job.status in jobs.FINAL:
            return Reply(200 if job or operation in self.deleted else 404)
        return self.accepted(operation)

    def accepted(self, name):
        place = (f"{self.application.url}/subscriptions/{self.application.subscription}/providers/{PROVIDER}/locations/"
                 f"{self.application.location}/mfeOperationResults/{name}?api-version=2023-10-01")
        return Reply(202, headers={"Location": place, "Retry-After": self.settings["retryAfter"]})

    # Computes.

    def compute(self, name):
        found = self.engine.computes.get(name)
        if not found:
            refuse(404, "ResourceNotFound", f"The compute '{name}' was not found in workspace '{self.application.workspace}'.")
        return found

    def told_compute(self, name):
        found = self.compute(name)
        running = [job for job in self.engine.jobs.values() if job.placed and job.compute == name]
        count = sum(job.nodes for job in running)
        return self.resource("computes", name, {
            "computeType": "AmlCompute", "provisioningState": found.state, "provisioningErrors": None, "isAttachedCompute": False,
            "computeLocation": self.application.location, "properties": {
                "vmSize": found.size, "vmPriority": found.priority, "osType": "Linux", "allocationState": "Steady",
                "scaleSettings": {"minNodeCount": 0, "maxNodeCount": found.nodes, "nodeIdleTimeBeforeScaleDown": "PT120S"},
                "currentNodeCount": count + found.idle, "targetNodeCount": count + found.idle, "errors": found.errors,
                "nodeStateCounts": {"idleNodeCount": found.idle, "runningNodeCount": count, "preparingNodeCount": 0,
                                    "unusableNodeCount": 0, "leavingNodeCount": 0, "preemptedNodeCount": 0}}},
            location=self.application.location)

    def list_computes(self, request):
        return self.page(request, [self.told_compute(name) for name in self.engine.computes])

    def get_compute(self, _request, name):
        return json_reply(self.told_compute(name))

    def list_nodes(self, _request, name):
        self.compute(name)
        return json_reply({"nodes": [
            {"nodeId": f"node-{job.id}-{number}", "privateIpAddress": "127.0.0.1", "publicIpAddress": None, "port": None,
             "nodeState": "running", "runId": job.id}
            for job in self.engine.jobs.values() if job.placed and job.compute == name for number in range(job.nodes)], "nextLink": None})

    # Jobs.

    def job(self, name):
        found = self.engine.jobs.get(name)
        if not found or found.shown.get("hidden"):
            refuse(404, "UserError", f"Job {name} was not found.")
        return found

    def told_job(self, job):
        return jobs.resource(self.application, job)

    def list_jobs(self, request):
        query = request.query
        view = query.get("listViewType", "ActiveOnly")
        wanted = {name.removeprefix("properties/"): value for name, value in query.items() if name.startswith("properties/")}

        def fits(job):
            given = job.properties.get("properties") or {}
            return (not job.shown.get("hidden") and (view == "All" or job.archived == (view == "ArchivedOnly"))
                    and query.get("jobType", "Command") == "Command" and ("tag" not in query or query["tag"] in job.tags)
                    and all(given.get(name) == value for name, value in wanted.items()))

        found = sorted(filter(fits, self.engine.jobs.values()), key=lambda job: job.created, reverse=True)
        return self.page(request, found, self.told_job)

    def get_job(self, _request, name):
        return json_reply(self.told_job(self.job(name)))

    def put_job(self, request, name):
        properties = {key: value for key, value in self.properties(request).items() if value is not None}
        there = self.engine.jobs.get(name)
        if there:
            self.check_same(there, properties)
            self.change_job(there, properties)
            return json_reply(self.told_job(there))
        self.check_job(name, properties)
        return json_reply(self.told_job(self.engine.submit(name, properties, "u@standin.test")), 201)

    def check_same(self, job, properties):
        def fixed(members):
            return json.dumps({key: value for key, value in members.items() if key not in CHANGEABLE}, sort_keys=True)

        if fixed(job.properties) != fixed(properties):
            refuse(self.settings["conflict"], "UserError", (
                "A job with this name already exists. If you are trying to submit a new job, use a different name. If you are trying to "
                "update an existing job, only tags, description, display name and isArchived can be changed."))

    @staticmethod
    def change_job(job, properties):
        job.tags.update(properties.get("tags") or {})
        job.display_name = properties.get("displayName", job.display_name)
        job.archived = properties.get("isArchived", job.archived)
        job.properties |= {key: properties[key] for key in ("description", "properties") if key in properties}

    def check_job(self, name, properties):
        if not re.fullmatch(JOB_NAME, name):
            refuse(400, "UserError", f"The job name {name} does not match ^{JOB_NAME}$.")
        if properties.get("jobType") != "Command":
            refuse(400, "UserError", f"The stand-in runs no jobs of type {properties.get('jobType')}.")
        for member in ("command", "environmentId", "computeId"):
            if not properties.get(member):
                refuse(400, "UserError", f"The field {member} is required.")
        self.check_environment(properties["environmentId"])
        compute = properties["computeId"].rpartition("/")[2]
        if compute not in self.engine.computes:
            refuse(400, "UserError", f"Compute with name {compute} was not found in the workspace.")
        code = re.search(r"/codes/([^/]+)/versions/([^/]+)$", properties.get("codeId") or "")
        if properties.get("codeId") and (not code or code.groups() not in self.engine.codes):
            refuse(400, "UserError", f"Code {properties['codeId']} was not found.")

    def check_environment(self, wanted):
        found = re.search(r"/environments/([^/]+)/versions/([^/]+)$", wanted)
        curated = wanted.lower().startswith("azureml://registries/azureml/")
        if not found or not (curated or found.groups() in self.environments):
            refuse(400, "UserError", f"Environment {wanted} was not found.")

    def delete_job(self, _request, name):
        if name not in self.engine.jobs:
            return Reply(204)
        if self.job(name).status not in jobs.FINAL:
            refuse(409, "Conflict", f"Job {name} cannot be deleted before it has ended.")
        del self.engine.jobs[name]
        self.deleted.add(name)
        return self.accepted(name)

    def cancel_job(self, _request, name):
        job = self.job(name)
        if job.status in jobs.FINAL:
            refuse(self.settings["conflict"], "UserError", f"Job {name} is in the terminal state {job.status} and cannot be canceled.")
        self.engine.cancel(job)
        return Reply(200) if self.settings["cancelReply"] == 200 else self.accepted(name)

    # For tests.

    def control_compute(self, members):
        """Changes what is named of it; `remove`: deletes it, and with it what runs there."""
        name = members["name"]
        if members.get("remove"):
            self.engine.delete_compute(name)
            return {}
        found = self.engine.computes.setdefault(name, Compute(1))
        for member, value in members.items():
            if member != "name":
                if member not in Compute.__dataclass_fields__:
                    raise ValueError(f"a compute has no {member}")
                setattr(found, member, value)
        self.engine.place()
        return dataclasses.asdict(found)
