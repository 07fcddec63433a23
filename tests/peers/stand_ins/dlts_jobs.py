# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of the DLTS stand-in: the course of each, with its command as a process of this machine, and what its dashboard says of them."""

import datetime
import email.utils
import itertools
import pathlib
import uuid

import job_course
from job_processes import MountFailed

FINAL = ("finished", "failed", "error", "killed")
ORDERS = {  # what a user may want: the words for it, and from which statuses it is done
    "killing": ("kill", "killed", "terminated", ("unapproved", "queued", "scheduling", "running", "pausing", "paused")),
    "pausing": ("pause", "paused", "paused", ("queued", "scheduling", "running")),
    "queued": ("resume", "resumed", "resumed", ("paused",)),
    "approved": ("approve", "approved", "approved", ("unapproved",)),
}


class Job(job_course.Job):
    def __init__(self, job_id, owner, team, cluster, spec, now):
        super().__init__(job_id, f"{job_id} {spec['jobName']}")
        self.owner = owner
        self.team = team
        self.cluster = cluster
        self.spec = spec
        self.name = spec["jobName"]
        self.status = "unapproved"
        self.message = ""  # for errorMsg
        self.submitted = now
        self.started = self.finished = None
        self.note = None  # the message of jobStatusDetail
        self.priority = 100
        self.endpoints = {}
        self.container = None
        self.running = False
        self.log = None  # a path
        self.placed = False  # it has its GPUs
        self.exit_code = None

    @property
    def gpus(self):
        return int(self.spec.get("resourcegpu") or 0)

    def told(self):
        return self.shown.get("status") or self.status


