# SPDX-License-Identifier: GPL-3.0-or-later
"""A queue whose program misbehaves as its test says. Jobs are processes of this machine, known by files, so that they outlive the program.

The folder that the setting `lab` names has `jobs/NAME/` with `pid` and `exit`, and the test's orders: a file `CALL.fault` holds what the program
does at the next such call, and is taken away by that; `greeting.fault` is about the first line.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

FIELDS = [{"name": "lab", "type": "path", "title": "Lab", "required": True, "namesCluster": True},
          {"name": "password", "type": "string", "title": "Password", "secret": True},
          {"name": "queue", "type": "string", "title": "Queue", "choices": True}]
OPTIONS = [{"name": "priority", "type": "integer", "title": "Priority", "minimum": 0}]


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def raw(text):
    sys.stdout.write(text)
    sys.stdout.flush()


class Queue:
    def __init__(self, lab):
        self.lab = lab

    def describe(self, _):
        return {"title": "A lab's queue", "fields": FIELDS, "experimentFields": OPTIONS, "pushes": False,
                "calls": ["forget", "machines", "check", "choices"]}

    def open(self, call):
        self.lab = pathlib.Path(call["settings"]["lab"])
        (self.lab / "jobs").mkdir(exist_ok=True)
        (self.lab / "opened").write_text(json.dumps(call))
        if call["settings"].get("queue") == "none":
            return {"error": {"kind": "invalid", "message": "There is no queue none."}}
        return {}

    def submit(self, call):
        job = self.lab / "jobs" / call["name"]
        with open(self.lab / "submits", "a") as log:
            print(json.dumps(call), file=log)
        if (self.lab / "twice").exists():  # the defect that the suite must find
            job = pathlib.Path(f"{job}-{time.time_ns()}")
        if not job.exists():
            job.mkdir()
            line = 'echo $$ > "$1/pid"; bash "$0"; echo $? > "$1/new" && mv "$1/new" "$1/exit"'
            subprocess.Popen(["bash", "-c", line, call["script"], str(job)], start_new_session=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return {"job": f"#{call['name'][-3:]}"}

    def jobs(self, _):
        found = []
        for job in sorted((self.lab / "jobs").iterdir()) if self.lab else []:
            state = {"name": job.name, "job": f"#{job.name[-3:]}", "state": "running", "machine": "node1"}
            if (job / "exit").exists():
                state.update(state="ended", exitCode=int((job / "exit").read_text()))
            found.append(state)
        return {"jobs": found}

    def cancel(self, call):
        try:
            os.killpg(int((self.lab / "jobs" / call["name"] / "pid").read_text()), signal.SIGTERM)
        except (OSError, ValueError):
            pass
        return {}

    def forget(self, call):
        subprocess.run(["rm", "-rf", str(self.lab / "jobs" / call["name"])], check=True)
        return {}

    def machines(self, _):
        return {"machines": [{"name": "node1", "cpus": 8, "memory": 16e9, "gpus": [{"model": "G1", "memory": 8e9, "inUse": True}, {"model": "G1"}]}]}

    def check(self, call):
        good = call["settings"].get("queue") != "bad"
        return {"steps": [{"id": "queue", "title": "Queue", "state": "ok" if good else "fail", "detail": "main",
                           "remedy": "" if good else "Choose main."}]}

    def choices(self, _):
        return {"choices": ["main", "night"]}


def misbehave(fault, call, answer):
    """Whether that was all."""
    if fault == "die":
        print("no more memory", file=sys.stderr, flush=True)
        os._exit(7)
    if fault == "half":
        raw(json.dumps(answer)[:9])
        os._exit(0)
    if fault == "never":
        return True
    if fault == "hang":
        time.sleep(3600)
    if fault == "slow":
        time.sleep(8)
    if fault == "answer and die":
        say(answer)
        os._exit(9)
    if fault == "garbage":
        raw("Loading configuration ...\n\x00\xff\n[1, 2]\n\"text\"\n{\n")
    elif fault == "twice":
        say(answer)
    elif fault == "stray":
        say({"id": call["id"] + 1000, "jobs": []})
        say({"id": "x"})
        say({"event": "moon"})
    elif fault == "long":
        for _ in range(100):
            raw("x" * 1024 * 1024)
    elif fault == "wrong":
        say({"id": call["id"], "jobs": 7, "machines": {}, "steps": "no"})
        return True
    elif fault.startswith("{"):
        say({"id": call["id"], **json.loads(fault)})
        return True
    return False


def main():
    queue = Queue(None)
    lab = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if lab:
        (lab / "program.pid").write_text(str(os.getpid()))

    def fault_of(name):
        path = lab / f"{name}.fault" if lab else None
        if path is None or not path.exists():
            return ""
        text = path.read_text()
        path.unlink()
        return text

    greeting = fault_of("greeting")
    if greeting == "die":
        print("ImportError: no module named lab", file=sys.stderr, flush=True)
        sys.exit(3)
    if greeting == "other protocol":
        say({"protocol": 2})
    elif greeting == "late":
        raw("Welcome to the lab\n")
        time.sleep(1)
    if greeting != "silent":
        say({"protocol": 1, "name": "lab", "version": "1"})
    for line in sys.stdin:
        call = json.loads(line)
        if lab:
            with open(lab / "calls", "a") as log:
                print(call["call"], file=log)
        if call["call"] == "close":
            return
        fault = fault_of(call["call"])
        if fault.startswith("before ") and misbehave(fault[7:], call, {}):
            continue
        answer = {"id": call["id"], **getattr(queue, call["call"])(call)}
        if not misbehave(fault, call, answer):
            say(answer)


main()
