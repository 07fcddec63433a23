// SPDX-License-Identifier: GPL-3.0-or-later
// std::source_location for clang before version 16, which lacks the builtin that libstdc++ makes it of. Included before every file of a
// build with TRIALDECK_LIBFUZZER; nothing else includes it.
#pragma once

#include <source_location>

#ifndef __cpp_lib_source_location
#include <cstdint>

namespace std {

struct source_location
{
    static constexpr source_location current(const char* file = __builtin_FILE(),
        const char* function = __builtin_FUNCTION(), uint_least32_t line = __builtin_LINE()) noexcept
    {
        source_location at;
        at.m_file = file;
        at.m_function = function;
        at.m_line = line;
        return at;
    }
    [[nodiscard]] constexpr const char* file_name() const noexcept { return m_file; }
    [[nodiscard]] constexpr const char* function_name() const noexcept { return m_function; }
    [[nodiscard]] constexpr uint_least32_t line() const noexcept { return m_line; }
    [[nodiscard]] constexpr uint_least32_t column() const noexcept { return 0; }

private:
    const char* m_file = "";
    const char* m_function = "";
    uint_least32_t m_line = 0;
};

} // namespace std
#endif
