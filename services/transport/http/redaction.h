// SPDX-License-Identifier: GPL-3.0-or-later
// Takes secrets out of what is logged or shown. Pure.
#pragma once

#include "http_types.h"

namespace transport {

/// The URL without user, password, fragment, and the values of query parameters that hold secrets (`password`, `sig`, `token` …).
[[nodiscard]] QString redactedUrl(const QUrl& url);

/// What a server or a library said, with the values of credentials replaced by `…`: those in `known`, and whatever looks like one
/// (`Bearer x`, `"token": "x"`, `password=x`, a JWT). Looks at the first 4 KiB alone, and returns no more.
[[nodiscard]] QString redacted(const QString& text, const QList<QByteArray>& known = {});

} // namespace transport
