# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of the OpenPAI stand-in: the course of each, with its commands as processes of this machine, and what its API says of them."""

import dataclasses
import hashlib
import json
import socket

import job_course
import openpai_protocol as protocol
from job_processes import MountFailed

STOPPED_CODES = (-210, -220)
PHRASES = {  # of what containers did not do themselves
    -210: ("StopFrameworkRequested", "USER_STOP"),
    -220: ("DeleteFrameworkRequested", "USER_STOP"),
    -101: ("PodExternalDeleted", "PLATFORM_FAILURE"),
    128: ("ContainerCannotRun", "PLATFORM_FAILURE"),
}


@dataclasses.dataclass
class Ending:
    """Why an attempt ends. `retry`: the kind of the retry that follows in any case: platform, resource."""
    code: int
    diagnostics: str = ""
    spec: dict = None
    retry: str = ""

    def exit_spec(self):
        if self.spec:
            return {"code": self.code, **self.spec}
        phrase, kind = PHRASES.get(self.code) or (("Succeeded", "SUCCEEDED") if self.code == 0 else ("ContainerFailed", "USER_FAILURE"))
        return {"code": self.code, "phrase": phrase, "issuer": "PAI_FRAMEWORK" if self.code < 0 else "USER_CONTAINER", "type": kind}


@dataclasses.dataclass(eq=False)
class Task:
    role: str
    index: int
    ports: dict  # label: [port]
    attempt: int = 0
    container: object = None
    running: bool = False
    code: int = None
    log: list = dataclasses.field(default_factory=list)  # containers of all its attempts


@dataclasses.dataclass(eq=False)
class Attempt:
    number: int
    tasks: list
    launched: int = None
    completed: int = None
    ending: Ending = None


class Job(job_course.Job):
    def __init__(self, user, spec, now):
        super().__init__(f"{user}~{spec['name']}", f"{user}~{spec['name']}")
        self.user = user
        self.spec = spec
        self.name = spec["name"]
        self.mounts = []  # as (storage, path)
        self.tags = []
        self.sub_state = "AttemptCreationPending"
        self.execution_type = "START"
        self.retries = {"user": 0, "platform": 0, "resource": 0}
        self.submitted = now
        self.created = self.launched = self.completed = None
        self.attempts = []
        self.ending = None
        self.placed = False  # it has its GPUs

    @property
    def attempt(self):
        return self.attempts[-1] if self.attempts else None

    @property
    def exit_code(self):
        return self.ending.code if self.ending else None

    @property
    def state(self):
        return self.shown.get("state") or state_of(self.sub_state, self.exit_code)


def state_of(sub_state, code):
    if sub_state in ("AttemptCreationPending", "AttemptCreationRequested", "AttemptPreparing"):
        return "WAITING"
    if sub_state == "Completed":
        return "SUCCEEDED" if code == 0 else "STOPPED" if code in STOPPED_CODES else "FAILED"
    if sub_state != "AttemptRunning" and code in STOPPED_CODES:
        return "STOPPING"
    return "RUNNING"


