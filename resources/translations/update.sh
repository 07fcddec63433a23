#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings the translations in line with the sources: new texts come in as unfinished, unused ones go. Qt Linguist, or any editor,
# finishes them; tests/resources/test_translations.py sees to it that nothing is left.
set -u
cd "$(dirname "$0")/../.." || exit 1
lupdate=$(command -v lupdate6 || ls /usr/lib/qt6/bin/lupdate 2>/dev/null || command -v lupdate) || {
    echo "lupdate is missing: package qt6-l10n-tools" >&2
    exit 1
}
for file in resources/translations/*.ts; do
    language=$(basename "$file" .ts | sed 's/^trialdeck_//')
    plurals= # English is in the sources, but for its plurals.
    [ "$language" != en ] || plurals=-pluralonly
    "$lupdate" -silent $plurals -no-obsolete -locations none -target-language "$language" app models services ui -ts "$file" || exit 1
done
