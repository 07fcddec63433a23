# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Kubernetes of one node to try things on: python3 kubernetes_lab.py [--gpus N] [--kwok] [--log-size SIZE]
[--operator NAME]…

Prints the path of its kubeconfig and more, a line each, and stays until its standard input ends. Each line there is a command; the
answer is one line, `ok …` or `error …`. The commands are the methods do_… of kubernetes/commands.py:

    stop PART · start PART · pause PART · continue PART    kube-apiserver, kubelet, etcd, containerd, kube-scheduler, …, an operator
    refuse · admit · cut                                   connections from outside, while the cluster itself goes on
    hold · release                                         of the bytes in them
    image NAME · load ARCHIVE                              one of the kept images, for example python; any other
    namespace NAME [LEVEL] · quota NAMESPACE NAME=VALUE…   LEVEL of pod security: privileged, baseline, restricted
    count RESOURCE NAMESPACE LABELS [FIELDS]               of jobs, pods, configmaps, secrets, pytorchjobs.kubeflow.org, …
    leaving RESOURCE NAMESPACE LABELS                      of these, being deleted
    clear NAMESPACE LABELS                                 of jobs and pods, at once
    user NAMESPACE NAME VERBS:RESOURCES[:GROUP]…           a kubeconfig that may do just that
    rotate NAMESPACE NAME · revoke NAMESPACE NAME          of the token of such a user
    nodes COUNT                                            more nodes, of kwok (with --kwok), whose pods only seem to run
    lose NODE                                              of kwok: it is gone, as a machine that burned

