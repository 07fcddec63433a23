# SPDX-License-Identifier: GPL-3.0-or-later
"""The containers of a stand-in server: shell scripts in process groups of this machine, which end with the server, however it ends."""

import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

from blob_mount import BlobMount

MARK = "STAND_IN_CONTAINER"  # A variable of each process in one.
PASSED_ON = ("PATH", "LANG", "LC_ALL", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


class MountFailed(Exception):
    pass


def kill_marked(mark):
    """SIGKILL to all processes whose variable MARK begins with this."""
    wanted = f"{MARK}={mark}".encode()
    found = True
    while found:
        found = False
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and any(line.startswith(wanted) for line in
                                           pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0")):
                    os.kill(int(entry), signal.SIGKILL)
                    found = True
            except OSError:
                pass
        if found:
            time.sleep(0.01)  # until what was killed has no environment left


def guard(mark, folder):
    """A process that does what is left to do when this one was killed."""
    reading, writing = os.pipe()
    if os.fork() != 0:
        os.close(reading)
        return  # The other end stays open as long as this process.
    os.close(writing)
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    os.read(reading, 1)
    kill_marked(mark)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


class Container:
    def __init__(self, owner, number, script, environment, on_end, log=None, cwd=None):
        """`on_end(container)` is called on a thread of its own, when nothing of it runs any more. `log`: a file for all that it prints,
        instead of one for standard output and one for errors. `cwd`: where it begins, instead of its home."""
        self.folder = owner.folder / str(number)
        self.mark = f"{owner.mark}/{number}/"
        self.exit_code = None
        self.on_end = on_end
        self.owner = owner
        self.killer = None
        home = self.folder / "home"
        home.mkdir(parents=True)
        (self.folder / "script").write_text(script)
        variables = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        variables.update(environment)
        variables[MARK] = self.mark
        variables.setdefault("HOME", str(home))
        self.logs = [pathlib.Path(log)] if log else [self.folder / "stdout", self.folder / "stderr"]
        with open(self.logs[0], "ab") as out, open(self.logs[-1], "ab") as err:
            self.process = subprocess.Popen(["bash", str(self.folder / "script")], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            cwd=cwd or variables["HOME"], env=variables, start_new_session=True)
        owner.running.add(self)
        threading.Thread(target=self._wait, daemon=True).start()

    @property
    def pid(self):
        return self.process.pid

    def log(self, name):
        """`stdout` or `stderr`, or `all`: one after the other."""
        return b"".join(path.read_bytes() for path in self.logs if name in ("all", path.name))

    def end(self, grace):
        """SIGTERM, and SIGKILL after so many seconds. Asked again, it may become shorter."""
        self._signal(signal.SIGTERM)
        killer = threading.Timer(grace, self.kill)
        killer.daemon = True
        killer.start()
        if self.killer:
            self.killer.cancel()
        self.killer = killer

    def kill(self):
        self._signal(signal.SIGKILL)

    def _signal(self, number):
        with self.owner.reaping:
            if self.exit_code is None:
                try:
                    os.killpg(self.pid, number)
                except ProcessLookupError:
                    pass

    def _wait(self):
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self.owner.reaping:  # Until it is reaped, nobody else has its number.
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
            code = self.process.wait()
            self.exit_code = 128 - code if code < 0 else code
        kill_marked(self.mark)
        if self.killer:
            self.killer.cancel()
        while True:
            try:
                self.owner.flush()
                break
            except OSError:  # the storage does not answer: as long as that lasts
                time.sleep(1)
        self.owner.running.discard(self)
        self.on_end(self)


class Containers:
    def __init__(self, root, storages):
        """`storages`: folders by name. Mounts are made below `root` only. To be made before any thread."""
        self.mark = uuid.uuid4().hex
        self.root = pathlib.Path(os.path.abspath(root)) if root else None
        self.storages = {name: pathlib.Path(os.path.abspath(folder)) for name, folder in storages.items()}
        self.blobs = {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stand-in-"))
        self.numbers = itertools.count(1)
        self.reaping = threading.Lock()
        self.running = set()
        guard(self.mark, self.folder)

    def add_blobs(self, name, container):
        """A storage that is a BlobContainer."""
        self.blobs[name] = BlobMount(container, self.folder / f"blobs-{name}")
        self.storages[name] = self.blobs[name].folder

    def flush(self):
        """What containers closed is where others see it."""
        for blobs in self.blobs.values():
            blobs.flush()

    def mount(self, name, path):
        """Makes the storage seen at `path`, as a container would see it. MountFailed says why it cannot be."""
        if name in self.blobs:
            try:
                self.blobs[name].look()
            except OSError as error:
                raise MountFailed(f"MountVolume.SetUp failed for volume \"{name}\": blobfuse: {error}") from error
        folder, path = self.storages.get(name), pathlib.Path(path)
        if folder is None or not folder.is_dir():
            raise MountFailed(f"MountVolume.SetUp failed for volume \"{name}\": {folder or name}: no such file or directory")
        if not path.exists():
            if self.root is None or not path.is_absolute() or self.root not in pathlib.Path(os.path.normpath(path)).parents:
                raise MountFailed(f"MountVolume.SetUp failed for volume \"{name}\": {path} is not below {self.root}")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.symlink_to(folder)
            except OSError as error:
                raise MountFailed(f"MountVolume.SetUp failed for volume \"{name}\": {error}") from error
        if not path.samefile(folder):
            raise MountFailed(f"MountVolume.SetUp failed for volume \"{name}\": {path} is another folder")

    def start(self, script, environment, on_end, log=None, cwd=None):
        return Container(self, next(self.numbers), script, environment, on_end, log, cwd)

    def close(self):
        for container in list(self.running):
            container.kill()
        for blobs in self.blobs.values():
            blobs.close()
        kill_marked(self.mark)
        shutil.rmtree(self.folder, ignore_errors=True)
