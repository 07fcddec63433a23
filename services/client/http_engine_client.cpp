// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_engine_client.h"

#include "command_http.h"

#include "services/api/readable_json.h"
#include "services/api/record_kinds.h"
#include "services/core/record_json.h"

#include <QDateTime>
#include <QFile>
#include <QPointer>

using namespace Qt::StringLiterals;

namespace client {

static constexpr int commandTimeoutMs = 150'000; ///< longer than the service gives its own work
static constexpr int longestRetryMs = 1'500;

/// Everything, list by list, and what happens meanwhile.
struct HttpEngineClient::Listing
{
    std::shared_ptr<Change> full = std::make_shared<Change>();
    QList<std::shared_ptr<Change>> meanwhile;
    QList<QByteArray> targets; ///< still to be asked for
    std::unique_ptr<HttpTransfer> transfer;
};

/// Deletes a transfer that may be sending a signal just now.
static void drop(std::unique_ptr<HttpTransfer>& transfer)
{
    if (!transfer)
        return;
    transfer->disconnect();
    transfer.release()->deleteLater();
}

/// Why a request failed. Takes what is left of its answer.
static Error errorOf(const ServiceAddress& service, HttpTransfer& transfer)
{
    if (transfer.status() >= 400)
        return errorFromProblem(transfer.status(), transfer.readAll());
    const bool isTimeout = transfer.failure() == HttpTransfer::Failure::silent;
    return Error{isTimeout ? Kind::timeout : Kind::network,
        u"The service at %1 cannot be reached: %2."_m.arg(service.url.authority(), transfer.failureText()), {}};
}

HttpEngineClient::HttpEngineClient(Config config, QObject* parent)
    : EngineClient(parent)
    , m_config(std::move(config))
    , m_channel(m_config.service)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &HttpEngineClient::follow);
}

HttpEngineClient::~HttpEngineClient() = default;

void HttpEngineClient::start()
{
    if (m_started)
        return;
    m_started = true;
    emit linkChanged(LinkState::connecting, {}, 0);
    follow();
}

// ----------------------------------------------------------------------------------------------------------------- changes

void HttpEngineClient::follow()
{
    if (m_config.locate) {
        const Result<ServiceAddress> address = m_config.locate();
        if (!address) {
            lose(address.error().message);
            return;
        }
        m_config.service = *address;
        m_channel.setAddress(*address);
    }
    QByteArray target = "/api/v1/events?metrics=" + m_config.metrics;
    if (m_mirror.isReady())
        target += "&since=" + QUrl::toPercentEncoding(m_mirror.epoch()) + '.' + QByteArray::number(m_mirror.revision());
    m_buffer.clear();
    m_scanned = 0;
    m_stream.reset(m_channel.send(
        {.target = target, .headers = {{"Accept", "application/x-ndjson"}}, .silenceMs = m_config.silenceMs}));
    connect(m_stream.get(), &HttpTransfer::readyRead, this, &HttpEngineClient::onLines);
    connect(m_stream.get(), &HttpTransfer::finished, this, [this] {
        lose(m_stream->status() == 200
                ? u"The service at %1 has closed the connection."_m.arg(m_config.service.url.authority())
                : errorOf(m_config.service, *m_stream).message);
    });
}

void HttpEngineClient::retryNow()
{
    if (!m_retry.isActive())
        return;
    m_retry.stop();
    m_retryMs = 100;
    follow();
}

void HttpEngineClient::lose(const Message& message)
{
    if (m_listing)
        drop(m_listing->transfer);
    m_listing.reset();
    drop(m_stream);
    m_connected = false;
    m_retry.start(m_retryMs);
    m_retryMs = std::min(m_retryMs * 2, longestRetryMs);
    emit linkChanged(LinkState::lost, message, m_lastContact);
}

void HttpEngineClient::setConnected()
{
    m_retryMs = 100;
    if (m_connected)
        return;
    m_connected = true;
    emit linkChanged(LinkState::connected, {}, m_lastContact);
}

