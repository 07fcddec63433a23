#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the service on this computer: design figures, one JSON object a line; GNU parallel beside it in the same run.

  bench.py --bin DIR [--quick] [--only NAME,...] [--check]

--check ends with 1 when a ratio (never an absolute time: machines differ) misses its bar.
"""
import argparse
import collections
import contextlib
import json
import operator
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measured_service import Lab, Service, own_folder, quantile, ready

rows = []


def row(name, **figures):
    rows.append({"name": name, **figures})
    print(json.dumps(rows[-1]), flush=True)


def parallel_rate(count, *options):
    begin = time.monotonic()
    subprocess.run(["parallel", "--will-cite", "-j8", *options, "true", "{}"], input="\n".join(str(i) for i in range(count)), text=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return count / (time.monotonic() - begin)


def ours_rate(binaries, count):
    """With a new data directory."""
    with contextlib.closing(Service(binaries)) as fresh:
        experiment = fresh.experiment("true", 8)
        begin = time.monotonic()
        fresh.ask("POST", f"/experiments/{experiment}/trials", {"trials": [{}] * count})
        fresh.wait(experiment, "SUCCEEDED", count)
        return count / (time.monotonic() - begin)


def noop(service, quick):
    """The median of nine ratios, each of two rates that were measured one right after the other, so that what slows the computer down
    for a while slows both. What others wrote before is flushed first: we wait for the disk where GNU parallel does not, and would pay
    for it alone."""
    count = 300 if quick else 1000
    ours, plain = [], []
    for _ in range(9):
        os.sync()
        if shutil.which("parallel"):
            plain.append(parallel_rate(count))
            os.sync()
        ours.append(ours_rate(service.binaries, count))
    figures = {"trials_per_second": round(statistics.median(ours)), "rounds": [round(rate) for rate in ours]}
    if plain:
        with tempfile.TemporaryDirectory() as folder:
            logged = parallel_rate(count, "--joblog", folder + "/log", "--results", folder + "/out")
        ratio = statistics.median(map(operator.truediv, ours, plain))
        figures.update(parallel=round(statistics.median(plain)), parallel_rounds=[round(rate) for rate in plain],
                       parallel_joblog_results=round(logged), ratio=round(ratio, 2), bar="ratio >= 1.2", holds=ratio >= 1.2)
    row("no-op trials, local, durable, concurrency 8", **figures)


def accept(service, quick):
    count = 10000
    experiment = service.experiment("true", 1)
    service.ask("POST", f"/experiments/{experiment}/pause", {})
    body = json.dumps({"trials": [{"parameters": {"lr": 0.001 * i, "batch": 32}} for i in range(count)]})
    times = []
    for _ in range(1 if quick else 3):
        begin = time.monotonic()
        service.ask("POST", f"/experiments/{experiment}/trials", body)
        times.append(time.monotonic() - begin)
    rate = count / min(times)
    row("trials accepted, bulk of 10,000, durable", per_second=round(rate), bar=20000, holds=rate >= 20000)
    lists = []
    for _ in range(20):
        begin = time.monotonic()
        text = service.ask("GET", f"/trials?experimentId={experiment}&limit=1000", raw=True)
        lists.append(1000 * (time.monotonic() - begin))
    row("GET of 1,000 of 10,000 trials", p50_ms=round(quantile(lists, 0.5), 1), max_ms=round(max(lists), 1), bytes=len(text), bar_ms=20,
        holds=quantile(lists, 0.5) <= 20)
    service.ask("POST", f"/experiments/{experiment}/stop", {})


def latency(service, quick):
    """From the client's clock before the POST to the clock that the trial's first command reads."""
    folder = service.folder + "/starts"
    os.makedirs(folder, exist_ok=True)
    experiment = service.experiment(f'echo "$EPOCHREALTIME" > {folder}/{{i}}', 4)
    # bash takes a while itself to come to its first command; it is reported separately, as it is not ours.
    shell = []
    for _ in range(30):
        begin = time.time()
        text = subprocess.run(["bash", "-c", 'echo "$EPOCHREALTIME"'], stdout=subprocess.PIPE, text=True).stdout
        shell.append(1000 * (float(text.replace(",", ".")) - begin))
    delays = []
    for i in range(30 if quick else 100):
        begin = time.time()
        service.ask("POST", f"/experiments/{experiment}/trials", {"parameters": {"i": i}})
        path = f"{folder}/{i}"
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                with open(path) as file:
                    text = file.read()
                if text.endswith("\n"):
                    break
            except FileNotFoundError:
                pass
            time.sleep(0.0005)
        delays.append(1000 * (float(text.replace(",", ".")) - begin))
        service.wait(experiment, "SUCCEEDED", i + 1)
    started = quantile(delays, 0.5) - quantile(shell, 0.5)
    bar = 5 if service.platform == "local" else 11
    row(f"POST of a trial to the start of its process, idle service, {service.platform}", p50_ms=round(started, 2),
        first_command_p50_ms=round(quantile(delays, 0.5), 2), first_command_p99_ms=round(quantile(delays, 0.99), 2),
        shell_alone_p50_ms=round(quantile(shell, 0.5), 2), bar_p50_ms=bar, holds=started <= bar)


def metric_latency(service, quick):
    count = 100 if quick else 300
    script = service.folder + "/report.py"
    with open(script, "w") as file:
        file.write("import os, time, json\n"
                   "out = open(os.environ['TRIALDECK_METRICS_FILE'], 'ab', buffering=0)\n"
                   f"for i in range({count}):\n"
                   "    time.sleep(0.01)\n"
                   "    out.write(('{\"metric\": {\"default\": %.6f}}\\n' % time.time()).encode())\n")
    stream = service.events("?metrics=all")
    experiment = service.experiment(f"python3 {script}", 1)
    trial = service.ask("POST", f"/experiments/{experiment}/trials", {})["trials"][0]["id"]
    delays = []
    while len(delays) < count:
        line = stream.readline()
        now = time.time()
        for metric in json.loads(line)["metrics"]:
            if metric["trialId"] == trial:
                delays.append(1000 * (now - metric["value"]["default"]))
    bar = 5 if service.platform == "local" else 6
    row(f"metric written to seen by a socket client, {service.platform}", p50_ms=round(quantile(delays, 0.5), 2),
        p99_ms=round(quantile(delays, 0.99), 2), bar=f"{bar} / 25",
        holds=quantile(delays, 0.5) <= bar and quantile(delays, 0.99) <= 25)


def ingest(service, quick):
    """Once as fast as a trial can write, stored only; once at a steady pace, every value of it seen by a listener."""
    for live in (False, True):
        count = 200000 if quick else 1000000
        pace = 100000 if live else 0  # a second; a listener that cannot follow gets gaps instead, by design
        script = service.folder + "/flood.py"
        with open(script, "w") as file:
            file.write("import os, time\n"
                       "out = open(os.environ['TRIALDECK_METRICS_FILE'], 'ab', buffering=0)\n"
                       "block = b''.join(b'{\"metric\": %d}\\n' % i for i in range(1000))\n"
                       "begin = time.monotonic()\n"
                       f"for i in range({count // 1000}):\n"
                       "    out.write(block)\n"
                       f"    if {pace}: time.sleep(max(0, begin + (i + 1) * 1000 / ({pace} or 1) - time.monotonic()))\n")
        seen = [0, 0]
        if live:
            stream = service.events("?metrics=all")

            def read():
                while seen[0] < count:
                    line = stream.readline()
                    if not line:
                        return
                    seen[0] += line.count(b'"parameterIndex":')
                    seen[1] += b'"gaps":[]' not in line

            reader = threading.Thread(target=read, daemon=True)
            reader.start()
        experiment = service.experiment(f"python3 {script}", 1)
        begin = time.monotonic()
        trial = service.ask("POST", f"/experiments/{experiment}/trials", {})["trials"][0]["id"]
        service.wait(experiment, "SUCCEEDED", 1)
        if live:
            reader.join(30)
        elapsed = time.monotonic() - begin
        stored = service.ask("GET", f"/trials/{trial}")["metricCount"]
        last = service.ask("GET", f"/trials/{trial}/metrics?since={count - 1}")["metrics"]
        rate = count / elapsed
        whole = stored == count and len(last) == 1 and (not live or seen == [count, 0])
        bar = 50000 if live else 150000
        row("metrics ingested, live to a socket" if live else "metrics ingested, only stored", per_second=round(rate), lost=count - stored,
            seen=seen[0] if live else None, gaps=seen[1] if live else None, bar=bar, holds=whole and rate >= bar)


def idle(service, quick):
    experiment = service.experiment("true", 16)
    finished = 1000 if quick else 10000
    service.ask("POST", f"/experiments/{experiment}/trials", {"trials": [{}] * finished})
    service.wait(experiment, "SUCCEEDED", finished, 600)
    running = service.experiment("sleep 1000", 100)
    service.ask("POST", f"/experiments/{running}/trials", {"trials": [{}] * 100})
    service.wait(running, "RUNNING", 100)
    busy = service.memory(kind="Rss")
    # The changes of the last ten minutes are kept for listeners that come back: a service that has been idle for longer holds none
    # of them, as one that was just started.
    service.kill()
    service.connection.close()
    service.start()
    service.wait(running, "RUNNING", 100)
    time.sleep(2)
    before = service.cpu()
    seconds = 10 if quick else 30
    time.sleep(seconds)
    percent = 100 * (service.cpu() - before) / seconds
    keepers = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            if len(words) > 2 and words[0].endswith(b"trialkeeper") and words[1] == b"run" and service.folder.encode() in b" ".join(words):
                keepers.append(service.memory(pid) * 1024)
        except (OSError, FileNotFoundError):
            pass
    memory = service.memory(kind="Rss")
    row("idle service", finished=finished, running=100, cpu_percent=round(percent, 2), memory_mb=round(memory, 1), after_the_burst_mb=round(busy, 1),
        keeper_pss_kb=round(sum(keepers) / max(1, len(keepers))), keepers=len(keepers), bar="0.2 %, 60 MB, 150 KB a keeper",
        holds=percent < 0.2 and memory < 60 and (not keepers or sum(keepers) / len(keepers) <= 150))
    service.ask("POST", f"/experiments/{running}/stop", {})


def restart(service, quick):
    count = 200 if quick else 1000
    marks = service.folder + "/marks"
    experiment = service.experiment(f"echo x >> {marks}; exec sleep 1000", count)
    service.ask("POST", f"/experiments/{experiment}/trials", {"trials": [{}] * count})
    service.wait(experiment, "RUNNING", count)
    before = {t["id"]: t["startTime"] for t in service.ask("GET", f"/trials?experimentId={experiment}&limit=1000")["trials"]}
    service.kill()
    service.connection.close()
    wall = time.time() * 1000
    begin = time.monotonic()
    service.start()
    # Adopted: the new life has heard of each from its own agent (lastContact is newer than the start).
    while True:
        trials = service.ask("GET", f"/trials?experimentId={experiment}&limit=1000")["trials"]
        running = sum(1 for t in trials if t["status"] == "RUNNING" and before.get(t["id"]) == t["startTime"]
                      and (t["lastContact"] or 0) >= wall)
        if running >= count or time.monotonic() - begin > 60:
            break
        time.sleep(0.02)
    elapsed = time.monotonic() - begin
    with open(marks) as file:
        started = len(file.readlines())
    row("restart with running trials", trials=count, adopted=running, seconds=round(elapsed, 2), started=started, bar_seconds=2,
        holds=running == count and started == count and elapsed < 2)
    service.ask("POST", f"/experiments/{experiment}/stop", {})


def remote(service, quick):
    """One machine over SSH: from nothing to 50 trials, then what is measured on this computer."""
    lab = Lab(service, 1)
    try:
        begin = time.monotonic()
        service.ask("PUT", "/platforms/remote", {"kind": "remote", "settings": {"machineList": lab.machines}})
        service.platform = "remote"
        experiment = service.experiment("true", 4)
        service.ask("POST", f"/experiments/{experiment}/trials", {"trials": [{}] * 50})
        service.wait(experiment, "SUCCEEDED", 50)
        seconds = time.monotonic() - begin
        row("50 no-op trials over SSH, concurrency 4, platform made, login and agent included", seconds=round(seconds, 2), bar_seconds=1.5,
            holds=seconds < 1.5)
        latency(service, quick)
        metric_latency(service, quick)
    finally:
        lab.close()


def fleet(service, quick):
    """Many machines over SSH in one service that has nothing to do."""
    count = 32 if quick else 200
    lab = Lab(service, count)
    try:
        begin = time.monotonic()
        service.ask("PUT", "/platforms/remote", {"kind": "remote", "settings": {"machineList": lab.machines}})
        ready(service, count)
        connected = time.monotonic() - begin
        time.sleep(5)  # what connecting left to do is not idling
        before = service.cpu()
        seconds = 10 if quick else 30
        time.sleep(seconds)
        percent = 100 * (service.cpu() - before) / seconds
        memory = service.memory(kind="Rss")
        threads = collections.Counter()
        for task in os.listdir(f"/proc/{service.process.pid}/task"):
            with open(f"/proc/{service.process.pid}/task/{task}/comm") as file:
                threads[file.read().strip()] += 1
        row("machines over SSH in one idle service", machines=count, connected_seconds=round(connected, 2), cpu_percent=round(percent, 2),
            memory_mb=round(memory, 1), threads=dict(threads), bar="200: 80 MB, 1 %", holds=percent < 1 and memory < 80)
    finally:
        lab.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of trialdeckd (release build)")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true", help="fail when a ratio misses its bar")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    all_figures = {"noop": noop, "accept": accept, "latency": latency, "metric_latency": metric_latency, "ingest": ingest, "idle": idle,
                   "restart": restart, "remote": remote, "fleet": fleet}
    chosen = [name for name in options.only.split(",") if name] or list(all_figures)
    with own_folder():
        for name in chosen:
            service = Service(options.bin)
            try:
                all_figures[name](service, options.quick)
            finally:
                service.close()
    if options.check:
        failed = [r["name"] for r in rows if "ratio" in r and not r["holds"]]
        for name in failed:
            print(f"below its bar: {name}", file=sys.stderr)
        sys.exit(1 if failed else 0)


main()
