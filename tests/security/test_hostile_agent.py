# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine whose agent is the attacker's program, behind a real sshd: what it says of trials elsewhere changes nothing."""

import json
import os
import pathlib

from stranger import PYTHON, Attack, main, until

from loopback_sshd import Sshd  # noqa: E402

AGENT = pathlib.Path(__file__).resolve().parent / "hostile_agent.py"
EVIL = "spoken by the attacker"
FOREVER = 2**62


def facts(trial):
    """All that an agent can say of a trial: a metric on each stream, lines of its log, findings, and every way to end."""
    final = '{"metric": 666, "type": "FINAL"}\n'
    end = {"m": "event", "trial": trial, "offset": 0, "next": 100, "time": 5, "final": True, "reason": EVIL, "exitCode": 13}
    return [
        [{"m": "event", "trial": trial, "offset": 0, "next": 50, "type": "running", "pid": 1, "time": 5}, 0, 1],
        *[[{"m": "records", "trial": trial, "stream": stream, "offset": 0, "next": len(final), "time": 5, "rawText": final}, 0, 1]
          for stream in ("file", "nni", "stdout")],
        [{"m": "records", "trial": trial, "stream": "stdout", "offset": 0, "next": FOREVER, "time": 5, "reset": True}, 0, 1],
        [{"m": "finding", "trial": trial, "text": EVIL}, 0, 1],
        [{"m": "started", "results": [{"trial": trial, "kind": "invalid", "message": EVIL}]}, 0, 1],
        [{"m": "cancelled", "results": [{"trial": trial, "state": "ended"}]}, 0, 1],
        [{"m": "adopted", "trials": [{"id": trial, "state": "unknown"}]}, 0, 1],
        [{"m": "data", "req": 0, "offset": 0, "size": 9, "eof": True, "rawText": EVIL}, 0, 30],
        [{**end, "type": "lost", "failureClass": "keeperLost"}, 0, 1],
        [{**end, "type": "exited", "success": True, "exitCode": 0}, 0, 1],
        [{**end, "type": "exited", "success": False, "failureClass": "exitCode"}, 0, 1],
    ]


