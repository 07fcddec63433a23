// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kind_json.h"
#include "services/platforms/platform_fields.h"
#include "services/platforms/platform_registry.h"

#include "tests/fakes/fake_platform.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;

namespace {

/// The shape of NNI's remote settings, and one of each type.
QList<Field> sample()
{
    return {
        Field{.name = u"name"_s, .type = u"string"_s, .required = true},
        Field{.name = u"token"_s, .type = u"string"_s, .secret = true},
        Field{.name = u"mode"_s, .type = u"string"_s, .defaultValue = "fast", .words = {u"fast"_s, u"slow"_s}},
        Field{.name = u"perGpu"_s, .type = u"integer"_s, .defaultValue = 1},
        Field{.name = u"active"_s, .type = u"boolean"_s, .defaultValue = false},
        Field{.name = u"gpuIndices"_s, .type = u"indices"_s},
        Field{.name = u"folder"_s, .type = u"path"_s},
        Field{.name = u"machineList"_s,
            .type = u"list"_s,
            .items = {Field{.name = u"host"_s, .type = u"string"_s, .required = true},
                Field{.name = u"port"_s, .type = u"integer"_s, .defaultValue = 22},
                Field{.name = u"password"_s, .type = u"string"_s, .secret = true}}},
    };
}

Json json(const char* text)
{
    return *parseJson(text);
}

} // namespace

class TestPlatformFields : public QObject
{
    Q_OBJECT
private slots:
    void checked_data();
    void checked();
    void refused_data();
    void refused();
    void secretsAreSplitAndJoined();
    void secretsOfAListGoWithTheirEntries_data();
    void secretsOfAListGoWithTheirEntries();
    void merged_data();
    void merged();
    void secretsGoToNobodyElse_data();
    void secretsGoToNobodyElse();
    void fieldsThatDependOnOthers_data();
    void fieldsThatDependOnOthers();
    void anotherClusterIsNamed();
    void everyWrongOptionIsNamed();
    void aTableIsAListOrAText();
    void aTableIsDescribed();
    void registry();
};

static QList<Field> dependent()
{
    return {
        Field{.name = u"login"_s, .type = u"string"_s, .defaultValue = "token", .words = {u"token"_s, u"password"_s}},
        Field{.name = u"user"_s,
            .type = u"string"_s,
            .required = true,
            .dependsOn = FieldCondition{u"login"_s, "password"}},
        Field{.name = u"remember"_s,
            .type = u"boolean"_s,
            .defaultValue = true,
            .dependsOn = FieldCondition{u"login"_s, "password"}},
        Field{.name = u"days"_s,
            .type = u"integer"_s,
            .required = true,
            .dependsOn = FieldCondition{u"remember"_s, true}},
        Field{
            .name = u"never"_s, .type = u"string"_s, .required = true, .dependsOn = FieldCondition{u"nothing"_s, true}},
        Field{.name = u"a"_s, .type = u"text"_s, .required = true, .dependsOn = FieldCondition{u"b"_s, Json()}},
        Field{.name = u"b"_s, .type = u"file"_s, .dependsOn = FieldCondition{u"a"_s, Json()}},
    };
}

void TestPlatformFields::fieldsThatDependOnOthers_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QByteArray>("out"); // empty: refused
    const auto row = [](const char* name, const char* in, const char* out) {
        QTest::newRow(name) << QByteArray(in) << QByteArray(out);
    };
    // `a` and `b` wait for each other to be absent: a circle is no endless loop.
    row("by default", R"({"a":"x"})", R"({"login":"token","a":"x"})");
    row("another value", R"({"login":"password","user":"me","days":3,"a":"x"})",
        R"({"login":"password","user":"me","remember":true,"days":3,"a":"x"})");
    row("required", R"({"login":"password","days":3,"a":"x"})", "");
    row("required by what depends itself", R"({"login":"password","user":"me","a":"x"})", "");
    row("off by what depends itself", R"({"login":"password","user":"me","remember":false,"a":"x"})",
        R"({"login":"password","user":"me","remember":false,"a":"x"})");
    row("kept where it does not count", R"({"user":"me","days":3,"a":"x"})",
        R"({"login":"token","user":"me","days":3,"a":"x"})");
    row("empty where it does not count", R"({"user":"","a":"x"})", R"({"login":"token","user":"","a":"x"})");
    row("of a wrong type where it does not count", R"({"user":1,"a":"x"})", "");
}

