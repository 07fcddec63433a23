#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials as objects of operators of a real Kubernetes (kubernetes_lab.py), by a real service: PyTorchJob, TFJob and MPIJob of Kubeflow's
Training Operator, TrainJob of Kubeflow Trainer, Framework of FrameworkController.

    python3 -B tests/peers/test_kubernetes_operators.py build/dev/bin/trialdeckd
"""

import os
import sys
import time
import unittest
import urllib.error
import urllib.parse

from kubernetes.client import Refused
from kubernetes_trials import KubernetesTest, start_lab
from trialdeck_service import until

POINTS = 10
NIGHTLY = os.environ.get("TRIALDECK_NIGHTLY") == "1"  # half an hour more; a skip would count as a peer that is missing
CROWD = 100  # trials that run at once
# The leader begins once it has met its helpers, and ends them. Where they find it, each operator says in its own way: of a framework
# without a barrier they do not.
TRAIN = f"""
import json, os, socket, sys, time
role, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0
number = int(json.load(open(os.environ["TRIALDECK_PARAMETERS_FILE"]))["number"])
tasks = json.loads(os.environ.get("TF_CONFIG", '{{"cluster": {{}}}}'))["cluster"]


def report(value, step):
    with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as out:
        out.write(json.dumps({{"metric": value, "step": step}}) + "\\n")


def serve(port):
    server = socket.create_server(("", port))
    return server, server.accept()[0]


def meet(place):
    host, _, port = place.rpartition(":")
    while True:
        try:
            return socket.create_connection((host, int(port)))
        except OSError:
            time.sleep(0.2)


if role == "helper":
    print("helper", number, flush=True)
    report(-1, 0)
    if "ps" in tasks:  # it serves for ever, as parameter servers do
        kept = serve(int(tasks["ps"][0].rpartition(":")[2]))
        time.sleep(1e6)
    elif "MASTER_ADDR" in os.environ:
        meet(os.environ["MASTER_ADDR"] + ":" + os.environ["MASTER_PORT"]).recv(1)  # until the master is gone
    else:
        time.sleep(1e6)
    sys.exit()
print("begin", number, flush=True)
if "ps" in tasks:
    kept = meet(tasks["ps"][0])
elif int(os.environ.get("WORLD_SIZE", 1)) > 1:
    kept = serve(int(os.environ["MASTER_PORT"]))
for step in range({POINTS}):
    report(number * 1000 + step, step)
    print("step", step, flush=True)
    time.sleep(seconds / {POINTS})
print("end", file=sys.stderr)
"""
POD_LINES = [f"step {step}" for step in range(POINTS)]


class OperatorTest(KubernetesTest):
    """Of one kind of object. `roles`: the deciding one and another."""

    object_kind = ""
    operator = title = ""  # for the node, and for people
    resource = ("", "")
    roles = ("", "")
    options = {}

    @property
    def resources(self):
        return (f"{self.resource[1]}.{self.resource[0].split('/')[0]}",)

    def begin(self, namespace):
        self.lab.command("namespace", namespace)
        self.platform(self.settings(namespace, **self.options))

    def pair(self, leader="", helper="python3 train.py helper", seconds=0, **more):
        """An experiment of trials with two pods each."""
        first, second = self.roles
        lines = [f"- {{name: {first}, command: {leader or f'python3 train.py leader {seconds}'!r}}}",
                 f"- {{name: {second}, command: {helper!r}}}"]
        return self.experiment("exit 77", codeDir=self.code_once(), platformOptions={"roles": "\n".join(lines)}, **more)

    def code_once(self):
        folder = self.folder / "code-train.py"
        return str(folder) if folder.exists() else self.code("train.py", TRAIN)

    def check_trial(self, trial, number):
        self.check_alone(trial, number)
        # The other one's may come to its end a moment after the trial's.
        other = f"{self.roles[1].lower()}-0"
        until(90, f"the log of {other}", lambda: self.log_of_part(trial, other) == f"helper {number}\n")
        self.assertEqual(self.service.get(f"/trials/{trial}/logs")["logs"][:3], ["stdout", "stderr", other])

    def check_alone(self, trial, number):
        """Its curve and the logs of its deciding pod."""
        self.assertEqual(self.points(trial), [("PERIODICAL", step, number * 1000 + step) for step in range(POINTS)], self.notes(trial))
        self.assertEqual(self.log(trial).splitlines(), [f"begin {number}", *POD_LINES], trial)
        self.assertEqual(self.log(trial, "stderr"), "end\n", trial)

    def log_of_part(self, trial, name):
        try:
            return self.log(trial, name)
        except urllib.error.HTTPError as error:
            self.assertEqual(error.code, 404)
            return None

    def running(self, namespace, trial):
        """How many of a trial's pods run."""
        return int(self.lab.command("count", "pods", namespace, f"trialdeck-trial={trial}", "status.phase=Running"))

    def objects(self, namespace, trial):
        version, plural = self.resource
        query = urllib.parse.urlencode({"labelSelector": f"trialdeck-trial={trial}"})
        return self.lab.client.get(f"/apis/{version}/namespaces/{namespace}/{plural}?{query}")["items"]

    def path_of(self, namespace, trial):
        version, plural = self.resource
        return f"/apis/{version}/namespaces/{namespace}/{plural}/{self.objects(namespace, trial)[0]['metadata']['name']}"

    def delete_object(self, namespace, trial):
        self.lab.client.delete(self.path_of(namespace, trial), propagationPolicy="Background")

    def is_there(self, path):
        try:
            return self.lab.client.get(path)
        except Refused as refused:
            self.assertEqual(refused.status, 404)
            return None

    def change_object(self, namespace, trial, patch):
        self.lab.client.call("PATCH", self.path_of(namespace, trial), patch, content_type="application/merge-patch+json")

    def wait_for_end(self, trial, seconds=300):
        try:
            return super().wait_for_end(trial, seconds)
        except AssertionError as error:
            version, plural = self.resource
            query = urllib.parse.urlencode({"labelSelector": f"trialdeck-trial={trial}"})
            found = self.lab.client.get(f"/apis/{version}/{plural}?{query}")["items"]
            raise AssertionError(f"{error}: {self.notes(trial)} {[one.get('status') for one in found]}") from error

    def ns(self, what):
        return f"{self.object_kind.lower()}-{what}"


