#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Trialdeck and shows it with its demo. For a fresh Debian 12 or Ubuntu 24.04.
set -u

usage() {
    cat <<'END'
usage: sh installer/run.sh [--deps | --build]

Installs the packages that are missing (with sudo, unless you are root), builds Trialdeck into build/release and opens the
window on the demo: 20 short trainings on this computer. Without a display the demo runs in the terminal. A second run installs
nothing and builds what changed.

  --deps    install the packages, then stop
  --build   install and build, then stop
JOBS=N in the environment sets how many files are compiled at once.
END
}

goal=demo
case "${1-}" in
'') ;;
--deps) goal=deps ;;
--build) goal=build ;;
-h | --help)
    usage
    exit 0
    ;;
*)
    usage >&2
    exit 2
    ;;
esac

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
cd "$root" || exit 1
. installer/common.sh
logs=$root/build/logs
jobs=${JOBS:-$(default_jobs)}

case $goal in
deps) steps=1 ;;
build) steps=3 ;;
demo) steps=4 ;;
esac

ensure_packages "$logs/packages.log" build
if [ "$goal" = deps ]; then
    exit 0
fi
step "Configuring" "$logs/release-configure.log" cmake --preset release
step "Building with $jobs jobs" "$logs/release-build.log" cmake --build --preset release -j "$jobs"
if [ "$goal" = build ]; then
    echo "Ready after $(elapsed $(($(date +%s) - began_all))): build/release/bin/trialdeck"
    exit 0
fi
echo "[4/4] The demo (ready to run after $(elapsed $(($(date +%s) - began_all))))"
exec build/release/bin/trialdeck --demo
