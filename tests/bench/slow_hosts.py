#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two bad machines among many change nothing for the others.

  slow_hosts.py --bin DIR [--machines 50]

One of the machines stops answering in the middle of its session (its sshd and all below are stopped by a signal), another one's bytes
arrive one a second. Trials on the others take as long from submission to their end as they did before, and so do requests to the service: p99 at
most twice that of the same machines before, in the same run, and 50 ms more.
"""
import argparse
import contextlib
import json
import os
import signal
import socket
import sys
import threading
import time

from measured_service import Lab, Service, loopback_sshd, own_folder, quantile, ready


class Trickle:
    """A relay to an address that, once told, passes one byte a second each way."""

    def __init__(self, to):
        self.to = to
        self.slow = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.to)
            for a, b in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=(a, b), daemon=True).start()

    def copy(self, a, b):
        try:
            while data := a.recv(1 if self.slow else 65536):
                for piece in (data[i:i + 1] for i in range(len(data))) if self.slow else [data]:
                    b.sendall(piece)
                    if self.slow:
                        time.sleep(1)
        except OSError:
            pass
        finally:
            for end in (a, b):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def below(pid):
    """The process and all of its descendants."""
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                children.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(entry))
        except OSError:
            pass
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def send(number, pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # it has ended since it was found
            os.kill(pid, number)


def measure(service, bad, count):
    """Of the good machines' trials, in milliseconds: submission to end; and of requests meanwhile."""
    requests = []
    trials = []
    experiment = service.experiment("true", 60)
    for _ in range(count // 10):
        reply = service.ask("POST", f"/experiments/{experiment}/trials", {"trials": [{}] * 10})
        trials += [trial["id"] for trial in reply["trials"]]
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            begin = time.monotonic()
            service.ask("GET", "/machines?platformId=remote")
            requests.append(1000 * (time.monotonic() - begin))
            time.sleep(0.02)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        rows = service.ask("GET", f"/trials?experimentId={experiment}&limit=1000")["trials"]
        good = [row for row in rows if row["machineId"] and row["machineId"] not in bad]
        waiting = [row for row in rows if not row["machineId"]]
        if not waiting and all(row["status"] == "SUCCEEDED" for row in good):
            break
        time.sleep(0.05)
    else:
        late = [(row["id"], row["status"], row["machineId"], row["reason"]) for row in waiting + good if row["status"] != "SUCCEEDED"]
        raise SystemExit(f"{len(late)} trials that should have ended on good machines did not: {late[:5]}")
    service.ask("POST", f"/experiments/{experiment}/stop", {})
    return len(good), [row["endTime"] - row["submitTime"] for row in good], requests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of trialdeckd (release build)")
    parser.add_argument("--machines", type=int, default=50)
    options = parser.parse_args()
    failures = []
    with own_folder():
        service = Service(options.bin)
        lab = Lab(service, options.machines - 2)
        hanging = loopback_sshd.Sshd(f"{service.folder}/hanging", ["127.0.2.1"]).start()
        slow = loopback_sshd.Sshd(f"{service.folder}/slow", ["127.0.2.2"]).start()
        relay = Trickle(("127.0.2.2", slow.port))
        try:
            through = {**slow.machine, "host": "127.0.0.1", "port": relay.port}
            with open(f"{service.data}/known_hosts", "a") as file:
                file.write(hanging.known_hosts_line + slow.known_hosts_line.replace(f"[127.0.2.2]:{slow.port}", f"[127.0.0.1]:{relay.port}"))
            service.ask("PUT", "/platforms/remote",
                        {"kind": "remote", "settings": {"machineList": [hanging.machine, through, *lab.machines]}})
            service.platform = "remote"
            ready(service, options.machines)
            machines = {m["address"]: m["id"] for m in service.ask("GET", "/machines?platformId=remote")["machines"]}
            bad = {id for address, id in machines.items() if "127.0.2.1:" in address or f"127.0.0.1:{relay.port}" in address}
            if len(bad) != 2:
                raise SystemExit(f"the two bad machines are not among {list(machines)}")
            measure(service, bad, 100)  # the first trials of a machine pay for folders
            before = measure(service, bad, 200)
            stopped = below(hanging.process.pid)
            send(signal.SIGSTOP, stopped)
            relay.slow = True
            after = measure(service, bad, 200)
            send(signal.SIGCONT, stopped)
            relay.slow = False
            figures = {"machines": options.machines}
            for name, index in (("trial_ms", 1), ("request_ms", 2)):
                was, now = (quantile(one[index], 0.99) for one in (before, after))
                figures[name] = {"p50": [round(quantile(one[index], 0.5), 1) for one in (before, after)], "p99": [round(was, 1), round(now, 1)]}
                if now > 2 * was + 50:
                    failures.append(f"{name}: p99 {was:.1f} before, {now:.1f} with two bad machines")
            figures["trials"] = [before[0], after[0]]
            print(json.dumps(figures | {"holds": not failures}), flush=True)
        finally:
            send(signal.SIGCONT, below(hanging.process.pid))
            service.close()
            for sshd in (hanging, slow):
                sshd.stop()
            lab.close()
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


sys.exit(main())
