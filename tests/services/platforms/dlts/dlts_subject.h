// SPDX-License-Identifier: GPL-3.0-or-later
// A platform of kind dlts on the stand-in, for the conformance suite and the tests of faults.
#pragma once

#include "tests/fakes/stand_in.h"
#include "tests/services/platforms/job_subject.h"

#include "services/platforms/dlts/dlts_job.h"
#include "services/platforms/dlts/wire/dlts_platform.h"

namespace platform_test {

/// Gives up earlier than a cluster of many people would like.
class HastyDlts : public DltsPlatform
{
public:
    using DltsPlatform::DltsPlatform;

protected:
    [[nodiscard]] JobPatience patience() const override
    {
        return {.wordMs = 20'000, .missingMs = 3'000, .lostMs = 30'000};
    }
};

/// With a server of its own, whose share has another path in containers than here.
class DltsSubject : public ClusterSubject
{
public:
    explicit DltsSubject(const QStringList& more = {})
        : ClusterSubject(u"d"_s)
    {
        QDir(m_dir.path()).mkdir(u"share"_s);
        QDir(m_dir.path()).mkdir(u"root"_s);
        const QStringList arguments{u"--root"_s, path(u"root"_s), u"--share"_s, u"work="_s + path(u"share"_s)};
        if (!server.start(u"dlts_server.py"_s, arguments + more, 2))
            qFatal("%s", qPrintable(server.error()));
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastyDlts>(); }
    Json settings() override
    {
        return {{"dashboard", server.url().toStdString()}, {"team", "platform"}, {"email", "u@x.com"},
            {"password", server.value(u"password"_s).toStdString()},
            {"localStorageMountPoint", path(u"share"_s).toStdString()},
            {"containerStorageMountPoint", path(u"root/work"_s).toStdString()}, {"dockerImage", "an/image:1"},
            {"pollInterval", 1}};
    }
    QString root() const { return path(u"share/trialdeck/s1"_s); }
    bool leftovers(const TrialId& trial) override
    {
        return QFileInfo::exists(root() + QStringLiteral("/trials/e1/") + trial.value);
    }
    /// Its id, for the stand-in.
    static QString job(const TrialId& trial) { return dlts::jobIdOf(u"s1"_s, trial); }

    fakes::StandIn server;
};

} // namespace platform_test
