// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_uploads.h"

#include "agent_messages.h"
#include "wire_json.h"

#include "services/wire/protocol.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace message = trialkeeper::message;

Task<Result<>> AgentUploads::put(QString sha, qint64 size, Source source, Progress progress)
{
    if (!m_wire.isUp())
        co_return fail(Kind::network, u"There is no contact with the machine's agent."_m);
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
    const Result<> result = co_await send(own, sha, size, std::move(source));
    // Callers that joined get the same result. A failed upload is out of the table already, or leaves it now.
    for (OneShot<Result<>> joined : std::exchange(own->waiting, {}))
        joined.set(result);
    co_return result;
}

Task<Result<>> AgentUploads::send(UploadPtr upload, QString sha, qint64 size, Source source)
{
    const auto woken = [&upload] { return upload->result || upload->wake.isSet(); };
    m_wire.send(dumpJson(Json{{"m", message::has}, {"sha", sha}}));
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
        // After a wait the connection, and this object, may be gone: then the upload has a result.
        if (upload->result)
            break;
        if (!chunk || chunk->size() != wanted) {
            m_uploads.remove(sha);
            co_return chunk ? fail(Kind::internal, u"The packed code changed while it was being sent."_m) : fail(chunk);
        }
        last = offset + wanted >= size;
        const Json json{{"m", message::put}, {"sha", sha}, {"offset", offset}, {"last", last}};
        m_wire.sendBulk(dumpJson(json), *chunk);
        offset += wanted;
        upload->sent = offset;
    }
    while (!upload->result) {
        if (!woken())
            co_await upload->wake.wait();
        upload->wake = {};
    }
    co_return *upload->result;
}

void AgentUploads::answer(const QString& name, const Json& json)
{
    const QString sha = textOf(json, "sha");
    const UploadPtr upload = m_uploads.value(sha);
    if (!upload)
        return;
    if (name == QLatin1StringView(message::has)) {
        upload->present = flagOf(json, "present");
    } else if (name == u"putAck") {
        upload->acknowledged = std::clamp(numberOf(json, "offset"), upload->acknowledged, upload->sent);
        for (const Progress& report : upload->progress)
            report(upload->acknowledged);
    } else {
        m_uploads.remove(sha);
        upload->result = name == u"putDone" ? Result<>() : tl::unexpected(errorOf(json));
    }
    OneShot<bool> wake = upload->wake;
    wake.set(true);
}

std::function<void()> AgentUploads::drop(const Error& error)
{
    return [uploads = std::exchange(m_uploads, {}), error] {
        for (const UploadPtr& upload : uploads) {
            upload->result = tl::unexpected(error);
            OneShot<bool> wake = upload->wake;
            wake.set(true);
        }
    };
}

} // namespace transport
