# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the window is in each translation, translated, and nothing else is; placeholders agree."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ["app", "models", "services", "ui"]
LUPDATE = shutil.which("lupdate", path="/usr/lib/qt6/bin") or shutil.which("lupdate6") or shutil.which("lupdate")


def messages(file):
    """(context, source, comment) to the translation: a text, or a list of forms."""
    found = {}
    for context in ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation.get("type") in ("vanished", "obsolete"):
                continue
            key = (context.findtext("name"), message.findtext("source"), message.findtext("comment") or "")
            forms = [form.text or "" for form in translation.iter("numerusform")]
            found[key] = (translation.get("type"), forms or (translation.text or ""))
    return found


class Translations(unittest.TestCase):
    def setUp(self):
        self.files = sorted((ROOT / "resources/translations").glob("*.ts"))
        self.assertTrue(self.files)

    def test_up_to_date(self):
        self.assertTrue(LUPDATE, "lupdate is missing: package qt6-l10n-tools")
        for file in self.files:
            with tempfile.TemporaryDirectory() as folder:
                fresh = pathlib.Path(folder) / file.name
                language = ElementTree.parse(file).getroot().get("language")
                plurals = ["-pluralonly"] if language == "en" else []
                subprocess.run([LUPDATE, "-silent", *plurals, "-no-obsolete", "-locations", "none", "-target-language", language,
                                *SOURCES, "-ts", str(fresh)], check=True, cwd=ROOT)
                wanted = set(messages(fresh))
                there = set(messages(file))
            self.assertFalse(wanted - there, f"missing in {file.name}; run: sh resources/translations/update.sh")
            self.assertFalse(there - wanted, f"no longer used in {file.name}; run: sh resources/translations/update.sh")

    def test_complete(self):
        for file in self.files:
            for key, (kind, translation) in messages(file).items():
                with self.subTest(file=file.name, text=key):
                    self.assertNotEqual(kind, "unfinished")
                    self.assertTrue(all(translation) if isinstance(translation, list) else translation)

    def test_placeholders(self):
        for file in self.files:
            for (context, source, _), (_, translation) in messages(file).items():
                for form in translation if isinstance(translation, list) else [translation]:
                    wanted = set(re.findall(r"%L?(\d+|n)", source)) - ({"n"} if "%n" not in form else set())
                    with self.subTest(file=file.name, context=context, source=source):
                        self.assertEqual(wanted, set(re.findall(r"%L?(\d+|n)", form)))


if __name__ == "__main__":
    unittest.main()
