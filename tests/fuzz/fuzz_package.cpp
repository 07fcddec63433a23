// SPDX-License-Identifier: GPL-3.0-or-later
// Ignore rules.
#include "fuzz_driver.h"

#include "services/package/ignore_file.h"

void fuzzOne(std::string_view data)
{
    const qsizetype cut = qsizetype(data.find('\n'));
    const QByteArray text(data.data(), qsizetype(data.size()));
    const package::IgnorePattern pattern(cut >= 0 ? text.left(cut) : text);
    const QByteArray path = cut >= 0 ? text.mid(cut + 1) : text;
    (void)pattern.matches(path.left(200), false);
    (void)pattern.matches(path.left(200), true);
}
