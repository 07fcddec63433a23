# SPDX-License-Identifier: GPL-3.0-or-later
"""Images for a node that reaches no registry, as archives that `ctr images import` takes, made once and kept beside the other peers.

`pause` and `static` hold one static program (steps.c) and no shell, `trial` another one (trial.c). `python` holds Python, a shell and the
usual commands: the files of the Debian packages that are installed here, so it has this machine's Python, and nothing is downloaded.
`delivery` brings kubectl to the launcher of an MPIJob. `nni-VERSION` has NNI's SDK besides, as pip installed it for the peers.
"""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
from peer_venv import Missing, cache_folder, venv
from kubernetes.parts import kubernetes, locked

# No registry has this name (RFC 2606), so what is not on the node cannot be had elsewhere by mistake.
REGISTRY = "trialdeck.test"
PAUSE, STATIC, TRIAL, PYTHON, DELIVERY = (f"{REGISTRY}/{name}:1" for name in ("pause", "static", "trial", "python", "delivery"))
# The discard service's port of the node's own loopback, where nothing listens: it cannot be pulled, and that is known at once.
UNPULLABLE = "127.0.0.1:9/missing:1"

PYTHON_PACKAGES = ("base-files", "coreutils", "dash", "findutils", "grep", "gzip", "libstdc++6", "procps", "python3",
                   "sed", "tar")
# What is only needed to install packages.
NOT_IN_IMAGES = {"debconf", "dpkg", "install-info", "perl-base"}
NOT_FILES = re.compile(r"/usr/share/(doc|info|lintian|locale|man|bug|zoneinfo|doc-base)(/|$)|/var/|/usr/lib/python3/dist-packages/")


