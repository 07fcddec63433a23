// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of training services (training_service_conformance.h) stand on: a subject, and short words for what they do with it.
#pragma once

#include "services/core/json.h"
#include "services/training_service.h"

#include <QCoroTask>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

namespace training_service_test {

using namespace services;
using namespace Qt::StringLiterals;

class Subject
{
public:
    virtual ~Subject() = default;
    /// A service without trials, whose trials run this with bash. It is destroyed before the subject.
    virtual std::unique_ptr<TrainingService> make(const QString& command) = 0;
    /// How many trials it runs at once; 0: all.
    virtual int concurrency() = 0;
    /// Whether the reason of a trial that failed gains the last line of its log, some time after the end was seen.
    virtual bool quotesLogs() = 0;
    /// The folder whose contents tell whether anything of a trial is left.
    virtual QString trials() = 0;
};

inline QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A service in the hands of a test.
class ServiceTest : public QObject
{
    Q_OBJECT
public:
    virtual std::unique_ptr<Subject> makeSubject() = 0;

protected:
    [[nodiscard]] QString path(const QString& name) const { return m_dir->filePath(name); }
    void touch(const QString& name) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    [[nodiscard]] bool isThere(const QString& name) const { return QFileInfo::exists(path(name)); }
    /// `DIR` in the command is a folder of the test; `metric TEXT` reports as NNI's SDK does, `await NAME` waits for touch(NAME), `stays PATH` becomes
    /// a process that writes its number there and does not end.
    void serve(const QString& command)
    {
        const QString words =
            u"DIR='%1'\n"
            "metric() { local LC_ALL=C text=\"$1\"$'\\n'; printf 'ME%06d%s' ${#text} \"$text\" >> "
            "\"$NNI_SYS_DIR/.nni/metrics\"; }\n"
            "await() { while [ ! -e \"$DIR/$1\" ]; do sleep 0.02; done; }\n"
            "stays() { exec bash -c 'echo $$ > \"$0.new\" && mv \"$0.new\" \"$0\"; while :; do sleep 1; done' \"$1\"; }\n"_s;
        m_service = m_subject->make(words.arg(m_dir->path()) + command);
        QVERIFY(m_service);
    }
    [[nodiscard]] static TrialJobForm form(int number)
    {
        return {number,
            "{\"parameter_id\": " + QByteArray::number(number) + R"(, "parameters": {"x": 1}, "parameter_index": 0})",
            0, {}};
    }
    /// Its id, empty when it was refused.
    QString submit(const TrialJobForm& form)
    {
        const auto trial = QCoro::waitFor(m_service->submitTrialJob(form));
        if (!trial)
            qWarning().noquote() << trial.error().message.text();
        return trial ? (*trial)->jobId() : QString();
    }
    TrialPtr trial(const QString& id)
    {
        const auto trial = QCoro::waitFor(m_service->getTrialJob(id));
        return trial ? *trial : std::make_shared<Trial>();
    }
    TrialStatus status(const QString& id) { return trial(id)->status; }
    bool ended(const QString& id) { return isFinal(status(id)); }
    Result<> cancel(const QString& id, bool isEarlyStopped = false)
    {
        return QCoro::waitFor(m_service->cancelTrialJob(id, isEarlyStopped));
    }
    /// What a listener that is added now hears. It may hear of trials until the service ends.
    std::shared_ptr<QList<TrialJobMetric>> hear(int* number = nullptr)
    {
        const auto heard = std::make_shared<QList<TrialJobMetric>>();
        const int added =
            m_service->addTrialJobMetricListener([heard](const TrialJobMetric& metric) { heard->append(metric); });
        if (number)
            *number = added;
        return heard;
    }
    QStringList listed()
    {
        QStringList ids;
        const auto trials = QCoro::waitFor(m_service->listTrialJobs());
        if (trials)
            for (const TrialPtr& trial : *trials)
                ids.append(trial->jobId());
        return ids;
    }
    /// The process whose number was written there by `stays`.
    [[nodiscard]] bool lives(const QString& name) const
    {
        const pid_t pid = contents(path(name)).trimmed().toInt();
        const QByteArray stat = contents(u"/proc/%1/stat"_s.arg(pid));
        return pid > 0 && !stat.isEmpty() && !stat.contains(") Z "); // a zombie is dead
    }
    /// What `stays` has started and a broken service has left.
    void endWhatStays() const
    {
        for (const QString& name : QDir(m_dir->path()).entryList(QDir::Files)) {
            const pid_t pid = contents(path(name)).trimmed().toInt();
            if (pid > 1 && contents(u"/proc/%1/cmdline"_s.arg(pid)).contains(path(name).toUtf8()))
                ::kill(pid, SIGKILL);
        }
    }
    /// Fills up what runs at once, so that the next trial waits.
    void fillUp()
    {
        for (int i = 0; i < m_subject->concurrency(); ++i) {
            const QString id = submit(form(1'000 + i));
            QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::running, patience);
        }
    }

    static constexpr int patience = 30'000; ///< milliseconds
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Subject> m_subject;
    std::unique_ptr<TrainingService> m_service;
};

} // namespace training_service_test
