# SPDX-License-Identifier: GPL-3.0-or-later
"""What stand-in servers share: HTTP/1.1 on the loopback, with or without TLS, a record of all requests, and faults that a test asks for.

A server is an `Application`: it answers requests, and names in `controls` what else a test may ask of it. Everything below /control
is for tests and is neither recorded nor disturbed:

    POST /control/fault     one more fault (faults.py)
    POST /control/random    {"share":0.05,"seed":1,"kinds":[…]}: a share of all requests fails in one of these ways
    POST /control/clear     no faults; with {"requests":true} the record is empty, too
    POST /control/settings  changes settings and answers all of them; so does GET
    GET  /control/requests  ?path=REGEX&method=…: what was asked and answered, in order, and how often
    GET  /control/jobs      what the server knows of its jobs
"""

import collections
import ctypes
import dataclasses
import email.utils
import gzip
import heapq
import http
import http.server
import itertools
import json
import os
import re
import signal
import socket
import struct
import sys
import threading
import time
import traceback
import urllib.parse

import certificates
from faults import Faults

KEPT_REQUESTS = 100_000
KEPT_BODY = 1_000_000  # bytes of each


class Refusal(Exception):
    """An answer that is not the one hoped for, from anywhere within a request."""

    def __init__(self, reply):
        super().__init__(reply.status)
        self.reply = reply


@dataclasses.dataclass
class Request:
    method: str
    target: str  # as it came
    path: str  # decoded
    query: dict  # the last value of each name
    headers: object
    body: bytes
    user: object = None  # whom the application found it to be from

    def header(self, name, default=""):
        return self.headers.get(name, default)

    def content_type(self):
        return self.header("Content-Type").partition(";")[0].strip().lower()

    def json(self):
        return json.loads(self.body)


@dataclasses.dataclass
class Reply:
    status: int = 200
    body: bytes = b""
    content_type: str = "application/json; charset=utf-8"
    headers: dict = dataclasses.field(default_factory=dict)


def json_reply(value, status=200, **more):
    return Reply(status, json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), **more)


def text_reply(text, status=200, content_type="text/plain; charset=utf-8", **more):
    return Reply(status, text.encode(), content_type, **more)


class Timers:
    """Calls functions later, one at a time, on a thread of its own."""

    def __init__(self):
        self.changed = threading.Condition()
        self.calls = []
        self.numbers = itertools.count()
        threading.Thread(target=self._run, daemon=True).start()

    def after(self, seconds, function, *arguments):
        with self.changed:
            heapq.heappush(self.calls, (time.monotonic() + seconds, next(self.numbers), function, arguments))
            self.changed.notify()

    def _run(self):
        while True:
            with self.changed:
                while not self.calls or self.calls[0][0] > time.monotonic():
                    self.changed.wait(self.calls[0][0] - time.monotonic() if self.calls else None)
                _, _, function, arguments = heapq.heappop(self.calls)
            try:
                function(*arguments)
            except Exception:  # One job's trouble is not that of the others.
                traceback.print_exc()


class Application:
    """Base of a server's own part. All of it runs under `lock`."""

    def __init__(self):
        self.lock = threading.RLock()
        self.timers = Timers()
        self.url = ""  # once it listens
        self.settings = {"skew": 0}  # how far its clock is off, in seconds
        self.controls = {}  # name: function(members of a POST) -> answer

    def now(self):
        """By the server's own clock, in seconds since 1970."""
        return time.time() + self.settings["skew"]

    def answer(self, request):
        raise NotImplementedError

    def error(self, status):
        """How this server says that something failed, for a fault that gives no body."""
        return json_reply({"message": http.HTTPStatus(status).phrase}, status)

    def jobs(self):
        """For GET /control/jobs."""
        return []

    def set(self, name, value):
        """One setting; a dictionary is changed member by member."""
        if name not in self.settings:
            raise Refusal(json_reply({"error": f"no setting {name}"}, 400))
        if isinstance(self.settings[name], dict):
            unknown = set(value) - set(self.settings[name])
            if unknown:
                raise Refusal(json_reply({"error": f"no settings {sorted(unknown)} of {name}"}, 400))
            self.settings[name].update(value)
        else:
            self.settings[name] = value

    def close(self):
        """Ends whatever it has started."""


