// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_tree.h"

#include "services/package/file_walk.h"

#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>

using namespace Qt::StringLiterals;
using namespace package;

static QByteArrayList names(const FileList& list)
{
    QByteArrayList result;
    for (const FileEntry& entry : list.entries)
        result.append(entry.path
            + (entry.type == FileEntry::Type::folder      ? "/"
                    : entry.type == FileEntry::Type::link ? "@"
                                                          : ""));
    return result;
}

static const FileEntry* find(const FileList& list, const QByteArray& path)
{
    for (const FileEntry& entry : list.entries)
        if (entry.path == path)
            return &entry;
    return nullptr;
}

class TestFileWalk : public QObject
{
    Q_OBJECT

private slots:
    void listsSorted()
    {
        CodeTree tree;
        tree.file("train.py", "print()", 0755);
        tree.file("a/b.py", "12345");
        tree.file("a.txt", "1");
        tree.folder("empty/inner");
        tree.file("with space\nand line", "");
        tree.file("\xff\xfe.bin", "ab");
        const auto list = walkCode(tree.path());
        QVERIFY2(list, qPrintable(list ? QString() : list.error().message.text()));
        QCOMPARE(names(*list),
            QByteArrayList({"a/", "a.txt", "a/b.py", "empty/", "empty/inner/", "train.py", "with space\nand line",
                "\xff\xfe.bin"}));
        QCOMPARE(list->fileCount, 5);
        QCOMPARE(list->totalBytes, 15);
        QVERIFY(find(*list, "train.py")->executable);
        QVERIFY(!find(*list, "a.txt")->executable);
        QCOMPARE(find(*list, "a/b.py")->size, 5);
        QVERIFY(find(*list, "a/b.py")->mtimeNs > 1'600'000'000'000'000'000);
        QVERIFY(list->findings.empty());
        QVERIFY(list->root.startsWith('/'));
    }

    void obeysIgnoreFiles()
    {
        CodeTree tree;
        tree.file(".nniignore", "*.pt\n/data/\n!wandb/\n");
        tree.file("model.pt");
        tree.file("data/x");
        tree.file("src/data/y");
        tree.file("src/.nniignore", "/local\n!keep.pt\n");
        tree.file("src/local");
        tree.file("src/keep.pt");
        tree.file("src/deep/local");
        tree.file("wandb/run");
        tree.file("src/__pycache__/c.pyc");
        tree.file(".git/HEAD");
        const auto list = walkCode(tree.path());
        QVERIFY(list);
        QCOMPARE(names(*list),
            QByteArrayList({".nniignore", "src/", "src/.nniignore", "src/data/", "src/data/y", "src/deep/",
                "src/deep/local", "src/keep.pt", "wandb/", "wandb/run"}));
        QCOMPARE(walkCode(tree.path(), WalkOptions::everything())->fileCount, 11);
    }

