#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the includes of the sources against CMake's own graph of libraries.

  walls.py BUILD-FOLDER           complains, a line each, and ends with 1 if there is anything
  walls.py BUILD-FOLDER --write   writes the drawing of the libraries into HACKING.md

A file may include what its target links, directly or through public links of what it links. The graph is libraries.txt of a
configured build folder (cmake/library_graph.cmake).
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST_FILES = 40  # sources and headers in one folder

# Headers of libraries that lie where every compiler looks, so that only this check sees who may use them.
FOREIGN = {
    "libssh/": "ssh", "md4c": "PkgConfig::md4c", "boost/": "Boost::headers", "openssl/": "OpenSSL::", "yaml-cpp/": "yaml-cpp", "archive": "LibArchive::LibArchive",
    "nlohmann/": ("nlohmann_json::nlohmann_json", "trialkeeper_json"), "qt6keychain/": "qt6keychain", "QtWidgets/": "Qt6::Widgets", "QtGui/": "Qt6::Widgets",
    "QtCharts/": "Qt6::Charts", "QtSql/": "Qt6::Sql", "QtNetwork/": "Qt6::Network",
}

# From the bottom to the top: no library links one of a later row.
LAYERS = ("services/", "models/", "ui/", "app/")
KEEPER = "app/trialkeeper/"

# Libraries side by side: none of a row links another of the same row, even where CMake would allow it.
APART = (
    ("services/http", "services/engine"),
    ("ui/trials", "ui/experiments", "ui/machines", "ui/queue", "ui/explore"),
)

BEGIN, END = "<!-- libraries: installer/walls.py --write -->\n```text\n", "```\n<!-- end of libraries -->\n"

Target = collections.namedtuple("Target", "name type links interface sources")


def read_graph(build):
    targets = {}
    for line in (pathlib.Path(build) / "libraries.txt").read_text().splitlines():
        name, kind, *lists = line.split("|")
        targets[name] = Target(name, kind, *[[entry for entry in text.split(";") if entry] for text in lists])
    return targets


def clean(link):
    """A link without its generator expression."""
    return re.sub(r"^\$<[A-Z_]+:(.*)>$", r"\1", link)


def reach(targets, name):
    """What the target may include: itself, what it links, and what that links for its users."""
    seen, waiting = {name}, [clean(link) for link in targets[name].links]
    while waiting:
        link = waiting.pop()
        if link not in seen:
            seen.add(link)
            if link in targets:
                waiting += [clean(more) for more in targets[link].interface if "LINK_ONLY" not in more]
    return seen


def folder_of(target):
    """The folder of a library: where its sources lie."""
    return target.sources[0].rsplit("/", 1)[0] if target.sources and "/" in target.sources[0] else ""


def is_ours(target):
    return target.type == "STATIC_LIBRARY" and not folder_of(target).startswith(("tests", "..")) and bool(folder_of(target))


def source_files():
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "*.cpp", "*.h"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return {name: (ROOT / name).read_text() for name in sorted(set(listed)) if (ROOT / name).is_file()}


def owners(targets):
    """The target of each listed file; a library rather than a program that compiles the same file."""
    owner = {}
    for target in sorted(targets.values(), key=lambda one: one.type != "STATIC_LIBRARY"):
        for source in target.sources:
            owner.setdefault(source, target.name)
    return owner


def wrong_includes(targets, files):
    owner = owners(targets)
    # A program that compiles a library's sources itself has what it needs of it.
    reached = {name: reach(targets, name) | {owner[source] for source in target.sources if source in owner}
               for name, target in targets.items()}
    wrong = []
    for name, text in files.items():
        mine = owner.get(name)
        if mine is None:
            # A header of tests alone belongs to the test that includes it, a precompiled one to many targets.
            if not (name.startswith("tests/") and name.endswith(".h")) and not name.endswith("/pch.h"):
                wrong.append(f"{name}: no CMakeLists.txt lists it")
            continue
        for bracket, include in re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', text, re.MULTILINE):
            if bracket == '"':
                beside = str(pathlib.PurePosixPath(name).parent / include)
                path = beside if beside in files else include
                theirs = owner.get(path)
                if theirs and theirs not in reached[mine]:
                    wrong.append(f"{name}: includes {path} of {theirs}, which {mine} does not link")
                continue
            for prefix, library in FOREIGN.items():
                if include.startswith(prefix) and not any(link.startswith(library) for link in reached[mine]):
                    wrong.append(f"{name}: includes <{include}>, but {mine} does not link {library if isinstance(library, str) else library[0]}")
    return wrong


