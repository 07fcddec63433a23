# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the dashboard of DLTS: python3 -B dlts_server.py --root DIR --share NAME=FOLDER [--user EMAIL]… [--master TOKEN]
[--team NAME] [--cluster NAME]… [--gpus N:USED] [--port N]

Prints `url=`, below which is /api, and `password=` of the first user, and stays until its standard input ends. Jobs run as processes of
this machine, and see each share at DIR/NAME, or where its folder is if no --root is given. Folders of jobs are on the first share, the
home of a user is on one called `home`. There are also other@x.com of the same team, admin@x.com, who administers it, and the team
`private` of these two. Besides what stand_in.py has, a test may ask with POST /control/…

    job       {"action":…,"job":REGEX}, of its id or name; with "message" for a person
              hold       those that come and those that wait stay, "at":"unapproved" (over a quota), "queued" or "scheduling"
              release    what was held by the same REGEX
              lose       its node is gone, it is queued; "leave":true lets its process live on, as behind a cut cable
              kill · pause · resume · approve    by somebody else
              open       its endpoints are there, whatever the delay
              fail       it ends with "status":"failed" or "error"
              show       tells a "status" that it does not have, or {} with "hidden":true; without them, what is so
    gpus      {"cluster":…,"team":…,"gpus":8,"used":2}
    fill      {"name":…,"count":N,"status":"finished"}: jobs NAME-1, … that no process belongs to
    settings  delays {approve, queue, schedule, finish, kill, pause, endpoint} and grace in seconds; pretend (seconds that a job lasts
              which starts nothing), metadata (text of the team's, as '{}'), userQuota (GPUs), logs (elasticsearch, legacy),
              opensEndpoints (those in a submission are asked for at once), v2 (whether there is /api/v2), down (error, network: of the
              server behind the dashboard), master (as --master), skew
"""

import argparse
import hashlib
import hmac
import json
import re
import sys

import dlts_jobs as jobs
from job_processes import Containers
from stand_in import Application, Refusal, Reply, json_reply, serve, text_reply

PAGE = 100  # lines of a log
CLUSTER = r"/clusters/(?P<cluster>[^/]+)"
JOB = CLUSTER + r"/jobs/(?P<job>[^/]+)"


def refuse(status, text):
    raise Refusal(text_reply(text, status))


def passed_on(value, status=200):
    """What the server behind the dashboard said: its text, as it came."""
    return Reply(status, json.dumps(value).encode(), "text/plain; charset=utf-8")


class Dlts(Application):
    def __init__(self, options, containers):
        super().__init__()
        self.settings.update(
            delays={"approve": 0.05, "queue": 0.05, "schedule": 0.05, "finish": 0.05, "kill": 0.05, "pause": 0.05, "endpoint": 0.05},
            grace=10, pretend=None, metadata='{"P40": {"num_gpu_per_node": 4}}', userQuota=None, logs="elasticsearch", opensEndpoints=False, v2=True, down=None,
            master=options.master)
        self.clusters = options.clusters
        self.teams = options.teams  # members by name
        self.admins = options.admins
        self.containers = containers
        self.engine = jobs.Engine(self, containers, options.shares)
        self.engine.gpus = {(cluster, team): dict(options.gpus) for cluster in self.clusters for team in self.teams}
        self.controls = {"job": lambda members: self.engine.act(members["action"], members["job"], members),
                         "gpus": self.change_gpus, "fill": self.fill}
        self.routes = [(method, re.compile(pattern), function) for method, pattern, function in (
            ("GET", r"/user", self.user),
            ("GET", r"/teams", self.list_teams),
            ("GET", r"/teams/(?P<team>[^/]+)/clusters/(?P<cluster>[^/]+)", self.virtual_cluster),
            ("GET", r"/teams/(?P<team>[^/]+)/jobs", self.list_jobs),
            ("GET", r"/v2/clusters/(?P<cluster>[^/]+)/teams/(?P<team>[^/]+)/jobs", self.list_jobs),
            ("POST", CLUSTER + "/jobs", self.submit),
            ("POST", CLUSTER + "/jobs/status", self.order_many),
            ("GET", "/v2" + JOB, self.detail),
            ("GET", JOB, self.old_detail),
            ("GET", JOB + "/status", self.status),
            ("PUT", JOB + "/status", self.order),
            ("GET", JOB + "/log", self.log),
            ("GET", JOB + "/endpoints", self.endpoints),
            ("POST", JOB + "/endpoints", self.add_endpoints),
            ("PUT", JOB + "/priority", self.set_priority),
        )]

    def error(self, status):
        return text_reply({502: "Bad Gateway", 403: "Invalid token", 404: "Not Found"}.get(status, "Internal Server Error"), status)

    def jobs(self):
        return [jobs.for_tests(job) for job in self.engine.jobs.values()]

    def close(self):
        self.containers.close()

    def password(self, email):
        return hashlib.md5(f"{email}:{self.settings['master']}".encode()).hexdigest()

    # Requests.

    def answer(self, request):
        path = request.path.removeprefix("/api")
        if path == request.path or (path.startswith("/v2/") and not self.settings["v2"]):
            return text_reply("Not Found", 404)
        for method, pattern, function in self.routes:
            found = pattern.fullmatch(path)
            if found and method == request.method:
                words = found.groupdict()
                request.user = self.caller(request)
                if "cluster" in words:
                    words["cluster"] = self.cluster(words["cluster"])
                return function(request, **words)
        return text_reply("Not Found", 404)

    def caller(self, request):
        """The e-mail address of the user."""
        email = request.query.get("email", "")
        password = request.query.get("password", request.query.get("token", ""))
        if not email or not password:
            refuse(403, "Missing token")
        if not hmac.compare_digest(password.encode(), self.password(email).encode()):
            refuse(403, "Invalid token")
        return email

    def cluster(self, name):
        if name == ".default":
            return self.clusters[0]
        if name not in self.clusters:
            refuse(404, "Cluster is not found")
        return name

    def behind(self, read=True):
        """Before whatever the server behind the dashboard is asked for."""
        if self.settings["down"] == "network":
            refuse(500, "Internal Server Error")
        if self.settings["down"]:
            refuse(502 if read else 500, "Bad Gateway" if read else "Internal Server Error")

    @staticmethod
    def members(request):
        try:
            found = request.json()
        except ValueError:
            refuse(400, "Bad Request")
        return found if isinstance(found, dict) else {}

    def may(self, user, job):
        return user == job.owner or user in self.admins

    def find(self, cluster, job):
        """A job of this cluster, or None."""
        found = self.engine.jobs.get(job)
        return found if found and found.cluster == cluster and not found.shown.get("hidden") else None

    # Users and teams.

    def user(self, request):
        number = 10_000 + int(hashlib.md5(request.user.encode()).hexdigest()[:4], 16)
        return json_reply({"email": request.user, "password": self.password(request.user), "uid": number, "gid": number,
                           "familyName": "", "givenName": request.user.partition("@")[0]})

    def list_teams(self, request):
        self.behind()
        return json_reply([{"id": team, "clusters": [
            {"id": cluster, "admin": request.user in self.admins,
             "gpus": {name: {"perNode": members.get("num_gpu_per_node"), "quota": self.engine.gpus[cluster, team]["gpus"]}
                      for name, members in json.loads(self.settings["metadata"]).items()}, "userQuota": self.settings["userQuota"]}
            for cluster in self.clusters]} for team, members in self.teams.items() if request.user in members])

    def virtual_cluster(self, request, team, cluster):
        self.behind()
        if request.user not in self.teams.get(team, ()):
            refuse(404, "Team is not found")
        kind = next(iter(json.loads(self.settings["metadata"])), "P40")
        gpus = self.engine.gpus[cluster, team]["gpus"]
        free = self.engine.free(cluster, team)
        used = {}
        for job in self.engine.jobs.values():
            if job.placed and (job.cluster, job.team) == (cluster, team):
                used[job.owner] = used.get(job.owner, 0) + job.gpus
        return json_reply({
            "vcName": team, "quota": json.dumps({kind: gpus}), "metadata": self.settings["metadata"], "gpu_capacity": {kind: gpus},
            "gpu_used": {kind: gpus - free}, "gpu_available": {kind: free}, "gpu_unschedulable": {kind: 0},
            "user_status": [{"userName": user, "userGPU": {kind: count}} for user, count in used.items()],
            "node_status": [{"name": "worker1", "gpu_capacity": {kind: gpus}, "gpu_used": {kind: gpus - free}}]})

    # Jobs.

    def submit(self, request, cluster):
        spec = self.members(request)
        for name in ("team", "vcName"):
            if not spec.get(name):
                refuse(400, f"{name} is missing")
        self.behind(read=False)
        team = spec["vcName"]
        spec["userName"] = request.user
        if request.user not in self.teams.get(team, ()):
            return passed_on({"error": "Cannot create job!Access Denied!"})
        preemption = str(spec.get("preemptionAllowed", False)).lower()
        if preemption not in ("true", "false") and not preemption.isdigit():
            refuse(500, "Internal Server Error")
        why = self.wrong(spec)
        if why:
            return passed_on({"error": why})
        found = self.engine.submit(request.user, team, cluster, spec)
        return passed_on({"error": found} if isinstance(found, str) else {"jobId": found.id})

    @staticmethod
    def wrong(spec):
        if not spec.get("jobName"):
            return "Cannot create job!The job name is empty"
        if not spec.get("jobType"):
            return "Cannot create job!Cannot add job into database"
        for name in ("jobPath", "workPath", "dataPath"):
            path = str(spec.get(name) or "")
            if path.startswith("/") or ".." in path:
                return f"ERROR: '..' and a leading '/' cannot be used in {name}"
        return ""

    def detail(self, request, cluster, job):
        self.behind()
        found = self.find(cluster, job)
        return json_reply(jobs.detail(found) if found and self.may(request.user, found) else {})

    def old_detail(self, request, cluster, job):
        self.behind()
        found = self.find(cluster, job)
        if not found or not self.may(request.user, found):
            refuse(502, "Bad Gateway")
        return json_reply(jobs.old_detail(found))

    def status(self, request, cluster, job):
        self.behind()
        found = self.find(cluster, job)
        if not found:
            refuse(404, "Not Found")
        return json_reply({"status": found.told(), "message": found.message or None})

    def list_jobs(self, request, team, cluster=None):
        self.behind()
        if request.user not in self.teams.get(team, ()):
            refuse(404, "Team is not found")
        limit = request.query.get("limit", "10")
        if not limit.isdigit():
            refuse(400, "Bad Request")
        seen = [job for job in self.engine.jobs.values() if job.team == team and cluster in (None, job.cluster)
                and not job.shown.get("hidden") and (request.query.get("user") == "all" or job.owner == request.user)]
        seen.sort(key=lambda job: job.submitted, reverse=True)
        over = [job for job in seen if job.status in jobs.FINAL][:int(limit)]
        return json_reply([jobs.detail(job) for job in seen if job.status not in jobs.FINAL or job in over])

    def allowed(self, user, job, status):
        return self.may(user, job) and (status != "approved" or user in self.admins)

    def order(self, request, cluster, job):
        status = self.members(request).get("status")
        if status not in jobs.ORDERS:
            refuse(400, "Bad Request")
        self.behind(read=False)
        found = self.find(cluster, job)
        verb, _, done, _ = jobs.ORDERS[status]
        if found and self.allowed(request.user, found, status) and self.engine.order(found, status):
            return passed_on({"result": f"Success, the job is scheduled to be {done}."})
        return passed_on({"result": f"Cannot {verb.capitalize()} the job. Job ID:{job}"})

    def order_many(self, request, cluster):
        wanted = self.members(request).get("status")
        if not isinstance(wanted, dict) or not set(wanted.values()) <= set(jobs.ORDERS):
            refuse(400, "Bad Request")
        self.behind(read=False)
        told = {}
        for job, status in wanted.items():
            found = self.find(cluster, job)
            verb, past, _, _ = jobs.ORDERS[status]
            if not found:
                continue
            before = found.status
            if not self.allowed(request.user, found, status):
                told[job] = f"unauthorized to {verb}"
            elif self.engine.order(found, status):
                told[job] = f"successfully {past}"
            else:
                told[job] = f"cannot {verb} a(n) \"{before}\" job"
        return json_reply(told)

    def log(self, request, cluster, job):
        self.behind()
        found = self.find(cluster, job)
        text = jobs.read_log(found).decode(errors="replace") if found and self.may(request.user, found) else ""
        if not text:
            refuse(404, "Not Found")
        if self.settings["logs"] == "legacy":
            return json_reply({"log": text, "cursor": None})
        cursor = request.query.get("cursor") or "0"
        if not re.fullmatch(r"\d+(\.\d+)?", cursor):
            refuse(400, "Bad Request")
        lines = text.splitlines(keepends=True)
        first = int(cursor.partition(".")[2] or 0)
        page = lines[first:first + PAGE]
        cursor = f"{int(found.submitted)}.{first + len(page):09}"
        return json_reply({"log": {found.id: "".join(page)} if page else {}, "cursor": cursor})

    def endpoints(self, request, cluster, job):
        self.behind()
        found = self.find(cluster, job)
        if not found or not self.may(request.user, found):
            refuse(502, "Bad Gateway")
        return json_reply(list(found.endpoints.values()))

    def add_endpoints(self, request, cluster, job):
        self.behind()
        wanted = self.members(request).get("endpoints")
        found = self.find(cluster, job)
        good = isinstance(wanted, list) and all(self.is_endpoint(item) for item in wanted)
        if not good or not found or not self.may(request.user, found):
            refuse(502, "Bad Gateway")
        self.engine.ask_for_endpoints(found, wanted)
        return json_reply(list(found.endpoints.values()))

    @staticmethod
    def is_endpoint(item):
        if isinstance(item, str):
            return item in ("ssh", "ipython", "tensorboard")
        return (isinstance(item, dict) and 0 < len(str(item.get("name", ""))) <= 16 and isinstance(item.get("podPort"), int)
                and 40_000 <= item["podPort"] <= 49_999)

    def set_priority(self, request, cluster, job):
        wanted = self.members(request).get("priority")
        if not isinstance(wanted, int):
            refuse(400, "Bad Request")
        self.behind()
        found = self.find(cluster, job)
        if not found or not self.may(request.user, found):
            refuse(403, "Forbidden")
        low, high = (1, 1000) if request.user in self.admins else (100, 200)
        found.priority = min(max(wanted, low), high)
        return json_reply({"message": "priority is set", "priority": found.priority})

    # For tests.

    def change_gpus(self, members):
        found = self.engine.gpus[members.get("cluster", self.clusters[0]), members.get("team", next(iter(self.teams)))]
        found.update({name: members[name] for name in ("gpus", "used") if name in members})
        self.engine.place()
        return found

    def fill(self, members):
        team = members.get("team", next(iter(self.teams)))
        return self.engine.fill(members.get("user", self.teams[team][0]), team, members.get("cluster", self.clusters[0]), members["name"],
                                members["count"], members.get("status", "finished"))


def main():
    parser = argparse.ArgumentParser(description="A stand-in for DLTS.", epilog="It stays until its standard input ends.")
    parser.add_argument("--root", help="below which jobs see the shares")
    parser.add_argument("--share", action="append", default=[], metavar="NAME=FOLDER", help="the first one has the folders of jobs")
    parser.add_argument("--user", action="append", default=[], metavar="EMAIL", help="instead of u@x.com")
    parser.add_argument("--master", default="master", help="the token that passwords are made of")
    parser.add_argument("--team", default="platform")
    parser.add_argument("--cluster", action="append", default=[], metavar="NAME", help="instead of c1")
    parser.add_argument("--gpus", default="8:2", metavar="N:USED", help="of each team in each cluster, and how many others use")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()

    folders = dict(share.split("=", 1) for share in options.share)
    containers = Containers(options.root, folders)  # before any thread
    options.shares = {name: containers.root / name if containers.root else folder for name, folder in containers.storages.items()}
    options.clusters = options.cluster or ["c1"]
    users = options.user or ["u@x.com"]
    options.admins = ["admin@x.com"]
    options.teams = {options.team: [*users, "other@x.com", "admin@x.com"], "private": ["other@x.com", "admin@x.com"]}
    gpus, _, used = options.gpus.partition(":")
    options.gpus = {"gpus": int(gpus), "used": int(used or 0)}
    application = Dlts(options, containers)
    return serve(application, options.port, password=application.password(users[0]))


if __name__ == "__main__":
    sys.exit(main())
