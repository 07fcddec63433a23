// SPDX-License-Identifier: GPL-3.0-or-later
// The numbered requests of an AgentClient, and its uploads.
#include "agent_client.h"

#include "wire_json.h"

#include "services/wire/protocol.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace message = trialkeeper::message;

OneShot<Result<Json>> AgentClient::request(
    Json json, bool firstBytes, std::function<void(const Json&, const QByteArray&)> part)
{
    OneShot<Result<Json>> shot;
    if (m_closed) {
        shot.set(fail(Kind::cancelled, u"The platform is being closed."_s));
        return shot;
    }
    if (m_lostTold) {
        shot.set(fail(Kind::network, u"There is no contact with the machine's agent."_s));
        return shot;
    }
    const qint64 number = m_nextRequest++;
    json["req"] = number;
    Request open{dumpJson(json), firstBytes, std::move(part),
        [shot](Result<Json> result) mutable { shot.set(std::move(result)); }};
    if (open.message.size() > qsizetype(trialkeeper::maxFrame) - 16) {
        shot.set(fail(Kind::invalid, u"This is too large to be sent to the machine at once."_s));
        return shot;
    }
    if (m_up)
        sendJson(open.message);
    m_requests.emplace(number, std::move(open));
    return shot;
}

namespace {

Result<> nothingOf(const Result<Json>& reply)
{
    if (!reply)
        return fail(reply);
    return {};
}

/// Of `removed`: what could not be removed makes it fail.
Result<> removedOf(const Result<Json>& reply)
{
    if (!reply)
        return fail(reply);
    const Json& failed = memberOf(*reply, "failed");
    if (!failed.is_array() || failed.empty())
        return {};
    QString text = textOf(failed.front(), "message");
    if (failed.size() > 1)
        text = u"%1 (and %2 more)"_s.arg(text).arg(failed.size() - 1);
    return fail(Kind::conflict, text, textOf(failed.front(), "id"));
}

Json listOf(const QStringList& texts)
{
    Json list = Json::array();
    for (const QString& text : texts)
        list.push_back(text);
    return list;
}

} // namespace

Task<Result<>> AgentClient::sendParameter(QString trial, int index, QByteArray text)
{
    Json json{{"m", message::parameter}, {"trial", trial}, {"index", index}, {"text", text.toStdString()}};
    const auto shot = request(std::move(json));
    const auto reply = co_await shot.wait();
    co_return nothingOf(reply);
}

Task<Result<AgentData>> AgentClient::read(QString trial, QString name, qint64 offset, qint64 limit, bool follow)
{
    auto data = std::make_shared<AgentData>();
    Json json{{"m", message::read}, {"trial", trial}, {"name", name}, {"offset", offset}, {"limit", limit},
        {"follow", follow}};
    const auto shot = request(std::move(json), follow, [data](const Json& part, const QByteArray& raw) {
        // Asked again after a reconnection the answer begins anew; a followed file that was cut begins at 0 again.
        const qint64 at = numberOf(part, "offset");
        if (data->bytes.isEmpty() || at != data->offset + data->bytes.size()) {
            data->offset = at;
            data->bytes = raw;
        } else {
            data->bytes += raw;
        }
        data->size = numberOf(part, "size");
        data->ended = flagOf(part, "eof");
    });
    const auto reply = co_await shot.wait();
    if (!reply)
        co_return fail(reply);
    data->ended = follow && data->ended && data->bytes.isEmpty();
    co_return std::move(*data);
}

Task<Result<QList<AgentFile>>> AgentClient::list(QString trial)
{
    Json json{{"m", message::list}, {"trial", trial}};
    const auto shot = request(std::move(json));
    const auto reply = co_await shot.wait();
    if (!reply)
        co_return fail(reply);
    QList<AgentFile> files;
    for (const Json& entry : memberOf(*reply, "entries")) {
        files.append(AgentFile{textOf(entry, "path"), numberOf(entry, "size"), numberOf(entry, "mtime"),
            textOf(entry, "type") == u"folder"});
    }
    co_return files;
}

Task<Result<>> AgentClient::removeCode(QStringList shas)
{
    Json json{{"m", message::removeCode}, {"shas", listOf(shas)}};
    const auto shot = request(std::move(json));
    const auto reply = co_await shot.wait();
    co_return removedOf(reply);
}

