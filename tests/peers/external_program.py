# SPDX-License-Identifier: GPL-3.0-or-later
"""A program of a training service of one's own, called by hand instead of by a service."""

import json
import os
import subprocess


class ExternalProgram:
    """One life of it; the end of `case`, a unittest.TestCase, is the latest end of it."""

    def __init__(self, case, command, **environment):
        self.case = case
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        case.addCleanup(self.kill)

    def tell(self, call, **members):
        self.process.stdin.write(json.dumps({"id": 1, "call": call, **members}) + "\n")
        self.process.stdin.flush()

    def ask(self, call, **members):
        self.tell(call, **members)
        for line in self.process.stdout:
            if "id" in (answer := json.loads(line)):
                return answer
        return self.case.fail(f"{call}: no answer")

    def jobs(self):
        return self.ask("jobs")["jobs"]

    def states(self):
        return [job["state"] for job in self.jobs()]

    def kill(self):
        self.process.kill()
        self.process.communicate()