class Engine(job_course.Courses):
    def __init__(self, application, containers):
        super().__init__(application)
        self.containers = containers
        self.clusters = {}  # by name: {"gpus": all, "used": by others}
        self.waiting = {}  # jobs that want GPUs, in order

    def now(self):
        return int(self.application.now() * 1000)

    # The course of a job.

    def submit(self, user, spec, mounts):
        """`mounts`: as (storage, path)."""
        job = Job(user, spec, self.now())
        job.mounts = mounts
        self.jobs[job.id] = job
        self.plan("create", job, self._create)
        return job

    def _create(self, job):
        if self.is_held(job, "create"):
            return
        self.waiting[job.id] = job
        self.place()

    def free(self, name):
        cluster = self.clusters[name]
        ours = sum(protocol.gpus(job.spec) for job in self.jobs.values() if job.placed and protocol.virtual_cluster(job.spec) == name)
        return cluster["gpus"] - cluster["used"] - ours

    def place(self):
        """Gives GPUs to those who wait for some, in order; one that needs many holds nobody up."""
        free = {name: self.free(name) for name in self.clusters} if self.waiting else {}
        for job in list(self.waiting.values()):
            name, gpus = protocol.virtual_cluster(job.spec), protocol.gpus(job.spec)
            if gpus > 0 and gpus > free[name]:
                continue
            free[name] -= gpus
            del self.waiting[job.id]
            job.placed = True
            job.created = job.created or self.now()
            if not job.attempts or job.attempt.completed:
                job.attempts.append(self._attempt(job, len(job.attempts)))
            job.sub_state = "AttemptPreparing"
            self.plan("prepare", job, self._run)

    @staticmethod
    def _attempt(job, number):
        return Attempt(number, [Task(name, index, {}) for name, role in job.spec["taskRoles"].items()
                                for index in range(role.get("instances", 1))])

    def _run(self, job):
        if self.is_held(job, "prepare"):
            return
        try:
            for name, path in job.mounts:
                self.containers.mount(name, path)
        except MountFailed as error:
            job.ending = Ending(128, str(error))
            self._attempt_done(job)
            return
        job.sub_state = "AttemptRunning"
        job.attempt.launched = self.now()
        job.launched = job.launched or job.attempt.launched
        for task in job.attempt.tasks:
            labels = {"ssh": 1, "http": 1, **job.spec["taskRoles"][task.role]["resourcePerInstance"].get("ports", {})}
            task.ports = {label: free_ports(count) for label, count in labels.items()}
        try:
            for task in job.attempt.tasks:
                self._start(job, task)
        except (OSError, ValueError) as error:  # an environment that cannot be
            self._break_off(job, Ending(128, str(error)), 0)

    def _start(self, job, task):
        attempt = job.attempt
        ports = {name: [found.ports for found in attempt.tasks if found.role == name] for name in job.spec["taskRoles"]}
        gpus = job.spec["taskRoles"][task.role]["resourcePerInstance"]["gpu"]
        variables = protocol.environment(job.user, job.spec, ports) | {
            "PAI_CURRENT_TASK_ROLE_NAME": task.role, "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX": str(task.index),
            "NVIDIA_VISIBLE_DEVICES": ",".join(str(number) for number in range(gpus)) or "none"}
        task.running, task.code = True, None
        job.starts += 1
        if self.settings["pretend"] is not None:
            self.application.timers.after(self.settings["pretend"], self._ended, job, attempt, task, None, 0)
            return

        def on_end(container):
            self._ended(job, attempt, task, container, container.exit_code)

        try:
            task.container = self.containers.start(protocol.script(job.spec, task.role), variables, on_end)
        except (OSError, ValueError):
            task.running = False
            raise
        task.log.append(task.container)

    def _ended(self, job, attempt, task, container, code):
        with self.application.lock:
            if job.attempt is not attempt or task.container is not container or not task.running:
                return
            task.running, task.code = False, code
            if job.ending is None:
                role = job.spec["taskRoles"][task.role]
                if code != 0 and task.attempt < role.get("taskRetryCount", 0):
                    task.attempt += 1
                    self._start(job, task)
                    return
                job.ending = self._completion(job, task)
                if job.ending:
                    self._end_tasks(job, self.settings["grace"])
            if job.ending and not any(found.running for found in attempt.tasks):
                self._attempt_done(job)

    @staticmethod
    def _completion(job, task):
        """How the job ends by what its tasks did; None: not yet. `task`: the one that ended just now."""
        tasks = job.attempt.tasks
        failed, succeeded = protocol.completion(job.spec["taskRoles"][task.role])
        codes = [found.code for found in tasks if found.role == task.role and found.code is not None and not found.running]
        if failed and sum(code != 0 for code in codes) >= failed:
            return Ending(task.code, f"Container of task {task.role}-{task.index} exited with {task.code}.")
        if (succeeded and sum(code == 0 for code in codes) >= succeeded) or not any(found.running for found in tasks):
            return Ending(0)
        return None

    @staticmethod
    def _end_tasks(job, grace):
        for task in job.attempt.tasks:
            if task.running and task.container:
                if grace > 0:
                    task.container.end(grace)
                else:
                    task.container.kill()
            elif task.running:
                task.running = False  # It only pretends.

    def _attempt_done(self, job):
        job.sub_state = "AttemptCompleted"
        job.placed = False
        self.place()
        self.plan("complete", job, self._complete)

    def _complete(self, job):
        if job.attempt:
            job.attempt.completed, job.attempt.ending = self.now(), job.ending
        failed = job.ending.code > 0 and not job.ending.retry
        kind = "user" if failed and job.retries["user"] < job.spec.get("jobRetryCount", 0) else job.ending.retry
        if kind and job.execution_type != "STOP":
            job.retries[kind] += 1
            job.ending = None
            job.sub_state = "AttemptCreationPending"
            job.attempts.append(self._attempt(job, len(job.attempts)))
            self.plan("create", job, self._create)
            return
        if kind:
            job.ending = Ending(-210)
        job.sub_state = "Completed"
        job.completed = self.now()

    def _break_off(self, job, ending, grace, leave=False):
        """Ends what runs of it, and then the attempt. `leave`: its processes live on, as on a node that is only cut off."""
        job.ending = ending
        self.waiting.pop(job.id, None)
        job.held = None
        job.step += 1
        running = [task for task in job.attempt.tasks if task.running] if job.attempt else []
        if leave:
            for task in running:
                task.running, task.container = False, None
        elif running:
            job.sub_state = "AttemptDeleting"
            self._end_tasks(job, grace)
        if not any(task.running for task in running):
            self._attempt_done(job)

    def execute(self, job, value):
        """START or STOP, as a user wants it."""
        job.execution_type = value
        if value == "STOP":
            self.application.timers.after(self.settings["delays"]["stop"], self._act_on_stop, job)

    def _act_on_stop(self, job):
        with self.application.lock:
            if job.execution_type == "STOP" and job.ending is None:
                self._break_off(job, Ending(-210), self.settings["grace"])

    # What a test does to jobs.

    def act(self, action, pattern, members):
        """On all jobs whose id, USER~NAME, matches."""
        if action == "hold":
            self.hold(pattern, members.get("at", "create"), members.get("diagnostics"))
            return {}
        if action == "release":
            for job in self.release(pattern):
                self.plan(0, job, self._create if job.sub_state == "AttemptCreationPending" else self._run)
            return {}
        jobs = self.matching(pattern)
        for job in jobs:
            if action == "stop":  # by somebody else, at once
                job.execution_type = "STOP"
                if job.ending is None:
                    self._break_off(job, Ending(members.get("code", -210)), self.settings["grace"])
            elif action == "show":
                job.shown = {name: members[name] for name in ("state", "subState") if members.get(name)}
            elif is_over(job):
                raise ValueError(f"{job.id} is {job.sub_state}")
            elif action == "lose":
                self._break_off(job, Ending(-101, members.get("diagnostics", "The node is lost."), retry="platform"), 0,
                                members.get("leave", False))
            elif action == "preempt":
                self._break_off(job, Ending(-101, members.get("diagnostics", "The pod is preempted."), retry="resource"),
                                self.settings["grace"])
            elif action == "fail":
                self._break_off(job, Ending(members["code"], members.get("diagnostics", ""), members.get("spec")), 0)
            else:
                raise ValueError(f"no action {action}")
        return {"jobs": [job.id for job in jobs]}

    def fill(self, user, spec, count, state):
        """Many jobs that no process belongs to: NAME-1, NAME-2, …"""
        ends = {"SUCCEEDED": 0, "FAILED": 1, "STOPPED": -210}
        for number in range(1, count + 1):
            job = Job(user, {**spec, "name": f"{spec['name']}-{number}"}, self.now() + number)
            if state in ends:
                job.attempts = [self._attempt(job, 0)]
                job.created = job.launched = job.completed = job.submitted
                job.sub_state, job.ending = "Completed", Ending(ends[state])
            elif state != "WAITING":
                raise ValueError(f"no {state}")
            self.jobs[job.id] = job
        return {"jobs": len(self.jobs)}


