// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/services/platforms/job_subject.h"

namespace platform_test {

/// Trials on machines with an agent whose folders the test sees: `own` is where the agent keeps those of the one machine.
class HostSubject : public JobSubject
{
public:
    HostSubject()
    {
        // A name of its own, which a test can take away.
        QFile::link(QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper"), keeperPath());
    }
    ~HostSubject() override
    {
        // Keepers end after their trials; after that nothing is written here.
        const QDir trials(own() + u"trials"_s);
        for (const QString& trial : trials.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            if (!QTest::qWaitFor([&] { return !processLives(keeperPid(TrialId(trial))); }, 10'000))
                qWarning("a keeper of %s stayed", qPrintable(trial));
        }
    }
    QString keeperPath() const { return path(u"trialkeeper"_s); }
    QString own() const { return m_own; }
    void setOwn(const QString& folder) { m_own = folder; }
    QString folder(const TrialId& trial) const { return own() + u"trials/"_s + trial.value; }
    qint64 agentPid() const { return contents(own() + u"agent"_s).split(' ').value(0).toLongLong(); }
    qint64 keeperPid(const TrialId& trial) const
    {
        return contents(folder(trial) + u"/lock"_s).split(' ').value(0).toLongLong();
    }

    Context context(Sink* sink) override
    {
        Context context;
        context.id = PlatformId(m_id);
        context.sink = sink;
        context.clock = &m_clock;
        context.dataDir = m_dir.path();
        context.serviceId = u"svc"_s;
        context.keeperPath = keeperPath();
        return context;
    }
    bool leftovers(const TrialId& trial) override { return QFileInfo::exists(folder(trial)); }

protected:
    QString m_own;
    QString m_id = u"local"_s;
};

} // namespace platform_test
