// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/core/message/localized.h"
#include "services/core/message/message_json.h"
#include "services/core/record_json.h"
#include "services/core/records.h"

#include <QTest>
#include <QTranslator>

using namespace Qt::StringLiterals;
using core::Json;
using core::Message;
using core::operator""_m;

namespace {

/// Translates the templates of this test, as a catalogue would.
class Catalogue : public QTranslator
{
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override
    {
        if (qstrcmp(context, "Message") != 0)
            return {};
        return QHash<QString, QString>{{u"The machine %1 has %2."_s, u"%2: Maschine %1."_s},
            {u"%1 GPUs"_s, u"%1 Grafikkarten"_s}, {u"Gone."_s, u"Weg."_s}}
            .value(QString::fromUtf8(text));
    }
};

Message overTheWire(const Message& message)
{
    Json json = Json::object();
    core::addMessage(json, "message", message);
    return core::readMessage(*core::parseJson(core::dumpJson(json)), "message");
}

} // namespace

class TestMessage : public QObject
{
    Q_OBJECT

private slots:
    void verbatimTextHasNoKey();
    void gapsAreFilledOnce();
    void partsKeepTheirTemplates();
    void localizedSaysItInTheOtherLanguage();
    void jsonBringsItOver();
    void hostileJson_data();
    void hostileJson();
    void templatesThatGrowAreCut();
    void onlyWordsInGapsChange();
};

void TestMessage::verbatimTextHasNoKey()
{
    const Message name = u"lab %1"_s;
    QVERIFY(!name.hasKey());
    QCOMPARE(name.text(), u"lab %1"_s);
    QCOMPARE(core::localized(name), u"lab %1"_s);
    QVERIFY(!Message().hasKey());
    QVERIFY(!u""_m.hasKey());
    QCOMPARE(u"Gone."_m.key(), u"Gone."_s);
    QVERIFY(u"Gone."_m != Message(u"Gone."_s)); // the same text, but one of them can be translated
    QVERIFY(u"Gone."_m == u"Gone."_s);
}

void TestMessage::gapsAreFilledOnce()
{
    // What stands in a gap may look like one.
    const Message message = u"%2 and %1"_m.arg(u"a%2"_s).arg(u"b%1"_s);
    QCOMPARE(message.text(), u"b%1 and a%2"_s);
    QCOMPARE(message.key(), u"%2 and %1"_s);
    QCOMPARE(u"%1 of %2"_m.arg(3, qint64(10)).text(), u"3 of 10"_s);
    QCOMPARE(u"%1%2"_m.arg(1).text(), u"1%2"_s);
    QCOMPARE(u"100 %, %0, %"_m.arg(1).text(), u"100 %, %0, %"_s);
    QCOMPARE(core::filled(u"%1 %10 %11", QStringList(10, u"x"_s)), u"x x %11"_s);
}

void TestMessage::partsKeepTheirTemplates()
{
    const Message message = u"Gone."_m + u" "_s + u"%1 GPUs"_m.arg(4) + u'!';
    QCOMPARE(message.text(), u"Gone. 4 GPUs!"_s);
    QCOMPARE(message.key(), u"%1%2%3%4"_s); // flat, however many there are
    QCOMPARE(message.arguments().size(), 4);
    QCOMPARE(message.arguments().at(2).key(), u"%1 GPUs"_s);
    QCOMPARE(Message() + u"Gone."_m, u"Gone."_m);
    QVERIFY(!(Message(u"a"_s) + u"b"_s).hasKey());
    QCOMPARE(core::join({u"Gone."_m, u"x"_s}, u"; "_s).text(), u"Gone.; x"_s);
    Message grown = u"Gone."_m;
    for (int i = 0; i < 300; ++i)
        grown += u"x"_s;
    QCOMPARE(grown.size(), 305);
    QCOMPARE(overTheWire(grown), grown);
}

void TestMessage::localizedSaysItInTheOtherLanguage()
{
    Catalogue catalogue;
    QCoreApplication::installTranslator(&catalogue);
    const Message message = u"The machine %1 has %2."_m.arg(u"lab"_s, u"%1 GPUs"_m.arg(4));
    QCOMPARE(message.text(), u"The machine lab has 4 GPUs."_s);
    QCOMPARE(core::localized(message), u"4 Grafikkarten: Maschine lab."_s);
    QCOMPARE(core::localized(u"Gone."_m + u" x"_s), u"Weg. x"_s);
    QCOMPARE(core::localized(u"Not in it: %1"_m.arg(1)), u"Not in it: 1"_s);
    // As a client of another version gets it: the English text where the template is not known, whatever the template would make.
    QCOMPARE(core::localized(Message::fromParts(u"Text"_s, u"Other"_s, {})), u"Text"_s);
    QCoreApplication::removeTranslator(&catalogue);
}

