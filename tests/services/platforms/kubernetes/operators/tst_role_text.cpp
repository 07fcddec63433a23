// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/operators/role_text.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

const QByteArray setup("cd x");

PodValues basePod()
{
    PodValues base;
    base.command = "cd x\npython3 train.py";
    base.image = u"python:3.12-slim"_s;
    base.cpus = 2;
    base.memoryMb = 512;
    base.gpus = 1;
    return base;
}

} // namespace

class TestRoleText : public QObject
{
    Q_OBJECT
private slots:
    void yaml();
    void json();
    void emptyIsOnePod_data();
    void emptyIsOnePod();
    void refusals_data();
    void refusals();
    void allProblemsAtOnce();
    void valuesOfRoles();
    void completionOfFrameworks();
    void commandsOfRolesHaveTheParameters();
    void rolesWithoutCommandOrImage();
};

void TestRoleText::yaml()
{
    const auto roles = readRoles(WorkloadKind::pytorchJob,
        u"- name: master\n  command: python3 chief.py\n  image: pytorch/pytorch:2.3.0\n"
        "- name: Worker\n  count: 2\n  cpu: 4\n  memory: 8 GB\n  gpus: 1\n"_s);
    QVERIFY2(roles, qPrintable(roles ? QString() : roles.error().message.text()));
    RoleText master;
    master.name = u"Master"_s; // as the operator writes it
    master.command = u"python3 chief.py"_s;
    master.image = u"pytorch/pytorch:2.3.0"_s;
    RoleText worker;
    worker.name = u"Worker"_s;
    worker.count = 2;
    worker.cpus = 4;
    worker.memoryMb = 8'192;
    worker.gpus = 1;
    QVERIFY(*roles == (QList<RoleText>{master, worker}));
}

void TestRoleText::json()
{
    const auto roles = readRoles(WorkloadKind::framework,
        uR"([{"name": "worker", "count": 3, "cpu": "0.5", "memory": 512, "minFailed": 2, "minSucceeded": -1, "gpus": null}])"_s);
    QVERIFY2(roles, qPrintable(roles ? QString() : roles.error().message.text()));
    QCOMPARE(roles->first().cpus, 0.5);
    QCOMPARE(roles->first().memoryMb, 512); // MB, as NNI has it
    QCOMPARE(roles->first().minFailed, 2);
    QCOMPARE(roles->first().minSucceeded, -1);
    QVERIFY(!roles->first().gpus);
}

void TestRoleText::emptyIsOnePod_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("role");
    for (const auto& [kind, role] : {std::pair("PyTorchJob", "Master"), {"TFJob", "Worker"}, {"MPIJob", "Launcher"},
             {"TrainJob", "node"}, {"Framework", "worker"}})
        QTest::newRow(kind) << QString::fromLatin1(kind) << QString::fromLatin1(role);
}

void TestRoleText::emptyIsOnePod()
{
    QFETCH(QString, kind);
    QFETCH(QString, role);
    for (const QString& text : {u""_s, u" \n"_s}) {
        const auto roles = readRoles(workloadKind(kind).value(), text);
        QVERIFY(roles && roles->size() == 1);
        QCOMPARE(roles->first().name, role);
        QCOMPARE(roles->first().count, 1);
    }
}

void TestRoleText::refusals_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* text, const char* words) {
        QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(words);
    };
    row("no YAML", "- {", "roles: ");
    row("no list", "name: worker", "roles: it must be a list of 1 to 32 roles");
    row("an empty list", "[]", "roles: A Framework needs a role at least.");
    row("no mapping", "- worker", "roles[0]: it must be a mapping");
    row("no name", "- {count: 2}", "roles[0].name: It is missing.");
    row("a number for a name", "- {name: [1]}", "roles[0].name: It must be a text.");
    row("unknown member", "- {name: a, replicas: 2}", "roles[0] has no \"replicas\". There is: name, count,");
    row("count of none", "- {name: a, count: 0}", "roles[0].count: It must be a whole number from 1 to 10000.");
    row("half a count", "- {name: a, count: 1.5}", "roles[0].count");
    row("huge count", "- {name: a, count: 99999999999999999999}", "roles[0].count");
    row("image", "- {name: a, image: 'a b'}", "roles[0].image: \"a b\" is no name of an image");
    row("cpu", "- {name: a, cpu: many}", "roles[0].cpu: \"many\" is no number of CPUs");
    row("memory", "- {name: a, memory: much}", "roles[0].memory: ");
    row("gpus", "- {name: a, gpus: -1}", "roles[0].gpus: It must be a whole number from 0 to 1024.");
    row("limit", "- {name: a, minFailed: 0}", "roles[0].minFailed: It must be 1 or more tasks, or -1 for never.");
    row("the second one", "- {name: a}\n- {name: b, count: x}", "roles[1].count");
    row("as a whole", "- {name: a}\n- {name: a}", "roles[1].name: The role \"a\" is there twice.");
    row("a dash", "- {name: a-b}", "roles[0].name: The role \"a-b\" cannot be called so");
}

