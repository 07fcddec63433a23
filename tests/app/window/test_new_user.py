# SPDX-License-Identifier: GPL-3.0-or-later
"""A new user with a script of their own, whose output no one has seen: by mouse and keys, from an empty home to the best trial.

    python3 -B tests/app/window/test_new_user.py build/dev/bin

Buttons are found by the names that a screen reader reads, and pressed where they stand. Nothing is typed but the script's path.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from desk import Display, Reader, Service, end, until  # noqa: E402

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "build/dev/bin").resolve()

# Its words are those of nobody else's script. The seed is not a parameter of the search: it has no type.
TRAIN = """\
import argparse, time
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--width", type=int, default=8)
options = parser.parse_args()
print("reading 60000 examples from /data/part-7", flush=True)
for step in range(6):
    time.sleep(0.05)
    print(f"[{step:03d}] goodness -> {1 - 1 / (1 + step + options.width * options.lr):.4f} after {step * 512} examples", flush=True)
print("bye", flush=True)
"""
MOST_WAITING = 60.0  # seconds between what the person does, in all


class NewUser(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trialdeck-new-user-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.display = Display(self.folder)
        self.addCleanup(self.display.close)
        self.display.wait_ready()
        self.reader = Reader(self.display)
        self.addCleanup(self.reader.close)
        self.service = Service(self.folder / "data")
        project = self.folder / "project"
        project.mkdir()
        (project / "train.py").write_text(TRAIN)
        self.window = None
        self.addCleanup(self.stop_everything)
        self.waited = 0.0

    def stop_everything(self):
        end(self.window)
        for words in (("service", "stop"),):
            subprocess.run([BIN / "trialdeckd", "--data-dir", self.service.data, *words], env=self.display.environment,
                           capture_output=True, check=False, timeout=120)

    def wait(self, what, ask):
        """Time that the person waits for the program."""
        began = time.monotonic()
        answer = until(what, ask)
        self.waited += time.monotonic() - began
        if "-v" in sys.argv:
            print(f"  {self.waited:5.1f} s waited  {what}", flush=True)
        return answer

    def click(self, role, name):
        place = self.wait(f"a {role} “{name}” to press", lambda: self.reader.place(role, name))
        self.display.click(*place)

    def test_from_an_empty_home_to_the_best_trial(self):
        with open(self.folder / "window.log", "wb") as log:
            self.window = subprocess.Popen([BIN / "trialdeck", "--data-dir", self.service.data], cwd=self.folder, stderr=log,
                                           env={**self.display.environment, "LANG": "en_US.UTF-8"})
        self.wait("the window", lambda: "Trialdeck" in self.display.active())
        self.click("push button", "Choose a script")
        self.wait("the dialog", lambda: "New experiment" in self.display.active())
        self.click("text", "Script")
        self.display.type(str(self.folder / "project" / "train.py"))
        self.display.keys("Tab")
        self.click("push button", "Run one trial")
        self.click("radio button", "goodness")
        run = self.wait("a button that says what it will run",
                        lambda: next((name for name in self.reader.names("push button") if name.startswith("Run ") and "trials" in name),
                                     None))
        self.click("push button", run)
        experiment = self.wait("the experiment", lambda: next(
            (one for one in self.service.experiments() if "test-run" not in one.get("tags", [])), None))
        self.assertEqual(experiment["name"], "project")  # its folder
        self.assertEqual(experiment["objective"], {"metric": "goodness", "direction": "maximize"})
        done = self.wait("all trials and their best", lambda: next(
            (one for one in self.service.experiments() if one["id"] == experiment["id"] and one["state"] == "DONE"), None))
        best = done["best"]
        values = [trial["bestMetric"] for trial in self.service.trials(experiment["id"])]
        self.assertEqual(len(values), 20)
        self.assertEqual(best["value"], max(values))
        # It stands above the others, below the header: one click shows all of it.
        self.display.click(*self.wait("the row of the best trial", lambda: self.reader.place("table", "Best trial", 0.75)))
        number = next(trial["sequenceId"] for trial in self.service.trials(experiment["id"]) if trial["id"] == best["trialId"])
        self.wait("the best trial in the inspector", lambda: f"Trial {number}" in self.reader.names("label"))
        self.assertLess(self.waited, MOST_WAITING)
        # The test run is gone, and nothing failed.
        self.assertEqual([one["name"] for one in self.service.experiments()], ["project"])
        self.assertEqual({trial["status"] for trial in self.service.trials(experiment["id"])}, {"SUCCEEDED"})


if __name__ == "__main__":
    unittest.main()
