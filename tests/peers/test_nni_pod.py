# SPDX-License-Identifier: GPL-3.0-or-later
"""NNI's own SDK in a trial of `trialkeeper pod`: python3 test_nni_pod.py TRIALKEEPER_POD [unittest's arguments]. The frames are read by
a reader of the tests' own (pod_frames.py)."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from peer_venv import Missing, venv
from pod_frames import streams, unescaped

VERSIONS = ("2.10.1", "3.0")
PROGRAM = None
PYTHONS = {}
TRIAL = """
import nni
lr = nni.get_next_parameter()["lr"]
for step in range(50):
    nni.report_intermediate_result(lr * step)
print("costs $5", nni.get_sequence_id(), nni.get_experiment_id(), nni.get_trial_id())
nni.report_final_result({"default": lr, "it's": "quoted"})
"""


class NniPod(unittest.TestCase):
    def run_trial(self, version, environment):
        with tempfile.TemporaryDirectory(prefix="trialdeck-nni-pod-") as folder:
            inherited = {k: v for k, v in os.environ.items() if not k.startswith(("TRIALDECK_", "NNI_"))}
            done = subprocess.run(
                [PROGRAM, "--id", "t7", "--dir", f"{folder}/d", "--code", folder, "--termination", f"{folder}/termination",
                 "--parameters", '{"lr": 0.25}', "--", PYTHONS[version], "-c", TRIAL],
                capture_output=True, timeout=600, check=False,
                env={**inherited, "HOME": folder, "NNI_TRIAL_SEQ_ID": "3", "NNI_EXP_ID": "exp9", **environment})
            found = streams(done.stdout)
            self.assertEqual(done.returncode, 0, found.get("e"))
            return found, pathlib.Path(folder, "termination").read_bytes()

    def check(self, records, last):
        metrics = [json.loads(record) for record in records]
        self.assertEqual([m["type"] for m in metrics], ["PERIODICAL"] * 50 + ["FINAL"])
        self.assertEqual([json.loads(m["value"]) for m in metrics[:50]], [0.25 * step for step in range(50)])
        self.assertEqual(json.loads(metrics[-1]["value"]), {"default": 0.25, "it's": "quoted"})
        self.assertEqual({(m["parameter_id"], m["trial_job_id"]) for m in metrics}, {(3, "t7")})
        # The last final metric is in the termination message, too.
        self.assertIn(records[-1], bytes(last))

    def test_metrics_in_its_file(self):
        # What NNI does not know is local to it: then the SDK writes .nni/metrics.
        for version in PYTHONS:
            with self.subTest(version):
                found, termination = self.run_trial(version, {})
                records, rest = [], bytes(found["n"])
                while rest:
                    self.assertEqual(rest[:2], b"ME")
                    end = 8 + int(rest[2:8])
                    records.append(rest[8:end])
                    rest = rest[end:]
                self.check(records, unescaped(termination))
                # What it prints goes into a file of the SDK, which nobody would see.
                self.assertRegex(bytes(found["o"]), rb"PRINT costs \$5 3 exp9 t7\n")

    def test_metrics_on_standard_output(self):
        for version in PYTHONS:
            with self.subTest(version):
                found, termination = self.run_trial(version, {"NNI_PLATFORM": "kubeflow"})
                records = re.findall(rb"NNISDK_MEb'(.*)'\n", bytes(found["o"]))
                self.check(records, unescaped(termination))
                self.assertIn(b"costs $5 3 exp9 t7\n", found["o"])
                self.assertNotIn("n", found)


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
