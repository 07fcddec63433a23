# SPDX-License-Identifier: GPL-3.0-or-later
"""What all stand-in servers share: faults and the record of requests: python3 test_stand_in.py [unittest's arguments]."""

import email.utils
import gzip
import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import certificates
from stand_in import Application, Server, text_reply
from stand_in_client import StandIn

SERVER = None
INFO = "/rest-server/api/v2/info"
LOGIN = "/rest-server/api/v2/tokens"


class StandInTest(unittest.TestCase):
    def setUp(self):
        SERVER.control("clear", requests=True)
        self.whole = SERVER.call("GET", INFO).body
        SERVER.control("clear", requests=True)

    def get(self, **more):
        return SERVER.call("GET", INFO, **more)

    def log_in(self):
        return SERVER.call("POST", LOGIN, {"username": "u", "password": "secret6"})


class Faults(StandInTest):
    def test_statuses(self):
        for status in (401, 403, 404, 409, 413, 429, 500, 502, 503):
            SERVER.fault("status", status=status, times=1)
            answer = self.get()
            self.assertEqual((answer.status, len(answer.body) > 0), (status, True))
            self.assertEqual(self.get().status, 200)
        SERVER.fault("status", status=503, times=1, body={"code": "Mine"})
        self.assertEqual(self.get().json, {"code": "Mine"})
        SERVER.fault("status", status=500, times=1, body="no JSON", contentType="text/plain")
        self.assertEqual((self.get().text, SERVER.requests(INFO)[-1]["status"]), ("no JSON", 500))

    def test_retry_after(self):
        SERVER.fault("status", status=429, retryAfter=7, times=1)
        SERVER.fault("status", status=503, retryAfter=30, date=True, times=1)
        self.assertEqual(self.get().headers["Retry-After"], "7")
        before = time.time()
        date = email.utils.parsedate_to_datetime(self.get().headers["Retry-After"]).timestamp()
        self.assertTrue(before - 1 <= date - 30 <= time.time() + 1)

    def test_which_requests(self):
        SERVER.fault("status", status=503, method="POST", path="tokens$", skip=1, times=2)
        self.assertEqual([self.log_in().status for _ in range(4)], [200, 503, 503, 200])
        SERVER.fault("status", status=503, query="mode=slow")
        self.assertEqual(self.get().status, 200)
        self.assertEqual(SERVER.call("GET", INFO + "?a=b&mode=slow").status, 503)
        self.assertEqual(SERVER.call("GET", INFO + "?a=b&mode=slow").status, 503)  # until it is cleared
        SERVER.control("clear")
        self.assertEqual(SERVER.call("GET", INFO + "?a=b&mode=slow").status, 200)

    def test_delay(self):
        SERVER.fault("delay", seconds=0.3, times=1)
        began = time.monotonic()
        self.assertEqual(self.get().body, self.whole)
        self.assertGreaterEqual(time.monotonic() - began, 0.3)

    def test_drip(self):
        for head in (False, True):
            SERVER.fault("drip", interval=0.001, head=head, times=1)
            began = time.monotonic()
            self.assertEqual(self.get().body, self.whole)
            self.assertGreaterEqual(time.monotonic() - began, 0.001 * len(self.whole))

    def test_close_after_head(self):
        SERVER.fault("closeAfterHeaders", times=1)
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.get()
        self.assertEqual((caught.exception.partial, caught.exception.expected), (b"", len(self.whole)))

    def test_cut_body(self):
        SERVER.fault("truncate", times=1)
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.get()
        self.assertEqual(caught.exception.partial, self.whole[:len(self.whole) // 2])

    def test_short_body(self):
        SERVER.fault("short", times=1)
        answer = self.get()
        self.assertEqual((answer.status, answer.body), (200, self.whole[:len(self.whole) // 2]))
        with self.assertRaises(ValueError):
            json.loads(answer.body)

    def test_content_type_and_page(self):
        SERVER.fault("contentType", contentType="application/octet-stream", times=1)
        SERVER.fault("html", times=1)
        SERVER.fault("html", status=200, times=1)
        self.assertEqual(self.get().headers["Content-Type"], "application/octet-stream")
        for status in (502, 200):
            answer = self.get()
            self.assertEqual((answer.status, answer.headers["Content-Type"], answer.text[:6]), (status, "text/html", "<html>"))

    def test_gzip(self):
        SERVER.fault("gzip", times=3)
        self.assertEqual(self.get(headers={"Accept-Encoding": "identity"}).body, self.whole)
        answer = self.get(headers={"Accept-Encoding": "deflate, gzip"})
        self.assertEqual((answer.headers["Content-Encoding"], gzip.decompress(answer.body)), ("gzip", self.whole))

    def test_redirect(self):
        SERVER.fault("redirect", times=1)
        SERVER.fault("redirect", status=307, location="http://127.0.0.1:1/x", times=1)
        answer = self.get()
        self.assertEqual((answer.status, answer.headers["Location"]), (302, SERVER.url.replace("http:", "https:") + INFO))
        answer = self.get()
        self.assertEqual((answer.status, answer.headers["Location"]), (307, "http://127.0.0.1:1/x"))

    def test_done_but_not_answered(self):
        names = iter(("first", "second", "third"))
        spec = {"protocolVersion": 2, "type": "job", "prerequisites": [{"type": "dockerimage", "name": "i", "uri": "i"}],
                "taskRoles": {"r": {"dockerImage": "i", "commands": ["true"],
                                    "resourcePerInstance": {"gpu": 0, "cpu": 1, "memoryMB": 1}}}}

        def submit():
            return SERVER.call("POST", "/rest-server/api/v2/jobs", json.dumps({**spec, "name": next(names)}), {
                "Authorization": f"Bearer {SERVER.settings['token']}", "Content-Type": "text/yaml"})

        SERVER.fault("drop", method="POST", times=1)
        SERVER.fault("status", status=502, accepted=True, method="POST", times=1)
        SERVER.fault("refuse", reset=True, method="POST", times=1)
        with self.assertRaises(http.client.RemoteDisconnected):
            submit()
        self.assertEqual(submit().status, 502)
        with self.assertRaises(ConnectionResetError):
            submit()
        self.assertEqual([job["name"] for job in SERVER.jobs()], ["first", "second"])

    def test_closes_although_it_did_not_say_so(self):
        SERVER.fault("close", times=1)
        connection = SERVER.connect()
        self.addCleanup(connection.close)
        self.assertEqual(SERVER.call("GET", INFO, connection=connection).body, self.whole)
        with self.assertRaises((http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)):
            SERVER.call("GET", INFO, connection=connection)

    def test_random_share(self):
        def results():
            SERVER.control("random", share=0.3, seed=5, path="info", kinds=["short", {"kind": "status", "status": 503}])
            answers = [self.get() for _ in range(100)]
            self.assertEqual(self.log_in().status, 200)  # another path
            return ["ok" if answer.body == self.whole else answer.status for answer in answers]
        first = results()
        self.assertEqual(set(first), {"ok", 200, 503})
        self.assertTrue(15 < sum(result != "ok" for result in first) < 45, first)
        self.assertEqual(results(), first)
        SERVER.control("clear")
        self.assertEqual({self.get().status for _ in range(20)}, {200})

    def test_refused(self):
        for members in ({"kind": "nothing"}, {"kind": "status"}, {"kind": "delay", "minutes": 1}, {"kind": "short", "path": "("}):
            self.assertEqual(SERVER.call("POST", "/control/fault", members).status, 400)
        self.assertEqual(SERVER.call("POST", "/control/settings", {"speed": 1}).status, 400)
        self.assertEqual(SERVER.call("POST", "/control/nothing", {}).status, 404)
        self.assertEqual(SERVER.call("GET", "/control/nothing").status, 404)


class Requests(StandInTest):
    def test_record(self):
        SERVER.call("PUT", "/rest-server/x%20y?a=1&b=%2F", "text", {"X-Mine": "7"})
        self.get()
        found = SERVER.requests("^/rest-server/x y$")
        self.assertEqual(len(found), 1)
        expected = {"method": "PUT", "path": "/rest-server/x y", "query": "a=1&b=%2F", "arguments": {"a": "1", "b": "/"}, "body": "text",
                    "status": 404, "fault": None}
        self.assertEqual({name: found[0][name] for name in expected}, expected)
        self.assertEqual(found[0]["headers"]["X-Mine"], "7")
        self.assertEqual([entry["method"] for entry in SERVER.requests()], ["PUT", "GET"])
        self.assertEqual(len(SERVER.requests(method="GET")), 1)
        self.assertEqual(SERVER.call("GET", "/control/requests?path=info").json["count"], 1)
        SERVER.control("clear")
        self.assertEqual(len(SERVER.requests()), 2)
        SERVER.control("clear", requests=True)
        self.assertEqual(SERVER.requests(), [])

    def test_connections_are_kept(self):
        connection = SERVER.connect()
        self.addCleanup(connection.close)
        for _ in range(3):
            self.assertEqual(SERVER.call("GET", INFO, connection=connection).status, 200)
        self.get()
        numbers = [entry["connection"] for entry in SERVER.requests(INFO)]
        self.assertEqual((len(set(numbers[:3])), len(set(numbers))), (1, 2))

    def test_body_in_chunks(self):
        with socket.create_connection(("127.0.0.1", int(SERVER.url.rpartition(":")[2])), 20) as wire:
            text = json.dumps({"username": "u", "password": "secret6"}).encode()
            wire.sendall(f"POST {LOGIN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            for part in (text[:7], text[7:]):
                wire.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            wire.sendall(b"0\r\n\r\n" + f"GET {INFO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            answers = b""
            while part := wire.recv(65_536):
                answers += part
        self.assertEqual(answers.count(b"HTTP/1.1 200 OK"), 2)
        self.assertEqual(SERVER.requests(LOGIN)[0]["body"], text.decode())


class Hello(Application):
    def answer(self, request):
        return text_reply(f"hello, {request.method} {request.path}")


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="td-tls-"))
        cls.addClassCleanup(shutil.rmtree, folder)
        ca = certificates.make(folder / "tls")
        cls.server = Server(Hello(), tls=certificates.server_context(folder / "tls"))
        cls.addClassCleanup(cls.server.server_close)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.shutdown)
        cls.client = StandIn("")
        cls.client.settings = {"url": cls.server.application.url, "ca": ca}

    def setUp(self):
        self.client.control("clear", requests=True)

    def test_answers(self):
        self.assertTrue(self.client.url.startswith("https://127.0.0.1:"))
        for name in ("127.0.0.1", "localhost"):
            with unittest.mock.patch.dict(self.client.settings, url=self.client.url.replace("127.0.0.1", name)):
                self.assertEqual(self.client.call("GET", "/x").text, "hello, GET /x")
        self.assertEqual(len(self.client.requests("/x")), 2)

    def test_who_does_not_know_the_authority_is_refused(self):
        place = self.client.url.removeprefix("https://")
        with self.assertRaises(ssl.SSLCertVerificationError):
            http.client.HTTPSConnection(place, timeout=20, context=ssl.create_default_context()).request("GET", "/x")
        with self.assertRaises((ConnectionError, http.client.BadStatusLine)):  # no TLS at all
            connection = http.client.HTTPConnection(place, timeout=20)
            connection.request("GET", "/x")
            connection.getresponse()
        self.assertEqual(self.client.requests("/x"), [])

    def test_one_who_says_nothing_holds_nobody_up(self):
        with socket.create_connection(("127.0.0.1", int(self.client.url.rpartition(":")[2]))):
            self.assertEqual(self.client.call("GET", "/x").status, 200)

    def test_ends_of_connections(self):
        self.client.fault("truncate", times=1)
        self.client.fault("drop", times=1)
        self.client.fault("refuse", reset=True, times=1)
        with self.assertRaises(http.client.IncompleteRead):
            self.client.call("GET", "/x")
        with self.assertRaises(http.client.RemoteDisconnected):
            self.client.call("GET", "/x")
        with self.assertRaises(ConnectionResetError):
            self.client.call("GET", "/x")
        self.assertEqual(self.client.call("GET", "/x").status, 200)


def setUpModule():
    global SERVER
    SERVER = StandIn("openpai_server.py", lines=("url", "token")).start()


def tearDownModule():
    SERVER.stop()


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and os.path.exists(sys.argv[1]):
        del sys.argv[1]  # the path of a program, as other tests take it
    unittest.main()