class Trials:
    """Of each kind of object with two roles."""

    def test_trials_over_a_kill(self):
        """The service is killed in the middle: nothing is lost, nothing runs twice, nothing stays."""
        count, namespace = 20 if NIGHTLY else 6, self.ns("many")
        self.begin(namespace)
        experiment = self.pair(trialConcurrency=5)
        began = time.monotonic()
        ids = self.submit(experiment, [{"parameters": {"number": number}} for number in range(count)])
        self.wait_for(experiment, "SUCCEEDED", count // 4)
        self.service.kill()
        self.service.start()
        self.wait_for(experiment, "SUCCEEDED", count, 600)
        print(f"{count} {self.object_kind}s in {time.monotonic() - began:.0f} s", file=sys.stderr)
        for number, trial in enumerate(ids):
            self.check_trial(trial, number)
        self.assertEqual(self.count(experiment, "FAILED"), 0)
        # What a trial has left after its end holds nothing.
        until(60, "no pod runs", lambda: self.lab.command("count", "pods", namespace, "trialdeck-service", "status.phase=Running") == "0")
        self.clean(namespace)


class Promises:
    """Of each kind of platform by day, of each kind of object at night."""

    def test_conformance(self):
        """`trialdeck conformance`, on a service of its own."""
        namespace = self.ns("promises")
        self.lab.command("namespace", namespace)
        self.keeps_promises(namespace, **self.options)


class Failures:
    """Of a trial with two roles."""

    def test_another_role_fails(self):
        """The trial fails at once, with the name of what failed, and its other pods do not run on."""
        namespace = self.ns("part")
        self.begin(namespace)
        helper = "until [ -e /trialdeck/trial/go ]; do sleep 0.1; done; echo lost the data >&2; exit 3"
        experiment = self.pair(leader="echo begin; sleep 600", helper=helper)
        trial = self.submit(experiment, [{"parameters": {"number": 1}}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        until(300, "the leader has begun", lambda: self.log(trial) == "begin\n")
        self.let_go(self.running_pod(namespace, trial, f"-{self.roles[1].lower()}-0"))
        ended = self.wait_for_end(trial)
        self.assertEqual((ended["status"], ended.get("exitCode")), ("FAILED", 3), (ended, self.notes(trial)))
        self.assertIn(f"its part {self.roles[1].lower()}-0 failed", ended["reason"])
        self.assertEqual(self.log(trial), "begin\n")
        until(60, "no pod runs", lambda: self.running(namespace, trial) == 0)
        self.clean(namespace)

    def test_the_deciding_role_fails(self):
        namespace = self.ns("fails")
        self.begin(namespace)
        experiment = self.pair(leader="echo begin; sleep 2; exit 5", helper="sleep 300")
        trial = self.submit(experiment, [{"parameters": {"number": 1}}])[0]
        ended = self.wait_for_end(trial)
        self.assertEqual((ended["status"], ended.get("exitCode")), ("FAILED", 5), (ended, self.notes(trial)))
        self.assertEqual(self.log(trial), "begin\n")
        until(60, "no pod runs", lambda: self.running(namespace, trial) == 0)
        self.clean(namespace)


class Removals:
    """By the person, and by somebody else."""

    def test_canceled_and_deleted(self):
        namespace = self.ns("cancel")
        self.begin(namespace)
        # The other pod has a log, too, and ends later than the one whose log is the trial's.
        experiment = self.pair(leader="trap 'echo asked; exit 0' TERM; echo begin; sleep 300 & wait",
                               helper="trap 'echo other; sleep 4; exit 0' TERM; echo other; sleep 300 & wait")
        mine, theirs = self.submit(experiment, [{"parameters": {"number": number}} for number in range(2)])
        for trial in (mine, theirs):
            until(90, "both pods run", lambda one=trial: self.running(namespace, one) == 2 and self.log(one) == "begin\n")
        self.service.post(f"/trials/{mine}/cancel")
        self.delete_object(namespace, theirs)
        ended = self.wait_for_end(mine)
        self.assertEqual(ended["status"], "USER_CANCELED", (ended.get("reason"), self.notes(mine)))
        ended = self.wait_for_end(theirs)
        self.assertEqual(ended["status"], "SYS_CANCELED", (ended.get("reason"), self.notes(theirs)))
        self.assertIn("deleted", ended["reason"])
        for trial in (mine, theirs):
            until(60, "its pods are gone", lambda one=trial: self.lab.command("count", "pods", namespace, f"trialdeck-trial={one}") == "0")
            # A Framework goes after its pods.
            until(60, "its object is gone", lambda one=trial: self.objects(namespace, one) == [])
            self.assertIn(self.log(trial), ("begin\n", "begin\nasked\n"))
        self.clean(namespace)


class Nights:
    """What takes minutes."""

    def test_a_kill_while_many_run(self):
        """The service is killed while so many run, of one pod each."""
        count, namespace = CROWD, self.ns("crowd")
        self.begin(namespace)
        began = time.monotonic()
        experiment = self.experiment(f"python3 train.py leader {2 * count}", codeDir=self.code_once(), trialConcurrency=count,
                                     platformOptions={"trialCpuNumber": "0.01"})  # a node of two processors has room for all
        ids = self.submit(experiment, [{"parameters": {"number": number}} for number in range(count)])
        self.wait_for(experiment, "RUNNING", count, 300)
        self.service.kill()
        self.service.start()
        self.wait_for(experiment, "SUCCEEDED", count, 600)
        print(f"{count} {self.object_kind}s at once in {time.monotonic() - began:.0f} s", file=sys.stderr)
        for number, trial in enumerate(ids):
            self.check_alone(trial, number)
        self.clean(namespace)

    def test_the_operator_is_gone_for_a_while(self):
        """It ends while a trial runs, and comes back when that has ended; one that was submitted meanwhile waits with a reason."""
        namespace = self.ns("gone")
        self.begin(namespace)
        experiment = self.pair(seconds=8)
        first = self.submit(experiment, [{"parameters": {"number": 1}}])[0]
        until(90, "both pods run", lambda: self.running(namespace, first) == 2)
        self.lab.command("stop", self.operator)
        self.addCleanup(self.lab.command, "start", self.operator)
        second = self.submit(experiment, [{"parameters": {"number": 2}}])[0]
        self.wait_for_reason(second, "has not looked at it", 120)
        # All pods of the first one may have ended, which is its end also without a word of the operator.
        self.assertIn(self.service.get(f"/trials/{first}")["status"], ("RUNNING", "SUCCEEDED"))
        self.lab.command("start", self.operator)
        for number, trial in enumerate((first, second), 1):
            ended = self.wait_for_end(trial)
            self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.notes(trial)))
            self.check_trial(trial, number)
        self.clean(namespace)

    def test_changed_by_somebody_else(self):
        """Who takes our labels off an object, or puts others on it, neither ends its trial nor keeps what it says. What does not carry them
        any more is not ours, and stays."""
        namespace = self.ns("change")
        self.begin(namespace)
        experiment = self.pair(seconds=8)
        noted, taken = self.submit(experiment, [{"parameters": {"number": number}} for number in range(2)])
        for trial in (noted, taken):
            until(90, "both pods run", lambda one=trial: self.running(namespace, one) == 2)
        self.change_object(namespace, noted, {"metadata": {"labels": {"team": "ada"}, "annotations": {"note": "seen"}}})
        path = self.path_of(namespace, taken)
        self.change_object(namespace, taken, {"metadata": {"labels": {"trialdeck-service": None}}})
        for number, trial in enumerate((noted, taken)):
            ended = self.wait_for_end(trial)
            self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.notes(trial)))
            self.check_trial(trial, number)
        self.assertTrue(self.is_there(path))
        self.lab.client.delete(path, propagationPolicy="Background")
        until(60, "the object is gone", lambda: not self.is_there(path))
        self.clean(namespace)

    def test_the_cluster_has_no_such_operator(self):
        """The platform does not open, and both it and the check name what is missing. With its return the platform opens."""
        namespace = self.ns("none")
        self.lab.command("namespace", namespace)
        self.lab.command("stop", self.operator)
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        group = self.resource[0].split("/")[0]

        def defined():
            return [found["metadata"]["name"] for found in self.lab.client.get(definitions)["items"] if found["spec"]["group"] == group]

        try:
            for name in defined():
                self.lab.client.delete(f"{definitions}/{name}")
            until(60, "the definitions are gone", lambda: not defined() and not any(
                served["name"] == group for served in self.lab.client.get("/apis")["groups"]))
            self.platform(self.settings(namespace, **self.options), "FAILED")
            self.assertIn(f"it has no {self.title}", str(self.service.get("/platforms/lab")))
            request = self.service.post("/platforms/lab/check")["requestId"]
            steps = until(60, "the check ends", lambda: (
                found := self.service.get(f"/requests/{request}"))["endTime"] and found)["steps"]
            step = next(step for step in steps if step["id"] == "operator")
            self.assertEqual(step["state"], "fail")
            self.assertIn(f"it has no {self.title}", step["detail"])
        finally:
            self.lab.command("start", self.operator)
        self.platform(self.settings(namespace, **self.options))
        trial = self.submit(self.experiment("echo there"), [{}])[0]
        ended = self.wait_for_end(trial)
        self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.notes(trial)))
        self.assertEqual(self.log(trial), "there\n")
        self.clean(namespace)


