# SPDX-License-Identifier: GPL-3.0-or-later
"""Our grid and random search against NNI's own: python3 test_search_oracle.py SEARCH_POINTS [unittest's arguments]."""

import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

from peer_venv import Missing, venv

VERSIONS = ("2.10.1", "3.0")
HERE = pathlib.Path(__file__).resolve().parent
OURS = None
PYTHONS = {}
DRAWS = 10000

GRIDS = {
    "choices": {"a": {"_type": "choice", "_value": [1, 2.5, "x", True]}, "b": {"_type": "choice", "_value": [16, 32, 64]}},
    "whole numbers": {"a": {"_type": "randint", "_value": [3, 9]}, "b": {"_type": "choice", "_value": ["p", "q"]}},
    "continuous": {"lr": {"_type": "loguniform", "_value": [1e-4, 1e-1]}, "m": {"_type": "uniform", "_value": [-2, 5]}},
    "normal": {"n": {"_type": "normal", "_value": [3, 2]}, "c": {"_type": "choice", "_value": [0, 1]}},
    "nested": {"layer": {"_type": "choice", "_value": [
        {"_name": "none"},
        {"_name": "conv", "size": {"_type": "choice", "_value": [3, 5]}, "rate": {"_type": "choice", "_value": [0.1, 0.5]}},
    ]}, "b": {"_type": "choice", "_value": [1, 2]}},
}
RANDOMS = {
    "uniform": {"_type": "uniform", "_value": [-2, 5]},
    "loguniform": {"_type": "loguniform", "_value": [1e-4, 10]},
    "normal": {"_type": "normal", "_value": [3, 2]},
    "lognormal": {"_type": "lognormal", "_value": [0.5, 0.7]},
    "quniform": {"_type": "quniform", "_value": [0, 10, 0.5]},
    "qloguniform": {"_type": "qloguniform", "_value": [1, 1000, 10]},
    "qnormal": {"_type": "qnormal", "_value": [10, 4, 1]},
    "qlognormal": {"_type": "qlognormal", "_value": [2, 1, 2]},
    "randint": {"_type": "randint", "_value": [-5, 17]},
    "choice": {"_type": "choice", "_value": [1, 2, 3, 5, 8]},
}


def lines(command, space):
    done = subprocess.run(command, input=json.dumps(space), capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def ours(kind, count, space):
    return lines([OURS, kind, str(count)], space)


def theirs(version, kind, count, space):
    return lines([str(PYTHONS[version]), "-B", str(HERE / "nni_points.py"), kind, str(count)], space)


def rounded(value):
    """Numbers to twelve digits: the last ones are the C library's."""
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    return float(f"{value:.12g}") if isinstance(value, float) else value


def distance(a, b):
    """Kolmogorov and Smirnov: how far the two samples' distributions are apart, ties included."""
    a, b = sorted(a), sorted(b)
    i = j = 0
    widest = 0.0
    while i < len(a) and j < len(b):
        value = min(a[i], b[j])
        while i < len(a) and a[i] == value:
            i += 1
        while j < len(b) and b[j] == value:
            j += 1
        widest = max(widest, abs(i / len(a) - j / len(b)))
    return widest


class Oracle(unittest.TestCase):
    def test_grid_visits_the_same_points_in_the_same_order(self):
        for version in VERSIONS:
            for name, space in GRIDS.items():
                with self.subTest(nni=version, space=name):
                    points = theirs(version, "GridSearch", 200, space)
                    self.assertGreater(len(points), 5)
                    self.assertEqual([rounded(p) for p in ours("GridSearch", 200, space)], [rounded(p) for p in points])

    def test_random_draws_from_the_same_distributions(self):
        # Two samples of one distribution are farther apart than this once in a million: 2.69 = sqrt(-ln(1e-6 / 2) / 2).
        allowed = 2.69 * math.sqrt(2 / DRAWS)
        mine = ours("Random", DRAWS, RANDOMS)
        for version in VERSIONS:
            other = theirs(version, "Random", DRAWS, RANDOMS)
            for name in RANDOMS:
                with self.subTest(nni=version, kind=name):
                    a, b = [p[name] for p in mine], [p[name] for p in other]
                    self.assertEqual((len(a), len(b)), (DRAWS, DRAWS))
                    self.assertLess(distance(a, b), allowed)
                    if name.startswith("q") or name in ("randint", "choice"):
                        # Discrete kinds: every value that is not rare is drawn by both.
                        common = {value for value, times in collections.Counter(map(rounded, b)).items() if times > 20}
                        self.assertEqual(common - {rounded(value) for value in a}, set())


def setUpModule():
    try:
        PYTHONS.update({version: venv(f"nni=={version}") / "bin" / "python" for version in VERSIONS})
    except Missing as error:
        if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
            raise
        raise unittest.SkipTest(str(error)) from error


if __name__ == "__main__":
    OURS = sys.argv.pop(1)
    unittest.main()
