# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Kubernetes of one node, in namespaces of its own: processes, mounts, network, cgroups. Only root may have it.

Two processes. The keeper (`Keeper`) makes the folder and the cgroups, starts the other one with unshare(1), waits for its end, and
removes what it made. The node (node.py) is the first family of a process namespace: whatever ends it ends every process, mount, device
and container of the node, also when the keeper is killed: the kernel sees to it. All that may then remain is the folder and empty
cgroups, and the next keeper removes those.

Of the machine it takes one port of the loopback, on which the node listens for the API server, a folder for temporary files, and a
cgroup in each hierarchy, below its own. No address, no firewall rule, no setting and no other folder is touched.
"""

import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from peer_venv import Missing
from kubernetes import images, parts
from kubernetes.base import CNI, until
from kubernetes.cgroups import hierarchies, is_single, make_cgroup, own_cgroups, remove_cgroup
from kubernetes.operator_parts import names_with_needs
from kubernetes.relay import free_listener

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = "td-k8s-"
NEEDED_MIB = 1024  # of the disk with temporary files, for logs and volumes of pods: with 100 left the node evicts them


def missing_here():
    """Why there can be no node on this machine; empty: nothing is known that would forbid it."""
    if sys.platform != "linux":
        return "a Kubernetes node needs Linux"
    everyone = ["0", "0", "4294967295"]  # user_namespaces(7)
    if os.geteuid() != 0 or pathlib.Path("/proc/self/uid_map").read_text().split() != everyone:
        return "only root may start a Kubernetes node, and not root of a user namespace"
    for program in ("containerd", "containerd-shim-runc-v2", "ctr", "runc", "ip", "unshare", "openssl"):
        if not shutil.which(program):
            return f"a Kubernetes node needs {program}, which is not installed here"
    if not pathlib.Path(CNI, "bridge").exists():
        return f"a Kubernetes node needs the plugins of {CNI}, which are not installed here"
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--fork", "--cgroup", "--uts", "--ipc", "--mount-proc", "sh", "-c",
         "mount -t tmpfs none /run && mount -t sysfs none /sys && ip link add pods0 type bridge"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if tried.returncode != 0:
        return f"namespaces and mounts are not allowed here ({tried.stdout.strip()}), so there are no containers"
    if not hierarchies():
        return "there are no cgroups here, so there are no containers"
    try:
        for cgroup in own_cgroups(f"{FOLDERS}try-{os.getpid()}"):
            try:
                make_cgroup(cgroup)
            finally:
                remove_cgroup(cgroup)
    except (OSError, TimeoutError) as error:
        return f"cgroups may not be made here ({error}), so there are no containers"
    return ""


def check_room():
    """AssertionError where a node would soon evict its pods, which looks like any other failure from outside."""
    free = shutil.disk_usage(tempfile.gettempdir()).free >> 20
    if free < NEEDED_MIB:
        raise AssertionError(f"a Kubernetes node needs {NEEDED_MIB} MiB in {tempfile.gettempdir()}, and {free} are free: make room there, "
                             "or set TMPDIR to a folder on another disk")


def remove_folder(folder):
    """A node's folder, with the cgroups that it names."""
    try:
        names = (folder / "cgroups").read_text().splitlines()
    except FileNotFoundError:
        names = []
    for name in names:
        remove_cgroup(pathlib.Path(name))
    shutil.rmtree(folder)


def remove_remains():
    """Of nodes whose keeper was killed: nobody holds the lock of such a folder."""
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{FOLDERS}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            with open(folder / "lock", "r", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_folder(folder)
        except (OSError, TimeoutError):
            pass  # In use, not ready, or still dying: another time.


class Keeper:
    """Starts a node and waits for its end. The node has this process's standard input and output."""

    def __init__(self, gpus=2, with_kwok=False, log_size="", operators=()):
        why = missing_here()
        if why:
            raise Missing(why)
        self.programs = parts.kubernetes()
        self.kwok = parts.kwok() if with_kwok else None
        self.operators = {name: str(parts.operator(name)) for name in names_with_needs(operators)}
        self.archives = images.archives(operators)
        self.gpus = gpus
        self.log_size = log_size
        self.child = None

    def run(self):
        """Its exit code."""
        remove_remains()
        check_room()
        # It has its name only once it is locked: without a lock it would be somebody's remains.
        new = pathlib.Path(tempfile.mkdtemp(prefix=f"new-{FOLDERS}"))
        with open(new / "lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            folder = new.rename(new.with_name(new.name.removeprefix("new-")))
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
            try:
                return self.run_in(folder)
            finally:
                if self.child:
                    self.child.kill()
                    self.child.wait()
                remove_folder(folder)

    def run_in(self, folder):
        listener = free_listener()
        cgroups = own_cgroups(folder.name)
        (folder / "cgroups").write_text("".join(f"{cgroup}\n" for cgroup in cgroups))
        for cgroup in cgroups:
            make_cgroup(cgroup)
        (folder / "node.json").write_text(json.dumps({
            "folder": str(folder), "programs": str(self.programs), "kwok": str(self.kwok) if self.kwok else None, "gpus": self.gpus,
            "log_size": self.log_size, "operators": self.operators,
            "archives": {name: str(path) for name, path in self.archives.items()}, "listener": listener.fileno(),
            "port": listener.getsockname()[1], "cgroups": [vars(one) for one in hierarchies()]}))
        libc = ctypes.CDLL(None)
        parent = os.getpid()

        def join():
            libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
            if os.getppid() != parent:
                os._exit(1)
            for cgroup in cgroups:
                (cgroup / "cgroup.procs").write_text("0")

        self.child = subprocess.Popen(
            ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--cgroup", "--uts", "--ipc", "--mount-proc",
             sys.executable, "-B", "-m", "kubernetes.node", str(folder / "node.json")],
            env={**os.environ, "PYTHONPATH": str(HERE.parent)}, preexec_fn=join, pass_fds=[listener.fileno()])
        listener.close()
        if is_single(hierarchies()):
            # A cgroup with controllers for those below has no processes, and unshare's is the only one that the node cannot move.
            until(30, "the node", lambda: len((cgroups[0] / "cgroup.procs").read_text().split()) > 1)
            (cgroups[0].parent / "cgroup.procs").write_text(str(self.child.pid))
        return self.child.wait()
