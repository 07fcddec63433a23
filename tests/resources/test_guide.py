# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide in both languages: its commands run, its links lead somewhere, and no page or heading is missing in one of them:
python3 test_guide.py PROGRAM [unittest's arguments]."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "guide"
LANGUAGES = ("en", "zh_CN")
BLOCK = re.compile(r"^```([a-z]*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = None


def pages(language):
    return sorted((GUIDE / language).glob("*.md"))


def without_blocks(text):
    return BLOCK.sub("", text)


class Guide(unittest.TestCase):
    def test_both_languages_have_everything(self):
        names = [[page.name for page in pages(language)] for language in LANGUAGES]
        self.assertEqual(names[0], names[1])
        for page in pages("en"):
            other = GUIDE / "zh_CN" / page.name
            with self.subTest(page.name):
                texts = [page.read_text(), other.read_text()]
                levels = [re.findall(r"^(#+) ", without_blocks(text), re.MULTILINE) for text in texts]
                self.assertEqual(levels[0], levels[1], "headings")
                blocks = [[(kind, name, code) for kind, name, code in BLOCK.findall(text)] for text in texts]
                self.assertEqual(blocks[0], blocks[1], "commands and files are the same")
                self.assertGreater(len(re.findall(r"[\u4e00-\u9fff]", texts[1])), 100, "it is in Chinese")

    def test_links_lead_somewhere(self):
        for language in LANGUAGES:
            linked = set()
            for page in pages(language):
                for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", without_blocks(page.read_text())):
                    if re.match(r"https?://", target):
                        continue
                    with self.subTest(page=f"{language}/{page.name}", target=target):
                        self.assertTrue((page.parent / target).resolve().is_file())
                    linked.add((page.parent / target).resolve())
            self.assertEqual({page for page in pages(language) if page.name != "index.md"} - linked, set(), "each page is linked")
            for named in re.findall(r"`(resources/[^`\s]+)`", "".join(page.read_text() for page in pages(language))):
                self.assertTrue((GUIDE.parents[1] / named).exists(), named)

    def test_commands_run(self):
        """Those of a page one after the other, in a new home."""
        for page in pages("en"):
            with self.subTest(page.name), tempfile.TemporaryDirectory(prefix="td-guide-", ignore_cleanup_errors=True) as folder:
                self.run_page(page, pathlib.Path(folder))

    def run_page(self, page, folder):
        for name in ("bin", "home", "work"):
            (folder / name).mkdir()
        (folder / "bin" / "trialdeck").symlink_to(PROGRAM)
        names = ("PATH", "LANG", "LC_ALL", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
        environment = {name: os.environ[name] for name in names if name in os.environ}
        environment |= {"HOME": str(folder / "home"), "PATH": f"{folder}/bin{os.pathsep}{environment['PATH']}"}
        ran = 0
        try:
            for kind, name, text in BLOCK.findall(page.read_text()):
                if name:
                    (folder / "work" / name).write_text(text)
                elif kind == "sh":
                    done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", text], cwd=folder / "work", env=environment,
                                          capture_output=True, text=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
                    self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}\n{done.stderr}")
                    self.check(text, done.stdout + done.stderr)
                    ran += 1
                else:
                    self.fail(f"a block of {page.name} is neither a file nor a command: {text[:60]}")
        finally:
            if shutil.which("bash") and ran:
                subprocess.run([PROGRAM, "service", "stop"], env=environment, capture_output=True, timeout=60, check=False)

    def check(self, command, said):
        """What a reader would look at."""
        if " --wait " in command:
            self.assertRegex(said, r"is DONE: \d+ succeeded")
            self.assertNotIn("failed", said)
        if "--metric" in command:
            self.assertRegex(said, r"Best: trial \d+")
        if "conformance" in command:
            self.assertIn("Every promise is kept.", said)
        if "cat trial-0/" in command:
            self.assertIn("weights\n", said)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
