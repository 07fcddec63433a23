#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine's agent in the hands of an attacker: sshd's ForceCommand runs it whatever the service asks for. It speaks the protocol
(services/wire/protocol.h) and says what orders.json in its folder (the first argument) tells it to:

{"hello": {members}, "say": [[message, size of raw bytes, times], …]}

`say` is said after each hello, and again whenever a file `go` appears. What it heard goes to heard.jsonl, a line a message."""

import json
import os
import pathlib
import select
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1])
MAX_FRAME = 1024 * 1024


def write(data):
    view = memoryview(data)
    while view:
        view = view[os.write(1, view):]


def frame(message, raw=b""):
    text = json.dumps(message).encode()
    return struct.pack("<IH", 2 + len(text) + len(raw), len(text) if len(text) <= 65535 else 0) + text + raw


def say(orders):
    for message, size, times in orders.get("say", []):
        raw = message.pop("rawText").encode() if "rawText" in message else b"x" * size
        for number in range(times):
            numbered = {k: (v.replace("#", str(number)) if isinstance(v, str) else v) for k, v in message.items()}
            if "req" in numbered:
                numbered["req"] = number
            write(frame(numbered, raw))


def read_orders():
    return json.loads((FOLDER / "orders.json").read_text())


def main():
    command = os.environ.get("SSH_ORIGINAL_COMMAND", "").replace('trial""deck-', "trialdeck-")  # as the shell reads it
    at = command.find("trialdeck-")
    if at < 0:
        return
    mark = command[at:command.index(" ", at) + 1]
    buffered = b""
    while buffered.count(b"\n") < 3:  # the folder, PATH and preCommand
        data = os.read(0, 65536)
        if not data:
            return
        buffered += data
    buffered = buffered.split(b"\n", 3)[3]
    write(f"{mark}run x86_64\n".encode())
    heard = open(FOLDER / "heard.jsonl", "a", encoding="utf-8")
    while True:
        while len(buffered) >= 6:
            length, size = struct.unpack("<IH", buffered[:6])
            if len(buffered) < 4 + length:
                break
            text = buffered[6:6 + (size or length - 2)]
            buffered = buffered[4 + length:]
            message = json.loads(text)
            heard.write(json.dumps(message) + "\n")
            heard.flush()
            answer(message)
        if (FOLDER / "go").exists():
            (FOLDER / "go").unlink()
            try:
                say(read_orders())
            finally:  # also when the service has had enough and ended the connection
                (FOLDER / "said").touch()
        if (FOLDER / "leave").exists():
            (FOLDER / "leave").unlink()
            return
        if select.select([0], [], [], 0.05)[0]:
            data = os.read(0, 65536)
            if not data:
                return
            buffered += data


def answer(message):
    name = message["m"]
    if name == "hello":
        orders = read_orders()
        write(frame({"m": "hello", "version": 1, "arch": "x86_64", "bootId": "b", "hostname": "h", "user": "u", "home": "/", "base": "/b",
                     "cpuCount": 4, "memoryTotal": 1, "time": 1, "trials": [], **orders["hello"]}))
        say(orders)
        (FOLDER / "greeted").touch()
    elif name == "adopt":
        write(frame({"m": "adopted", "trials": [{"id": t["id"], "state": "running"} for t in message["trials"]]}))
    elif name == "start":
        write(frame({"m": "started", "results": [{"trial": t["id"], "pid": 1, "time": 1, "repeat": False} for t in message["trials"]]}))
        for trial in message["trials"]:
            write(frame({"m": "event", "trial": trial["id"], "offset": 0, "next": 10, "type": "running", "pid": 1, "time": 1}))
    elif name == "cancel":
        write(frame({"m": "cancelled", "results": [{"trial": t, "state": "ended"} for t in message["trials"]]}))
    elif name == "has":
        write(frame({"m": "has", "sha": message["sha"], "present": True}))
    elif name == "ping":
        write(frame({"m": "pong", "req": message["req"], "time": 1}))
    elif name == "read":  # also of the proof that a trial was placed here
        write(frame({"m": "data", "req": message["req"], "offset": 0, "size": 64, "eof": True}, b"0" * 64))
    elif name == "remove":
        write(frame({"m": "removed", "req": message["req"], "failed": []}))


main()
