// SPDX-License-Identifier: GPL-3.0-or-later
// A platform of kind openpai on the stand-in, for the conformance suite and the tests of faults.
#pragma once

#include "tests/fakes/stand_in.h"
#include "tests/services/platforms/job_subject.h"

#include "services/platforms/openpai/wire/openpai_platform.h"

namespace platform_test {

/// Gives up earlier than a cluster of many people would like.
class HastyOpenPai : public OpenPaiPlatform
{
public:
    using OpenPaiPlatform::OpenPaiPlatform;

protected:
    [[nodiscard]] JobPatience patience() const override
    {
        return {.wordMs = 20'000, .missingMs = 3'000, .lostMs = 30'000};
    }
};

/// With a server of its own, whose storage has another path in containers than here.
class OpenPaiSubject : public ClusterSubject
{
public:
    explicit OpenPaiSubject(const QStringList& more = {})
        : ClusterSubject(u"pai"_s)
    {
        QDir(m_dir.path()).mkdir(u"storage"_s);
        const QStringList arguments{u"--root"_s, m_dir.path(), u"--storage"_s, u"confignfs="_s + path(u"storage"_s)};
        if (!server.start(u"openpai_server.py"_s, arguments + more, 2))
            qFatal("%s", qPrintable(server.error()));
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastyOpenPai>(); }
    Json settings() override
    {
        return {{"host", server.url().toStdString()}, {"username", "u"},
            {"token", server.value(u"token"_s).toStdString()}, {"storageConfigName", "confignfs"},
            {"localStorageMountPoint", path(u"storage"_s).toStdString()},
            {"containerStorageMountPoint", path(u"mnt"_s).toStdString()}, {"dockerImage", "an/image:1"},
            {"pollInterval", 1}};
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        TrialSpec spec = ClusterSubject::spec(trial, job);
        spec.platformOptions = {{"trialMemorySize", "20 MB"}};
        return spec;
    }
    QString root() const { return path(u"storage/trialdeck/s1"_s); }
    bool leftovers(const TrialId& trial) override
    {
        return QFileInfo::exists(root() + QStringLiteral("/trials/e1/") + trial.value);
    }
    /// USER~NAME.
    static QString job(const TrialId& trial) { return u"u~td-s1-"_s + trial.value; }

    fakes::StandIn server;
};

} // namespace platform_test
