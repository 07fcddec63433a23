// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_client.h"

#include "app/cli/json_view.h"

#include "services/api/readable_json.h"
#include "services/core/message/message_json.h"

#include <QEventLoop>
#include <QFileInfo>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace app {

using client::HttpTransfer;
using core::Error;
using core::fail;
using core::Kind;

QString pathOf(const QStringList& parts)
{
    QString path;
    for (const QString& part : parts)
        path += u'/' + QString::fromLatin1(QUrl::toPercentEncoding(part));
    return path;
}

void addQuery(QUrlQuery& query, const QString& name, const QString& value)
{
    query.addQueryItem(name, QString::fromLatin1(QUrl::toPercentEncoding(value)));
}

QString encodedFilePath(const QString& path)
{
    return pathOf(path.split(u'/', Qt::SkipEmptyParts));
}

client::ServiceAddress addressOf(const Endpoint& endpoint, QByteArray token, bool insecure)
{
    client::ServiceAddress address;
    address.url = QUrl(endpoint.url);
    address.socket = endpoint.socket;
    address.token = std::move(token);
    address.certificate = endpoint.certificate;
    address.insecure = insecure;
    if (const QFileInfo file(endpoint.tokenFile); !endpoint.tokenFile.isEmpty() && file.exists())
        address.tokenOwner = file.ownerId();
    return address;
}

ServiceClient::ServiceClient(Endpoint endpoint, QByteArray token, bool insecure)
    : m_endpoint(std::move(endpoint))
{
    while (m_endpoint.url.endsWith(u'/'))
        m_endpoint.url.chop(1);
    m_channel = std::make_unique<client::HttpChannel>(addressOf(m_endpoint, std::move(token), insecure));
}

ServiceClient::~ServiceClient() = default;

std::unique_ptr<HttpTransfer> ServiceClient::start(const HttpCall& call, int silenceMs)
{
    QByteArray target = m_channel->address().url.path(QUrl::FullyEncoded).toUtf8() + "/api/v1" + call.path.toUtf8();
    if (!call.query.isEmpty())
        target += '?' + call.query.toString(QUrl::FullyEncoded).toUtf8();
    client::HttpSend request{.method = call.method,
        .target = target,
        .headers = call.headers,
        .body = call.body,
        .file = call.file,
        .silenceMs = silenceMs};
    const bool isNamed = std::any_of(call.headers.begin(), call.headers.end(),
        [](const auto& header) { return header.first.toLower() == "content-type"; });
    if (!call.body.isEmpty() && !isNamed)
        request.headers.emplaceBack("Content-Type", "application/json");
    return std::unique_ptr<HttpTransfer>(m_channel->send(request));
}

Error ServiceClient::problemOf(const HttpTransfer& transfer, const QByteArray& body) const
{
    const int status = transfer.status();
    if (status == 0)
        return {
            Kind::network, u"The service at %1 is not reached: %2."_s.arg(m_endpoint.url, transfer.failureText()), {}};
    if (status == 401)
        return {Kind::auth,
            u"The service at %1 refused the token (%2). Name the right one with --token-file."_s.arg(
                m_endpoint.url, m_endpoint.tokenFile.isEmpty() ? u"none was given"_s : m_endpoint.tokenFile),
            QString::fromUtf8(body)};
    const Result<Json> document = core::parseJson(body);
    core::Message message = document ? core::readMessage(*document, "detail") : core::Message();
    if (message.isEmpty() && document)
        message = textOf(*document, "title");
    if (message.isEmpty())
        message = u"The service at %1 answered %2 %3."_s.arg(
            m_endpoint.url, QString::number(status), QString::fromLatin1(transfer.reason()));
    const QString word = document ? textOf(*document, "kind") : QString();
    Kind kind = word.isEmpty() ? (status == 404 ? Kind::not_found : Kind::internal) : core::kindFromName(word);
    if (kind == Kind::network || kind == Kind::timeout)
        kind = Kind::platform; // It was the service that did not reach something.
    return {kind, message, QString::fromUtf8(body)};
}

bool ServiceClient::renewToken()
{
    if (m_endpoint.tokenFile.isEmpty())
        return false;
    const Result<QByteArray> token = readToken(m_endpoint.tokenFile);
    if (!token || *token == m_channel->address().token)
        return false;
    m_channel->setToken(*token);
    return true;
}

static QHash<QByteArray, QByteArray> headersOf(const HttpTransfer& transfer)
{
    QHash<QByteArray, QByteArray> headers;
    for (const auto& [name, value] : transfer.headers())
        headers.insert(name, value);
    return headers;
}

