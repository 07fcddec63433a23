// SPDX-License-Identifier: GPL-3.0-or-later
// A real Slurm of one node, for the current user, without root's help: munged, slurmctld and slurmd of Debian's packages in a temporary folder, on
// ports of their own, with two made-up GPUs and no accounting. Several of them run side by side.
#pragma once

#include "held_port.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

class SlurmCluster
{
public:
    /// `options`: lines of slurm.conf behind ours, for example "SchedulerParameters=…" or a partition more. `cpus`: of the node, also where
    /// this computer has fewer.
    explicit SlurmCluster(QByteArray options = {}, int cpus = 2);
    /// Before start(): with slurmrestd, for tokens of auth/jwt, on plain HTTP.
    void wantRest() { m_wantsRest = true; }
    /// Before start(): how long daemons and commands wait for each other. More is right where nothing is down and the computer is busy: a node
    /// that is late to begin a job has it put back into the queue for two minutes.
    void setMessageTimeout(int seconds) { m_messageTimeout = seconds; }
    ~SlurmCluster(); ///< ends its jobs and its daemons; they also end when this process dies

    /// Why it cannot run here: the packages that are missing. Empty: it can.
    [[nodiscard]] static QString missing();
    [[nodiscard]] static QString missingRest();
    /// Starts all and waits until the node is idle; false: error() says why.
    [[nodiscard]] bool start();
    [[nodiscard]] QString error() const { return m_error; }

    /// For commands of Slurm.
    [[nodiscard]] QMap<QString, QString> environment() const;
    [[nodiscard]] QString conf() const { return path(QStringLiteral("slurm.conf")); }
    [[nodiscard]] QString folder() const { return m_folder.path(); } ///< with room for a shared folder of the test
    [[nodiscard]] QString nodeName() const { return m_node; }
    [[nodiscard]] QByteArray log() const; ///< the ends of the daemons' logs

    struct Output
    {
        int exitCode = -1;
        int signal = 0;
        QByteArray out;
        QByteArray err;
    };
    /// Runs a command to its end, at most a minute.
    [[nodiscard]] Output run(const QStringList& words, const QByteArray& input = {}) const;

    [[nodiscard]] bool hasRest() const { return m_wantsRest; }
    // Where it was wanted.
    [[nodiscard]] QString restUrl() const;
    [[nodiscard]] QByteArray restToken(int seconds = 1'800) const; ///< of this user, good for so long
    void stopRest();
    [[nodiscard]] bool startRest();

    /// In order: one that is killed forgets what it was given in the last seconds, also jobs that run.
    void stopController();
    [[nodiscard]] bool startController();
    /// `reason` as an administrator writes it.
    [[nodiscard]] bool drain(const QString& reason);
    [[nodiscard]] bool resume();
    /// Lets a job run that was just put back into its queue, where Slurm keeps one for two minutes. Not at once: slurmd refuses
    /// credentials that were made in the second in which it killed the job, or before, and the job fails with exit code 1.
    [[nodiscard]] bool startRequeued(const QString& job);
    /// Waits until the node is in one of these states of `sinfo -o %T`.
    [[nodiscard]] bool waitForNode(const QStringList& states, int ms = 90'000);

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] bool writeSettings();
    using Variables = QMap<QString, QString>;
    [[nodiscard]] bool launch(
        std::unique_ptr<QProcess>& process, const QStringList& words, const Variables& variables = {});
    [[nodiscard]] bool fail(const QString& why);

    QTemporaryDir m_folder;
    QByteArray m_options;
    int m_cpus;
    QString m_node;
    QString m_error;
    HeldPort m_controllerPort; ///< also while the controller is stopped
    HeldPort m_nodePort;
    HeldPort m_restPort;
    bool m_wantsRest = false;
    int m_messageTimeout = 5; // seconds
    std::unique_ptr<QProcess> m_munged, m_controller, m_daemon, m_rest;
    std::unique_ptr<QProcess> m_cleaner; ///< ends what the daemons leave, also after a crash of this process
};
