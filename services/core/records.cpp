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

/// The words of an enum whose last value, `other`, stands for all that are not in the table.
template <typename Enum>
using OpenWords = Words<size_t(Enum::other)>;

constexpr OpenWords<FailureClass> failureWords = {u"", u"exitCode", u"signal", u"outOfMemory", u"commandNotFound",
    u"keeperLost", u"machineRestarted", u"startFailed", u"trialFolderLost", u"neverStarted", u"platform"};
constexpr OpenWords<GpuHolder> holderWords = {u"", u"trial", u"person", u"service"};
constexpr OpenWords<CheckState> checkWords = {u"running", u"ok", u"warn", u"fail", u"skipped", u"waiting"};
constexpr OpenWords<OperationState> operationWords = {u"running", u"succeeded", u"failed"};
constexpr OpenWords<TrialEventKind> eventWords = {
    u"accepted", u"placed", u"status", u"cancel", u"finding", u"parameter", u"retry"};

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

std::span<const QStringView> wordsOf(FailureClass)
{
    return failureWords;
}

std::span<const QStringView> wordsOf(GpuHolder)
{
    return holderWords;
}

std::span<const QStringView> wordsOf(CheckState)
{
    return checkWords;
}

std::span<const QStringView> wordsOf(OperationState)
{
    return operationWords;
}

std::span<const QStringView> wordsOf(TrialEventKind)
{
    return eventWords;
}

bool MetricValue::operator==(const MetricValue& other) const
{
    // Two NaN are the same value here: records are compared to see whether something changed.
    const bool sameNumber = number == other.number || (std::isnan(number) && std::isnan(other.number));
    return kind == other.kind && sameNumber && object == other.object;
}

} // namespace core
