# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators as programs of a node, and the name server that their pods need.

They run as the node's other programs do, beside the API server and with all rights. What a released operator has for the API server is
read from its own files, as parts.py keeps them. Webhooks that it cannot be without are reached by services without pods, whose endpoint
is the node.
"""

import base64
import http.client
import json
import pathlib
import shutil
import ssl
import typing

from kubernetes import images
from kubernetes.base import run, until
from kubernetes.client import Refused

ADDRESS = "10.88.0.1"  # of the node, for pods and the API server
NAMES = "10.96.0.10"  # the address of the name server, which the kubelet tells pods
TRAINING_JOBS = [f"{name}.kubeflow.org" for name in ("pytorchjobs", "tfjobs", "mpijobs")]
# What the API server knows once an operator is there.
DEFINITIONS = {
    "training": TRAINING_JOBS,
    "training19": TRAINING_JOBS,
    "framework": ["frameworks.frameworkcontroller.microsoft.com"],
    "jobset": ["jobsets.jobset.x-k8s.io"],
    "trainer": ["trainjobs.trainer.kubeflow.org", "trainingruntimes.trainer.kubeflow.org"],
}
VERSIONS = {"trainer.kubeflow.org": "v1alpha1", "jobset.x-k8s.io": "v1alpha2"}  # of the others v1
NEEDS = {"training": ["dns"], "training19": ["dns"], "trainer": ["dns", "jobset"]}


class Webhooks(typing.NamedTuple):
    """Where an operator's webhooks are."""

    namespace: str
    service: str
    port: int  # on the node
    secret: str | None = None  # into which one puts its certificate that issues it itself, and tells the API server


WEBHOOKS = {
    "jobset": Webhooks("jobset-system", "jobset-webhook-service", 19443),
    "trainer": Webhooks("kubeflow-system", "kubeflow-trainer-controller-manager", 19444, "kubeflow-trainer-webhook-cert"),
    "training19": Webhooks("kubeflow", "training-operator", 19445, "training-operator-webhook-cert"),
}
SERVING = "k8s-webhook-server/serving-certs"  # below the temporary folder of a program with webhooks
# Workers of a PyTorchJob wait until their master has an address. Python asks for it here: the operator's own way wants an image of a
# registry with nslookup in it.
WAIT_FOR_MASTER = """
- name: init-pytorch
  image: {{.InitContainerImage}}
  imagePullPolicy: IfNotPresent
  command:
  - python3
  - -c
  - |
    import socket, time
    for _ in range({{.MaxTries}}):
        try:
            socket.gethostbyname("{{.MasterAddr}}")
            break
        except OSError:
            time.sleep(0.5)
    else:
        raise SystemExit("there is no {{.MasterAddr}}")
  securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
"""


def names_with_needs(names):
    """With what an operator is nothing without, in front of it."""
    if {"training", "training19"} <= set(names):
        raise ValueError("a node has one Training Operator: both versions define the same kinds")
    return list(dict.fromkeys(need for name in names for need in (*NEEDS.get(name, ()), name)))


def words_of(name, node, programs):
    """The command of an operator, whose settings are written now. `programs`: the folder of its program."""
    etc, kubeconfig = node.folder / "etc", node.folder / "kube" / "admin.inside"
    if name == "dns":
        (etc / "Corefile").write_text(
            f"cluster.local:53 {{\n bind {NAMES}\n errors\n kubernetes cluster.local {{\n  kubeconfig {kubeconfig} lab\n }}\n}}\n"
            f".:53 {{\n bind {NAMES}\n template IN ANY . {{\n  rcode NXDOMAIN\n }}\n}}\n")
        return [programs / "coredns", "-conf", etc / "Corefile"]
    if name == "training":
        return [programs / "training-operator", f"--kubeconfig={kubeconfig}", "--monitoring-port=18443", *training_options(etc, etc)]
    if name == "training19":
        own = own_place(node, name)
        return [*with_own_tmp(own), programs / "training-operator", f"--webhook-server-port={WEBHOOKS[name].port}",
                *training_options(own, "/tmp")]
    if name == "jobset":
        port = WEBHOOKS[name].port
        (etc / "jobset.json").write_text(json.dumps({
            "apiVersion": "config.jobset.x-k8s.io/v1alpha1", "kind": "Configuration", "webhook": {"port": port},
            "leaderElection": {"leaderElect": False}, "internalCertManagement": {"enable": False}}))
        return ["env", f"TMPDIR={etc}/jobset", f"KUBECONFIG={kubeconfig}", programs / "jobset", f"--config={etc}/jobset.json",
                "--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:18083"]
    if name == "trainer":
        return [*with_own_tmp(own_place(node, name)), programs / "trainer", f"--webhook-server-port={WEBHOOKS[name].port}",
                "--health-probe-bind-address=127.0.0.1:18084"]
    # It reads its settings where it is, and makes its definition itself.
    folder = programs.parent / "files"
    return ["env", f"--chdir={folder}", f"KUBECONFIG={kubeconfig}", programs / "frameworkcontroller"]


def own_place(node, name):
    """A folder of an operator's own, with its kubeconfig."""
    place = node.folder / "etc" / name
    place.mkdir(exist_ok=True)
    shutil.copy(node.folder / "kube" / "admin.inside", place / "kubeconfig")
    return place


def with_own_tmp(place):
    """In front of a command: an operator that issues its certificate looks for it below /tmp, whatever TMPDIR is. Of other programs'
    files there it sees none."""
    return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /tmp && exec "$@"', place, "env", "KUBECONFIG=/tmp/kubeconfig"]


