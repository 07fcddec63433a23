# SPDX-License-Identifier: GPL-3.0-or-later
"""Optuna asks, Trialdeck runs: python3 optuna_search.py [--trials N] [--concurrency N] [--platform ID]

Needs Python's own library and Optuna, and a running service (`trialdeck --serve`). It is found through the endpoint file, or
TRIALDECK_URL and TRIALDECK_TOKEN_FILE. Whoever stops this script loses nothing that runs; only the asking ends.
"""

import argparse
import json
import os
import pathlib
import urllib.request

import optuna

FINAL = {"SUCCEEDED", "FAILED", "USER_CANCELED", "SYS_CANCELED", "EARLY_STOPPED"}


class Trialdeck:
    """As much of the HTTP interface as this needs."""

    def __init__(self):
        if "TRIALDECK_URL" in os.environ:
            url, token_file = os.environ["TRIALDECK_URL"], os.environ["TRIALDECK_TOKEN_FILE"]
        else:
            data = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share", "trialdeck")
            endpoint = json.loads((data / "endpoint.json").read_text())
            url, token_file = endpoint["url"], endpoint["tokenFile"]
        self.base = f"{url}/api/v1"
        self.headers = {"Authorization": f"Bearer {pathlib.Path(token_file).read_text().strip()}"}

    def open(self, method, path, body=None, **headers):
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "Content-Type": "application/json", **headers}
        return urllib.request.urlopen(urllib.request.Request(self.base + path, data, headers, method=method), timeout=60)

    def call(self, method, path, body=None):
        with self.open(method, path, body) as reply:
            return json.load(reply)

    def ended(self, experiment):
        """The experiment's trials as they end, each once; goes on until the caller has enough."""
        with self.open("GET", f"/events?topics=trials&experimentId={experiment}", Accept="application/x-ndjson") as lines:
            yield None  # From here on nothing is missed: the caller may submit.
            told = set()
            for line in lines:
                for trial in json.loads(line)["trials"]:
                    if trial["status"] in FINAL and trial["id"] not in told:
                        told.add(trial["id"])
                        yield trial


def main():
    options = argparse.ArgumentParser(description="A search with Optuna's sampler.")
    options.add_argument("--trials", type=int, default=30)
    options.add_argument("--concurrency", type=int, default=4)
    options.add_argument("--platform", default="local")
    options = options.parse_args()

    deck = Trialdeck()
    # What is searched: any command that prints its result will do.
    experiment = deck.call("POST", "/experiments", {
        "name": "optuna search",
        "platformId": options.platform,
        "trialCommand": "awk -v x={x} -v y={y} 'BEGIN { print \"loss \" (x - 2) ^ 2 + (y + 1) ^ 2 }'",
        "trialConcurrency": options.concurrency,
        "metricPattern": "loss (?<value>[-+.0-9e]+)",
        "objective": {"direction": "minimize"},
        "tags": ["optuna"],
    })["id"]

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="minimize", sampler=optuna.samplers.TPESampler(seed=1))

    def submit(count):
        """Optuna's numbers are our clientIds, so that sending twice would not run twice."""
        trials = []
        for _ in range(count):
            asked = study.ask()
            parameters = {"x": asked.suggest_float("x", -5, 5), "y": asked.suggest_float("y", -5, 5)}
            trials.append({"clientId": f"optuna-{asked.number}", "parameters": parameters})
        if trials:
            deck.call("POST", f"/experiments/{experiment}/trials", {"trials": trials})

    ended = deck.ended(experiment)
    next(ended)
    submitted = min(options.concurrency, options.trials)
    submit(submitted)
    done = 0
    while done < options.trials:
        trial = next(ended)
        number = int(trial["clientId"].removeprefix("optuna-"))
        if trial["status"] == "SUCCEEDED" and trial["finalMetric"]:
            study.tell(number, trial["finalMetric"]["value"])
        else:
            study.tell(number, state=optuna.trial.TrialState.FAIL)
        done += 1
        if submitted < options.trials:
            submit(1)
            submitted += 1
    deck.call("POST", f"/experiments/{experiment}/stop")
    print(f"{done} trials, best {study.best_value:.6f} with {json.dumps(study.best_params)}")


if __name__ == "__main__":
    main()