What it is made of is built at the first start (kubernetes/parts.py), which takes a quarter of an hour.
"""

import argparse
import contextlib
import pathlib
import shlex
import subprocess
import sys
import time

from kubernetes import images, parts
from kubernetes.client import Client, Refused, split_path
from kubernetes.keeper import Keeper, missing_here
from kubernetes.operator_parts import names_with_needs
from peer_venv import Missing

PODS, JOBS, EVENTS, CONFIG_MAPS = ("v1", "pods"), ("batch/v1", "jobs"), ("v1", "events"), ("v1", "configmaps")


class KubernetesLab:
    """A context manager. Missing, and nothing started, where there can be none. Requests go as cluster-admin, through `client`."""

    def __init__(self, gpus=2, kwok=False, log_size="", operators=()):
        """`operators`: training (Kubeflow's Training Operator 1.7) or training19 (1.9, with webhooks), trainer (Kubeflow Trainer, with
        JobSet), framework (FrameworkController), dns (names of pods, also with the first three)."""
        self.options = ["--gpus", str(gpus), *(["--kwok"] if kwok else []), *(["--log-size", log_size] if log_size else []),
                        *(f"--operator={name}" for name in operators)]
        self.kwok = kwok
        self.operators = operators
        self.process = None
        self.settings = {}
        self.client = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        prepare(self.kwok, self.operators)
        # It stays until its standard input ends: also when this process dies.
        self.process = subprocess.Popen([sys.executable, "-B", __file__, *self.options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, start_new_session=True)
        while "ready" not in self.settings:
            name, _, value = self.process.stdout.readline().strip().partition("=")
            if not value:
                raise AssertionError(f"the Kubernetes node did not start: {self.process.wait()}")
            self.settings[name] = value
        pki = self.folder / "pki"
        self.client = Client(self.server, pki / "ca.crt", (pki / "admin.crt", pki / "admin.key"))
        return self

    def stop(self):
        if self.process:
            self.process.communicate("", timeout=60)
            self.process = None

    @property
    def kubeconfig(self):
        return pathlib.Path(self.settings["kubeconfig"])

    @property
    def folder(self):
        return pathlib.Path(self.settings["folder"])

    @property
    def server(self):
        return self.settings["server"]

    def command(self, *words):
        """What was answered to a command."""
        self.process.stdin.write(" ".join(shlex.quote(str(word)) for word in words) + "\n")
        self.process.stdin.flush()
        kind, _, rest = self.process.stdout.readline().strip().partition(" ")
        if kind != "ok":
            raise AssertionError(f"{' '.join(str(word) for word in words)}: {rest or 'the node is gone'}")
        return rest

    def kubectl(self, *words, stdin=None):
        """What kubectl prints."""
        done = subprocess.run([str(parts.kubernetes() / "kubectl"), f"--kubeconfig={self.kubeconfig}", *words], input=stdin,
                              capture_output=True, text=True, check=False)  # it also warns where all is well
        if done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def log_of(self, part):
        return (self.folder / "logs" / f"{part}.log").read_text(errors="replace")

    # Objects.

    def create(self, kind, namespace, body):
        return self.client.create(kind, namespace, body)

    def get(self, kind, namespace, name):
        return self.client.get(f"{split_path(kind, namespace)}/{name}")

    def pod_log(self, namespace, name):
        return self.client.text("GET", f"{split_path(PODS, namespace)}/{name}/log")

    def events(self, namespace, name):
        """What was told of an object, as (reason, message)."""
        found = self.client.get(f"{split_path(EVENTS, namespace)}?fieldSelector=involvedObject.name%3D{name}")["items"]
        return [(event["reason"], event.get("message", "")) for event in found]

    def wait(self, seconds, what, condition):
        """The first true answer of `condition`; an API server that does not answer just now is waited for, too."""
        end = time.monotonic() + seconds
        while True:
            try:
                answer = condition()
                if answer:
                    return answer
            except (OSError, Refused) as error:
                answer = error
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {seconds} s: {answer!r}")
            time.sleep(0.2)

    def wait_for_pod(self, namespace, name, *phases, seconds=60):
        """The pod, once it is in one of the phases, as in ("Succeeded", "Failed")."""
        try:
            return self.wait(seconds, f"the pod {name} is {' or '.join(phases)}", lambda: (
                pod := self.get(PODS, namespace, name))["status"].get("phase") in phases and pod)
        except AssertionError as error:
            raise AssertionError(f"{error}; {self.events(namespace, name)}") from error


RESTRICTED_POD = {"runAsNonRoot": True, "runAsUser": 10001, "runAsGroup": 10001, "seccompProfile": {"type": "RuntimeDefault"}}
RESTRICTED_CONTAINER = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def pod_spec(image, *, command=None, args=None, limits=None, **more):
    """The spec of a pod that pod security `restricted` admits, with one container. `more`: fields of the pod."""
    container = {"name": "main", "image": image, "imagePullPolicy": "IfNotPresent", "securityContext": RESTRICTED_CONTAINER}
    container.update({name: value for name, value in {
        "command": command, "args": args, "resources": limits and {"limits": limits}, "volumeMounts": more.pop("mounts", None)}.items()
        if value})
    return {"restartPolicy": "Never", "terminationGracePeriodSeconds": 1, "automountServiceAccountToken": False,
            "securityContext": RESTRICTED_POD, "containers": [container], **more}


def job(name, spec, **fields):
    return {"kind": "Job", "metadata": {"name": name}, "spec": {"backoffLimit": 0, "template": {"spec": spec}, **fields}}


def pod(name, spec):
    return {"kind": "Pod", "metadata": {"name": name}, "spec": spec}


def prepare(kwok=False, operators=()):
    """Makes what a node is made of, where it is not there. Missing where it cannot be had."""
    why = missing_here()
    if why:
        raise Missing(why)
    parts.kubernetes()
    images.archives(operators)
    if kwok:
        parts.kwok()
    for name in names_with_needs(operators):
        parts.operator(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="It stays until its standard input ends.")
    parser.add_argument("--gpus", type=int, default=2, help="how many GPUs, which do not exist, the node has")
    parser.add_argument("--kwok", action="store_true", help="for the command `nodes`")
    parser.add_argument("--log-size", default="", metavar="SIZE", help="from which on the node rotates a container's log, for example 1Mi")
    parser.add_argument("--operator", action="append", default=[], choices=sorted(parts.OPERATORS), dest="operators",
                        help="one that the node has; dns is a name server for pods, and comes with those of Kubeflow")
    parser.add_argument("--prepare", action="store_true", help="make what a node is made of, then stop")
    options = parser.parse_args()
    try:
        if options.prepare:
            prepare(options.kwok, options.operators)
            return 0
        with contextlib.redirect_stdout(sys.stderr):
            keeper = Keeper(options.gpus, options.kwok, options.log_size, options.operators)
    except ValueError as why:
        parser.error(str(why))
    except Missing as why:
        print(why, file=sys.stderr)
        return 77
    return keeper.run()


if __name__ == "__main__":
    sys.exit(main())
