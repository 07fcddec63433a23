# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the REST server of OpenPAI 1.8 behind its gateway: python3 -B openpai_server.py --root DIR --storage NAME=FOLDER
[--user NAME:PASSWORD]… [--cluster NAME=GPUS:USED]… [--token-seconds N] [--oidc] [--blob NAME=CONTAINER,ACCOUNT,KEY] [--blob-endpoint URL]
[--port N]

Prints `url=` and `token=`, an application token of the first user, and stays until its standard input ends. Jobs run as processes of
this machine. Besides what stand_in.py has, a test may ask with POST /control/…

    job       {"action":…,"job":REGEX}, of USER~NAME:
              hold       those that come and those that wait stay WAITING, "at":"create" or "prepare", with "diagnostics"
              release    what was held by the same REGEX
              lose       its node is gone; "leave":true lets its processes live on, as behind a cut cable
              preempt    it has to make room, and begins anew
              fail       it ends with "code", "diagnostics" and "spec" (of appExitSpec)
              stop       by somebody else, at once; "code":-220 as when it was deleted
              show       tells "state" and "subState" of it that it does not have; without them, what is so
    tokens    {"revoke":true} or {"allow":true}, of all users or of "user"
    cluster   {"name":…,"gpus":8,"used":2}
    fill      {"name":…,"count":N,"state":"SUCCEEDED"}: jobs NAME-1, … that no process belongs to; "user"
    settings  delays {create, prepare, complete, stop} and grace in seconds; pretend (seconds that a job lasts which starts nothing),
              tokenSeconds, oidc, skew; limits {all, list, submit: requests in `seconds`, of submit in `submitSeconds`};
              logs (log_manager, azure_storage, unreachable); down (controller, database)
