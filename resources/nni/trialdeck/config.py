# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of `trainingService` in an experiment file, and their check before NNI starts anything."""

import json
import logging
import pathlib
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Dict, Optional

import nni_node
from nni.experiment.config.training_service import TrainingServiceConfig
from nni.experiment.config.utils import PathLike


@dataclass(init=False)
class TrialdeckConfig(TrainingServiceConfig):
    platform: str = "trialdeck"
    # Where the service is. Without url and data_dir it is found as the command line finds it.
    url: Optional[str] = None
    token_file: Optional[PathLike] = None
    data_dir: Optional[PathLike] = None
    # Sends the token to a service on another host over http://, in clear.
    insecure: Optional[bool] = None
    # Where trials run, by the id of one of Trialdeck's platforms, and what this platform needs to know of them.
    platform_id: str = "local"
    platform_options: Optional[Dict[str, Any]] = None
    # `inPlace` runs in the code directory itself (on `local`, as NNI does), `snapshot` in a copy made when the experiment starts.
    code_mode: Optional[str] = None
    # Sends the code to the service instead of naming its folder; by default where the service is on another host.
    upload_code: Optional[bool] = None
    # How long the service may hear nothing of NNI's manager before the experiment there says so; 60 by default.
    lease_seconds: Optional[int] = None
    environment: Optional[Dict[str, str]] = None
    metric_pattern: Optional[str] = None
    interpreter: Optional[str] = None
    setup: Optional[str] = None
    login_shell: Optional[bool] = None
    # NNI runs training services that it does not know only in this mode.
    reuse_mode: bool = True

    def _canonicalize(self, parents):
        super()._canonicalize(parents)
        # NNI warns where it is not set, which would send people looking for an address that nothing connects to. An empty text is set.
        if self.nni_manager_ip:
            logging.getLogger("nni.experiment.config").warning(
                "trialdeck: nniManagerIp has no use; leave it out. Nothing connects to NNI's manager: it asks the Trialdeck service.")
        self.nni_manager_ip = ""
        if self.environment:
            self.environment = {name: str(value) for name, value in self.environment.items()}

    def _validate_canonical(self):
        super()._validate_canonical()
        if not self.reuse_mode:
            raise ValueError("trialdeck: reuseMode cannot be switched off; leave it out.")
        if self.code_mode not in (None, "inPlace", "snapshot"):
            raise ValueError(f'trialdeck: codeMode must be "inPlace" or "snapshot", not "{self.code_mode}".')
        if self.lease_seconds is not None and not 1 <= self.lease_seconds <= 86400:
            raise ValueError(f"trialdeck: leaseSeconds must be between 1 and 86400, not {self.lease_seconds}.")
        self._check_service()

    def _check_service(self):
        """Asks the service, through the same module as NNI's manager will, so that nothing starts that cannot work."""
        places = {"url": self.url, "tokenFile": self.token_file, "dataDir": self.data_dir, "platformId": self.platform_id,
                  "insecure": self.insecure or None}
        settings = json.dumps({name: str(value) for name, value in places.items() if value is not None})
        node = pathlib.Path(nni_node.__path__[0], "node.exe" if sys.platform == "win32" else "node")
        script = pathlib.Path(__file__).resolve().parent / "check.js"
        if not node.exists():  # NNI built from its sources; the manager will check.
            return
        done = subprocess.run([str(node), str(script), settings], stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise ValueError(f"trialdeck: {done.stderr.strip()}")
