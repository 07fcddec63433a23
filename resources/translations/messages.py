#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the sentences of the service, the literals u"..."_m, as C++ that lupdate can read. usage: messages.py OUTPUT"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["app", "services"]
PIECE = r'u?"(?:[^"\\\n]|\\.)*"'
LITERAL = re.compile(rf"((?:{PIECE}\s*)*{PIECE})_m\b")


def literals(file, pattern=LITERAL):
    """The texts of the file's literals of that kind, as they stand in the source: with C++'s escapes."""
    # Examples in comments are no sentences.
    source = re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for literal in pattern.finditer(source):
        yield "".join(piece[piece.index('"') + 1 : -1] for piece in re.findall(PIECE, literal.group(1)))


def keys():
    """Each template once."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in (".cpp", ".h")]
    return sorted({text for file in files for text in literals(file) if text})


def as_source():
    lines = ["#include <QtGlobal>", "static const char* const messages[] = {"]
    lines += [f'    QT_TRANSLATE_NOOP("Message", "{key}"),' for key in keys()]
    return "\n".join([*lines, "};"]) + "\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(as_source(), encoding="utf-8")