void HttpEngineClient::onLines()
{
    if (m_stream->status() != 200)
        return; // a problem document: read when it is complete
    m_lastContact = QDateTime::currentMSecsSinceEpoch();
    m_buffer += m_stream->readAll();
    qsizetype start = 0;
    const HttpTransfer* stream = m_stream.get();
    for (;;) {
        const qsizetype end = m_buffer.indexOf('\n', std::max(start, m_scanned));
        if (end < 0)
            break;
        onMessage(m_buffer.mid(start, end - start));
        if (stream != m_stream.get())
            return; // lost while its message was read
        start = end + 1;
    }
    m_buffer.remove(0, start);
    m_scanned = m_buffer.size();
}

void HttpEngineClient::onMessage(const QByteArray& line)
{
    if (line.trimmed().isEmpty())
        return;
    const auto json = api::readableJson(line);
    const auto message = json ? eventMessageFromJson(*json) : Result<EventMessage>(fail(json));
    if (!message) {
        lose(u"The service at %1 sent something that is no event."_m.arg(m_config.service.url.authority()));
        return;
    }
    if (message->reset || (!m_mirror.isReady() && !m_listing)) {
        list();
        return;
    }
    if (m_listing) {
        m_listing->meanwhile.append(message->change);
        return;
    }
    setConnected();
    publish(message->change);
}

void HttpEngineClient::publish(const std::shared_ptr<Change>& change)
{
    m_mirror.apply(*change);
    // A metric does not name its experiment; its trial does.
    for (MetricBatchPtr& batch : change->metrics) {
        if (const TrialPtr trial = m_mirror.trial(batch->trialId)) {
            auto named = std::make_shared<MetricBatch>(*batch);
            named->experimentId = trial->experimentId;
            batch = std::move(named);
        }
    }
    emit changed(change);
}

void HttpEngineClient::list()
{
    m_listing = std::make_unique<Listing>();
    api::forEachRecordKind([this]<typename Record>(const api::RecordKind<Record>& kind) {
        QByteArray target = QByteArray("/api/v1/") + kind.name;
        if constexpr (std::is_same_v<Record, Trial>)
            target += "?limit=10000";
        m_listing->targets.append(target);
    });
    listNext();
}

void HttpEngineClient::listNext()
{
    if (m_listing->targets.isEmpty()) {
        finishListing();
        return;
    }
    m_listing->transfer.reset(
        m_channel.send({.target = m_listing->targets.takeFirst(), .silenceMs = m_config.silenceMs}));
    connect(m_listing->transfer.get(), &HttpTransfer::finished, this, &HttpEngineClient::onListed);
}

void HttpEngineClient::onListed()
{
    HttpTransfer& transfer = *m_listing->transfer;
    if (transfer.status() != 200 || transfer.failure() != HttpTransfer::Failure::none) {
        lose(errorOf(m_config.service, transfer).message);
        return;
    }
    const QByteArray tag = transfer.header("etag");
    const auto json = api::readableJson(transfer.readAll());
    drop(m_listing->transfer);
    const auto part = json ? eventMessageFromJson(*json) : Result<EventMessage>(fail(json));
    if (!part) {
        lose(part.error().message);
        return;
    }
    Change& full = *m_listing->full;
    api::forEachRecordKind([&](const auto& kind) { full.*kind.records += (*part->change).*kind.records; });
    // What is listed is at least this new; what happened since comes as events.
    full.revision = full.revision == 0 ? part->change->revision : std::min(full.revision, part->change->revision);
    if (const auto next = json->find("next"); next != json->end() && next->is_string())
        m_listing->targets.prepend(
            "/api/v1/trials?limit=10000&after=" + QByteArray::fromStdString(next->get<std::string>()));
    // The tag of a list is "EPOCH.REVISION".
    if (const qsizetype dot = tag.lastIndexOf('.'); dot > 1)
        full.epoch = QString::fromUtf8(tag.mid(1, dot - 1));
    listNext();
}

