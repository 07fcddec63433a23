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

PATIENCE = 60.0  # a sanitized program on a busy machine


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

    def type(self, text):
        subprocess.run(["xdotool", "type", "--delay", "6", "--", text], env=self.environment, check=True)


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
