// SPDX-License-Identifier: GPL-3.0-or-later
// One target per fuzzer: `int fuzzOne(data)` feeds the bytes to a parser and must neither crash nor trip a sanitizer. The same
// function serves this driver, which needs no special compiler, and clang's libFuzzer (-DTRIALDECK_LIBFUZZER).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

void fuzzOne(std::string_view data);
