// SPDX-License-Identifier: GPL-3.0-or-later
#include "objective.h"

#include "raw_json.h"
#include "services/core/record_json.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace trial {

std::optional<double> objectiveValue(const MetricValue& value, const Objective& objective)
{
    if (value.kind == MetricValue::Kind::none)
        return std::nullopt;
    if (value.kind == MetricValue::Kind::number)
        return objective.metric == u"default"_s ? std::optional(value.number) : std::nullopt;
    const auto member = rawMember(value.object, objective.metric.toUtf8());
    if (!member)
        return std::nullopt;
    QByteArray text = member->text.toByteArray();
    if (member->kind == JsonKind::string) {
        text = rawStringContent(*member);
        if (text != "NaN" && text != "Infinity" && text != "-Infinity")
            return std::nullopt;
    } else if (member->kind != JsonKind::number) {
        return std::nullopt;
    }
    const MetricValue number = parseMetricValue(text);
    return number.kind == MetricValue::Kind::number ? std::optional(number.number) : std::nullopt;
}

bool isBetter(double candidate, std::optional<double> best, const Objective& objective)
{
    if (std::isnan(candidate))
        return false;
    if (!best || std::isnan(*best))
        return true;
    return objective.maximize ? candidate > *best : candidate < *best;
}

bool takeBest(std::optional<double>& best, const MetricValue& value, const Objective& objective)
{
    const std::optional<double> candidate = objectiveValue(value, objective);
    if (!candidate || !isBetter(*candidate, best, objective))
        return false;
    best = candidate;
    return true;
}

} // namespace trial
