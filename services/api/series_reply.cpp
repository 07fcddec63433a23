// SPDX-License-Identifier: GPL-3.0-or-later
#include "series_reply.h"

#include "json_slice.h"

#include "services/core/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace Qt::StringLiterals;

namespace api {

using core::Result;

namespace {

/// As short as it reads back exactly; null for what JSON cannot write.
void appendNumber(QByteArray& out, const char* name, double value)
{
    out += name;
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, value);
    out.append(text, written.ptr - text);
}

double numberOr(const JsonSlice& value, double otherwise)
{
    return value.number().value_or(otherwise);
}

SeriesColumn columnFrom(const JsonSlice& object)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    SeriesColumn out{none, none, none, none, none, none, none, 0, 0};
    for (MemberWalker member(object); member.next();) {
        const QByteArray& key = member.key();
        const JsonSlice& value = member.value();
        if (key == "x")
            out.x = numberOr(value, none);
        else if (key == "min")
            out.min = numberOr(value, none);
        else if (key == "max")
            out.max = numberOr(value, none);
        else if (key == "first")
            out.first = numberOr(value, none);
        else if (key == "last")
            out.last = numberOr(value, none);
        else if (key == "firstX")
            out.firstX = numberOr(value, none);
        else if (key == "lastX")
            out.lastX = numberOr(value, none);
        else if (key == "count")
            out.count = value.whole().value_or(0);
        else if (key == "nanCount")
            out.nanCount = value.whole().value_or(0);
    }
    if (std::isnan(out.firstX))
        out.firstX = out.x;
    if (std::isnan(out.lastX))
        out.lastX = out.x;
    return out;
}

} // namespace

QByteArray seriesText(const SeriesReply& reply)
{
    QByteArray text = "{\"metric\":" + core::dumpJson(core::Json(reply.metric))
        + ",\"x\":" + core::dumpJson(core::Json(reply.x)) + ",\"series\":[";
    for (const SeriesCurve& curve : reply.curves) {
        text += &curve == &reply.curves.front() ? "{\"trialId\":" : ",{\"trialId\":";
        text += core::dumpJson(core::Json(curve.trial.value)) + ",\"total\":" + QByteArray::number(curve.total);
        appendNumber(text, ",\"from\":", curve.from);
        appendNumber(text, ",\"to\":", curve.to);
        text += ",\"columns\":[";
        for (const SeriesColumn& column : curve.columns) {
            appendNumber(text, &column == &curve.columns.front() ? "{\"x\":" : ",{\"x\":", column.x);
            appendNumber(text, ",\"min\":", column.min);
            appendNumber(text, ",\"max\":", column.max);
            appendNumber(text, ",\"first\":", column.first);
            appendNumber(text, ",\"last\":", column.last);
            appendNumber(text, ",\"firstX\":", column.firstX);
            appendNumber(text, ",\"lastX\":", column.lastX);
            text += ",\"count\":" + QByteArray::number(column.count)
                + ",\"nanCount\":" + QByteArray::number(column.nanCount) + '}';
        }
        text += "]}";
    }
    text += "]}";
    return text;
}

bool SeriesCurve::isRaw() const
{
    // Two values of a column are its first and its last.
    return std::all_of(columns.begin(), columns.end(), [](const SeriesColumn& c) { return c.count <= 2; });
}

qint64 SeriesCurve::count() const
{
    qint64 sum = 0;
    for (const SeriesColumn& column : columns)
        sum += column.count;
    return sum;
}

Result<std::vector<SeriesCurve>> parseSeries(QByteArrayView json)
{
    if (auto good = checkJson(json); !good)
        return core::fail(
            core::Kind::internal, u"The service answered with curves that are no JSON."_m, good.error().message.text());
    const auto list = JsonSlice(json).member("series");
    if (!list)
        return core::fail(core::Kind::internal, u"The service answered without curves."_m);
    std::vector<SeriesCurve> out;
    for (ElementWalker curve(*list); curve.next();) {
        SeriesCurve& made = out.emplace_back();
        for (MemberWalker member(curve.value()); member.next();) {
            if (member.key() == "trialId")
                made.trial = core::TrialId(QString::fromUtf8(member.value().string()));
            else if (member.key() == "total")
                made.total = member.value().whole().value_or(0);
            else if (member.key() == "from")
                made.from = numberOr(member.value(), 0);
            else if (member.key() == "to")
                made.to = numberOr(member.value(), 0);
            else if (member.key() == "columns")
                for (ElementWalker column(member.value()); column.next();)
                    made.columns.push_back(columnFrom(column.value()));
        }
    }
    return out;
}

} // namespace api