void TestRoleText::refusals()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    const auto roles = readRoles(WorkloadKind::framework, text);
    QVERIFY(!roles);
    QCOMPARE(roles.error().kind, Kind::invalid);
    QVERIFY2(roles.error().message.contains(words), qPrintable(roles.error().message.text()));
}

void TestRoleText::allProblemsAtOnce()
{
    const auto roles =
        readRoles(WorkloadKind::tfJob, u"- {name: Worker, cpu: x, minFailed: 1}\n- {name: PS, count: 0}"_s);
    QVERIFY(!roles);
    const QStringList lines = roles.error().message.text().split(u'\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines.at(0).startsWith(u"roles[0] has no \"minFailed\""), qPrintable(lines.at(0))); // a framework's
    QVERIFY(lines.at(1).startsWith(u"roles[0].cpu"));
    QVERIFY(lines.at(2).startsWith(u"roles[1].count"));
}

void TestRoleText::valuesOfRoles()
{
    const auto roles = readRoles(WorkloadKind::mpiJob,
        u"- {name: Launcher, command: mpirun x, gpus: 0, memory: 1 GB}\n- {name: Worker, count: 2, cpu: 4, image: 'a:1'}"_s);
    QVERIFY(roles);
    const auto values = roleValues(WorkloadKind::mpiJob, *roles, basePod(), setup);
    QVERIFY2(values, qPrintable(values ? QString() : values.error().message.text()));
    const PodValues& launcher = values->at(0).pod;
    QCOMPARE(launcher.command, "cd x\nmpirun x"); // the setup runs in front of it
    QCOMPARE(launcher.image, u"python:3.12-slim"_s);
    QCOMPARE(launcher.cpus, 2);
    QCOMPARE(launcher.memoryMb, 1'024);
    QCOMPARE(launcher.gpus, 0);
    const RoleValues& worker = values->at(1);
    QCOMPARE(worker.count, 2);
    QCOMPARE(worker.pod.command, "exec sleep 365d"); // the launcher starts the ranks in it
    QCOMPARE(worker.pod.image, u"a:1"_s);
    QCOMPARE(worker.pod.cpus, 4);
    QCOMPARE(worker.pod.gpus, 1);
    const auto plain = roleValues(WorkloadKind::pytorchJob, {RoleText{.name = u"Worker"_s}}, basePod(), setup);
    QCOMPARE(plain->first().pod.command, basePod().command);
    const auto own =
        roleValues(WorkloadKind::pytorchJob, {RoleText{.name = u"Worker"_s, .command = u"run"_s}}, basePod(), {});
    QCOMPARE(own->first().pod.command, "run");
}

void TestRoleText::completionOfFrameworks()
{
    const QList<RoleText> roles{
        {.name = u"chief"_s}, {.name = u"worker"_s}, {.name = u"ps"_s, .minFailed = -1, .minSucceeded = 3}};
    const auto values = roleValues(WorkloadKind::framework, roles, basePod(), {});
    QVERIFY(values);
    QVERIFY(values->at(0).completion == (CompletionPolicy{1, 1}));
    QVERIFY(values->at(1).completion == (CompletionPolicy{1, -1}));
    QVERIFY(values->at(2).completion == (CompletionPolicy{-1, 3}));
}

void TestRoleText::commandsOfRolesHaveTheParameters()
{
    PodValues base = basePod();
    base.parameters = R"({"lr": 0.10, "name": "a b"})";
    const auto roles = readRoles(WorkloadKind::pytorchJob,
        u"- {name: Master}\n- {name: Worker, command: 'python3 w.py --lr {lr} {name} ${HOME} {other}'}"_s);
    QVERIFY(roles);
    const auto values = roleValues(WorkloadKind::pytorchJob, *roles, base, setup);
    QVERIFY2(values, qPrintable(values ? QString() : values.error().message.text()));
    QCOMPARE(values->at(0).pod.command, QByteArray("cd x\npython3 train.py"));
    QCOMPARE(values->at(1).pod.command, QByteArray("cd x\npython3 w.py --lr 0.10 'a b' ${HOME} {other}"));
}

void TestRoleText::rolesWithoutCommandOrImage()
{
    PodValues base = basePod();
    base.command.clear();
    const QList<RoleText> roles{{.name = u"Worker"_s}};
    const auto commandless = roleValues(WorkloadKind::tfJob, roles, base, {});
    QVERIFY(!commandless && commandless.error().message.contains(u"\"Worker\" has no command"));
    base = basePod();
    base.image.clear();
    const auto imageless = roleValues(WorkloadKind::tfJob, roles, base, {});
    QVERIFY(!imageless && imageless.error().message.contains(u"\"Worker\" has no image"));
}

QTEST_APPLESS_MAIN(TestRoleText)
#include "tst_role_text.moc"
