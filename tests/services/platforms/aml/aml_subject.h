// SPDX-License-Identifier: GPL-3.0-or-later
// A platform of kind aml on the stand-in, for the conformance suite and the tests of faults.
#pragma once

#include "tests/fakes/stand_in.h"
#include "tests/services/platforms/job_subject.h"

#include "services/platforms/aml/wire/aml_platform.h"

namespace platform_test {

/// Gives up earlier than Azure would like.
class HastyAml : public AmlPlatform
{
public:
    using AmlPlatform::AmlPlatform;

protected:
    [[nodiscard]] JobPatience patience() const override
    {
        return {.wordMs = 20'000, .missingMs = 3'000, .lostMs = 30'000};
    }
};

enum class Line {
    plain,
    tls,
};

/// With a server of its own: Entra ID, Resource Manager, the region and Blob storage on one address.
class AmlSubject : public ClusterSubject
{
public:
    explicit AmlSubject(Line line = Line::plain)
        : ClusterSubject(u"az"_s)
    {
        constexpr int given = 10; // lines, and of which authority it is where the line is not plain
        QStringList arguments{u"--compute"_s, u"gpu=100"_s, u"--compute"_s, u"cpu=2"_s};
        if (line == Line::plain)
            arguments.append(u"--plain"_s);
        if (!server.start(u"azure_server.py"_s, arguments, line == Line::plain ? given : given + 1))
            qFatal("%s", qPrintable(server.error()));
    }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastyAml>(); }
    Json settings() override
    {
        return {{"auth", "serviceprincipal"}, {"tenantId", said("tenant")}, {"clientId", said("client")},
            {"clientSecret", said("secret")}, {"armEndpoint", said("url")}, {"loginEndpoint", said("url")},
            {"caFile", said("ca")}, {"subscriptionId", said("subscription")}, {"resourceGroup", said("group")},
            {"workspaceName", said("workspace")}, {"computeTarget", "gpu"}, {"dockerImage", "an/image:1"},
            {"pollInterval", 1}};
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        TrialSpec spec = ClusterSubject::spec(trial, job);
        spec.platformOptions = Json::object();
        return spec;
    }
    bool leftovers(const TrialId& trial) override
    {
        const Json jobs = server.get(u"jobs"_s);
        for (const Json& one : jobs)
            if (one.is_object() && one.value("id", std::string()) == job(trial).toStdString())
                return true;
        return false;
    }
    static QString job(const TrialId& trial) { return u"td-s1-"_s + trial.value; }

    fakes::StandIn server;

private:
    [[nodiscard]] std::string said(const char* name) const
    {
        return server.value(QString::fromLatin1(name)).toStdString();
    }
};

} // namespace platform_test