QList<std::pair<QByteArray, QByteArray>> onlyVersion(const Json& version)
{
    if (version == 0)
        return {{"If-None-Match", "*"}};
    return {{"If-Match", '"' + core::dumpJson(version) + '"'}};
}

Result<HttpAnswer> ServiceClient::send(const HttpCall& call)
{
    const std::unique_ptr<HttpTransfer> transfer = start(call, call.timeoutMs);
    QEventLoop loop;
    connect(transfer.get(), &HttpTransfer::finished, &loop, &QEventLoop::quit);
    QByteArray body;
    connect(transfer.get(), &HttpTransfer::readyRead, &loop, [&] { body += transfer->readAll(); });
    if (call.progress)
        connect(transfer.get(), &HttpTransfer::sent, &loop, [&](qint64 bytes) { call.progress(bytes); });
    loop.exec();
    body += transfer->readAll();
    if (transfer->failure() == HttpTransfer::Failure::silent)
        return fail(Kind::network,
            u"The service at %1 did not answer within %2 seconds."_s.arg(m_endpoint.url).arg(call.timeoutMs / 1'000));
    const int status = transfer->status();
    if (status == 401 && (!call.file || call.file->seek(0)) && renewToken())
        return send(call);
    if (status != 0 && status < 400 && transfer->failure() != HttpTransfer::Failure::none)
        return fail(Kind::network,
            u"The connection to the service at %1 broke: %2."_s.arg(m_endpoint.url, transfer->failureText()));
    if (status < 200 || status >= 300)
        return tl::unexpected(problemOf(*transfer, body));
    return HttpAnswer{status, body, headersOf(*transfer)};
}

Result<Json> ServiceClient::get(const QString& path, const QUrlQuery& query)
{
    HttpCall call;
    call.path = path;
    call.query = query;
    const Result<HttpAnswer> answer = send(call);
    if (!answer)
        return fail(answer);
    return api::readableJson(answer->body);
}

Result<Json> ServiceClient::post(const QString& path, const Json& body)
{
    return write("POST", path, core::dumpJson(body));
}

Result<Json> ServiceClient::write(const QByteArray& method, const QString& path, const QByteArray& body,
    const QList<std::pair<QByteArray, QByteArray>>& headers)
{
    HttpCall call;
    call.method = method;
    call.path = path;
    call.body = body;
    call.headers = headers;
    const Result<HttpAnswer> answer = send(call);
    if (!answer)
        return fail(answer);
    if (answer->body.isEmpty())
        return Json(nullptr);
    return api::readableJson(answer->body);
}

Result<StreamEnd> ServiceClient::stream(
    const HttpCall& call, const std::function<bool(QByteArrayView)>& reader, QHash<QByteArray, QByteArray>* headers)
{
    const std::unique_ptr<HttpTransfer> transfer = start(call, 0);
    QEventLoop loop;
    std::optional<StreamEnd> ended;
    bool reading = false;
    const auto take = [&] {
        // A reader that asks the service something runs an event loop, in which more may come: it is read when that is done.
        const int status = transfer->status();
        if (ended || reading || status < 200 || status >= 300)
            return;
        reading = true;
        while (!ended && transfer->bytesAvailable() > 0) {
            const QByteArray piece = transfer->read(256 * 1024);
            if (!reader(piece)) {
                ended = StreamEnd::stopped;
                loop.quit();
            }
        }
        reading = false;
    };
    connect(transfer.get(), &HttpTransfer::readyRead, &loop, take);
    connect(transfer.get(), &HttpTransfer::finished, &loop, &QEventLoop::quit);
    m_wake = [&] {
        if (!ended)
            ended = StreamEnd::woken;
        loop.quit();
    };
    loop.exec();
    m_wake = {};
    if (!ended)
        take();
    if (headers)
        *headers = headersOf(*transfer);
    if (ended)
        return *ended;
    const int status = transfer->status();
    if (status == 401 && renewToken())
        return stream(call, reader, headers);
    if (status < 200 || status >= 300)
        return tl::unexpected(problemOf(*transfer, transfer->readAll()));
    if (transfer->failure() != HttpTransfer::Failure::none)
        return fail(Kind::network,
            u"The connection to the service at %1 broke: %2."_s.arg(m_endpoint.url, transfer->failureText()));
    return StreamEnd::closed;
}

void ServiceClient::wake()
{
    if (m_wake)
        m_wake();
}

bool ServiceClient::pause(int ms)
{
    QEventLoop loop;
    bool woken = false;
    m_wake = [&] {
        woken = true;
        loop.quit();
    };
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
    m_wake = {};
    return !woken;
}

} // namespace app