def architecture():
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def write_archive(path, name, fill, config):
    """An image of one layer; `fill` gets the layer's open TarFile."""
    layer = path.with_name(path.name + ".layer")
    with tarfile.open(layer, "w", format=tarfile.GNU_FORMAT) as tar:
        fill(tar)
    with open(layer, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    description = json.dumps({
        "architecture": architecture(), "os": "linux", "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "config": {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], **config}}).encode()
    file_name = hashlib.sha256(description).hexdigest() + ".json"
    manifest = json.dumps([{"Config": file_name, "RepoTags": [name], "Layers": [f"{digest}/layer.tar"]}]).encode()
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        add_bytes(tar, file_name, description)
        add_bytes(tar, "manifest.json", manifest)
        tar.add(layer, f"{digest}/layer.tar")
    layer.unlink()


def add_bytes(tar, name, content, mode=0o644):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    tar.addfile(entry, io.BytesIO(content))


def add_folder(tar, name, mode=0o755):
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, mode
    tar.addfile(entry)


def add_file(tar, source, name):
    """A file of this machine as root's, in folders that the archive has already."""
    entry = tar.gettarinfo(source, name)
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    if entry.isreg():
        with open(source, "rb") as file:
            tar.addfile(entry, file)
    else:
        tar.addfile(entry)


def installed_packages():
    """By name: what each needs (alternatives in lists) and its version; and who provides what."""
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}\t${Package}\t${Pre-Depends}, ${Depends}\t${Provides}\t${Version}\n"],
        capture_output=True, text=True, check=True).stdout

    def names(text):
        return [re.split(r"[ (:]", word.strip())[0] for word in text.split("|")]

    packages, providers = {}, {}
    for line in answer.splitlines():
        status, name, needs, provides, version = line.split("\t")
        if status == "installed":
            packages[name] = ([names(need) for need in needs.split(",") if need.strip()], version)
            for provided in provides.split(","):
                providers.setdefault(names(provided)[0], name)
    return packages, providers


def python_packages():
    """The packages of the image `python` with their versions."""
    if not shutil.which("dpkg-query"):
        raise Missing("images with Python are made of Debian packages, and this machine has none")
    packages, providers = installed_packages()
    found, rest = {}, list(PYTHON_PACKAGES)
    while rest:
        name = rest.pop()
        if name in found or name in NOT_IN_IMAGES:
            continue
        if name not in packages:
            raise Missing(f"images with Python need the Debian package {name}, which is not installed here")
        needs, found[name] = packages[name]
        for alternatives in needs:
            there = [word if word in packages else providers.get(word) for word in alternatives]
            rest.extend([word for word in there if word][:1])
    return dict(sorted(found.items()))


def fill_python(tar, packages, extra):
    listed = subprocess.run(["dpkg-query", "-L", *packages], capture_output=True, text=True, check=True).stdout.splitlines()
    files = set()
    for path in listed:
        if path.startswith("/") and not NOT_FILES.match(path) and os.path.lexists(path):
            # /bin and its like are links into /usr; a file is known to dpkg by either name.
            place = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
            if os.path.islink(place) or os.path.isfile(place):
                files.add((place, place))
                compiled = pathlib.Path(os.path.dirname(place), "__pycache__")
                if place.endswith(".py") and compiled.is_dir():
                    files.update((str(kept), str(kept)) for kept in compiled.glob(f"{os.path.basename(place)[:-3]}.*.pyc"))
    for source, target in extra:
        if os.path.isfile(source):
            files.add((source, target))
        for folder, _, names in os.walk(source):
            for name in names:
                path = os.path.join(folder, name)
                files.add((path, os.path.join(target, os.path.relpath(path, source))))
    made = set()

    def folders_of(name):
        parent = os.path.dirname(name)
        if parent and parent not in made:
            folders_of(parent)
            made.add(parent)
            add_folder(tar, parent)

    for name in ("tmp", "var/tmp"):
        folders_of(f"{name}/.")
        add_folder(tar, name, 0o1777)
    for name in ("dev", "proc", "sys", "run", "root", "etc"):
        folders_of(f"{name}/.")
    made.update(name for name in ("bin", "sbin", "lib", "lib64") if os.path.islink(f"/{name}"))
    for source, place in sorted(files, key=lambda pair: pair[1]):
        name = place.lstrip("/")
        if name not in made:
            folders_of(name)
            add_file(tar, source, name)
    for name in ("bin", "sbin", "lib", "lib64"):
        if os.path.islink(f"/{name}"):
            add_file(tar, f"/{name}", name)
    add_bytes(tar, "etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/sh\n")
    add_bytes(tar, "etc/group", b"root:x:0:\nnogroup:x:65534:\n")


@contextlib.contextmanager
def made_once(name, *state):
    """The path of a kept archive, and where to make it: None where there is one."""
    digest = hashlib.sha256("\0".join([*state, pathlib.Path(__file__).read_text(), platform.machine()]).encode()).hexdigest()[:8]
    kept = cache_folder() / f"kubernetes-image-{name}-{digest}.tar"
    with locked(kept.with_name(kept.name + ".lock")):
        making = None if kept.exists() else kept.with_name(kept.name + ".new")
        began = time.monotonic()
        if making:
            print(f"peers: making the image {name}", flush=True)
        yield kept, making
        if making:
            os.rename(making, kept)
            for old in kept.parent.glob(f"kubernetes-image-{name}-????????.tar"):  # of other packages, or another checkout
                if old.stat().st_mtime < time.time() - 86400:
                    old.unlink()
            print(f"peers: the image {name} took {time.monotonic() - began:.0f} s", flush=True)


def static(name, source, words=(), extra=()):
    """An archive with one static program, which is called after its source and does `words` where a container names none. `extra`: files
    of this machine that lie beside it, whose paths are new for each content."""
    source = HERE / source
    with made_once(name, source.read_text(), json.dumps(words), *(str(path) for path in extra)) as (kept, making):
        if making:
            program = making.with_name(making.name + ".program")
            try:
                # Without fused operations, which a compiler may put in: what a trial computes is compared bit for bit.
                subprocess.run(["gcc", "-Os", "-ffp-contract=off", "-static", "-s", "-o", str(program), str(source)],
                               check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            except (OSError, subprocess.CalledProcessError) as error:
                raise Missing(f"a static program cannot be compiled: {getattr(error, 'output', None) or error}") from error
            content = program.read_bytes()
            program.unlink()

            def fill(tar):
                add_bytes(tar, source.stem, content, 0o755)
                for path in extra:
                    add_file(tar, str(path), path.name)

            write_archive(making, f"{REGISTRY}/{name}:1", fill,
                          {"Entrypoint": [f"/{source.stem}"], "Cmd": list(words), "User": "65534:65534"})
    return kept


def python(name="python", extra=()):
    """An archive with Python. `extra`: folders and files of this machine and where they are in the image, for example modules for
    /usr/local/lib/python3.11/dist-packages; then `name` is new for each content."""
    packages = python_packages()
    with made_once(name, json.dumps(packages), json.dumps([[str(part) for part in pair] for pair in extra])) as (kept, making):
        if making:
            write_archive(making, f"{REGISTRY}/{name}:1", lambda tar: fill_python(tar, packages, extra), {"Cmd": ["python3"]})
    return kept


# Printed past NNI, which takes the standard output of a trial: the packages, by their place, that a trial's script loads.
LOADED = """
import os, sys, sysconfig
import nni
place = sysconfig.get_paths()["purelib"] + os.sep
found = {module.__file__.removeprefix(place).split(os.sep)[0] for module in list(sys.modules.values())
         if (getattr(module, "__file__", None) or "").startswith(place)}
sys.__stdout__.write("\\n".join([place, *sorted(found)]))
"""


def nni(version):
    """An archive with Python and NNI's SDK as it is: of an environment of the peers (peer_venv.py) those packages that a script with
    `import nni` loads, without NNI's server, its page and its tuners' libraries."""
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    there = python_packages()["python3"]
    if not re.match(rf"{re.escape(wanted)}(\D|$)", there):
        raise Missing(f"the peers have Python {wanted}, and the Python of images is {there}: NNI's libraries would not load")
    environment = venv(f"nni=={version}")
    with tempfile.TemporaryDirectory(prefix="trialdeck-nni-") as folder:
        variables = {"NNI_PLATFORM": "local", "NNI_EXP_ID": "e", "NNI_TRIAL_JOB_ID": "t", "NNI_TRIAL_SEQ_ID": "0", "MULTI_PHASE": "false",
                     "NNI_SYS_DIR": folder, "NNI_OUTPUT_DIR": folder, "HOME": folder}
        place, *names = subprocess.run([str(environment / "bin" / "python"), "-c", LOADED], env={**os.environ, **variables}, cwd=folder,
                                       capture_output=True, text=True, check=True).stdout.split("\n")
    names += [f"{name}.libs" for name in names if os.path.isdir(f"{place}{name}.libs")]  # of wheels with libraries
    target = f"/usr/local/lib/python{wanted}/dist-packages"
    return python(f"nni-{version}", [(f"{place}{name}", f"{target}/{name}") for name in sorted(names)])


def archives(operators=()):
    """The kept archives by name, made where they are missing."""
    found = {"pause": static("pause", "steps.c", ["pause"]), "static": static("static", "steps.c"), "trial": static("trial", "trial.c"),
             "python": python()}
    if {"training", "training19"} & set(operators):
        found["delivery"] = static("delivery", "steps.c", ["copy=/kubectl"], [kubernetes() / "kubectl"])
    return found