class Engine(job_course.Courses):
    def __init__(self, application, containers, shares):
        """`shares`: where jobs see each, by name; the first one holds their folders, one called `home` those of users."""
        super().__init__(application)
        self.containers = containers
        self.shares = shares
        self.gpus = {}  # by cluster and team: {"gpus": all, "used": by others}
        self.waiting = {}  # jobs that want GPUs, in order
        self.ids = itertools.count(1)

    # The course of a job.

    def submit(self, owner, team, cluster, spec):
        """A text says why not."""
        job_id = spec.get("jobId") or str(uuid.uuid4())
        if job_id in self.jobs:
            return "Cannot create job!Cannot add job into database"
        user = owner.partition("@")[0]
        spec["workPath"] = spec.get("workPath") or user
        spec["jobPath"] = spec.get("jobPath") or f"{user}/jobs/{datetime.datetime.now():%y%m%d}/{job_id}"
        job = Job(job_id, owner, team, cluster, spec, self.application.now())
        self.jobs[job_id] = job
        if self.settings["opensEndpoints"]:
            self.ask_for_endpoints(job, [name for name in ("ssh", "ipython", "tensorboard") if spec.get(name)]
                                   + [{"name": f"port-{port}", "podPort": int(port)} for port in spec.get("interactivePorts") or []])
        self.plan("approve", job, self._approve)
        return job

    def _approve(self, job):
        quota = self.settings["userQuota"]
        if self.is_held(job, "unapproved"):
            job.note = job.held["text"]
        elif quota is not None and job.gpus + sum(found.gpus for found in self.jobs.values() if self._counts(found, job)) > quota:
            job.note = f"Waiting for approval: more than {quota} GPUs of {job.owner}"
        else:
            self.approve(job)

    @staticmethod
    def _counts(found, job):
        return found.owner == job.owner and found.team == job.team and found.status in ("queued", "scheduling", "running")

    def approve(self, job):
        job.status, job.note, job.held = "queued", None, None
        self.plan("queue", job, self._queue)

    def _queue(self, job):
        if self.is_held(job, "queued"):
            job.note = job.held["text"]
            return
        self.waiting[job.id] = job
        self.place()

    def free(self, cluster, team):
        there = self.gpus[cluster, team]
        return there["gpus"] - there["used"] - sum(job.gpus for job in self.jobs.values()
                                                   if job.placed and (job.cluster, job.team) == (cluster, team))

    def place(self):
        """Gives GPUs to those who wait for some, in order of priority."""
        for job in sorted(self.waiting.values(), key=lambda found: -found.priority):
            if job.gpus and job.gpus > self.free(job.cluster, job.team):
                continue
            del self.waiting[job.id]
            job.placed = True
            job.status, job.note = "scheduling", None
            self.plan("schedule", job, self._run)

    def _run(self, job):
        if self.is_held(job, "scheduling"):
            job.note = job.held["text"]
            return
        job.status = "running"
        job.started, job.finished = job.started or self.application.now(), None
        job.starts += 1
        job.running = True
        for endpoint in job.endpoints.values():
            self.application.timers.after(self.settings["delays"]["endpoint"], self._open, job, endpoint)
        if self.settings["pretend"] is not None:
            job.container = None
            self.application.timers.after(self.settings["pretend"], self._ended, job, job.starts, 0)
            return
        try:
            self._mount(job)
            self._start(job)
        except (MountFailed, OSError, ValueError) as error:
            self._over(job, "failed", str(error), 128)

    def _mount(self, job):
        for name, path in self.shares.items():
            self.containers.mount(name, path)
        for mount in job.spec.get("mountpoints") or []:
            source = mount.get("hostPath") or mount.get("name", "")
            name = next((name for name, folder in self.containers.storages.items() if source in (name, str(folder))), source)
            self.containers.mount(name, mount["containerPath"])

    def _start(self, job):
        if self.shares:
            folder = pathlib.Path(next(iter(self.shares.values())))
            for path in (folder / job.spec["workPath"], folder / job.spec["jobPath"] / "logs"):
                path.mkdir(parents=True, exist_ok=True)
            job.log = folder / job.spec["jobPath"] / "logs" / "joblog.txt"
        # Values of `env` may name variables, as in "$HOME/tmp".
        exports = "".join(f"export {variable['name']}=\"{variable['value']}\"\n" for variable in job.spec.get("env") or [])

        run = job.starts

        def on_end(container):
            self._ended(job, run, container.exit_code)

        job.container = self.containers.start(exports + str(job.spec.get("cmd", "")), self.environment(job), on_end, job.log)
        job.log = job.container.logs[0]

    def environment(self, job):
        user = job.owner.partition("@")[0]
        values = {"JOB_ID": job.id, "JOB_TOKEN": self.application.password(job.owner), "USER_NAME": user, "USER_EMAIL": job.owner,
                  "VC_NAME": job.team, "NUM_GPU_PER_WORKER": str(job.gpus),
                  "PREEMPTIBLE": str(str(job.spec.get("preemptionAllowed", False)).lower() == "true")}
        found = {f"{prefix}_{name}": value for name, value in values.items() for prefix in ("DLTS", "DLWS")}
        if "home" in self.shares:
            found["HOME"] = str(pathlib.Path(self.shares["home"]) / user)
            pathlib.Path(found["HOME"]).mkdir(exist_ok=True)
        found["NVIDIA_VISIBLE_DEVICES"] = ",".join(str(number) for number in range(job.gpus)) or "none"
        return found

    def _ended(self, job, run, code):
        """`run`: which start of it."""
        with self.application.lock:
            if job.starts != run or not job.running:
                return
            job.running = False
            if job.status == "running":
                self.plan("finish", job, lambda job: self._over(
                    job, "finished" if code == 0 else "failed", "" if code == 0 else f"The job exited with code {code}.", code))
            elif job.status in ("killing", "pausing"):
                self._settle(job)

    def _over(self, job, status, message="", code=None):
        job.status, job.message, job.exit_code = status, message, code
        job.note = message or None
        job.finished = self.application.now()
        job.running = job.placed = False
        for endpoint in job.endpoints.values():
            endpoint["status"] = "stopped"
        self.place()

    def _break_off(self, job, grace):
        """Ends its process. What follows is planned by its end; true where there is none."""
        job.step += 1
        job.held = None
        self.waiting.pop(job.id, None)
        if not job.running or not job.container:
            job.running = False
            return True
        if grace > 0:
            job.container.end(grace)
        else:
            job.container.kill()
        return False

    def _settle(self, job):
        """What is killing is killed after a while, what is pausing is paused."""
        delay = "kill" if job.status == "killing" else "pause"
        self.plan(delay, job, lambda job: self._over(job, "killed", job.message) if job.status == "killing" else self._paused(job))

    def _paused(self, job):
        job.status, job.placed = "paused", False
        self.place()

    def order(self, job, status):
        """What a user wants of it, one of ORDERS; false where it cannot be."""
        if job.status not in ORDERS[status][3]:
            return False
        if status == "approved":
            self.approve(job)
        elif status == "queued":
            job.status = "unapproved"
            self.plan("approve", job, self._approve)
        else:
            job.status = status
            if self._break_off(job, self.settings["grace"]):
                self._settle(job)
        return True

    # Endpoints.

    def ask_for_endpoints(self, job, wanted):
        """Names of those that are known, or {"name","podPort"}."""
        for item in wanted:
            name, port = (item, {"ssh": 22, "ipython": 8888, "tensorboard": 6006}.get(item)) if isinstance(item, str) else (
                item["name"], item["podPort"])
            endpoint = {"id": f"e-{job.id}-{name}", "name": name, "username": job.owner.partition("@")[0], "status": "pending",
                        "podPort": port, "port": None, "nodeName": None, "domain": None}
            if name not in job.endpoints:
                job.endpoints[name] = endpoint
                if job.status == "running":
                    self.application.timers.after(self.settings["delays"]["endpoint"], self._open, job, endpoint)

    def _open(self, job, endpoint):
        with self.application.lock:
            if job.status == "running":
                endpoint.update(status="running", port=endpoint["podPort"], nodeName="127.0.0.1", domain="")

    # What a test does to jobs.

    def act(self, action, pattern, members):
        """On all jobs whose id or name matches."""
        text = members.get("message", "")
        if action == "hold":
            self.hold(pattern, members.get("at", "unapproved"), text)
            return {}
        if action == "release":
            for job in self.release(pattern):
                job.note = None
                self.plan(0, job, {"unapproved": self._approve, "queued": self._queue}.get(job.status, self._run))
            return {}
        jobs = self.matching(pattern)
        for job in jobs:
            if action == "show":
                job.shown = {name: members[name] for name in ("status", "hidden") if members.get(name)}
            elif action in ("kill", "pause", "resume", "approve"):
                word = next(status for status, words in ORDERS.items() if words[0] == action)
                if not self.order(job, word):
                    raise ValueError(f"{job.id} is {job.status}")
                job.note = text or None
                job.message = text
            elif job.status in FINAL:
                raise ValueError(f"{job.id} is {job.status}")
            elif action == "open":
                for endpoint in job.endpoints.values():
                    self._open(job, endpoint)
            elif action == "lose":
                self._lose(job, text, members.get("leave", False))
            elif action == "fail":
                job.status = ""  # Nothing follows from the end of its process.
                self._break_off(job, 0)
                self._over(job, members.get("status", "failed"), text, members.get("code"))
            else:
                raise ValueError(f"no action {action}")
        return {"jobs": [job.id for job in jobs]}

    def _lose(self, job, text, leave):
        """Its node: it is queued again. `leave`: its process lives on, as on a node that is only cut off."""
        if leave:
            job.running, job.container = False, None
        job.status = ""
        self._break_off(job, 0)
        job.running = job.placed = False
        job.status, job.note = "queued", text or None
        self.plan("queue", job, self._queue)

    def fill(self, owner, team, cluster, name, count, status):
        """Many jobs that no process belongs to: NAME-1, NAME-2, …"""
        for number in range(1, count + 1):
            job = Job(str(uuid.uuid4()), owner, team, cluster, {"jobName": f"{name}-{number}", "jobType": "training", "cmd": "true"},
                      self.application.now() + number / 1000)
            job.status = status
            self.jobs[job.id] = job
        return {"jobs": len(self.jobs)}


