// SPDX-License-Identifier: GPL-3.0-or-later
// Subjects of the conformance suite whose trials run on a real Kubernetes of one node.
#pragma once

#include "kubernetes_node.h"

#include "tests/services/platforms/job_subject.h"

#include "services/platforms/kubernetes/wire/kubernetes_platform.h"

namespace platform_test {

using namespace Qt::StringLiterals;

/// Gives a job that is not there up sooner than a cluster of many people would like.
class HastyKubernetes : public KubernetesPlatform
{
public:
    using KubernetesPlatform::KubernetesPlatform;

protected:
    [[nodiscard]] JobPatience patience() const override { return {.missingMs = 3'000}; }
};

class KubernetesSubject : public ClusterSubject
{
public:
    /// `kind`: of the platform; `resource`: of its trials' objects, as the node's command `count` takes it.
    KubernetesSubject(KubernetesNode& node, QString image, QString kind = u"kubernetes"_s, QString resource = u"jobs"_s)
        : ClusterSubject(u"lab"_s, u"s%1"_s.arg(++s_count)) // jobs of an earlier test are another service's
        , m_node(node)
        , m_image(std::move(image))
        , m_kind(std::move(kind))
        , m_resource(std::move(resource))
    {
    }
    ~KubernetesSubject() override { m_node.command({u"clear"_s, u"default"_s, u"trialdeck-service="_s + m_service}); }
    std::unique_ptr<platforms::Platform> make() override { return std::make_unique<HastyKubernetes>(m_kind); }
    Json settings() override
    {
        // The folder of the test is the node's, too.
        const QString pod =
            u"spec:\n  volumes: [{name: traces, hostPath: {path: %1}}]\n"
            "  containers: [{name: trial, volumeMounts: [{name: traces, mountPath: %1}]}]\n"_s.arg(m_dir.path());
        return {{"kubeconfig", m_node.kubeconfig().toStdString()}, {"image", m_image.toStdString()},
            {"podTemplate", pod.toStdString()}};
    }
    TrialSpec spec(const TrialId& trial, Job job) override
    {
        TrialSpec spec = ClusterSubject::spec(trial, job);
        spec.platformOptions = {{"trialCpuNumber", "0.1"}};
        return spec;
    }
    bool leftovers(const TrialId& trial) override
    {
        // A Framework goes after its pods, whose keepers linger.
        (void)QTest::qWaitFor([&] { return count(u"leaving"_s, m_resource, trial) == 0; }, 60'000);
        if (count(u"count"_s, m_resource, trial) > 0)
            return true;
        // The cluster's garbage collector removes the pods of a Job a moment behind it.
        return !QTest::qWaitFor([&] { return count(u"count"_s, u"pods"_s, trial) == 0; }, 60'000);
    }
    /// Its processes have other numbers in the pod, but this computer sees them: all but the keeper, which reports their end.
    bool lives(const TrialId& trial) override
    {
        const QByteArray mark = path(u"pid."_s + trial.value).toUtf8();
        const QStringList processes = QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs);
        return std::any_of(processes.begin(), processes.end(), [&mark](const QString& pid) {
            return contents(u"/proc/%1/cmdline"_s.arg(pid)).contains(mark)
                && contents(u"/proc/%1/comm"_s.arg(pid)).trimmed() != "trialkeeper-pod"
                && processLives(pid.toLongLong());
        });
    }

private:
    int count(const QString& command, const QString& resource, const TrialId& trial)
    {
        const QString labels = u"trialdeck-service=%1,trialdeck-trial=%2"_s.arg(m_service, trial.value);
        return m_node.command({command, resource, u"default"_s, labels}).toInt();
    }

    KubernetesNode& m_node;
    const QString m_image;
    const QString m_kind;
    const QString m_resource;
    inline static int s_count = 0;
};

/// On this node there can be tests; else they are skipped, where peers are not required.
#define START_NODE(node, ...)                                                                                          \
    do {                                                                                                               \
        if (!(node).start(__VA_ARGS__)) {                                                                              \
            QVERIFY2(!(node).missing().isEmpty(), qPrintable((node).error()));                                         \
            QVERIFY2(!qEnvironmentVariableIsSet("TRIALDECK_REQUIRE_PEERS"), qPrintable((node).missing()));             \
            QSKIP(qPrintable((node).missing()));                                                                       \
        }                                                                                                              \
    } while (false)

} // namespace platform_test