def training_options(place, seen_as):
    """Of both versions of Kubeflow's Training Operator. `seen_as`: where it finds `place`."""
    (place / "wait-for-master.yaml").write_text(WAIT_FOR_MASTER)
    return ["--metrics-bind-address=127.0.0.1:18080", "--health-probe-bind-address=127.0.0.1:18081", "--controller-threads=2",
            f"--pytorch-init-container-template-file={seen_as}/wait-for-master.yaml", f"--pytorch-init-container-image={images.PYTHON}",
            f"--mpi-kubectl-delivery-image={images.DELIVERY}"]


def begin(name, node):
    """Starts an operator that does not run. Comes back once the API server knows what it is for."""
    part = node.parts[name]
    files = pathlib.Path(node.settings["operators"][name]).parent / "files"
    definitions = {"training": files, "training19": files / "crds", "jobset": files / "crd", "trainer": files / "crds"}.get(name)
    if definitions:
        there = node.client.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"]
        if not any(one["metadata"]["name"] in DEFINITIONS[name] for one in there):
            kubectl(node, "create", "-k", definitions)
            until(180, f"what {name} asks for", lambda: all(serves(node.client, definition) for definition in DEFINITIONS[name]))
            if name in WEBHOOKS and not node.client.find(f"/api/v1/namespaces/{WEBHOOKS[name].namespace}"):
                make_webhooks(name, node, files / "webhook")
    part.start()
    if name in WEBHOOKS and WEBHOOKS[name].secret:
        bring_certificate(name, node, part)

    def known():
        part.check()
        try:
            return (all(serves(node.client, definition) for definition in DEFINITIONS.get(name, ()))
                    and (name not in WEBHOOKS or webhooks_answer(name, node)))
        except (OSError, Refused, http.client.HTTPException):
            return False

    until(180, f"what {name} serves", known)


def kubectl(node, *words):
    return run(node.programs / "kubectl", f"--kubeconfig={node.folder}/kube/admin.inside", f"--cache-dir={node.folder}/kube/cache", *words)


def make_webhooks(name, node, files):
    """The service by which the API server finds an operator's webhooks, and what it asks them about."""
    namespace, service, port, secret = WEBHOOKS[name]
    host = f"{service}.{namespace}.svc"
    node.client.create(("v1", "namespaces"), None, {"metadata": {"name": namespace}})
    node.client.create(("v1", "services"), namespace, {
        "metadata": {"name": service}, "spec": {"ports": [{"port": 443, "targetPort": port}]}})
    node.client.create(("v1", "endpoints"), namespace, {
        "metadata": {"name": service}, "subsets": [{"addresses": [{"ip": ADDRESS}], "ports": [{"port": port}]}]})
    authority = ""
    if secret:
        node.client.create(("v1", "secrets"), namespace, {"metadata": {"name": secret}})
    else:
        authority = base64.b64encode(node.authority.ca.read_bytes()).decode()
        certificate, key = node.authority.issue(name, f"/CN={host}", "serverAuth", (f"DNS:{host}",))
        place = node.folder / "etc" / name / SERVING
        place.mkdir(parents=True)
        (place / "tls.crt").write_bytes(certificate.read_bytes())
        (place / "tls.key").write_bytes(key.read_bytes())
    text = kubectl(node, "create", "--dry-run=client", "-o", "json", "-k", files)
    while text.strip():  # one object behind another
        found, end = json.JSONDecoder().raw_decode(text.lstrip())
        text = text.lstrip()[end:]
        if not found["kind"].endswith("WebhookConfiguration"):
            continue
        for one in found["webhooks"]:
            one["clientConfig"]["service"].update(namespace=namespace, name=service)
            one["clientConfig"]["caBundle"] = authority
        node.client.create((found["apiVersion"], found["kind"].lower() + "s"), None, found)


def webhooks_answer(name, node):
    """Each that the API server will ask: an operator listens before it knows all of them."""
    configurations = [found for kind in ("validating", "mutating") for found in node.client.get(
        f"/apis/admissionregistration.k8s.io/v1/{kind}webhookconfigurations")["items"]]
    services = [one["clientConfig"]["service"] for found in configurations for one in found["webhooks"]]
    paths = [service["path"] for service in services if service["namespace"] == WEBHOOKS[name].namespace]
    for path in paths:
        # The API server looks at the certificate; this is about the path alone.
        connection = http.client.HTTPSConnection(ADDRESS, WEBHOOKS[name].port, timeout=5, context=ssl._create_unverified_context())
        try:
            connection.request("GET", path)
            if connection.getresponse().status == 404:
                return False
        finally:
            connection.close()
    return bool(paths)


def bring_certificate(name, node, part):
    """To an operator that issues its own, as a node would that mounts the secret in its pod."""
    path = f"/api/v1/namespaces/{WEBHOOKS[name].namespace}/secrets/{WEBHOOKS[name].secret}"

    def issued():
        part.check()
        return node.client.get(path).get("data")

    data = until(180, f"the certificate of {name}", issued)
    place = node.folder / "etc" / name / SERVING
    place.mkdir(parents=True, exist_ok=True)
    for file, text in data.items():
        (place / file).write_bytes(base64.b64decode(text))


def serves(client, definition):
    found = client.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{definition}")
    return any(one["type"] == "Established" and one["status"] == "True" for one in found.get("status", {}).get("conditions") or ())
