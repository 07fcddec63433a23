# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the window and every sentence of the service is in each translation, translated, and nothing else is; placeholders
agree. No sentence of the service is plain text."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ["app", "models", "services", "ui"]
sys.path.insert(0, str(ROOT / "resources/translations"))
import messages as service_messages  # noqa: E402

# What looks like a sentence and is none that a person reads: patterns of what other programs print, formats, and details for the log.
NOT_SENTENCES = {
    "services/schedule/gpu_inventory.cpp", "services/store/salvage.cpp", "services/store/schema.cpp", "services/store/sql_error.cpp",
    "services/store/worker.cpp", "services/store/worker_write.cpp", "services/transport/http/retry_policy.cpp",
    "services/transport/ssh/ssh_auth.cpp", "services/transport/ssh/ssh_login.cpp", "services/trial/failure_cause.cpp",
    "services/platforms/hosts/test_trial.cpp", "services/client/curl_library.cpp", "services/platforms/hosts/host_check.cpp",
    "services/nni/old_database.cpp"}
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
                sources = SOURCES
                if file.name.startswith("messages_"):
                    sources = [str(pathlib.Path(folder) / "messages.cpp")]
                    pathlib.Path(sources[0]).write_text(service_messages.as_source(), encoding="utf-8")
                subprocess.run([LUPDATE, "-silent", *plurals, "-no-obsolete", "-locations", "none", "-target-language", language,
                                *sources, "-ts", str(fresh)], check=True, cwd=ROOT)
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

    def test_sentences_have_keys(self):
        """A text of three words or more is a message ("..."_m), so that clients can say it in their language."""
        plain = re.compile(rf"((?:{service_messages.PIECE}\s*)*{service_messages.PIECE})_s\b")
        left = []
        for file in sorted((ROOT / "services").rglob("*")):
            name = str(file.relative_to(ROOT))
            if file.suffix not in (".cpp", ".h") or name in NOT_SENTENCES:
                continue
            for text in service_messages.literals(file, plain):
                if re.search(r"[a-z%]\d? [a-z%]\S* \S+", text) and not re.match(r"[A-Z]+ .*|CREATE|PRAGMA", text):
                    left.append(f"{name}: {text}")
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
