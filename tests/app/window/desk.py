# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk for tests: a display of its own with a window manager, keys as a person presses them, and the service's own answers.

Nothing is told by pixels: what windows there are and how they are called comes from the window manager, everything else from the
service over HTTP and from the files that the window writes.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.request

PATIENCE = 180.0  # a sanitized program on a busy machine


def until(what, ask, patience=PATIENCE, pause=0.1):
    """The first answer that is not empty; the test fails when none comes."""
    deadline = time.monotonic() + patience
    while True:
        answer = ask()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {patience:.0f} s: {what}")
        time.sleep(pause)


class Display:
    """Xvfb with openbox. Both end with it."""

    def __init__(self, folder, size="1440x900"):
        for tool in ("Xvfb", "openbox", "xdotool"):
            if not shutil.which(tool):
                raise RuntimeError(f"{tool} is missing: sh installer/test.sh --deps installs it")
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.environment = {**os.environ, "DISPLAY": f":{number}", "HOME": str(folder), "XDG_CONFIG_HOME": f"{folder}/config",
                            "XDG_CACHE_HOME": f"{folder}/cache", "XDG_RUNTIME_DIR": f"{folder}/run"}
        for name in ("config", "cache", "run"):
            pathlib.Path(folder, name).mkdir(mode=0o700, exist_ok=True)
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_ready(self):
        until("a window manager", lambda: self.xdotool("get_num_desktops"))

    def close(self):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait()

    def xdotool(self, *words):
        """What it prints, by lines; nothing when it finds nothing."""
        done = subprocess.run(["xdotool", *words], env=self.environment, capture_output=True, text=True, check=False)
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else []

    def windows(self):
        """Titles of the windows that can be seen, by their id."""
        found = {}
        for window in self.xdotool("search", "--onlyvisible", "--class", "trialdeck"):
            title = self.xdotool("getwindowname", window)
            if title and title[0]:
                found[window] = title[0]
        return found

    def active(self):
        window = self.xdotool("getactivewindow")
        title = self.xdotool("getwindowname", window[0]) if window else []
        return title[0] if title else ""

    def wait_active(self, part):
        until(f"a window “{part}” in front; there is {self.windows()}", lambda: part in self.active())

    def keys(self, *keys):
        for key in keys:
            subprocess.run(["xdotool", "key", "--clearmodifiers", key], env=self.environment, check=True)

    def click(self, left, top):
        subprocess.run(["xdotool", "mousemove", str(left), str(top), "click", "1"], env=self.environment, check=True)

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "6", "--", text], env=self.environment, check=True)


class Reader:
    """What a screen reader finds in the window: controls by their role and name, and where they stand. A process of its own, because the
    library remembers the first display that it saw, and of the distribution's Python, which has it."""

    PROGRAM = """
import json, sys
import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi

def shown(node):
    states = node.get_state_set()
    return states.contains(Atspi.StateType.SHOWING) and states.contains(Atspi.StateType.VISIBLE)

def walk(node, found):
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is None:
            continue
        role = child.get_role_name()
        if shown(child) or role in ("application", "frame", "filler"):
            if child.get_name() and shown(child):
                box = child.get_extents(Atspi.CoordType.SCREEN)
                enabled = child.get_state_set().contains(Atspi.StateType.ENABLED)
                found.append([role, child.get_name(), box.x, box.y, box.width, box.height, enabled])
            if role not in ("table", "tree table", "tree", "list"):
                walk(child, found)

for line in sys.stdin:
    found = []
    try:
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(i)
            if application is not None and "trialdeck" in (application.get_name() or "").lower():
                walk(application, found)
    except gi.repository.GLib.Error:
        pass  # the window changed meanwhile: the caller asks again
    print(json.dumps(found), flush=True)
"""

    def __init__(self, display):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"], env=display.environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        display.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()
        display.environment["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
        self.process = subprocess.Popen(["/usr/bin/python3", "-c", self.PROGRAM], env=display.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def controls(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or "[]")

    def names(self, role):
        return [control[1] for control in self.controls() if control[0] == role]

    def place(self, role, name, down=0.5):
        """Within the control of this role and name, once it can be used: in the middle, or this part of its height below its upper edge.
        Where a second look finds it elsewhere, what was pressed before is still moving it."""
        def look():
            return next(((left + width // 2, top + int(height * down)) for found, called, left, top, width, height, enabled in self.controls()
                         if found == role and called == name and enabled), None)
        place = look()
        return place if place and place == look() else None

    def close(self):
        for process in (self.process, self.bus):
            process.terminate()
            process.wait()
            process.stdout.close()
        self.process.stdin.close()


class Service:
    """The service of a data directory, asked over HTTP as any program would."""

    def __init__(self, data):
        self.data = pathlib.Path(data)

    def endpoint(self):
        try:
            return json.loads((self.data / "endpoint.json").read_text())
        except (OSError, ValueError):
            return None

    def get(self, path):
        endpoint = self.endpoint()
        if not endpoint:
            return None
        token = pathlib.Path(endpoint["tokenFile"]).read_text().strip()
        request = urllib.request.Request(f"{endpoint['url']}/api/v1{path}", headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.load(reply)
        except OSError:
            return None

    def experiments(self):
        return (self.get("/experiments") or {}).get("experiments", [])

    def experiment(self, name):
        return next((one for one in self.experiments() if one["name"] == name), None)

    def trials(self, experiment):
        return (self.get(f"/trials?experimentId={experiment}&limit=1000") or {}).get("trials", [])

    def count(self, experiment, status):
        return sum(trial["status"] == status for trial in self.trials(experiment))


def end(process, by=signal.SIGTERM):
    if process and process.poll() is None:
        process.send_signal(by)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
