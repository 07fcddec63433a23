# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what README.md and HACKING.md name in their examples although it does not exist: scripts, presets, files, and, when
a program is given (`check_docs.py build/dev/bin/trialdeckd`), verbs and options of the command line."""

import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "HACKING.md"]


def example_lines(text):
    """The lines of fenced blocks; one that goes on behind a backslash is one line, under the number of its first."""
    inside = False
    first, held = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
            first, held = 0, ""
        elif inside:
            first = first or number
            held += line.strip().removeprefix("$ ")
            if held.endswith("\\"):
                held = held[:-1]
                continue
            yield first, held
            first, held = 0, ""


class CommandLine:
    """The help texts of a built program: which verbs there are, and which options each has."""

    def __init__(self, program):
        self.program = program
        self.texts = {}

    def help(self, *verb):
        """The help of a verb, of a noun, or of the program; None when it knows no such verb."""
        if verb not in self.texts:
            words = ["help", *verb] if verb else ["--help"]
            done = subprocess.run([self.program, *words], capture_output=True, text=True, timeout=60)
            self.texts[verb] = done.stdout if done.returncode == 0 else None
        return self.texts[verb]

    def unknown_words(self, words):
        """Of an example's words after the program's name, those that the help does not know."""
        options = [w.split("=")[0] for w in words if re.match(r"--[a-z]", w)]
        verb = tuple(itertools.takewhile(lambda w: re.fullmatch(r"[a-z]+", w), [w for w in words if w not in options][:2]))
        text = self.help(*verb)
        if text is None and len(verb) == 2:
            verb = verb[:1]
            text = self.help(*verb)
        if text is None:
            return list(verb)
        return [option for option in options if not re.search(rf"{option}(?![a-z-])", text)]


def problems_of(name, text, presets, command_line=None):
    found = []
    for number, line in example_lines(text):
        words = line.split(" -- ")[0].split("#")[0].split()
        if not words:
            continue
        where = f"{name}:{number}"
        if words[0] == "sh" and len(words) > 1 and not (ROOT / words[1]).is_file():
            found.append(f"{where}: no file {words[1]}")
        for preset in re.findall(r"--preset[ =](\S+)", line):
            if preset not in presets:
                found.append(f"{where}: no preset {preset}")
        while words and re.match(r"[A-Z_]+=", words[0]):
            words.pop(0)
        if command_line and words and pathlib.Path(words[0]).name in ("trialdeck", "trialdeckd"):
            for word in command_line.unknown_words(words[1:]):
                found.append(f"{where}: the command line knows no {word}")
    # A folder or file in backquotes that looks like a path of this repository.
    for path in re.findall(r"`((?:app|ui|models|services|resources|tests|installer)/[A-Za-z0-9_./-]*)`", text):
        if not list(ROOT.glob(path.rstrip("/") or ".")):
            found.append(f"{name}: no {path}")
    return found


def main():
    presets = {p["name"] for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    command_line = CommandLine(sys.argv[1]) if len(sys.argv) > 1 else None
    problems = [
        problem
        for name in DOCUMENTS
        for problem in problems_of(name, (ROOT / name).read_text(encoding="utf-8"), presets, command_line)
    ]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
