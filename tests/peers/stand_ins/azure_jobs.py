# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of the Azure stand-in: the course of each, with its command as a process of this machine, on clusters with so many nodes."""

import datetime
import re
import urllib.parse

import job_course

FINAL = ("Completed", "Failed", "Canceled")
FOLLOWING = {"NotStarted": "Starting", "Starting": "Preparing", "Preparing": "Queued"}
ARTIFACTS = "azureml"  # the container of logs and outputs


def moment(seconds):
    found = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(duration):
    """Of an ISO 8601 duration as PT1H30M; None where there is none."""
    found = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", duration or "")
    if not found:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


class Job(job_course.Job):
    def __init__(self, name, properties, owner, now):
        self.properties = properties
        self.display_name = properties.get("displayName") or name
        super().__init__(name, f"{name} {self.display_name}")
        self.experiment = properties.get("experimentName") or "Default"
        self.owner = owner
        self.status = "NotStarted"
        self.error = None  # {"code","message"}
        self.created = now
        self.started = self.ended = None
        self.archived = bool(properties.get("isArchived"))
        self.tags = dict(properties.get("tags") or {})
        self.parameters = {}
        self.metrics = {}  # name: [(value, milliseconds, step)]
        self.folder = None  # with `code`, where it works, and its logs
        self.container = None
        self.running = False
        self.placed = False  # it has its nodes
        self.exit_code = None

    @property
    def compute(self):
        return self.properties["computeId"].rpartition("/")[2]

    @property
    def nodes(self):
        return int((self.properties.get("resources") or {}).get("instanceCount") or 1)

    def told(self):
        return self.shown.get("status") or self.status


