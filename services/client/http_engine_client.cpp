// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_engine_client.h"

#include "command_http.h"

#include "services/api/record_kinds.h"
#include "services/core/record_json.h"

#include <QDateTime>
#include <QFile>
#include <QNetworkReply>
#include <QSslCertificate>
#include <QSslConfiguration>

using namespace Qt::StringLiterals;

namespace client {

static constexpr int commandTimeoutMs = 150'000; ///< longer than the service gives its own work
static constexpr int longestRetryMs = 5'000;

/// Everything, list by list, and what happens meanwhile.
struct HttpEngineClient::Listing
{
    std::shared_ptr<Change> full = std::make_shared<Change>();
    QList<std::shared_ptr<Change>> meanwhile;
    QList<QByteArray> targets; ///< still to be asked for
    QPointer<QNetworkReply> reply;

    ~Listing()
    {
        if (reply) {
            reply->disconnect();
            reply->abort();
            reply->deleteLater();
        }
    }
};

static int statusOf(QNetworkReply* reply)
{
    return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

/// Why a request failed.
static Error errorOf(QNetworkReply* reply)
{
    const int status = statusOf(reply);
    if (status >= 400)
        return errorFromProblem(status, reply->readAll());
    const bool timeout =
        reply->error() == QNetworkReply::OperationCanceledError || reply->error() == QNetworkReply::TimeoutError;
    return Error{timeout ? Kind::timeout : Kind::network,
        u"The service at %1 cannot be reached: %2."_s.arg(reply->url().authority(), reply->errorString()), {}};
}

HttpEngineClient::HttpEngineClient(Config config, QObject* parent)
    : EngineClient(parent)
    , m_config(std::move(config))
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &HttpEngineClient::follow);
}

HttpEngineClient::~HttpEngineClient()
{
    m_listing.reset();
    if (m_stream)
        m_stream->disconnect();
}

QNetworkRequest HttpEngineClient::requestFor(const QByteArray& target, int timeoutMs) const
{
    QUrl url = QUrl::fromEncoded(target, QUrl::StrictMode);
    url.setScheme(m_config.url.scheme());
    url.setAuthority(m_config.url.authority());
    QNetworkRequest request(url);
    request.setRawHeader("Authorization", "Bearer " + m_config.token);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setTransferTimeout(timeoutMs);
    if (!m_config.caFile.isEmpty()) {
        QSslConfiguration ssl = QSslConfiguration::defaultConfiguration();
        ssl.setCaCertificates(QSslCertificate::fromPath(m_config.caFile));
        request.setSslConfiguration(ssl);
    }
    return request;
}

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
    QByteArray target = "/api/v1/events?metrics=" + m_config.metrics;
    if (m_mirror.isReady())
        target += "&since=" + QUrl::toPercentEncoding(m_mirror.epoch()) + '.' + QByteArray::number(m_mirror.revision());
    QNetworkRequest request = requestFor(target, m_config.silenceMs);
    request.setRawHeader("Accept", "application/x-ndjson");
    m_buffer.clear();
    m_scanned = 0;
    m_stream = m_network.get(request);
    connect(m_stream, &QNetworkReply::readyRead, this, &HttpEngineClient::onLines);
    connect(m_stream, &QNetworkReply::finished, this, [this] {
        const Error error = errorOf(m_stream);
        lose(statusOf(m_stream) == 200 ? u"The service at %1 has closed the connection."_s.arg(m_config.url.authority())
                                       : error.message);
    });
}