EVERYTHING = (Trials, Failures, Promises, Removals, Nights)


# What objects of Kubeflow's Training Operator are like, in each of its versions (test_kubernetes_training19.py has a later one).


class OfPyTorch:
    kind, object_kind, operator = "kubeflow", "PyTorchJob", "training"
    title = "Kubeflow Training Operator"
    resource = ("kubeflow.org/v1", "pytorchjobs")
    roles = ("Master", "Worker")


class OfTensorFlow:
    kind, object_kind, operator = "kubeflow", "TFJob", "training"
    title = "Kubeflow Training Operator"
    resource = ("kubeflow.org/v1", "tfjobs")
    roles = ("Worker", "PS")
    options = {"jobKind": "TFJob"}


class OfMpi:
    """A launcher starts ranks as mpirun does: by the script that the operator makes, over the API server into the worker's pod."""

    kind, object_kind, operator = "kubeflow", "MPIJob", "training"
    resource = ("kubeflow.org/v1", "mpijobs")
    roles = ("Launcher", "Worker")
    options = {"jobKind": "MPIJob"}
    RANK = "$OMPI_MCA_plm_rsh_agent $(cut -d' ' -f1 $OMPI_MCA_orte_default_hostfile)"

    def begin(self, namespace):
        self.lab.command("image", "delivery")
        super().begin(namespace)

    def pair(self, **more):
        """The launcher begins once a rank has seen in the worker's pod that the helper has reported."""
        meet = f"until {self.RANK} test -s $TRIALDECK_METRICS_FILE 2>/dev/null; do sleep 1; done"
        return super().pair(leader=f"{meet}; python3 train.py leader", **more)