class Engine(job_course.Courses):
    def __init__(self, application, containers, storage):
        super().__init__(application)
        self.containers = containers
        self.storage = storage
        self.computes = {}  # by name: azure_arm.Compute
        self.codes = {}  # by (name, version): properties
        self.waiting = {}  # jobs that want nodes, in order

    # The course of a job.

    def submit(self, name, properties, owner):
        job = Job(name, properties, owner, self.application.now())
        self.jobs[name] = job
        self.plan(job.status, job, self._advance)
        return job

    def _advance(self, job):
        """Leaves a status before it runs, unless a test holds it there."""
        if self.is_held(job, job.status):
            return
        if job.status == "Queued":
            self.waiting[job.id] = job
            self.place()
        else:
            job.status = FOLLOWING[job.status]
            self.plan(job.status, job, self._advance)

    def free(self, compute):
        return self.computes[compute].nodes - sum(job.nodes for job in self.jobs.values() if job.placed and job.compute == compute)

    def place(self):
        """Gives nodes to those that wait for some."""
        for job in list(self.waiting.values()):
            if job.id not in self.waiting:
                continue  # one that went before made room for it
            if self.computes[job.compute].started and job.nodes <= self.free(job.compute):
                del self.waiting[job.id]
                job.placed = True
                self._run(job)

    def _run(self, job):
        job.status = "Running"
        job.started, job.starts, job.running = self.application.now(), job.starts + 1, True
        timeout = seconds_of((job.properties.get("limits") or {}).get("timeout"))
        if timeout:
            self.application.timers.after(timeout, self._time_out, job, job.starts)
        if self.settings["pretend"] is not None:
            self.application.timers.after(self.settings["pretend"], self._ended, job, job.starts, 0)
            return
        job.folder = self.containers.folder / "jobs" / f"{job.id}.{job.starts}"
        try:
            self._start(job)
        except (KeyError, OSError, TypeError, ValueError) as error:
            self._fail_before_start(job, f"The job could not be set up: {error}")

    def _start(self, job):
        work = job.folder / "code"
        work.mkdir(parents=True)
        log = self._log(job)
        log.parent.mkdir()
        if job.properties.get("codeId"):
            name, version = re.search(r"/codes/([^/]+)/versions/([^/]+)$", job.properties["codeId"]).groups()
            self._write_out(self.codes[name, version]["codeUri"], work)
        run = job.starts
        job.container = self.containers.start(self._command(job), self.environment(job), lambda done: self._ended(job, run, done.exit_code),
                                              log, work)

    def _write_out(self, uri, folder):
        place = self.storage.place_of(uri)
        if not place:
            raise ValueError(f"nothing is at {uri}")
        self.storage.write_out(*place, folder)

    def _log(self, job):
        if self.settings["logs"] == "old":
            return job.folder / "azureml-logs" / "70_driver_log.txt"
        return job.folder / "user_logs" / ("std_log.txt" if job.nodes == 1 else "std_log_process_0.txt")

    def _fail_before_start(self, job, message):
        path = job.folder / "system_logs" / "lifecycler" / "lifecycler.log"
        path.parent.mkdir(parents=True)
        path.write_text(message + "\n")
        self._over(job, "Failed", {"code": "SystemError", "message": message})

    def _command(self, job):
        """With ${{inputs.NAME}} and ${{outputs.NAME}} filled in: values, and folders."""
        def fill_in(found):
            kind, name = found.groups()
            wanted = job.properties[kind][name]
            if kind == "inputs" and wanted["jobInputType"] == "literal":
                return str(wanted["value"])
            folder = job.folder / kind / name
            folder.mkdir(parents=True, exist_ok=True)
            if kind == "inputs":
                self._write_out(wanted["uri"], folder)
            return str(folder)

        return re.sub(r"\$\{\{\s*(inputs|outputs)\.(\w+)\s*\}\}", fill_in, job.properties["command"])

    def environment(self, job):
        application = self.application
        token = application.accounts.make_token(application.accounts.machine, application.url, run=job.id)
        found = {"AZUREML_RUN_ID": job.id, "AZUREML_RUN_TOKEN": token, "AZUREML_ARM_SUBSCRIPTION": application.subscription,
                 "AZUREML_ARM_RESOURCEGROUP": application.group, "AZUREML_ARM_WORKSPACE_NAME": application.workspace,
                 "AZUREML_ARM_PROJECT_NAME": job.experiment, "AZUREML_SERVICE_ENDPOINT": application.url,
                 "MLFLOW_TRACKING_URI": application.tracking_uri(), "MLFLOW_TRACKING_TOKEN": token, "MLFLOW_RUN_ID": job.id,
                 "MLFLOW_EXPERIMENT_NAME": job.experiment, "AZUREML_NODE_COUNT": str(job.nodes)}
        if application.ca:
            found.update(dict.fromkeys(("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"), str(application.ca)))
        if (job.properties.get("identity") or {}).get("identityType") == "Managed":
            found.update(IDENTITY_ENDPOINT=f"{application.url}/msi/token", IDENTITY_HEADER=application.accounts.identity_header)
        return found | {name: str(value) for name, value in (job.properties.get("environmentVariables") or {}).items()}

    def _time_out(self, job, run):
        with self.application.lock:
            if job.starts == run and job.running:
                self.cancel(job)

    def _ended(self, job, run, code):
        """`run`: which start of it."""
        with self.application.lock:
            if job.starts != run or not job.running:
                return
            job.running, job.exit_code = False, code
            if job.status == "CancelRequested":
                self.plan(job.status, job, self._canceled)
            else:
                job.status = "Finalizing"
                self.plan(job.status, job, self._finish)

    def _finish(self, job):
        if self.is_held(job, job.status):
            return
        error = None if job.exit_code == 0 else {"code": "UserError", "message": (
            f"Execution failed. User process exited with status code {job.exit_code}. Please check log file '{self._log_name(job)}' for "
            "error details.")}
        self._over(job, "Failed" if error else "Completed", error)

    def _log_name(self, job):
        return str(self._log(job).relative_to(job.folder))

    def _canceled(self, job):
        if not self.is_held(job, job.status):
            self._over(job, "Canceled", None)

    def _over(self, job, status, error):
        job.step += 1
        job.status, job.error, job.ended = status, error, self.application.now()
        job.running = job.placed = False
        job.held = None
        self.waiting.pop(job.id, None)
        self.artifacts(job)
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

    def cancel(self, job):
        """A job that is done, or only stores what it has made, stays what it is."""
        if job.status in (*FINAL, "Finalizing", "CancelRequested"):
            return
        job.status = "CancelRequested"
        if self._break_off(job, self.settings["grace"]):
            self.plan(job.status, job, self._canceled)

    # What it leaves.

    def artifacts(self, job):
        """Its logs and outputs as {name: path}; blobs of the same names are there, too."""
        if not job.folder:
            return {}
        found = {}
        for folder, place in (("user_logs", job.folder), ("system_logs", job.folder), ("azureml-logs", job.folder),
                              ("logs", job.folder / "code"), ("outputs", job.folder / "code")):
            for path in sorted((place / folder).rglob("*")):
                if path.is_file():
                    found[str(path.relative_to(place))] = path
        self.storage.links.update({(ARTIFACTS, self.blob_name(job, name)): path for name, path in found.items()})
        return found

    @staticmethod
    def blob_name(job, name):
        return f"ExperimentRun/dcid.{job.id}/{name}"

    def log_files(self, job):
        """Addresses that are good for a while, by name."""
        return {name: self.storage.signed_url(ARTIFACTS, "r", self.blob_name(job, name))
                for name in self.artifacts(job) if not name.startswith("outputs/")}

    # What a test does to jobs.

    def act(self, action, pattern, members):
        """On all jobs whose name or display name matches."""
        if action == "hold":
            self.hold(pattern, members.get("at", "Queued"), "")
            return {}
        if action == "release":
            for job in self.release(pattern):
                self.plan(0, job, {"Finalizing": self._finish, "CancelRequested": self._canceled}.get(job.status, self._advance))
            return {}
        jobs = self.matching(pattern)
        for job in jobs:
            if action == "show":
                job.shown = {name: members[name] for name in ("status", "hidden") if members.get(name)}
            elif job.status in FINAL:
                raise ValueError(f"{job.id} is {job.status}")
            elif action == "cancel":
                self.cancel(job)
            elif action == "fail":
                self._take_node(job, members)
                self._over(job, "Failed", {"code": members.get("code", "SystemError"), "message": members.get("message", "")})
            elif action == "preempt":
                self._take_node(job, members)
                job.status = "Queued"
                self.plan(job.status, job, self._advance)
            else:
                raise ValueError(f"no action {action}")
        return {"jobs": [job.id for job in jobs]}

    def _take_node(self, job, members):
        """`leave`: its process lives on, as on a node that is only cut off."""
        if members.get("leave"):
            job.running, job.container = False, None
        self._break_off(job, 0)
        job.running = job.placed = False

    def delete_compute(self, name):
        """And with it what runs or waits there."""
        del self.computes[name]
        gone = [job for job in self.jobs.values() if job.compute == name and job.status not in FINAL]
        for job in gone:
            self._take_node(job, {})
        for job in gone:
            self._over(job, "Failed", {"code": "ComputeNotFound", "message": f"The compute {name} was deleted."})

    def fill(self, name, count, status, tags):
        """Many jobs that no process belongs to: NAME-1, NAME-2, … Tags may hold {number}."""
        compute = next(iter(self.computes))
        for number in range(1, count + 1):
            own = {key: value.replace("{number}", str(number)) for key, value in tags.items()}
            properties = {"jobType": "Command", "command": "true", "computeId": f"/computes/{compute}", "tags": own}
            job = Job(f"{name}-{number}", properties, "u@standin.test", self.application.now() + number / 1000)
            job.status = status
            self.jobs[job.id] = job
        return {"jobs": len(self.jobs)}


