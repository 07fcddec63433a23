# SPDX-License-Identifier: GPL-3.0-or-later
"""Posts a trial's metrics to a service that runs with --ingest: no file, no library, only the way to the service.

    from post_metrics import Metrics
    metrics = Metrics()
    metrics.report(0.93, step=1)
    metrics.report({"default": 0.95, "loss": 0.2}, final=True)

Each call returns when the value is stored. While the service is away it tries again, and what was stored before does not count twice.
"""

import json
import os
import time
import urllib.error
import urllib.request


class Metrics:
    def __init__(self, patience=600):
        """`patience`: seconds for which a service that does not answer is waited for. A platform that starts a trial again, such as Slurm,
        counts its runs; each run's values are numbered anew."""
        run = os.environ.get("SLURM_RESTART_COUNT", "0")
        self.url = f"{os.environ['TRIALDECK_INGEST_URL']}?run={run}"
        self.token = os.environ["TRIALDECK_INGEST_TOKEN"]
        self.patience = patience
        self.offset = 0  # of the next value

    def report(self, value, step=None, final=False):
        line = {"offset": self.offset, "metric": value, "type": "FINAL" if final else "PERIODICAL"}
        if step is not None:
            line["step"] = step
        self.offset = self.post(json.dumps(line) + "\n")

    def post(self, lines):
        """The offset that is wanted next."""
        end = time.monotonic() + self.patience
        pause = 0.1
        while True:
            request = urllib.request.Request(self.url, lines.encode(), {
                "Authorization": f"Bearer {self.token}", "Content-Type": "application/x-ndjson"})
            try:
                with urllib.request.urlopen(request, timeout=60) as reply:
                    return json.load(reply)["offset"]
            except urllib.error.HTTPError as error:
                text = error.read().decode(errors="replace")
                if error.code < 500 and error.code not in (408, 429):
                    raise RuntimeError(f"the metric was refused: {text}") from error
            except OSError:
                pass  # no service there, or the connection broke: whether it was stored shows when it is sent again
            if time.monotonic() > end:
                raise TimeoutError("the service does not answer")
            time.sleep(pause)
            pause = min(2 * pause, 10)
