# SPDX-License-Identifier: GPL-3.0-or-later
"""A web page in a browser on this computer: what it can make the browser send is refused with a sentence, and does nothing."""

import base64
import json
import os
import pathlib
import socket

from stranger import Attack, main

EVIL = "http://evil.example"


class Browser(Attack):
    def setUp(self):
        super().setUp()
        self.service.start()
        self.token = pathlib.Path(self.service.token_file).read_text().strip()
        self.host = self.service.url.split("//")[1]
        self.mark = self.folder / "executed"
        self.experiment = json.dumps({"name": "x", "platformId": "local", "trialCommand": f"touch {self.mark}", "trialConcurrency": 1,
                                      "maxTrialNumber": 1}).encode()

    def send(self, method, path, headers=(), body=b"", host=None):
        """What the browser would send; returns (status, headers in lower case, body) of the first answer, and what follows it."""
        lines = [f"{method} {path} HTTP/1.1", *([f"Host: {host or self.host}"] if host != "" else []), "User-Agent: Mozilla/5.0",
                 *headers]
        if body or method in ("POST", "PUT", "PATCH"):
            lines.append(f"Content-Length: {len(body)}")
        address, port = self.host.split(":")
        with socket.create_connection((address, int(port)), timeout=15) as link:
            link.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
            link.shutdown(socket.SHUT_WR)
            answer = b""
            while True:
                piece = link.recv(65536)
                if not piece:
                    break
                answer += piece
        head, _, rest = answer.partition(b"\r\n\r\n")
        words = head.decode().split("\r\n")
        fields = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in words[1:]}
        length = int(fields.get("content-length", len(rest)))
        return int(words[0].split()[1]), fields, rest[:length], rest[length:]

    def assert_refused(self, answer, status, sentence):
        code, fields, body, more = answer
        self.assertEqual((code, more), (status, b""), body)
        problem = json.loads(body)
        self.assertIn(sentence, problem["detail"])
        self.assertNotIn(self.token.encode(), body)
        for name in fields:
            self.assertFalse(name.startswith("access-control-"), fields)
        self.assertNotIn("set-cookie", fields)

    def tearDown(self):
        self.assertEqual(self.service.get("/experiments")["experiments"], [])
        self.assertEqual(self.service.get("/trials")["trials"], [])
        self.assertFalse(self.mark.exists())

    def bearer(self):
        return f"Authorization: Bearer {self.token}"

    def test_rebinding(self):
        """The page's own name resolves to 127.0.0.1 now: for the browser everything is of one origin."""
        port = self.host.split(":")[1]
        for name in (f"evil.example:{port}", "evil.example", f"127.0.0.1.evil.example:{port}", f"localhost.evil.example:{port}",
                     f"0.0.0.0:{port}", f"169.254.169.254:{port}", f"[::ffff:10.0.0.1]:{port}", f"127.0.0.1:{port}@evil.example"):
            for more in ([], [f"Origin: http://{name}", "Sec-Fetch-Site: same-origin"], [self.bearer()]):
                with self.subTest(name, more=len(more)):
                    self.assert_refused(self.send("POST", "/api/v1/experiments", [*more, "Content-Type: application/json"],
                                                  self.experiment, host=name), 403, "does not answer to the name")
                    self.assert_refused(self.send("GET", "/api/v1/health", more, host=name), 403, "does not answer to the name")

    def test_host_missing_or_twice(self):
        self.assert_refused(self.send("GET", "/api/v1/health", host=""), 400, "exactly one Host")
        self.assert_refused(self.send("GET", "/api/v1/health", ["Host: evil.example"]), 400, "exactly one Host")

    def test_simple_post(self):
        """A form, or fetch() with mode no-cors, needs no permission of ours; the body may be any of three kinds."""
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            for origin in (EVIL, "null", "https://" + self.host, "http://localhost", f"http://{self.host}.evil.example", "http://127.0.0.1:1"):
                with self.subTest(kind, origin=origin):
                    self.assert_refused(self.send("POST", "/api/v1/experiments", [f"Origin: {origin}", f"Content-Type: {kind}"],
                                                  self.experiment), 403, "another origin")
                    # Not even one that has got hold of a token.
                    self.assert_refused(self.send("POST", "/api/v1/experiments", [f"Origin: {origin}", f"Content-Type: {kind}",
                                                                                  self.bearer()], self.experiment), 403, "another origin")

    def test_no_token(self):
        """Without an Origin, as old browsers send forms: there is no token, and none that a browser would add by itself counts."""
        basic = base64.b64encode(f"owner:{self.token}".encode()).decode()
        for headers in ([], [f"Cookie: token={self.token}; Authorization=Bearer {self.token}"], [f"Authorization: Basic {basic}"],
                        [f"Proxy-Authorization: Bearer {self.token}"], [f"Referer: {EVIL}/{self.token}"]):
            with self.subTest(headers):
                answer = self.send("POST", "/api/v1/experiments", ["Content-Type: text/plain", *headers], self.experiment)
                self.assert_refused(answer, 401, "valid token is required")
                self.assertRegex(answer[1]["www-authenticate"], "^Bearer ")  # no dialog that asks for a password

    def test_token_in_the_address(self):
        for query in (f"token={self.token}", f"access_token={self.token}", f"authorization=Bearer%20{self.token}"):
            self.assert_refused(self.send("GET", f"/api/v1/platforms?{query}"), 401, "valid token is required")
            self.assert_refused(self.send("GET", f"/api/v1/events?{query}", ["Connection: Upgrade", "Upgrade: websocket",
                                          "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng=="]), 401,
                                "valid token is required")
        address = f"http://owner:{self.token}@{self.host}/api/v1/platforms"
        self.assert_refused(self.send("GET", address), 400, "malformed")

    def test_no_cors_reads(self):
        """<img>, <script>, <iframe> and links send no Origin, but browsers say where they come from."""
        for site in ("cross-site", "same-site"):  # same-site: a page of another port of localhost
            for mode in ("no-cors", "navigate", "cors"):
                for path in ("/api/v1/health", "/api/v1/platforms", "/metrics", "/nothing"):
                    with self.subTest(site, mode=mode, path=path):
                        self.assert_refused(self.send("GET", path, [f"Sec-Fetch-Site: {site}", f"Sec-Fetch-Mode: {mode}"]), 403,
                                            "another origin")
            self.assert_refused(self.send("POST", "/api/v1/experiments", [f"Sec-Fetch-Site: {site}", "Content-Type: text/plain",
                                                                          self.bearer()], self.experiment), 403, "another origin")

    def test_preflight(self):
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            answer = self.send("OPTIONS", "/api/v1/experiments", [f"Origin: {EVIL}", f"Access-Control-Request-Method: {method}",
                                                                  "Access-Control-Request-Headers: authorization, content-type",
                                                                  "Access-Control-Request-Private-Network: true"])
            self.assert_refused(answer, 403, "another origin")
        answer = self.send("OPTIONS", "/api/v1/experiments", [f"Origin: http://{self.host}", "Access-Control-Request-Method: POST"])
        self.assert_refused(answer, 401, "valid token is required")

    def test_sockets_and_streams(self):
        """A page may open a WebSocket to anywhere; only its Origin tells."""
        upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng=="]
        for origin in (EVIL, "null"):
            self.assert_refused(self.send("GET", "/api/v1/events", [*upgrade, f"Origin: {origin}"]), 403, "another origin")
            self.assert_refused(self.send("GET", "/api/v1/events", [*upgrade, f"Origin: {origin}", self.bearer()]), 403, "another origin")
            for accept in ("text/event-stream", "application/x-ndjson"):
                self.assert_refused(self.send("GET", "/api/v1/events", [f"Accept: {accept}", f"Origin: {origin}", self.bearer()]), 403,
                                    "another origin")
        self.assert_refused(self.send("GET", "/api/v1/events", [*upgrade, f"Sec-WebSocket-Protocol: bearer, {self.token}"]), 401,
                            "valid token is required")

    def test_a_request_inside_a_body(self):
        """The body of a refused request is never taken for a request of its own."""
        inner = (f"POST /api/v1/experiments HTTP/1.1\r\nHost: {self.host}\r\n{self.bearer()}\r\nContent-Length: {len(self.experiment)}\r\n\r\n"
                 ).encode() + self.experiment
        for status, headers in ((403, [f"Origin: {EVIL}"]), (401, [])):
            answer = self.send("POST", "/api/v1/experiments", [*headers, "Content-Type: text/plain"], inner)
            self.assertEqual((answer[0], answer[3]), (status, b""))
            answer = self.send("POST", "/api/v1/experiments", [*headers, "Content-Type: text/plain", "Transfer-Encoding: chunked"], inner)
            self.assertIn(answer[0], (400, status))
            self.assertEqual(answer[3], b"")

    def test_answers_are_for_no_page(self):
        """What is answered is not guessed to be HTML, not framed, and not given to pages of another origin."""
        page = "<script>alert(1)</script>"
        answers = [self.send("GET", path, [self.bearer()]) for path in (
            "/api/v1/health", "/api/v1/platforms", "/api/v1/openapi.yaml", f"/api/v1/trials/{page}", "/metrics", f"/{page}")]
        answers.append(self.send("GET", "/api/v1/platforms"))
        answers.append(self.send("GET", "/api/v1/events?metrics=none", [self.bearer(), "Accept: application/x-ndjson"]))
        for code, fields, _, _ in answers:
            with self.subTest(code, fields=fields):
                self.assertNotIn("html", fields["content-type"])
                self.assertEqual(fields.get("x-content-type-options"), "nosniff")
                self.assertEqual(fields.get("cross-origin-resource-policy"), "same-origin")
                self.assertIn("frame-ancestors 'none'", fields.get("content-security-policy", ""))
                self.assertIn("default-src 'none'", fields.get("content-security-policy", ""))

    def test_own_pages_and_programs_are_served(self):
        for headers in ([], [f"Origin: http://{self.host}", "Sec-Fetch-Site: same-origin"], ["Sec-Fetch-Site: none"]):
            self.assertEqual(self.send("GET", "/api/v1/platforms", [*headers, self.bearer()])[0], 200)


if __name__ == "__main__":
    os.chdir("/")
    main()
