# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of Kubernetes, of etcd, of kwok and of operators, built from Go modules once and kept

They lie beside the other peers (peer_venv.py), named after their version and what else decides what they are: the modules that go.mod
and go.sum name, and our device plugin. What a build leaves besides, gigabytes of sources and objects, is removed when it has ended;
one that was interrupted goes on where it was.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
from peer_venv import Missing, cache_folder

KUBERNETES = {
    "devices": "./devices",
    "etcd": "go.etcd.io/etcd/server/v3",
    **{name: f"k8s.io/kubernetes/cmd/{name}"
       for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl")},
}
KWOK = {"kwok": "sigs.k8s.io/kwok/cmd/kwok"}


class Operator:
    """`programs` as above; `files`: a folder of `module` that is kept, too: definitions for the API server, settings."""

    def __init__(self, module, programs, files=None):
        self.module, self.programs, self.files = module, programs, files


TRAINING = "github.com/kubeflow/training-operator"
OPERATORS = {
    "dns": Operator("github.com/coredns/coredns", {"coredns": "."}),
    "training": Operator(TRAINING, {"training-operator": f"{TRAINING}/cmd/training-operator.v1"}, "manifests/base/crds"),
    "training19": Operator(TRAINING, {"training-operator": f"{TRAINING}/cmd/training-operator.v1"}, "manifests/base"),
    "framework": Operator("github.com/microsoft/frameworkcontroller",
                          {"frameworkcontroller": "github.com/microsoft/frameworkcontroller/cmd/frameworkcontroller"}, "example/config/default"),
    "jobset": Operator("sigs.k8s.io/jobset", {"jobset": "sigs.k8s.io/jobset"}, "config/components"),
    "trainer": Operator("github.com/kubeflow/trainer/v2",
                        {"trainer": "github.com/kubeflow/trainer/v2/cmd/trainer-controller-manager"}, "manifests/base"),
}


@contextlib.contextmanager
def locked(path):
    """Holds a lock of all processes of this user, for as long as the block takes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def go_program(wanted):
    """Go, where it is the machine's own and new enough; it fetches no newer one."""
    found = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if not found:
        raise Missing(f"there is no Go on this machine, and Kubernetes is built with {wanted} or newer")
    answer = subprocess.run([found, "env", "GOVERSION"], capture_output=True, text=True, check=False,
                            env={**os.environ, "GOTOOLCHAIN": "local"}, cwd="/")
    version = re.match(r"go(\d+)\.(\d+)", answer.stdout)
    if not version or (int(version[1]), int(version[2])) < tuple(int(part) for part in wanted.split(".")[:2]):
        raise Missing(f"Go on this machine is {answer.stdout.strip() or 'broken'}, and Kubernetes is built with {wanted} or newer")
    return found


def version_of(module, text):
    """What go.mod says of a module."""
    return re.search(rf"^\s*(?:require )?{re.escape(module)} v(\S+)", text, re.MULTILINE)[1]


def built(name, module, folder, packages, files=None):
    """The folder bin with these programs, named after the version of `module`; beside it, where they are wanted, the `files` of that."""
    text = (folder / "go.mod").read_text()
    version = version_of(module, text)
    inputs = [folder / "go.mod", folder / "go.sum", *sorted(folder.glob("*.go")), *sorted(folder.glob("devices/*.go"))]
    state = hashlib.sha256(b"".join(path.read_bytes() for path in inputs) + platform.machine().encode()).hexdigest()[:8]
    kept = cache_folder() / f"{name}-{version}-{state}"
    if (kept / "bin").exists():
        return kept / "bin"
    with locked(kept.with_name(kept.name + ".lock")):
        if (kept / "bin").exists():
            return kept / "bin"
        go = go_program(re.search(r"^go (\S+)", text, re.MULTILINE)[1])
        began = time.monotonic()
        work = kept.with_name(kept.name + ".build")
        (work / "bin").mkdir(parents=True, exist_ok=True)
        environment = {
            **os.environ, "GOTOOLCHAIN": "local", "CGO_ENABLED": "0", "GOWORK": "off", "GOFLAGS": "-modcacherw -buildvcs=false",
            "GOCACHE": str(work / "objects"), "GOMODCACHE": str(work / "sources")}
        major, minor = version.split(".")[:2]
        stamp = "k8s.io/component-base/version"
        link = (f"-s -w -X {stamp}.gitVersion=v{version} -X {stamp}.gitMajor={major} -X {stamp}.gitMinor={minor} "
                f"-X {stamp}.gitTreeState=clean")
        for number, (program, package) in enumerate(packages.items(), 1):
            if (work / "bin" / program).exists():
                continue
            print(f"peers: building {program} for {name} {version} ({number} of {len(packages)})", flush=True)
            new = work / "bin" / f".{program}.{os.getpid()}"
            done = subprocess.run(
                ["setpriv", "--pdeathsig", "TERM", "nice", "-n", "5",  # It ends with this process.
                 go, "build", "-trimpath", "-ldflags", link, "-o", str(new), package],
                cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                raise Missing(f"{program} of {name} {version} cannot be built: {done.stdout[-2000:].strip()}")
            os.rename(new, work / "bin" / program)
        for rest in (work / "bin").glob(".*"):  # of one that was interrupted
            rest.unlink()
        kept.mkdir(exist_ok=True)
        if files:
            source = subprocess.run([go, "list", "-m", "-f", "{{.Dir}}", module], cwd=folder, env=environment, capture_output=True, text=True,
                                    check=True).stdout.strip()
            shutil.copytree(pathlib.Path(source, files), kept / "files", dirs_exist_ok=True)
        os.rename(work / "bin", kept / "bin")
        print(f"peers: {name} {version} took {time.monotonic() - began:.0f} s", flush=True)
    shutil.rmtree(work, ignore_errors=True)  # Who waited for the lock need not wait for this.
    return kept / "bin"


def kubernetes():
    return built("kubernetes", "k8s.io/kubernetes", HERE, KUBERNETES)


def kwok():
    return built("kwok", "sigs.k8s.io/kwok", HERE / "kwok", KWOK)


def operator(name):
    """The folder bin with the programs of one of the operators."""
    wanted = OPERATORS[name]
    return built(name, wanted.module, HERE / "operators" / name, wanted.programs, wanted.files)
