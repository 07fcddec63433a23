// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a platform matches a description, and what a new one is called.
#include "services/api/settings_match.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace api;

class TestSettingsMatch : public QObject
{
    Q_OBJECT

private slots:
    void settingsAreCompared_data()
    {
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QByteArray>("wanted");
        QTest::addColumn<bool>("same");
        const auto row = [](const char* name, QByteArray shown, QByteArray wanted, bool same) {
            QTest::newRow(name) << shown << wanted << same;
        };
        row("nothing wanted", R"({"a": 1})", "{}", true);
        row("more than wanted", R"({"a": 1, "b": 2})", R"({"b": 2})", true);
        row("another value", R"({"a": 1})", R"({"a": 2})", false);
        row("not there", R"({"a": 1})", R"({"b": 1})", false);
        row("lists in order", R"({"a": [{"h": 1, "x": 0}, {"h": 2}]})", R"({"a": [{"h": 1}, {"h": 2}]})", true);
        row("lists turned", R"({"a": [1, 2]})", R"({"a": [2, 1]})", false);
        row("a longer list", R"({"a": [1, 2]})", R"({"a": [1]})", false);
        row("a secret that is set", R"({"p": {"set": true}})", R"({"p": "word"})", true);
        row("a secret that is not", R"({"p": {"set": false}})", R"({"p": "word"})", false);
        row("a secret is no object", R"({"p": {"set": true}})", R"({"p": {"set": true}})", false);
    }
    void settingsAreCompared()
    {
        QFETCH(QByteArray, shown);
        QFETCH(QByteArray, wanted);
        QFETCH(bool, same);
        QCOMPARE(settingsSay(*parseJson(shown), *parseJson(wanted)), same);
    }

    void aNewPlatformGetsAFreeName_data()
    {
        QTest::addColumn<QStringList>("taken");
        QTest::addColumn<QString>("name");
        QTest::newRow("first") << QStringList{u"local"_s} << u"remote"_s;
        QTest::newRow("second") << QStringList{u"remote"_s} << u"remote-2"_s;
        QTest::newRow("third") << QStringList{u"remote-2"_s, u"remote"_s} << u"remote-3"_s;
        QTest::newRow("a gap") << QStringList{u"remote"_s, u"remote-3"_s} << u"remote-2"_s;
        QTest::newRow("the kind is free") << QStringList{u"remote-2"_s} << u"remote"_s;
    }
    void aNewPlatformGetsAFreeName()
    {
        QFETCH(QStringList, taken);
        QFETCH(QString, name);
        QCOMPARE(freePlatformName(u"remote"_s, [&taken](const QString& id) { return taken.contains(id); }), name);
    }
};

QTEST_GUILESS_MAIN(TestSettingsMatch)
#include "tst_settings_match.moc"
