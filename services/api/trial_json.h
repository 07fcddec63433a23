// SPDX-License-Identifier: GPL-3.0-or-later
// A trial as text, written by hand: lists of thousands and events of every change go through here. Says the same as
// core::toJson(const Trial&), with the parameters as the caller wrote them.
#pragma once

#include "services/core/records.h"

#include <span>
#include <variant>

namespace api {

using namespace core;

/// What lists are sorted by: nothing (comes last), a number, or a text.
using SortKey = std::variant<std::monostate, double, QString>;

/// One public field of a trial.
struct TrialField
{
    const char* name;
    void (*write)(QByteArray& out, const Trial& trial); ///< the value as JSON, without line breaks
    SortKey (*key)(const Trial& trial);
};

/// All of them, in the order in which they are shown; fewer than 64.
[[nodiscard]] std::span<const TrialField> trialFields();

/// One bit a field, in the order of trialFields().
using TrialFieldMask = quint64;
inline constexpr TrialFieldMask allTrialFields = ~TrialFieldMask(0);

/// Appends the JSON object of a trial; no line break inside.
void appendTrialJson(QByteArray& out, const Trial& trial, TrialFieldMask fields = allTrialFields);

/// The key of a metric's value: a number, or of an object the member `name`. `default` is also what a plain number means.
[[nodiscard]] SortKey metricKey(const MetricValue& value, QByteArrayView name);

} // namespace api
