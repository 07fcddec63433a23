#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What can be checked without compiling: layout, house rules, and that nothing of the machine that it was written on is left
# in a tracked file. `sh installer/lint.sh --fix` lays the C++ out; everything else is for a person.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
cd "$root" || exit 1
g() { # also where another user owns the checkout
    git -c safe.directory="*" "$@"
}
command -v git >/dev/null && g rev-parse --git-dir >/dev/null 2>&1 || {
    echo "lint: not a git checkout, nothing to check" >&2
    exit 0
}
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT
bad=0
mkdir -p build

# Files to be: tracked ones, and new ones that are not ignored. Names in this repository hold no space.
files() { # files PATTERN...
    g ls-files --cached --others --exclude-standard -- "$@" | sort -u | while read -r name; do
        if [ -f "$name" ]; then
            echo "$name"
        fi
    done
}

complain() { # complain TITLE: prints the list, if there is any
    if [ -s "$list" ]; then
        printf 'lint: %s\n' "$1"
        sed 's/^/    /' "$list"
        bad=1
    fi
}

# Versions of clang-format disagree; this one is Debian 12's.
if ! command -v clang-format >/dev/null; then
    echo "lint: no clang-format here, layout not checked"
elif ! clang-format --version | grep -q 'version 14\.'; then
    echo "lint: $(clang-format --version | head -n 1) is not version 14, layout not checked"
elif [ "${1-}" = --fix ]; then
    files '*.h' '*.cpp' | xargs -r clang-format -i
else
    files '*.h' '*.cpp' | xargs -r clang-format --dry-run 2>&1 | sed -n 's/: warning: .*//p' | cut -d: -f1 | sort | uniq -c |
        sort -rn | head -n 40 >"$list"
    complain "layout (sh installer/lint.sh --fix); places a file:"
fi

files '*.h' '*.cpp' '*.py' '*.sh' | while read -r name; do
    head -n 2 "$name" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$name"
done >"$list"
complain "no SPDX line at the top"

files '*.h' | xargs -r grep -L '^#pragma once' >"$list"
complain "no #pragma once"

# The bracket keeps these patterns from finding themselves.
files | grep -v '^LICENSE$' | xargs -r grep -nIE '/[w]ork/(main|shared)|/tmp/[b]-[a-z]|/opt/[w]heels' >"$list"
case $root in
/*/*) files | xargs -r grep -nIF "$root/" >>"$list" ;;
esac
complain "paths of the machine that this was written on"

files '*.h' '*.cpp' '*.py' '*.sh' '*.txt' '*.cmake' | xargs -r grep -nwE 'TO[D]O|FIX[M]E|X[X]X' >"$list"
complain "marks of unfinished work"

files '*.h' '*.cpp' | grep -v '^tests/' | xargs -r grep -nE 'QSave[F]ile>|QSave[F]ile [a-z]' >"$list"
complain "files are replaced by core::AtomicFile, which tells of a full disk"

files '*.h' '*.cpp' | xargs -r grep -nE '(if|while) ?\(.*co_await [A-Za-z_.>-]+\([^)]' >"$list"
complain "GCC 12 destroys a temporary of a condition with co_await twice: name its result first"

files | xargs -r grep -nIE '^([<]{7} |[>]{7} |[=]{7}$)' >"$list"
complain "marks of an unfinished merge"

files '*.h' '*.cpp' | xargs -r wc -l | awk '$2 != "total" && $1 > 1200 { print $2 ": " $1 " lines" }' >"$list"
complain "twice past 600 lines: to be split"

: >"$list"
for script in $(files '*.sh'); do
    sh -n "$script" 2>>"$list" || echo "$script" >>"$list"
done
bash -n .ci/run 2>>"$list"
complain "shell syntax"

if command -v python3 >/dev/null; then
    files '*.py' '*.json' | python3 -c '
import ast, json, sys
for name in sys.stdin.read().split():
    try:
        text = open(name, encoding="utf-8").read()
        ast.parse(text) if name.endswith(".py") else "/fixtures/" in name or json.loads(text)
    except (SyntaxError, ValueError) as problem:
        print(f"{name}: {problem}")' >"$list"
    complain "does not parse"

    python3 -B tests/installer/check_docs.py >"$list"
    complain "the documents name what is not there"

    # Includes against CMake's graph: that needs a configured build, and so the packages of one.
    if ! cmake --preset dev >build/lint-configure.log 2>&1; then
        echo "lint: no build can be configured here (build/lint-configure.log), includes not checked"
        [ "${CI-}" != true ] || bad=1
    else
        python3 -B installer/walls.py build/dev >"$list"
        complain "walls between libraries"
    fi
fi

if [ "$bad" -eq 0 ]; then
    echo "lint: nothing to complain about"
fi
exit "$bad"
