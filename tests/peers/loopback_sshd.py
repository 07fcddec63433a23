# SPDX-License-Identifier: GPL-3.0-or-later
"""A real sshd on loopback with keys and a home folder of its own: one machine of a lab, or one at each of its addresses."""

import getpass
import os
import pathlib
import signal
import socket
import subprocess

from trialdeck_service import until


class Sshd:
    def __init__(self, folder, addresses=("127.0.0.1",), options=""):
        """`options`: more lines of sshd_config."""
        self.options = options
        self.folder = pathlib.Path(folder)
        self.addresses = addresses
        self.process = None
        self.held = socket.socket()
        self.port = 0
        (self.folder / "home").mkdir(parents=True)
        for name in ("host_key", "user_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", str(self.folder / name)], check=True)

    def start(self):
        if not self.port:  # Nobody else is given it while our own socket has it; sshd sets SO_REUSEADDR, too.
            self.held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.held.bind((self.addresses[0], 0))
            self.port = self.held.getsockname()[1]
        if os.getuid() == 0:
            pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        config = self.folder / "config"
        config.write_text(
            f"Port {self.port}\n" + "".join(f"ListenAddress {address}\n" for address in self.addresses)
            + f"HostKey {self.folder}/host_key\nPidFile none\nMaxStartups 100\n"
            f"AuthorizedKeysFile {self.folder}/user_key.pub\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
            f"KbdInteractiveAuthentication no\nPermitRootLogin yes\nPrintMotd no\nSetEnv HOME={self.folder}/home\n{self.options}\n")
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-E", str(self.folder / "log"), "-f", str(config)])

        def listens():
            with socket.socket() as client:
                return client.connect_ex((self.addresses[-1], self.port)) == 0

        until(30, "sshd listens", listens)
        return self

    @property
    def known_hosts_line(self):
        kind, key = (self.folder / "host_key.pub").read_text().split()[:2]
        return "".join(f"[{address}]:{self.port} {kind} {key}\n" for address in self.addresses)

    @property
    def machines(self):
        """As entries of a remote platform's machineList."""
        return [{"host": address, "port": self.port, "user": getpass.getuser(), "sshKeyFile": str(self.folder / "user_key")}
                for address in self.addresses]

    @property
    def machine(self):
        return self.machines[0]

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(60)
            self.process = None
        self.held.close()
        # Whatever has our home in its environment was started by a session of ours.
        mark = f"HOME={self.folder}/home".encode()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass
