// SPDX-License-Identifier: GPL-3.0-or-later
#include "records.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace core {

namespace {

/// The words of an enum, in the order of its values.
template <size_t N>
using Words = std::array<QStringView, N>;

constexpr Words<trialStatusCount> statusWords = {
    u"UNKNOWN", u"WAITING", u"RUNNING", u"SUCCEEDED", u"FAILED", u"USER_CANCELED", u"SYS_CANCELED", u"EARLY_STOPPED"};
constexpr Words<3> metricTypeWords = {u"PERIODICAL", u"FINAL", u"REQUEST_PARAMETER"};
constexpr Words<7> experimentWords = {u"PREPARING", u"RUNNING", u"PAUSED", u"STOPPING", u"STOPPED", u"DONE", u"ERROR"};
constexpr Words<6> platformWords = {u"OPENING", u"READY", u"QUESTION", u"SILENT", u"FAILED", u"CLOSED"};
constexpr Words<6> machineWords = {u"CONNECTING", u"READY", u"QUESTION", u"SILENT", u"DRAINED", u"FAILED"};

template <typename Enum, size_t N>
QString wordOf(const Words<N>& words, Enum value)
{
    const size_t index = size_t(value);
    return index < N ? words[index].toString() : QString();
}

template <typename Enum, size_t N>
std::optional<Enum> valueOf(const Words<N>& words, QStringView word)
{
    for (size_t i = 0; i < N; ++i) {
        if (words[i] == word)
            return Enum(i);
    }
    return std::nullopt;
}

} // namespace

QString statusName(TrialStatus status)
{
    return wordOf(statusWords, status);
}

std::optional<TrialStatus> statusFromName(QStringView name)
{
    return valueOf<TrialStatus>(statusWords, name);
}

TrialStatus cancelledStatus(CancelIntent intent)
{
    switch (intent) {
    case CancelIntent::user:
        return TrialStatus::user_canceled;
    case CancelIntent::early:
        return TrialStatus::early_stopped;
    case CancelIntent::system:
        return TrialStatus::sys_canceled;
    }
    Q_UNREACHABLE();
}

QString metricTypeName(MetricType type)
{
    return wordOf(metricTypeWords, type);
}

std::optional<MetricType> metricTypeFromName(QStringView name)
{
    return valueOf<MetricType>(metricTypeWords, name);
}

QString experimentStateName(ExperimentState state)
{
    return wordOf(experimentWords, state);
}

std::optional<ExperimentState> experimentStateFromName(QStringView name)
{
    return valueOf<ExperimentState>(experimentWords, name);
}

QString platformStateName(PlatformState state)
{
    return wordOf(platformWords, state);
}

std::optional<PlatformState> platformStateFromName(QStringView name)
{
    return valueOf<PlatformState>(platformWords, name);
}

QString machineStateName(MachineState state)
{
    return wordOf(machineWords, state);
}

std::optional<MachineState> machineStateFromName(QStringView name)
{
    return valueOf<MachineState>(machineWords, name);
}

bool MetricValue::operator==(const MetricValue& other) const
{
    // Two NaN are the same value here: records are compared to see whether something changed.
    const bool sameNumber = number == other.number || (std::isnan(number) && std::isnan(other.number));
    return kind == other.kind && sameNumber && object == other.object;
}

} // namespace core
