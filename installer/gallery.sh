#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Draws every page of the window, light and dark, from a real run of the demo. Needs no display.
set -u

usage() {
    cat <<'END_USAGE'
usage: sh installer/gallery.sh [PROGRAM [FOLDER]]

PROGRAM is the trialdeck to draw with (default: build/release/bin/trialdeck), FOLDER gets the pictures (default: build/gallery).
Where the program lab_pictures was built beside it (target lab_pictures), the pictures of a lab are drawn as well: machines on their way
in, and whose GPU is it, from real logins on loopback; SILENT=10 shortens the four minutes for which one of its machines is silent.
SIZE=1280x720, LOCALE=zh_CN and PAGES="overview machines" in the environment choose others than the usual; QT_SCALE_FACTOR=1.5 draws as on a
screen of 150 %.
END_USAGE
}

case "${1-}" in
-h | --help)
    usage
    exit 0
    ;;
esac
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
program=${1:-$root/build/release/bin/trialdeck}
folder=${2:-$root/build/gallery}
size=${SIZE:-1440x900}
locale=${LOCALE:-en}
pages=${PAGES:-overview experiments trials queue machines charts failures events platforms guide}
[ -x "$program" ] || {
    echo "There is no program $program; build it with: sh installer/run.sh --build" >&2
    exit 1
}
mkdir -p "$folder" || exit 1
data=$(mktemp -d) || exit 1
trap 'rm -rf "$data"' EXIT
export QT_QPA_PLATFORM=offscreen

draw() { # draw FILE OPTION...
    file=$folder/$1
    shift
    "$program" --screenshot "$file" --size "$size" --locale "$locale" "$@" || exit 1
    echo "$file"
}

draw first-run-light.png --page overview --theme light --data-dir "$data/empty"
draw overview-light.png --demo --page overview --theme light --data-dir "$data/demo"
for theme in light dark; do
    for page in $pages; do
        [ "$page-$theme" = overview-light ] || draw "$page-$theme.png" --page "$page" --theme "$theme" --data-dir "$data/demo"
    done
done
lab=$(dirname "$program")/lab_pictures
[ ! -x "$lab" ] || "$lab" "$folder" "${SILENT:-240}"