    void secretsStayAtHome_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("leftOut");
        for (const char* name :
            {".env", "sub/.env", ".env.local", ".ssh/config", "home/.ssh/known_hosts", ".netrc", ".aws/credentials",
                ".azure/x", ".kube/config", ".gnupg/x", ".config/gcloud/x", "home/.config/gcloud/x",
                ".docker/config.json", "home/.docker/config.json", ".pypirc", "tls/server.pem", "server.key", "id_rsa",
                "id_rsa.old", "id_dsa", "id_ecdsa", "keys/id_ed25519", "id_ed25519_work"})
            QTest::newRow(name) << QByteArray(name) << true;
        for (const char* name :
            {".env.example", ".env.sample", ".env.template", "environment", ".npmrc", ".config/other", ".docker/other",
                "config.json", "id_rsa.pub", "keys/id_ed25519.pub", "pem", "key.py", "aws/x", ".envrc"})
            QTest::newRow(name) << QByteArray(name) << false;
    }

    void secretsStayAtHome()
    {
        QFETCH(QByteArray, name);
        QFETCH(bool, leftOut);
        CodeTree tree;
        tree.file("train.py");
        tree.file(name);
        const auto list = walkCode(tree.path());
        QVERIFY(list);
        QCOMPARE(!find(*list, name), leftOut);
        QVERIFY(find(*list, "train.py"));
        QCOMPARE(list->findings.size(), leftOut ? 1u : 0u);
        if (!leftOut)
            return;
        const WalkFinding& finding = list->findings[0];
        QVERIFY(name.startsWith(finding.path));
        QVERIFY2(finding.message.contains(u"may hold secrets"_s), qPrintable(finding.message));
        // The line that the finding names includes it.
        const QByteArray line = '!' + ignoreLine(finding.path, finding.path != name);
        QVERIFY2(finding.message.contains(u"with the line %1 in "_s.arg(QString::fromUtf8(line))),
            qPrintable(finding.message));
        tree.file(".nniignore", line + '\n');
        const auto again = walkCode(tree.path());
        QVERIFY(again);
        QVERIFY(find(*again, finding.path));
        WalkOptions everything = WalkOptions::everything();
        QVERIFY(find(*walkCode(tree.path(), everything), name));
    }

    void pythonEnvironmentsStayAtHome_data()
    {
        QTest::addColumn<QByteArray>("marker");
        QTest::newRow("venv") << QByteArray("env/pyvenv.cfg");
        QTest::newRow("any name") << QByteArray("sub/my tools/pyvenv.cfg");
        QTest::newRow("conda") << QByteArray("env/conda-meta/history");
    }
    void pythonEnvironmentsStayAtHome()
    {
        QFETCH(QByteArray, marker);
        CodeTree tree;
        tree.file("train.py");
        tree.file(marker);
        const QByteArray folder = marker.left(marker.lastIndexOf(marker.contains("conda") ? "/conda-meta" : "/pyvenv"));
        // What refused a run before: its links to the interpreter lead outside.
        tree.link(folder + "/bin/python", "/usr/bin/env");
        const auto list = walkCode(tree.path());
        QVERIFY2(list, qPrintable(list ? QString() : list.error().message.text()));
        QVERIFY(find(*list, "train.py"));
        QVERIFY(!find(*list, folder) && !find(*list, marker));
        QCOMPARE(list->findings.size(), 1u);
        QCOMPARE(list->findings[0].path, folder);
        const QByteArray line = '!' + ignoreLine(folder, true);
        QVERIFY2(list->findings[0].message.contains(u"with the line %1 in "_s.arg(QString::fromUtf8(line))),
            qPrintable(list->findings[0].message));
        QVERIFY(QFile::remove(tree.path() + u'/' + QString::fromUtf8(folder) + u"/bin/python"_s));
        tree.file(".nniignore", line + '\n');
        const auto again = walkCode(tree.path());
        QVERIFY(again && find(*again, marker));
        QVERIFY(find(*walkCode(tree.path(), WalkOptions::everything()), marker));
    }
    void secretsAreIncludedByNameOnly_data()
    {
        QTest::addColumn<QByteArray>("ignore");
        QTest::addColumn<bool>("included");
        QTest::addColumn<bool>("found");
        QTest::newRow("nothing said") << ""_ba << false << true;
        QTest::newRow("by name") << "!.env\n"_ba << true << false;
        QTest::newRow("by a pattern that names it") << "!.env*\n"_ba << true << false;
        QTest::newRow("all") << "!*\n"_ba << false << true;
        QTest::newRow("all that is hidden") << "!.*\n"_ba << false << true;
        QTest::newRow("all of everything") << "*\n!**\n"_ba << false << true;
        QTest::newRow("by name, then all") << "!/.env\n!*\n"_ba << true << false;
        QTest::newRow("ignored") << ".env\n"_ba << false << false;
        QTest::newRow("by name, then ignored") << "!.env\n.env\n"_ba << false << false;
        QTest::newRow("ignored, then all") << "!.env\n.env\n!*\n"_ba << false << true;
    }

    void secretsAreIncludedByNameOnly()
    {
        QFETCH(QByteArray, ignore);
        QFETCH(bool, included);
        QFETCH(bool, found);
        CodeTree tree;
        tree.file(".nniignore", ignore);
        tree.file(".env");
        const auto list = walkCode(tree.path());
        QVERIFY(list);
        QCOMPARE(find(*list, ".env") != nullptr, included);
        QCOMPARE(!list->findings.empty(), found);
    }

    void aNameInAnOuterFileCounts()
    {
        CodeTree tree;
        tree.file(".nniignore", "!/src/.env\n");
        tree.file("src/.nniignore", "!*\n");
        tree.file("src/.env");
        QVERIFY(find(*walkCode(tree.path()), "src/.env"));
        tree.file("src/.nniignore", ".env\n");
        QVERIFY(!find(*walkCode(tree.path()), "src/.env"));
    }

    void dataDirectoriesStayAtHome()
    {
        CodeTree tree;
        tree.file(".nniignore", "!*\n!/data\n!/data/token\n!token\n");
        tree.file("train.py");
        for (const char* name : {"service-id", "lock", "token", "config/secrets.json", "endpoint.json"})
            tree.file("data/" + QByteArray(name));
        tree.link("copy", "data/token");
        tree.file("other/lock");
        tree.file("third/service-id");
        const auto list = walkCode(tree.path());
        QVERIFY(list);
        QCOMPARE(names(*list),
            QByteArrayList({".nniignore", "copy@", "other/", "other/lock", "third/", "third/service-id", "train.py"}));
        QCOMPARE(list->findings.size(), 2u);
        QVERIFY2(list->findings[0].message.contains(u"data is left out"_s), qPrintable(list->findings[0].message));
        QVERIFY2(list->findings[0].message.contains(u"password"_s), qPrintable(list->findings[0].message));
        QVERIFY(list->findings[1].message.contains(u"data/token, which is left out"_s));
        // What the person leaves out anyway is nothing to tell about.
        tree.file(".nniignore", "/data\n/copy\n");
        QVERIFY(walkCode(tree.path())->findings.empty());
    }

    void ownFoldersStayAtHome()
    {
        CodeTree tree;
        tree.file("train.py");
        tree.file("conf/trialdeck/secrets.json");
        tree.file("state/log");
        const CodeTree elsewhere;
        elsewhere.link("way", QFile::encodeName(tree.path()));
        WalkOptions options;
        options.ownFolders = {
            elsewhere.path() + u"/way/conf/trialdeck"_s, tree.path() + u"/state"_s, tree.path() + u"/none"_s, {}};
        const auto list = walkCode(tree.path(), options);
        QVERIFY(list);
        QCOMPARE(names(*list), QByteArrayList({"conf/", "train.py"}));
        QCOMPARE(list->findings.size(), 2u);
        QVERIFY(list->findings[0].message.startsWith(u"conf/trialdeck is left out"_s));
        QCOMPARE(walkCode(tree.path())->fileCount, 3);
    }

    void tokensStayAtHome()
    {
        const QByteArray token("W8W5f9hyLmqHJ0x-x0rDKxqyjLbrKyEwR34Ivqu0J-r");
        CodeTree tree;
        tree.file("train.py");
        tree.file("service.token", token + '\n');
        tree.file("sub/copied", token);
        tree.file("own", "a token that a person made");
        tree.file("words", "0123456789 0123456789 0123456789 0123456789\n"); // as long, but no token
        tree.file("digest", token.left(42) + '\n');
        WalkOptions options;
        options.ownFolders = {tree.path() + u"/own"_s};
        const auto list = walkCode(tree.path(), options);
        QVERIFY(list);
        QCOMPARE(names(*list), QByteArrayList({"digest", "sub/", "train.py", "words"}));
        QCOMPARE(list->findings.size(), 3u);
        QVERIFY2(list->findings[0].message.startsWith(u"own is left out: it holds a token"_s),
            qPrintable(list->findings[0].message));
        for (const QString& word : {u"service.token is left out"_s, u"!/service.token"_s, u".nniignore"_s})
            QVERIFY2(list->findings[1].message.contains(word), qPrintable(list->findings[1].message));
        QVERIFY(list->findings[2].message.startsWith(u"sub/copied is left out"_s));

        tree.file(".nniignore", "!/service.token\n!/own\n");
        const auto again = walkCode(tree.path(), options);
        QVERIFY(again);
        QVERIFY(names(*again).contains("service.token"));
        QVERIFY(!names(*again).contains("own"));
    }

    void ownFoldersAreNoCode_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("itself") << u"data"_s;
        QTest::newRow("inside") << u"data/code/x"_s;
        QTest::newRow("by path") << u"own"_s;
        QTest::newRow("inside, by path") << u"own/x"_s;
        QTest::newRow("through a link") << u"way/x"_s;
    }

    void ownFoldersAreNoCode()
    {
        QFETCH(QString, folder);
        CodeTree tree;
        tree.file("data/service-id");
        tree.file("data/lock");
        tree.file("data/code/x/train.py");
        tree.file("own/x/train.py");
        tree.link("way", "own");
        WalkOptions options;
        options.ownFolders = {tree.path() + u"/own"_s};
        const auto list = walkCode(tree.path() + u'/' + folder, options);
        QVERIFY(!list);
        QCOMPARE(list.error().kind, Kind::invalid);
        for (const QString& word : {u"belongs to Trialdeck"_s, u"Choose"_s})
            QVERIFY2(list.error().message.contains(word), qPrintable(list.error().message));
        QVERIFY(walkCode(tree.path() + u'/' + folder, WalkOptions::everything()));
    }

    void linksInside_data()
    {
        QTest::addColumn<QByteArray>("link");
        QTest::addColumn<QByteArray>("target"); // ROOT is replaced by the folder
        QTest::addColumn<QByteArray>("kept");
        QTest::newRow("file") << "l"_ba
                              << "a/b"_ba
                              << "a/b"_ba;
        QTest::newRow("up") << "a/l"_ba
                            << "../c/d"_ba
                            << "../c/d"_ba;
        QTest::newRow("root") << "a/l"_ba
                              << ".."_ba
                              << ".."_ba;
        QTest::newRow("absolute") << "c/l"_ba
                                  << "ROOT/a/b"_ba
                                  << "../a/b"_ba;
        QTest::newRow("absolute root") << "c/l"_ba
                                       << "ROOT"_ba
                                       << "../."_ba;
        QTest::newRow("out and in") << "l"_ba
                                    << "../NAME/a/b"_ba
                                    << "a/b"_ba;
        QTest::newRow("dangling") << "l"_ba
                                  << "a/none"_ba
                                  << "a/none"_ba;
        QTest::newRow("through a link") << "l"_ba
                                        << "chain/b"_ba
                                        << "a/b"_ba;
    }

    void linksInside()
    {
        QFETCH(QByteArray, link);
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, kept);
        CodeTree tree;
        tree.file("a/b");
        tree.file("c/d");
        tree.link("chain", tree.full("a"));
        const QByteArray root = QFile::encodeName(QFileInfo(tree.path()).canonicalFilePath());
        target.replace("ROOT", root).replace("NAME", root.mid(root.lastIndexOf('/') + 1));
        tree.link(link, target);
        const auto list = walkCode(tree.path());
        QVERIFY2(list, qPrintable(list ? QString() : list.error().message.text()));
        QCOMPARE(find(*list, link)->linkTarget, kept);
        QCOMPARE(find(*list, "chain")->linkTarget, "a"_ba);
        const bool dangling = target.endsWith("none");
        QCOMPARE(list->findings.size(), dangling ? 1u : 0u);
        if (dangling)
            QVERIFY(list->findings[0].message.contains(u"a/none, which does not exist"_s));
    }

    void linkToWhatIsLeftOut()
    {
        CodeTree tree;
        tree.file(".nniignore", "data\n");
        tree.file("data/x");
        tree.link("d", "data");
        const auto list = walkCode(tree.path());
        QVERIFY(list);
        QCOMPARE(list->findings.size(), 1u);
        QVERIFY(list->findings[0].message.contains(u"data, which is left out"_s));
    }

    void linksOutsideAreRefused_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::newRow("absolute") << "/etc/passwd"_ba;
        QTest::newRow("relative") << "../../etc"_ba;
        QTest::newRow("neighbour") << "ROOT-other/x"_ba;
        QTest::newRow("nowhere") << "/nonexistent/x"_ba;
        QTest::newRow("through another") << "../hop/x"_ba;
    }

    void linksOutsideAreRefused()
    {
        QFETCH(QByteArray, target);
        CodeTree tree;
        tree.file(".nniignore", "hop\n");
        tree.link("hop", "/etc");
        target.replace("ROOT", QFile::encodeName(tree.path()));
        tree.link("sub/l", target);
        const auto list = walkCode(tree.path());
        QVERIFY(!list);
        QCOMPARE(list.error().kind, Kind::invalid);
        for (const QString& word : {u"sub/l"_s, u"outside"_s, u".nniignore"_s})
            QVERIFY2(list.error().message.contains(word), qPrintable(list.error().message));
        tree.file(".nniignore", "hop\n/sub/l\n");
        QVERIFY(walkCode(tree.path()));
    }

    void circlesAreRefused()
    {
        CodeTree tree;
        tree.link("a", "b");
        tree.link("b", "a");
        const auto list = walkCode(tree.path());
        QVERIFY(!list);
        QVERIFY(list.error().message.contains(u"circle"_s));
    }

    void specialFilesAreFound()
    {
        CodeTree tree;
        tree.file("a");
        QCOMPARE(::mkfifo(tree.full("pipe").constData(), 0600), 0);
        const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        qstrncpy(address.sun_path, tree.full("sock").constData(), sizeof address.sun_path);
        QCOMPARE(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        ::close(fd);
        const auto list = walkCode(tree.path());
        QVERIFY(list);
        QCOMPARE(names(*list), QByteArrayList({"a"}));
        QCOMPARE(list->findings.size(), 2u);
        QCOMPARE(list->findings[0].message, u"pipe is a pipe and is left out."_s);
        QCOMPARE(list->findings[1].message, u"sock is a socket and is left out."_s);
    }

    void unreadableIsNamed_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("file") << "sub/secret"_ba;
        QTest::newRow("folder") << "closed"_ba;
    }

    void unreadableIsNamed()
    {
        QFETCH(QByteArray, name);
        CodeTree tree;
        tree.file("sub/secret", "x", name == "closed" ? 0644 : 0000);
        tree.file("closed/x");
        ::chmod(tree.full("closed").constData(), name == "closed" ? 0000 : 0755);
        ::chmod(tree.full("").constData(), 0755);
        const bool isRoot = ::geteuid() == 0;
        if (isRoot)
            QCOMPARE(::seteuid(65534), 0); // root may read everything
        const auto list = walkCode(tree.path());
        if (isRoot)
            QCOMPARE(::seteuid(0), 0);
        ::chmod(tree.full("closed").constData(), 0755);
        QVERIFY(!list);
        QVERIFY2(list.error().message.contains(QString::fromUtf8(name)), qPrintable(list.error().message));
        QVERIFY2(list.error().message.contains(u"ermission denied"_s), qPrintable(list.error().message));
    }

    void tooManyFiles()
    {
        CodeTree tree;
        for (int i = 0; i < 30; ++i)
            tree.file("data/raw/" + QByteArray::number(i));
        for (int i = 0; i < 5; ++i)
            tree.file("src/" + QByteArray::number(i));
        tree.file("main.py");
        WalkOptions options;
        options.maxFiles = 35;
        const auto list = walkCode(tree.path(), options);
        QVERIFY(!list);
        QCOMPARE(list.error().kind, Kind::invalid);
        for (const QString& words :
            {u"36 files, and 35 are allowed"_s, u"data/raw (30 files"_s, u"src (5 files"_s, u"/data/raw/ in "_s})
            QVERIFY2(list.error().message.contains(words), qPrintable(list.error().message));
        options.unlimited = true;
        QCOMPARE(walkCode(tree.path(), options)->fileCount, 36);
        options.unlimited = false;
        options.maxFiles = 36;
        QVERIFY(walkCode(tree.path(), options));
        tree.file(".nniignore", "/data/raw/\n");
        options.maxFiles = 7;
        QVERIFY(walkCode(tree.path(), options));
    }

    void tooManyBytes()
    {
        CodeTree tree;
        tree.file("weights/a.bin", QByteArray(3 * 1024 * 1024, 'w'));
        tree.file("src/x", QByteArray(100'000, 'x'));
        WalkOptions options;
        options.maxBytes = 3 * 1024 * 1024;
        const auto list = walkCode(tree.path(), options);
        QVERIFY(!list);
        for (const QString& words :
            {u"3.1 MiB, and 3.0 MiB are allowed"_s, u"weights (1 file, 3.0 MiB), src (1 file, 98 KiB)"_s})
            QVERIFY2(list.error().message.contains(words), qPrintable(list.error().message));
    }

    void largestFoldersDigDeeper()
    {
        FileList list;
        const auto add = [&](const QByteArray& path, qint64 size) {
            FileEntry entry;
            entry.path = path;
            entry.size = size;
            list.entries.push_back(entry);
        };
        add("a/b/c/1", 800);
        add("a/b/2", 50);
        add("a/3", 10);
        add("d/4", 500);
        add("d/e/5", 400);
        add("6", 7);
        for (const char* name : {"p/1", "q/1", "r/1", "s/1"})
            add(name, 1);
        const auto largest = largestFolders(list, true);
        QCOMPARE(largest.size(), 5u);
        QCOMPARE(largest[0].path, "d"_ba);
        QCOMPARE(largest[0].bytes, 900);
        QCOMPARE(largest[0].files, 2);
        QCOMPARE(largest[1].path, "a/b/c"_ba);
        QCOMPARE(largest[1].bytes, 800);
        QCOMPARE(largest[2].path, ""_ba);
        QCOMPARE(largest[2].bytes, 7);
        QCOMPARE(largestFolders(list, false)[0].path, "a"_ba);
        QVERIFY(largestFolders({}, true).empty());
        QCOMPARE(ignoreLine("a [1]*?\\x ", false), "/a \\[1]\\*\\?\\\\x\\ "_ba);
        QCOMPARE(ignoreLine("a/b", true), "/a/b/"_ba);
    }

    void wrongRootAndCancel()
    {
        CodeTree tree;
        tree.file("a");
        QCOMPARE(walkCode(tree.path() + u"/none"_s).error().kind, Kind::not_found);
        QVERIFY(walkCode(tree.path() + u"/none"_s).error().message.contains(u"none"_s));
        QVERIFY(!walkCode(tree.path() + u"/a"_s));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(walkCode(tree.path(), {}, stop.get_token()).error().kind, Kind::cancelled);
    }
};

QTEST_GUILESS_MAIN(TestFileWalk)
#include "tst_file_walk.moc"