def is_over(job):
    return job.sub_state in ("AttemptCompleted", "Completed")


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


# What the API says.


def debug_id(job):
    return hashlib.md5(job.id.encode()).hexdigest()


def detail(job):
    return {"debugId": debug_id(job), "name": job.name, "tags": job.tags, "jobStatus": status(job),
            "taskRoles": roles(job, job.attempt) if job.attempt else {}}


def status(job):
    ending, attempt = job.ending, job.attempt
    diagnostics = ending.diagnostics if ending else job.held and job.held["text"]
    found = {
        "username": job.user, "state": job.state, "subState": job.shown.get("subState") or job.sub_state,
        "executionType": job.execution_type, "retries": sum(job.retries.values()), "retryDetails": job.retries, "retryDelayTime": None,
        "submissionTime": job.submitted, "createdTime": job.created, "launchedTime": job.launched, "completedTime": job.completed,
        "appId": f"{attempt.number if attempt else 0}_{debug_id(job)[:8]}", "appProgress": 1 if ending and ending.code == 0 else 0,
        "appTrackingUrl": "", "appLaunchedTime": attempt.launched if attempt else None,
        "appCompletedTime": attempt.completed if attempt else None, "appExitCode": job.exit_code,
        "appExitSpec": ending.exit_spec() if ending else None, "appExitDiagnostics": diagnostics or None,
        "appExitMessages": {"container": None, "runtime": None, "launcher": diagnostics} if ending and diagnostics else None,
        "appExitType": ending.exit_spec().get("type") if ending else None, "virtualCluster": protocol.virtual_cluster(job.spec),
    }
    if attempt:
        found.update(attemptId=attempt.number, attemptState=job.state)
    return found