def arrows(targets):
    """Library to the libraries that it links itself, both of ours."""
    ours = {name for name, target in targets.items() if is_ours(target)}
    return {name: sorted({clean(link) for link in targets[name].links} & ours) for name in ours}


def levels(graph):
    """The libraries in rows; each links only what is in rows before. The rest, if any, goes round in circles."""
    rows, done = [], set()
    while True:
        row = sorted(name for name, links in graph.items() if name not in done and done.issuperset(links))
        if not row:
            return rows, sorted(set(graph) - done)
        rows.append(row)
        done.update(row)


def layer(folder):
    if folder.startswith(KEEPER):
        return 0
    return next((i for i, prefix in enumerate(LAYERS) if (folder + "/").startswith(prefix)), len(LAYERS))


def wrong_arrows(targets):
    graph = arrows(targets)
    wrong = []
    _, circle = levels(graph)
    if circle:
        wrong.append("libraries that link each other in a circle, or link such: " + ", ".join(circle))
    for name, links in graph.items():
        mine = folder_of(targets[name])
        below = {folder_of(targets[link]) for link in reach(targets, name) if link in graph}
        for theirs in sorted(below - {mine}):
            if layer(theirs) > layer(mine):
                wrong.append(f"{mine} links upwards: {theirs}")
            if theirs.startswith(KEEPER) and not mine.startswith(KEEPER):
                wrong.append(f"{mine} links {theirs}: what is said to the keeper is in services/wire")
            for row in APART:
                ours = [room for room in row if mine == room or mine.startswith(room + "/")]
                other = [room for room in row if theirs == room or theirs.startswith(room + "/")]
                if ours and other and ours != other:
                    wrong.append(f"{mine} links {theirs}: these two do not know each other")
    return wrong


def full_folders(files):
    count = collections.Counter(name.rsplit("/", 1)[0] for name in files if "/" in name)
    return [f"{folder}: {number} sources and headers, over {MOST_FILES}: to be divided" for folder, number in sorted(count.items())
            if number > MOST_FILES]


def drawing(targets):
    """A line a library, what it links after the arrow; rows from the bottom to the top, without what another link brings."""
    graph = arrows(targets)
    through = {name: reach(targets, name) - {name} for name in graph}
    lines = []
    for row in levels(graph)[0]:
        for name in sorted(row, key=lambda one: folder_of(targets[one])):
            links = [link for link in graph[name] if not any(link in through[other] for other in graph[name] if other != link)]
            folders = sorted(folder_of(targets[link]) for link in links)
            lines.append(f"{folder_of(targets[name]):28}" + ("→ " + "  ".join(folders) if folders else ""))
        lines.append("")
    return "\n".join(line.rstrip() for line in lines[:-1]) + "\n"


def stale_drawing(targets):
    text = (ROOT / "HACKING.md").read_text()
    return [] if BEGIN + drawing(targets) + END in text else ["HACKING.md: the drawing of the libraries is old (installer/walls.py --write)"]


def main(build, write):
    targets = read_graph(build)
    if write:
        path = ROOT / "HACKING.md"
        text = path.read_text()
        begin, end = text.index(BEGIN), text.index(END) + len(END)
        path.write_text(text[:begin] + BEGIN + drawing(targets) + END + text[end:])
        return 0
    files = source_files()
    wrong = wrong_includes(targets, files) + wrong_arrows(targets) + full_folders(files) + stale_drawing(targets)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv))
