// SPDX-License-Identifier: GPL-3.0-or-later
#include "column_layout.h"

#include "services/core/json.h"

#include <QSet>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace models {

namespace {

constexpr qsizetype longestText = 256 * 1024; ///< of a layout in the settings, characters
constexpr int widest = 2'000;                 ///< pixels

struct ColumnWord
{
    TrialColumn column;
    QLatin1StringView name;
};

/// In the usual order from left to right. Parameters stand behind the curve.
constexpr ColumnWord usualOrder[] = {
    {TrialColumn::state, "state"_L1},
    {TrialColumn::number, "number"_L1},
    {TrialColumn::experiment, "experiment"_L1},
    {TrialColumn::best, "best"_L1},
    {TrialColumn::last, "last"_L1},
    {TrialColumn::curve, "curve"_L1},
    {TrialColumn::machine, "machine"_L1},
    {TrialColumn::ran, "ran"_L1},
    {TrialColumn::waited, "waited"_L1},
    {TrialColumn::attempt, "attempt"_L1},
    {TrialColumn::reason, "reason"_L1},
    {TrialColumn::exit_code, "exitCode"_L1},
    {TrialColumn::step, "step"_L1},
    {TrialColumn::values, "values"_L1},
    {TrialColumn::gpus, "gpus"_L1},
    {TrialColumn::platform, "platform"_L1},
    {TrialColumn::priority, "priority"_L1},
    {TrialColumn::tags, "tags"_L1},
    {TrialColumn::note, "note"_L1},
    {TrialColumn::submitted, "submitted"_L1},
    {TrialColumn::started, "started"_L1},
    {TrialColumn::ended, "ended"_L1},
    {TrialColumn::last_contact, "lastContact"_L1},
    {TrialColumn::peak_memory, "peakMemory"_L1},
    {TrialColumn::client_id, "clientId"_L1},
    {TrialColumn::id, "id"_L1},
};
static_assert(std::size(usualOrder) == baseColumns);

constexpr auto parameterPrefix = "parameter/"_L1;

std::optional<TrialColumn> columnNamed(const QString& name)
{
    const auto* word = std::find_if(
        std::begin(usualOrder), std::end(usualOrder), [&](const ColumnWord& one) { return name == one.name; });
    return word == std::end(usualOrder) ? std::nullopt : std::optional(word->column);
}

/// The table's column of this name; -1 when it has none.
int columnOf(const TrialTable& table, const QString& name)
{
    if (name.startsWith(parameterPrefix))
        return table.parameterColumn(name.mid(parameterPrefix.size()));
    const std::optional<TrialColumn> fixed = columnNamed(name);
    return fixed ? int(*fixed) : -1;
}

} // namespace

QString columnName(const TrialTable& table, int column)
{
    if (column >= baseColumns)
        return parameterPrefix + table.parameterName(column);
    const auto* word = std::find_if(std::begin(usualOrder), std::end(usualOrder),
        [&](const ColumnWord& one) { return one.column == TrialColumn(column); });
    return word == std::end(usualOrder) ? QString() : QString(word->name);
}

bool isShownAtFirst(TrialColumn column, const TrialTable& table)
{
    return column <= TrialColumn::ran || (column == TrialColumn::experiment && table.isOfAll());
}

std::vector<PlacedColumn> placeColumns(const ColumnLayout& chosen, const TrialTable& table)
{
    std::vector<PlacedColumn> placed;
    placed.reserve(size_t(table.columnCount()));
    std::vector<bool> isPlaced(size_t(table.columnCount()), false);
    int parameters = 0;
    for (const ColumnChoice& choice : chosen) {
        const int column = columnOf(table, choice.name);
        if (column < 0 || isPlaced[size_t(column)])
            continue;
        isPlaced[size_t(column)] = true;
        placed.push_back({column, choice.isShown, choice.width});
        parameters += column >= baseColumns && choice.isShown ? 1 : 0;
    }
    // Fixed columns that nothing was chosen for: behind the one that usually stands before them.
    for (size_t i = 0; i < std::size(usualOrder); ++i) {
        const int column = int(usualOrder[i].column);
        if (isPlaced[size_t(column)])
            continue;
        auto place = placed.begin();
        if (i > 0)
            place = std::next(std::find_if(placed.begin(), placed.end(),
                [&](const PlacedColumn& one) { return one.column == int(usualOrder[i - 1].column); }));
        placed.insert(place, {column, isShownAtFirst(TrialColumn(column), table), 0});
    }
    auto place =
        std::find_if(placed.rbegin(), placed.rend(), [](const PlacedColumn& one) { return one.column >= baseColumns; });
    if (place == placed.rend())
        place = std::find_if(placed.rbegin(), placed.rend(),
            [](const PlacedColumn& one) { return one.column == int(TrialColumn::curve); });
    std::vector<PlacedColumn> fresh;
    for (int column = baseColumns; column < table.columnCount(); ++column)
        if (!isPlaced[size_t(column)])
            fresh.push_back({column, parameters++ < parametersAtFirst, 0});
    placed.insert(place.base(), fresh.begin(), fresh.end());
    return placed;
}