void TestPlatformFields::fieldsThatDependOnOthers()
{
    QFETCH(QByteArray, in);
    QFETCH(QByteArray, out);
    const auto checked = checkedSettings(dependent(), *parseJson(in));
    QCOMPARE(checked.has_value(), !out.isEmpty());
    if (checked)
        QCOMPARE(dumpJson(*checked), out);
    else
        QCOMPARE(checked.error().kind, Kind::invalid);
}

void TestPlatformFields::anotherClusterIsNamed()
{
    const QList<Field> fields{Field{.name = u"host"_s, .type = u"string"_s, .namesCluster = true},
        Field{.name = u"port"_s, .type = u"integer"_s, .defaultValue = 443, .namesCluster = true},
        Field{.name = u"note"_s, .type = u"string"_s}};
    QVERIFY(!namesOther(fields, json(R"({"host":"a","note":"x"})"), json(R"({"host":"a","port":443})")));
    QVERIFY(namesOther(fields, json(R"({"host":"a"})"), json(R"({"host":"b"})")));
    QVERIFY(namesOther(fields, json(R"({"host":"a"})"), json(R"({"host":"a","port":444})")));
    QVERIFY(namesOther(fields, json(R"({"host":"a"})"), json("{}")));
    const auto key = [&fields](const char* settings) { return clusterKey(fields, json(settings)); };
    QCOMPARE(key(R"({"note":"x","port":443,"host":"a"})"), key(R"({"host":"a"})"));
    QVERIFY(key(R"({"host":"a"})") != key(R"({"host":"b"})"));
    QVERIFY(!key(R"({"host":"a"})").contains("host"));
}

void TestPlatformFields::everyWrongOptionIsNamed()
{
    const QList<Field> fields{Field{.name = u"image"_s, .type = u"string"_s, .required = true},
        Field{.name = u"cpus"_s, .type = u"integer"_s, .defaultValue = 1, .minimum = 1},
        Field{.name = u"size"_s, .type = u"string"_s, .words = {u"s"_s, u"m"_s}}};
    const auto good = checkedOptions(fields, json(R"({"image":"x:1"})"));
    QVERIFY(good);
    QCOMPARE(dumpJson(*good), QByteArray(R"({"image":"x:1","cpus":1})"));
    const auto bad = checkedOptions(fields, json(R"({"img":1,"cpus":0,"size":"xl"})"));
    QVERIFY(!bad);
    QCOMPARE(bad.error().kind, Kind::invalid);
    QCOMPARE(bad.error().message.text(),
        u"There is no platform option img; there is: image, cpus, size. platformOptions.image is missing. "
        "platformOptions.cpus must be at least 1. platformOptions.size must be one of: s, m."_s);
    QVERIFY(!checkedOptions(fields, json("[]")));
}

void TestPlatformFields::checked_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QByteArray>("out");
    QTest::newRow("defaults") << QByteArray(R"({"name":"a"})")
                              << QByteArray(R"({"name":"a","mode":"fast","perGpu":1,"active":false})");
    QTest::newRow("null is absent") << QByteArray(R"({"name":"a","perGpu":null,"folder":null})")
                                    << QByteArray(R"({"name":"a","mode":"fast","perGpu":1,"active":false})");
    QTest::newRow("indices of a text")
        << QByteArray(R"({"name":"a","gpuIndices":"2, 0,2"})")
        << QByteArray(R"({"name":"a","mode":"fast","perGpu":1,"active":false,"gpuIndices":[2,0]})");
    QTest::newRow("indices of a number")
        << QByteArray(R"({"name":"a","gpuIndices":3})")
        << QByteArray(R"({"name":"a","mode":"fast","perGpu":1,"active":false,"gpuIndices":[3]})");
    QTest::newRow("list") << QByteArray(
        R"({"machineList":[{"host":"x","password":"p"},{"port":1,"host":"y"}],"name":"a","mode":"slow"})")
                          << QByteArray(
                                 R"({"name":"a","mode":"slow","perGpu":1,"active":false,)"
                                 R"("machineList":[{"host":"x","port":22,"password":"p"},{"host":"y","port":1}]})");
}

void TestPlatformFields::checked()
{
    QFETCH(QByteArray, in);
    const auto out = checkedSettings(sample(), json(in));
    QVERIFY2(out, out ? "" : qPrintable(out.error().message));
    QTEST(dumpJson(*out), "out");
    QCOMPARE(dumpJson(*checkedSettings(sample(), *out)), dumpJson(*out)); // what was checked stays as it is
}

