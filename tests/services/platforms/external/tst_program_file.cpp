// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/external/program_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::external;

class TestProgramFile : public QObject
{
    Q_OBJECT
private slots:
    void names();
    void writtenAndRead();
    void oneWrongAmongGoodOnes();
};

void TestProgramFile::names()
{
    for (const char* good : {"a", "spooler", "my-queue-2"})
        QVERIFY2(isProgramName(QLatin1StringView(good)), good);
    for (const char* bad :
        {"", "2x", "-x", "A", "a.b", "a/b", "..", "a b", "a\n", "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddX"})
        QVERIFY2(!isProgramName(QLatin1StringView(bad)), bad);
}

static ProgramFile sample(const QString& name)
{
    ProgramFile file;
    file.name = name;
    file.command = {u"python3"_s, u"/a b/ü.py"_s, u""_s};
    file.described = Json::object({{"title", "T"}});
    return file;
}

void TestProgramFile::writtenAndRead()
{
    const QTemporaryDir folder;
    QVERIFY(writeProgramFile(folder.path(), sample(u"x"_s)));
    const Result<ProgramFile> read = readProgramFile(folder.path(), u"x"_s);
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QCOMPARE(read->command, sample({}).command);
    QCOMPARE(read->description.title, u"T"_s);
    QVERIFY(!readProgramFile(folder.path(), u"y"_s));
    QVERIFY(!readProgramFile(folder.path(), u"../external/x"_s));
    QVERIFY(removeProgramFile(folder.path(), u"x"_s));
    QCOMPARE(removeProgramFile(folder.path(), u"x"_s).error().kind, Kind::not_found);
    QVERIFY(!removeProgramFile(folder.path(), u"../../etc/passwd"_s));
}

void TestProgramFile::oneWrongAmongGoodOnes()
{
    const QTemporaryDir folder;
    QList<Error> problems;
    QVERIFY(readProgramFiles(folder.path(), problems).isEmpty() && problems.isEmpty());
    QVERIFY(writeProgramFile(folder.path(), sample(u"a"_s)));
    QVERIFY(writeProgramFile(folder.path(), sample(u"z"_s)));
    const QList<std::pair<QString, QByteArray>> bad{{u"b"_s, ""}, {u"c"_s, "{}"}, {u"d"_s, "[]"},
        {u"e"_s, R"({"command": [], "description": {"title": "t"}})"},
        {u"f"_s, R"({"command": ["x"], "description": {}})"},
        {u"g"_s, R"({"command": [7], "description": {"title": "t"}})"},
        {u"H"_s, R"({"command": ["x"], "description": {"title": "t"}})"}};
    for (const auto& [name, text] : bad) {
        QFile file(folder.filePath(u"external/%1.json"_s.arg(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    const QList<ProgramFile> read = readProgramFiles(folder.path(), problems);
    QCOMPARE(read.size(), 2);
    QCOMPARE(problems.size(), bad.size());
    for (const Error& problem : problems)
        QVERIFY2(problem.message.text().startsWith(folder.path()), qPrintable(problem.message));
}

QTEST_GUILESS_MAIN(TestProgramFile)
#include "tst_program_file.moc"