Task<Result<>> AgentClient::doctor(std::function<void(const Json&)> step)
{
    Json json{{"m", message::doctor}};
    const auto shot = request(std::move(json), false, [step](const Json& part, const QByteArray&) {
        if (part.contains("state"))
            step(part);
    });
    const auto reply = co_await shot.wait();
    co_return nothingOf(reply);
}

Task<Result<>> AgentClient::remove(QStringList trials)
{
    // A trial that we still watch (it ended, and the event has not come yet) is removed all the same: the agent judges.
    Json json{{"m", message::remove}, {"trials", listOf(trials)}};
    const auto shot = request(std::move(json));
    const auto reply = co_await shot.wait();
    co_return removedOf(reply);
}

Task<Result<>> AgentClient::removeAll()
{
    Json json{{"m", message::remove}, {"all", true}};
    const auto shot = request(std::move(json));
    const auto reply = co_await shot.wait();
    co_return removedOf(reply);
}

Task<Result<>> AgentClient::put(QString sha, qint64 size, Source source, Progress progress)
{
    if (m_closed || !m_up)
        co_return fail(Kind::network, u"There is no contact with the machine's agent."_s);
    OneShot<Result<>> shot;
    if (const auto running = m_uploads.constFind(sha); running != m_uploads.constEnd()) {
        (*running)->waiting.push_back(shot);
        if (progress)
            (*running)->progress.push_back(std::move(progress));
        co_return co_await shot.wait();
    }
    auto own = std::make_shared<Upload>();
    if (progress)
        own->progress.push_back(std::move(progress));
    m_uploads.insert(sha, own);
    const Result<> result = co_await upload(own, sha, size, std::move(source));
    // Those who joined meanwhile learn what became of it; an upload that failed is out of the table already, or leaves it now.
    for (OneShot<Result<>> joined : std::exchange(own->waiting, {}))
        joined.set(result);
    co_return result;
}

Task<Result<>> AgentClient::upload(UploadPtr upload, QString sha, qint64 size, Source source)
{
    const auto woken = [&upload] { return upload->result || upload->wake.isSet(); };
    sendJson(dumpJson(Json{{"m", message::has}, {"sha", sha}}));
    while (!upload->present && !upload->result) {
        co_await upload->wake.wait();
        upload->wake = {};
    }
    if (!upload->result && *upload->present) {
        m_uploads.remove(sha);
        co_return Result<>();
    }
    qint64 offset = 0;
    bool last = false;
    while (!upload->result && !last) {
        if (offset + trialkeeper::maxRaw - upload->acknowledged > trialkeeper::putWindow) {
            if (!woken())
                co_await upload->wake.wait();
            upload->wake = {};
            continue;
        }
        const qint64 wanted = std::min<qint64>(trialkeeper::maxRaw, size - offset);
        const auto chunk = co_await source(offset, wanted);
        // After each wait the connection, and this object, may be gone: the upload's result says so.
        if (upload->result)
            break;
        if (!chunk || chunk->size() != wanted) {
            m_uploads.remove(sha);
            co_return chunk ? fail(Kind::internal, u"The packed code changed while it was being sent."_s) : fail(chunk);
        }
        last = offset + wanted >= size;
        const bool fits = m_link->send(
            dumpJson(Json{{"m", message::put}, {"sha", sha}, {"offset", offset}, {"last", last}}), *chunk, true);
        Q_ASSERT(fits);
        offset += wanted;
    }
    while (!upload->result) {
        if (!woken())
            co_await upload->wake.wait();
        upload->wake = {};
    }
    co_return *upload->result;
}

void AgentClient::onUpload(const QString& name, const Json& json)
{
    const QString sha = textOf(json, "sha");
    const UploadPtr upload = m_uploads.value(sha);
    if (!upload)
        return;
    if (name == QLatin1StringView(message::has)) {
        upload->present = flagOf(json, "present");
    } else if (name == u"putAck") {
        upload->acknowledged = std::max(upload->acknowledged, numberOf(json, "offset"));
        for (const Progress& tell : upload->progress)
            tell(upload->acknowledged);
    } else {
        m_uploads.remove(sha);
        upload->result =
            name == u"putDone" ? Result<>() : fail(kindFromName(textOf(json, "kind")), textOf(json, "message"));
    }
    OneShot<bool> wake = upload->wake;
    wake.set(true);
}

} // namespace transport
