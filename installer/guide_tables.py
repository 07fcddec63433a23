#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of the guide whose rows the program itself knows: the settings and options of each kind of training service, and in
English the operations of resources/api/openapi.yaml, by their tags.

  guide_tables.py TRIALDECKD           names pages whose tables say something else, and ends with 1 if there are any
  guide_tables.py TRIALDECKD --write   writes them

They are whole sections, from a heading of HEADINGS to the next one."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
GUIDE = ROOT / "resources" / "guide"
PAGES = {"local": "local", "remote": "ssh-machines", "slurm": "slurm", "kubernetes": "kubernetes", "kubeflow": "kubeflow",
         "frameworkcontroller": "frameworkcontroller", "openpai": "openpai", "dlts": "dlts", "aml": "azure-ml"}
SETTINGS, OPTIONS, MACHINE = "settings", "options", "machine"
HEADINGS = {
    "en": {SETTINGS: "All settings", OPTIONS: "All options of an experiment", MACHINE: "All settings of a machine"},
    "zh_CN": {SETTINGS: "全部设置", OPTIONS: "实验的全部选项", MACHINE: "每台机器的全部设置"},
}
WORDS = {
    "en": {"columns": ("name", "in the window", "what it is", "default"), "required": "needed", "secret": "Kept as a secret",
           "one of": "One of {}", "with": "with {}", "more": "The other ones are those of [Kubernetes](kubernetes.md).", "stop": ".", "comma": ", "},
    "zh_CN": {"columns": ("名称", "窗口中的名称", "含义", "默认值"), "required": "必填", "secret": "作为机密保存", "one of": "取值：{}",
              "with": "用于 {}", "more": "其余各项与 [Kubernetes](kubernetes.md) 相同。", "stop": "。", "comma": "，"},
}


