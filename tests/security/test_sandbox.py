# SPDX-License-Identifier: GPL-3.0-or-later
"""A service in a sandbox: its trials run outside of it, as the agent is started by a unit of its own. A small listener stands for
systemd's socket (Accept=yes): it gives each connection as standard input to a program that it starts."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

from stranger import PROGRAMS, PYTHON, Attack, become_nobody, main, needs_root, until

KEEPER = PROGRAMS / "trialkeeper"
# A mount namespace and no new privileges stand for what ProtectSystem= and NoNewPrivileges= do.
SANDBOX = ["unshare", "-m", "setpriv", "--no-new-privs"]
FACTS = "readlink /proc/self/ns/mnt; grep NoNewPrivs /proc/self/status; env | grep -E '^(KEPT_|INVOCATION_|TRIALDECK_)'"


class AgentSocket:
    """Listens at the path; each connection becomes standard input of `words`."""

    def __init__(self, path, words):
        self.path = path
        self.words = words
        self.started = []
        self.held = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(16)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            if self.words is None:
                self.held.append(link)  # and nobody answers
                continue
            # As a service manager gives it: a small environment, the folder /, a session of its own.
            self.started.append(subprocess.Popen(
                self.words, stdin=link, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True,
                env={"PATH": "/usr/bin:/bin", "INVOCATION_ID": "of-the-agent", "LANG": "C"}))
            link.close()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()
        for link in self.held:
            link.close()
        for process in self.started:
            process.wait(30)


@needs_root
class Sandbox(Attack):
    def setUp(self):
        super().setUp()
        self.socket = self.folder / "agent.socket"

    def listen(self, words):
        unit = AgentSocket(self.socket, words)
        self.addCleanup(unit.close)
        self.addCleanup(self.service.stop)
        return unit

    def start(self, **more):
        self.service.start(wrapper=SANDBOX, environment={"TRIALDECK_AGENT_SOCKET": str(self.socket), "INVOCATION_ID": "of-the-service",
                                                         "KEPT_BY_TRIALS": "yes", **more})

    def trial(self, script):
        """Runs it to its end; what it printed."""
        code, _, errors = self.client("run", "--wait", "--", "sh", "-c", script)
        self.assertEqual(code, 0, errors)
        code, text, errors = self.client("logs", "@last")
        self.assertEqual(code, 0, errors)
        return text

    def client(self, *words):
        variables = {k: v for k, v in os.environ.items() if not k.startswith(("TRIALDECK_", "NNI_"))}
        code = self.folder / "code"
        code.mkdir(exist_ok=True)
        done = subprocess.run([str(PROGRAMS / "trialdeckd"), "--data-dir", str(self.service.folder), *words], capture_output=True,
                              text=True, timeout=120, cwd=code, check=False, env={**variables, "HOME": str(self.folder)})
        return done.returncode, done.stdout, done.stderr

    def log(self):
        return (self.service.folder / "state" / "trialdeck.log").read_text()

    def test_trials_are_outside(self):
        unit = self.listen([KEEPER, "launch"])
        self.start()
        facts = self.trial(FACTS)
        self.assertIn("NoNewPrivs:\t0", facts)
        self.assertEqual(facts.split("\n", 1)[0], os.readlink("/proc/self/ns/mnt"))
        self.assertEqual(len(unit.started), 1)
        self.assertNotIn("inside of the sandbox", self.log())

    def test_environment_is_the_services(self):
        self.listen([KEEPER, "launch"])
        self.start(TRIALDECK_SECRET_PLATFORM_X="hunter2")
        facts = self.trial(FACTS)
        self.assertIn("KEPT_BY_TRIALS=yes", facts)
        for ours in ("TRIALDECK_AGENT_SOCKET", "INVOCATION_ID", "hunter2"):
            self.assertNotIn(ours, facts)

    def test_trials_outlive_the_service(self):
        unit = self.listen([KEEPER, "launch"])
        self.start()
        gate = self.folder / "gate"
        code, _, errors = self.client("run", "--", "sh", "-c",
                                      f"echo begun $$; while [ -e {self.folder} ] && [ ! -e {gate} ]; do sleep 0.1; done; echo ended")
        self.assertEqual(code, 0, errors)
        until(30, "it runs", lambda: "begun" in self.client("logs", "@last")[1])
        self.service.kill()
        until(30, "its agent ends", lambda: unit.started[0].poll() is not None)
        self.start()
        gate.touch()
        code, _, errors = self.client("wait", "@last", "--timeout", "60")
        self.assertEqual(code, 0, errors)
        text = self.client("logs", "@last")[1]
        self.assertEqual(text.count("begun"), 1, text)
        self.assertIn("ended", text)
        self.assertEqual(len(unit.started), 2)

    def test_agent_that_dies_is_started_there_again(self):
        unit = self.listen([KEEPER, "launch"])
        self.start()
        until(30, "it is started", lambda: unit.started)
        unit.started[0].send_signal(signal.SIGKILL)
        until(30, "another comes", lambda: len(unit.started) > 1)
        self.assertIn("NoNewPrivs:\t0", self.trial(FACTS))

    def fallen_back(self):
        facts = self.trial(FACTS)
        self.assertIn("NoNewPrivs:\t1", facts)
        self.assertNotIn("TRIALDECK_AGENT_SOCKET", facts)
        log = self.log()
        self.assertEqual(log.count("inside of the sandbox"), 1, log)

    def test_no_unit(self):
        self.addCleanup(self.service.stop)
        self.start()
        self.fallen_back()
        # Said once, not for each agent.
        agent = until(30, "the agent is found", self.agent)
        os.kill(agent, signal.SIGKILL)
        until(30, "another comes", lambda: self.agent() not in (None, agent))
        self.fallen_back()

    def agent(self):
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[1:3] == [b"host", str(self.service.folder / "agent").encode()]:
                return int(entry.name)
        return None

    def test_unit_whose_program_fails(self):
        self.listen([shutil.which("false")])
        self.start()
        self.fallen_back()

    def test_unit_that_never_answers(self):
        self.listen(None)
        began = time.monotonic()
        self.start()
        self.fallen_back()
        self.assertLess(time.monotonic() - began, 60)

    def test_half_a_request(self):
        """Somebody connects, and sends nothing, or no descriptors, or not a list: the launcher ends with a sentence."""
        for bytes_sent in (b"", b"h", b"GET / HTTP/1.1\r\n\r\n"):
            with self.subTest(bytes_sent):
                ours, theirs = socket.socketpair()
                launcher = subprocess.Popen([KEEPER, "launch"], stdin=theirs, stderr=subprocess.PIPE, text=True)
                theirs.close()
                ours.sendall(bytes_sent)
                ours.shutdown(socket.SHUT_WR)
                _, errors = launcher.communicate(timeout=30)
                self.assertEqual(launcher.returncode, 2, errors)
                self.assertIn("trialkeeper:", errors)
                try:
                    self.assertEqual(ours.recv(10), b"")
                except ConnectionResetError:
                    pass  # it has not read all
                ours.close()

    def test_another_user_starts_nothing(self):
        """The socket's mode keeps them out; the launcher asks the kernel once more who connected."""
        os.chmod(self.folder, 0o755)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.socket))
        os.chmod(self.socket, 0o666)
        listener.listen(1)
        stranger = subprocess.Popen([PYTHON, "-c", "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
                                     "sys.stdout.write(repr(s.recv(1)))", str(self.socket)],
                                    preexec_fn=become_nobody, stdout=subprocess.PIPE, text=True, cwd="/")
        link, _ = listener.accept()
        launcher = subprocess.run([KEEPER, "launch"], stdin=link, capture_output=True, text=True, timeout=30, check=False)
        link.close()
        listener.close()
        self.assertEqual(launcher.returncode, 2)
        self.assertIn("another user", launcher.stderr)
        self.assertEqual(stranger.communicate(timeout=30)[0], "b''")


if __name__ == "__main__":
    main()
