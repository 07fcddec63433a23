# SPDX-License-Identifier: GPL-3.0-or-later
"""A person without a mouse: the demo, an experiment of their own, and everything that one does with it, by keys alone.

    python3 -B tests/app/window/test_scripted_user.py build/dev/bin
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from desk import Display, Service, end, until  # noqa: E402

BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "build/dev/bin").resolve()

# The first three fail alike, the others run until they are ended.
TRAIN = """\
import argparse, os, sys, time
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.01)
options = parser.parse_args()
if int(os.environ["NNI_TRIAL_SEQ_ID"]) < 3 and "SECOND" not in os.environ:
    sys.exit("RuntimeError: the data set is not there")
for step in range(3):
    print("accuracy", 0.5 + step / 10 + options.lr / 100, flush=True)
time.sleep(600)
"""
NVIDIA_SMI = """\
#!/bin/sh
cat <<'XML'
<?xml version="1.0" ?>
<nvidia_smi_log><attached_gpus>2</attached_gpus>
<gpu id="00000000:01:00.0"><product_name>Test A</product_name><uuid>GPU-scripted-user-0</uuid>
<fb_memory_usage><total>24000 MiB</total><used>10 MiB</used><free>23990 MiB</free></fb_memory_usage>
<utilization><gpu_util>7 %</gpu_util></utilization><processes></processes></gpu>
<gpu id="00000000:02:00.0"><product_name>Test A</product_name><uuid>GPU-scripted-user-1</uuid>
<fb_memory_usage><total>24000 MiB</total><used>20 MiB</used><free>23980 MiB</free></fb_memory_usage>
<utilization><gpu_util>0 %</gpu_util></utilization><processes></processes></gpu>
</nvidia_smi_log>
XML
"""


class ScriptedUser(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trialdeck-user-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.display = Display(self.folder)
        self.addCleanup(self.display.close)
        self.display.wait_ready()
        self.data = self.folder / "data"
        self.service = Service(self.data)
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "nvidia-smi").write_text(NVIDIA_SMI)
        (tools / "nvidia-smi").chmod(0o755)
        project = self.folder / "project"
        project.mkdir()
        (project / "train.py").write_text(TRAIN)
        self.environment = {**self.display.environment, "LANG": "en_US.UTF-8"}
        self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"
        self.window = None
        self.addCleanup(self.stop_everything)
        self.began = time.monotonic()

    def stop_everything(self):
        end(self.window)
        for experiment in self.service.experiments():
            self.run_daemon("cancel", "--experiment", experiment["id"], "--yes", "--no-start")
        self.run_daemon("service", "stop")

    def run_daemon(self, *words):
        return subprocess.run([BIN / "trialdeckd", "--data-dir", self.data, *words], env=self.environment, capture_output=True,
                              text=True, check=False, timeout=120)

    def open_window(self):
        with open(self.folder / "window.log", "wb") as log:
            self.window = subprocess.Popen([BIN / "trialdeck", "--data-dir", self.data], env=self.environment,
                                           cwd=self.folder, stderr=log)

    def told(self, what):
        if "-v" in sys.argv:
            print(f"  {time.monotonic() - self.began:5.1f} s  {what}", flush=True)

    def settings(self):
        return "\n".join(file.read_text() for file in (self.folder / "config").rglob("*.conf"))

    def palette(self, words):
        self.display.keys("ctrl+k")
        self.display.type(words)
        self.display.keys("Return")

    def filter(self, text):
        self.display.keys("slash")
        self.display.type(text)
        self.display.keys("Return")

    def press_until(self, keys, what, ask):
        """Keys, separated by spaces, whose effect is seen; pressed again only when they had none, as a person would."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            self.display.keys(*keys.split())
            seen = time.monotonic() + 15  # some keys take back what they did before
            while time.monotonic() < seen:
                if ask():
                    return
                time.sleep(0.1)
        self.fail(f"waited in vain for: {what}")

    def test_everything_by_keys(self):
        display, service = self.display, self.service
        self.open_window()
        display.wait_active("Trialdeck")
        until("a service", service.endpoint)

        # The demo.
        self.palette("Run the demo")
        demo = until("the demo", lambda: next(iter(service.experiments()), None))["id"]
        display.wait_active("Demo")
        self.told("the demo runs")

        # An experiment: the script is read when its field is left, what is missing is written.
        display.keys("ctrl+n")
        display.wait_active("New experiment")
        display.type("mine")
        display.keys("Tab")
        display.type(str(self.folder / "project" / "train.py"))
        display.keys("Tab")
        # Choose, interpreter, command, explored by; then the one parameter: name, kind, from, to, remove; add, direction.
        display.keys(*["Tab"] * 11)
        display.type("accuracy")
        display.keys("Tab")
        display.type("accuracy (?P<value>[0-9.]+)")
        display.keys("ctrl+Return")  # runs what stands there, from any field
        mine = until("the experiment", lambda: service.experiment("mine"))["id"]
        display.wait_active("mine")
        until("three failures", lambda: service.count(mine, "FAILED") == 3)
        until("trials that wait", lambda: len(service.trials(mine)) >= 16)  # a search makes some more than can run
        self.told("an experiment was made in the dialog")

        # Ten of them by a filter; announced, taken back, announced again.
        display.keys("ctrl+3")
        for taken_back in (True, False):
            self.filter("number:5..15" if taken_back else "number:6..15")
            self.press_until("ctrl+a s", "the question", lambda: "Cancel" in display.active())
            # What is announced happens after 6 s, however long the window manager takes. So it is taken back by keys that are pressed at once and
            # again and again: the first that meets the window in front takes effect, the others find nothing.
            again = ["sleep", "0.1", "key", "--clearmodifiers", "ctrl+z"] * 20 if taken_back else []
            display.xdotool("key", "--clearmodifiers", "Return", *again)
            display.wait_active("mine")
            if taken_back:
                display.keys("ctrl+z")
        announced = time.monotonic()

        # Three side by side, while the toast runs.
        self.filter("number:3..5")
        display.keys("ctrl+a", "ctrl+alt+c")
        display.wait_active("Compare")
        display.keys("Escape")
        display.wait_active("mine")
        self.told("three trials were compared")

        # A GPU for oneself.
        display.keys("ctrl+5", "Right", "Right")
        def reservations():
            machines = (service.get("/machines") or {}).get("machines", [])
            return [(gpu["index"], one["holder"]) for machine in machines for gpu in machine["gpus"]
                    for one in gpu["reservations"] if not one.get("trialId")]
        self.press_until("r", "a reserved GPU", reservations)
        self.assertEqual([index for index, _ in reservations()], [1])
        self.told("a GPU was reserved")

        until("ten cancelled", lambda: service.count(mine, "USER_CANCELED") >= 10)
        cancelled = sorted(t["sequenceId"] for t in service.trials(mine) if t["status"] == "USER_CANCELED")
        self.assertEqual(cancelled, list(range(6, 16)), "exactly the ten, and nothing of what was taken back")
        self.told(f"ten were cancelled, {time.monotonic() - announced:.1f} s after they were announced")

        # The failed group, together.
        display.keys("ctrl+7")
        self.press_until("r", "the question about the group", lambda: "Retry 3" in display.active())
        display.keys("Return")
        display.wait_active("mine")

        # A table for others.
        display.keys("ctrl+3", "ctrl+e")
        display.wait_active("Export")
        table = self.folder / "trials.csv"
        display.type(str(table))
        display.keys("Return")
        until("the table", lambda: table.exists() and table.read_text().count("\n") >= 4)
        self.assertTrue(table.read_text().startswith("State,#,Best"), table.read_text()[:80])
        self.told("the table was exported")
        display.wait_active("mine")

        # Dark, and Chinese, and back.
        display.keys("ctrl+shift+l")
        until("the dark theme", lambda: "theme=dark" in self.settings())
        self.palette("Chinese")
        until("Chinese", lambda: "locale=zh_CN" in self.settings())
        until("another window", lambda: "mine" in display.active())
        self.press_until("question", "the sheet of keys, in Chinese", lambda: display.active() == "按键")
        display.keys("Escape")
        display.wait_active("mine")
        self.palette("English")
        until("English", lambda: "locale=en" in self.settings().splitlines())
        until("another window", lambda: "mine" in display.active())
        self.told("theme and language were switched")

        retried = until("three retried", lambda: [t for t in service.trials(mine) if t["attempt"] == 2])
        self.assertEqual(len(retried), 3)
        self.told("the failed group was retried")

        # Closing keeps everything: another process takes over.
        running = {t["id"] for t in service.trials(mine) if t["status"] == "RUNNING"}
        of_the_demo = {t["id"] for t in service.trials(demo)}
        self.assertTrue(running)
        before = service.endpoint()["pid"]
        self.press_until("ctrl+q", "the question", lambda: "Close Trialdeck" in display.active())
        display.keys("Return")
        self.assertEqual(self.window.wait(60), 0, (self.folder / "window.log").read_text(errors="replace")[-6000:])
        until("a service in the background", lambda: (service.endpoint() or {}).get("pid") not in (None, before)
              and service.experiments())
        after = {t["id"]: t for t in service.trials(mine)}
        self.assertTrue(all(after[id]["status"] == "RUNNING" for id in running))
        self.told("it runs in the background")

        # And one comes back to it.
        pid = service.endpoint()["pid"]
        self.open_window()
        display.wait_active("Trialdeck")
        display.wait_active("mine")
        self.assertEqual(service.endpoint()["pid"], pid)
        display.keys("ctrl+q")
        self.assertEqual(self.window.wait(60), 0, (self.folder / "window.log").read_text(errors="replace")[-6000:])
        self.assertEqual(service.endpoint()["pid"], pid)
        # The demo's search continues by itself to its end; nothing that it had is lost, and nothing is there twice.
        def ended():
            trials = service.trials(demo)
            return len(trials) >= 20 and all(t["status"] in ("SUCCEEDED", "FAILED") for t in trials) and trials

        trials = until("the whole demo", ended, patience=240)
        self.assertEqual(len(trials), 20)
        self.assertLessEqual(of_the_demo, {t["id"] for t in trials})
        self.assertEqual({t["sequenceId"] for t in trials}, set(range(20)))
        self.told("it came back, and went without a question")


if __name__ == "__main__":
    unittest.main()
