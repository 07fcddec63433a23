# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens: scopes, expiry, revocation, rotation; and who called what is written down."""

import contextlib
import json
import pathlib
import socket
import unittest

from stranger import Attack, main, until


class Tokens(Attack):
    def setUp(self):
        super().setUp()
        self.service.start()
        self.where = ["--data-dir", self.service.folder]

    def make(self, name, scope, *more):
        code, text, errors = self.trialdeck("token", "create", name, "--scope", scope, "--json", *more, *self.where)
        self.assertEqual(code, 0, errors)
        return json.loads(text)["token"]

    def audit(self):
        file = self.service.folder / "state" / "audit.log"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def test_scopes(self):
        read, run = self.make("reader", "read"), self.make("runner", "run")
        post = {"method": "POST", "body": b"{}"}
        self.assertEqual(self.raw(authorization=read), 200)
        self.assertEqual(self.raw(authorization=read, target="/api/v1/experiments", **post), 403)
        self.assertEqual(self.raw(authorization=read, target="/api/v1/trials/cancel", **post), 403)
        self.assertEqual(self.raw(authorization=run, target="/api/v1/trials/cancel", **post), 400)
        for target, method in (("/api/v1/platforms/x", "PUT"), ("/api/v1/tokens", "POST"), ("/api/v1/tokens", "GET"),
                               ("/api/v1/tokens:rotate", "POST"), ("/api/v1/prompts/p1", "POST"),
                               ("/api/v1/machines/m/trust", "POST")):
            self.assertEqual(self.raw(authorization=run, target=target, method=method, body=b"{}"), 403, target)

    def test_revoked_and_open_streams(self):
        token = self.make("watcher", "read")
        host, port = self.service.url.split("//")[1].split(":")
        stream = socket.create_connection((host, int(port)), timeout=20)
        self.addCleanup(stream.close)
        stream.sendall((f"GET /api/v1/events HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: application/x-ndjson\r\n"
                        f"Authorization: Bearer {token}\r\n\r\n").encode())
        self.assertTrue(stream.recv(65536).startswith(b"HTTP/1.1 200"))
        code, _, errors = self.trialdeck("token", "revoke", "watcher", *self.where)
        self.assertEqual(code, 0, errors)
        while stream.recv(65536):
            pass  # it ends
        self.assertEqual(self.raw(authorization=token), 401)

    def test_rotation(self):
        file = pathlib.Path(self.service.token_file)
        old = file.read_text().strip()
        code, _, errors = self.trialdeck("token", "rotate", *self.where)
        self.assertEqual(code, 0, errors)
        new = file.read_text().strip()
        self.assertNotEqual(old, new)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.raw(authorization=old), 401)
        self.assertEqual(self.raw(authorization=new), 200)
        code, _, errors = self.trialdeck("platform", "list", *self.where)
        self.assertEqual(code, 0, errors)
        self.service.kill()
        self.service.start()
        self.assertEqual(self.raw(authorization=old), 401)
        self.assertEqual(self.raw(authorization=new), 200)

    def test_kept_over_a_restart_without_the_token_itself(self):
        token = self.make("keeper", "run", "--expires-in", "30")
        for path in self.service.folder.rglob("*"):
            with contextlib.suppress(FileNotFoundError):  # The service lives.
                if path.is_file():
                    self.assertNotIn(token.encode(), path.read_bytes(), path)
        self.service.kill()
        self.service.start()
        self.assertEqual(self.raw(authorization=token), 200)
        code, text, errors = self.trialdeck("token", "list", *self.where)
        self.assertEqual(code, 0, errors)
        self.assertIn("keeper", text)
        self.assertNotIn(token, text)

    def test_expired(self):
        token = self.make("shortlived", "read", "--expires-in", "1")
        self.service.kill()
        file = self.service.folder / "tokens.json"
        kept = json.loads(file.read_text())
        kept["tokens"][0]["expiryTime"] = 1
        file.write_text(json.dumps(kept))
        self.service.start()
        self.assertEqual(self.raw(authorization=token), 401)

    def test_audit(self):
        token = self.make("runner", "run")
        self.raw(authorization=token, target="/api/v1/trials/cancel?secret=1", method="POST", body=b"{}")
        self.raw(authorization="wrong")
        lines = until(30, "both are written", lambda: [line for line in self.audit() if line["status"] in (400, 401)][1:]
                      and self.audit())
        cancel = next(line for line in lines if line["path"] == "/api/v1/trials/cancel")
        self.assertEqual((cancel["token"], cancel["method"], cancel["from"]), ("runner", "POST", "127.0.0.1"))
        wrong = next(line for line in lines if line["status"] == 401)
        self.assertNotIn("token", wrong)
        self.raw(authorization=token, target="/api/v1/tokens", method="GET")
        refused = until(30, "the refusal is written", lambda: [line for line in self.audit() if line["status"] == 403])
        self.assertEqual([line["token"] for line in refused], ["runner"])
        # Who leaves before the answer is written down all the same.
        port = int(self.service.url.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.9", 0)) as quick:
            quick.sendall(b"GET /api/v1/left-early HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer wrong\r\n\r\n")
        until(30, "it is written", lambda: any(line["from"] == "127.0.0.9" and line["status"] == 401 for line in self.audit()))
        text = (self.service.folder / "state" / "audit.log").read_text()
        self.assertNotIn(token, text)
        self.assertNotIn("secret=1", text)


if __name__ == "__main__":
    main()
