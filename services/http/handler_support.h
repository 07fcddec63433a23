// SPDX-License-Identifier: GPL-3.0-or-later
// What handlers have in common: lists with their ETag, the record as it is now, and refusals.
#pragma once

#include "api_decode.h"
#include "api_routes.h"

#include "services/api/trial_json.h"
#include "services/core/record_json.h"

namespace http::handlers {

using namespace Qt::StringLiterals;
using api::Mirror;

inline auto missing(const QString& what, const QString& id)
{
    return fail(Kind::not_found, u"There is no %1 \"%2\"."_m.arg(what, id));
}

inline Answer json(QByteArray body)
{
    Answer answer;
    answer.body = std::move(body);
    return answer;
}

// ----------------------------------------------------------------------------------------------- answers from the mirror

/// Whether the client has this state already.
inline std::optional<Answer> notModified(const Call& call, const QByteArray& tag)
{
    if (!call.ifNoneMatch || (*call.ifNoneMatch != tag && *call.ifNoneMatch != "*"))
        return std::nullopt;
    Answer answer;
    answer.status = 304;
    answer.setHeader("ETag", tag);
    return answer;
}

template <typename Write>
Result<Outcome> listAnswer(const Call& call, const View& view, Write write)
{
    const QByteArray tag = revisionTag(view.mirror);
    if (auto same = notModified(call, tag))
        return Outcome(*std::move(same));
    Answer answer;
    answer.body = write();
    answer.setHeader("ETag", tag);
    return Outcome(std::move(answer));
}

template <typename Ptr, typename Wanted>
QByteArray listJson(const char* name, const QList<Ptr>& records, qint64 revision, Wanted wanted)
{
    QByteArray out = QByteArray("{\"") + name + "\":[";
    bool first = true;
    for (const Ptr& record : records) {
        if (!wanted(*record))
            continue;
        if (!first)
            out += ',';
        first = false;
        out += dumpJson(toJson(*record));
    }
    return out + "],\"revision\":" + QByteArray::number(revision) + '}';
}

template <typename Ptr>
Result<Outcome> list(Call& call, const View& view, const char* name, const QList<Ptr>& records)
{
    if (auto good = call.query.finish(); !good)
        return fail(good);
    return listAnswer(
        call, view, [&] { return listJson(name, records, view.mirror.revision(), [](const auto&) { return true; }); });
}

inline Result<Outcome> versioned(const Call& call, QByteArray body, qint64 version)
{
    const QByteArray tag = '"' + QByteArray::number(version) + '"';
    if (auto same = notModified(call, tag))
        return Outcome(*std::move(same));
    Answer answer = json(std::move(body));
    answer.setHeader("ETag", tag);
    return Outcome(std::move(answer));
}

inline QByteArray trialText(const Trial& trial)
{
    QByteArray out;
    api::appendTrialJson(out, trial);
    return out;
}

inline QByteArray doneText(const Mirror& mirror)
{
    return "{\"revision\":" + QByteArray::number(mirror.revision()) + '}';
}

// What is answered when a command's reply holds no body: the record as it is then.

inline auto platformNow(const PlatformId& id)
{
    return [id](const Mirror& mirror) {
        const PlatformPtr platform = mirror.platforms().find(id);
        return platform ? dumpJson(toJson(*platform)) : doneText(mirror);
    };
}

inline auto machineNow(const MachineId& id)
{
    return [id](const Mirror& mirror) {
        const MachinePtr machine = mirror.machines().find(id);
        return machine ? dumpJson(toJson(*machine)) : doneText(mirror);
    };
}

inline auto experimentNow(const ExperimentId& id)
{
    return [id](const Mirror& mirror) {
        const ExperimentPtr experiment = mirror.experiments().find(id);
        return experiment ? dumpJson(toJson(*experiment)) : doneText(mirror);
    };
}

inline auto trialNow(const TrialId& id)
{
    return [id](const Mirror& mirror) {
        const TrialPtr trial = mirror.trial(id);
        return trial ? trialText(*trial) : doneText(mirror);
    };
}

inline Outcome execute(api::Command command, std::function<QByteArray(const Mirror&)> fallback = doneText,
    Execute::Shape shape = Execute::Shape::document)
{
    return Execute{std::move(command), std::move(fallback), false, shape};
}

inline Result<> empty(Call& call)
{
    if (auto good = call.query.finish(); !good)
        return good;
    auto body = decodeObject(call.body, true);
    if (!body)
        return fail(body);
    return JsonReader(*body).finish();
}

/// The version that If-Match names; refused here when it is not the record's present one.
inline Result<std::optional<qint64>> matchedVersion(const Call& call, std::optional<qint64> present)
{
    if (!call.ifMatch)
        return std::optional<qint64>();
    auto wanted = decodeIfMatch(*call.ifMatch);
    if (!wanted)
        return fail(wanted);
    if (!present || (*wanted && **wanted != *present))
        return fail(
            Kind::conflict, u"It was changed by somebody else meanwhile; read it again, then repeat the change."_m);
    return wanted;
}

inline Result<ExperimentPtr> experimentOf(const Call& call, const View& view)
{
    const ExperimentPtr experiment = view.mirror.experiments().find(ExperimentId(call.captures[0]));
    if (!experiment)
        return missing(u"experiment"_s, call.captures[0]);
    return experiment;
}

} // namespace http::handlers