"""

import argparse
import hashlib
import hmac
import itertools
import json
import math
import re
import sys
import time
import urllib.parse

import openpai_jobs as jobs
import openpai_protocol as protocol
from blob_mount import BlobContainer
from job_processes import Containers
from openpai_accounts import Accounts, User, refuse
from stand_in import Application, Refusal, Reply, json_reply, serve, text_reply

BODY_LIMIT = 102_400
TAIL = 16_384
ORDERS = {"jobName": "name", "submissionTime": "submissionTime", "username": "username", "vc": "virtualCluster", "retries": "retries",
          "totalTaskNumber": "totalTaskNumber", "totalGpuNumber": "totalGpuNumber", "state": "state", "completionTime": "completedTime"}
JOB = r"/api/v2/jobs/(?P<job>[^/]+)"
LOGS = JOB + r"/attempts/(?P<attempt>\d+)/taskRoles/(?P<role>[^/]+)/taskIndex/(?P<index>\d+)/attempts/(?P<again>\d+)/logs"


class Limit:
    """So many requests of each caller in a while."""

    def __init__(self):
        self.windows = {}

    def check(self, key, limit, seconds, now):
        """Headers for the reply; a Refusal where there were too many. `now`: the server's time, for the headers; the window itself is
        measured by the monotonic clock."""
        steady = time.monotonic()
        began, count = self.windows.get(key, (steady, 0))
        if steady >= began + seconds:
            began, count = steady, 0
        self.windows[key] = began, count + 1
        headers = {"X-RateLimit-Limit": limit, "X-RateLimit-Remaining": max(0, limit - count - 1),
                   "X-RateLimit-Reset": math.ceil(now + began + seconds - steady)}
        if count + 1 > limit:
            raise Refusal(text_reply("Too many requests, please try again later.", 429,
                                     headers={"Retry-After": math.ceil(seconds), **headers}))
        return headers


class OpenPai(Application):
    def __init__(self, options, containers):
        super().__init__()
        self.settings.update(
            delays={"create": 0.05, "prepare": 0.05, "complete": 0.05, "stop": 0.05}, grace=10, pretend=None,
            tokenSeconds=options.token_seconds, oidc=options.oidc, logs="log_manager", down=None,
            limits={"all": None, "list": None, "submit": None, "seconds": 60, "submitSeconds": 3600})
        self.accounts = Accounts(self, options.users)
        self.engine = jobs.Engine(self, containers)
        self.engine.clusters = options.clusters
        self.storages = options.storages
        self.limits = {"all": Limit(), "list": Limit(), "submit": Limit()}
        self.key = self.accounts.key
        self.containers = containers
        self.controls = {"job": lambda members: self.engine.act(members["action"], members["job"], members),
                         "tokens": self.accounts.control, "cluster": self.change_cluster, "fill": self.fill}
        self.routes = [(method, re.compile(pattern), function) for method, pattern, function in (
            ("GET", r"/api/v[12]/tokens", self.list_tokens),
            ("POST", r"/api/v2/tokens/application", self.make_application_token),
            ("GET", r"/api/v2/tokens/check", self.check_token),
            ("DELETE", r"/api/v[12]/tokens?/(?P<token>[^/]+)", lambda caller, request, token: self.accounts.revoke(caller, token)),
            ("DELETE", r"/api/v[12]/authn/basic/logout", lambda caller, request: self.accounts.revoke(caller, caller.token)),
            ("POST", r"/api/v2/jobs", self.submit),
            ("GET", r"/api/v2/jobs", self.list_jobs),
            ("GET", JOB, lambda caller, request, job: json_reply(jobs.detail(self.job(job)))),
            ("PUT", JOB + "/executionType", self.execute),
            ("GET", JOB + "/config", self.config),
            ("GET", JOB + "/ssh", self.ssh),
            ("PUT", JOB + "/tag", self.add_tag),
            ("DELETE", JOB + "/tag", self.remove_tag),
            ("GET", JOB + "/events", self.events),
            ("GET", JOB + "/job-attempts", self.attempts),
            ("GET", JOB + r"/(?:job-)?attempts/(?P<number>\d+)", self.one_attempt),
            ("GET", LOGS, self.log_places),
            ("GET", r"/api/v2/virtual-clusters", self.virtual_clusters),
            ("GET", r"/api/v2/virtual-clusters/(?P<name>[^/]+)", self.virtual_cluster),
            ("GET", r"/api/v2/cluster/sku-types", self.sku_types),
            ("GET", r"/api/v2/storages", self.list_storages),
            ("GET", r"/api/v2/storages/(?P<name>[^/]+)", self.storage),
        )]

    def error(self, status):
        if status == 429:
            return text_reply("Too many requests, please try again later.", 429)
        if status == 413:
            return json_reply({"message": "request entity too large"}, 413)
        words = {401: ("UnauthorizedUserError", "Your token is invalid."), 403: ("ForbiddenUserError", "User is not allowed."),
                 404: ("NoJobError", "Job is not found."), 409: ("ConflictJobError", "Job already exists.")}
        code, message = words.get(status, ("UnknownError", "The server failed."))
        return json_reply({"code": code, "message": message}, status)

    def jobs(self):
        return [jobs.for_tests(job) for job in self.engine.jobs.values()]

    def set(self, name, value):
        super().set(name, value)
        if name == "limits":
            for limit in self.limits.values():
                limit.windows.clear()

    def close(self):
        self.containers.close()

    # Requests.

    def answer(self, request):
        if request.path.startswith(("/log-manager/", "/blob/", "/rest-server/api/internal/tail-logs/")):
            return self.read_log(request)
        if not request.path.startswith("/rest-server/"):
            return text_reply("<html><head><title>404 Not Found</title></head></html>", 404, "text/html")
        path = request.path.removeprefix("/rest-server")
        headers = self.check_limit("all", "everybody")
        if len(request.body) > BODY_LIMIT:
            raise Refusal(self.error(413))
        reply = self.open_to_all(request, path) or self.for_users(request, path)
        reply.headers = {**headers, **reply.headers}
        return reply

    def check_limit(self, name, key):
        limits = self.settings["limits"]
        if limits[name] is None:
            return {}
        seconds = limits["submitSeconds" if name == "submit" else "seconds"]
        return self.limits[name].check(key, limits[name], seconds, self.now())

    def open_to_all(self, request, path):
        oidc = self.settings["oidc"]
        if request.method == "GET" and path == "/api/v2/info":
            return json_reply({"name": "PAI RESTful API", "version": "v1.8.0", "launcherType": "k8s",
                               "authnMethod": "OIDC" if oidc else "basic"})
        if request.method == "GET" and re.fullmatch(r"/api/v[12]/authn/info", path):
            kind, method = ("oidc", "get") if oidc else ("basic", "post")
            return json_reply({"authn_type": kind, "loginURI": f"/api/v1/authn/{kind}/login", "loginURIMethod": method})
        if request.method == "POST" and not oidc and re.fullmatch(r"/api/v[12]/(authn/basic/login|tokens?)", path):
            return self.accounts.log_in(request)
        if request.method == "GET" and oidc and re.fullmatch(r"/api/v[12]/authn/oidc/login", path):
            words = urllib.parse.urlencode({"response_type": "code", "response_mode": "form_post", "client_id": "stand-in",
                                            "redirect_uri": request.query.get("redirect_uri", "")})
            return Reply(302, headers={"Location": f"{self.url}/identity/authorize?{words}"})
        return None

    def for_users(self, request, path):
        for method, pattern, function in self.routes:
            found = pattern.fullmatch(path)
            if found and method == request.method:
                return function(self.accounts.caller(request), request, **found.groupdict())
        return refuse(404, "NoApiError", f"API {path} is not found.")

    @staticmethod
    def members(request):
        try:
            found = request.json()
        except ValueError as error:
            refuse(400, "InvalidParametersError", str(error))
        return found if isinstance(found, dict) else {}

    # Tokens.

    def list_tokens(self, caller, _):
        caller.must_be_person()
        return json_reply({"tokens": caller.user.tokens})

    def make_application_token(self, caller, _):
        caller.must_be_person()
        return json_reply({"token": self.accounts.make_token(caller.user, for_application=True), "application": True})

    def check_token(self, caller, _):
        return json_reply({**self.accounts.payload(caller.token), "admin": caller.user.admin})

    # Jobs.

    def job(self, name):
        if self.settings["down"] == "database":
            refuse(500, "UnknownError", "There is a problem with your database connection. Please contact your admin.")
        if name not in self.engine.jobs:
            refuse(404, "NoJobError", f"Job {name} is not found.")
        return self.engine.jobs[name]

    def writes(self):
        """Before whatever the database controller has to do."""
        if self.settings["down"] == "controller":
            refuse(500, "ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:9748")

    def own_job(self, caller, name):
        job = self.job(name)
        if job.user != caller.user.name and not caller.user.admin:
            refuse(403, "ForbiddenUserError", f"User {caller.user.name} is not allowed to do this operation.")
        return job

    def submit(self, caller, request):
        headers = self.check_limit("submit", caller.user.name)
        try:
            spec = protocol.parse(request.body.decode()) if request.content_type() == "text/yaml" else None
            protocol.check(spec)
        except (protocol.BrokenText, UnicodeDecodeError) as error:
            raise Refusal(json_reply({"message": str(error)}, 500)) from error
        except protocol.BadProtocol as error:
            refuse(400, "InvalidProtocolError", str(error))
        user, cluster = caller.user, protocol.virtual_cluster(spec)
        if cluster not in self.engine.clusters and user.admin:
            refuse(404, "NoVirtualClusterError", f"Virtual cluster {cluster} is not found.")
        if cluster not in user.clusters and not user.admin:
            refuse(403, "ForbiddenUserError", f"User {user.name} is not allowed to do operation in {cluster}")
        mounts = protocol.storages(spec, [name for name, found in self.storages.items() if found["default"] and name in user.storages])
        for name, _ in mounts:
            self.find_storage(caller, name)
        name = f"{user.name}~{spec['name']}"
        if self.settings["down"] == "database":
            self.job(name)
        if name in self.engine.jobs:
            refuse(409, "ConflictJobError", f"Job {name} already exists.")
        self.writes()
        self.engine.submit(user.name, spec, mounts)
        return json_reply({"status": 202, "message": f"Update job {spec['name']} for user {user.name} successfully."}, 202, headers=headers)

    def list_jobs(self, caller, request):
        headers = self.check_limit("list", caller.user.name)
        query = request.query
        if self.settings["down"] == "database":
            self.job("")
        numbers = {"offset": 0, "limit": 5000}
        for name in numbers:
            if not re.fullmatch(r"\d+", query.get(name, "0")):
                refuse(400, "InvalidParametersError", f"{name} should be a number.")
            numbers[name] = int(query.get(name, numbers[name]))
        if numbers["limit"] > 50000:
            refuse(400, "InvalidParametersError", "Limit exceeds max number 50000.")
        found = [jobs.list_item(job) for job in self.engine.jobs.values() if self.sees(caller.user, job) and self.fits(job, query)]
        field, _, direction = query.get("order", "submissionTime,DESC").partition(",")
        if field not in ORDERS or direction not in ("ASC", "DESC"):
            refuse(400, "InvalidParametersError", f"Cannot order by {field},{direction}.")
        found.sort(key=lambda item: (item[ORDERS[field]] is not None, item[ORDERS[field]]), reverse=direction == "DESC")
        page = found[numbers["offset"]:numbers["offset"] + numbers["limit"]]
        if query.get("withTotalCount") == "true":
            return json_reply({"totalCount": len(found), "data": page}, headers=headers)
        return json_reply(page, headers=headers)

    @staticmethod
    def sees(user, job):
        return user.admin or job.user == user.name or protocol.virtual_cluster(job.spec) in user.clusters

    @staticmethod
    def fits(job, query):
        """Whether it passes all filters."""
        cluster = protocol.virtual_cluster(job.spec)
        for name, value in (("username", job.user), ("vc", cluster), ("state", job.state), ("jobPriority", jobs.priority(job))):
            if name in query and value not in query[name].split(","):
                return False
        if "keyword" in query and not any(query["keyword"] in text for text in (job.user, job.name, cluster)):
            return False
        if "tagsContain" in query and not set(query["tagsContain"].split(",")) & set(job.tags):
            return False
        return "tagsNotContain" not in query or not set(query["tagsNotContain"].split(",")) & set(job.tags)

    def execute(self, caller, request, job):
        value = self.members(request).get("value")
        if value not in ("START", "STOP"):
            refuse(400, "InvalidParametersError", "child \"value\" fails because [\"value\" must be one of [START, STOP]]")
        found = self.own_job(caller, job)
        self.writes()
        self.engine.execute(found, value)
        return json_reply({"status": 202, "message": f"Execute job {job} successfully."}, 202)

    def config(self, _, request, job):
        return text_reply(jobs.config(self.job(job)), content_type="text/yaml; charset=utf-8")

    def ssh(self, _, request, job):
        self.job(job)
        return refuse(404, "NoJobSshInfoError", f"SSH info of job {job} is not found.")

    def add_tag(self, caller, request, job):
        found, tag = self.own_job(caller, job), self.members(request).get("value")
        if not isinstance(tag, str) or not tag or "," in tag:
            refuse(400, "InvalidParametersError", "child \"value\" fails: a tag holds no comma.")
        if tag not in found.tags:
            found.tags.append(tag)
        return json_reply({"status": 200, "message": f"Add tag {tag} for job {job} successfully."})

    def remove_tag(self, caller, request, job):
        found, tag = self.own_job(caller, job), self.members(request).get("value")
        if tag not in found.tags:
            refuse(404, "NoTagError", f"Tag {tag} is not found.")
        found.tags.remove(tag)
        return json_reply({"status": 200, "message": f"Delete tag {tag} from job {job} successfully."})

    def events(self, _, request, job):
        self.job(job)
        return json_reply({"totalCount": 0, "data": []})

    def attempts(self, _, request, job):
        found = self.job(job)
        return json_reply([jobs.attempt_item(found, attempt) for attempt in reversed(found.attempts)])

    def one_attempt(self, _, request, job, number):
        found = self.job(job)
        if int(number) >= len(found.attempts):
            refuse(404, "NoJobError", f"Attempt {number} of job {job} is not found.")
        return json_reply(jobs.attempt_item(found, found.attempts[int(number)]))

    # Logs.

    def container(self, place):
        """Of one attempt of one task, by the groups of LOGS."""
        attempts = self.job(place["job"]).attempts
        tasks = attempts[int(place["attempt"])].tasks if int(place["attempt"]) < len(attempts) else []
        logs = next((task.log for task in tasks if (task.role, str(task.index)) == (place["role"], place["index"])), [])
        if int(place["again"]) >= len(logs):
            refuse(404, "NoTaskLogError", f"Log of task {place['role']}-{place['index']} of job {place['job']} is not found.")
        return logs[int(place["again"])]

    def log_places(self, _, request, **place):
        self.container(place)
        backend, tail = self.settings["logs"], request.query.get("tail-mode") == "true"
        if backend == "unreachable":
            refuse(500, "UnknownError", "Failed to get log list")
        ends = int(self.now()) + 600
        words = urllib.parse.urlencode({**place, "se": ends, "tail-mode": "true" if tail else "false"})
        words += f"&sig={self.signature(place, str(ends))}"
        if backend == "log_manager":
            base = "/log-manager/127.0.0.1:9103/api/v1/logs"
        else:
            base = "/rest-server/api/internal/tail-logs" if tail else f"{self.url}/blob/logs"
        return json_reply({"locations": [{"name": name, "uri": f"{base}/{name}?{words}"} for name in ("all", "stdout", "stderr")]})

    def signature(self, place, ends):
        text = json.dumps([place[name] for name in ("job", "attempt", "role", "index", "again")] + [ends])
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    def read_log(self, request):
        name, query = request.path.rpartition("/")[2], request.query
        try:
            good = hmac.compare_digest(query["sig"], self.signature(query, query["se"])) and int(query["se"]) > self.now()
        except KeyError:
            good = False
        if not good:
            return text_reply("Forbidden", 403)
        if name not in ("all", "stdout", "stderr"):
            return text_reply("Not Found", 404)
        text = self.container(query).log(name)
        inside = request.path.startswith("/rest-server/")
        if inside or query.get("tail-mode") == "true":
            text = text[-TAIL:]
        return Reply(206 if inside else 200, text, "text/plain; charset=utf-8")

    # The cluster.

    def virtual_clusters(self, *_):
        return json_reply({name: self.cluster_state(name) for name in self.engine.clusters})

    def virtual_cluster(self, _, request, name):
        if name not in self.engine.clusters:
            refuse(404, "NoVirtualClusterError", f"Virtual cluster {name} is not found.")
        return json_reply(self.cluster_state(name))

    def cluster_state(self, name):
        gpus = self.engine.clusters[name]["gpus"]
        used = gpus - self.engine.free(name)
        everything = sum(cluster["gpus"] for cluster in self.engine.clusters.values())
        total = {"cpu": 6 * gpus, "memory": 56_320 * gpus, "gpu": gpus}
        return {"capacity": 100 * gpus / max(1, everything), "usedCapacity": 100 * used / max(1, gpus), "dedicated": False,
                "resourcesUsed": {"cpu": 6 * used, "memory": 56_320 * used, "gpu": used}, "resourcesGuaranteed": total,
                "resourcesTotal": total}

    def sku_types(self, *_):
        return json_reply({"gpu-machine": {"gpu": 1, "cpu": 6, "memory": "56320Mi"}})

    def find_storage(self, caller, name):
        if name not in self.storages:
            refuse(404, "NoStorageError", f"Storage {name} is not found.")
        if name not in caller.user.storages:
            refuse(403, "ForbiddenUserError", f"User {caller.user.name} is not allowed to access storage {name}.")
        return self.storages[name]

    def list_storages(self, caller, request):
        wanted = request.query.get("default")
        found = [{name: storage[name] for name in ("name", "share", "volumeName", "default")} for storage in self.storages.values()
                 if storage["name"] in caller.user.storages]
        return json_reply({"storages": [storage for storage in found if wanted != "true" or storage["default"]]})

    def storage(self, caller, _, name):
        return json_reply(self.find_storage(caller, name))

    # For tests.

    def change_cluster(self, members):
        self.engine.clusters.setdefault(members["name"], {"gpus": 0, "used": 0}).update(
            {name: members[name] for name in ("gpus", "used") if name in members})
        self.engine.place()
        return self.engine.clusters

    def fill(self, members):
        spec = {"protocolVersion": 2, "name": members["name"], "type": "job", "prerequisites": [],
                "taskRoles": {"taskrole": {"instances": 1, "dockerImage": "none", "commands": ["true"],
                                           "resourcePerInstance": {"gpu": 0, "cpu": 1, "memoryMB": 1024}}}}
        user = members.get("user") or next(iter(self.accounts.users))
        return self.engine.fill(user, spec, members["count"], members.get("state", "SUCCEEDED"))


def named(text):
    name, mark, value = text.partition("=")
    if not mark or not name:
        raise argparse.ArgumentTypeError(f"{text}: expected NAME=VALUE")
    return name, value


def main():
    parser = argparse.ArgumentParser(description="A stand-in for OpenPAI.", epilog="It stays until its standard input ends.")
    parser.add_argument("--root", help="below which mounts of jobs may be made")
    parser.add_argument("--storage", action="append", default=[], type=named, metavar="NAME=FOLDER",
                        help="the first one is everybody's default")
    parser.add_argument("--blob", action="append", default=[], type=named, metavar="NAME=CONTAINER,ACCOUNT,KEY", help="a storage of Azure")
    parser.add_argument("--blob-endpoint", metavar="URL", help="where these are, with {account}; else no container sees them")
    parser.add_argument("--user", action="append", default=[], metavar="NAME:PASSWORD", help="instead of u:secret6")
    parser.add_argument("--cluster", action="append", default=[], type=named, metavar="NAME=GPUS:USED")
    parser.add_argument("--token-seconds", type=int, default=604_800, help="how long tokens of users live")
    parser.add_argument("--oidc", action="store_true", help="users log in by OpenID Connect only")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()

    containers = Containers(options.root, dict(options.storage))  # before any thread
    options.clusters = {"default": {"gpus": 8, "used": 2}, "private": {"gpus": 4, "used": 0}}
    for name, numbers in options.cluster:
        gpus, _, used = numbers.partition(":")
        options.clusters[name] = {"gpus": int(gpus), "used": int(used or 0)}
    volumes = itertools.count(1)

    def storage(name, kind, data, default=False):
        return {"name": name, "share": True, "volumeName": f"pv{next(volumes)}", "default": default, "type": kind, "data": data,
                "readOnly": False, "mountOptions": []}

    options.storages = {name: storage(name, "nfs", {"server": "127.0.0.1", "path": folder}, index == 0)
                        for index, (name, folder) in enumerate(options.storage)}
    for name, words in options.blob:
        container, account, key = words.split(",")
        options.storages[name] = storage(name, "azureBlob", {"containerName": container, "accountName": account, "accountKey": key})
        if options.blob_endpoint:
            url = f"{options.blob_endpoint.replace('{account}', account)}/{container}"
            containers.add_blobs(name, BlobContainer(url, account, key))
    shared = set(options.storages)
    options.storages["privatestorage"] = storage("privatestorage", "nfs", {"server": "127.0.0.1", "path": "/nowhere"})
    options.users = [User(*text.partition(":")[::2], storages=shared, clusters=set(options.clusters) - {"private"})
                     for text in options.user or ["u:secret6"]]
    for name, password, admin in (("other", "secret7", False), ("admin", "secret8", True)):
        if name not in [user.name for user in options.users]:
            options.users.append(User(name, password, admin, set(options.clusters), set(options.storages)))
    application = OpenPai(options, containers)
    return serve(application, options.port, token=lambda: application.accounts.make_token(options.users[0], for_application=True))


if __name__ == "__main__":
    sys.exit(main())