void TestPlatformFields::refused_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QString>("named");
    QTest::newRow("unknown") << QByteArray(R"({"name":"a","nam":"b"})") << u"There is no setting nam."_s;
    QTest::newRow("missing") << QByteArray(R"({})") << u"name is missing."_s;
    QTest::newRow("empty") << QByteArray(R"({"name":""})") << u"name must not be empty."_s;
    QTest::newRow("word") << QByteArray(R"({"name":"a","mode":"Fast"})") << u"mode must be one of: fast, slow."_s;
    QTest::newRow("text for a number") << QByteArray(R"({"name":"a","perGpu":"1"})")
                                       << u"perGpu must be a whole number."_s;
    QTest::newRow("fraction") << QByteArray(R"({"name":"a","perGpu":1.5})") << u"perGpu must be a whole number."_s;
    QTest::newRow("huge") << QByteArray(R"({"name":"a","perGpu":18446744073709551615})")
                          << u"perGpu must be a whole number of at most 2147483647."_s;
    QTest::newRow("flag") << QByteArray(R"({"name":"a","active":"true"})") << u"active must be true or false."_s;
    QTest::newRow("negative index") << QByteArray(R"({"name":"a","gpuIndices":[-1]})")
                                    << u"gpuIndices must be a list of GPU numbers"_s;
    QTest::newRow("bad index") << QByteArray(R"({"name":"a","gpuIndices":"1,x"})")
                               << u"gpuIndices must be a list of GPU numbers"_s;
    QTest::newRow("in a list") << QByteArray(R"({"name":"a","machineList":[{"host":"x"},{"host":"y","prot":1}]})")
                               << u"There is no setting machineList[1].prot."_s;
    QTest::newRow("missing in a list") << QByteArray(R"({"name":"a","machineList":[{}]})")
                                       << u"machineList[0].host is missing."_s;
    QTest::newRow("no object") << QByteArray(R"([1])") << u"Settings must be an object."_s;
    QTest::newRow("no list") << QByteArray(R"({"name":"a","machineList":{}})") << u"machineList must be a list."_s;
}

void TestPlatformFields::refused()
{
    QFETCH(QByteArray, in);
    QFETCH(QString, named);
    const auto out = checkedSettings(sample(), json(in));
    QVERIFY(!out);
    QCOMPARE(out.error().kind, Kind::invalid);
    QVERIFY2(out.error().message.contains(named), qPrintable(out.error().message));
}

void TestPlatformFields::secretsAreSplitAndJoined()
{
    const Json clear = json(R"({"name":"a","token":"T","machineList":[{"host":"x","password":"p1"},{"host":"y"}]})");
    const SplitSettings split = splitSecrets(sample(), clear);
    QCOMPARE(dumpJson(split.shown),
        QByteArray(
            R"({"name":"a","token":{"set":true},"machineList":[{"host":"x","password":{"set":true}},{"host":"y"}]})"));
    QCOMPARE(dumpJson(split.secrets), QByteArray(R"({"token":"T","machineList":[{"host":"x","password":"p1"}]})"));
    QCOMPARE(dumpJson(joinSecrets(sample(), split.shown, split.secrets)), dumpJson(clear));
    // Secrets that got lost are left out, never the mask itself.
    QCOMPARE(dumpJson(joinSecrets(sample(), split.shown, Json::object())),
        QByteArray(R"({"name":"a","machineList":[{"host":"x"},{"host":"y"}]})"));
    QCOMPARE(dumpJson(splitSecrets(sample(), json(R"({"name":"a"})")).secrets), QByteArray("{}"));
}

