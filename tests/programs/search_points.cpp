// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the points of our searches, one JSON object a line:  search_points (GridSearch | Random) COUNT < SPACE.json
#include "services/search/grid_search.h"
#include "services/search/random_search.h"

#include <QFile>

#include <cstdio>

int main(int argc, char** argv)
{
    QFile input;
    if (argc != 3 || !input.open(stdin, QIODevice::ReadOnly))
        return 2;
    const auto json = core::parseJson(input.readAll());
    const auto space = json ? search::parseSearchSpace(*json) : search::Result<search::SearchSpace>(core::fail(json));
    if (!space) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(space.error().message));
        return 1;
    }
    search::GridSearch grid(*space);
    search::RandomSearch random(*space, 20'26);
    const bool isGrid = qstrcmp(argv[1], "GridSearch") == 0;
    for (long left = std::strtol(argv[2], nullptr, 10); left > 0; --left) {
        const auto point = isGrid ? grid.next() : std::optional(random.next());
        if (!point)
            break;
        std::puts(core::dumpJson(*point).constData());
    }
    return 0;
}
