// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>

// The smallest test frame: CHECK counts and names what does not hold, checkResult() is main's return value.

inline int checkFailures = 0;
inline int checkCount = 0;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        ++checkCount;                                                                                                  \
        if (!(condition) && ++checkFailures <= 20)                                                                     \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                         \
    } while (false)

inline int checkResult()
{
    std::printf("%d checks, %d failed\n", checkCount, checkFailures);
    return checkFailures == 0 ? 0 : 1;
}