void TestPlatformFields::secretsOfAListGoWithTheirEntries_data()
{
    QTest::addColumn<QByteArray>("shown");
    QTest::addColumn<QByteArray>("secrets");
    QTest::addColumn<QByteArray>("joined");
    const QByteArray kept = R"({"machineList":[{"host":"x","password":"px"},{"host":"y","password":"py"}]})";
    const QByteArray early = R"({"machineList":[{"password":"px"},{"password":"py"}]})";
    QTest::newRow("first removed by hand") << QByteArray(R"({"machineList":[{"host":"y","password":{"set":true}}]})")
                                           << kept << QByteArray(R"({"machineList":[{"host":"y","password":"py"}]})");
    QTest::newRow("reordered by hand")
        << QByteArray(R"({"machineList":[{"host":"y","password":{"set":true}},{"host":"x","password":{"set":true}}]})")
        << kept << QByteArray(R"({"machineList":[{"host":"y","password":"py"},{"host":"x","password":"px"}]})");
    QTest::newRow("another host") << QByteArray(R"({"machineList":[{"host":"z","password":{"set":true}}]})") << kept
                                  << QByteArray(R"({"machineList":[{"host":"z"}]})");
    QTest::newRow("mask removed by hand")
        << QByteArray(R"({"machineList":[{"host":"x"}]})") << kept << QByteArray(R"({"machineList":[{"host":"x"}]})");
    QTest::newRow("kept by 0.1.0")
        << QByteArray(R"({"machineList":[{"host":"x","password":{"set":true}},{"host":"y","password":{"set":true}}]})")
        << early << QByteArray(R"({"machineList":[{"host":"x","password":"px"},{"host":"y","password":"py"}]})");
}

void TestPlatformFields::secretsOfAListGoWithTheirEntries()
{
    QFETCH(QByteArray, shown);
    QFETCH(QByteArray, secrets);
    QTEST(dumpJson(joinSecrets(sample(), json(shown), json(secrets))), "joined");
}

void TestPlatformFields::merged_data()
{
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QByteArray>("out");
    QTest::newRow("left out") << QByteArray(R"({"name":"b"})") << QByteArray(R"({"name":"b","token":"T"})");
    QTest::newRow("sent back") << QByteArray(R"({"token":{"set":true},"name":"b"})")
                               << QByteArray(R"({"token":"T","name":"b"})");
    QTest::newRow("removed") << QByteArray(R"({"token":null,"name":"b"})") << QByteArray(R"({"name":"b"})");
    QTest::newRow("changed") << QByteArray(R"({"token":"N"})") << QByteArray(R"({"token":"N"})");
    QTest::newRow("list, other order")
        << QByteArray(R"({"token":null,"machineList":[{"host":"y"},{"host":"x","port":5}]})")
        << QByteArray(R"({"machineList":[{"host":"y","password":"p2"},{"host":"x","port":5,"password":"p1"}]})");
    QTest::newRow("another host gets no password")
        << QByteArray(R"({"token":null,"machineList":[{"host":"evil","password":{"set":true}}]})")
        << QByteArray(R"({"machineList":[{"host":"evil"}]})");
    QTest::newRow("two of one host are told apart")
        << QByteArray(R"({"token":null,"machineList":[{"host":"x","port":9},{"host":"x","port":22}]})")
        << QByteArray(R"({"machineList":[{"host":"x","port":9,"password":"p1"},{"host":"x","port":22}]})");
}

void TestPlatformFields::merged()
{
    QFETCH(QByteArray, sent);
    const Json before =
        json(R"({"name":"a","token":"T","machineList":[{"host":"x","password":"p1"},{"host":"y","password":"p2"}]})");
    const Result<Json> merged = mergedSettings(sample(), json(sent), before);
    QVERIFY2(merged, merged ? "" : qPrintable(merged.error().message));
    QTEST(dumpJson(*merged), "out");
}

/// A saved secret is for whom it was entered.
void TestPlatformFields::secretsGoToNobodyElse_data()
{
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<QByteArray>("out"); // empty: refused
    const QByteArray kept = R"({"host":"a","user":"new","token":"T","key":"K"})";
    QTest::newRow("the same, left out") << QByteArray(R"({"host":"a","user":"new"})") << kept;
    QTest::newRow("the same, sent back") << QByteArray(
        R"({"host":"a","user":"new","token":{"set":true},"key":{"set":true}})")
                                         << kept;
    QTest::newRow("the default, sent") << QByteArray(R"({"host":"a","port":80,"user":"new"})")
                                       << QByteArray(R"({"host":"a","port":80,"user":"new","token":"T","key":"K"})");
    QTest::newRow("another host, left out") << QByteArray(R"({"host":"b"})") << QByteArray();
    QTest::newRow("another host, sent back") << QByteArray(R"({"host":"b","token":{"set":true}})") << QByteArray();
    QTest::newRow("another port") << QByteArray(R"({"host":"a","port":81})") << QByteArray();
    QTest::newRow("no host") << QByteArray(R"({})") << QByteArray();
    QTest::newRow("null") << QByteArray(R"({"host":null})") << QByteArray();
    QTest::newRow("entered again") << QByteArray(R"({"host":"b","token":"N"})")
                                   << QByteArray(R"({"host":"b","token":"N","key":"K"})");
    QTest::newRow("removed") << QByteArray(R"({"host":"b","token":null})") << QByteArray(R"({"host":"b","key":"K"})");
}

