// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "platform_conformance.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <csignal>

namespace platform_test {

using namespace Qt::StringLiterals;

inline QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

inline bool processLives(qint64 pid)
{
    // A zombie counts as dead.
    const QByteArray stat = contents(u"/proc/%1/stat"_s.arg(pid));
    return pid > 0 && !stat.isEmpty() && !stat.contains(") Z ");
}

/// Sends SIGKILL to the processes whose command line contains this. False: there was none.
inline bool killProcessesNaming(const QByteArray& folder)
{
    bool isThere = false;
    for (const QString& pid : QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs)) {
        if (!contents(u"/proc/%1/cmdline"_s.arg(pid)).contains(folder))
            continue;
        isThere = true;
        ::kill(pid_t(pid.toInt()), SIGKILL);
    }
    return isThere;
}

/// Trials that are processes of this computer, whatever starts them, and leave their traces in a folder of the test.
class JobSubject : public Subject
{
public:
    JobSubject()
    {
        if (!m_dir.isValid())
            qFatal("no temporary folder");
        for (const Stream stream : {Stream::nni, Stream::file, Stream::stdout_lines})
            writeFile(path(u"stream%1"_s.arg(int(stream))), expectedStream(stream));
    }
    ~JobSubject() override
    {
        // Nothing that a test started stays behind, whatever went wrong; nor what begins only when its test is over.
        if (!QTest::qWaitFor([this] { return !killProcessesNaming(m_dir.path().toUtf8()); }, 10'000))
            qWarning("processes of %s stay", qPrintable(m_dir.path()));
    }
    QString path(const QString& name) const { return m_dir.filePath(name); }
    TrialSpec command(const TrialId& trial, const QString& command)
    {
        TrialSpec spec;
        spec.id = trial;
        spec.jobId = trial.value;
        spec.experimentId = ExperimentId(u"e1"_s);
        spec.command = u"echo $$ > '%1/pid.%2'; echo x >> '%1/starts.%2'; %3"_s.arg(m_dir.path(), trial.value, command);
        spec.parameterCfg =
            R"({"parameter_id": 0, "parameter_source": "algorithm", "parameters": {}, "parameter_index": 0})";
        spec.parameters = "{}";
        spec.stdoutWatch = StdoutWatch::all;
        spec.environment = {{u"DIR"_s, m_dir.path()}};
        return spec;
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        const QString wait = u"while [ ! -e '%1/release.%2' ]; do sleep 0.2; done"_s.arg(m_dir.path(), trial.value);
        switch (job) {
        case Job::quick:
            return command(trial, u"true"_s);
        case Job::failing:
            return command(trial, u"exit 3"_s);
        case Job::waits:
            return command(trial, u"echo begin; %1; echo end"_s.arg(wait));
        case Job::ignores: {
            TrialSpec spec = command(trial, u"trap '' TERM INT; echo begin; %1"_s.arg(wait));
            spec.graceMs = 300;
            return spec;
        }
        case Job::streams:
            return command(trial,
                u"mkdir -p \"$NNI_SYS_DIR/.nni\"; cat $DIR/stream0 >> \"$NNI_SYS_DIR/.nni/metrics\"; "
                "cat $DIR/stream1 >> \"$TRIALDECK_METRICS_FILE\"; cat $DIR/stream2"_s);
        case Job::files:
            return command(trial,
                u"cd \"$TRIALDECK_OUTPUT_DIR\"; printf alpha > a.txt; mkdir deep; head -c 200000 /dev/zero > "
                u"deep/b.bin; "
                "echo log > trial.log"_s);
        }
        Q_UNREACHABLE();
    }
    void release(const TrialId& trial) override { writeFile(path(u"release."_s + trial.value), {}); }
    int starts(const TrialId& trial) override { return int(contents(path(u"starts."_s + trial.value)).count('x')); }
    bool lives(const TrialId& trial) override
    {
        return processLives(contents(path(u"pid."_s + trial.value)).trimmed().toLongLong());
    }

protected:
    QTemporaryDir m_dir;
    SystemClock m_clock;
};

/// On a platform of a cluster.
class ClusterSubject : public JobSubject
{
public:
    explicit ClusterSubject(const QString& platform, const QString& service = u"s1"_s)
        : m_service(service)
        , m_platform(platform)
    {
    }
    Context context(Sink* sink) override
    {
        Context context;
        context.id = PlatformId(m_platform);
        context.sink = sink;
        context.clock = &m_clock;
        context.dataDir = m_dir.path();
        context.serviceId = m_service;
        context.keeperPath = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper");
        return context;
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        TrialSpec spec = JobSubject::spec(trial, job);
        spec.graceMs = std::max(spec.graceMs, 1'000); // of whole seconds
        return spec;
    }

protected:
    const QString m_service;

private:
    const QString m_platform;
};

} // namespace platform_test
