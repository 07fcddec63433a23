// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/external/program_description.h"
#include "services/platforms/platform_fields.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::external;

class TestProgramDescription : public QObject
{
    Q_OBJECT
private slots:
    void whole();
    void refused_data();
    void refused();
};

static Json parsed(const char* text)
{
    return parseJson(text).value_or(Json());
}

void TestProgramDescription::whole()
{
    const Result<ProgramDescription> read = readDescription(parsed(R"({"id": 1, "title": " A queue ", "fields": [
        {"name": "host", "type": "string", "title": "Host", "required": true, "namesCluster": true, "choices": true, "help": "Where"},
        {"name": "mode", "type": "string", "title": "Mode", "words": ["a", "b"], "default": "a"},
        {"name": "token", "type": "text", "title": "Token", "secret": true, "sentTo": ["host"], "dependsOn": {"field": "mode", "value": "b"}},
        {"name": "slots", "type": "integer", "title": "Slots", "minimum": 1, "default": 4, "advanced": true}],
        "experimentFields": [{"name": "folder", "type": "path", "title": "Folder"}],
        "calls": ["open", "machines", "check"], "pushes": true})"));
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QCOMPARE(read->title, u"A queue"_s);
    QCOMPARE(read->calls, (QSet<OptionalCall>{OptionalCall::machines, OptionalCall::check}));
    QVERIFY(read->isPushing);
    const KindDescription kind = kindOf(u"lab"_s, *read);
    QCOMPARE(kind.kind, u"external.lab"_s);
    QVERIFY(kind.capabilities.machines && kind.capabilities.logs && !kind.capabilities.placement);
    QStringList names;
    for (const Field& field : kind.fields)
        names.append(field.name);
    QCOMPARE(names.join(u' '), u"host mode token slots folder nodeFolder pollInterval maxJobs"_s);
    QCOMPARE(kind.fields.at(2).sentTo, QStringList(u"host"_s));
    const Result<Json> settings = checkedSettings(kind.fields, parsed(R"({"host": "h", "maxJobs": 3})"));
    QVERIFY2(settings, settings ? "" : qPrintable(settings.error().message));
    QCOMPARE(
        dumpJson(programSettings(*settings)), dumpJson(*checkedSettings(read->fields, parsed(R"({"host": "h"})"))));
    QVERIFY(!checkedSettings(kind.fields, parsed(R"({"host": "h", "slots": 0})")));
    QVERIFY(checkedOptions(kind.experimentFields, parsed(R"({"folder": "/x"})")));

    const Result<ProgramDescription> least = readDescription(parsed(R"({"title": "t"})"));
    QVERIFY(least && least->fields.isEmpty() && least->calls.isEmpty() && !least->isPushing);
    QVERIFY(!kindOf(u"t"_s, *least).capabilities.machines);
}

