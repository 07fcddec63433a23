// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_client.h"

#include "app/cli/json_view.h"

#include <QEventLoop>
#include <QFile>
#include <QNetworkReply>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace app {

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

ServiceClient::ServiceClient(Endpoint endpoint, QByteArray token)
    : m_endpoint(std::move(endpoint))
    , m_token(std::move(token))
{
    while (m_endpoint.url.endsWith(u'/'))
        m_endpoint.url.chop(1);
    if (!m_endpoint.certificate.isEmpty()) {
        QFile file(m_endpoint.certificate);
        if (file.open(QIODevice::ReadOnly))
            m_certificate = QSslCertificate(&file).toDer();
    }
    m_network.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy); // The token goes to this service alone.
}

ServiceClient::~ServiceClient() = default;

QNetworkReply* ServiceClient::start(const HttpCall& call)
{
    QUrl url = QUrl::fromEncoded((m_endpoint.url + u"/api/v1"_s + call.path).toUtf8());
    if (!call.query.isEmpty())
        url.setQuery(call.query);
    QNetworkRequest request(url);
    if (!m_token.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + m_token);
    request.setRawHeader("Accept-Encoding", "identity");
    if (!call.body.isEmpty())
        request.setRawHeader("Content-Type", "application/json");
    for (const auto& [name, value] : call.headers)
        request.setRawHeader(name, value);
    // Of a HEAD that it does not know as such, Qt waits for a body.
    QNetworkReply* reply = call.method == "HEAD" ? m_network.head(request)
        : call.file                              ? m_network.sendCustomRequest(request, call.method, call.file)
                                                 : m_network.sendCustomRequest(request, call.method, call.body);
    connect(reply, &QNetworkReply::sslErrors, reply, [this, reply] {
        if (!m_certificate.isEmpty() && reply->sslConfiguration().peerCertificate().toDer() == m_certificate)
            reply->ignoreSslErrors();
    });
    return reply;
}

Error ServiceClient::problemOf(QNetworkReply& reply, const QByteArray& body) const
{
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 0)
        return {Kind::network, u"The service at %1 is not reached: %2."_s.arg(m_endpoint.url, reply.errorString()), {}};
    if (status == 401)
        return {Kind::auth,
            u"The service at %1 refused the token (%2). Name the right one with --token-file."_s.arg(
                m_endpoint.url, m_endpoint.tokenFile.isEmpty() ? u"none was given"_s : m_endpoint.tokenFile),
            QString::fromUtf8(body)};
    const Result<Json> document = core::parseJson(body);
    QString message = document ? textOf(*document, "detail") : QString();
    if (message.isEmpty() && document)
        message = textOf(*document, "title");
    if (message.isEmpty())
        message = u"The service at %1 answered %2 %3."_s.arg(m_endpoint.url, QString::number(status),
            reply.attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString());
    const QString word = document ? textOf(*document, "kind") : QString();
    Kind kind = word.isEmpty() ? (status == 404 ? Kind::not_found : Kind::internal) : core::kindFromName(word);
    if (kind == Kind::network || kind == Kind::timeout)
        kind = Kind::platform; // It was the service that did not reach something.
    return {kind, message, QString::fromUtf8(body)};
}

Result<HttpAnswer> ServiceClient::send(const HttpCall& call)
{
    QByteArray body;
    std::unique_ptr<QNetworkReply> reply(start(call));
    QEventLoop loop;
    bool late = false;
    connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
    QTimer timer;
    timer.setSingleShot(true);
    connect(&timer, &QTimer::timeout, &loop, [&] {
        late = true;
        loop.quit();
    });
    timer.start(call.timeoutMs);
    connect(reply.get(), &QNetworkReply::uploadProgress, &loop, [&](qint64 sent, qint64) {
        timer.start(call.timeoutMs);
        if (call.progress)
            call.progress(sent);
    });
    if (!reply->isFinished())
        loop.exec();
    if (late && !reply->isFinished()) {
        disconnect(reply.get(), nullptr, nullptr, nullptr);
        reply->abort();
        return fail(Kind::network,
            u"The service at %1 did not answer within %2 seconds."_s.arg(m_endpoint.url).arg(call.timeoutMs / 1'000));
    }
    body = reply->readAll();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool broken = status != 0 && status < 400 && reply->error() != QNetworkReply::NoError;
    if (broken)
        return fail(Kind::network,
            u"The connection to the service at %1 broke: %2."_s.arg(m_endpoint.url, reply->errorString()));
    if (status < 200 || status >= 300)
        return tl::unexpected(problemOf(*reply, body));
    HttpAnswer answer{status, body, {}};
    for (const auto& [name, value] : reply->rawHeaderPairs())
        answer.headers.insert(name.toLower(), value);
    return answer;
}

Result<Json> ServiceClient::get(const QString& path, const QUrlQuery& query)
{
    HttpCall call;
    call.path = path;
    call.query = query;
    const Result<HttpAnswer> answer = send(call);
    if (!answer)
        return fail(answer);
    return core::parseJson(answer->body);
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
    return core::parseJson(answer->body);
}

Result<StreamEnd> ServiceClient::stream(
    const HttpCall& call, const std::function<bool(QByteArrayView)>& reader, QHash<QByteArray, QByteArray>* headers)
{
    std::unique_ptr<QNetworkReply> reply(start(call));
    QEventLoop loop;
    std::optional<StreamEnd> ended;
    bool reading = false;
    const auto take = [&] {
        // A reader that asks the service something runs an event loop, in which more may come: it is read when that is done.
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        if (ended || reading || status < 200 || status >= 300)
            return;
        reading = true;
        while (!ended && reply->bytesAvailable() > 0) {
            const QByteArray piece = reply->read(256 * 1024);
            if (!reader(piece)) {
                ended = StreamEnd::stopped;
                loop.quit();
            }
        }
        reading = false;
    };
    connect(reply.get(), &QNetworkReply::readyRead, &loop, take);
    connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
    m_wake = [&] {
        if (!ended)
            ended = StreamEnd::woken;
        loop.quit();
    };
    if (!reply->isFinished())
        loop.exec();
    m_wake = {};
    if (!ended)
        take();
    if (headers)
        for (const auto& [name, value] : reply->rawHeaderPairs())
            headers->insert(name.toLower(), value);
    if (ended) {
        disconnect(reply.get(), nullptr, nullptr, nullptr);
        reply->abort();
        return *ended;
    }
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status < 200 || status >= 300)
        return tl::unexpected(problemOf(*reply, reply->readAll()));
    if (reply->error() != QNetworkReply::NoError)
        return fail(Kind::network,
            u"The connection to the service at %1 broke: %2."_s.arg(m_endpoint.url, reply->errorString()));
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
