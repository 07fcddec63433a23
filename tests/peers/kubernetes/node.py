# SPDX-License-Identifier: GPL-3.0-or-later
"""The inside of a node's namespaces, started by keeper.py: python3 -m kubernetes.node SETTINGS"""

import base64
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
from kubernetes import images, operator_parts
from kubernetes.authority import Authority, encoded, kubeconfig
from kubernetes.base import CNI, replace_file, run, until
from kubernetes.cgroups import Hierarchy, is_single
from kubernetes.client import Client, Refused
from kubernetes.commands import Commands
from kubernetes.relay import Relay

NODE = "node1"
# Addresses of the node's own network: nobody else is in it.
ADDRESS, PODS, SERVICES, SERVICE, DNS = operator_parts.ADDRESS, "10.88.0.0/16", "10.96.0.0/16", "10.96.0.1", operator_parts.NAMES
KWOK_PORT = 10247
CONTAINERD = "/run/containerd/containerd.sock"
# What the kubelet would otherwise set for the whole machine, and the values that it wants.
TUNABLES = {
    "vm/overcommit_memory": 1, "vm/panic_on_oom": 0, "kernel/panic": 10, "kernel/panic_on_oops": 1,
    "kernel/keys/root_maxkeys": 1000000, "kernel/keys/root_maxbytes": 25000000}
SYS_RESOURCE = 24  # capabilities(7)


class Part:
    """One program of the node."""

    def __init__(self, name, words, log):
        self.name, self.words, self.log = name, [str(word) for word in words], log
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def stop(self):
        """At once, as a crash does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def signal(self, number):
        if not self.process:
            raise ValueError(f"{self.name} does not run")
        self.process.send_signal(number)

    def check(self):
        """TimeoutError with its last words where it has ended."""
        if self.process and self.process.poll() is not None:
            raise TimeoutError(f"{self.name} ended with {self.process.returncode}: {self.last_words()}")

    def last_words(self):
        return self.log.read_text(errors="replace")[-3000:]


class Node:
    """What happens inside. `settings`: what the keeper wrote."""

    def __init__(self, settings):
        self.settings = settings
        self.folder = pathlib.Path(settings["folder"])
        self.programs = pathlib.Path(settings["programs"])
        self.server = f"https://127.0.0.1:{settings['port']}"
        self.listener = socket.socket(fileno=settings["listener"])
        self.relay = None
        self.authority = None
        self.client = None
        self.parts = {}

    # What there is before any program starts.

    def prepare(self):
        for name in ("lib", "log", "logs", "kube", "etc"):
            (self.folder / name).mkdir()
        socket.sethostname(NODE)
        self.mounts()
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "pods0", "type", "bridge")
        for address in (f"{ADDRESS}/16", f"{SERVICE}/32", f"{DNS}/32"):
            run("ip", "address", "add", address, "dev", "pods0")
        run("ip", "link", "set", "pods0", "up")
        self.certificates()
        self.configurations()
        self.name_parts()

    def mounts(self):
        """What programs of the node write where programs of the machine do, they write elsewhere."""
        run("mount", "-t", "tmpfs", "-o", "mode=755", "run", "/run")
        for name in ("containerd", "lock"):
            pathlib.Path("/run", name).mkdir()
        run("mount", "--bind", self.folder / "lib", "/var/lib")
        run("mount", "--bind", self.folder / "log", "/var/log")
        for name in ("containerd", "etcd"):
            # In memory, so that nobody waits for a disk: thousands of files come at the start and go at the end.
            pathlib.Path("/var/lib", name).mkdir()
            run("mount", "-t", "tmpfs", "-o", "mode=700", name, f"/var/lib/{name}")
        for name, value in TUNABLES.items():
            wanted = self.folder / "etc" / name.replace("/", ".")
            wanted.write_text(f"{value}\n")
            if pathlib.Path("/proc/sys", name).exists():
                run("mount", "--bind", wanted, f"/proc/sys/{name}")
        # What /sys tells of networks is what the network of its mounter has.
        run("mount", "-t", "sysfs", "sys", "/sys")
        found = [Hierarchy(**fields) for fields in self.settings["cgroups"]]
        if is_single(found):
            run("mount", "-t", "cgroup2", "cgroup", "/sys/fs/cgroup")
            self.delegate(pathlib.Path("/sys/fs/cgroup"))
            return
        run("mount", "-t", "tmpfs", "-o", "mode=755", "cgroup", "/sys/fs/cgroup")
        for one in found:
            place = pathlib.Path("/sys/fs/cgroup", os.path.basename(one.place))
            place.mkdir()
            if one.version == 2:
                run("mount", "-t", "cgroup2", "cgroup", place)
                continue
            named = one.controllers[0].startswith("name=")
            run("mount", "-t", "cgroup", "-o", ",".join((["none"] if named else []) + one.controllers), "cgroup", place)
            for name in one.controllers if len(one.controllers) > 1 else ():
                pathlib.Path("/sys/fs/cgroup", name).symlink_to(place.name)

    @staticmethod
    def delegate(root):
        """Version 2: its processes move down, so that it may have controllers for cgroups below."""
        leaf = root / "init"
        leaf.mkdir()

        def done():
            for pid in (root / "cgroup.procs").read_text().split():
                try:
                    (leaf / "cgroup.procs").write_text(pid)
                except OSError:
                    pass  # unshare's, which the keeper moves, is 0 here
            try:
                controllers = (root / "cgroup.controllers").read_text().split()
                (root / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in controllers))
            except OSError:
                return False
            return True

        until(30, "the controllers of cgroups", done)

    def certificates(self):
        self.authority = authority = Authority(self.folder / "pki")
        authority.issue("apiserver", "/CN=kube-apiserver", "serverAuth", (
            "IP:127.0.0.1", f"IP:{SERVICE}", f"IP:{ADDRESS}", "DNS:localhost", "DNS:kubernetes", "DNS:kubernetes.default",
            "DNS:kubernetes.default.svc"))
        authority.issue("kubelet-server", f"/CN={NODE}", "serverAuth", ("IP:127.0.0.1", f"IP:{ADDRESS}", f"DNS:{NODE}"))
        authority.issue("kubelet-client", "/O=system:masters/CN=apiserver-kubelet-client")
        for name, subject in {
                "admin": "/O=system:masters/CN=admin", "controller-manager": "/CN=system:kube-controller-manager",
                "scheduler": "/CN=system:kube-scheduler", "kubelet": f"/O=system:nodes/CN=system:node:{NODE}"}.items():
            certificate, key = authority.issue(name, subject)
            user = [f"client-certificate-data: {encoded(certificate)}", f"client-key-data: {encoded(key)}"]
            replace_file(self.folder / "kube" / f"{name}.inside", kubeconfig("https://127.0.0.1:443", authority.ca, user))
            if name == "admin":
                replace_file(self.folder / "kubeconfig", kubeconfig(self.server, authority.ca, user))
                self.client = Client("https://127.0.0.1:443", authority.ca, (certificate, key))
        token = base64.urlsafe_b64encode(os.urandom(24)).decode()
        (self.folder / "pki" / "tokens.csv").write_text(f'{token},operator,1001,"system:masters"\n')
        replace_file(self.folder / "kubeconfig.token", kubeconfig(self.server, authority.ca, [f"token: {token}"]))

    def configurations(self):
        pki, etc = self.folder / "pki", self.folder / "etc"
        status = pathlib.Path("/proc/self/status").read_text()
        capabilities = int(re.search(r"CapEff:\s*(\w+)", status)[1], 16)
        # Without this capability nobody may lower what others were given, and each container would fail for wanting that.
        restricted = "false" if capabilities >> SYS_RESOURCE & 1 else "true"
        (etc / "containerd.toml").write_text(f"""version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
    "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
