# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Kubernetes node of other tests can do: python3 test_kubernetes_lab.py TRIALKEEPER_POD [unittest's arguments]."""

import base64
import http.client
import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import time
import unittest

from kubernetes import images, parts
from kubernetes.cgroups import own_cgroups
from kubernetes.client import Client, Refused
from kubernetes.keeper import remove_remains
from kubernetes.node import TUNABLES
from kubernetes_lab import CONFIG_MAPS, JOBS, PODS, KubernetesLab, job, pod, pod_spec, prepare
from peer_venv import Missing
from pod_frames import streams

PROGRAM = None
LAB = None
SPACE = "trials"
SETTINGS = [pathlib.Path("/proc/sys", name) for name in (*TUNABLES, "net/ipv4/ip_forward")]


def machine():
    """What of the machine a node must leave as it was: network devices and settings."""
    links = subprocess.run(["ip", "-o", "link"], capture_output=True, text=True, check=True).stdout
    return {
        "links": sorted(line.split(": ")[1] for line in links.splitlines()),
        "settings": [path.read_text() for path in SETTINGS if path.exists()],
        "folders": [path for path in ("/run/containerd", "/var/lib/kubelet", "/var/lib/cni", "/var/log/pods") if os.path.exists(path)],
    }


def traces(folder):
    """What is there of one node: processes, mounts, cgroups, its folder."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if folder.name in (process / "cgroup").read_text() or str(folder) in (process / "cmdline").read_text(errors="replace"):
                found.append(f"{process.name} {(process / 'cmdline').read_text(errors='replace')[:80]}")
        except OSError:
            pass
    found += [line for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines() if str(folder) in line]
    found += [str(cgroup) for cgroup in own_cgroups(folder.name) if cgroup.exists()]
    return found + ([str(folder)] if folder.exists() else [])


class Node(unittest.TestCase):
    def run_job(self, name, spec, seconds=60):
        LAB.create(JOBS, SPACE, job(name, spec))

        def end():
            """Complete or Failed, before which a Job says that it will be."""
            conditions = LAB.get(JOBS, SPACE, name)["status"].get("conditions", [])
            return next((condition["type"] for condition in conditions if condition["type"] in ("Complete", "Failed")), None)

        kind = LAB.wait(seconds, f"the job {name} ends", end)
        pods = LAB.client.get(f"/api/v1/namespaces/{SPACE}/pods?labelSelector=job-name%3D{name}")["items"]
        self.assertEqual(len(pods), 1)
        self.assertEqual(kind, "Complete", LAB.pod_log(SPACE, pods[0]["metadata"]["name"]).decode())

    def output(self, name, spec, lines=1):
        """What a pod printed that does not end by itself: of a container that ends, containerd's shim copies what is left for two seconds, and on
        a busy machine all that a short one printed was lost."""
        LAB.create(PODS, SPACE, pod(name, spec))
        LAB.wait_for_pod(SPACE, name, "Running")

        def printed():
            text = LAB.pod_log(SPACE, name).decode()
            return text.count("\n") >= lines and text

        log = LAB.wait(60, f"{lines} lines of {name}", printed)
        LAB.client.delete(f"/api/v1/namespaces/{SPACE}/pods/{name}", gracePeriodSeconds=1)  # a first process need not end by SIGTERM
        return log

    def run_pod(self, name, spec, *phases, seconds=60):
        LAB.create(PODS, SPACE, pod(name, spec))
        return LAB.wait_for_pod(SPACE, name, *(phases or ("Succeeded", "Failed")), seconds=seconds)

    def wait_for_event(self, name, reason):
        """The text of the first one with this reason."""
        return LAB.wait(60, f"{reason} of {name}", lambda: next((text for why, text in LAB.events(SPACE, name) if why == reason), None))

    def test_node_is_ready(self):
        self.assertRegex(LAB.kubectl("get", "nodes", "--no-headers"), r"^node1 +Ready +<none> +\S+ +v1\.33\.\d+\n$")
        status = LAB.client.get("/api/v1/nodes/node1")["status"]
        self.assertEqual(status["allocatable"]["nvidia.com/gpu"], "2")
        self.assertTrue(status["nodeInfo"]["containerRuntimeVersion"].startswith("containerd://"))

    def test_pod_security_refuses_what_is_not_restricted(self):
        with self.assertRaises(Refused) as caught:
            LAB.create(PODS, SPACE, pod("loose", {"containers": [{"name": "main", "image": images.STATIC}]}))
        self.assertEqual(caught.exception.status, 403)
        self.assertIn('violates PodSecurity "restricted:latest"', str(caught.exception))

    def test_job_of_an_image_without_a_shell(self):
        steps = ["say=no shell here", "env=HOME"]
        self.run_job("static", pod_spec(images.STATIC, args=steps))
        self.assertEqual(self.output("static", pod_spec(images.STATIC, args=[*steps, "pause"]), 2), "no shell here\nHOME=/\n")

    def test_job_of_an_image_with_python(self):
        self.assertEqual(LAB.command("image", "python"), images.PYTHON)
        script = "import json, os, ssl\ntry: open('/x', 'w')\nexcept OSError as error: print(error.strerror, os.getuid(), flush=True)"
        self.run_job("python", pod_spec(images.PYTHON, command=["python3", "-c", script]))
        stays = ["python3", "-c", f"{script}\nimport time; time.sleep(600)"]
        self.assertEqual(self.output("python", pod_spec(images.PYTHON, command=stays)), "Read-only file system 10001\n")
        shell = ["sh", "-c", "echo from $0; cat /proc/self/status | grep -E 'CapEff|Seccomp:|NoNewPrivs' | sort; exec sleep 600"]
        self.assertEqual(self.output("shell", pod_spec(images.PYTHON, command=shell), 4),
                         "from sh\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n")

    def test_api_server_from_a_pod(self):
        LAB.command("image", "python")
        script = """
