// SPDX-License-Identifier: GPL-3.0-or-later
// Trials as Frameworks, whose controller deletes their pods as soon as they have ended, with the logs: what is known of them then, and the
// logs of their other roles.
#include "kube_lab.h"

#include <QDateTime>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using namespace kube_lab;

class TestKubernetesFrameworks : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void podsAreGoneBeforeTheyWereSeen();
    void logsOfOtherRoles();
    void otherRolesBeginLater();
    void otherRolesEndLater();

private:
    [[nodiscard]] std::string time() const
    {
        return QDateTime::fromMSecsSinceEpoch(m_lab->clock.nowMs(), Qt::UTC).toString(Qt::ISODate).toStdString();
    }
    [[nodiscard]] QString framework() const { return m_lab->cluster.of("frameworks").names().value(0); }
    /// The pod of a task, whose container runs. Its name.
    QString runTask(const QString& role);
    /// The controller has deleted its pod, and says how it ended.
    [[nodiscard]] Json taskStatus(const char* role, const QByteArray& termination) const;
    void complete(const Json& roles);
    [[nodiscard]] QByteArray logOf(const QString& name);

    std::unique_ptr<KubeLab> m_lab;
    std::unique_ptr<KubeService> m_service;
    std::unique_ptr<KeeperLog> m_log;
};

void TestKubernetesFrameworks::init()
{
    m_service.reset();
    m_lab = std::make_unique<KubeLab>();
    m_service = std::make_unique<KubeService>(*m_lab, u"s1"_s, u"frameworkcontroller"_s);
    m_log = std::make_unique<KeeperLog>(u"t1"_s);
    m_lab->cluster.of("frameworks").selects();
    m_lab->cluster.of("/apis").refuse("list", 200,
        R"({"groups":[{"name":"frameworkcontroller.microsoft.com","versions":[{"groupVersion":"frameworkcontroller.microsoft.com/v1","version":"v1"}]}]})");
    m_lab->cluster.of("/apis/frameworkcontroller.microsoft.com/v1")
        .refuse("list", 200, R"({"resources":[{"name":"frameworks","kind":"Framework","namespaced":true}]})");
    const Result<> opened = m_service->open();
    QVERIFY2(opened, qPrintable(opened ? QString() : opened.error().message.text()));
}

void TestKubernetesFrameworks::cleanup()
{
    m_service.reset();
    m_lab.reset();
}

QString TestKubernetesFrameworks::runTask(const QString& role)
{
    const QString name = u"%1-%2-0"_s.arg(framework(), role);
    Json labels = m_lab->cluster.of("frameworks").at(framework())["metadata"]["labels"];
    labels["FC_FRAMEWORK_NAME"] = framework();
    labels["FC_TASKROLE_NAME"] = role;
    labels["FC_TASK_INDEX"] = "0";
    m_lab->cluster.pods().put(name,
        {{"metadata", {{"labels", labels}, {"creationTimestamp", time()}}},
            {"spec", {{"nodeName", "n1"}, {"containers", Json::array({{{"name", "framework"}}})}}},
            {"status",
                {{"phase", "Running"}, {"startTime", time()},
                    {"containerStatuses",
                        Json::array({{{"name", "framework"}, {"state", {{"running", {{"startedAt", time()}}}}}}})}}}});
    return name;
}

Json TestKubernetesFrameworks::taskStatus(const char* role, const QByteArray& termination) const
{
    const Json ended = {{"code", 0}, {"phrase", "Succeeded"}, {"type", {{"name", "Succeeded"}}},
        {"pod",
            {{"containers",
                Json::array({{{"name", "framework"}, {"code", 0}, {"message", termination.toStdString()}}})}}}};
    const Json attempt = {{"podName", framework() + u'-' + QString::fromLatin1(role) + u"-0"_s}, {"podUID", "gone"},
        {"startTime", time()}, {"completionTime", time()}, {"completionStatus", ended}};
    return {{"name", role},
        {"taskStatuses", Json::array({{{"index", 0}, {"state", "Completed"}, {"attemptStatus", attempt}}})}};
}

void TestKubernetesFrameworks::complete(const Json& roles)
{
    const Json ended = {{"code", 0}, {"phrase", "Succeeded"}, {"type", {{"name", "Succeeded"}}}};
    m_lab->cluster.of("frameworks")
        .change(framework(),
            {{"status",
                {{"state", "Completed"}, {"startTime", time()}, {"completionTime", time()},
                    {"attemptStatus", {{"completionStatus", ended}, {"taskRoleStatuses", roles}}}}}});
}

QByteArray TestKubernetesFrameworks::logOf(const QString& name)
{
    const Result<Bytes> read = m_lab->wait(m_service->platform->readLog(m_service->ref(u"t1"_s), name, {}));
    return read ? read->bytes : "error: " + read.error().message.text().toUtf8();
}

