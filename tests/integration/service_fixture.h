// SPDX-License-Identifier: GPL-3.0-or-later
// A real `trialdeckd --serve` in a folder of its own, and a plain HTTP client for it.
#pragma once

#include "services/core/json.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

class ServiceFixture
{
public:
    ServiceFixture();
    ~ServiceFixture(); ///< ends the service and every trial that it left

    /// Starts, and waits until it listens. `wrapper` goes before the program (faketime, unshare …).
    bool start(const QStringList& arguments = {}, const QStringList& wrapper = {});
    /// Instead of start(): a service that the test started itself, by what it printed and its data directory as seen from here.
    bool attach(const QByteArray& output, const QString& dataDir);
    void kill9();
    bool terminate(); ///< SIGTERM; true when it ended with 0
    [[nodiscard]] QString dataDir() const { return m_folder.path() + QStringLiteral("/data"); }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] qint64 pid() const { return m_process ? m_process->processId() : 0; }
    [[nodiscard]] QByteArray output() const { return m_output; }
    [[nodiscard]] QString url() const { return m_url; }
    [[nodiscard]] QByteArray token() const { return m_token; }
    [[nodiscard]] static QString program(const QString& name); ///< of tests/programs
    void setEnvironment(const QString& name, const QString& value) { m_environment.insert(name, value); }

    struct Answer
    {
        int status = 0; ///< 0: no answer
        QByteArray body;
        QList<QNetworkReply::RawHeaderPair> headers;
        [[nodiscard]] core::Json json() const;
    };
    Answer request(const QByteArray& method, const QString& path, const QByteArray& body = {});
    Answer get(const QString& path) { return request("GET", path); }
    Answer post(const QString& path, const core::Json& body) { return request("POST", path, core::dumpJson(body)); }

    /// Ids of things made; empty with a warning when refused.
    QString createExperiment(const core::Json& members);
    QStringList submit(const QString& experiment, const core::Json& trials);
    core::Json trial(const QString& id) { return get(QStringLiteral("/api/v1/trials/") + id).json(); }
    qint64 count(const QString& experiment, const char* status);
    core::Json metrics(const QString& trial);
    QByteArray log(const QString& trial, const QString& name);
    bool waitForCount(const QString& experiment, const char* status, qint64 count, int timeoutMs = 300'000);
    bool waitForStatus(const QString& trial, const char* status, int timeoutMs = 300'000);

private:
    void endTrials();

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    std::unique_ptr<QProcess> m_process;
    QByteArray m_output;
    QString m_url;
    QByteArray m_token;
    QNetworkAccessManager m_network;
};
