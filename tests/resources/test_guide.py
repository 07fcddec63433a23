# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide in both languages: no page or heading is missing in one of them, links lead somewhere, tables say what the program says, and
each page's commands are typed by a test: python3 test_guide.py PROGRAM [unittest's arguments].

Here are the pages that need nothing but this computer."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from guide_pages import BLOCK, GUIDE, LANGUAGES, PageTest, pages, without_blocks

ROOT = GUIDE.parents[1]
# By which test a page's commands are typed.
TYPED = {
    "tests/resources/test_guide.py": ["first-ten-minutes", "own-script", "local", "own-training-service", "coming-from-nni"],
    "tests/integration/test_guide_clusters.py": ["ssh-machines", "slurm", "openpai", "dlts", "azure-ml", "server"],
    "tests/peers/test_kubernetes_guide.py": ["kubernetes", "kubeflow", "frameworkcontroller"],
    "tests/peers/test_guide_tuners.py": ["driving"],
}
PLAIN = {"index", "window", "contract", "promises"}  # without a command
PROGRAM = None


def tool(name):
    """A script of installer/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "installer" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Text(unittest.TestCase):
    def test_both_languages_have_everything(self):
        names = [[page.name for page in pages(language)] for language in LANGUAGES]
        self.assertEqual(names[0], names[1])
        for page in pages("en"):
            other = GUIDE / "zh_CN" / page.name
            with self.subTest(page.name):
                texts = [page.read_text(), other.read_text()]
                levels = [re.findall(r"^(#+) ", without_blocks(text), re.MULTILINE) for text in texts]
                self.assertEqual(levels[0], levels[1], "headings")
                blocks = [BLOCK.findall(text) for text in texts]
                self.assertEqual(blocks[0], blocks[1], "commands and files are the same")
                rows = [len(re.findall(r"^\|", text, re.MULTILINE)) for text in texts]
                self.assertEqual(rows[0], rows[1], "rows of tables")
                targets = [sorted(re.findall(r"\]\(([^)#]+)", without_blocks(text))) for text in texts]
                self.assertEqual(targets[0], targets[1], "links")
                self.assertGreater(len(re.findall(r"[\u4e00-\u9fff]", texts[1])), 100, "it is in Chinese")

    def test_both_readmes(self):
        texts = [(ROOT / name).read_text() for name in ("README.md", "README.zh_CN.md")]
        levels = [re.findall(r"^(#+) ", without_blocks(text), re.MULTILINE) for text in texts]
        self.assertEqual(levels[0], levels[1], "headings")
        self.assertEqual(*[BLOCK.findall(text) for text in texts])
        for text in texts:
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", without_blocks(text)):
                if not re.match(r"https?://", target):
                    self.assertTrue((ROOT / target).is_file(), target)

    def test_links_lead_somewhere(self):
        for language in LANGUAGES:
            linked = set()
            for page in pages(language):
                for target, place in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", without_blocks(page.read_text())):
                    if re.match(r"https?://", target):
                        continue
                    with self.subTest(page=f"{language}/{page.name}", target=target, place=place):
                        file = (page.parent / target).resolve() if target else page
                        self.assertTrue(file.is_file())
                        if place:
                            self.assertIn(place, self.places(file))
                        linked.add(file)
            self.assertEqual({page for page in pages(language) if page.name != "index.md"} - linked, set(), "each page is linked")
            listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\)", (GUIDE / language / "index.md").read_text(), re.MULTILINE)
            self.assertEqual(sorted(listed), sorted(page.name for page in pages(language) if page.name != "index.md"))
            for named in re.findall(r"`(resources/[^`\s]+)`", "".join(page.read_text() for page in pages(language))):
                self.assertTrue((ROOT / named).exists(), named)

    @staticmethod
    def places(file):
        """Of a heading the name by which it is linked, as GitHub makes it."""
        headings = re.findall(r"^#+ (.*)$", without_blocks(file.read_text()), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

    def test_each_page_is_typed(self):
        typed = [page for names in TYPED.values() for page in names]
        self.assertEqual(sorted(typed + sorted(PLAIN)), sorted(page.stem for page in pages("en")))
        for test, names in TYPED.items():
            text = (ROOT / test).read_text()
            for name in names:
                self.assertRegex(text, rf'run_page\("{name}\.md"|type_page\("{name}"\)', test)
        for page in pages("en"):
            kinds = {kind for kind, name, _ in BLOCK.findall(page.read_text()) if not name}
            self.assertLessEqual(kinds, {"text"} if page.stem in PLAIN else {"sh", "text"}, page.name)
            for kind, _, text in BLOCK.findall(page.read_text()):
                if kind == "text":
                    self.assertNotRegex(text, r"(?m)^\s*(\$ |trialdeckd? [a-z-])", f"a command that nobody types: {page.name}")

    def test_commands_within_sentences(self):
        """Their verbs and options are those of the program."""
        helps = {}
        for page in pages("en") + pages("zh_CN"):
            for words in re.findall(r"`trialdeck ([^`]+)`", without_blocks(page.read_text())):
                command, _, _ = words.partition(" -- ")
                verb = re.match(r"[a-z]+(?: [a-z]+)?", command)
                with self.subTest(page=page.name, command=words):
                    found = self.help_of(verb.group() if verb else "", helps)
                    for option in re.findall(r"(?<!\S)(--[a-z-]+)", command):
                        self.assertIn(option, found)

    def help_of(self, verb, helps):
        if verb not in helps:
            for words in (verb.split(), verb.split()[:1]):
                done = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=False)
                if done.returncode == 0:
                    break
            self.assertEqual(done.returncode, 0, verb)
            helps[verb] = done.stdout
        return helps[verb]

    def test_tables(self):
        """What the program says of itself stands in the pages; installer/guide_tables.py PROGRAM --write makes them anew."""
        self.assertEqual(tool("guide_tables").differences(PROGRAM), [])

    def test_sentences_are_the_programs(self):
        """What a page's table of troubles says that a person sees, the program says; in Chinese its translation."""
        tree = xml.etree.ElementTree.parse(ROOT / "resources" / "translations" / "messages_zh_CN.ts")
        for language, which, quoted in (("en", "source", r'(?<![\w…])"(.+)"(?![\w…])'), ("zh_CN", "translation", r"“(.+)”")):
            said = "\n".join(message.findtext(which) or "" for message in tree.iter("message"))
            said = re.sub(r"%\d", "…", said)
            count = 0
            for page in pages(language):
                for cell in re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", page.read_text(), re.MULTILINE):
                    for sentence in re.findall(quoted, cell):
                        count += 1
                        with self.subTest(page=f"{language}/{page.name}"):
                            self.assertIn(sentence.replace('\\"', '"'), said)
            self.assertGreater(count, 30, language)

    def test_contract_is_whole(self):
        """Each operation of openapi.yaml is in the page, and none besides; test_tables looks at the English sentences."""
        wanted = tool("guide_tables").operations()
        self.assertGreater(len(wanted), 60)
        self.assertEqual([name for name, (tag, summary) in wanted.items() if not tag or not summary], [])
        for language in LANGUAGES:
            found = re.findall(r"^\| `([A-Z]+) (/\S*)` \|", (GUIDE / language / "contract.md").read_text(), re.MULTILINE)
            self.assertEqual(sorted(found), sorted(wanted), language)

    def test_promises_name_tests(self):
        """Each promise names tests that are there, and that CTest runs."""
        listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=pathlib.Path(PROGRAM).parents[1], capture_output=True, text=True, check=True)
        registered = {test["name"] for test in json.loads(listed.stdout)["tests"]}
        for language in LANGUAGES:
            text = (GUIDE / language / "promises.md").read_text()
            rows = re.findall(r"^\| (.+) \| (`.+) \|$", text, re.MULTILINE)
            self.assertGreater(len(rows), 12)
            for promise, tests in rows:
                for name in re.findall(r"`([^`]+)`", tests):
                    self.assertIn(name, registered, promise)


class Pages(PageTest):
    def test_first_ten_minutes(self):
        self.run_page("first-ten-minutes.md")

    def test_own_script(self):
        self.run_page("own-script.md")

    def test_local(self):
        self.run_page("local.md")

    def test_own_training_service(self):
        self.run_page("own-training-service.md")

    def test_coming_from_nni(self):
        self.run_page("coming-from-nni.md")


del PageTest  # unittest would run it by itself

if __name__ == "__main__":
    PROGRAM = Pages.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
