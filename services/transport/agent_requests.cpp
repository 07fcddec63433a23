// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_requests.h"

#include "agent_messages.h"
#include "wire_json.h"

#include "services/wire/protocol.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace message = trialkeeper::message;

OneShot<Result<Json>> AgentRequests::ask(Json json, bool firstBytes, Part part)
{
    OneShot<Result<Json>> shot;
    if (const auto refusal = m_wire.refusal()) {
        shot.set(tl::unexpected(*refusal));
        return shot;
    }
    const qint64 number = m_next++;
    json["req"] = number;
    Open open{dumpJson(json), firstBytes, std::move(part), false, shot};
    if (open.message.size() > qsizetype(trialkeeper::maxFrame) - 16) {
        shot.set(fail(Kind::invalid, u"This is too large to be sent to the machine at once."_m));
        return shot;
    }
    if (m_wire.isUp())
        m_wire.send(open.message);
    m_open.emplace(number, std::move(open));
    return shot;
}

void AgentRequests::answer(const QString& name, const Json& json, const QByteArray& raw)
{
    const auto found = m_open.find(numberOf(json, "req"));
    if (found == m_open.end())
        return; // what comes after a readStop, or from a newer agent
    const bool isFirst = !std::exchange(found->second.begun, true);
    const Taken taken = found->second.part ? found->second.part(json, raw, isFirst) : Taken::more;
    if (taken == Taken::damaged) {
        m_wire.linkAnew(Error{Kind::platform, u"The parts of the agent's answer do not follow each other."_m, name});
        return;
    }
    const bool enough = taken == Taken::enough;
    if (name == QLatin1StringView(message::finding) && !enough)
        return;
    if (name == QLatin1StringView(message::data) && !flagOf(json, "eof")) {
        if (!enough && (!found->second.firstBytes || raw.isEmpty()))
            return;
        m_wire.send(messageText(message::readStop, Json{{"req", found->first}}));
    }
    OneShot<Result<Json>> shot = found->second.shot;
    m_open.erase(found);
    if (name == QLatin1StringView(message::failed) || name == QLatin1StringView(message::readFailed))
        shot.set(tl::unexpected(errorOf(json)));
    else
        shot.set(json);
}

void AgentRequests::resend()
{
    for (auto& [number, open] : m_open) {
        open.begun = false;
        m_wire.send(open.message);
    }
}

std::function<void()> AgentRequests::drop(const Error& error)
{
    std::vector<OneShot<Result<Json>>> shots;
    for (const auto& [number, open] : std::exchange(m_open, {}))
        shots.push_back(open.shot);
    return [shots, error]() mutable {
        for (OneShot<Result<Json>>& shot : shots)
            shot.set(tl::unexpected(error));
    };
}

} // namespace transport
