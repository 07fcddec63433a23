// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_messages.h"

#include "agent_limits.h"
#include "wire_json.h"

#include "services/wire/protocol.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace {

Json cursorsJson(const AgentCursors& c)
{
    return Json{{"nni", c.nni}, {"file", c.file}, {"stdout", c.standardOutput}, {"journal", c.journal}};
}

} // namespace

Json trialsJson(const QHash<QString, AgentCursors>& trials, qsizetype from, qsizetype count)
{
    Json list = Json::array();
    auto it = std::next(trials.constBegin(), from);
    for (qsizetype i = 0; i < count && it != trials.constEnd(); ++i, ++it)
        list.push_back(Json{{"id", it.key()}, {"cursors", cursorsJson(it.value())}});
    return list;
}

QByteArray messageText(const char* name, const Json& members)
{
    Json json{{trialkeeper::message::name, name}};
    json.update(members);
    return dumpJson(json);
}

Error errorOf(const Json& json)
{
    return {kindFromName(lineOf(json, "kind", limits::wordChars)), linesOf(json, "message", limits::messageChars),
        linesOf(json, "detail", limits::messageChars)};
}

bool isOnDisk(const QString& state)
{
    return state == u"running" || state == u"ended";
}

} // namespace transport