class Control:
    """Answers what a test asks."""

    def __init__(self, application, faults, record):
        self.application = application
        self.faults = faults
        self.record = record

    def answer(self, request):
        name = request.path.removeprefix("/control/")
        try:
            members = json.loads(request.body or b"{}")
            if request.method == "GET":
                return json_reply(self._read(name, request.query))
            if request.method == "POST":
                return json_reply(self._change(name, members))
        except Refusal as refusal:
            return refusal.reply
        except (KeyError, TypeError, ValueError, re.error) as error:
            return json_reply({"error": f"{type(error).__name__}: {error}"}, 400)
        return json_reply({"error": f"no control {request.method} {name}"}, 404)

    def _read(self, name, query):
        if name == "requests":
            found = self.record.find(query.get("path", ""), query.get("method"))
            return {"count": len(found), "requests": found}
        if name == "faults":
            return self.faults.all()
        if name == "settings":
            return self.application.settings
        if name == "jobs":
            return self.application.jobs()
        raise Refusal(json_reply({"error": f"no control GET {name}"}, 404))

    def _change(self, name, members):
        if name == "fault":
            return self.faults.add(members)
        if name == "random":
            return self.faults.at_random(members)
        if name == "clear":
            self.faults.clear()
            if members.get("requests"):
                self.record.clear()
            return {}
        if name == "settings":
            for setting, value in members.items():
                self.application.set(setting, value)
            return self.application.settings
        if name in self.application.controls:
            return self.application.controls[name](members)
        raise Refusal(json_reply({"error": f"no control POST {name}"}, 404))


