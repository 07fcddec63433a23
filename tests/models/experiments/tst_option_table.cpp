// SPDX-License-Identifier: GPL-3.0-or-later
// A table among the options of an experiment, by the roles of trials with several pods, as their kinds describe them.
#include "models/experiments/option_table.h"

#include "services/platforms/kind_json.h"
#include "services/platforms/kubernetes/operators/framework_manifest.h"
#include "services/platforms/kubernetes/operators/operator_fields.h"
#include "services/platforms/kubernetes/operators/role_text.h"

#include <QTest>

using namespace core;
using namespace models;
using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

namespace {

Json json(const QByteArray& text)
{
    auto read = parseJson(text);
    return read ? *read : Json(nullptr);
}

/// The table of roles as GET /platform-kinds describes it.
Json rolesOf(const platforms::KindDescription& kind)
{
    const Json kinds = platforms::kindsJson({kind});
    for (const Json& field : kinds["kinds"][0]["experimentFields"])
        if (field["name"] == "roles")
            return field;
    return Json();
}

Json itemOf(const Json& field, const char* name)
{
    for (const Json& item : field["items"])
        if (item["name"] == name)
            return item;
    return Json();
}

QList<TableRow> rowsIn(const QByteArray& text)
{
    return tableRows(json(text)).value_or(QList<TableRow>());
}

QStringList said(const QList<TableProblem>& problems)
{
    QStringList lines;
    for (const TableProblem& one : problems)
        lines.append(u"%1 %2: %3"_s.arg(one.row).arg(one.item, one.message));
    return lines;
}

} // namespace

class TestOptionTable : public QObject
{
    Q_OBJECT
private slots:
    void rowsOfAValue_data();
    void rowsOfAValue();
    void cells();
    void wordsFollowTheFieldBeside();
    void theRowThatLeadsDecides_data();
    void theRowThatLeadsDecides();
    void problems_data();
    void problems();
    void errorsOfTheService_data();
    void errorsOfTheService();
    void commandsOfRows();
};

void TestOptionTable::rowsOfAValue_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("rows"); // empty: it is no table
    QTest::newRow("nothing") << QByteArray("null") << QByteArray("null");
    QTest::newRow("an empty text") << QByteArray(R"(" \n")") << QByteArray("null");
    QTest::newRow("a list") << QByteArray(R"([{"name":"a","more":[1]}])") << QByteArray(R"([{"name":"a","more":[1]}])");
    QTest::newRow("YAML") << QByteArray(R"("- {name: a, count: 2}\n- name: b")")
                          << QByteArray(R"([{"name":"a","count":2},{"name":"b"}])");
    QTest::newRow("JSON in a text") << QByteArray(R"("[{\"name\": \"a\"}]")") << QByteArray(R"([{"name":"a"}])");
    QTest::newRow("no YAML") << QByteArray(R"("- {name")") << QByteArray();
    QTest::newRow("no list") << QByteArray(R"("name: a")") << QByteArray();
    QTest::newRow("no objects") << QByteArray(R"(["a"])") << QByteArray();
    QTest::newRow("a text in a text") << QByteArray(R"("'- {name: a}'")") << QByteArray();
}

void TestOptionTable::rowsOfAValue()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, rows);
    const auto read = tableRows(json(value));
    QCOMPARE(read.has_value(), !rows.isEmpty());
    if (read)
        QCOMPARE(dumpJson(tableValue(*read)), rows);
}

void TestOptionTable::cells()
{
    const Json field = rolesOf(frameworkControllerKind());
    TableRow row = json(R"({"name":"worker","cpu":4,"replicas":2})");
    QCOMPARE(cellText(row, itemOf(field, "cpu")), u"4"_s);
    QCOMPARE(cellText(row, itemOf(field, "image")), QString());
    setCell(row, itemOf(field, "cpu"), u"4"_s); // a number stays one
    setCell(row, itemOf(field, "count"), u" 3 "_s);
    setCell(row, itemOf(field, "gpus"), u"two"_s);
    setCell(row, itemOf(field, "image"), u"a:1"_s);
    setCell(row, itemOf(field, "command"), u"python3 train.py"_s);
    QCOMPARE(dumpJson(row),
        QByteArray(R"({"name":"worker","cpu":4,"replicas":2,"count":3,"gpus":"two","image":"a:1",)"
                   R"("command":"python3 train.py"})"));
    setCell(row, itemOf(field, "gpus"), u" "_s);
    setCell(row, itemOf(field, "cpu"), u"0.5"_s);
    QVERIFY(!row.contains("gpus"));
    QVERIFY(row["cpu"] == "0.5" && row["replicas"] == 2); // what is no column is kept
}