/// The service was away meanwhile, or the task was too short: its last words say the result and how it ended, and nothing else is waited for.
void TestKubernetesFrameworks::podsAreGoneBeforeTheyWereSeen()
{
    QVERIFY(!m_service->submit(u"t1"_s).handle.isEmpty());
    const QByteArray last = m_log->reports(R"({"type":"FINAL","metric":0.5})") + m_log->exits(0, m_lab->clock.nowMs());
    const qint64 began = m_lab->clock.steadyMs();
    complete(Json::array({taskStatus("worker", last)}));
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    const qint64 took = m_lab->clock.steadyMs() - began;
    QVERIFY2(took < 15'000, qPrintable(QString::number(took)));
    QCOMPARE(m_service->of(u"t1"_s).stream(Stream::file), m_log->reported());
    QCOMPARE(m_service->last(u"t1"_s).exitCode, 0);
}

static TrialSpec twoRoles(TrialSpec spec)
{
    spec.platformOptions = {{"roles", "- {name: chief, command: lead}\n- {name: helper, command: help}"}};
    return spec;
}

/// They can be read by name while they run, after the trial's end, and when their pods are gone.
void TestKubernetesFrameworks::logsOfOtherRoles()
{
    QVERIFY(!m_service->submit(twoRoles(m_service->spec(u"t1"_s))).handle.isEmpty());
    const QString chief = runTask(u"chief"_s);
    const QString helper = runTask(u"helper"_s);
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::running));
    KeeperLog helperLog(u"t1"_s, "8e");
    m_lab->cluster.say(chief, m_log->running(m_lab->clock.nowMs()) + m_log->prints("leads"));
    m_lab->cluster.say(
        helper, helperLog.running(m_lab->clock.nowMs()) + helperLog.prints("helps") + helperLog.reports("9"));
    QVERIFY(m_lab->spin([&] { return logOf(u"helper-0"_s) == "helps\n" && logOf(u"stdout"_s) == "leads\n"; }));
    const QStringList names{u"stdout"_s, u"stderr"_s, u"helper-0"_s};
    QCOMPARE(*m_lab->wait(m_service->platform->logNames(m_service->ref(u"t1"_s))), names);
    m_lab->cluster.say(chief, m_log->exits(0, m_lab->clock.nowMs()));
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    m_lab->cluster.say(helper, helperLog.prints("was asked to end") + helperLog.exits(143, m_lab->clock.nowMs()));
    QVERIFY(m_lab->spin([&] { return logOf(u"helper-0"_s) == helperLog.printed(); }));
    complete(Json::array({taskStatus("chief", {}), taskStatus("helper", {})}));
    for (const QString& pod : {chief, helper})
        m_lab->cluster.pods().remove(pod);
    m_lab->pass(120'000);
    QCOMPARE(m_lab->cluster.followers(helper), 0);
    QCOMPARE(logOf(u"helper-0"_s), helperLog.printed());
    QCOMPARE(m_service->of(u"t1"_s).stream(Stream::file), QByteArray()); // what helpers report is not the trial's
    QVERIFY(logOf(u"helper-1"_s).startsWith("error: "));
    QVERIFY(m_service->remove({u"t1"_s}));
    QVERIFY(logOf(u"helper-0"_s).startsWith("error: "));
}

/// The trial is over before its helper has begun, and the service that saw it begin again.
void TestKubernetesFrameworks::otherRolesBeginLater()
{
    QVERIFY(!m_service->submit(twoRoles(m_service->spec(u"t1"_s))).handle.isEmpty());
    const QString chief = runTask(u"chief"_s);
    const QString helper = runTask(u"helper"_s);
    m_lab->cluster.pods().change(helper, {{"status", {{"phase", "Pending"}, {"containerStatuses", Json::array()}}}});
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::running));
    m_lab->cluster.say(
        chief, m_log->running(m_lab->clock.nowMs()) + m_log->prints("leads") + m_log->exits(0, m_lab->clock.nowMs()));
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    m_service.reset();
    m_service = std::make_unique<KubeService>(*m_lab, u"s1"_s, u"frameworkcontroller"_s);
    QVERIFY(m_service->open());
    const QList<TrialRef> none;
    QVERIFY(m_lab->wait(m_service->platform->adopt(none)));
    runTask(u"helper"_s);
    KeeperLog helperLog(u"t1"_s, "8e");
    m_lab->cluster.say(helper, helperLog.running(m_lab->clock.nowMs()) + helperLog.prints("helps"));
    QVERIFY(m_lab->spin([&] { return logOf(u"helper-0"_s) == "helps\n"; }));
    QCOMPARE(logOf(u"stdout"_s), QByteArray("leads\n"));
}

/// A helper that does not end is not followed for ever.
void TestKubernetesFrameworks::otherRolesEndLater()
{
    QVERIFY(!m_service->submit(twoRoles(m_service->spec(u"t1"_s))).handle.isEmpty());
    const QString chief = runTask(u"chief"_s);
    const QString helper = runTask(u"helper"_s);
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::running));
    QVERIFY(m_lab->spin([&] { return m_lab->cluster.followers(helper) == 1; }));
    m_lab->cluster.say(chief, m_log->running(m_lab->clock.nowMs()) + m_log->exits(0, m_lab->clock.nowMs()));
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    m_lab->pass(30'000);
    QCOMPARE(m_lab->cluster.followers(helper), 1);
    m_lab->pass(minuteMs);
    QVERIFY(m_lab->spin([&] { return m_lab->cluster.followers(helper) == 0; }));
}

QTEST_GUILESS_MAIN(TestKubernetesFrameworks)
#include "tst_kubernetes_frameworks.moc"
