# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node does when it is asked, a line each."""

import shlex
import signal
import urllib.parse

from kubernetes import images, operator_parts
from kubernetes.authority import kubeconfig
from kubernetes.base import replace_file, until
from kubernetes.client import Client, Refused


class Commands:
    """The methods do_NAME are the commands; their arguments, the rest of the line. The answer stands on one line, too."""

    def __init__(self, node):
        self.node = node
        self.client = node.client
        self.loaded = set()
        self.secrets = {}  # of a user: how many tokens there were

    def obey(self, line):
        try:
            words = shlex.split(line)
            action = getattr(self, f"do_{words[0]}", None) if words else None
            if not action:
                return f"error there is no command {line.strip()!r}"
            return f"ok {action(*words[1:]) or ''}".strip()
        except (OSError, Refused, TimeoutError, KeyError, TypeError, ValueError) as error:
            return f"error {type(error).__name__}: {' '.join(str(error).split())}"

    def do_stop(self, name):
        """A program dies, as by a crash."""
        if name == "kube-apiserver":
            self.node.relay.refuse()
        self.node.parts[name].stop()

    def do_start(self, name):
        part = self.node.parts[name]
        if part.process and part.process.poll() is None:
            return
        if name in self.node.settings["operators"]:
            operator_parts.begin(name, self.node)
            return
        part.start()
        if name == "kube-apiserver":
            until(120, "the API server", lambda: part.check() or self.node.is_serving())
            self.node.relay.open()
        elif name in ("kubelet", "devices") and self.node.is_serving():
            until(180, "the node", lambda: part.check() or self.node.is_ready())

    def do_pause(self, name):
        self.node.parts[name].signal(signal.SIGSTOP)

    def do_continue(self, name):
        self.node.parts[name].signal(signal.SIGCONT)

    def do_refuse(self):
        """Connections from outside are refused; the cluster itself goes on."""
        self.node.relay.refuse()

    def do_admit(self):
        self.node.relay.open()

    def do_cut(self):
        """The connections from outside end; new ones are admitted."""
        self.node.relay.cut()

    def do_hold(self):
        """No byte passes between outside and the API server, as on a network that lost its way, until `release`."""
        self.node.relay.is_flowing.clear()

    def do_release(self):
        self.node.relay.is_flowing.set()

    def do_image(self, name):
        """One of the kept images is on the node; its name."""
        if name not in self.loaded:
            self.node.load(self.node.settings["archives"][name])
            self.loaded.add(name)
        return f"{images.REGISTRY}/{name}:1"

    def do_load(self, path):
        self.node.load(path)

    def do_namespace(self, name, level="privileged"):
        """A namespace whose pods must keep a standard of pod security: privileged, baseline or restricted."""
        labels = {f"pod-security.kubernetes.io/{mode}": level for mode in ("enforce", "warn")}
        self.client.create(("v1", "namespaces"), None, {"metadata": {"name": name, "labels": labels}})
        until(120, "its account", lambda: self.client.find(f"/api/v1/namespaces/{name}/serviceaccounts/default"))

    def do_quota(self, namespace, *limits):
        """For example pods=2 requests.nvidia.com/gpu=1."""
        hard = dict(limit.split("=", 1) for limit in limits)
        self.client.create(("v1", "resourcequotas"), namespace, {"metadata": {"name": "quota"}, "spec": {"hard": hard}})
        path = f"/api/v1/namespaces/{namespace}/resourcequotas/quota"
        until(120, "the quota", lambda: set(self.client.get(path).get("status", {}).get("hard", {})) == set(hard))

    def do_count(self, resource, namespace, labels, fields=""):
        """How many jobs, pods, configmaps, secrets, or others as in pytorchjobs.kubeflow.org, there are with these labels, and fields
        such as status.phase=Running."""
        return str(len(self.found(resource, namespace, labels, fields)))

    def do_leaving(self, resource, namespace, labels):
        """How many of these are being deleted."""
        return str(sum("deletionTimestamp" in one["metadata"] for one in self.found(resource, namespace, labels)))

    def found(self, resource, namespace, labels, fields=""):
        name, _, group = resource.partition(".")
        group = "batch" if name == "jobs" else group
        query = urllib.parse.urlencode({"labelSelector": labels, "fieldSelector": fields})
        place = f"/apis/{group}/{operator_parts.VERSIONS.get(group, 'v1')}" if group else "/api/v1"
        return self.client.get(f"{place}/namespaces/{namespace}/{name}?{query}")["items"]

    def do_clear(self, namespace, labels):
        """Jobs, objects of operators, and pods with these labels are gone, with nothing said to them."""
        selector = urllib.parse.quote(labels)
        options = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background", "gracePeriodSeconds": 0}
        objects = [name.partition(".") for operator in self.node.settings["operators"]
                   for name in operator_parts.DEFINITIONS.get(operator, ())]
        owners = [f"/apis/{group}/{operator_parts.VERSIONS.get(group, 'v1')}/namespaces/{namespace}/{plural}" for plural, _, group in objects]
        for path in (*owners, f"/apis/batch/v1/namespaces/{namespace}/jobs", f"/api/v1/namespaces/{namespace}/pods"):
            self.client.call("DELETE", f"{path}?labelSelector={selector}", options)
        until(120, "the end of the pods", lambda: self.do_count("pods", namespace, labels) == "0")

    def do_user(self, namespace, name, *rules):
        """Somebody who may do in one namespace what the rules say, VERBS:RESOURCES[:GROUP] each, as in get,create:jobs:batch. The path
        of the kubeconfig, in which the token stands in a file of its own."""
        metadata = {"metadata": {"name": name}}
        self.client.create(("v1", "serviceaccounts"), namespace, metadata)
        fields = [(rule + "::").split(":")[:3] for rule in rules]
        rbac = "rbac.authorization.k8s.io"
        self.client.create((f"{rbac}/v1", "roles"), namespace, {**metadata, "rules": [
            {"apiGroups": [group], "resources": resources.split(","), "verbs": verbs.split(",")} for verbs, resources, group in fields]})
        self.client.create((f"{rbac}/v1", "rolebindings"), namespace, {
            **metadata, "roleRef": {"apiGroup": rbac, "kind": "Role", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": namespace}]})
        path = self.node.folder / "kube" / f"{namespace}.{name}"
        token = self.new_token(namespace, name)
        config = kubeconfig(self.node.server, self.node.authority.ca, [f"tokenFile: {path}.token"], namespace)
        replace_file(path, config)
        inside = Client("https://127.0.0.1:443", self.node.authority.ca, token=token)
        if fields:
            verbs, resources, group = fields[-1]
            asked = {"spec": {"resourceAttributes": {
                "namespace": namespace, "verb": verbs.split(",")[0], "resource": resources.split(",")[0].split("/")[0],
                "subresource": "/".join(resources.split(",")[0].split("/")[1:]), "group": group}}}
            until(120, "the role", lambda: inside.create(
                ("authorization.k8s.io/v1", "selfsubjectaccessreviews"), None, asked)["status"]["allowed"])
        return str(path)

    def new_token(self, namespace, name):
        """A token bound to a secret, so that it ends with that; its file is replaced."""
        self.secrets[(namespace, name)] = self.secrets.get((namespace, name), 0) + 1
        secret = self.client.create(("v1", "secrets"), namespace, {"metadata": {"name": self.secret(namespace, name)}})
        answer = self.client.call("POST", f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token", {
            "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 86400, "boundObjectRef": {
                "apiVersion": "v1", "kind": "Secret", "name": secret["metadata"]["name"], "uid": secret["metadata"]["uid"]}}})
        token = answer["status"]["token"]
        replace_file(self.node.folder / "kube" / f"{namespace}.{name}.token", token)
        return token

    def do_rotate(self, namespace, name):
        """A user's token file has a new token, and the old one is good for nothing any more."""
        old = self.token(namespace, name)
        secret = self.secret(namespace, name)
        self.new_token(namespace, name)
        self.end_token(namespace, secret, old)

    def do_revoke(self, namespace, name):
        """The token of a user is good for nothing any more."""
        self.end_token(namespace, self.secret(namespace, name), self.token(namespace, name))

    def token(self, namespace, name):
        return (self.node.folder / "kube" / f"{namespace}.{name}.token").read_text()

    def secret(self, namespace, name):
        return f"{name}-token-{self.secrets[(namespace, name)]}"

    def end_token(self, namespace, secret, token):
        """Comes back once the API server refuses it: it remembers a good one for ten seconds."""
        self.client.delete(f"/api/v1/namespaces/{namespace}/secrets/{secret}")
        user = Client("https://127.0.0.1:443", self.node.authority.ca, token=token)

        def refused():
            try:
                user.get("/api/v1/namespaces/none/pods")
            except Refused as answer:
                return answer.status == 401
            return False

        until(120, "the end of the token", refused)

    def do_nodes(self, count):
        """So many nodes more whose pods only seem to run: tainted, and labelled `type: kwok`."""
        if not self.node.parts["kwok"].process:
            self.node.parts["kwok"].start()
        there = self.client.get("/api/v1/nodes?labelSelector=type%3Dkwok")["items"]
        first = max((int(node["metadata"]["name"].removeprefix("kwok-")) + 1 for node in there), default=0)
        for number in range(first, first + int(count)):
            size = {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}
            self.client.create(("v1", "nodes"), None, {
                "metadata": {"name": f"kwok-{number}", "annotations": {"kwok.x-k8s.io/node": "fake"},
                             "labels": {"type": "kwok", "kubernetes.io/hostname": f"kwok-{number}", "kubernetes.io/os": "linux",
                                        "kubernetes.io/arch": images.architecture()}},
                "spec": {"taints": [{"key": "kwok.x-k8s.io/node", "value": "fake", "effect": "NoSchedule"}]},
                "status": {"allocatable": size, "capacity": size}})

        def all_ready():
            self.node.parts["kwok"].check()
            nodes = self.client.get("/api/v1/nodes?labelSelector=type%3Dkwok")["items"]
            return all(any(condition["type"] == "Ready" and condition["status"] == "True"
                           for condition in node["status"].get("conditions", [])) for node in nodes)

        until(120, "the nodes", all_ready)

    def do_lose(self, name):
        """A node of kwok is gone; what was on it, nobody ends."""
        self.client.delete(f"/api/v1/nodes/{name}")
