// SPDX-License-Identifier: GPL-3.0-or-later
#include "parameter_spec.h"

#include "search_space.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>
#include <optional>

using namespace Qt::StringLiterals;

namespace search {

namespace {

/// A leading zero, as in `007`, makes it a label, not a number.
std::optional<Json> asNumber(const QString& text)
{
    static const QRegularExpression whole(u"\\A[+-]?(0|[1-9][0-9]*)\\z"_s);
    static const QRegularExpression real(
        u"\\A[+-]?(([0-9]+\\.[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)\\z"_s);
    bool ok = false;
    if (whole.match(text).hasMatch()) {
        const qint64 number = text.toLongLong(&ok);
        if (ok)
            return Json(number);
    } else if (!real.match(text).hasMatch()) {
        return std::nullopt;
    }
    const double number = text.toDouble(&ok);
    if (!ok || !std::isfinite(number))
        return std::nullopt;
    return Json(number);
}

Json entry(const char* type, Json values)
{
    Json result = Json::object();
    result["_type"] = type;
    result["_value"] = std::move(values);
    return result;
}

tl::unexpected<Error> refuseSpec(const QString& spec, const Message& why)
{
    return fail(Kind::invalid, u"“%1” is no search: %2"_m.arg(spec, why));
}

Result<Json> checkedRange(const QString& spec, const char* type, const Json& low, const Json& high)
{
    Json made = entry(type, Json::array({low, high}));
    Json space = Json::object();
    space["range"] = made;
    if (!parseSearchSpace(space)) {
        if (low.get<double>() >= high.get<double>())
            return refuseSpec(spec, u"the low end must be less than the high end."_m);
        return refuseSpec(spec, u"a log range needs a low end above 0."_m);
    }
    return made;
}

Result<Json> intRange(const QString& spec, const Json& low, const Json& high)
{
    if (!low.is_number_integer() || !high.is_number_integer())
        return refuseSpec(spec, u"int: takes two whole numbers, such as int:1..9."_m);
    const auto first = low.get<qint64>();
    const auto last = high.get<qint64>();
    if (first > last)
        return refuseSpec(spec, u"the low end must not be more than the high end."_m);
    if (last == std::numeric_limits<qint64>::max())
        return refuseSpec(spec, u"the high end is too large."_m);
    return entry("randint", Json::array({first, last + 1}));
}

Result<Json> choiceOf(const QString& spec)
{
    Json values = Json::array();
    for (const QString& item : spec.split(u',')) {
        const QString trimmed = item.trimmed();
        if (trimmed.isEmpty())
            return refuseSpec(spec,
                spec.trimmed().isEmpty() ? u"a value is missing."_m : u"there is an empty value between commas."_m);
        const auto number = asNumber(trimmed);
        values.push_back(number ? *number : Json(trimmed.toStdString()));
    }
    return entry("choice", std::move(values));
}

} // namespace

Result<Json> specToSearchSpaceEntry(const QString& spec)
{
    const bool log = spec.startsWith(u"log:");
    const bool integers = spec.startsWith(u"int:");
    const QString body = log || integers ? spec.mid(4) : spec;
    const qsizetype dots = body.indexOf(u".."_s);
    // A path such as ../data, or a list, holds two dots too: a range is only what has a number on a side of them.
    if (dots >= 0 && !body.contains(u',')) {
        const auto low = asNumber(body.left(dots).trimmed());
        const auto high = asNumber(body.mid(dots + 2).trimmed());
        if (low && high) {
            if (integers)
                return intRange(spec, *low, *high);
            return checkedRange(spec, log ? "loguniform" : "uniform", *low, *high);
        }
        if (low || high)
            return refuseSpec(spec, u"a range needs a number on both sides of the two dots, such as 1e-4..1e-1."_m);
    }
    if (log || integers)
        return refuseSpec(
            spec, log ? u"log: takes a range, such as log:1e-4..1e-1."_m : u"int: takes a range, such as int:1..9."_m);
    return choiceOf(spec);
}

Result<Json> parseAssignments(const QStringList& words)
{
    Json space = Json::object();
    for (const QString& word : words) {
        const qsizetype equals = word.indexOf(u'=');
        if (equals < 1)
            return fail(Kind::invalid, u"“%1” must be NAME=SPEC, such as lr=log:1e-4..1e-1."_m.arg(word));
        const std::string name = word.left(equals).toStdString();
        if (space.contains(name))
            return fail(Kind::invalid, u"The parameter %1 is given twice."_m.arg(word.left(equals)));
        auto made = specToSearchSpaceEntry(word.mid(equals + 1));
        if (!made)
            return fail(made, word.left(equals));
        space[name] = std::move(*made);
    }
    if (!space.empty())
        if (auto parsed = parseSearchSpace(space); !parsed)
            return fail(parsed);
    return space;
}

} // namespace search
