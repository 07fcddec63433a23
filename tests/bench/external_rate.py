# SPDX-License-Identifier: GPL-3.0-or-later
"""1,000 trials through the sample of a training service in Python, beside 1,000 of this computer's own: python3 external_rate.py PROGRAM."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
from trialdeck_service import Service, until  # noqa: E402

SPOOLER = HERE.parents[1] / "resources" / "examples" / "external" / "task_spooler.py"
COUNT = 1_000
SHARE = 1 / 8  # of the rate of this computer's own trials: each trial of the queue is a call of the program, two of tsp, and a batch script
MOST_GROWTH = 8  # MB of the program, from the first thousand to the second


def memory(pid):
    """MB."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024


def rate(service, platform):
    experiment = service.post("/experiments", {"platformId": platform, "trialConcurrency": 20, "trialCommand": "true"})["id"]
    began = time.monotonic()
    for _ in range(2):
        service.post(f"/experiments/{experiment}/trials", {"trials": [{"parameters": {}}] * (COUNT // 2)})
    until(300, f"{COUNT} trials on {platform}", lambda: service.get(f"/experiments/{experiment}")["counts"]["SUCCEEDED"] >= COUNT)
    return COUNT / (time.monotonic() - began)


def main(program):
    with tempfile.TemporaryDirectory(prefix="td-external-", ignore_cleanup_errors=True) as folder:
        data, socket = pathlib.Path(folder, "data"), str(pathlib.Path(folder, "socket"))
        subprocess.run([program, "external", "add", "spooler", "--data-dir", str(data), "--", "python3", str(SPOOLER)],
                       check=True, capture_output=True, timeout=60)
        service = Service(program, data).start()
        try:
            service.call("PUT", "/platforms/queue", {"kind": "external.spooler", "settings": {"socket": socket, "slots": 20, "pollInterval": 1}})
            until(60, "the queue is there", lambda: service.get("/platforms/queue")["state"] == "READY")
            sample = int(subprocess.run(["pgrep", "-P", str(service.process.pid), "-f", SPOOLER.name], check=True, capture_output=True).stdout)
            own = rate(service, "local")
            rates, sizes = [], []
            for _ in range(2):
                rates.append(rate(service, "queue"))
                sizes.append(memory(sample))
            print(f"local {own:.0f}/s, through the sample {rates[0]:.0f}/s and {rates[1]:.0f}/s; its memory {sizes[0]} and {sizes[1]} MB, "
                  f"the service's {memory(service.process.pid)} MB")
            assert min(rates) >= own * SHARE, rates
            assert sizes[1] - sizes[0] <= MOST_GROWTH, sizes
            service.stop()
        finally:
            service.kill()
            subprocess.run(["tsp", "-K"], env={**os.environ, "TS_SOCKET": socket}, check=False)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
