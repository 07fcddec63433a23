// SPDX-License-Identifier: GPL-3.0-or-later
#include "stand_in.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSslConfiguration>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace fakes {

namespace {

constexpr int startMs = 30'000;
constexpr int endMs = 20'000;
constexpr int answerMs = 30'000;

} // namespace

StandIn::~StandIn()
{
    m_process.closeWriteChannel();
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(endMs))
        m_process.kill();
}

bool StandIn::start(const QString& script, const QStringList& arguments, int given)
{
    const QString path = u"" TRIALDECK_SOURCE_DIR "/tests/peers/stand_ins/"_s + script;
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(u"python3"_s, QStringList{u"-B"_s, path} + arguments);
    while (m_values.size() < given) {
        if (!m_process.canReadLine() && !m_process.waitForReadyRead(startMs)) {
            m_error = u"%1 did not start: %2"_s.arg(script, m_process.errorString());
            return false;
        }
        while (m_process.canReadLine()) {
            const QString line = QString::fromUtf8(m_process.readLine()).trimmed();
            m_values.insert(line.section(u'=', 0, 0), line.section(u'=', 1));
        }
    }
    return true;
}

core::Json StandIn::ask(const QString& control, const QByteArray& body, bool isPost)
{
    QNetworkAccessManager network;
    QNetworkRequest request{QUrl(url() + u"/control/"_s + control)};
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    request.setTransferTimeout(answerMs);
    if (const QString authorities = value(u"ca"_s); !authorities.isEmpty()) {
        QSslConfiguration tls = request.sslConfiguration();
        tls.setCaCertificates(QSslCertificate::fromPath(authorities));
        request.setSslConfiguration(tls);
    }
    QNetworkReply* reply = isPost ? network.post(request, body) : network.get(request);
    QEventLoop loop;
    QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
    if (!reply->isFinished())
        loop.exec();
    const QByteArray text = reply->readAll();
    if (reply->error() != QNetworkReply::NoError) {
        qWarning("control %s: %s %s", qPrintable(control), qPrintable(reply->errorString()), text.constData());
        return {};
    }
    return core::Json::parse(text.constData(), text.constData() + text.size(), nullptr, false);
}

core::Json StandIn::post(const QString& control, const core::Json& body)
{
    return ask(control, QByteArray::fromStdString(body.dump()), true);
}

core::Json StandIn::get(const QString& control)
{
    return ask(control, {}, false);
}

} // namespace fakes
