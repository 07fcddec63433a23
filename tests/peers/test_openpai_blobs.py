#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials on OpenPAI (a stand-in) with a storage that is mounted nowhere but in their containers: Blob storage, served by Azurite.

    python3 -B tests/peers/test_openpai_blobs.py build/dev/bin/trialdeckd
"""

import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration"))
import test_rest_clusters as clusters  # noqa: E402
from azurite_server import ACCOUNT, KEY, Azurite  # noqa: E402
from peer_venv import Missing  # noqa: E402
from trialdeck_service import until  # noqa: E402

TRAIN = clusters.TRAIN


class OpenPaiBlobs(clusters.OpenPai):
    azurite = None
    number = 0
    calm = {}
    # Where it is stored changes nothing in these.
    test_a_hundred_trials_through_a_network_that_lies = None
    test_a_thousand_jobs = None
    test_metrics_by_posts = None
    test_killed_between_code_and_job = None

    def arguments(self):
        OpenPaiBlobs.number += 1
        self.container = self.azurite.container(f"lab{self.number}")
        return ("--root", str(self.folder), "--storage", f"share={self.storage}", "--blob", f"blobs=lab{self.number},{ACCOUNT},{KEY}", "--blob-endpoint", self.azurite.endpoint)

    def settings(self):
        wanted = super().settings() | {"storageConfigName": "blobs", "storageEndpoint": self.azurite.endpoint}
        return {name: value for name, value in wanted.items() if name != "localStorageMountPoint"}

    def secrets(self):
        return ["secret6", "eyJhbGciOi", KEY, "sig="]

    def names(self):
        return set(self.container.names())

    def clean(self, experiment):
        self.service.post(f"/experiments/{experiment}/stop")
        until(60, "the experiment is stopped", lambda: self.service.get(f"/experiments/{experiment}")["state"] in ("STOPPED", "DONE"))
        self.service.post(f"/experiments/{experiment}/cleanup")
        until(60, "nothing of ours is left", lambda: not any(name.startswith("trialdeck/") for name in self.names()))

    def test_trials_over_a_kill(self):
        """Curves and logs are whole, also of those that ended while nobody looked; what others keep there stays."""
        self.container.put("somebody/else.txt", b"theirs")
        self.open()
        experiment = self.experiment(self.train(), trialConcurrency=6)
        self.submit(experiment, [{"parameters": {"x": number}} for number in range(20)])
        self.wait_for(experiment, "SUCCEEDED", 6)
        self.service.kill()
        self.service.start()
        self.wait_for(experiment, "SUCCEEDED", 20)
        self.check_curves(experiment, 20)
        self.assertEqual(len(self.server.jobs()), 20)
        self.check_files()
        self.clean(experiment)
        self.assertEqual(self.names(), {"somebody/else.txt"})

    def test_killed_in_the_middle_of_a_long_log(self):
        """The service goes on where it was, also behind a file of the log that was cut at its largest size."""
        self.open()
        go = self.folder / "go"
        talk = self.code("talk.py", f"""
import json, os, time
for step in range(20):
    while step == 10 and not os.path.exists({str(go)!r}):
        time.sleep(0.05)
    print(("a line of the log that this trial prints" + chr(10)) * 8_000, flush=True)
    with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as metrics:
        metrics.write(json.dumps({{"metric": step, "step": step}}) + chr(10))
    time.sleep(0.4)