void TestMessage::jsonBringsItOver()
{
    const Message message = u"The machine %1 has %2."_m.arg(u"l\"ab"_s, u"%1 GPUs"_m.arg(4));
    QCOMPARE(overTheWire(message), message);
    QCOMPARE(overTheWire(u"Gone."_m), u"Gone."_m);
    QCOMPARE(overTheWire(u"only text"_s), Message(u"only text"_s));
    Json json = Json::object();
    core::addMessage(json, "message", message);
    const QByteArray expected = R"({"message":"The machine l\"ab has 4 GPUs.","messageKey":"The machine %1 has %2.",)"
                                R"("messageArguments":["l\"ab",{"key":"%1 GPUs","arguments":["4"]}]})";
    QCOMPARE(core::dumpJson(json), expected);
    QByteArray appended;
    core::appendMessageKey(appended, message);
    core::appendMessageArguments(appended, message);
    QCOMPARE(appended, QByteArray(R"("The machine %1 has %2."["l\"ab",{"key":"%1 GPUs","arguments":["4"]}])"));
    appended.clear();
    core::appendMessageKey(appended, u"only text"_s);
    core::appendMessageArguments(appended, u"only text"_s);
    QCOMPARE(appended, QByteArray("null[]"));

    core::Trial trial;
    trial.reason = message;
    const auto read = core::trialFromJson(core::toJson(trial));
    QVERIFY(read);
    QCOMPARE(read->reason, message);
}

void TestMessage::hostileJson_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("text");
    QTest::newRow("key is a number") << QByteArray(R"({"m":"a","mKey":7,"mArguments":[]})") << u"a"_s;
    QTest::newRow("arguments are an object") << QByteArray(R"({"m":"a","mKey":"%1","mArguments":{"0":1}})") << u"a"_s;
    QTest::newRow("arguments of all types")
        << QByteArray(R"({"m":"a","mKey":"%1","mArguments":[1,null,{"key":2},[],{"arguments":["x"]}]})") << u"a"_s;
    QTest::newRow("text is missing") << QByteArray(R"({"mKey":"Gone."})") << QString();
    QTest::newRow("no object") << QByteArray("[]") << QString();
    QByteArray deep = "\"x\"";
    for (int i = 0; i < 50; ++i)
        deep = R"({"key":"%1","arguments":[)" + deep + "]}";
    QTest::newRow("deep") << R"({"m":"a","mKey":"%1","mArguments":[)" + deep + "]}" << u"a"_s;
}

void TestMessage::hostileJson()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, text);
    const auto parsed = core::parseJson(json);
    QVERIFY2(parsed, qPrintable(parsed ? QString() : parsed.error().message.text()));
    const Message message = core::readMessage(*parsed, "m");
    QCOMPARE(message.text(), text);
    QVERIFY(core::localized(message).size() <= core::maxMessageChars);
}

void TestMessage::templatesThatGrowAreCut()
{
    QByteArray json = "\"" + QByteArray(1'000, 'x') + "\"";
    for (int i = 0; i < core::maxMessageDepth; ++i)
        json = R"({"key":"%1%1%1%1%1%1%1%1","arguments":[)" + json + "]}";
    json = R"({"m":"a","mKey":"%1%1%1%1%1%1%1%1","mArguments":[)" + json + "]}";
    const Message message = core::readMessage(*core::parseJson(json), "m");
    QCOMPARE(message.text(), u"a"_s);
    QVERIFY(core::localized(message).size() <= core::maxMessageChars);
}

void TestMessage::onlyWordsInGapsChange()
{
    const Message message = u"host is wrong: %1"_m.arg(u"%1 of host"_m.arg(u"the host"_s));
    const Message other =
        message.withWords([](const QString& words) { return QString(words).replace(u"host"_s, u"user"_s); });
    QCOMPARE(other.text(), u"host is wrong: the user of host"_s);
    QCOMPARE(other.key(), message.key());
}

QTEST_GUILESS_MAIN(TestMessage)
#include "tst_message.moc"
