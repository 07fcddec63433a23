// SPDX-License-Identifier: GPL-3.0-or-later
// One target per fuzzer: `void fuzzOne(data)` feeds the bytes to parsers and says with require() what must hold of the result. The same
// function serves this driver, which needs no special compiler, and clang's libFuzzer (-DTRIALDECK_LIBFUZZER).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

void fuzzOne(std::string_view data);

/// Ends the program, with a crash that both drivers report, when `holds` is false. `what`: the statement that does not hold.
inline void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    __builtin_trap();
}