def task_state(job, task):
    if task.running:
        return "RUNNING"
    if task.code is None:
        return "WAITING" if job.sub_state in ("AttemptCreationPending", "AttemptPreparing") else "STOPPED"
    if job.exit_code in STOPPED_CODES:
        return "STOPPED"
    return "SUCCEEDED" if task.code == 0 else "FAILED"


def roles(job, attempt):
    found = {name: {"taskRoleStatus": {"name": name}, "taskStatuses": []} for name in job.spec["taskRoles"]}
    for task in attempt.tasks:
        place = f"/api/v2/jobs/{job.id}/attempts/{attempt.number}/taskRoles/{task.role}/taskIndex/{task.index}/attempts/{task.attempt}/logs"
        began = bool(task.log) or task.running
        found[task.role]["taskStatuses"].append({
            "taskIndex": task.index, "taskState": task_state(job, task), "containerId": container_id(job, attempt, task) if began else None,
            "containerIp": "127.0.0.1" if began else None, "containerNodeName": "worker1" if began else None,
            "containerPorts": {label: ",".join(str(port) for port in ports) for label, ports in task.ports.items()},
            "containerExitCode": task.code, "containerLog": place, "attemptId": task.attempt, "attemptState": task_state(job, task)})
    return found


def container_id(job, attempt, task):
    text = hashlib.md5(f"{job.id}/{attempt.number}/{task.role}/{task.index}/{task.attempt}".encode()).hexdigest()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def list_item(job):
    return {"debugId": debug_id(job), "name": job.name, "username": job.user, "state": job.state,
            "subState": job.shown.get("subState") or job.sub_state, "executionType": job.execution_type,
            "tags": job.tags, "retries": sum(job.retries.values()), "retryDetails": job.retries,
            "retryDelayTime": None, "submissionTime": job.submitted, "createdTime": job.created, "launchedTime": job.launched,
            "completedTime": job.completed, "appExitCode": job.exit_code, "virtualCluster": protocol.virtual_cluster(job.spec),
            "jobPriority": priority(job), "totalGpuNumber": protocol.gpus(job.spec), "totalTaskNumber": protocol.tasks(job.spec),
            "totalTaskRoleNumber": len(job.spec["taskRoles"])}


def priority(job):
    return job.spec.get("extras", {}).get("hivedScheduler", {}).get("jobPriorityClass", "default")


def config(job):
    return json.dumps(protocol.masked(job.spec), indent=2)


def attempt_item(job, attempt):
    """Of the history."""
    current = attempt is job.attempt and not attempt.completed
    ending = job.ending if current else attempt.ending
    state = job.state if attempt is job.attempt else state_of("Completed", ending.code)
    return {"jobName": job.name, "frameworkName": debug_id(job), "userName": job.user, "attemptIndex": attempt.number,
            "attemptState": state, "isLatest": attempt is job.attempt, "launchedTime": attempt.launched, "completedTime": attempt.completed,
            "exitCode": ending.code if ending else None, "exitSpec": ending.exit_spec() if ending else None,
            "exitDiagnostics": ending.diagnostics if ending else None, "taskRoles": roles(job, attempt)}


def for_tests(job):
    """For GET /control/jobs."""
    containers = [task.container for task in job.attempt.tasks if task.container] if job.attempt else []
    return {"id": job.id, "name": job.name, "user": job.user, "state": job.state, "subState": job.sub_state,
            "executionType": job.execution_type, "exitCode": job.exit_code, "retries": sum(job.retries.values()),
            "attemptId": job.attempt.number if job.attempt else None, "starts": job.starts, "held": job.held is not None,
            "pids": [container.pid for container in containers if container.exit_code is None],
            "mounts": job.mounts, "spec": job.spec}
