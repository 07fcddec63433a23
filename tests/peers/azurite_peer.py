# SPDX-License-Identifier: GPL-3.0-or-later
"""Microsoft's own server of Blob storage, Azurite, unmodified: python3 azurite_peer.py installs it and prints what Node.js runs."""

import subprocess
import sys

from peer_venv import Missing, kept

VERSION = "3.37.0"
BEFORE = "2026-11-01"  # what it needs, as it was on this day


def program():
    """Its server of blobs, for `node`."""
    def make(folder):
        folder.mkdir(parents=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev", "--omit=optional"]
        subprocess.run([*command, f"--before={BEFORE}", "--prefix", str(folder), f"azurite@{VERSION}"], check=True, timeout=900,
                       stdout=sys.stderr)

    return kept(f"azurite-{VERSION}", make) / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"


if __name__ == "__main__":
    try:
        print(program())
    except Missing as missing:
        sys.exit(str(missing))