void TestPlatformFields::secretsGoToNobodyElse()
{
    QFETCH(QByteArray, sent);
    QFETCH(QByteArray, out);
    const QList<Field> fields{
        Field{.name = u"host"_s, .type = u"string"_s},
        Field{.name = u"port"_s, .type = u"integer"_s, .defaultValue = 80},
        Field{.name = u"user"_s, .type = u"string"_s},
        Field{.name = u"token"_s, .type = u"string"_s, .secret = true, .sentTo = {u"host"_s, u"port"_s}},
        Field{.name = u"key"_s, .type = u"string"_s, .secret = true}, // opens a file of this computer
    };
    const Result<Json> merged =
        mergedSettings(fields, json(sent), json(R"({"host":"a","user":"u","token":"T","key":"K"})"));
    QCOMPARE(merged.has_value(), !out.isEmpty());
    if (merged)
        QCOMPARE(dumpJson(*merged), out);
    else
        QVERIFY2(merged.error().message.text().startsWith(u"token must be entered again: "),
            qPrintable(merged.error().message));
}

void TestPlatformFields::aTableIsAListOrAText()
{
    const QList<Field> fields{Field{.name = u"roles"_s, .type = u"table"_s, .items = {Field{.name = u"name"_s}}}};
    // What is in its rows is the platform's to judge.
    for (const char* good : {R"({"roles":[{"name":"a","other":1}]})", R"({"roles":[]})", R"({"roles":"- name: a"})"}) {
        const Result<Json> options = checkedOptions(fields, json(good));
        QVERIFY2(options, qPrintable(options ? QString() : options.error().message.text()));
        QVERIFY(*options == json(good));
    }
    for (const char* wrong : {R"({"roles":[1]})", R"({"roles":{"name":"a"}})", R"({"roles":true})"}) {
        const Result<Json> options = checkedOptions(fields, json(wrong));
        QVERIFY(!options);
        QCOMPARE(
            options.error().message, u"platformOptions.roles must be a list of objects, or a text with one in YAML."_s);
    }
}

void TestPlatformFields::aTableIsDescribed()
{
    Field name{.name = u"name"_s, .type = u"string"_s, .unique = true, .width = 9};
    name.wordsBy = FieldWords{u"mode"_s, {{Json("fast"), {u"a"_s, u"b"_s}}}};
    Field table{.name = u"roles"_s, .type = u"table"_s, .items = {name}};
    table.leadBy = QStringList{u"least"_s};
    const Json shown = kindsJson({KindDescription{.kind = u"lab"_s, .experimentFields = {table}}});
    const Json& field = shown["kinds"][0]["experimentFields"][0];
    QVERIFY(field["leadBy"] == json(R"(["least"])") && field["type"] == "table");
    const Json& item = field["items"][0];
    QVERIFY(item["unique"] == true && item["width"] == 9 && !item.contains("leadBy"));
    QVERIFY(item["wordsBy"] == json(R"({"field":"mode","sets":[{"value":"fast","words":["a","b"]}]})"));
}

void TestPlatformFields::registry()
{
    PlatformRegistry registry;
    registry.add([] { return std::make_unique<fakes::FakePlatform>(); });
    registry.add([] {
        auto platform = std::make_unique<fakes::FakePlatform>();
        platform->kind = u"other"_s;
        return platform;
    });
    QCOMPARE(registry.kinds().size(), 2);
    QCOMPARE(registry.kinds().at(1).kind, u"other"_s);
    QVERIFY(registry.find(u"fake"_s));
    QVERIFY(!registry.find(u"nothing"_s));
    const auto made = registry.make(u"other"_s);
    QVERIFY(made);
    QCOMPARE((*made)->describe().kind, u"other"_s);
    const auto refused = registry.make(u"nothing"_s);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, Kind::not_found);
    QVERIFY(refused.error().message.contains(u"fake, other"));
}

QTEST_GUILESS_MAIN(TestPlatformFields)
#include "tst_platform_fields.moc"
