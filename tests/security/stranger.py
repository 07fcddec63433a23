# SPDX-License-Identifier: GPL-3.0-or-later
"""Another user of this computer, and the programs under attack."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from trialdeck_service import Service, until  # noqa: E402,F401

NOBODY = 65534
# One that another user can run, too.
PYTHON = next(path for path in ("/usr/bin/python3", sys.executable) if os.path.exists(path))
PROGRAMS = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/dev/bin").resolve()

needs_root = unittest.skipUnless(os.geteuid() == 0, "only root can become another user")


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


class Listener:
    """A program of another user that listens on a port of 127.0.0.1 and keeps what it is sent. It answers every request with 401, so
    that clients come again."""

    CODE = """
import socket, sys, threading
port = int(sys.argv[1])
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", port))
server.listen(50)
print(server.getsockname()[1], flush=True)
def serve(link):
    try:
        while True:
            data = link.recv(65536)
            if not data:
                return
            print("got", data.hex(), flush=True)
            link.sendall(b"HTTP/1.1 401 Unauthorized\\r\\nContent-Length: 0\\r\\n\\r\\n")
    except OSError:
        pass
while True:
    link, _ = server.accept()
    print("connected", flush=True)
    threading.Thread(target=serve, args=(link,), daemon=True).start()
"""

    def __init__(self, port=0, user=become_nobody):
        self.process = subprocess.Popen([PYTHON, "-c", self.CODE, str(port)], stdout=subprocess.PIPE,
                                        text=True, preexec_fn=user, cwd="/")
        self.port = int(self.process.stdout.readline())
        self.connections = 0
        self.received = b""
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            words = line.split()
            if words[0] == "connected":
                self.connections += 1
            else:
                self.received += bytes.fromhex(words[1])

    def close(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()


class Attack(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="trialdeck-security-")
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)
        self.service = Service(PROGRAMS / "trialdeckd", self.folder / "data")
        self.addCleanup(self.service.kill)

    def trialdeck(self, *arguments, environment=None, timeout=60):
        """The command line; returns (exit code, stdout, stderr)."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("TRIALDECK_", "NNI_"))}
        clean.update(environment or {})
        done = subprocess.run([str(PROGRAMS / "trialdeck"), *map(str, arguments)], capture_output=True, text=True,
                              env=clean, timeout=timeout, cwd=self.scratch.name, check=False)
        return done.returncode, done.stdout, done.stderr

    def raw(self, *, authorization=None, target="/api/v1/platforms", method="GET", headers=(), body=b""):
        """One request as bytes over TCP; returns the status."""
        host, port = self.service.url.split("//")[1].split(":")
        with socket.create_connection((host, int(port)), timeout=60) as link:
            lines = [f"{method} {target} HTTP/1.1", f"Host: {host}:{port}", "Connection: close", *headers]
            if authorization:
                lines.append(f"Authorization: Bearer {authorization}")
            if body:
                lines.append(f"Content-Length: {len(body)}")
            link.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            answer = b""
            while True:
                piece = link.recv(65536)
                if not piece:
                    break
                answer += piece
        return int(answer.split(b" ", 2)[1]) if answer else 0


def main():
    del sys.argv[1:]
    unittest.main(verbosity=2)
