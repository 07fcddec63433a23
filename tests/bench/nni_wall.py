# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole NNI experiments of no-op trials, on NNI's own local service and on Trialdeck, side by side: python3 nni_wall.py PROGRAM

One JSON object a line: seconds from the first submission to the status DONE. The four experiments of one concurrency run at the
same time, because nearly all of it is NNI's own waiting. Needs the virtual environments of tests/peers.
"""

import concurrent.futures
import json
import pathlib
import shutil
import sqlite3
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from nni_peer import Nni  # noqa: E402  (found by the line above)
from trialdeck_service import Service, until  # noqa: E402

SIZES = {1: 10, 8: 80, 32: 160}


def wall(nni, service, concurrency, trials):
    name = f"{'own' if service is None else 'trialdeck'}-{concurrency}"
    training = {"platform": "local"} if service is None else {"dataDir": str(service.folder)}
    experiment = nni.begin(name, training, "true\n", trialCommand="true", trialConcurrency=concurrency, maxTrialNumber=trials)
    try:
        experiment.wait(600)
        profile = experiment.rest("/experiment")
        with sqlite3.connect(f"file:{experiment.folder / 'db' / 'nni.sqlite'}?mode=ro", uri=True) as database:
            first, = database.execute("SELECT min(timestamp) FROM TrialJobEvent").fetchone()
        return (profile["endTime"] - first) / 1000
    finally:
        experiment.kill()


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="trialdeck-wall-"))
    service = Service(sys.argv[1], folder / "service").start()
    nnis = [Nni(version, folder / version) for version in ("2.10.1", "3.0")]
    for concurrency, trials in SIZES.items():
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            jobs = {(nni.version, where): pool.submit(wall, nni, where, concurrency, trials) for nni in nnis for where in (None, service)}
            for (version, where), job in jobs.items():
                seconds = job.result()
                print(json.dumps({"what": "nni wall clock", "nni": version, "service": "trialdeck" if where else "its own",
                                  "concurrency": concurrency, "trials": trials, "seconds": round(seconds, 1),
                                  "perTrial": round(seconds / trials, 3)}), flush=True)
    service.stop()
    until(10, "the service ends", lambda: service.process is None)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
