// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_agent_link.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace fakes {

using core::Error;
using core::Json;
using core::Kind;

FakeAgentLink::FakeAgentLink(std::shared_ptr<FakeAgent> agent)
    : m_agent(std::move(agent))
{
}

FakeAgentLink::~FakeAgentLink() = default;

void FakeAgentLink::start()
{
    ++m_agent->connections;
    m_agent->m_link = this;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (m_over)
                return;
            if (m_agent->refuses) {
                if (m_agent->asks) {
                    emit waiting(u"The fake agent asks."_s, true);
                    emit waiting(u"logging in"_s, false);
                }
                m_over = true;
                emit closed(m_agent->refusal);
                return;
            }
            emit opened();
        },
        Qt::QueuedConnection);
}

bool FakeAgentLink::send(const QByteArray& json, const QByteArray& raw, bool)
{
    QMetaObject::invokeMethod(
        this,
        [this, json, raw] {
            if (!m_over)
                m_agent->receive(json, raw);
        },
        Qt::QueuedConnection);
    return true;
}

void FakeAgentLink::close()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (std::exchange(m_over, true))
                return;
            emit closed(Error{Kind::cancelled, u"closed"_s, {}});
        },
        Qt::QueuedConnection);
}

std::function<std::unique_ptr<transport::AgentLink>()> FakeAgent::factory()
{
    return [self = shared_from_this()]() -> std::unique_ptr<transport::AgentLink> {
        return std::make_unique<FakeAgentLink>(self);
    };
}

void FakeAgent::say(Json json, const QByteArray& raw)
{
    sayRaw(core::dumpJson(json), raw);
}

void FakeAgent::sayRaw(const QByteArray& json, const QByteArray& raw)
{
    if (connected())
        emit m_link->frame(json, raw);
}

void FakeAgent::die()
{
    if (!connected())
        return;
    m_link->m_over = true;
    emit m_link->closed(Error{Kind::network, u"The fake agent died."_s, {}});
}

QList<FakeAgent::Message> FakeAgent::messages(const char* name) const
{
    QList<Message> out;
    for (const Message& message : received) {
        if (message.json.value("m", "") == name)
            out.append(message);
    }
    return out;
}

void FakeAgent::receive(const QByteArray& text, const QByteArray& raw)
{
    const auto json = core::parseJson(text);
    Q_ASSERT(json);
    received.append(Message{*json, raw});
    const QString name = QString::fromStdString(json->value("m", ""));
    if (script && script(name, *json, raw))
        return;
    if (name == u"hello" && answersHello) {
        say(Json{{"m", "hello"}, {"version", 1}, {"arch", "x86_64"}, {"bootId", "boot"}, {"hostname", "fake"},
            {"user", "me"}, {"home", "/home/me"}, {"base", "/base"}, {"cpuCount", 8}, {"memoryTotal", 1024},
            {"time", 1}, {"trials", helloTrials}});
    } else if (name == u"adopt") {
        QHash<QString, QString> known;
        for (const Json& trial : helloTrials)
            known.insert(trial["id"].get<QString>(), trial["state"].get<QString>());
        Json states = Json::array();
        for (const Json& trial : (*json)["trials"]) {
            const QString id = trial["id"].get<QString>();
            states.push_back(Json{{"id", id}, {"state", known.value(id, u"unknown"_s)}});
        }
        say(Json{{"m", "adopted"}, {"trials", states}});
    }
}

} // namespace fakes
