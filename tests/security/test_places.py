# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections without a token take no place from clients that have one."""

import pathlib
import socket
import time
import unittest

from stranger import Attack, main, until


def is_open(link):
    """Nothing has come there, not even its end."""
    link.setblocking(False)
    try:
        link.recv(1)
        return False
    except BlockingIOError:
        return True


class Places(Attack):
    def test_idle_connections(self):
        self.service.start()
        host, port = self.service.url.split("//")[1].split(":")
        idle = []
        self.addCleanup(lambda: [link.close() for link in idle])
        for number in range(1_200):
            link = socket.create_connection((host, int(port)), timeout=60)
            if number % 2:
                link.sendall(b"GET /api/v1/platforms HTTP/1.1\r\nHost: localhost\r\n")  # and never more
            idle.append(link)
        for _ in range(20):
            idle.append(socket.create_connection((host, int(port)), timeout=60))
            self.assertEqual(len(self.service.get("/platforms")["platforms"]), 1)
            self.assertTrue(is_open(idle[-1]), "answered while the places were taken")
        code, _, errors = self.trialdeck("platform", "list", "--data-dir", self.service.folder)
        self.assertEqual(code, 0, errors)

    def test_clients_with_a_token_stay(self):
        self.service.start()
        host, port = self.service.url.split("//")[1].split(":")
        token = pathlib.Path(self.service.token_file).read_text().strip()
        ours = socket.create_connection((host, int(port)), timeout=60)
        self.addCleanup(ours.close)
        ask = (f"GET /api/v1/version HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n\r\n").encode()
        ours.sendall(ask)
        self.assertTrue(ours.recv(65536).startswith(b"HTTP/1.1 200"))
        idle = [socket.create_connection((host, int(port)), timeout=60) for _ in range(600)]
        self.addCleanup(lambda: [link.close() for link in idle])
        ours.sendall(ask)
        self.assertTrue(ours.recv(65536).startswith(b"HTTP/1.1 200"))

    def test_wrong_tokens_are_slow(self):
        self.service.start()
        began = time.monotonic()
        for _ in range(3):
            self.assertEqual(self.raw(authorization="wrong"), 401)
        took = time.monotonic() - began
        self.assertGreater(took, 1.2)
        audit = self.service.folder / "state" / "audit.log"
        until(30, "a refusal is written", lambda: audit.exists() and '"status":401' in audit.read_text())
        # The rest of ten seconds is counted with the next line.
        self.assertLessEqual(audit.read_text().count('"status":401'), 1 + took // 10, audit.read_text())


if __name__ == "__main__":
    main()