void TestOptionTable::wordsFollowTheFieldBeside()
{
    const Json name = itemOf(rolesOf(kubeflowKind()), "name");
    QCOMPARE(cellWords(name, {{"jobKind", "PyTorchJob"}}), (QStringList{u"Master"_s, u"Worker"_s}));
    QCOMPARE(cellWords(name, {{"jobKind", "TrainJob"}}), QStringList{u"node"_s});
    QCOMPARE(cellWords(name, {{"jobKind", "another"}}), QStringList());
    QCOMPARE(cellWords(name, Json::object()), QStringList());
    QCOMPARE(cellWords(itemOf(rolesOf(frameworkControllerKind()), "name"), Json::object()), QStringList());
}

void TestOptionTable::theRowThatLeadsDecides_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("rows");
    for (const auto& [name, kind, rows] :
        {std::tuple("master last", "PyTorchJob", R"([{"name":"worker"},{"name":"master"}])"),
            {"workers alone", "PyTorchJob", R"([{"name":"Worker","count":3}])"},
            {"chief", "TFJob", R"([{"name":"PS"},{"name":"Worker"},{"name":"Chief"}])"},
            {"worker before servers", "TFJob", R"([{"name":"PS"},{"name":"Worker"}])"},
            {"launcher", "MPIJob", R"([{"name":"Worker"},{"name":"Launcher"}])"},
            {"node", "TrainJob", R"([{"name":"node"}])"}, {"one task role", "Framework", R"([{"name":"a"}])"},
            {"the first", "Framework", R"([{"name":"a"},{"name":"b"}])"},
            {"one that says so", "Framework", R"([{"name":"a","minSucceeded":-1},{"name":"b","minSucceeded":2}])"},
            {"the first one all the same", "Framework", R"([{"name":"a"},{"name":"b","minSucceeded":1}])"},
            {"by its failure", "Framework",
                R"([{"name":"a","minSucceeded":-1,"minFailed":-1},{"name":"b"},{"name":"c"}])"},
            {"none says", "Framework",
                R"([{"name":"a","minSucceeded":-1,"minFailed":-1},{"name":"b","minFailed":-1}])"}})
        QTest::newRow(name) << QString::fromLatin1(kind) << QByteArray(rows);
}

/// The window's mark and the service agree, for what the service takes.
void TestOptionTable::theRowThatLeadsDecides()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, rows);
    const WorkloadKind workload = workloadKind(kind).value();
    const auto roles = readRoles(workload, json(rows));
    QVERIFY2(roles, qPrintable(roles ? QString() : roles.error().message.text()));
    QList<RoleSize> sizes;
    for (const RoleText& role : *roles)
        sizes.append({role.name, role.count});
    qsizetype deciding = 0;
    if (workload == WorkloadKind::framework) {
        QList<CompletionPolicy> policies = defaultPolicies(sizes);
        for (qsizetype i = 0; i < policies.size(); ++i) {
            policies[i].minFailed = roles->at(i).minFailed.value_or(policies[i].minFailed);
            policies[i].minSucceeded = roles->at(i).minSucceeded.value_or(policies[i].minSucceeded);
        }
        deciding = decidingRoleOf(policies);
    } else {
        const QString name = decidingRoleOf(workload, sizes);
        while (sizes[deciding].name != name)
            ++deciding;
    }
    const Json field = rolesOf(workload == WorkloadKind::framework ? frameworkControllerKind() : kubeflowKind());
    QCOMPARE(leadingRow(field, rowsIn(rows), {{"jobKind", kind}}), deciding);
    QCOMPARE(leadingRow(field, {}, {{"jobKind", kind}}), -1);
    QCOMPARE(leadingRow(Json{{"name", "plain"}, {"items", Json::array()}}, rowsIn(rows), Json::object()), -1);
}

