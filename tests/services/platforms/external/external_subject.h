// SPDX-License-Identifier: GPL-3.0-or-later
// A platform of kind external.NAME, for the conformance suite and the tests of faults.
#pragma once

#include "tests/services/platforms/job_subject.h"

#include "services/platforms/external/wire/external_platform.h"

#include <QProcess>

namespace platform_test {

/// Gives up earlier than a queue of many people would like.
class HastyExternal : public ExternalPlatform
{
public:
    HastyExternal(const external::ProgramFile& program, qint64 callMs)
        : ExternalPlatform(program)
        , m_callMs(callMs)
    {
    }

protected:
    [[nodiscard]] JobPatience patience() const override
    {
        return {.wordMs = 20'000, .missingMs = 3'000, .lostMs = 30'000};
    }
    [[nodiscard]] qint64 callTimeoutMs() const override { return m_callMs; }

private:
    const qint64 m_callMs;
};

/// Trials through a program.
class ExternalSubject : public ClusterSubject
{
public:
    /// What the program says of itself is asked of it.
    explicit ExternalSubject(const QStringList& command)
        : ClusterSubject(u"own"_s)
    {
        QProcess process;
        process.start(command.first(), command.mid(1));
        process.write("{\"id\": 1, \"call\": \"describe\"}\n");
        process.closeWriteChannel();
        if (!process.waitForFinished(60'000))
            qFatal("%s does not end", qPrintable(command.last()));
        const QByteArray answer = process.readAllStandardOutput().trimmed().split('\n').last();
        program = {u"test"_s, command, parseJson(answer).value_or(Json()), {}};
        const Result<external::ProgramDescription> description = external::readDescription(program.described);
        if (!description)
            qFatal("%s", qPrintable(description.error().message));
        program.description = *description;
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastyExternal>(program, callMs); }
    Json settings() override { return {{"pollInterval", 1}, {"maxJobs", 0}}; }
    QString root() const { return path(u"platforms/own/trialdeck/s1"_s); }
    bool leftovers(const TrialId& trial) override
    {
        return QFileInfo::exists(root() + QStringLiteral("/trials/e1/") + trial.value);
    }

    external::ProgramFile program;
    qint64 callMs = 60'000; ///< for a call, but `open`, of platforms that are made from now on
};

} // namespace platform_test