class PyTorchJobs(*(EVERYTHING if NIGHTLY else (Trials, Failures, Promises)), OfPyTorch, OperatorTest):
    pass


if NIGHTLY:
    class TFJobs(*EVERYTHING, OfTensorFlow, OperatorTest):
        pass


class Frameworks(*(EVERYTHING if NIGHTLY else (Trials, Promises, Removals)), OperatorTest):
    kind, object_kind, operator = "frameworkcontroller", "Framework", "framework"
    title = "FrameworkController"
    resource = ("frameworkcontroller.microsoft.com/v1", "frameworks")
    roles = ("chief", "worker")

    def test_a_pod_that_the_namespace_refuses(self):
        """FrameworkController does not know what pod security restricted demands. There is no log to wait for, so the trial fails at once."""
        namespace = self.ns("refused")
        self.lab.command("namespace", namespace, "restricted")
        self.platform(self.settings(namespace))
        trial = self.submit(self.experiment("true"), [{}])[0]
        ended = self.wait_for_end(trial, 30)
        self.assertEqual((ended["status"], ended["failureClass"]), ("FAILED", "startFailed"), ended)
        self.assertIn("seccompProfile", ended["reason"])
        self.clean(namespace)


class MPIJobs(*((Trials,) if NIGHTLY else ()), OfMpi, OperatorTest):
    def test_the_launcher_starts_a_rank_in_a_worker(self):
        namespace = self.ns("ranks")
        self.begin(namespace)
        rank = f"until {self.RANK} cat /etc/hostname 2>/dev/null; do sleep 1; done"
        roles = "- {name: Launcher}\n- {name: Worker}"
        experiment = self.experiment(f"{rank}; python3 train.py leader", codeDir=self.code_once(), platformOptions={"roles": roles})
        trials = self.submit(experiment, [{"parameters": {"number": number}} for number in range(3)])
        for number, trial in enumerate(trials):
            ended = self.wait_for_end(trial)
            self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.notes(trial)))
            name = self.objects(namespace, trial)[0]["metadata"]["name"]
            self.assertEqual(self.log(trial).splitlines(), [f"{name}-worker-0", f"begin {number}", *POD_LINES])
            self.assertEqual(self.points(trial), [("PERIODICAL", step, number * 1000 + step) for step in range(POINTS)])
            until(60, "no pod runs", lambda one=trial: self.running(namespace, one) == 0)
        self.clean(namespace)