""")
        trial = self.submit(self.experiment("python3 talk.py", codeDir=talk), [{"parameters": {}}])[0]
        until(60, "values come", lambda: len(self.service.metrics(trial)) >= 5)
        self.service.kill()
        go.touch()
        self.service.start()
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED", self.notes(trial))
        self.assertEqual([value for _, _, value in self.points(trial)], list(range(20)), self.notes(trial))
        self.assertEqual(self.log(trial), ("a line of the log that this trial prints\n" * 8_000 + "\n") * 20)

    def test_an_attempt_that_lives_on(self):
        """Its node is lost to OpenPAI, which starts the job again; the first one still writes. The second one's values are the trial's."""
        self.open()
        go = self.folder / "go"
        experiment = self.experiment(f"while [ ! -e {go} ]; do echo waits; sleep 0.2; done; {self.train()}")
        trial = self.submit(experiment, [{"parameters": {"x": 0}}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        until(60, "the first one writes", lambda: "waits" in self.log(trial))
        self.server.control("job", action="lose", job=trial, leave=True)
        until(90, "there are two", lambda: len([name for name in self.names() if "/log/0001/" in name]) > 0)
        go.touch()
        self.assertEqual(self.wait_for_end(trial)["status"], "SUCCEEDED", self.notes(trial))
        until(60, "both have begun", lambda: (self.marks / trial).read_text() == "start\n" * 2)
        points = self.points(trial)
        self.assertEqual(points[-clusters.VALUES - 1:], [*(("PERIODICAL", step, step) for step in range(clusters.VALUES)),
                                                         ("FINAL", None, clusters.VALUES)], self.notes(trial))

    def test_values_come_while_it_runs(self):
        """Of a file that grows a mounted container shows nothing before its end."""
        self.open()
        go = self.folder / "go"
        experiment = self.experiment(f"{self.train()}; while [ ! -e {go} ]; do sleep 0.1; done; echo result > $NNI_OUTPUT_DIR/result.txt; exit 3")
        trial = self.submit(experiment, [{"parameters": {"x": 1}}])[0]
        until(60, "its values are there", lambda: len(self.service.metrics(trial)) > clusters.VALUES)
        until(60, "the end of its log is there", lambda: "done\n" in self.log(trial))
        self.assertEqual(self.service.get(f"/trials/{trial}")["status"], "RUNNING")
        go.touch()
        ended = self.wait_for_end(trial)
        self.assertEqual((ended["status"], ended["exitCode"]), ("FAILED", 3))
        self.assertEqual([file["path"] for file in self.service.get(f"/trials/{trial}/files")["files"]], ["result.txt"])
        self.assertEqual(self.text(f"/trials/{trial}/files/result.txt"), "result\n")

    def test_check(self):
        """Each step, and a storage that this kind of use cannot have."""
        self.open()
        steps = self.check()
        self.assertEqual({name: step["state"] for name, step in steps.items()}, dict.fromkeys(steps, "ok"), steps)
        self.assertIn("can be written", steps["folder"]["detail"])
        for storage, said in {"share": "localStorageMountPoint: the storage share is of the type nfs", "privatestorage": "not allowed"}.items():
            other = {"kind": self.kind, "settings": self.settings() | {"storageConfigName": storage}}
            self.service.call("PUT", "/platforms/other", other)
            step = self.check("other")["storage"]
            self.assertEqual(step["state"], "fail", step)
            self.assertIn(said, step["detail"])

    def test_the_storage_is_away(self):
        """Submissions wait, logs come later; nothing is lost and nobody is told an end."""
        self.open()
        go = self.folder / "go"
        experiment = self.experiment(f"while [ ! -e {go} ]; do sleep 0.1; done; {self.train()}")
        trial = self.submit(experiment, [{"parameters": {"x": 0}}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        self.azurite.pause()
        try:
            go.touch()
            late = self.submit(experiment, [{"parameters": {"x": 1}}])[0]
            until(90, "the job waits for its storage", lambda: self.service.get(f"/trials/{late}")["reason"])
            self.assertEqual(self.service.get(f"/trials/{trial}")["status"], "RUNNING")
        finally:
            self.azurite.go_on()
        self.wait_for(experiment, "SUCCEEDED", 2)
        self.check_curves(experiment, 2)


def setUpModule():
    folder = tempfile.TemporaryDirectory(prefix="td-azurite-", ignore_cleanup_errors=True)
    unittest.addModuleCleanup(folder.cleanup)
    try:
        OpenPaiBlobs.azurite = Azurite(folder.name)
    except Missing as error:
        raise unittest.SkipTest(str(error)) from error
    unittest.addModuleCleanup(OpenPaiBlobs.azurite.stop)


def load_tests(loader, _, __):
    return loader.loadTestsFromTestCase(OpenPaiBlobs)


if __name__ == "__main__":
    OpenPaiBlobs.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
