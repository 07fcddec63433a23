// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machines/terminal_command.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using models::ProgramStart;

namespace {

Machine machine(const QString& address)
{
    Machine one;
    one.id = MachineId(u"lab.1"_s);
    one.platformId = PlatformId(u"lab"_s);
    one.address = address;
    return one;
}

PlatformPtr platform(const QString& kind, const Json& machines = Json::array())
{
    Platform one;
    one.id = PlatformId(u"lab"_s);
    one.kind = kind;
    one.settings = Json{{"machineList", machines}};
    return std::make_shared<const Platform>(one);
}

models::FindProgram having(const QStringList& programs)
{
    return [programs](const QString& name) { return programs.contains(name) ? u"/usr/bin/"_s + name : QString(); };
}

} // namespace

class TestTerminalCommand : public QObject
{
    Q_OBJECT
private slots:
    void sshGetsTheOptionsOfThePlatform()
    {
        const PlatformPtr lab = platform(u"remote"_s,
            Json::array(
                {{{"host", "lab1"}}, {{"host", "lab2"}, {"user", "sam"}, {"port", 2222}, {"sshKeyFile", "/k/a key"}}}));
        const auto start = models::terminalStart(
            machine(u"sam@lab2:2222"_s), lab, u"desk"_s, having({u"konsole"_s, u"xterm"_s, u"ssh"_s}));
        QVERIFY2(start, start ? "" : qPrintable(start.error().message));
        QCOMPARE(start->program, u"/usr/bin/konsole"_s);
        QCOMPARE(start->arguments,
            (QStringList{u"-e"_s, u"/usr/bin/ssh"_s, u"-p"_s, u"2222"_s, u"-l"_s, u"sam"_s, u"-i"_s, u"/k/a key"_s,
                u"-o"_s, u"IdentitiesOnly=yes"_s, u"--"_s, u"lab2"_s}));
        const auto plain = models::sshArguments(machine(u"lab1"_s), *lab);
        QVERIFY(plain);
        QCOMPARE(*plain, (QStringList{u"--"_s, u"lab1"_s}));
    }

    void thisComputerGetsAShell()
    {
        const auto start =
            models::terminalStart(machine(u"desk"_s), platform(u"local"_s), u"desk"_s, having({u"xterm"_s}));
        QVERIFY(start);
        QVERIFY((*start == ProgramStart{u"/usr/bin/xterm"_s, {}}));
    }

    void saysWhyThereIsNone_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("address");
        QTest::addColumn<QStringList>("programs");
        QTest::addColumn<QString>("why");
        const QStringList both{u"xterm"_s, u"ssh"_s};
        QTest::newRow("no terminal") << u"remote"_s << u"lab1"_s << QStringList{u"ssh"_s} << u"No terminal program"_s;
        QTest::newRow("no ssh") << u"remote"_s << u"lab1"_s << QStringList{u"xterm"_s} << u"no program ssh"_s;
        QTest::newRow("a service elsewhere") << u"local"_s << u"server"_s << both << u"another computer, server"_s;
        QTest::newRow("another kind") << u"kubernetes"_s << u"node-1"_s << both << u"no shell"_s;
        QTest::newRow("an option as a host") << u"remote"_s << u"-oProxyCommand=x"_s << both << u"-"_s;
        QTest::newRow("a command as a host") << u"remote"_s << u"a$(touch x)"_s << both << u"host"_s;
        QTest::newRow("an odd user") << u"remote"_s << u"DOM\\a b@lab1"_s << both << u"not given to the program ssh"_s;
    }
    void saysWhyThereIsNone()
    {
        QFETCH(QString, kind);
        QFETCH(QString, address);
        QFETCH(QStringList, programs);
        QFETCH(QString, why);
        const auto start = models::terminalStart(machine(address), platform(kind), u"desk"_s, having(programs));
        QVERIFY(!start);
        QVERIFY2(start.error().message.contains(why), qPrintable(start.error().message));
    }
};

QTEST_MAIN(TestTerminalCommand)
#include "tst_terminal_command.moc"
