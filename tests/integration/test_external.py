# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of a person's own that run trials, on a real service: python3 test_external.py PROGRAM [unittest's arguments]."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "peers"))
from cluster_test import ClusterTest  # noqa: E402
from external_program import ExternalProgram  # noqa: E402
from trialdeck_service import below, until  # noqa: E402

SPOOLER = HERE.parents[1] / "resources" / "examples" / "external" / "task_spooler.py"
VALUES = 10
TRAIN = f"""
import json, os, sys, time
with open(os.path.join(sys.argv[1], os.environ["NNI_TRIAL_JOB_ID"]), "a") as mark:
    mark.write("start\\n")
with open(os.environ["TRIALDECK_METRICS_FILE"], "a") as metrics:
    for step in range({VALUES}):
        metrics.write(json.dumps({{"metric": float(sys.argv[2]) + step, "step": step}}) + "\\n")
        metrics.flush()
        time.sleep(0.1)
print("done")
"""
# Names every trial that it is told of as its own.
LIAR = """
import json, pathlib, sys
print(json.dumps({"protocol": 1}), flush=True)
for line in sys.stdin:
    call = json.loads(line)
    names = pathlib.Path(sys.argv[1]).read_text().split() if len(sys.argv) > 1 else []
    answer = {"describe": {"title": "A liar"}, "jobs": {"jobs": [{"name": name, "state": state} for name, state in zip(names[::2], names[1::2])]}}
    print(json.dumps({"id": call["id"], **answer.get(call["call"], {})}), flush=True)
    if call["call"] == "jobs" and len(sys.argv) > 1:
        pathlib.Path(sys.argv[1] + ".asked").touch()
"""


