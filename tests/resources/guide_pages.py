# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the pages of the guide, and types their commands as a reader would.

A fenced block is a file, which its name follows the language (```json cluster.json), or commands (```sh), or text (```text) that nobody
types. The files and commands of a page belong together: they are done in the page's order, in one new folder and one new home."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "guide"
LANGUAGES = ("en", "zh_CN")
BLOCK = re.compile(r"^```([a-z]*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages(language):
    return sorted((GUIDE / language).glob("*.md"))


def without_blocks(text):
    return BLOCK.sub("", text)


def merged(text, more):
    """A file of a platform, with settings of the cluster that is there instead of the reader's."""
    form = json.loads(text)
    form["settings"] = {name: value for name, value in {**form["settings"], **more}.items() if value is not None}
    return json.dumps(form)


class PageTest(unittest.TestCase):
    """A home, a working folder, and the program as `trialdeck` on the path."""

    program = None  # trialdeckd

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="td-guide-", ignore_cleanup_errors=True)))
        for name in ("bin", "home", "work"):
            (self.folder / name).mkdir()
        (self.folder / "bin" / "trialdeck").symlink_to(self.program)
        (self.folder / "bin" / "trialdeckd").symlink_to(self.program)
        names = ("PATH", "LANG", "LC_ALL", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
        self.environment = {name: os.environ[name] for name in names if name in os.environ}
        self.environment |= {"HOME": str(self.folder / "home"), "TRIALDECK_KEYRING": "0",
                             "PATH": f"{self.folder}/bin{os.pathsep}{self.environment['PATH']}"}

    def type(self, command, seconds=600):
        """What a shell says of it, which must be content."""
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", command], cwd=self.folder / "work", env=self.environment,
                              capture_output=True, text=True, timeout=seconds, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def stop(self, *options):
        subprocess.run([self.program, "service", "stop", *options], env=self.environment, capture_output=True, timeout=60, check=False)

    def run_page(self, name, changes=None):
        """`changes`: of files of the page by their names, what they say here; a function of the page's text."""
        changes = dict(changes or {})
        self.addCleanup(self.stop)
        commands = 0
        for kind, file, text in BLOCK.findall((GUIDE / "en" / name).read_text()):
            if file:
                if file in changes:
                    if kind == "json":
                        self.check_form(text)
                    text = changes.pop(file)(text)
                (self.folder / "work" / file).write_text(text)
            elif kind == "sh":
                self.check(text, self.type(text))
                commands += 1
        self.assertEqual(changes, {}, "the page has these files")
        self.assertGreater(commands, 0)

    def check_form(self, text):
        """The page's own file is understood as it stands."""
        form = self.folder / "form.json"
        form.write_text(text)
        self.type(f"trialdeck platform add {form} --dry-run")

    def check(self, command, said):
        """What a reader would look at."""
        if re.search(r" (--wait|-w) ", command):
            self.assertRegex(said, r"is DONE: \d+ succeeded")
            self.assertNotIn("failed", said)
        if "--metric" in command:
            self.assertRegex(said, r"Best: trial \d+")
        if "platform check" in command:
            self.assertNotIn("✗", said)
        if "conformance" in command:
            self.assertIn("Every promise is kept.", said)
        if "cat trial-0/" in command:
            self.assertIn("weights\n", said)
