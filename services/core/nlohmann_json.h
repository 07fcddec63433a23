// SPDX-License-Identifier: GPL-3.0-or-later
// nlohmann/json without a body for its literal `"…"_json`. The library defines that as a plain inline function, so every file that
// includes the header compiles a whole JSON parser for it (GCC 12 at -O0: 1.0 of 2.7 s that an empty file takes with our precompiled
// header). As a macro with arguments the name ends the declaration there and makes the body a template that nothing instantiates; a use
// of the literal does not link.
#pragma once

// The standard headers that the library includes are read before there is a macro that could meet a name of theirs.
#include <nlohmann/json_fwd.hpp>
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
#define _json(text, size)                                                                                              \
    _json(text, size);                                                                                                 \
    template <typename Unused>                                                                                         \
    nlohmann::json unusedJsonLiteral(text, size)
#include <nlohmann/json.hpp>
#undef _json
