// SPDX-License-Identifier: GPL-3.0-or-later
// One trial as processes of this computer, for processes_training_service.h: started, followed, ended with all that it started.
#pragma once

#include "services/core/json.h"
#include "services/core/records.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QProcess>

#include <csignal>

namespace services {

using namespace core;
using namespace Qt::StringLiterals;

/// What the command starts is known by NNI_SYS_DIR in its environment: one that clears its environment escapes.
class ProcessTrial
{
public:
    /// Waits. Its workingDirectory is NNI_SYS_DIR and NNI_OUTPUT_DIR.
    explicit ProcessTrial(const Trial& submitted)
        : m_record(submitted)
    {
    }
    ~ProcessTrial()
    {
        while (signalled(SIGKILL))
            m_process.waitForFinished(10);
    }
    const Trial& record() const { return m_record; }

    /// By NNI's trial_config.
    void start(const Json& config)
    {
        const QString folder = m_record.workingDirectory;
        const QString code = QString::fromStdString(config.value("codeDir", folder.toStdString()));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"NNI_PLATFORM"_s, u"local"_s);
        environment.insert(u"NNI_EXP_ID"_s, m_record.experimentId.value);
        environment.insert(u"NNI_TRIAL_JOB_ID"_s, m_record.jobId());
        environment.insert(u"NNI_TRIAL_SEQ_ID"_s, QString::number(m_record.formSequenceId));
        environment.insert(u"NNI_SYS_DIR"_s, folder);
        environment.insert(u"NNI_OUTPUT_DIR"_s, folder);
        environment.insert(u"NNI_CODE_DIR"_s, code);
        environment.insert(u"MULTI_PHASE"_s, u"false"_s);
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(code);
        m_process.setStandardOutputFile(folder + u"/stdout"_s);
        m_process.setStandardErrorFile(folder + u"/stderr"_s);
        m_process.start(u"bash"_s, {u"-c"_s, QString::fromStdString(config.value("command", std::string()))});
        if (!m_process.waitForStarted())
            return end();
        m_record.status = TrialStatus::running;
        m_record.startTime = QDateTime::currentMSecsSinceEpoch();
        m_record.reason = {};
    }
    void cancel(CancelIntent intent)
    {
        const bool isWaiting = m_record.status == TrialStatus::waiting;
        if (!m_record.cancelIntent && (isWaiting || isRunning()))
            m_record.cancelIntent = intent; // the first stands
        if (isWaiting)
            end();
    }
    /// Whether anything of it lives.
    bool lives() const { return signalled(0); }
    /// One that lives and should not: SIGTERM, and SIGKILL in calls 5 seconds later.
    void goOn()
    {
        if (m_patience.hasExpired())
            signalled(SIGKILL);
        else if ((m_record.cancelIntent || !isRunning()) && m_patience.isForever() && signalled(SIGTERM))
            m_patience.setRemainingTime(5'000);
    }
    /// One that does not live.
    void end()
    {
        m_record.endTime = QDateTime::currentMSecsSinceEpoch();
        if (m_record.cancelIntent) {
            m_record.status = cancelledStatus(*m_record.cancelIntent);
        } else {
            if (m_process.error() == QProcess::UnknownError) // neither killed nor impossible to start
                m_record.exitCode = m_process.exitCode();
            m_record.status = m_record.exitCode == 0 ? TrialStatus::succeeded : TrialStatus::failed;
            if (m_record.status == TrialStatus::failed)
                m_record.reason =
                    m_record.exitCode ? u"exit code %1"_s.arg(*m_record.exitCode) : m_process.errorString();
        }
    }
    /// What NNI's SDK wrote since the last call. A record is ME, six digits that count the bytes that follow, and a line of JSON.
    QByteArrayList newMetrics()
    {
        QByteArrayList metrics;
        QFile file(m_record.workingDirectory + u"/.nni/metrics"_s);
        if (!file.open(QIODevice::ReadOnly) || !file.seek(m_told))
            return metrics;
        for (QByteArray line = file.readLine(); line.endsWith('\n'); line = file.readLine()) {
            m_told += line.size();
            if (line.startsWith("ME") && line.mid(2, 6).toInt() == line.size() - 8) // else: killed while it wrote
                metrics.append(line.sliced(8).trimmed());
        }
        return metrics;
    }

private:
    /// The command, not what it left behind.
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    /// Every process of the trial gets the signal (0: none); false when there is none.
    bool signalled(int signal) const
    {
        bool found = isRunning();
        const QByteArray mark = '\0' + ("NNI_SYS_DIR=" + QFile::encodeName(m_record.workingDirectory)) + '\0';
        for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
            QFile environment(u"/proc/%1/environ"_s.arg(name));
            if (name.toInt() > 0 && environment.open(QIODevice::ReadOnly)
                && ('\0' + environment.readAll()).contains(mark))
                found = ::kill(name.toInt(), signal) == 0 || found;
        }
        return found;
    }

    Trial m_record;
    QProcess m_process;
    qint64 m_told = 0; ///< bytes of .nni/metrics
    QDeadlineTimer m_patience{QDeadlineTimer::Forever};
};

} // namespace services