def kinds(program):
    """What the service says of them, without what programs of this computer's user add."""
    with tempfile.TemporaryDirectory(prefix="td-tables-") as folder:
        service = subprocess.Popen([program, "--serve", "--data-dir", folder, "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            endpoint = pathlib.Path(folder, "endpoint.json")
            for _ in range(600):
                if endpoint.exists():
                    break
                time.sleep(0.1)
            request = urllib.request.Request(json.loads(endpoint.read_text())["url"] + "/api/v1/platform-kinds")
            request.add_header("Authorization", f"Bearer {pathlib.Path(folder, 'token').read_text().strip()}")
            with urllib.request.urlopen(request, timeout=60) as reply:
                return {kind["kind"]: kind for kind in json.load(reply)["kinds"]}
        finally:
            service.terminate()
            service.wait(60)


def translations():
    tree = xml.etree.ElementTree.parse(ROOT / "resources" / "translations" / "messages_zh_CN.ts")
    return {message.findtext("source"): message.findtext("translation") for message in tree.iter("message")}


def operations():
    """(METHOD, path) of openapi.yaml, each with its tag and its summary."""
    found, path, method = {}, None, None
    for line in (ROOT / "resources" / "api" / "openapi.yaml").read_text().splitlines():
        if line.startswith("components:"):
            break
        if match := re.fullmatch(r"  \"?(/[^\"]*)\"?:", line):
            path = match[1]
        elif match := re.fullmatch(r"    (get|post|put|patch|delete):", line):
            method = match[1].upper()
            found[method, path] = ("", "")
        elif match := re.fullmatch(r"      (tags|summary): \[?\"?(.*?)\"?\]?", line):
            tag, summary = found[method, path]
            found[method, path] = (match[2], summary) if match[1] == "tags" else (tag, match[2])
    return found


def contract(text):
    """The page with the operations of each tag below its heading."""
    for tag in dict.fromkeys(tag for tag, _ in operations().values()):
        rows = [f"| `{method} {path}` | {summary} |" for (method, path), (of, summary) in operations().items() if of == tag]
        table = "\n".join(["| operation | what it does |", "| --- | --- |", *rows])
        text, found = re.subn(rf"(?<=^### {tag.capitalize()}\n\n)\| operation .*?\n(?=\n|\Z)", lambda _, table=table: table + "\n", text,
                              flags=re.MULTILINE | re.DOTALL)
        if not found:
            raise SystemExit(f"contract.md has no table of the operations of {tag}")
    return text


class Tables:
    def __init__(self, all_kinds, language):
        self.kinds, self.language, self.words = all_kinds, language, WORDS[language]
        self.translated = translations() if language != "en" else {}

    def text(self, field, which):
        text, key = field.get(which) or "", field.get(f"{which}Key")
        if self.language == "en" or not key:
            return text
        text = self.translated[key]
        for number, argument in enumerate(field.get(f"{which}Arguments") or [], 1):
            text = text.replace(f"%{number}", str(argument))
        return text

    def row(self, field):
        said = [self.text(field, "help")]
        if field.get("words"):
            said.append(self.words["one of"].format(self.words["comma"].join(f"`{word}`" for word in field["words"])) + self.words["stop"])
        if field.get("secret"):
            said.append(self.words["secret"] + self.words["stop"])
        first = [self.words["required"]] if field.get("required") else []
        if depends := field.get("dependsOn"):
            first.append(self.words["with"].format(f"`{depends['field']}={depends['value']}`"))
        default = field.get("default")
        shown = "" if default in (None, "", []) else f"`{json.dumps(default) if not isinstance(default, str) else default}`"
        cells = (f"`{field['name']}`", self.text(field, "title"), " ".join(filter(None, said)),
                 self.words["comma"].join(filter(None, [*first, shown])))
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;") for cell in cells) + " |"

    def section(self, kind, which):
        """Lines below the heading."""
        described = self.kinds[kind]
        if which == MACHINE:
            fields = next(field for field in described["fields"] if field["name"] == "machineList")["items"]
        else:
            fields = described["fields" if which == SETTINGS else "experimentFields"]
        lines = []
        if kind in ("kubeflow", "frameworkcontroller"):
            common = self.kinds["kubernetes"]["fields" if which == SETTINGS else "experimentFields"]
            fields = [field for field in fields if field not in common]
            lines = [self.words["more"], ""]
        columns = self.words["columns"]
        return [*lines, "| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns), *map(self.row, fields)]

    def page(self, kind, text):
        for which, heading in HEADINGS[self.language].items():
            pattern = re.compile(rf"^(## {heading}\n\n).*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
            if match := pattern.search(text):
                last = match.end() == len(text)
                text = text[:match.start()] + match[1] + "\n".join(self.section(kind, which)) + ("\n" if last else "\n\n") + text[match.end():]
        return text


def differences(program, write=False):
    """Pages that say something else; with `write` they are mended."""
    found, all_kinds = [], kinds(program)
    page = GUIDE / "en" / "contract.md"
    if (changed := contract(page.read_text())) != page.read_text():
        found.append("en/contract.md")
        if write:
            page.write_text(changed)
    for language in HEADINGS:
        tables = Tables(all_kinds, language)
        for kind, name in PAGES.items():
            page = GUIDE / language / f"{name}.md"
            if not page.exists():
                found.append(f"{language}/{page.name} is missing")
                continue
            text = page.read_text()
            wanted = {MACHINE if kind == "remote" else SETTINGS}
            if all_kinds[kind].get("experimentFields"):
                wanted.add(OPTIONS)
            missing = [which for which in wanted if f"\n## {HEADINGS[language][which]}\n" not in text]
            changed = tables.page(kind, text)
            if missing or changed != text:
                found.append(f"{language}/{page.name}{' has no ' + str(missing) if missing else ''}")
            if write and changed != text:
                page.write_text(changed)
    return found


if __name__ == "__main__":
    DIFFERENT = differences(str(pathlib.Path(sys.argv[1]).resolve()), "--write" in sys.argv)
    print("".join(f"resources/guide/{name}\n" for name in DIFFERENT), end="")
    sys.exit(1 if DIFFERENT and "--write" not in sys.argv else 0)