class HostileAgent(Attack):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o700)
        self.evil_folder = self.folder / "attacker"
        self.evil_folder.mkdir()
        self.orders([])
        honest = Sshd(self.folder / "honest").start()
        self.addCleanup(honest.stop)
        evil = Sshd(self.folder / "evil", options=f"ForceCommand {PYTHON} -B {AGENT} {self.evil_folder}").start()
        self.addCleanup(evil.stop)
        self.service.folder.mkdir(mode=0o700)
        known = self.service.folder / "known_hosts"
        known.write_text(honest.known_hosts_line + evil.known_hosts_line)
        self.service.start()
        self.ports = {str(honest.port): "honest", str(evil.port): "evil"}
        self.service.call("PUT", "/platforms/lab", {"kind": "remote", "settings": {"machineList": [honest.machine, evil.machine]}})
        self.machines = {}
        until(60, "both machines are ready", self.ready)

    def ready(self):
        list_ = self.service.get("/machines?platformId=lab")["machines"]
        self.machines = {name: m["id"] for m in list_ for port, name in self.ports.items() if port in m["id"] or port in m["address"]}
        return len(self.machines) == 2 and [m["state"] for m in list_] == ["READY", "READY"]

    def orders(self, say, **hello):
        new = self.evil_folder / "orders.new"
        new.write_text(json.dumps({"hello": hello, "say": say}))
        new.rename(self.evil_folder / "orders.json")

    def speak(self, say):
        """The agent says it now."""
        self.orders(say)
        (self.evil_folder / "said").unlink(missing_ok=True)
        (self.evil_folder / "go").touch()
        until(120, "the attacker has spoken", (self.evil_folder / "said").exists)

    def greet(self, say, **hello):
        """The agent leaves and comes again with this hello."""
        self.orders(say, **hello)
        (self.evil_folder / "greeted").unlink(missing_ok=True)
        (self.evil_folder / "leave").touch()
        until(60, "the attacker is back", (self.evil_folder / "greeted").exists)
        until(60, "both machines are ready", self.ready)

    def log(self):
        return (self.service.folder / "state" / "trialdeck.log").read_text(errors="replace")

    def trial(self, platform, machine=None):
        """One that waits for its gate, then reports 1 and ends."""
        gate = self.folder / f"gate-{platform}-{machine}"
        experiment = self.service.post("/experiments", {
            "name": f"{platform}", "platformId": platform, "objective": {"metric": "default", "direction": "maximize"},
            "trialCommand": f"while [ -e {self.folder} ] && [ ! -e {gate} ]; do sleep 0.1; done; echo '{{\"metric\": 1, \"type\": \"FINAL\"}}' >> "
                            "$TRIALDECK_METRICS_FILE; echo honest words"})
        body = {"parameters": {}}
        if machine:
            body["machineId"] = self.machines[machine]
        trial = self.service.post(f"/experiments/{experiment['id']}/trials", body)["trials"][0]["id"]
        until(60, "it runs", lambda: self.service.get(f"/trials/{trial}")["status"] == "RUNNING")
        return trial, gate

    def victims(self):
        return [self.trial("local"), self.trial("lab", "honest")]

    def assert_untouched(self, victims):
        for trial, _ in victims:
            record = self.service.get(f"/trials/{trial}")
            self.assertEqual(record["status"], "RUNNING", record)
            self.assertEqual(self.service.metrics(trial), [])
            self.assertNotIn(EVIL, json.dumps(record))
            self.assertNotIn(EVIL, json.dumps(self.service.get(f"/trials/{trial}/events")))
        for trial, gate in victims:
            gate.touch()
            until(60, "it ends by itself", lambda trial=trial: self.service.get(f"/trials/{trial}")["status"] == "SUCCEEDED")
            self.assertEqual([metric["value"] for metric in self.service.metrics(trial)], [1])
            code, text, errors = self.trialdeck("--data-dir", self.service.folder, "logs", trial)
            self.assertEqual((code, text), (0, "honest words\n"), errors)

    def test_facts_of_other_machines(self):
        victims = self.victims()
        own, _ = self.trial("lab", "evil")
        self.speak([fact for trial, _ in victims for fact in facts(trial)])
        # What it says of its own trial counts; so all before it has been heard, too.
        self.speak([fact for fact in facts(own) if fact[0]["m"] in ("records", "event") and "reset" not in fact[0]])
        until(30, "its own trial ends", lambda: self.service.get(f"/trials/{own}")["status"] == "FAILED")
        self.assertEqual(self.service.metrics(own)[0]["value"], 666)
        self.assert_untouched(victims)
        self.assertRegex(self.log(), "speaks of trial (" + "|".join(trial for trial, _ in victims) + ")")

    def test_claims_in_hello(self):
        """It says that trials of others run on it; what it says of them then is theirs no more than before."""
        victims = self.victims()
        self.greet([fact for trial, _ in victims for fact in facts(trial)],
                   trials=[{"id": trial, "state": "running"} for trial, _ in victims])
        self.speak([fact for trial, _ in victims for fact in facts(trial)])
        self.greet([], trials=[{"id": trial, "state": "unknown"} for trial, _ in victims])
        self.assert_untouched(victims)

    def test_claims_after_a_restart(self):
        """A service that starts looks for trials that it forgot: only those that prove where they were placed are taken up."""
        victims = self.victims()
        claims = [{"id": trial, "state": "running"} for trial, _ in victims] + [{"id": "tnobody1", "state": "running"}]
        self.orders([fact for trial, _ in victims for fact in facts(trial)], trials=claims)
        self.service.kill()
        (self.evil_folder / "greeted").unlink(missing_ok=True)
        self.service.start()
        until(60, "the attacker has greeted", (self.evil_folder / "greeted").exists)
        until(60, "both machines are ready", self.ready)
        until(60, "the log says so", lambda: "which this service did not place there" in self.log())
        until(60, "the victims run", lambda: all(self.service.get(f"/trials/{trial}")["status"] == "RUNNING" for trial, _ in victims))
        self.speak([fact for trial, _ in victims for fact in facts(trial)])
        self.assert_untouched(victims)

    def test_trials_that_nobody_knows(self):
        victims = self.victims()
        before = len(self.service.get("/trials?limit=1000")["trials"])
        unknown = ["tunknown", "../../../etc/passwd", "t\u0000x", "t" * 5_000, ""]
        self.greet([fact for trial in unknown for fact in facts(trial)], trials=[{"id": trial, "state": "running"} for trial in unknown])
        self.speak([fact for trial in unknown for fact in facts(trial)])
        self.assertEqual(len(self.service.get("/trials?limit=1000")["trials"]), before)
        self.assert_untouched(victims)

    def test_huge_replies(self):
        victims = self.victims()
        own, _ = self.trial("lab", "evil")
        log_before = len(self.log())
        self.greet([], trials=[{"id": f"t{number}", "state": "running"} for number in range(20_000)], hostname="h" * 100_000)
        self.speak([
            [{"m": "gpu", "state": "ok", "more": True, "time": 1}, 65_536, 200],
            [{"m": "finding", "text": EVIL + " #" + "f" * 100_000}, 0, 150],
            [{"m": "finding", "trial": own, "text": EVIL + " #" + "f" * 100_000}, 0, 150],
            [{"m": "event", "trial": own, "offset": 0, "next": 1, "type": "t" * 100_000, "time": 1}, 0, 150],
            [{"m": "records", "trial": "tunknown#", "stream": "file", "offset": 0, "next": 65_536, "time": 1}, 65_536, 200],
            [{"m": "data", "req": 0, "offset": 0, "size": FOREVER, "eof": False}, 65_536, 200],
            [{"m": "failed", "re": "start", "kind": "invalid", "message": "m" * 200_000}, 0, 50],
            [{"m": "nothing of ours #", "x": "y" * 500_000}, 0, 20],
        ])
        self.service.get("/health")
        self.assert_untouched(victims)
        grown = len(self.log()) - log_before
        self.assertLess(grown, 2 * 1024 * 1024, "the log has grown without bound")
        kept = sum(path.stat().st_size for path in self.service.folder.rglob("*") if path.is_file())
        self.assertLess(kept, 64 * 1024 * 1024)

    def test_no_frames(self):
        """Bytes that are no frames end the connection; those of others stay."""
        victims = self.victims()
        self.speak([[{"m": "event", "trial": victims[0][0], "rawText": "x" * 70_000}, 0, 1]])  # more raw bytes than a frame may have
        until(60, "it is told", lambda: "Something that is not the agent prints on its connection" in self.log())
        self.orders([])
        until(60, "both machines are ready", self.ready)
        self.assert_untouched(victims)


if __name__ == "__main__":
    main()