address = "{CONTAINERD}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{images.PAUSE}"
restrict_oom_score_adj = {restricted}
disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{CNI}"
conf_dir = "{etc}/cni"
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "{self.snapshotter()}"
default_runtime_name = "runc"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
""")
        (etc / "cni").mkdir()
        (etc / "cni" / "pods.conflist").write_text(json.dumps({
            "cniVersion": "0.4.0", "name": "pods", "plugins": [{
                "type": "bridge", "bridge": "pods0", "isGateway": True, "hairpinMode": True, "ipam": {
                    "type": "host-local", "ranges": [[{"subnet": PODS, "gateway": ADDRESS}]], "routes": [{"dst": "0.0.0.0/0"}],
                    "dataDir": "/run/cni"}}]}))
        (etc / "resolv.conf").write_text(f"nameserver {DNS}\n")
        (etc / "kubelet.json").write_text(json.dumps({
            "apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "readOnlyPort": 0,
            "containerRuntimeEndpoint": f"unix://{CONTAINERD}", "cgroupDriver": "cgroupfs", "failSwapOn": False, "oomScoreAdj": 0,
            "authentication": {
                "anonymous": {"enabled": False}, "webhook": {"enabled": True}, "x509": {"clientCAFile": str(self.authority.ca)}},
            "authorization": {"mode": "Webhook"},
            "tlsCertFile": f"{pki}/kubelet-server.crt", "tlsPrivateKeyFile": f"{pki}/kubelet-server.key",
            "clusterDomain": "cluster.local", "clusterDNS": [DNS], "resolvConf": f"{etc}/resolv.conf",
            # Not as parts of a whole: a hundredth of the machine's disk is gigabytes, which nobody needs here.
            "evictionHard": {"memory.available": "100Mi", "nodefs.available": "100Mi", "imagefs.available": "100Mi",
                             "nodefs.inodesFree": "1%"},
            "imageGCHighThresholdPercent": 100, "imageGCLowThresholdPercent": 99, "serializeImagePulls": False,
            "nodeStatusUpdateFrequency": "4s", "nodeLeaseDurationSeconds": 12, "volumePluginDir": "/var/lib/kubelet/volume-plugins",
            "makeIPTablesUtilChains": False, **self.rotation()}))

    def rotation(self):
        """Of the logs of containers. The kubelet keeps one file beside the current one, and reads that one alone."""
        size = self.settings["log_size"]
        return {"containerLogMaxSize": size, "containerLogMaxFiles": 2, "containerLogMonitorInterval": "3s"} if size else {}

    @staticmethod
    def snapshotter():
        """Overlays where the system has them."""
        tried = pathlib.Path("/var/lib/containerd/tried")
        for name in ("lower", "upper", "work", "merged"):
            (tried / name).mkdir(parents=True)
        try:
            run("mount", "-t", "overlay", "-o", f"lowerdir={tried}/lower,upperdir={tried}/upper,workdir={tried}/work", "none",
                tried / "merged")
            run("umount", tried / "merged")
            return "overlayfs"
        except OSError:
            return "native"
        finally:
            shutil.rmtree(tried)

    def name_parts(self):
        pki = self.folder / "pki"
        etcd = "http://127.0.0.1:2379"

        def with_kubeconfig(name):
            path = self.folder / "kube" / f"{name}.inside"
            return [f"--kubeconfig={path}", f"--authentication-kubeconfig={path}", f"--authorization-kubeconfig={path}",
                    "--leader-elect=false", "--bind-address=127.0.0.1", "--kube-api-qps=300", "--kube-api-burst=600"]

        programs = {
            "etcd": [
                "--data-dir=/var/lib/etcd", "--unsafe-no-fsync", f"--listen-client-urls={etcd}", f"--advertise-client-urls={etcd}",
                "--listen-peer-urls=http://127.0.0.1:2380", "--initial-advertise-peer-urls=http://127.0.0.1:2380",
                "--initial-cluster=default=http://127.0.0.1:2380"],
            "kube-apiserver": [
                f"--etcd-servers={etcd}", "--bind-address=0.0.0.0", "--secure-port=443", f"--advertise-address={ADDRESS}",
                f"--tls-cert-file={pki}/apiserver.crt", f"--tls-private-key-file={pki}/apiserver.key", f"--client-ca-file={pki}/ca.crt",
                f"--token-auth-file={pki}/tokens.csv", f"--service-account-key-file={pki}/accounts.key",
                f"--service-account-signing-key-file={pki}/accounts.key",
                "--service-account-issuer=https://kubernetes.default.svc.cluster.local", "--authorization-mode=Node,RBAC",
                "--enable-admission-plugins=NodeRestriction", "--enable-aggregator-routing=true",
                f"--service-cluster-ip-range={SERVICES}", "--allow-privileged=true",
                f"--kubelet-client-certificate={pki}/kubelet-client.crt", f"--kubelet-client-key={pki}/kubelet-client.key",
                f"--kubelet-certificate-authority={pki}/ca.crt", "--kubelet-preferred-address-types=InternalIP",
                f"--requestheader-client-ca-file={pki}/ca.crt", "--requestheader-allowed-names=none",
                "--requestheader-username-headers=X-Remote-User"],
            "kube-controller-manager": [
                *with_kubeconfig("controller-manager"), f"--service-account-private-key-file={pki}/accounts.key",
                f"--root-ca-file={pki}/ca.crt", "--use-service-account-credentials=true", "--node-monitor-grace-period=20s",
                "--node-monitor-period=2s",
                "--controllers=*,-cloud-node-lifecycle-controller,-service-lb-controller,-node-route-controller"],
            "kube-scheduler": with_kubeconfig("scheduler"),
            "kubelet": [
                f"--config={self.folder}/etc/kubelet.json", f"--kubeconfig={self.folder}/kube/kubelet.inside",
                f"--hostname-override={NODE}", f"--node-ip={ADDRESS}", f"--cert-dir={pki}"],
            "devices": [f"--count={self.settings['gpus']}"],
        }
        for name, words in programs.items():
            self.parts[name] = Part(name, [self.programs / name, *words], self.folder / "logs" / f"{name}.log")
        self.parts["containerd"] = Part(
            "containerd", ["containerd", "-c", self.folder / "etc" / "containerd.toml"], self.folder / "logs" / "containerd.log")
        for name, programs in self.settings["operators"].items():
            words = operator_parts.words_of(name, self, pathlib.Path(programs))
            self.parts[name] = Part(name, words, self.folder / "logs" / f"{name}.log")
        if self.settings["kwok"]:
            (self.folder / "etc" / "kwok.log").write_text("2026-01-01T00:00:00.000000000Z stdout F here\n")
            (self.folder / "etc" / "kwok.yaml").write_text((HERE / "kwok" / "kwok.yaml").read_text().replace(
                "LOG_FILE", str(self.folder / "etc" / "kwok.log")))
            self.parts["kwok"] = Part("kwok", [
                f"{self.settings['kwok']}/kwok", f"--config={self.folder}/etc/kwok.yaml", f"--kubeconfig={self.folder}/kube/admin.inside",
                "--cidr=10.200.0.0/16", "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake", f"--node-ip={ADDRESS}",
                f"--node-port={KWOK_PORT}", f"--server-address={ADDRESS}:{KWOK_PORT}", f"--tls-cert-file={pki}/kubelet-server.crt",
                f"--tls-private-key-file={pki}/kubelet-server.key"], self.folder / "logs" / "kwok.log")

    # Its beginning.

    def start(self):
        self.prepare()
        for name in ("etcd", "containerd", "kube-apiserver"):
            self.parts[name].start()
        self.wait(60, "containerd", self.containerd_answers)
        for name in ("pause", "static"):
            self.load(self.settings["archives"][name])
        self.wait(180, "the API server", self.is_serving)
        for name in ("kube-controller-manager", "kube-scheduler", "kubelet", "devices"):
            self.parts[name].start()
        self.relay = Relay(self.listener, ("127.0.0.1", 443))
        self.relay.open()
        self.wait(180, "the node", self.is_ready)
        if self.settings["operators"]:
            self.load(self.settings["archives"]["python"])
        for name in self.settings["operators"]:
            operator_parts.begin(name, self)

    def wait(self, seconds, what, condition):
        def checked():
            for part in self.parts.values():
                part.check()
            return condition()

        return until(seconds, what, checked)

    @staticmethod
    def containerd_answers():
        return subprocess.run(["ctr", "-a", CONTAINERD, "version"], capture_output=True, check=False).returncode == 0

    def is_serving(self):
        try:
            return self.client.text("GET", "/readyz") == b"ok"
        except (OSError, Refused, ssl.SSLError):
            return False

    def is_ready(self):
        """The node is, with its devices, and pods may be made in the default namespace."""
        try:
            node = self.client.get(f"/api/v1/nodes/{NODE}")
            self.client.get("/api/v1/namespaces/default/serviceaccounts/default")
        except (OSError, Refused):
            return False
        conditions = {condition["type"]: condition["status"] for condition in node["status"].get("conditions", [])}
        gpus = int(node["status"].get("allocatable", {}).get("nvidia.com/gpu", 0))
        return conditions.get("Ready") == "True" and gpus == self.settings["gpus"] and not node["spec"].get("taints")

    def load(self, path):
        run("ctr", "-a", CONTAINERD, "-n", "k8s.io", "images", "import", "--snapshotter", self.snapshotter_in_use(), path)

    def snapshotter_in_use(self):
        return re.search(r'snapshotter = "(\w+)"', (self.folder / "etc" / "containerd.toml").read_text())[1]


def say(line):
    print(line, flush=True)


def inside(path):
    """The first process of the namespace takes over those without parents; its child is the node."""
    child = os.fork()
    if child:
        while True:
            pid, status = os.wait()
            if pid == child:
                return os.waitstatus_to_exitcode(status) & 255
    node = Node(json.loads(pathlib.Path(path).read_text()))
    try:
        node.start()
    except (OSError, TimeoutError, Refused, subprocess.SubprocessError) as error:
        print(f"the node did not start: {error}", file=sys.stderr)
        for part in node.parts.values():
            if part.log.exists():
                print(f"{part.name}: {part.last_words()}", file=sys.stderr)
        return 1
    say(f"kubeconfig={node.folder}/kubeconfig")
    say(f"server={node.server}")
    say(f"folder={node.folder}")
    say("ready=yes")
    commands = Commands(node)
    for line in sys.stdin:
        say(commands.obey(line))
    return 0


if __name__ == "__main__":
    code = inside(sys.argv[1])
    sys.stdout.flush()
    os._exit(code)
