# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's training by itself, without Trialdeck: what it reports, that it learns, and that its bad trial fails."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "demo"
sys.path.insert(0, str(DEMO))
import digits  # noqa: E402  (found by the line above)


def train(*arguments, folder=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TRIALDECK_")}
    if folder:
        environment.update(TRIALDECK_METRICS_FILE=f"{folder}/metrics", TRIALDECK_OUTPUT_DIR=str(folder))
    return subprocess.run(
        [sys.executable, "-B", str(DEMO / "train.py"), *arguments], env=environment, capture_output=True, text=True, timeout=100
    )


class Digits(unittest.TestCase):
    def test_the_same_seed_gives_the_same_pictures(self):
        self.assertEqual(digits.make(20, 7), digits.make(20, 7))
        self.assertNotEqual(digits.make(20, 7), digits.make(20, 8))

    def test_every_digit_comes_equally_often_and_is_drawn(self):
        pairs = digits.make(100, 1)
        self.assertEqual(sorted(digit for _, digit in pairs), sorted(list(range(10)) * 10))
        for picture, digit in pairs:
            self.assertEqual(len(picture), digits.SIDE**2)
            self.assertTrue(all(0.0 <= ink <= 1.0 for ink in picture))
            self.assertGreater(sum(picture), 4.0, f"a {digit} without ink:\n{digits.show(picture)}")


class Training(unittest.TestCase):
    def test_it_learns_and_reports_both_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            done = train("--lr", "0.1", "--momentum", "0.5", "--epochs", "4", folder=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = [json.loads(line) for line in pathlib.Path(folder, "metrics").read_text().splitlines()]
            printed = re.findall(r"^epoch (\d+): loss ([\d.]+), accuracy ([\d.]+)$", done.stdout, re.M)
            self.assertTrue(pathlib.Path(folder, "confusion.txt").stat().st_size > 0)
        self.assertEqual([line.get("step") for line in lines], [1, 2, 3, 4, None])
        self.assertEqual(lines[-1], {"metric": lines[-2]["metric"], "type": "FINAL"})
        self.assertEqual([f"{line['metric']['accuracy']:.4f}" for line in lines[:-1]], [accuracy for _, _, accuracy in printed])
        self.assertLess(lines[3]["metric"]["loss"], lines[0]["metric"]["loss"])
        self.assertGreater(lines[-1]["metric"]["accuracy"], 0.7)

    def test_without_trialdeck_it_just_prints(self):
        done = train("--epochs", "1", "--train", "200", "--test", "50")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("final accuracy", done.stdout)


class Documents(unittest.TestCase):
    def setUp(self):
        self.experiment = json.loads((DEMO / "experiment.json").read_text())
        self.bad = json.loads((DEMO / "trials.json").read_text())["trials"]

    def command(self, parameters):
        return shlex.split(self.experiment["trialCommand"].format_map(parameters))[2:]

    def test_the_bad_trial_fails_and_says_why(self):
        self.assertEqual(len(self.bad), 1)
        with tempfile.TemporaryDirectory() as folder:
            done = train(*self.command(self.bad[0]["parameters"]), folder=folder)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.splitlines()[-1], r"^Diverged: the loss is nan in epoch \d+: learning rate 1000 is too large")

    def test_the_corners_of_the_search_space_do_not_diverge(self):
        space = self.experiment["searchSpace"]
        for end in (0, -1):
            parameters = {name: spec["_value"][end] for name, spec in space.items()}
            done = train(*self.command(parameters), "--epochs", "2")
            self.assertEqual(done.returncode, 0, f"{parameters}: {done.stderr}")
        # The wildest step: the largest rate and momentum on the fewest pictures.
        done = train(*self.command({"lr": 0.3, "momentum": 0.9, "batch": 8}), "--epochs", "2")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
