// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_events.h"

#include "keeper_words.h"

#include "services/transport/agent_limits.h"
#include "services/transport/wire_json.h"
#include "services/wire/protocol.h"

namespace platforms {

using transport::flagOf;
using transport::lineOf;
using transport::linesOf;
using transport::memberOf;
using transport::numberOf;
using transport::textOf;
namespace limits = transport::limits;

namespace {

std::optional<CancelIntent> intentOf(const Json& event)
{
    const QString word = textOf(event, "intent");
    if (word == QLatin1StringView(trialkeeper::intent::user))
        return CancelIntent::user;
    if (word == QLatin1StringView(trialkeeper::intent::early))
        return CancelIntent::early;
    if (word == QLatin1StringView(trialkeeper::intent::system))
        return CancelIntent::system;
    return {};
}

std::optional<int> integerOf(const Json& event, const char* name)
{
    if (!memberOf(event, name).is_number_integer())
        return {};
    return int(numberOf(event, name));
}

Observation exited(const TrialId& trial, const Json& event)
{
    Observation out;
    out.trial = trial;
    out.endTime = numberOf(event, "time");
    out.exitCode = integerOf(event, "exitCode");
    out.signal = integerOf(event, "signal");
    if (out.signal == 0)
        out.signal.reset();
    if (const Json& usage = memberOf(event, "usage"); usage.is_object()) {
        out.usage =
            ResourceUsage{numberOf(usage, "peakMemoryBytes"), numberOf(usage, "userMs"), numberOf(usage, "systemMs")};
        if (const qint64 wallMs = numberOf(usage, "wallMs"); wallMs > 0)
            out.startTime = *out.endTime - wallMs;
    }
    const auto intent = intentOf(event);
    out.endedByItself = !intent;
    if (flagOf(event, "success"))
        out.status = TrialStatus::succeeded;
    else
        out.status = intent ? cancelledStatus(*intent) : TrialStatus::failed;
    if (out.status == TrialStatus::failed) {
        out.reason = keeperMessage(linesOf(event, "reason", limits::messageChars));
        out.failureClass = OpenWord<FailureClass>::fromWord(lineOf(event, "failureClass", limits::wordChars));
    }
    return out;
}

Observation lost(const TrialId& trial, const Json& event)
{
    Observation out;
    out.trial = trial;
    out.endTime = numberOf(event, "time");
    const auto intent = intentOf(event);
    out.status = intent ? cancelledStatus(*intent) : TrialStatus::failed;
    out.reason = keeperMessage(linesOf(event, "reason", limits::messageChars));
    out.failureClass = OpenWord<FailureClass>::fromWord(lineOf(event, "failureClass", limits::wordChars));
    return out;
}

} // namespace

std::optional<Observation> observationOf(const TrialId& trial, const Json& event)
{
    const QString type = textOf(event, "type");
    std::optional<Observation> out;
    if (type == QLatin1StringView(trialkeeper::eventType::running)) {
        out.emplace();
        out->trial = trial;
        out->status = TrialStatus::running;
        out->startTime = numberOf(event, "time");
    } else if (type == QLatin1StringView(trialkeeper::eventType::exited)) {
        out = exited(trial, event);
    } else if (type == QLatin1StringView(trialkeeper::eventType::lost)) {
        out = lost(trial, event);
    }
    if (out) {
        out->time = numberOf(event, "time");
        out->journalCursor = numberOf(event, "next");
    }
    return out;
}

} // namespace platforms
