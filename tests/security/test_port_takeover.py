# SPDX-License-Identifier: GPL-3.0-or-later
"""A service dies, and another user's program takes over its port: no client sends it the token."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import unittest

from stranger import PROGRAMS, PYTHON, Attack, Listener, become_nobody, main, needs_root, until

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "resources" / "nni" / "trialdeck" / "client.js"


@needs_root
class PortTakeover(Attack):
    def setUp(self):
        super().setUp()
        held = socket.socket()  # nobody else is given its port while nobody listens there
        self.addCleanup(held.close)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        self.port = held.getsockname()[1]
        self.service.start(f"127.0.0.1:{self.port}")
        self.token = pathlib.Path(self.service.token_file).read_text().strip()
        # The endpoint file stays, as after a kill.
        self.service.kill()
        self.stranger = Listener(self.port)
        self.addCleanup(self.stranger.close)

    def assert_kept(self):
        self.assertNotIn(self.token.encode(), self.stranger.received)

    def test_url_and_token_file(self):
        code, _, errors = self.trialdeck("list", "--url", self.service.url, "--token-file", self.service.token_file)
        self.assertEqual(code, 3, errors)
        self.assertIn("the token was not sent", errors)
        self.assertIn("nobody", errors)
        until(30, "the stranger was called", lambda: self.stranger.connections > 0)
        self.assert_kept()

    def test_insecure_accepts_no_stranger(self):
        code, _, errors = self.trialdeck("list", "--url", self.service.url, "--token-file", self.service.token_file, "--insecure")
        self.assertEqual(code, 3, errors)
        self.assertIn("the token was not sent", errors)
        self.assert_kept()

    def test_url_of_the_data_directory(self):
        code, _, errors = self.trialdeck("list", "--url", self.service.url, "--data-dir", self.service.folder)
        self.assertNotEqual(code, 0, errors)
        self.assert_kept()

    def test_stale_endpoint_file(self):
        code, _, errors = self.trialdeck("list", "--data-dir", self.service.folder, "--no-start")
        self.assertEqual(code, 3, errors)
        self.assertIn("No service runs", errors)
        self.assertEqual(self.stranger.connections, 0)

    def test_waiting_command_whose_service_died(self):
        self.stranger.close()
        self.service.start(f"127.0.0.1:{self.port}")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("TRIALDECK_")}
        follower = subprocess.Popen([str(PROGRAMS / "trialdeck"), "events", "--follow", "--url", self.service.url,
                                     "--token-file", self.service.token_file], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, env=clean)
        self.addCleanup(follower.stdout.close)
        self.addCleanup(follower.wait)
        self.addCleanup(follower.kill)
        until(30, "it is followed", lambda: self.connections_of(follower.pid))
        self.service.kill()
        stranger = Listener(self.port)
        self.addCleanup(stranger.close)
        until(30, "it comes again, or gives up", lambda: stranger.connections > 0 or follower.poll() is not None)
        follower.kill()
        self.assertNotIn(self.token.encode(), stranger.received)

    @staticmethod
    def connections_of(pid):
        folder = pathlib.Path(f"/proc/{pid}/fd")
        try:
            return any("socket:" in os.readlink(entry) for entry in folder.iterdir())
        except OSError:
            return False

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_nni_adapter_by_url(self):
        self.check_adapter({"url": self.service.url, "tokenFile": self.service.token_file}, "was not sent")

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_nni_adapter_insecure(self):
        self.check_adapter({"url": self.service.url, "tokenFile": self.service.token_file, "insecure": True}, "was not sent")

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_nni_adapter_by_data_directory(self):
        # The socket in the data directory leads nowhere, and nothing else is tried.
        self.check_adapter({"dataDir": str(self.service.folder)}, "ECONNREFUSED|ENOENT")
        self.assertEqual(self.stranger.connections, 0)

    def check_adapter(self, settings, words):
        script = (f"const {{Client}} = require({json.dumps(str(CLIENT))});"
                  f"new Client({json.dumps(settings)}).call('GET', '/version')"
                  ".then(() => process.exit(0), (e) => { console.error(e.message); process.exit(7); });")
        done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertRegex(done.stderr, words)
        self.assert_kept()


@needs_root
class RightfulOwners(Attack):
    """What must still work: our own service by url, over its socket, and one of the user whose token it is."""

    def test_own_service(self):
        self.service.start()
        for where in (["--data-dir", self.service.folder],
                      ["--url", self.service.url, "--token-file", self.service.token_file]):
            code, _, errors = self.trialdeck("platform", "list", *where)
            self.assertEqual(code, 0, errors)

    def test_socket_is_this_users(self):
        self.service.start()
        endpoint = json.loads((self.service.folder / "endpoint.json").read_text())
        status = os.stat(endpoint["socket"])
        self.assertEqual(status.st_uid, os.geteuid())
        self.assertEqual(status.st_mode & 0o077, 0)
        done = subprocess.run([PYTHON, "-c",
                               "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])",
                               endpoint["socket"]], preexec_fn=become_nobody, capture_output=True, text=True, check=False)
        self.assertIn("PermissionError", done.stderr)

    def test_long_data_directory(self):
        self.service.folder = self.folder / ("long-" * 20) / ("path-" * 20)
        self.service.start()
        endpoint = json.loads((self.service.folder / "endpoint.json").read_text())
        self.assertGreater(len(endpoint["socket"]), 150)
        code, _, errors = self.trialdeck("platform", "list", "--data-dir", self.service.folder)
        self.assertEqual(code, 0, errors)


if __name__ == "__main__":
    main()