ColumnLayout withoutParameters(const ColumnLayout& layout)
{
    ColumnLayout fixed = layout;
    fixed.removeIf([](const ColumnChoice& choice) { return choice.name.startsWith(parameterPrefix); });
    return fixed;
}

ColumnLayout forAnotherExperiment(const ColumnLayout& layout)
{
    ColumnLayout start = withoutParameters(layout);
    start.removeIf([](const ColumnChoice& choice) { return columnNamed(choice.name) == TrialColumn::experiment; });
    return start;
}

QString layoutText(const ColumnLayout& layout)
{
    core::Json list = core::Json::array();
    for (const ColumnChoice& choice : layout)
        list.push_back({choice.name.toStdString(), choice.isShown, choice.width});
    return QString::fromStdString(list.dump(-1, ' ', false, core::Json::error_handler_t::replace));
}

ColumnLayout layoutOf(const QString& text)
{
    if (text.size() > longestText)
        return {};
    const core::Json list = core::Json::parse(text.toStdString(), nullptr, false);
    ColumnLayout layout;
    if (!list.is_array())
        return layout;
    for (const core::Json& one : list)
        if (one.is_array() && one.size() == 3 && one[0].is_string() && one[1].is_boolean()
            && one[2].is_number_integer())
            layout.append({QString::fromStdString(one[0].get<std::string>()), one[1].get<bool>(),
                int(std::clamp<qint64>(one[2].get<qint64>(), 0, widest))});
    return layout;
}

std::vector<std::pair<int, int>> movesBetween(std::vector<int> order, const std::vector<int>& wanted)
{
    const size_t count = order.size();
    QHash<int, int> wantedAt;
    wantedAt.reserve(qsizetype(count));
    for (size_t i = 0; i < wanted.size(); ++i)
        wantedAt.insert(wanted[i], int(i));
    // The longest part that is in order already stays (patience sorting); every other entry moves once.
    std::vector<size_t> ends; ///< by length: the index in `order` of the smallest last entry
    std::vector<int> before(count, -1);
    const auto rank = [&](size_t i) { return wantedAt.value(order[i]); };
    for (size_t i = 0; i < count; ++i) {
        const auto place = std::lower_bound(
            ends.begin(), ends.end(), rank(i), [&](size_t end, int value) { return rank(end) < value; });
        before[i] = place == ends.begin() ? -1 : int(*std::prev(place));
        if (place == ends.end())
            ends.push_back(i);
        else
            *place = i;
    }
    QSet<int> stays;
    for (int i = ends.empty() ? -1 : int(ends.back()); i >= 0; i = before[size_t(i)])
        stays.insert(order[size_t(i)]);
    std::vector<std::pair<int, int>> moves;
    // From left to right: when an entry moves, all that precede it in `wanted` are in place relative to each other.
    for (size_t i = 0; i < wanted.size(); ++i) {
        if (stays.contains(wanted[i]))
            continue;
        const auto from = std::find(order.begin(), order.end(), wanted[i]);
        const auto previous = i == 0 ? order.end() : std::find(order.begin(), order.end(), wanted[i - 1]);
        int to = previous == order.end() ? 0 : int(previous - order.begin()) + 1;
        const int at = int(from - order.begin());
        if (at < to)
            --to; // taking it out moves what is behind it
        if (at != to)
            moves.emplace_back(at, to);
        order.erase(from);
        order.insert(order.begin() + to, wanted[i]);
        stays.insert(wanted[i]);
    }
    return moves;
}

} // namespace models