class External(ClusterTest):
    kind = "external.spooler"

    def setUp(self):
        super().setUp()
        self.assertTrue(shutil.which("tsp"), "task-spooler is not installed")
        self.marks = self.folder / "marks"
        self.marks.mkdir()
        self.socket = self.folder / "socket"
        self.addCleanup(lambda: subprocess.run(["tsp", "-K"], env={**os.environ, "TS_SOCKET": str(self.socket)}, check=False))
        self.verb("external", "add", "spooler", "--", "python3", str(SPOOLER))
        self.service.kill()
        self.service.start()

    def verb(self, *words, code=0, folder=None, seconds=120):
        before, dashes, behind = words, (), ()
        if "--" in words:
            at = words.index("--")
            before, dashes, behind = words[:at], ("--",), words[at + 1:]
        done = subprocess.run([self.program, *before, "--data-dir", str(self.folder / "data"), *dashes, *behind], capture_output=True, text=True,
                              check=False, cwd=folder, timeout=seconds)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def settings(self, **more):
        return {"socket": str(self.socket), "slots": 10, "pollInterval": 1, **more}

    def experiment(self, command, **more):
        return self.service.post("/experiments", {"platformId": "lab", "trialConcurrency": 20, "trialCommand": command, **more})["id"]

    def queue(self):
        """What task-spooler says of its jobs."""
        return subprocess.run(["tsp", "-l"], env={**os.environ, "TS_SOCKET": str(self.socket)}, capture_output=True, text=True, check=True).stdout

    def programs(self):
        """The processes of the sample that this service started."""
        found = subprocess.run(["pgrep", "-P", str(self.service.process.pid), "-f", "task_spooler.py"], capture_output=True, text=True, check=False)
        return [int(word) for word in found.stdout.split()]

    def test_trials_over_kills_of_the_service_and_of_the_program(self):
        self.platform(self.settings())
        experiment = self.experiment(f"python3 train.py {self.marks} {{x}}", codeDir=self.code("train.py", TRAIN))
        trials = self.submit(experiment, [{"parameters": {"x": 1000 * number}} for number in range(60)])
        self.wait_for(experiment, "SUCCEEDED", 10)
        for program in self.programs():
            os.kill(program, signal.SIGKILL)
        self.wait_for(experiment, "SUCCEEDED", 25)
        self.service.kill()
        self.service.start()
        self.wait_for(experiment, "SUCCEEDED", 60)
        for number, trial in enumerate(trials):
            self.assertEqual((self.marks / trial).read_text(), "start\n", "each begins once")
            self.assertEqual([value for _, _, value in self.points(trial)], [1000.0 * number + step for step in range(VALUES)])
            self.assertEqual(self.log(trial), "done\n")
        self.service.post(f"/experiments/{experiment}/stop")
        self.service.post(f"/experiments/{experiment}/cleanup")
        folder = self.folder / "data" / "platforms" / "lab" / "trialdeck"
        self.nothing_is_left(folder)
        self.assertNotIn("td-", self.queue())

    def test_cancels(self):
        self.platform(self.settings(slots=1))
        experiment = self.experiment("exec sleep 600")
        trials = self.submit(experiment, [{"parameters": {}}] * 3)
        self.wait_for(experiment, "RUNNING", 1)
        until(60, "the others are in the queue", lambda: all(self.service.get(f"/trials/{trial}").get("reason") != "" for trial in trials[1:]))
        for trial in reversed(trials):
            self.service.post(f"/trials/{trial}/cancel", {"isEarlyStopped": False})
        for trial in trials:
            self.assertEqual(self.wait_for_end(trial)["status"], "USER_CANCELED")

    def test_cancels_without_room_for_a_mark(self):
        """On a full disk a running trial is cancelled all the same."""
        self.platform(self.settings())
        self.cancel_without_room("exec sleep 600")

    def test_handed_over_late(self):
        """A tsp that a killed program left behind hands its job over when the next program has done that, too."""
        own = self.folder / "own"
        jobs = own / "jobs"
        slow = own / "slow"
        slow.mkdir(parents=True)
        go, asked, begun, script = own / "go", own / "asked", own / "begun", own / "job.sh"
        (slow / "tsp").write_text(f"#!/bin/sh\ncase $1 in -n) touch '{asked}'; while [ ! -e '{go}' ]; do sleep 0.1; done;; esac\n"
                                  f"exec {shutil.which('tsp')} \"$@\"\n")
        (slow / "tsp").chmod(0o755)
        job = {"name": "td-s1-t1", "script": str(script)}
        script.write_text(f"echo begun >>'{begun}'; while [ ! -e '{own}/end' ]; do sleep 0.1; done; exit 3\n")
        opening = {"settings": {"socket": str(self.socket), "slots": 2}, "folder": str(own)}

        def life(path):
            program = ExternalProgram(self, ["python3", SPOOLER], PATH=path)
            program.ask("open", **opening)
            return program

        killed = life(f"{slow}:{os.environ['PATH']}")
        killed.tell("submit", **job)
        until(60, "its tsp has begun", asked.exists)
        killed.process.kill()
        program = life(os.environ["PATH"])
        self.assertNotIn("error", program.ask("submit", **job))
        go.touch()
        until(60, "the queue has it twice", lambda: self.queue().count(job["name"]) == 2)
        until(60, "one has begun, and one has ended", lambda: begun.exists() and "finished" in self.queue())
        self.assertEqual(program.states(), ["running"])
        (own / "end").touch()
        until(60, "it ends", lambda: program.states() == ["ended"])
        self.assertEqual(program.jobs()[0]["exitCode"], 3)
        self.assertEqual(begun.read_text(), "begun\n")
        program.ask("forget", **job)
        self.assertEqual((program.jobs(), self.queue().count(job["name"]), list(jobs.iterdir())), ([], 0, []))

    def test_check(self):
        self.platform(self.settings())
        steps = self.check()
        self.assertEqual({name: step["state"] for name, step in steps.items()},
                         {"program": "ok", "program.queue": "ok", "open": "ok", "folder": "ok", "job": "ok"}, steps)
        self.assertEqual(steps["program.queue"]["detail"], "10 jobs at once")

    def test_verbs(self):
        """What is added, listed, refused and removed; one wrong file keeps no good one away."""
        kinds = {kind["kind"]: kind for kind in self.service.get("/platform-kinds")["kinds"]}
        self.assertEqual([field["name"] for field in kinds["external.spooler"]["fields"]],
                         ["socket", "slots", "folder", "nodeFolder", "pollInterval", "maxJobs"])
        self.assertEqual(kinds["external.spooler"]["title"], "Task spooler")
        said = json.loads(self.verb("external", "list", "--json"))
        self.assertEqual([program["kind"] for program in said["programs"]], ["external.spooler"])
        self.assertEqual(said["programs"][0]["command"], ["python3", str(SPOOLER)])
        # A relative path is one of the caller's folder.
        self.assertIn(str(SPOOLER), self.verb("external", "add", "again", "--", "python3", SPOOLER.name, folder=SPOOLER.parent))
        self.assertIn("another program spooler already", self.verb("external", "add", "spooler", "--", "python3", "-u", str(SPOOLER), code=1))
        self.verb("external", "add", "spooler", "--replace", "--", "python3", "-u", str(SPOOLER))
        self.assertIn("begins with a letter", self.verb("external", "add", "Spooler", "--", "true", code=2))
        self.assertIn("is not there", self.verb("external", "add", "none", "--", "no-such-program", code=1))
        self.assertIn("exit code 0", self.verb("external", "add", "none", "--", "true", code=1))
        clash = self.folder / "clash.py"
        clash.write_text('import json\nprint(json.dumps({"protocol": 1}), flush=True)\ncall = json.loads(input())\n'
                         'print(json.dumps({"id": call["id"], "title": "t", "fields": [{"name": "folder", "type": "path", "title": "F"}]}), flush=True)\n'
                         'input()\n')
        self.assertIn("folder is the service's own", self.verb("external", "add", "clash", "--", "python3", str(clash), code=1))
        self.assertFalse((self.folder / "data" / "config" / "external" / "clash.json").exists())
        (self.folder / "data" / "config" / "external" / "broken.json").write_text("{")
        self.assertIn("broken.json cannot be used", self.verb("external", "list", code=1))
        self.service.kill()
        self.service.start()
        self.platform(self.settings())
        self.assertIn("broken.json cannot be used", (self.folder / "data" / "service.log").read_text()
                      + "".join(path.read_text() for path in (self.folder / "data" / "state").glob("*.log")))
        self.assertIn("lab", self.verb("external", "remove", "spooler", code=1))
        self.assertIn("no program", self.verb("external", "remove", "other", code=1))
        self.verb("external", "remove", "again")
        self.verb("external", "remove", "spooler", "--force")

    def test_conformance(self):
        """The sample keeps all promises. One that begins a job again is found by name."""
        found = self.conformance(self.settings())
        self.assertEqual({name for name, promise in found.items() if promise["verdict"] != "ok"}, {"options"})
        careless = self.folder / "careless.py"
        text = SPOOLER.read_text()
        for right, wrong in (('if call["name"] not in self.known:', "if True:"), ('ln -s "$3" "$1/begun" || exit;', "")):
            self.assertIn(right, text)
            text = text.replace(right, wrong)
        careless.write_text(text)
        self.verb("external", "add", "spooler", "--replace", "--", "python3", str(careless))
        found = self.conformance(self.settings(), "--only", "ends", "--only", "repeats", code=1)
        self.assertEqual({name: promise["verdict"] for name, promise in found.items()}, {"ends": "ok", "repeats": "BROKEN"})
        # Jobs that task-spooler starts late are counted in the second life of the program, with those that it was handed then.
        self.assertRegex(found["repeats"]["detail"], r"began [2-9] times")

    def test_conformance_of_this_computer(self):
        done = self.verb("conformance", "local", seconds=1500)
        self.assertIn("Every promise is kept.", done)
        self.assertEqual(sum(line.startswith("ok ") for line in done.splitlines()), 10, done)
        self.assertIn("There is no platform `lab2`", self.verb("conformance", "lab2", code=1))
        self.assertIn("There is no promise `all`", self.verb("conformance", "local", "--only", "all", code=2))
        self.assertIn("takes no --option", self.verb("conformance", "local", "--option", "nice=1", code=2))

    def test_conformance_that_is_interrupted(self):
        """Nothing stays: no service, no trial, no folder with a copy of the configuration."""
        temporary = self.folder / "t"
        temporary.mkdir()
        # More than the one that is interrupted: it may be over by the time the signal comes.
        only = [word for name in ("cancel", "once", "adopts") for word in ("--only", name)]
        program = subprocess.Popen([self.program, "conformance", "local", "--data-dir", str(self.folder / "data"), *only],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)})
        until(60, "a trial begins", lambda: below(temporary, "journal*"))
        service = json.loads(next(temporary.glob("*/endpoint.json")).read_text())["pid"]
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=120)
        self.assertEqual(program.returncode, -signal.SIGINT, said)
        self.assertIn("Interrupted", said[1])
        until(30, "the service has ended", lambda: not pathlib.Path(f"/proc/{service}").exists())  # its parent collects it when it likes
        self.assertEqual(list(temporary.iterdir()), [])

    def test_conformance_that_is_interrupted_while_it_cleans_up(self):
        """What it says is true: it goes on with that. The program holds its last call until the signal has come."""
        holding, held, go = self.folder / "holding.py", self.folder / "held", self.folder / "go"
        forget = "    def forget(self, call):\n"
        self.assertIn(forget, SPOOLER.read_text())
        holding.write_text(SPOOLER.read_text().replace(forget, f"""{forget}\
        open({str(held)!r}, "w").close()
        while not os.path.exists({str(go)!r}):
            __import__("time").sleep(0.05)
"""))
        self.verb("external", "add", "spooler", "--replace", "--", "python3", str(holding))
        form = self.folder / "form.json"
        storage = self.folder / "storage"
        storage.mkdir()
        form.write_text(json.dumps({"kind": self.kind, "settings": self.settings(folder=str(storage))}))
        program = subprocess.Popen([self.program, "conformance", str(form), "--data-dir", str(self.folder / "data"), "--only", "ends"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(program.kill)
        said = program.stdout.readline()
        self.assertTrue(said.startswith("ok "), said)
        until(60, "it cleans up", held.exists)
        self.assertTrue([name for _, _, names in os.walk(storage) for name in names])
        program.send_signal(signal.SIGINT)
        note = ""
        while "Interrupted" not in note:
            note = program.stderr.readline()
            self.assertTrue(note, "it ended")
        with self.assertRaises(subprocess.TimeoutExpired):
            program.wait(timeout=1)  # it looks five times a second
        go.touch()
        said = program.communicate(timeout=120)
        self.assertEqual(program.returncode, -signal.SIGINT, said)
        self.assertIn("Every promise is kept.", said[1])
        self.nothing_is_left(storage)
        self.assertNotIn("td-", self.queue())

    def test_another_platforms_trial(self):
        """A program that calls a trial of another platform its own changes nothing of it."""
        liar, names = self.folder / "liar.py", self.folder / "names"
        liar.write_text(LIAR)
        names.write_text("")
        self.verb("external", "add", "liar", "--", "python3", str(liar), str(names))
        self.service.kill()
        self.service.start()
        self.platform(self.settings())
        experiment = self.experiment(f"while [ ! -e {self.folder}/go ]; do sleep 0.1; done; echo true")
        trial = self.submit(experiment, [{"parameters": {}}])[0]
        self.wait_for(experiment, "RUNNING", 1)
        service = (self.folder / "data" / "service-id").read_text().strip()
        self.service.call("PUT", "/platforms/liar", {"kind": "external.liar", "settings": {"pollInterval": 1}})
        until(60, "the liar is there", lambda: self.service.get("/platforms/liar")["state"] == "READY")
        for state in ("ended", "running"):
            names.write_text(f"td-{service}-{trial} {state}")
            self.service.kill()
            self.service.start()
            pathlib.Path(f"{names}.asked").unlink(missing_ok=True)
            until(90, "the liar was asked", pathlib.Path(f"{names}.asked").exists)
            until(60, "the trial runs", lambda: self.service.get(f"/trials/{trial}")["status"] == "RUNNING")
            self.assertEqual(self.service.get(f"/trials/{trial}")["platformId"], "lab")
        (self.folder / "go").touch()
        ended = self.wait_for_end(trial)
        self.assertEqual((ended["status"], ended["exitCode"]), ("SUCCEEDED", 0))
        self.assertEqual(self.log(trial), "true\n")


del ClusterTest  # unittest would run it by itself

if __name__ == "__main__":
    External.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
