# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials of a real service post their metrics: python3 test_ingest.py PROGRAM [unittest's arguments]."""

import base64
import concurrent.futures
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
from trialdeck_service import Service, below, until  # noqa: E402

EXAMPLES = HERE.parents[1] / "resources" / "examples"
PROGRAM = None

# Posts 0, 1, 2 … one by one, as a user's script would: so many, and until a file is there. Says how many.
POSTS = """
import os, sys
from post_metrics import Metrics
metrics = Metrics(patience=120)
value = 0
while value < int(sys.argv[1]) - 1 or not os.path.exists(sys.argv[2]):
    metrics.report(value, step=value)
    value += 1
metrics.report(value, step=value, final=True)
print(value + 1)
"""


class Ingest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trialdeck-ingest-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Nobody else is given the port while our own socket has it; the service sets SO_REUSEADDR, too.
        held = self.enterContext(socket.socket())
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        self.port = held.getsockname()[1]
        self.service = Service(PROGRAM, self.folder / "data")
        self.addCleanup(self.end)
        self.code = self.folder / "code"
        self.code.mkdir()
        (self.code / "posts.py").write_text(POSTS)
        (self.code / "post_metrics.py").write_text((EXAMPLES / "post_metrics.py").read_text())
        # Says where it is and how it proves itself, and stays until it is told to go.
        (self.code / "waits.sh").write_text(
            'printf "%s\\n%s\\n" "$TRIALDECK_INGEST_URL" "$TRIALDECK_INGEST_TOKEN" >said.new && mv said.new said\n'
            "while [ ! -e go ]; do sleep 0.05; done\n")

    def end(self):
        if self.service.process is None and self.service.url:
            self.start()
        self.service.stop()

    def start(self, *arguments):
        self.service.start(arguments=arguments or ("--ingest", f"127.0.0.1:{self.port}"))

    def experiment(self, command, **members):
        return self.service.post("/experiments", {
            "name": "posts", "platformId": "local", "trialCommand": command, "trialConcurrency": 4, "codeDir": str(self.code),
            **members})["id"]

    def submit(self, experiment, count=1):
        made = self.service.post(f"/experiments/{experiment}/trials", {"trials": [{"parameters": {}}] * count})
        return [trial["id"] for trial in made["trials"]]

    def trial(self, identity):
        return self.service.get(f"/trials/{identity}")

    def waiting_trial(self):
        """A running trial that does nothing: its id, its folder, its address and its token."""
        identity = self.submit(self.experiment("sh waits.sh"))[0]
        until(60, "the trial runs", lambda: self.trial(identity)["workingDirectory"])
        folder = pathlib.Path(self.trial(identity)["workingDirectory"])
        said = until(60, "the trial has begun", lambda: next(iter(below(folder, "said")), None))
        url, token = said.read_text().split()
        return identity, said.parent, url, token

    def send(self, url, token, body, method="POST", context=None):
        parts = urllib.parse.urlsplit(url)
        made = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        more = {"context": context} if context else {}
        connection = made(parts.hostname, parts.port, timeout=60, **more)
        try:
            connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body,
                               {"Authorization": f"Bearer {token}"} if token else {})
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read() or "null")
        finally:
            connection.close()

    def values(self, identity):
        metrics = self.service.metrics(identity)
        self.assertEqual([m["sequence"] for m in metrics], list(range(len(metrics))))
        return [m["value"] for m in metrics]

    def test_posts_of_a_trial(self):
        self.start()
        self.assertEqual(self.service.get("/version")["ingest"], {"url": f"http://127.0.0.1:{self.port}"})
        identity = self.submit(self.experiment("python3 posts.py 30 ."))[0]
        until(60, "the trial has ended", lambda: self.trial(identity)["status"] == "SUCCEEDED")
        self.assertEqual(self.values(identity), list(range(30)))
        metrics = self.service.metrics(identity)
        self.assertEqual([m["step"] for m in metrics], list(range(30)))
        self.assertEqual([m["type"] for m in metrics], ["PERIODICAL"] * 29 + ["FINAL"])
        self.assertEqual(self.trial(identity)["finalMetric"]["value"], 29)
        # Without --ingest no trial is told of it, and nobody listens.
        self.service.process.terminate()
        self.service.process.wait(60)
        self.service.process.stdout.close()
        self.service.start()
        self.assertNotIn("ingest", self.service.get("/version"))
        identity = self.submit(self.experiment("sh -c 'env | grep -c INGEST; true'"))[0]
        until(60, "the trial has ended", lambda: self.trial(identity)["status"] == "SUCCEEDED")
        with self.assertRaises(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5):
            pass

    def test_killed_in_the_middle(self):
        """200 posts or more of each of two trials, which go on while the service is killed again and again: each value once."""
        def counts():
            return [len(self.service.metrics(identity)) for identity in ids]

        self.start()
        enough = self.folder / "enough"
        ids = self.submit(self.experiment(f"python3 posts.py 200 {enough}"), 2)
        for _ in range(9):
            before = counts()
            until(120, "20 more values of each", lambda: all(now >= then + 20 for now, then in zip(counts(), before)))
            self.service.kill()
            self.start()
        enough.touch()
        until(180, "the trials have ended", lambda: self.are_final(ids))
        for identity in ids:
            self.assertEqual(self.trial(identity)["status"], "SUCCEEDED")
            posted = self.service.get(f"/trials/{identity}/logs/stdout")  # a number, and nothing else
            self.assertEqual(self.values(identity), list(range(posted)))

    def are_final(self, ids):
        return all(self.trial(i)["status"] not in ("WAITING", "RUNNING", "UNKNOWN") for i in ids)

    def test_killed_between_post_and_reply(self):
        self.start()
        identity, _, url, token = self.waiting_trial()
        parts = urllib.parse.urlsplit(url)
        offset = 0
        for milliseconds in (0, 1, 2, 4, 8, 16, 32, 64):
            body = "".join(json.dumps({"offset": offset + i, "metric": offset + i}) + "\n" for i in range(25)).encode()
            with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
                connection.sendall((f"POST {parts.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                                    f"Content-Length: {len(body)}\r\n\r\n").encode() + body)
                time.sleep(milliseconds / 1000)  # where the kill falls, and nothing that must be true afterwards
                self.service.kill()
            self.start()
            # Whether it was stored or not: sent again it is there once.
            status, reply = self.send(url, token, body)
            self.assertEqual((status, reply), (200, {"offset": offset + 25}), milliseconds)
            offset += 25
        self.assertEqual(self.values(identity), list(range(offset)))

    def test_what_was_acknowledged_is_there(self):
        self.start()
        identity, _, url, token = self.waiting_trial()
        for round_ in range(5):
            status, reply = self.send(url, token, json.dumps({"offset": round_, "metric": round_}))
            self.assertEqual((status, reply), (200, {"offset": round_ + 1}))
            self.service.kill()
            self.start()
            self.assertEqual(self.values(identity), list(range(round_ + 1)))

    def test_gaps_runs_and_ends(self):
        self.start()
        identity, folder, url, token = self.waiting_trial()
        self.assertEqual(self.send(url, token, ""), (200, {"offset": 0}))
        status, reply = self.send(url, token, '{"offset": 2, "metric": 2}')
        self.assertEqual((status, reply["offset"], reply["kind"]), (409, 0, "conflict"))
        status, reply = self.send(url, token, '{"offset": 0, "metric": 0}\n{"offset": 3, "metric": 3}\n{"offset": 1, "metric": 1}')
        self.assertEqual((status, reply["offset"]), (409, 1))
        self.assertEqual(self.send(url, token, '{"offset": 0, "metric": 9}\n{"offset": 1, "metric": {"default": 1, "loss": NaN}}'),
                         (200, {"offset": 2}))
        self.assertEqual(self.values(identity), [0, {"default": 1, "loss": "NaN"}])
        self.assertEqual(self.send(url + "?run=1", token, '{"offset": 0, "metric": 7}'), (200, {"offset": 1}))
        self.assertEqual(self.send(url, token, '{"offset": 2, "metric": 2}')[0], 409)
        status, reply = self.send(url, token, '{"offset": 0, "met')
        self.assertEqual((status, reply["kind"]), (400, "invalid"))
        (folder / "go").touch()
        until(60, "the trial has ended", lambda: self.trial(identity)["status"] == "SUCCEEDED")
        status, reply = self.send(url + "?run=1", token, '{"offset": 1, "metric": 8}')
        self.assertEqual((status, reply["offset"]), (410, 1))
        self.assertEqual(self.values(identity), [0, {"default": 1, "loss": "NaN"}, 7])

    def token_of(self, identity):
        """As the service makes it; a test may, a client cannot: the key is in the data directory."""
        file = self.service.folder / "ingest-key"
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        mark = hmac.new(file.read_bytes().strip(), identity.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mark).decode().rstrip("=")

    def test_tokens(self):
        self.start()
        first, _, url, token = self.waiting_trial()
        second, _, other_url, other_token = self.waiting_trial()
        self.assertEqual(token, self.token_of(first))
        self.assertNotEqual(token, other_token)
        line = '{"offset": 0, "metric": 1}'
        owner = pathlib.Path(self.service.token_file).read_text().strip()
        nobody = url.replace(first, "t0000000000000")
        answers = [self.send(*wrong, line) for wrong in ((url, other_token), (other_url, token), (url, owner), (url, None), (nobody, token),
                                                         (nobody, owner))]
        self.assertEqual([status for status, _ in answers], [401] * len(answers))
        self.assertEqual(len({json.dumps(reply) for _, reply in answers}), 1)
        self.assertEqual((self.values(first), self.values(second)), ([], []))
        # A trial's token is nothing to the API, and the API is not at this address.
        parts = urllib.parse.urlsplit(url)
        self.assertEqual(self.send(self.service.url + "/api/v1/trials", token, None, "GET")[0], 401)
        for path in ("/api/v1/trials", "/api/v1/health", "/metrics", "/api/v1/openapi.yaml"):
            self.assertEqual(self.send(f"http://{parts.netloc}{path}", owner, None, "GET")[0], 404, path)
        # One that waits has no place yet.
        queued = self.submit(self.experiment("true", trialConcurrency=1), 1)[0]
        held = self.service.post(f"/experiments/{self.experiment('true')}/trials", {"trials": [{"parameters": {}, "hold": True}]})
        held = held["trials"][0]["id"]
        self.assertEqual(self.send(url.replace(first, held), self.token_of(held), line)[0], 409)
        # One that is gone is told apart by its own token alone.
        until(60, "it has ended", lambda: self.are_final([queued]))
        self.assertEqual(self.send(url.replace(first, queued), self.token_of(queued), line)[0], 410)
        self.assertEqual(self.send(url, token, line)[0], 200)
        self.look_for(token)

    def look_for(self, token):
        """The token is in no log, no reply and no command line: in the trial's environment alone, and where its machine keeps that."""
        secret = token.encode()
        for file in below(self.service.folder):
            if file.is_file() and not file.is_symlink() and file.name != "said":  # where the trial itself wrote it
                relative = file.relative_to(self.service.folder)
                try:
                    text, mode = file.read_bytes(), file.stat().st_mode
                except FileNotFoundError:
                    continue  # The service lives.
                if secret in text:
                    self.assertEqual(mode & 0o077, 0, relative)
                    self.assertNotIn(relative.parts[0], ("state", "store", "config", "audit.log", "service.log"), relative)
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                self.assertNotIn(secret, (process / "cmdline").read_bytes(), process)
            except OSError:
                pass
        shown = json.dumps([self.service.get(path) for path in (
            "/trials", "/experiments", "/platforms", "/machines", "/version",
            *(f"/trials/{trial['id']}/events" for trial in self.service.get("/trials")["trials"]))])
        self.assertIn("sh waits.sh", shown)
        self.assertNotIn(token, shown)

    def test_many_at_once(self):
        """40 clients post the same 25 values of one trial at once: each is there once."""
        self.start()
        identity, _, url, token = self.waiting_trial()

        def until_taken(line):
            while True:
                status, reply = self.send(url, token, line)
                if status != 429:
                    return status, reply

        lines = "".join(json.dumps({"offset": i, "metric": i}) + "\n" for i in range(25))
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(until_taken, [lines] * 40))
        self.assertEqual(answers, [(200, {"offset": 25})] * 40)
        self.assertEqual(self.values(identity), list(range(25)))

    def test_addresses(self):
        def refused(*arguments):
            done = subprocess.run([PROGRAM, "--serve", "--listen", "127.0.0.1:0", "--data-dir", str(self.folder / "other"), *arguments],
                                  capture_output=True, text=True, timeout=60, check=False)
            return done.returncode, done.stderr

        code, said = refused("--ingest", "0.0.0.0:0")
        self.assertEqual(code, 1, said)
        self.assertIn("--insecure", said)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            code, said = refused("--ingest", "127.0.0.1:%d" % taken.getsockname()[1])
            self.assertEqual(code, 1, said)
            self.assertIn("in use", said)
        for wrong in (("--ingest", "8650"), ("--ingest", "127.0.0.1:0", "--ingest-url", "gateway:8650"),
                      ("--ingest", "127.0.0.1:0", "--ingest-url", "http://u:p@gateway"), ("--ingest-url", "http://gateway")):
            code, said = refused(*wrong)
            self.assertEqual(code, 2, said)
        self.start("--ingest", "0.0.0.0:0", "--insecure", "--ingest-url", "http://127.0.0.1:1/way/")
        self.assertEqual(self.service.get("/version")["ingest"]["url"], "http://127.0.0.1:1/way")
        identity, _, url, _ = self.waiting_trial()
        self.assertEqual(url, f"http://127.0.0.1:1/way/ingest/v1/{identity}")

    def test_tls(self):
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
        self.service.call = self.over_tls(ssl.create_default_context(cafile=str(certificate)))
        self.start("--ingest", f"127.0.0.1:{self.port}", "--tls-cert", str(certificate), "--tls-key", str(key))
        identity, _, url, token = self.waiting_trial()
        self.assertEqual(url, f"https://127.0.0.1:{self.port}/ingest/v1/{identity}")
        context = ssl.create_default_context(cafile=str(certificate))
        self.assertEqual(self.send(url, token, '{"offset": 0, "metric": 1}', context=context), (200, {"offset": 1}))
        with self.assertRaises(ssl.SSLError):
            self.send(url, token, "", context=ssl.create_default_context())
        with self.assertRaises((OSError, http.client.HTTPException)):
            self.send(url.replace("https", "http"), token, "")
        self.assertEqual(self.values(identity), [1])

    def over_tls(self, context):
        def call(method, path, body=None):
            token = pathlib.Path(self.service.token_file).read_text().strip()
            status, reply = self.send(self.service.url + "/api/v1" + path, token, None if body is None else json.dumps(body), method, context)
            self.assertLess(status, 300, reply)
            return reply
        return call


if __name__ == "__main__":
    PROGRAM = next(argument for argument in sys.argv[1:] if re.search(r"trialdeckd?$", argument))
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    unittest.main(argv=[argument for argument in sys.argv if argument != PROGRAM])