import os, ssl, time, urllib.error, urllib.request
folder = "/var/run/secrets/kubernetes.io/serviceaccount"
address = f"https://{os.environ['KUBERNETES_SERVICE_HOST']}:{os.environ['KUBERNETES_SERVICE_PORT']}/api/v1/namespaces"
request = urllib.request.Request(address, headers={"Authorization": "Bearer " + open(f"{folder}/token").read()})
try:
    urllib.request.urlopen(request, context=ssl.create_default_context(cafile=f"{folder}/ca.crt"))
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode(), flush=True)
time.sleep(600)
"""
        spec = pod_spec(images.PYTHON, command=["python3", "-c", script], automountServiceAccountToken=True)
        self.assertRegex(self.output("inside", spec), r'^403 (?s:.)*User \\"system:serviceaccount:trials:default\\" cannot list')

    def test_command_in_a_pod(self):
        self.run_pod("host", pod_spec(images.STATIC, args=["pause"]), "Running")
        self.assertEqual(LAB.kubectl("-n", SPACE, "exec", "host", "--", "/steps", "say=guest", "env=HOME"), "guest\nHOME=/\n")
        LAB.client.delete(f"/api/v1/namespaces/{SPACE}/pods/host")

    def test_trialkeeper_from_a_config_map(self):
        content = base64.b64encode(pathlib.Path(PROGRAM).read_bytes()).decode()
        LAB.create(CONFIG_MAPS, SPACE, {"kind": "ConfigMap", "metadata": {"name": "keeper"}, "immutable": True,
                                        "binaryData": {"trialkeeper": content}})
        spec = pod_spec(
            images.STATIC, mounts=[{"name": "keeper", "mountPath": "/keeper"}, {"name": "trial", "mountPath": "/trial"}],
            command=["/keeper/trialkeeper", "--id", "t7", "--dir", "/trial/t7", "--code", "/trial",
                     "--termination", "/dev/termination-log", "--", "/steps", "say=costs $5", "env=NNI_OUTPUT_DIR", "exit=3"],
            volumes=[{"name": "keeper", "configMap": {"name": "keeper", "defaultMode": 0o555}}, {"name": "trial", "emptyDir": {}}])
        ended = self.run_pod("kept", spec, "Failed")["status"]["containerStatuses"][0]["state"]["terminated"]
        self.assertEqual(ended["exitCode"], 3)
        found = streams(LAB.pod_log(SPACE, "kept"))
        self.assertEqual(found["o"], b"costs $5\nNNI_OUTPUT_DIR=/trial/t7/output\n")
        self.assertIn(b'"exitCode":3', found["x"])
        self.assertIn('"exitCode":3', ended["message"])

    def test_gpus_that_do_not_exist(self):
        limits = {"nvidia.com/gpu": "1"}
        steps = ["env=CUDA_VISIBLE_DEVICES", "pause"]
        self.assertRegex(self.output("gpu", pod_spec(images.STATIC, args=steps, limits=limits)), r"^CUDA_VISIBLE_DEVICES=[01]\n$")
        two = self.output("gpus", pod_spec(images.STATIC, args=steps, limits={"nvidia.com/gpu": "2"}))
        self.assertRegex(two, r"^CUDA_VISIBLE_DEVICES=(0,1|1,0)\n$")
        LAB.create(PODS, SPACE, pod("three", pod_spec(images.STATIC, limits={"nvidia.com/gpu": "3"})))
        self.assertIn("Insufficient nvidia.com/gpu", self.wait_for_event("three", "FailedScheduling"))
        # The scheduler tells of it before it writes it down.
        condition = LAB.wait(30, "the pod has a condition", lambda: LAB.get(PODS, SPACE, "three")["status"].get("conditions"))[0]
        self.assertEqual((condition["type"], condition["reason"]), ("PodScheduled", "Unschedulable"))
        LAB.client.delete(f"/api/v1/namespaces/{SPACE}/pods/three")

    def test_image_that_cannot_be_pulled(self):
        LAB.create(PODS, SPACE, pod("missing", pod_spec(images.UNPULLABLE)))

        def reason():
            statuses = LAB.get(PODS, SPACE, "missing")["status"].get("containerStatuses")
            return statuses and statuses[0]["state"].get("waiting", {}).get("reason") in ("ErrImagePull", "ImagePullBackOff")

        LAB.wait(60, "a reason", reason)
        self.assertIn("connection refused", self.wait_for_event("missing", "Failed"))
        LAB.client.delete(f"/api/v1/namespaces/{SPACE}/pods/missing")

    def test_too_much_memory(self):
        ended = self.run_pod("greedy", pod_spec(images.STATIC, args=["memory=200"], limits={"memory": "30Mi"}), "Failed")
        self.assertEqual(ended["status"]["containerStatuses"][0]["state"]["terminated"]["reason"], "OOMKilled")

    def test_quota(self):
        LAB.command("namespace", "few", "restricted")
        LAB.command("quota", "few", "pods=1")
        LAB.create(PODS, "few", pod("one", pod_spec(images.STATIC, args=["pause"])))
        with self.assertRaises(Refused) as caught:
            LAB.create(PODS, "few", pod("two", pod_spec(images.STATIC)))
        self.assertEqual(caught.exception.status, 403)
        self.assertIn("exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1", str(caught.exception))

    def test_user_with_few_rights(self):
        config = LAB.command("user", SPACE, "reader", "get,list:pods,pods/log", "create:jobs:batch")
        told = subprocess.run([str(parts.kubernetes() / "kubectl"), f"--kubeconfig={config}", "auth", "can-i", "--list"],
                              capture_output=True, text=True, check=True).stdout
        self.assertRegex(told, r"jobs\.batch +\[\] +\[\] +\[create\]")

        def reader():
            token = pathlib.Path(f"{config}.token").read_text()
            return Client(LAB.server, LAB.folder / "pki" / "ca.crt", token=token)

        path = f"/api/v1/namespaces/{SPACE}"
        first = reader()
        self.assertEqual(first.get(f"{path}/pods")["kind"], "PodList")
        with self.assertRaises(Refused) as caught:
            first.get(f"{path}/secrets")
        self.assertEqual(caught.exception.status, 403)
        LAB.command("rotate", SPACE, "reader")
        with self.assertRaises(Refused) as caught:
            first.get(f"{path}/pods")
        self.assertEqual(caught.exception.status, 401)
        self.assertEqual(reader().get(f"{path}/pods")["kind"], "PodList")

    def test_api_server_goes_and_comes(self):
        self.run_pod("survivor", pod_spec(images.STATIC, args=["say=began", "pause"]), "Running")
        before = LAB.get(PODS, SPACE, "survivor")["status"]["containerStatuses"][0]
        LAB.command("stop", "kube-apiserver")
        with self.assertRaises(ConnectionRefusedError):
            LAB.get(PODS, SPACE, "survivor")
        time.sleep(1)  # It changes nothing; it gives the node time to be wrong.
        LAB.command("start", "kube-apiserver")
        after = LAB.get(PODS, SPACE, "survivor")["status"]["containerStatuses"][0]
        self.assertEqual((after["containerID"], after["restartCount"]), (before["containerID"], 0))
        self.assertIn("running", after["state"])
        self.assertEqual(LAB.wait(30, "its log", lambda: LAB.pod_log(SPACE, "survivor")), b"began\n")
        LAB.client.delete(f"/api/v1/namespaces/{SPACE}/pods/survivor")

    def test_connections_are_refused_and_admitted(self):
        LAB.command("refuse")
        with self.assertRaises(ConnectionRefusedError):
            LAB.client.get("/version")
        LAB.command("admit")
        self.assertEqual(LAB.client.get("/version")["major"], "1")

    def test_connections_are_cut(self):
        with LAB.client.open("GET", f"/api/v1/namespaces/{SPACE}/configmaps?watch=true&timeoutSeconds=300") as watch:
            self.assertEqual(json.loads(watch.readline())["type"], "ADDED")
            LAB.command("cut")
            with self.assertRaises((ConnectionError, http.client.IncompleteRead)):
                watch.read()
        self.assertEqual(LAB.client.get("/version")["major"], "1")

    def test_connections_are_silent(self):
        LAB.command("hold")
        with self.assertRaises(TimeoutError):
            LAB.client.text("GET", "/version", timeout=1)
        LAB.command("release")
        self.assertEqual(LAB.client.get("/version")["major"], "1")

    def test_wrong_authority(self):
        with self.assertRaises(ssl.SSLCertVerificationError):
            Client(LAB.server, ssl.get_default_verify_paths().openssl_cafile or "/etc/ssl/certs/ca-certificates.crt").get("/version")


class LostNode(unittest.TestCase):
    def test_silent_kubelet(self):
        # Nobody else may need the node meanwhile.
        LAB.create(PODS, SPACE, pod("silent", pod_spec(images.STATIC, args=["pause"])))
        LAB.wait_for_pod(SPACE, "silent", "Running")

        def ready():
            conditions = LAB.client.get("/api/v1/nodes/node1")["status"]["conditions"]
            return next(condition["status"] for condition in conditions if condition["type"] == "Ready")

        LAB.command("pause", "kubelet")
        LAB.wait(60, "the node is lost", lambda: ready() == "Unknown")
        LAB.command("continue", "kubelet")
        LAB.wait(60, "the node is back", lambda: ready() == "True")
        self.assertEqual(LAB.get(PODS, SPACE, "silent")["status"]["phase"], "Running")


if os.environ.get("TRIALDECK_NIGHTLY") == "1":
    class ManyPods(unittest.TestCase):
        """With kwok, which is a long build for the one test."""

        def test_two_thousand_pods(self):
            with KubernetesLab(kwok=True) as lab:
                lab.command("nodes", 20)
                lab.command("namespace", "many", "restricted")
                spec = pod_spec(images.STATIC, nodeSelector={"type": "kwok"},
                                tolerations=[{"key": "kwok.x-k8s.io/node", "operator": "Exists"}])
                lab.create(JOBS, "many", job("many", spec, completions=2000, parallelism=2000))
                began = time.monotonic()
                lab.wait(600, "2,000 pods end", lambda: lab.get(JOBS, "many", "many")["status"].get("succeeded") == 2000)
                print(f"2,000 pods: {time.monotonic() - began:.0f} s", file=sys.stderr)


class Remains(unittest.TestCase):
    def test_nothing_is_left_of_one_that_was_killed(self):
        before = machine()
        lab = KubernetesLab().start()
        lab.command("namespace", SPACE, "restricted")
        lab.create(PODS, SPACE, pod("orphan", pod_spec(images.STATIC, args=["pause"])))
        lab.wait_for_pod(SPACE, "orphan", "Running")
        self.assertGreater(len(traces(lab.folder)), 10)
        self.assertEqual(machine(), before)
        lab.process.send_signal(signal.SIGKILL)
        lab.process.communicate()

        def remains():
            remove_remains()  # as at the next start
            return traces(lab.folder)

        LAB.wait(30, "the end", lambda: not remains())
        self.assertEqual(machine(), before)


def setUpModule():
    global LAB
    try:
        prepare()
    except Missing as error:
        if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
            raise
        raise unittest.SkipTest(str(error)) from error
    began = time.monotonic()
    LAB = KubernetesLab().start()
    print(f"the node was ready after {time.monotonic() - began:.1f} s", file=sys.stderr)
    LAB.command("namespace", SPACE, "restricted")


def tearDownModule():
    if LAB:
        folder = LAB.folder
        LAB.stop()
        assert not traces(folder), traces(folder)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