void HttpEngineClient::lose(const QString& message)
{
    m_listing.reset();
    if (m_stream) {
        m_stream->disconnect();
        m_stream->abort();
        m_stream->deleteLater();
        m_stream.clear();
    }
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
    if (statusOf(m_stream) != 200)
        return; // a problem document: read when it is complete
    m_lastContact = QDateTime::currentMSecsSinceEpoch();
    m_buffer += m_stream->readAll();
    qsizetype start = 0;
    const QPointer<QNetworkReply> stream = m_stream;
    for (;;) {
        const qsizetype end = m_buffer.indexOf('\n', std::max(start, m_scanned));
        if (end < 0)
            break;
        onMessage(m_buffer.mid(start, end - start));
        if (!stream || stream != m_stream)
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
    const auto json = parseJson(line);
    const auto message = json ? eventMessageFromJson(*json) : Result<EventMessage>(fail(json));
    if (!message) {
        lose(u"The service at %1 sent something that is no event."_s.arg(m_config.url.authority()));
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
    QNetworkReply* reply = m_network.get(requestFor(m_listing->targets.takeFirst(), m_config.silenceMs));
    m_listing->reply = reply;
    connect(reply, &QNetworkReply::finished, this, [this, reply] { onListed(reply); });
}

void HttpEngineClient::onListed(QNetworkReply* reply)
{
    m_listing->reply.clear();
    reply->deleteLater();
    if (statusOf(reply) != 200 || reply->error() != QNetworkReply::NoError) {
        lose(errorOf(reply).message);
        return;
    }
    const auto json = parseJson(reply->readAll());
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
    const QByteArray tag = reply->rawHeader("ETag");
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

static Result<Reply> replyOf(const HttpRequest& asked, const Command& command, QNetworkReply* reply)
{
    const int status = statusOf(reply);
    if (reply->error() != QNetworkReply::NoError || status < 200 || status >= 300)
        return tl::unexpected(errorOf(reply));
    Reply out;
    out.created = status == 201;
    out.accepted = status == 202;
    out.revision = reply->rawHeader("X-Revision").toLongLong();
    const QByteArray body = reply->readAll();
    if (asked.isBytes) {
        out.bytes = body;
        out.offset = reply->rawHeader("X-Offset").toLongLong();
        out.size = std::max(reply->rawHeader("X-Size").toLongLong(), out.offset + body.size());
        out.end = asked.isStream || reply->rawHeader("X-End") == "true";
        return out;
    }
    if (const auto* code = std::get_if<HasCode>(&command)) {
        out.document = {{"codeHash", code->sha}};
        return out;
    }
    auto document = parseJson(body);
    if (!document)
        return fail(
            Kind::internal, u"The service answered with something that is no JSON."_s, document.error().message);
    out.document = *std::move(document);
    return out;
}

void HttpEngineClient::execute(Command command, std::function<void(Result<Reply>)> done)
{
    const HttpRequest asked = httpRequestOf(command);
    QNetworkRequest request = requestFor(asked.target, asked.isStream ? 0 : commandTimeoutMs);
    for (const auto& [name, value] : asked.headers)
        request.setRawHeader(name, value);
    QNetworkReply* reply = nullptr;
    if (!asked.file.isEmpty()) {
        auto* file = new QFile(asked.file);
        if (!file->open(QIODevice::ReadOnly)) {
            const Error error{Kind::invalid, u"%1 cannot be read: %2."_s.arg(asked.file, file->errorString()), {}};
            delete file;
            QMetaObject::invokeMethod(
                this, [done, error] { done(tl::unexpected(error)); }, Qt::QueuedConnection);
            return;
        }
        request.setHeader(QNetworkRequest::ContentTypeHeader, asked.contentType);
        reply = m_network.put(request, file);
        file->setParent(reply);
        connect(reply, &QNetworkReply::uploadProgress, this,
            [this, path = asked.file](qint64 sent, qint64) { emit uploading(path, sent); });
    } else {
        if (!asked.body.isEmpty())
            request.setHeader(QNetworkRequest::ContentTypeHeader, asked.contentType);
        if (asked.method == "GET")
            reply = m_network.get(request);
        else if (asked.method == "HEAD")
            reply = m_network.head(request);
        else
            reply = m_network.sendCustomRequest(request, asked.method, asked.body);
    }
    connect(reply, &QNetworkReply::finished, this, [reply, asked, command = std::move(command), done] {
        reply->deleteLater();
        done(replyOf(asked, command, reply));
    });
    if (!asked.isStream)
        return;
    // A followed log: its first bytes are the answer, the rest is asked for again.
    connect(reply, &QNetworkReply::readyRead, this, [reply, asked, done] {
        if (statusOf(reply) != 200 || reply->bytesAvailable() == 0)
            return;
        reply->disconnect();
        Reply out;
        out.bytes = reply->readAll();
        out.offset = reply->rawHeader("X-Offset").toLongLong();
        out.size = std::max(reply->rawHeader("X-Size").toLongLong(), out.offset + out.bytes.size());
        reply->abort();
        reply->deleteLater();
        done(std::move(out));
    });
}

} // namespace client