if NIGHTLY:
    class TrainJobs(OperatorTest):
        kind, object_kind, operator = "kubeflow", "TrainJob", "trainer"
        resource = ("trainer.kubeflow.org/v1alpha1", "trainjobs")
        resources = ("trainjobs.trainer.kubeflow.org", "trainingruntimes.trainer.kubeflow.org")
        options = {"jobKind": "TrainJob"}

        def test_of_two_nodes(self):
            """The first one's log is the trial's; the other's has a name of its own."""
            namespace = self.ns("nodes")
            self.begin(namespace)
            roles = "- {name: node, count: 2}"
            command = "python3 train.py $([ $JOB_COMPLETION_INDEX = 0 ] && echo leader || echo node)"
            experiment = self.experiment(command, codeDir=self.code_once(), platformOptions={"roles": roles})
            trials = self.submit(experiment, [{"parameters": {"number": number}} for number in range(3)])
            for number, trial in enumerate(trials):
                ended = self.wait_for_end(trial)
                self.assertEqual(ended["status"], "SUCCEEDED", (ended.get("reason"), self.notes(trial)))
                self.check_alone(trial, number)
                until(60, "the log of node-1", lambda one=trial: self.log_of_part(one, "node-1"))
            self.clean(namespace)

        def test_a_node_fails(self):
            namespace = self.ns("fails")
            self.begin(namespace)
            command = "[ $JOB_COMPLETION_INDEX = 0 ] && sleep 300 || { echo lost the data >&2; exit 3; }"
            experiment = self.experiment(command, platformOptions={"roles": "- {name: node, count: 2}"})
            trial = self.submit(experiment, [{}])[0]
            ended = self.wait_for_end(trial)
            self.assertEqual((ended["status"], ended.get("exitCode")), ("FAILED", 3), (ended, self.notes(trial)))
            self.assertIn("its part node-1 failed", ended["reason"])
            until(60, "no pod runs", lambda: self.running(namespace, trial) == 0)
            self.clean(namespace)


def setUpModule():
    KubernetesTest.lab = start_lab(operators=("training", "framework", *(["trainer"] if NIGHTLY else [])))


def tearDownModule():
    if KubernetesTest.lab:
        KubernetesTest.lab.stop()


if __name__ == "__main__":
    KubernetesTest.program = sys.argv.pop(1)
    unittest.main()
