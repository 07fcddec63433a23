# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by the Python that NNI is in: python nni_points.py (GridSearch | Random) COUNT < SPACE.json, the points of NNI's tuner."""

import json
import sys

import nni
from nni.algorithms.hpo.gridsearch_tuner import GridSearchTuner
from nni.algorithms.hpo.random_tuner import RandomTuner

kind, count = sys.argv[1], int(sys.argv[2])
tuner = GridSearchTuner() if kind == "GridSearch" else RandomTuner(seed=2026)
tuner.update_search_space(json.load(sys.stdin))
for number in range(count):
    try:
        sys.__stdout__.write(json.dumps(tuner.generate_parameters(number)) + "\n")  # print() is NNI's own here
    except nni.NoMoreTrialError:
        break