void HttpEngineClient::finishListing()
{
    const std::unique_ptr<Listing> listing = std::move(m_listing);
    listing->full->full = true;
    m_mirror.apply(*listing->full);
    auto later = std::make_shared<Change>();
    for (const auto& change : std::as_const(listing->meanwhile)) {
        if (change->epoch != m_mirror.epoch())
            continue;
        // Lists may be newer than an event that waited here; the events' own order brings each record to its newest form.
        m_mirror.apply(*change);
        later->metrics += change->metrics;
        later->gaps += change->gaps;
    }
    auto full = std::make_shared<Change>();
    full->full = true;
    m_mirror.fill(*full);
    setConnected();
    emit changed(full);
    if (later->metrics.isEmpty() && later->gaps.isEmpty())
        return;
    later->epoch = m_mirror.epoch();
    later->revision = m_mirror.revision();
    publish(later);
}

// ---------------------------------------------------------------------------------------------------------------- commands

static Reply headOf(const HttpTransfer& transfer, const QByteArray& bytes)
{
    Reply out;
    out.bytes = bytes;
    out.offset = transfer.header("x-offset").toLongLong();
    out.size = std::max(transfer.header("x-size").toLongLong(), out.offset + bytes.size());
    return out;
}

static Result<Reply> replyOf(
    const ServiceAddress& service, const HttpRequest& asked, const Command& command, HttpTransfer& transfer)
{
    const int status = transfer.status();
    if (transfer.failure() != HttpTransfer::Failure::none || status < 200 || status >= 300)
        return tl::unexpected(errorOf(service, transfer));
    const QByteArray body = transfer.readAll();
    Reply out = asked.isBytes ? headOf(transfer, body) : Reply();
    out.created = status == 201;
    out.accepted = status == 202;
    out.revision = transfer.header("x-revision").toLongLong();
    if (asked.isBytes) {
        out.end = asked.isStream || transfer.header("x-end") == "true";
        return out;
    }
    if (const auto* code = std::get_if<HasCode>(&command)) {
        out.document = {{"codeHash", code->sha}};
        return out;
    }
    auto document = api::readableJson(body);
    if (!document)
        return fail(
            Kind::internal, u"The service answered with something that is no JSON."_m, document.error().message.text());
    out.document = *std::move(document);
    return out;
}

void HttpEngineClient::execute(Command command, std::function<void(Result<Reply>)> done)
{
    const HttpRequest asked = httpRequestOf(command);
    HttpSend request{.method = asked.method,
        .target = asked.target,
        .headers = asked.headers,
        .body = asked.body,
        .silenceMs = asked.isStream ? 0 : commandTimeoutMs};
    std::unique_ptr<QFile> file;
    if (!asked.file.isEmpty()) {
        file = std::make_unique<QFile>(asked.file);
        if (!file->open(QIODevice::ReadOnly)) {
            const Error error{Kind::invalid, u"%1 cannot be read: %2."_m.arg(asked.file, file->errorString()), {}};
            QMetaObject::invokeMethod(
                this, [done, error] { done(tl::unexpected(error)); }, Qt::QueuedConnection);
            return;
        }
        request.file = file.get();
    }
    if (request.file || !asked.body.isEmpty())
        request.headers.emplaceBack("Content-Type", asked.contentType);
    HttpTransfer* transfer = m_channel.send(request);
    m_commands.emplace(transfer);
    if (file) {
        file.release()->setParent(transfer);
        connect(transfer, &HttpTransfer::sent, this,
            [this, path = asked.file](qint64 bytes) { emit uploading(path, bytes); });
    }
    const auto forget = [this, transfer] {
        const auto found = std::find_if(
            m_commands.begin(), m_commands.end(), [&](const auto& known) { return known.get() == transfer; });
        std::unique_ptr<HttpTransfer> ended = std::move(m_commands.extract(found).value());
        drop(ended);
    };
    connect(
        transfer, &HttpTransfer::finished, this, [this, transfer, forget, asked, command = std::move(command), done] {
            const Result<Reply> reply = replyOf(m_config.service, asked, command, *transfer);
            forget();
            done(reply);
        });
    if (!asked.isStream)
        return;
    // A followed log: its first bytes are the answer, the rest is asked for again.
    connect(transfer, &HttpTransfer::readyRead, this, [transfer, forget, done] {
        if (transfer->status() != 200 || transfer->bytesAvailable() == 0)
            return;
        Reply out = headOf(*transfer, transfer->readAll());
        forget();
        done(std::move(out));
    });
}

} // namespace client
