# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators as programs of a node, and the name server that their pods need.

They run as the node's other programs do, beside the API server and with all rights. What a released operator has for the API server is
read from its own files, as parts.py keeps them. Webhooks that it cannot be without are reached by services without pods, whose endpoint
is the node.
"""

import base64
import json
import pathlib
import shutil
import socket

from kubernetes import images
from kubernetes.base import run, until
from kubernetes.client import Refused

ADDRESS = "10.88.0.1"  # of the node, for pods and the API server
NAMES = "10.96.0.10"  # the address of the name server, which the kubelet tells pods
# What the API server knows once an operator is there.
DEFINITIONS = {
    "training": [f"{name}.kubeflow.org" for name in ("pytorchjobs", "tfjobs", "mpijobs")],
    "framework": ["frameworks.frameworkcontroller.microsoft.com"],
    "jobset": ["jobsets.jobset.x-k8s.io"],
    "trainer": ["trainjobs.trainer.kubeflow.org", "trainingruntimes.trainer.kubeflow.org"],
}
VERSIONS = {"trainer.kubeflow.org": "v1alpha1", "jobset.x-k8s.io": "v1alpha2"}  # of the others v1
NEEDS = {"training": ["dns"], "trainer": ["dns", "jobset"]}
# Where an operator's webhooks are: its namespace, the name of its service, the port on the node.
WEBHOOKS = {"jobset": ("jobset-system", "jobset-webhook-service", 19443),
            "trainer": ("kubeflow-system", "kubeflow-trainer-controller-manager", 19444)}
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
        (etc / "wait-for-master.yaml").write_text(WAIT_FOR_MASTER)
        return [programs / "training-operator", f"--kubeconfig={kubeconfig}", "--metrics-bind-address=127.0.0.1:18080",
                "--health-probe-bind-address=127.0.0.1:18081", "--monitoring-port=18443", "--controller-threads=2",
                f"--pytorch-init-container-template-file={etc}/wait-for-master.yaml", f"--pytorch-init-container-image={images.PYTHON}",
                f"--mpi-kubectl-delivery-image={images.DELIVERY}"]
    if name == "jobset":
        port = WEBHOOKS[name][2]
        (etc / "jobset.json").write_text(json.dumps({
            "apiVersion": "config.jobset.x-k8s.io/v1alpha1", "kind": "Configuration", "webhook": {"port": port},
            "leaderElection": {"leaderElect": False}, "internalCertManagement": {"enable": False}}))
        return ["env", f"TMPDIR={etc}/jobset", f"KUBECONFIG={kubeconfig}", programs / "jobset", f"--config={etc}/jobset.json",
                "--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:18083"]
    if name == "trainer":
        (etc / "trainer").mkdir(exist_ok=True)
        shutil.copy(kubeconfig, etc / "trainer" / "kubeconfig")
        # It looks for its certificate below /tmp, whatever TMPDIR is.
        return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /tmp && exec "$@"', etc / "trainer", "env",
                "KUBECONFIG=/tmp/kubeconfig", programs / "trainer", f"--webhook-server-port={WEBHOOKS[name][2]}",
                "--health-probe-bind-address=127.0.0.1:18084"]
    # It reads its settings where it is, and makes its definition itself.
    folder = programs.parent / "files"
    return ["env", f"--chdir={folder}", f"KUBECONFIG={kubeconfig}", programs / "frameworkcontroller"]


def begin(name, node):
    """Starts an operator that does not run. Comes back once the API server knows what it is for."""
    part = node.parts[name]
    files = pathlib.Path(node.settings["operators"][name]).parent / "files"
    definitions = {"training": files, "jobset": files / "crd", "trainer": files / "crds"}.get(name)
    if definitions:
        there = node.client.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"]
        if not any(one["metadata"]["name"] in DEFINITIONS[name] for one in there):
            kubectl(node, "create", "-k", definitions)
            until(60, f"what {name} asks for", lambda: all(serves(node.client, definition) for definition in DEFINITIONS[name]))
            if name in WEBHOOKS:
                make_webhooks(name, node, files / "webhook")
    part.start()
    if name == "trainer":
        bring_certificate(node, part)

    def known():
        part.check()
        try:
            if name in WEBHOOKS:
                socket.create_connection((ADDRESS, WEBHOOKS[name][2]), timeout=5).close()
            return all(serves(node.client, definition) for definition in DEFINITIONS.get(name, ()))
        except (OSError, Refused):
            return False

    until(60, f"what {name} serves", known)


def kubectl(node, *words):
    return run(node.programs / "kubectl", f"--kubeconfig={node.folder}/kube/admin.inside", f"--cache-dir={node.folder}/kube/cache", *words)


def make_webhooks(name, node, files):
    """The service by which the API server finds an operator's webhooks, and what it asks them about."""
    namespace, service, port = WEBHOOKS[name]
    host = f"{service}.{namespace}.svc"
    node.client.create(("v1", "namespaces"), None, {"metadata": {"name": namespace}})
    node.client.create(("v1", "services"), namespace, {
        "metadata": {"name": service}, "spec": {"ports": [{"port": 443, "targetPort": port}]}})
    node.client.create(("v1", "endpoints"), namespace, {
        "metadata": {"name": service}, "subsets": [{"addresses": [{"ip": ADDRESS}], "ports": [{"port": port}]}]})
    authority = ""
    if name == "trainer":  # it issues its own, and tells the API server
        node.client.create(("v1", "secrets"), namespace, {"metadata": {"name": "kubeflow-trainer-webhook-cert"}})
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


def bring_certificate(node, part):
    """To Kubeflow Trainer, as a node would that mounts the secret in its pod."""
    namespace = WEBHOOKS["trainer"][0]

    def issued():
        part.check()
        return node.client.get(f"/api/v1/namespaces/{namespace}/secrets/kubeflow-trainer-webhook-cert").get("data")

    data = until(60, "the certificate of Kubeflow Trainer", issued)
    place = node.folder / "etc" / "trainer" / SERVING
    place.mkdir(parents=True, exist_ok=True)
    for file, text in data.items():
        (place / file).write_bytes(base64.b64decode(text))


def serves(client, definition):
    found = client.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{definition}")
    return any(one["type"] == "Established" and one["status"] == "True" for one in found.get("status", {}).get("conditions") or ())