# What ARM says.


def resource(application, job):
    given = {name: value for name, value in job.properties.items() if name not in ("tags", "isArchived")}
    return {
        "id": f"{application.workspace_id}/jobs/{job.id}", "name": job.id, "type": "Microsoft.MachineLearningServices/workspaces/jobs",
        "properties": {
            **given, "displayName": job.display_name, "experimentName": job.experiment, "status": job.told(), "tags": job.tags,
            "isArchived": job.archived, "properties": given.get("properties") or {}, "parameters": {}, "services": {
                "Tracking": {"jobServiceType": "Tracking", "endpoint": application.tracking_uri(), "port": None, "status": None},
                "Studio": {"jobServiceType": "Studio", "port": None, "status": None, "endpoint": (
                    f"https://ml.azure.com/runs/{job.id}?wsid={urllib.parse.quote(application.workspace_id)}")}}},
        "systemData": {"createdAt": moment(job.created), "createdBy": job.owner, "createdByType": "User"}}


def for_tests(job):
    """For GET /control/jobs."""
    container = job.container
    return {"id": job.id, "name": job.display_name, "status": job.status, "exitCode": job.exit_code, "starts": job.starts,
            "held": job.held is not None, "pids": [container.pid] if container and container.exit_code is None else [],
            "folder": str(job.folder), "compute": job.compute, "tags": job.tags, "archived": job.archived,
            "metrics": job.metrics, "properties": job.properties}
