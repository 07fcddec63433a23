// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_tree.h"

#include "services/package/ignore_file.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <random>
#include <set>

using namespace Qt::StringLiterals;
using namespace package;

/// Ignore files by folder ("" is the root), and whether each path is ignored by them, its folders included.
using Files = std::map<QByteArray, QByteArray>;

static bool isIgnored(const Files& files, const QByteArray& path, bool isFolder)
{
    IgnoreRules rules;
    const auto enter = [&](const QByteArray& folder) {
        if (const auto file = files.find(folder); file != files.end())
            rules = rules.with(folder, IgnoreFile(file->second));
    };
    enter({});
    for (qsizetype slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
        if (rules.isIgnored(path.first(slash), true))
            return true;
        enter(path.first(slash));
    }
    return rules.isIgnored(path, isFolder);
}

class TestIgnoreFile : public QObject
{
    Q_OBJECT

private slots:
    void patterns_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("path"); // with a slash at the end: a folder
        QTest::addColumn<bool>("ignored");
        const auto row = [](const QByteArray& text, const QByteArray& path, bool ignored) {
            QByteArray name = text + " : " + path;
            QTest::newRow(name.replace('\n', '|').constData()) << text << path << ignored;
        };
        row("a", "a", true);
        row("a", "x/a", true);
        row("a", "x/a/", true);
        row("a", "ab", false);
        row("/a", "a", true);
        row("/a", "x/a", false);
        row("a/", "a", false);
        row("a/", "a/", true);
        row("a/", "x/a/", true);
        row("a/", "a/b", true);
        row("a/b", "a/b", true);
        row("a/b", "x/a/b", false);
        row("*.pt", "x/y.pt", true);
        row("*.pt", ".pt", true);
        row("/*.pt", "x/y.pt", false);
        row("a*b", "a/b", false);
        row("a?b", "a/b", false);
        row("x/a[!c]b", "x/a/b", false);
        row("**/a", "a", true);
        row("**/a", "x/y/a", true);
        row("a/**", "a/", false);
        row("a/**", "a/x/y", true);
        row("a/**/b", "a/b", true);
        row("a/**/b", "a/x/y/b", true);
        row("a/**/b", "a/xb", false);
        row("a**b", "axb", true);
        row("x/a**b", "x/a/b", false);
        // Behind a beginning without wildcards, two stars are as at the beginning: git compares that part on its own.
        row("name**/x", "name/x", true);
        row("name**/x", "nameA/b/x", true);
        row("name**/x", "namex", true);
        row("n?me**/x", "nameA/x", true);
        row("n?me**/x", "nameA/b/x", false);
        row("d/na\\me**/x", "d/nameA/b/x", false);
        row("d/name**", "d/nameA/b", true);
        row("#a", "#a", false);
        row("\\#a", "#a", true);
        row("!a", "a", false);
        row("\\!a", "!a", true);
        row("*\n!a", "a", false);
        row("*\n!a", "b", true);
        row("x\n!x/a", "x/a", true);
        row("x/*\n!x/a", "x/a", false);
        row("a  ", "a", true);
        row("a\\ ", "a ", true);
        row("a\\ ", "a", false);
        row("a\\  ", "a ", true);
        row("a\t", "a", false);
        row("a\\", "a\\", false);
        row("\\a", "a", true);
        row("a\r\nb", "a", true);
        row("\xef\xbb\xbf"
            "a",
            "a", true);
        row("[a-c]", "b", true);
        row("[a-c]", "d", false);
        row("[!a-c]", "d", true);
        row("[^a-c]", "b", false);
        row("[]a]", "]", true);
        row("[]-]", "-", true);
        row("[a\\]]", "]", true);
        row("[[:digit:]x]", "7", true);
        row("[[:digit:]x]", "y", false);
        row("[[:nope:]x]", "x", false);
        row("[a", "[a", false);
        row("[a", "a", false);
        row("\\[a", "[a", true);
        row("", "a", false);
        row("/", "a", false);
        row("\n\n  \n", "a", false);
        row("*", "x/y/z", true);
        row("**", "x/y", true);
        row("\xff*", "\xff\xfe", true);
        row("größe", "größe", true);
    }

    void patterns()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, path);
        QFETCH(bool, ignored);
        const bool isFolder = path.endsWith('/');
        if (isFolder)
            path.chop(1);
        QCOMPARE(isIgnored({{"", text}}, path, isFolder), ignored);
    }

    void nestedFiles()
    {
        const Files files{{"", "*.log\n/keep\n"}, {"a", "!b.log\n/c\nd/e\n"}, {"a/x", "*.txt\n"}};
        QVERIFY(isIgnored(files, "b.log", false));
        QVERIFY(!isIgnored(files, "a/b.log", false));
        QVERIFY(!isIgnored(files, "a/q/b.log", false));
        QVERIFY(isIgnored(files, "a/q/z.log", false));
        QVERIFY(isIgnored(files, "a/c", false));
        QVERIFY(!isIgnored(files, "c", false));
        QVERIFY(!isIgnored(files, "a/q/c", false));
        QVERIFY(isIgnored(files, "a/d/e", false));
        QVERIFY(!isIgnored(files, "d/e", false));
        QVERIFY(isIgnored(files, "a/x/y.txt", false));
        QVERIFY(!isIgnored(files, "a/y.txt", false));
        QVERIFY(!isIgnored(files, "a/keep", false));
    }

    void defaultsCanBeTakenBack()
    {
        const IgnoreRules plain(defaultIgnores());
        for (const char* name : {".git", ".venv", "__pycache__", "node_modules", "wandb", "mlruns"}) {
            QVERIFY(plain.isIgnored(name, true));
            QVERIFY(plain.isIgnored(QByteArray("a/b/") + name, true));
        }
        QVERIFY(plain.isIgnored(".git", false));
        QVERIFY(!plain.isIgnored("wandb", false));
        QVERIFY(!plain.isIgnored("wandb.py", false));
        QVERIFY(!plain.isIgnored("src", true));
        const IgnoreRules named = plain.with({}, IgnoreFile("!wandb\n"));
        QVERIFY(!named.isIgnored("wandb", true));
        QVERIFY(named.isIgnored("mlruns", true));
    }

    void hostilePatternsAreQuick()
    {
        const IgnorePattern pattern(QByteArray("**/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b/").repeated(20));
        QVERIFY(!pattern.matches(QByteArray(4000, 'a'), false));
    }

    /// Thousands of random patterns over a small alphabet, on a tree with awkward names, against git itself.
    void agreesWithGit()
    {
        const QString git = QStandardPaths::findExecutable(u"git"_s);
        if (git.isEmpty())
            QSKIP("git is not installed");
        CodeTree tree;
        std::vector<std::pair<QByteArray, bool>> paths;
        const QByteArrayList names{
            "a", "b", "ab", "a b", "a ", ".a", "#a", "!a", "[a]", "a-b", "a\\", "a.txt", "7", "\xc3\xa9"};
        for (const QByteArray& outer : names) {
            if (names.indexOf(outer) % 2 == 0) {
                tree.file(outer);
                paths.emplace_back(outer, false);
                continue;
            }
            tree.folder(outer);
            paths.emplace_back(outer, true);
            for (const QByteArray& inner : names) {
                const QByteArray path = outer + '/' + inner;
                const bool isFolder = names.indexOf(inner) % 3 == 0;
                paths.emplace_back(path, isFolder);
                if (!isFolder) {
                    tree.file(path);
                    continue;
                }
                for (const char* leaf : {"a", "b", "ab", "a.txt"}) {
                    tree.file(path + '/' + leaf);
                    paths.emplace_back(path + '/' + leaf, false);
                }
            }
        }

        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"GIT_CONFIG_NOSYSTEM"_s, u"1"_s);
        environment.insert(u"GIT_CONFIG_GLOBAL"_s, u"/dev/null"_s);
        environment.insert(u"XDG_CONFIG_HOME"_s, u"/nonexistent"_s);
        const auto runGit = [&](const QStringList& arguments, const QByteArray& input) {
            QProcess process;
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(tree.path());
            process.start(git, arguments);
            process.write(input);
            process.closeWriteChannel();
            process.waitForFinished();
            return process.exitCode() <= 1 ? process.readAllStandardOutput()
                                           : QByteArray("(failed)") + process.readAllStandardError();
        };
        QVERIFY(!runGit({u"init"_s, u"-q"_s}, {}).startsWith("(failed)"));

        std::mt19937 random(20);
        const QByteArrayList pieces{"a", "b", "ab", "*", "**", "?", "/", "/", "/**/", "**/", "/**", "[ab]", "[!a]",
            "[a-c]", "[]a]", "[^b", "[[:alpha:]]", "[[:digit:]-z]", "[a\\]]", "\\a", "\\#", "\\[", " ", "\\ ", ".", "-",
            ".txt", "!", "#", "[", "]", "\\", "7", "\xc3\xa9", "[[:x:]]", "[--a]", "[a-", "***", "**\\/"};
        const auto line = [&] {
            QByteArray text = random() % 4 == 0 ? "!" : random() % 5 == 0 ? "/" : "";
            for (unsigned n = 1 + random() % 5; n > 0; --n)
                text += pieces[qsizetype(random() % unsigned(pieces.size()))];
            if (random() % 4 == 0)
                text += '/';
            if (random() % 8 == 0)
                text += "  ";
            return text;
        };
        QByteArray input;
        for (const auto& [path, isFolder] : paths)
            input += path + '\0';
        int ignored = 0;
        int kept = 0;
        for (int round = 0; round < 60; ++round) {
            Files files;
            for (const char* folder : {"", "b", "a b"}) {
                const bool isRoot = !*folder;
                QByteArray text;
                if (isRoot || round % 3 == 0)
                    for (unsigned n = 1 + random() % 4; n > 0; --n)
                        text += line() + '\n';
                files[folder] = text;
                tree.file(isRoot ? QByteArray(".gitignore") : QByteArray(folder) + "/.gitignore", text);
            }
            const QByteArray output = runGit({u"check-ignore"_s, u"--no-index"_s, u"-z"_s, u"--stdin"_s}, input);
            QVERIFY2(!output.startsWith("(failed)"), output.constData());
            const QByteArrayList list = output.split('\0');
            const std::set<QByteArray> byGit(list.begin(), list.end());
            for (const auto& [path, isFolder] : paths) {
                const bool expected = byGit.contains(path);
                ++(expected ? ignored : kept);
                QVERIFY2(isIgnored(files, path, isFolder) == expected,
                    ("round " + QByteArray::number(round) + " path \"" + path + (isFolder ? "/" : "") + "\" git says "
                        + (expected ? "ignored" : "kept") + "\nroot:\n" + files[""] + "b:\n" + files["b"] + "a b:\n"
                        + files["a b"])
                        .constData());
            }
        }
        QVERIFY2(ignored > 500 && kept > 500, qPrintable(u"%1 ignored, %2 kept"_s.arg(ignored).arg(kept)));
        qInfo("%d answers ignored and %d kept agree with git", ignored, kept);
    }
};

QTEST_GUILESS_MAIN(TestIgnoreFile)
#include "tst_ignore_file.moc"