void TestProgramDescription::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("named");
    const auto field = [](const char* members) {
        return QByteArray(R"({"title": "t", "fields": [{"name": "ok", "type": "string", "title": "Ok"}, )") + members
            + "]}";
    };
    QTest::newRow("nothing") << QByteArray("null") << u"no object"_s;
    QTest::newRow("no title") << QByteArray("{}") << u"title"_s;
    QTest::newRow("a slip") << QByteArray(R"({"title": "t", "field": []})") << u"field"_s;
    QTest::newRow("fields") << QByteArray(R"({"title": "t", "fields": {}})") << u"fields"_s;
    QTest::newRow("a call") << QByteArray(R"({"title": "t", "calls": ["delete"]})") << u"delete"_s;
    QTest::newRow("a call twice") << QByteArray(R"({"title": "t", "calls": ["check", "check"]})") << u"calls"_s;
    QTest::newRow("pushes") << QByteArray(R"({"title": "t", "pushes": 1})") << u"pushes"_s;
    QTest::newRow("no field") << field("7") << u"fields[1]"_s;
    QTest::newRow("no name") << field(R"({"type": "string", "title": "T"})") << u"fields[1].name"_s;
    QTest::newRow("a bad name") << field(R"({"name": "a-b", "type": "string", "title": "T"})") << u"fields[1].name"_s;
    QTest::newRow("a line end") << field(R"({"name": "ab\n", "type": "string", "title": "T"})") << u"fields[1].name"_s;
    QTest::newRow("twice") << field(R"({"name": "ok", "type": "string", "title": "T"})") << u"ok comes twice"_s;
    QTest::newRow("ours") << field(R"({"name": "folder", "type": "path", "title": "T"})")
                          << u"folder is the service's"_s;
    QTest::newRow("a type") << field(R"({"name": "x", "type": "table", "title": "T"})") << u"fields[1].type"_s;
    QTest::newRow("no field's title") << field(R"({"name": "x", "type": "string"})") << u"fields[1].title"_s;
    QTest::newRow("a field's slip") << field(R"({"name": "x", "type": "string", "title": "T", "require": true})")
                                    << u"require"_s;
    QTest::newRow("no switch") << field(R"({"name": "x", "type": "string", "title": "T", "required": 1})")
                               << u"fields[1].required"_s;
    QTest::newRow("a secret number") << field(R"({"name": "x", "type": "integer", "title": "T", "secret": true})")
                                     << u"fields[1].secret"_s;
    QTest::newRow("sent to a text") << field(
        R"({"name": "x", "type": "string", "title": "T", "secret": true, "sentTo": "ok"})")
                                    << u"fields[1].sentTo"_s;
    QTest::newRow("sent to nobody") << field(
        R"({"name": "x", "type": "string", "title": "T", "secret": true, "sentTo": ["y"]})")
                                    << u"x is sent to y"_s;
    QTest::newRow("sent, but no secret") << field(R"({"name": "x", "type": "string", "title": "T", "sentTo": ["ok"]})")
                                         << u"fields[1].sentTo"_s;
    QTest::newRow("default of another type")
        << field(R"({"name": "x", "type": "integer", "title": "T", "default": "3"})") << u"fields[1].default"_s;
    QTest::newRow("default that is no choice")
        << field(R"({"name": "x", "type": "string", "title": "T", "words": ["a"], "default": "b"})")
        << u"fields[1].default"_s;
    QTest::newRow("default of what is required")
        << field(R"({"name": "x", "type": "string", "title": "T", "required": true, "default": "b"})")
        << u"fields[1].default"_s;
    QTest::newRow("words of a number") << field(R"({"name": "x", "type": "integer", "title": "T", "words": ["a"]})")
                                       << u"fields[1].words"_s;
    QTest::newRow("no words") << field(R"({"name": "x", "type": "string", "title": "T", "words": []})")
                              << u"fields[1].words"_s;
    QTest::newRow("minimum of a text") << field(R"({"name": "x", "type": "string", "title": "T", "minimum": 1})")
                                       << u"fields[1].minimum"_s;
    QTest::newRow("depends on nothing") << field(
        R"({"name": "x", "type": "string", "title": "T", "dependsOn": {"field": "y", "value": 1}})")
                                        << u"y"_s;
    QTest::newRow("depends on itself") << field(
        R"({"name": "x", "type": "string", "title": "T", "dependsOn": {"field": "x", "value": 1}})")
                                       << u"x"_s;
    QTest::newRow("depends wrongly") << field(R"({"name": "x", "type": "string", "title": "T", "dependsOn": "ok"})")
                                     << u"fields[1].dependsOn"_s;
    QTest::newRow("an experiment's secret") << QByteArray(
        R"({"title": "t", "experimentFields": [{"name": "x", "type": "string", "title": "T", "secret": true}]})")
                                            << u"experimentFields[0].secret"_s;
    QByteArray many = R"({"title": "t", "fields": [)";
    for (int i = 0; i < 101; ++i)
        many += QByteArray(i ? "," : "") + R"({"name": "f)" + QByteArray::number(i)
            + R"(", "type": "string", "title": "T"})";
    QTest::newRow("too many") << many + "]}" << u"100"_s;
}

void TestProgramDescription::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, named);
    const Result<Json> json = parseJson(text);
    QVERIFY(json);
    const Result<ProgramDescription> read = readDescription(*json);
    QVERIFY(!read);
    QCOMPARE(read.error().kind, Kind::invalid);
    QVERIFY2(read.error().message.contains(named), qPrintable(read.error().message));
    QVERIFY(read.error().message.hasKey());
}

QTEST_GUILESS_MAIN(TestProgramDescription)
#include "tst_program_description.moc"
