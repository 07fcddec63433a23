# SPDX-License-Identifier: GPL-3.0-or-later
"""Trialdeck as a training service of NNI 2.10 and 3.0: `trainingService: {platform: trialdeck}`."""

import pathlib
import types

from .config import TrialdeckConfig

nni_training_service_info = types.SimpleNamespace(
    config_class=TrialdeckConfig,
    node_module_path=pathlib.Path(__file__).resolve().parent / "service",
    node_class_name="TrialdeckEnvironmentService",
)

__all__ = ["TrialdeckConfig", "nni_training_service_info"]
