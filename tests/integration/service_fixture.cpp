// SPDX-License-Identifier: GPL-3.0-or-later
#include "service_fixture.h"

#include <QDir>
#include <QEventLoop>
#include <QFile>

#include <csignal>

using namespace Qt::StringLiterals;
using core::Json;

ServiceFixture::ServiceFixture()
{
    if (!m_folder.isValid())
        qFatal("no temporary folder");                    // "/" would be in the environment of every process
    m_environment.insert(u"TRIALDECK_KEYRING"_s, u"0"_s); // that of the person who tests is not ours
}

ServiceFixture::~ServiceFixture()
{
    kill9();
    endTrials();
}

QString ServiceFixture::program(const QString& name)
{
    return QStringLiteral(TRIALDECK_TEST_PROGRAMS) + u'/' + name;
}

bool ServiceFixture::start(const QStringList& arguments, const QStringList& wrapper)
{
    m_process = std::make_unique<QProcess>();
    m_process->setProcessEnvironment(m_environment);
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_output.clear();
    QStringList words = wrapper;
    words << QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s << u"--serve"_s << u"--listen"_s << u"127.0.0.1:0"_s
          << u"--data-dir"_s << dataDir();
    words << arguments;
    const QString first = words.takeFirst();
    m_process->start(first, words);
    const bool listens = QTest::qWaitFor(
        [&] {
            m_output += m_process->readAll();
            return m_output.contains("listening on ") || m_process->state() == QProcess::NotRunning;
        },
        60'000);
    const qsizetype at = m_output.indexOf("listening on ");
    if (!listens || at < 0) {
        m_output += m_process->readAll();
        return false;
    }
    return attach(m_output, dataDir());
}

bool ServiceFixture::attach(const QByteArray& output, const QString& dataDir)
{
    const qsizetype at = output.indexOf("listening on ");
    m_url = QString::fromUtf8(output.mid(at + 13, output.indexOf('\n', at) - at - 13)).trimmed();
    QFile endpoint(dataDir + u"/endpoint.json"_s);
    if (at < 0 || !endpoint.open(QIODevice::ReadOnly))
        return false;
    const QString tokenFile = core::parseJson(endpoint.readAll())->at("tokenFile").get<QString>();
    // The file's name is that of the service's own view; what matters here is its last part.
    QFile token(QFile::exists(tokenFile) ? tokenFile : dataDir + tokenFile.mid(tokenFile.lastIndexOf(u"/data/"_s) + 5));
    if (!token.open(QIODevice::ReadOnly))
        return false;
    m_token = token.readAll().trimmed();
    return true;
}

void ServiceFixture::kill9()
{
    if (!m_process)
        return;
    m_process->kill();
    m_process->waitForFinished();
    m_process.reset();
}

bool ServiceFixture::terminate()
{
    if (!m_process)
        return false;
    m_process->terminate();
    const bool ended = m_process->waitForFinished(60'000);
    m_output += m_process->readAll();
    if (QFile log(dataDir() + u"/state/trialdeck.log"_s); log.open(QIODevice::ReadOnly))
        m_output += "\nThe end of its log:\n" + log.readAll().right(4'000);
    const bool clean = ended && m_process->exitStatus() == QProcess::NormalExit && m_process->exitCode() == 0;
    if (ended)
        m_process.reset();
    return clean;
}

/// Whatever runs with our folder in its environment is a trial of ours.
void ServiceFixture::endTrials()
{
    const QByteArray mark = m_folder.path().toUtf8();
    for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        bool isPid = false;
        const int pid = name.toInt(&isPid);
        if (!isPid || pid == getpid())
            continue;
        QFile environment(u"/proc/"_s + name + u"/environ"_s);
        QFile cmdline(u"/proc/"_s + name + u"/cmdline"_s);
        if ((environment.open(QIODevice::ReadOnly) && environment.readAll().contains(mark + '/'))
            || (cmdline.open(QIODevice::ReadOnly) && cmdline.readAll().contains(mark + '/')))
            ::kill(pid, SIGKILL);
    }
}

Json ServiceFixture::Answer::json() const
{
    const auto parsed = core::parseJson(body);
    return parsed ? *parsed : Json();
}

ServiceFixture::Answer ServiceFixture::request(const QByteArray& method, const QString& path, const QByteArray& body)
{
    QNetworkRequest request(QUrl(m_url + path));
    request.setRawHeader("Authorization", "Bearer " + m_token);
    if (!body.isEmpty() || method == "POST")
        request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    request.setTransferTimeout(60'000);
    // Sent as a custom verb, a HEAD would wait for the body that its Content-Length speaks of.
    const std::unique_ptr<QNetworkReply> reply(
        method == "HEAD" ? m_network.head(request) : m_network.sendCustomRequest(request, method, body));
    QEventLoop loop;
    QObject::connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
    loop.exec();
    return {
        reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply->readAll(), reply->rawHeaderPairs()};
}

QString ServiceFixture::createExperiment(const Json& members)
{
    Json body = {{"name", "test"}, {"platformId", "local"}, {"trialConcurrency", 2}};
    body.update(members);
    const Answer answer = post(u"/api/v1/experiments"_s, body);
    if (answer.status != 201) {
        qWarning() << answer.status << answer.body;
        return {};
    }
    return answer.json()["id"].get<QString>();
}

QStringList ServiceFixture::submit(const QString& experiment, const Json& trials)
{
    const Answer answer = post(u"/api/v1/experiments/%1/trials"_s.arg(experiment), {{"trials", trials}});
    QStringList ids;
    if (answer.status != 201) {
        qWarning() << answer.status << answer.body;
        return ids;
    }
    const Json document = answer.json();
    for (const Json& trial : document["trials"])
        ids.append(trial["id"].get<QString>());
    return ids;
}

qint64 ServiceFixture::count(const QString& experiment, const char* status)
{
    const Json json = get(u"/api/v1/experiments/"_s + experiment).json();
    return json.is_object() ? json["counts"].value(status, qint64(-1)) : -1;
}

Json ServiceFixture::metrics(const QString& trial)
{
    Json all = Json::array();
    constexpr size_t most = 10'000; // of a page
    for (size_t size = most; size == most;) {
        const Json page = get(u"/api/v1/trials/%1/metrics?limit=%2&since=%3"_s.arg(trial).arg(most).arg(all.size()))
                              .json()["metrics"];
        size = page.size();
        all.insert(all.end(), page.begin(), page.end());
    }
    return all;
}

QByteArray ServiceFixture::log(const QString& trial, const QString& name)
{
    return get(u"/api/v1/trials/%1/logs/%2?limit=1000000"_s.arg(trial, name)).body;
}

bool ServiceFixture::waitForCount(const QString& experiment, const char* status, qint64 wanted, int timeoutMs)
{
    const bool reached = QTest::qWaitFor([&] { return count(experiment, status) == wanted; }, timeoutMs);
    if (!reached)
        qWarning().noquote() << core::dumpJson(get(u"/api/v1/trials?limit=3&experimentId="_s + experiment).json(), 2);
    return reached;
}

bool ServiceFixture::waitForStatus(const QString& id, const char* status, int timeoutMs)
{
    const bool reached = QTest::qWaitFor(
        [&] {
            const Json json = trial(id);
            return json.is_object() && json.value("status", std::string()) == status;
        },
        timeoutMs);
    if (!reached)
        qWarning().noquote() << core::dumpJson(trial(id), 2);
    return reached;
}
