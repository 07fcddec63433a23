// SPDX-License-Identifier: GPL-3.0-or-later
// Search spaces and the command line's SPEC.
#include "fuzz_driver.h"

#include "services/search/grid_search.h"
#include "services/search/parameter_spec.h"
#include "services/search/random_search.h"

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    (void)search::specToSearchSpaceEntry(QString::fromUtf8(text));
    const auto json = core::parseJson(text);
    if (!json)
        return;
    auto space = search::parseSearchSpace(*json);
    if (!space)
        return;
    search::RandomSearch random(*space, 1);
    search::GridSearch grid(*space);
    for (int i = 0; i < 3; ++i) {
        (void)core::dumpJson(random.next());
        if (const auto point = grid.next())
            (void)core::dumpJson(*point);
    }
}