void TestOptionTable::problems_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("good") << u"PyTorchJob"_s
                          << QByteArray(R"([{"name":"master"},{"name":"Worker","count":3,"gpus":0,"cpu":"0.5"}])")
                          << QStringList();
    QTest::newRow("another kind's") << u"MPIJob"_s << QByteArray(R"([{"name":"Master"}])")
                                    << QStringList{u"0 name: Role must be one of: Launcher, Worker."_s};
    QTest::newRow("no name") << u"PyTorchJob"_s << QByteArray(R"([{"count":1}])")
                             << QStringList{u"0 name: Role is needed."_s};
    QTest::newRow("twice") << u"PyTorchJob"_s << QByteArray(R"([{"name":"Worker"},{"name":"worker"}])")
                           << QStringList{u"1 name: worker stands here twice."_s};
    QTest::newRow("numbers") << u"PyTorchJob"_s
                             << QByteArray(R"([{"name":"Master","count":0},{"name":"Worker","count":"x","gpus":-1}])")
                             << QStringList{u"0 count: Pods must be at least 1."_s,
                                    u"1 count: Pods must be a whole number."_s, u"1 gpus: GPUs must be at least 0."_s};
}

void TestOptionTable::problems()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, rows);
    QFETCH(QStringList, lines);
    QCOMPARE(said(tableProblems(rolesOf(kubeflowKind()), rowsIn(rows), {{"jobKind", kind}})), lines);
}

void TestOptionTable::errorsOfTheService_data()
{
    QTest::addColumn<QByteArray>("roles");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("cells") << QByteArray(
        R"([{"name":"Master","count":2},{"name":"Worker","cpu":"many","memory":"much"}])")
                           << QStringList{u"0 count: Pods: A PyTorchJob has one Master, not 2."_s,
                                  u"1 cpu: CPUs: \"many\" is no number of CPUs."_s, u"1 memory: Memory: "_s};
    QTest::newRow("a row") << QByteArray(R"([{"name":"Master","replicas":2}])")
                           << QStringList{u"0 : roles[0] has no \"replicas\"."_s};
    QTest::newRow("the whole") << QByteArray(R"([])") << QStringList{u"-1 : A PyTorchJob needs a role at least."_s};
}

void TestOptionTable::errorsOfTheService()
{
    QFETCH(QByteArray, roles);
    QFETCH(QStringList, lines);
    const auto read = readRoles(WorkloadKind::pytorchJob, json(roles));
    QVERIFY(!read);
    const QStringList found = said(problemsInError(rolesOf(kubeflowKind()), read.error().message.text()));
    QCOMPARE(found.size(), lines.size());
    for (qsizetype i = 0; i < lines.size(); ++i)
        QVERIFY2(found[i].startsWith(lines[i]), qPrintable(found[i]));
    // A sentence about something else, and one of the whole list.
    QVERIFY(problemsInError(rolesOf(kubeflowKind()), u"image: a container image is needed."_s).isEmpty());
    QCOMPARE(said(problemsInError(rolesOf(kubeflowKind()), u"platformOptions.roles must be a list of objects."_s)),
        QStringList{u"-1 : platformOptions.roles must be a list of objects."_s});
}

void TestOptionTable::commandsOfRows()
{
    QVERIFY(!haveCommands({}));
    QVERIFY(haveCommands(rowsIn(R"([{"name":"a","command":"x"}])")));
    QVERIFY(!haveCommands(rowsIn(R"([{"name":"a","command":"x"},{"name":"b","command":" "}])")));
    QVERIFY(!haveCommands(rowsIn(R"([{"name":"a","command":"x"},{"name":"b"}])")));
}

QTEST_APPLESS_MAIN(TestOptionTable)
#include "tst_option_table.moc"
