// SPDX-License-Identifier: GPL-3.0-or-later
// YAML of files that people and programs wrote.
#include "fuzz_driver.h"

#include "services/yaml/yaml.h"

namespace {

/// Members of all levels; lists count with each entry.
int countValues(const core::Json& value, int depth)
{
    require(depth <= yaml::maxDepth, "depth is bounded");
    int values = 1;
    if (value.is_structured())
        for (const core::Json& member : value)
            values += countValues(member, depth + 1);
    return values;
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArrayView text(data.data(), qsizetype(data.size()));
    const auto read = yaml::parseYaml(text);
    if (!read) {
        require(read.error().kind == core::Kind::invalid, "what is no YAML is invalid");
        require(!read.error().message.isEmpty(), "a refusal says why");
        return;
    }
    require(countValues(read->value, 0) <= yaml::maxValues, "values are bounded after aliases are put in");
    require(read->lines.size() == read->columns.size(), "a path has a line and a column");
    const int last = int(data.size()) + 1;
    for (auto line = read->lines.cbegin(); line != read->lines.cend(); ++line) {
        require(line.value() >= 1 && line.value() <= last, "a line is within the text");
        require(read->columns.value(line.key()) >= 1, "columns begin at 1");
    }
}