# What the dashboard says.


def rfc1123(seconds):
    return email.utils.formatdate(seconds, usegmt=True)


def local(seconds):
    """Without a zone, by the clock of the server."""
    return datetime.datetime.fromtimestamp(seconds).isoformat(timespec="microseconds")


def status_detail(job):
    """None, or a list with one object."""
    found = {"startedAt": job.started and local(job.started), "finishedAt": job.finished and local(job.finished), "message": job.note}
    found = {name: value for name, value in found.items() if value}
    return [found] if found else None


def detail(job):
    """Of version 2."""
    spec = job.spec
    return {"jobId": job.id, "jobName": job.name, "userName": job.owner, "vcName": job.team, "jobStatus": job.told(),
            "jobStatusDetail": status_detail(job), "jobTime": rfc1123(job.submitted), "jobType": spec["jobType"], "insight": None,
            "priority": job.priority,
            "jobParams": {"cmd": spec.get("cmd"), "image": spec.get("image"), "resourcegpu": job.gpus, "gpuType": spec.get("gpuType"),
                          "jobPath": spec.get("jobPath"), "workPath": spec.get("workPath"),
                          "preemptionAllowed": str(spec.get("preemptionAllowed", False)).lower() == "true",
                          **{name: spec[name] for name in ("ssh", "ipython", "tensorboard", "interactivePorts") if name in spec}}}


def old_detail(job):
    """Of version 1."""
    return {**detail(job), "errorMsg": job.message or None, "endpoints": job.endpoints, "log": read_log(job).decode(errors="replace")}


def read_log(job):
    try:
        return job.log.read_bytes() if job.log else b""
    except OSError:
        return b""


def for_tests(job):
    """For GET /control/jobs."""
    container = job.container
    return {"id": job.id, "name": job.name, "user": job.owner, "team": job.team, "cluster": job.cluster, "status": job.status,
            "exitCode": job.exit_code, "starts": job.starts, "held": job.held is not None, "priority": job.priority,
            "pids": [container.pid] if container and container.exit_code is None else [], "log": str(job.log), "spec": job.spec}
