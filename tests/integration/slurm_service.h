// SPDX-License-Identifier: GPL-3.0-or-later
// A whole service with a real Slurm of one node, and counting trials on it.
#pragma once

#include "counting_trials.h"
#include "remote_machines.h"

#include "tests/fakes/slurm_cluster.h"

#include <QDirIterator>

/// For what the scheduler of a busy Slurm does in its own time: it requeues a job that its node did not take in time, and has it wait for two
/// minutes (BeginTime).
inline constexpr int longMs = 300'000;

class SlurmService
{
public:
    /// `cpus`: as the node counts them.
    explicit SlurmService(int cpus = 60, const QByteArray& options = {})
        : m_cluster(options, cpus)
    {
        QDir().mkpath(shared());
    }

    [[nodiscard]] bool start()
    {
        if (!m_cluster.start()) {
            qWarning().noquote() << m_cluster.error();
            return false;
        }
        return true;
    }
    [[nodiscard]] SlurmCluster& cluster() { return m_cluster; }
    [[nodiscard]] ServiceFixture& service() { return m_service; }
    [[nodiscard]] CountingTrials& trials() { return m_trials; }
    [[nodiscard]] QString shared() const { return m_folder.filePath(QStringLiteral("shared")); }

    [[nodiscard]] core::Json settings(const TestSshd* login = nullptr) const
    {
        core::Json settings = {
            {"workingDirectory", shared().toStdString()}, {"slurmConf", m_cluster.conf().toStdString()}};
        if (m_cluster.hasRest())
            settings.update({{"transport", "rest"}, {"restUrl", m_cluster.restUrl().toStdString()},
                {"restTokenFile", tokenFile().toStdString()}});
        if (login)
            settings.update({{"transport", "ssh"}, {"host", "127.0.0.1"}, {"port", login->port()},
                {"user", TestSshd::userName().toStdString()}, {"sshKeyFile", login->userKey().toStdString()}});
        return settings;
    }
    [[nodiscard]] QString tokenFile() const { return m_folder.filePath(QStringLiteral("token")); }
    /// A token for slurmrestd that is good for so many seconds.
    void writeToken(int seconds) const
    {
        QFile file(tokenFile());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(m_cluster.restToken(seconds));
    }
    [[nodiscard]] bool isReady() { return isReady(m_service); }
    [[nodiscard]] static bool isReady(ServiceFixture& service)
    {
        return QTest::qWaitFor(
            [&] { return service.get(QStringLiteral("/api/v1/platforms/lab")).json().value("state", "") == "READY"; },
            60'000);
    }
    /// The service runs already.
    [[nodiscard]] bool open(const TestSshd* login = nullptr) { return open(m_service, login); }
    [[nodiscard]] bool open(ServiceFixture& service, const TestSshd* login = nullptr) const
    {
        return remote_test::put(service, QStringLiteral("lab"), {{"kind", "slurm"}, {"settings", settings(login)}})
            && isReady(service);
    }
    /// Waits until so many have, or more.
    [[nodiscard]] bool succeeded(const QString& experiment, qint64 count)
    {
        return QTest::qWaitFor([&] { return m_service.count(experiment, "SUCCEEDED") >= count; }, longMs);
    }
    /// A line for each job of this user.
    [[nodiscard]] QByteArray queue() const
    {
        return m_cluster.run({QStringLiteral("squeue"), QStringLiteral("-h"), QStringLiteral("--me")}).out;
    }
    /// Until it has so many lines. One question may be answered and the next fail, while the controller is busy: none is asked twice.
    [[nodiscard]] bool waitForQueue(int jobs, int patienceMs) const
    {
        return QTest::qWaitFor([&] { return queue().count('\n') == jobs; }, patienceMs);
    }
    /// Files below the shared folder.
    [[nodiscard]] QStringList files() const
    {
        QStringList all;
        for (QDirIterator it(shared(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();)
            all.append(it.next());
        return all;
    }
    void complain()
    {
        qWarning().noquote()
            << m_service.get(QStringLiteral("/api/v1/experiments")).body
            << m_cluster.run({QStringLiteral("squeue"), QStringLiteral("-S"), QStringLiteral("-T")})
                   .out.left(2'000) // those that run or complete first
            << m_cluster.run({QStringLiteral("scontrol"), QStringLiteral("show"), QStringLiteral("node")}).out
            << m_service.get(QStringLiteral("/api/v1/platforms/lab")).body << m_service.output().right(4'000)
            << m_cluster.log();
        const core::Json list = m_service.get(QStringLiteral("/api/v1/trials?limit=3")).json();
        for (const core::Json& trial : list.value("trials", core::Json::array()))
            qWarning().noquote()
                << QByteArray::fromStdString(trial.dump())
                << m_service.get(QStringLiteral("/api/v1/trials/%1/events").arg(trial.value("id", QString()))).body;
    }

private:
    QTemporaryDir m_folder;
    SlurmCluster m_cluster;
    CountingTrials m_trials{m_folder.filePath(QStringLiteral("traces"))};
    ServiceFixture m_service;
};