class Record:
    """Of requests, the newest ones."""

    def __init__(self):
        self.entries = collections.deque(maxlen=KEPT_REQUESTS)

    def add(self, request, connection, now):
        """What is known before it is answered; the caller fills in the rest."""
        target = urllib.parse.urlsplit(request.target)
        entry = {"method": request.method, "path": request.path, "query": target.query, "arguments": request.query,
                 "headers": dict(request.headers.items()), "body": request.body[:KEPT_BODY].decode(errors="replace"),
                 "connection": connection, "time": now, "status": None, "fault": None}
        self.entries.append(entry)
        return entry

    def find(self, path, method=None):
        pattern = re.compile(path)
        return [entry for entry in list(self.entries) if pattern.search(entry["path"]) and method in (None, entry["method"])]

    def clear(self):
        self.entries.clear()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, application, port=0, tls=None):
        """`tls`: an ssl.SSLContext, for https."""
        super().__init__(("127.0.0.1", port), Handler)
        if tls:  # Who never says hello holds up his own thread only.
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.application = application
        self.faults = Faults()
        self.record = Record()
        self.control = Control(application, self.faults, self.record)
        self.connections = itertools.count()
        self.ending = threading.Event()
        application.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):  # A client may go at any time.
            super().handle_error(request, client_address)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.number = next(self.server.connections)

    def log_message(self, *_):
        pass

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size)
            if len(body) < size:
                raise ConnectionAbortedError("the client went before its request was whole")
            return body
        body = b""
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    def answer(self):
        target = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(target.query, keep_blank_values=True))
        request = Request(self.command, self.path, urllib.parse.unquote(target.path), query, self.headers, self.body())
        application = self.server.application
        if request.path.startswith("/control/"):
            with application.lock:
                reply = self.server.control.answer(request)
            self.send(reply)
            return
        with application.lock:
            entry = self.server.record.add(request, self.number, application.now())
            fault = self.server.faults.take(request.method, request.path, request.query) or {"kind": None}
            entry["fault"] = fault["kind"]
            reply = None if self.replaces(fault) else self.ask(request)
            reply = self.changed(fault, reply, request)
            entry["status"] = reply and reply.status
        self.deliver(fault, reply)

    def ask(self, request):
        try:
            return self.server.application.answer(request)
        except Refusal as refusal:
            return refusal.reply
        except Exception:  # A mistake of the stand-in, which must not look like one of the network.
            traceback.print_exc()
            return self.server.application.error(500)

    # Faults, in the order of a request: what never reaches the application, what changes its reply, how that is sent.

    @staticmethod
    def replaces(fault):
        return fault["kind"] == "refuse" or (fault["kind"] in ("status", "html", "redirect") and not fault.get("accepted"))

    def changed(self, fault, reply, request):
        """The reply with the fault; None where there is none to send."""
        kind = fault["kind"]
        if kind in ("drop", "refuse"):
            return None
        if kind == "status":
            reply = self.server.application.error(fault["status"])
            if "body" in fault:
                reply.body = fault["body"].encode() if isinstance(fault["body"], str) else json.dumps(fault["body"]).encode()
            if "retryAfter" in fault:
                after = fault["retryAfter"]
                reply.headers["Retry-After"] = str(after)
                if fault.get("date"):  # of one moment with Date, however long the reply takes from here
                    now = self.server.application.now()
                    reply.headers |= {"Date": self.date(now), "Retry-After": self.date(now + after)}
        elif kind == "html":
            page = "<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"
            reply = text_reply(page, fault.get("status", 502), "text/html")
        elif kind == "redirect":
            where = fault.get("location") or f"https://{request.header('Host')}{request.target}"
            reply = Reply(fault.get("status", 302), b"", "text/plain", {"Location": where})
        elif kind == "short":
            reply.body = reply.body[:len(reply.body) // 2]
        elif kind == "gzip" and (fault.get("always") or "gzip" in request.header("Accept-Encoding")):
            reply.body = gzip.compress(reply.body)
            reply.headers["Content-Encoding"] = "gzip"
        if "contentType" in fault or kind == "contentType":
            reply.content_type = fault.get("contentType", "text/plain")
        return reply

    def deliver(self, fault, reply):
        kind = fault["kind"]
        if reply is None:
            self.cut(fault)
            return
        if "seconds" in fault and self.server.ending.wait(fault["seconds"]):
            return
        if kind == "closeAfterHeaders":
            self.wfile.write(self.head(reply))
            self.cut(fault)
        elif kind == "truncate":
            self.wfile.write(self.head(reply) + reply.body[:len(reply.body) // 2])
            self.cut(fault)
        elif kind == "drip":
            head = b"" if fault.get("head") else self.head(reply)
            self.wfile.write(head)
            for byte in reply.body if head else self.head(reply) + reply.body:
                self.wfile.write(bytes([byte]))
                if self.server.ending.wait(fault.get("interval", 0.1)):
                    return
        else:
            self.send(reply)
            if kind == "close":
                self.cut(fault)

    def cut(self, fault):
        self.close_connection = True
        if fault.get("reset"):  # The other end sees an error, not an end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def date(time):
        return email.utils.formatdate(time, usegmt=True)

    def head(self, reply):
        lines = [f"HTTP/1.1 {reply.status} {http.HTTPStatus(reply.status).phrase}"]
        if "Date" not in reply.headers:
            lines.append(f"Date: {self.date(self.server.application.now())}")
        if reply.status != 204:
            lines += [f"Content-Type: {reply.content_type}", f"Content-Length: {len(reply.body)}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        if self.close_connection:
            lines.append("Connection: close")
        return "\r\n".join([*lines, "", ""]).encode()

    def send(self, reply):
        self.wfile.write(self.head(reply) + (b"" if self.command == "HEAD" else reply.body))

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = answer


def end_with_parent():
    """SIGTERM when the thread that started this process ends."""
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGTERM)


def serve(application, port=0, tls=None, **lines):
    """Prints `url=` and more lines NAME=VALUE, and answers until standard input ends, SIGTERM, or the parent's end. A value may be a
    function, which is called once the server listens. `tls`: a new folder for certificates (certificates.py); then it prints `ca=`, too."""
    def stop(*_):
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    end_with_parent()
    if tls:
        lines["ca"] = certificates.make(tls)
    server = Server(application, port, certificates.server_context(tls) if tls else None)
    try:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 3600}, daemon=True).start()
        for name, value in {"url": application.url, **lines}.items():
            print(f"{name}={value() if callable(value) else value}", flush=True)
        while os.read(0, 4096):
            pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        server.ending.set()
        server.socket.close()
        application.close()
    return 0
