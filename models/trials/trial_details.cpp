// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_details.h"

#include "services/core/message/localized.h"

#include <QPointer>

namespace models {

using api::Reply;
using core::Json;
using core::Result;

namespace {

/// The array member `name` of the reply, or an empty array if there is none.
Json listOf(const Result<Reply>& reply, const char* name)
{
    const Result<Json> document = client::documentOf(*reply);
    if (!document || !document->is_object() || !document->contains(name) || !(*document)[name].is_array())
        return Json::array();
    return (*document)[name];
}

QString text(const Json& object, const char* name)
{
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<QString>() : QString();
}

qint64 whole(const Json& object, const char* name)
{
    const auto it = object.find(name);
    return it != object.end() && it->is_number() ? it->get<qint64>() : 0;
}

} // namespace

TrialDetails::TrialDetails(client::EngineClient& client, QObject* parent)
    : QObject(parent)
    , m_client(client)
{
}

void TrialDetails::setTrial(const core::TrialId& trial)
{
    if (trial == m_trial)
        return;
    m_trial = trial;
    ++m_generation;
    m_isReadingEvents = false;
    m_nextEvent = 0;
    m_events.clear();
    m_logNames.clear();
    m_outputLog.clear();
    m_files.clear();
    m_filesMessage.clear();
    m_hasMoreFiles = false;
    m_knowsFiles = false;
    emit eventsChanged();
    emit logNamesChanged();
    emit filesChanged();
}

void TrialDetails::ask(api::Command command, std::function<void(const Result<Reply>&)> done)
{
    m_client.execute(std::move(command),
        [self = QPointer(this), generation = m_generation, done = std::move(done)](const Result<Reply>& reply) {
            if (self && self->m_generation == generation)
                done(reply);
        });
}

void TrialDetails::readEvents()
{
    if (m_trial.isEmpty() || m_isReadingEvents)
        return;
    m_isReadingEvents = true;
    ask(api::ReadTrialEvents{m_trial, m_nextEvent}, [this](const Result<Reply>& reply) {
        m_isReadingEvents = false;
        if (!reply)
            return;
        bool isNew = false;
        for (const Json& event : listOf(reply, "events")) {
            core::TrialEvent made{whole(event, "sequence"), whole(event, "time"),
                core::OpenWord<core::TrialEventKind>::fromWord(text(event, "kind")), text(event, "text")};
            if (made.sequence < m_nextEvent)
                continue;
            m_nextEvent = made.sequence + 1;
            m_events.append(std::move(made));
            isNew = true;
        }
        if (isNew)
            emit eventsChanged();
    });
}

void TrialDetails::readLogNames()
{
    if (m_trial.isEmpty())
        return;
    ask(api::ListLogs{m_trial}, [this](const Result<Reply>& reply) {
        QStringList names;
        QString output;
        if (reply) {
            if (const Result<Json> document = client::documentOf(*reply); document && document->is_object())
                output = text(*document, "default");
            for (const Json& name : listOf(reply, "logs")) {
                if (name.is_string())
                    names.append(name.get<QString>());
            }
        }
        if (names == m_logNames && output == m_outputLog)
            return;
        m_logNames = names;
        m_outputLog = output;
        emit logNamesChanged();
    });
}

void TrialDetails::readFiles()
{
    if (m_trial.isEmpty())
        return;
    ask(api::ListFiles{m_trial}, [this](const Result<Reply>& reply) {
        m_files.clear();
        m_knowsFiles = true;
        m_filesMessage = reply ? QString() : core::localized(reply.error().message);
        m_hasMoreFiles = reply && reply->document.is_object() && reply->document.value("next", Json()).is_string();
        if (reply) {
            for (const Json& file : listOf(reply, "files")) {
                const auto folder = file.find("folder");
                m_files.append({text(file, "path"), whole(file, "size"), whole(file, "modified"),
                    folder != file.end() && folder->is_boolean() && folder->get<bool>()});
            }
        }
        emit filesChanged();
    });
}

void TrialDetails::readFile(const QString& path, qint64 limit, std::function<void(Result<Reply>)> done)
{
    api::ReadLog command;
    command.trial = m_trial;
    command.name = QStringLiteral("output/") + path;
    command.limit = limit;
    ask(std::move(command), [done = std::move(done)](const Result<Reply>& reply) { done(reply); });
}

} // namespace models
