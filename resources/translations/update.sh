#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings the translations in line with the sources: new texts come in as unfinished, unused ones go. Qt Linguist, or any editor,
# finishes them; tests/resources/test_translations.py sees to it that nothing is left. trialdeck_*.ts hold the texts of the window,
# messages_*.ts the sentences of the service, which the command line translates too.
set -u
cd "$(dirname "$0")/../.." || exit 1
lupdate=$(command -v lupdate6 || ls /usr/lib/qt6/bin/lupdate 2>/dev/null || command -v lupdate) || {
    echo "lupdate is missing: package qt6-l10n-tools" >&2
    exit 1
}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
python3 -B resources/translations/messages.py "$folder/messages.cpp" || exit 1
for file in resources/translations/*.ts; do
    name=$(basename "$file" .ts)
    plurals= # English is in the sources, but for its plurals.
    sources="app models services ui"
    case $name in
    messages_*) sources=$folder/messages.cpp ;;
    *_en) plurals=-pluralonly ;;
    esac
    # shellcheck disable=SC2086
    "$lupdate" -silent $plurals -no-obsolete -locations none -target-language "${name#*_}" $sources -ts "$file" || exit 1
done
