# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines of stand-in servers share: jobs that take steps after a while, and that a test may hold at one of them."""

import re


class Job:
    def __init__(self, job_id, label):
        """`label`: what patterns of a test are looked for in."""
        self.id = job_id
        self.label = label
        self.held = None  # the hold that it meets
        self.step = 0  # which of the steps that were planned is still meant
        self.starts = 0  # of processes
        self.shown = {}  # told instead of what is so


class Courses:
    """All of it runs under the lock of the application, whose settings have `delays`."""

    def __init__(self, application):
        self.application = application
        self.settings = application.settings
        self.jobs = {}
        self.holds = []

    def plan(self, delay, job, function):
        """Calls function(job) after the delay of this name, if nothing else is planned or done before. `delay`: or seconds."""
        job.step += 1
        self.application.timers.after(self.settings["delays"].get(delay, delay), self._take_step, job, job.step, function)

    def _take_step(self, job, step, function):
        with self.application.lock:
            if job.step == step:
                function(job)

    def is_held(self, job, where):
        job.held = next((hold for hold in self.holds if hold["at"] == where and hold["pattern"].search(job.label)), None)
        return job.held is not None

    def matching(self, pattern):
        found = [job for job in self.jobs.values() if re.search(pattern, job.label)]
        if not found:
            raise ValueError(f"no job matches {pattern}")
        return found

    def hold(self, pattern, at, text):
        """Jobs whose label matches stay where they are before they leave `at`; what is told of them is `text`."""
        self.holds.append({"pattern": re.compile(pattern), "at": at, "text": text})

    def release(self, pattern):
        """Takes back what was held by the same pattern; the jobs that may go on."""
        self.holds = [hold for hold in self.holds if hold["pattern"].pattern != pattern]
        free = [job for job in self.jobs.values() if job.held and job.held not in self.holds]
        for job in free:
            job.held = None
        return free
