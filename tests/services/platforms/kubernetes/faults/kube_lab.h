// SPDX-License-Identifier: GPL-3.0-or-later
// Services with a platform of Kubernetes each, over one cluster of the test, and the time of one clock.
#pragma once

#include "tests/fakes/paced_time.h"
#include "tests/services/platforms/kubernetes/fake_kubernetes.h"
#include "tests/services/platforms/recording_sink.h"
#include "tests/services/transport/http/client_setup.h"

#include "services/platforms/kubernetes/wire/kubernetes_platform.h"
#include "services/wire/pod_frame.h"

#include <QTemporaryDir>

namespace kube_lab {

using namespace platform_test;

inline constexpr qint64 minuteMs = 60'000;

/// A cluster, files, and a clock that stands still.
class KubeLab
{
public:
    explicit KubeLab(std::optional<QSslConfiguration> tls = {});

    /// fakes::spin().
    [[nodiscard]] bool spin(const std::function<bool()>& until, qint64 stepMs = 10)
    {
        return fakes::spin(clock, until, stepMs);
    }
    /// So much time passes, and what it brings about is done.
    void pass(qint64 ms);
    template <typename T>
    T wait(Task<T> task)
    {
        const Pending<T> pending(std::move(task));
        if (!spin([&] { return pending.isDone(); }))
            qFatal("a task does not end");
        return std::move(pending.value());
    }
    [[nodiscard]] QString path(const QString& name) const { return folder.filePath(name); }
    QString write(const QString& name, const QByteArray& bytes, bool isProgram = false) const;
    /// Of the cluster, with these members of `cluster` beside the server, and of `user`.
    QString kubeconfig(const QByteArray& more = {}, const QByteArray& user = {}) const;

    QTemporaryDir folder;
    fakes::FakeClock clock;
    fakes::FakeKubernetes cluster;
};

class OpenKubernetes : public KubernetesPlatform
{
public:
    using ClusterPlatform::wire;
    using KubernetesPlatform::KubernetesPlatform;
};

/// A service, which is closed at its end. Its trials are of the experiment e1.
class KubeService
{
public:
    explicit KubeService(
        KubeLab& lab, const QString& id = QStringLiteral("s1"), const QString& kind = QStringLiteral("kubernetes"));
    ~KubeService();

    /// `more`: settings beside kubeconfig and image.
    [[nodiscard]] Result<> open(const Json& more = Json::object());
    void close();
    [[nodiscard]] TrialSpec spec(const QString& trial) const;
    SubmitOutcome submit(const QString& trial) { return submit(spec(trial)); }
    SubmitOutcome submit(const TrialSpec& spec);
    QList<SubmitOutcome> submit(const QStringList& trials);
    [[nodiscard]] TrialRef ref(const QString& trial) const;
    Result<> cancel(const QString& trial);
    Result<> remove(const QStringList& trials);
    [[nodiscard]] QString job(const QString& trial) const;

    /// It is handed over, and its pod runs.
    [[nodiscard]] bool start(const QString& trial);
    [[nodiscard]] bool becomes(const QString& trial, TrialStatus status, qint64 stepMs = 10);
    /// What was reported: "RUNNING SUCCEEDED".
    [[nodiscard]] QString course(const QString& trial) const;
    [[nodiscard]] const RecordingSink::TrialFacts& of(const QString& trial) { return sink.of(TrialId(trial)); }
    /// The last observation. Precondition: there is one.
    [[nodiscard]] Observation last(const QString& trial) { return of(trial).observations.last(); }

    RecordingSink sink;
    std::unique_ptr<OpenKubernetes> platform;

private:
    KubeLab& m_lab;
    const QString m_id;
    const QString m_kind;
    bool m_isOpen = false;
};

/// What the keeper of one run of a trial writes to its log.
class KeeperLog
{
public:
    explicit KeeperLog(const QString& trial, const QByteArray& run = "7f");

    [[nodiscard]] QByteArray running(qint64 time);
    /// A line of standard output, or of the metrics' file.
    [[nodiscard]] QByteArray prints(const QByteArray& line)
    {
        return bytes(trialkeeper::PodStream::standardOutput, line);
    }
    [[nodiscard]] QByteArray reports(const QByteArray& line) { return bytes(trialkeeper::PodStream::file, line); }
    [[nodiscard]] QByteArray exits(int code, qint64 time, qint64 wallMs = 1'000);
    /// All that was reported, or printed.
    [[nodiscard]] const QByteArray& reported() const { return m_written[size_t(trialkeeper::PodStream::file)]; }
    [[nodiscard]] const QByteArray& printed() const
    {
        return m_written[size_t(trialkeeper::PodStream::standardOutput)];
    }

private:
    QByteArray bytes(trialkeeper::PodStream stream, const QByteArray& line);

    trialkeeper::PodFrameWriter m_writer;
    std::array<QByteArray, trialkeeper::podByteStreams> m_written;
    std::uint64_t m_events = 0; ///< bytes
};

} // namespace kube_lab
