# SPDX-License-Identifier: GPL-3.0-or-later
"""NNI's own trial_keeper.py posts to a service: python3 test_nni_keeper.py PROGRAM [unittest's arguments]."""

import os
import pathlib
import sys
import tempfile
import unittest
import urllib.parse

from peer_venv import Missing, venv
from trialdeck_service import Service, until

VERSIONS = ("2.10.1", "3.0")
PROGRAM = None
PYTHONS = {}
TRIAL = """
import nni
nni.get_next_parameter()
print("it's a line of its own")
for step in range(20):
    nni.report_intermediate_result(step / 8)
nni.report_final_result({"default": 2.5, "it's": "quoted"})
"""
# The keeper's own output goes into a file: it repeats what it posts, and there each metric would be read again.
COMMAND = ("NNI_PLATFORM=pai NNI_EXP_ID={experiment} {python} -m nni.tools.trial_tool.trial_keeper --trial_command '{python} trial.py' "
           "--nnimanager_ip 127.0.0.1 --nnimanager_port {port} --nni_manager_version v{version} {more} >keeper.log 2>&1")
RIGHT = '"${TRIALDECK_INGEST_URL##*/}.$TRIALDECK_INGEST_TOKEN"'


class NniKeeper(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="trialdeck-keeper-")
        cls.code = pathlib.Path(cls.folder.name, "code")
        cls.code.mkdir()
        (cls.code / "trial.py").write_text(TRIAL)
        cls.service = Service(PROGRAM, pathlib.Path(cls.folder.name, "data")).start(arguments=("--ingest", "127.0.0.1:0"))
        cls.port = urllib.parse.urlsplit(cls.service.get("/version")["ingest"]["url"]).port

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()
        cls.folder.cleanup()

    def begin(self, version, experiment=RIGHT, more="", client=None):
        # Braces in the command are the parameters of trials: there are none of these names.
        command = COMMAND.format(experiment=experiment, python=PYTHONS[version], port=self.port, version=version, more=more)
        made = self.service.post("/experiments", {"name": "keeper", "platformId": "local", "trialCommand": command, "trialConcurrency": 1,
                                                  "codeDir": str(self.code)})
        trial = {"parameters": {}, **({"clientId": client} if client else {})}
        return self.service.post(f"/experiments/{made['id']}/trials", {"trials": [trial]})["trials"][0]["id"]

    def metrics(self, trial):
        """Of the trial once it has ended, with the keeper's words where it failed."""
        ended = until(600, "the trial ends", lambda: self.final(trial))
        log = next(pathlib.Path(ended["workingDirectory"]).rglob("keeper.log")).read_text(errors="replace")
        self.assertEqual(ended["status"], "SUCCEEDED", log)
        return [(m["type"], m["step"], m["value"]) for m in self.service.metrics(trial)], log

    def final(self, trial):
        record = self.service.get(f"/trials/{trial}")
        return record if record["status"] not in ("WAITING", "RUNNING", "UNKNOWN") else None

    def test_values_arrive(self):
        wanted = [("PERIODICAL", step, step / 8) for step in range(20)] + [("FINAL", 0, {"default": 2.5, "it's": "quoted"})]
        runs = {(version, more, client): self.begin(version, more=more, client=client) for version in PYTHONS
                for more, client in (("", None), ("--log_collection none", f"aB3xY{version.replace('.', '')}"))}
        for run, trial in runs.items():
            with self.subTest(run):
                found, log = self.metrics(trial)
                self.assertEqual(found, wanted, log)
                self.assertIn("Version match!", log)

    def test_a_wrong_token(self):
        other = self.begin("2.10.1", experiment='"${TRIALDECK_INGEST_URL##*/}.${TRIALDECK_INGEST_TOKEN}x"')
        none = self.begin("2.10.1", experiment='"$NNI_EXP_ID"')
        for trial in (other, none):
            self.assertEqual(self.metrics(trial)[0], [])


def setUpModule():
    try:
        PYTHONS.update({version: str(venv(f"nni=={version}") / "bin" / "python") for version in VERSIONS})
    except Missing as error:
        if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
            raise
        raise unittest.SkipTest(str(error)) from error


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
