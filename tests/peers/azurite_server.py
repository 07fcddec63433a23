# SPDX-License-Identifier: GPL-3.0-or-later
"""Azurite as a server of a test's own, with one account and a container."""

import base64
import os
import pathlib
import re
import signal
import subprocess
import sys

import azurite_peer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "stand_ins"))
from blob_mount import BlobContainer, account_signature  # noqa: E402

ACCOUNT = "trialdeck1"
KEY = base64.b64encode(b"a key of this test's own, of 64 bytes ........................").decode()


class Azurite:
    """`endpoint`: with {account}. Missing where it cannot be had."""

    def __init__(self, folder):
        program = azurite_peer.command()
        self.process = subprocess.Popen(
            [*map(str, program), "--blobPort", "0", "--location", str(folder), "--disableTelemetry", "--silent"],
            env={**os.environ, "AZURITE_ACCOUNTS": f"{ACCOUNT}:{KEY}"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            if found := re.search(r"listens on (http://127\.0\.0\.1:\d+)", line):
                self.endpoint = f"{found[1]}/{{account}}"
                return
        raise AssertionError(f"Azurite ended with {self.process.wait()}")

    def container(self, name):
        """A new one."""
        url = f"{self.endpoint.replace('{account}', ACCOUNT)}/{name}"
        made = BlobContainer(url, ACCOUNT, KEY)
        made.call("PUT", query=f"restype=container&{account_signature(ACCOUNT, KEY)}", signed=False, body=b"")
        return made

    def pause(self):
        """It answers nobody until go_on()."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        self.process.kill()
        self.process.communicate()
