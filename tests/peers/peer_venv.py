# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of other projects, installed once and kept, those of Python in virtual environments: python3 peer_venv.py nni==3.0 …

They lie in $XDG_CACHE_HOME/trialdeck-peers (or ~/.cache/…), named after what they hold, this Python and the constraints, so a
change of any of these makes a new one. What an installer does is shown as it does it.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
CONSTRAINTS = HERE / "constraints.txt"


class Missing(Exception):
    """The peer cannot be had here."""


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base, "trialdeck-peers")


def kept(name, make):
    """A folder of this name in which `make(folder)` has put a peer: now, or long ago. `make` fails with OSError or SubprocessError."""
    folder = cache_folder() / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Tests beside this one may want the same.
        if (folder / "complete").exists():
            return folder
        began = time.monotonic()
        print(f"peers: installing {name} into {folder}", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            make(folder)
        except (OSError, subprocess.SubprocessError) as error:
            raise Missing(f"{name} cannot be installed: {error}") from error
        (folder / "complete").touch()
        print(f"peers: {name} took {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return folder


def venv(*requirements, constraints=CONSTRAINTS):
    """The folder of a virtual environment with exactly these requirements."""
    state = hashlib.sha256(constraints.read_bytes()).hexdigest()[:8]
    name = "-".join(requirement.replace("==", "-") for requirement in requirements)

    def make(folder):
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, stdout=sys.stderr)
        command = [str(folder / "bin" / "pip"), "install", "--disable-pip-version-check", "--progress-bar", "off", "--no-input"]
        subprocess.run([*command, "--constraint", str(constraints), *requirements], check=True, timeout=900, stdout=sys.stderr)

    return kept(f"{name}-py{sys.version_info.major}.{sys.version_info.minor}-{state}", make)


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(venv(wanted))
