// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_tree.h"

#include "services/package/archive.h"

#include <QCryptographicHash>
#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <archive.h>
#include <archive_entry.h>
#include <random>
#include <sys/stat.h>
#include <thread>

using namespace Qt::StringLiterals;
using namespace package;

/// Everything that counts of a tree, as text.
static QByteArray describe(const FileList& list, const QByteArray& root)
{
    QByteArray text;
    for (const FileEntry& entry : list.entries) {
        text += entry.path + '|' + QByteArray::number(int(entry.type)) + (entry.executable ? "x" : "-")
            + entry.linkTarget + '|';
        if (entry.type == FileEntry::Type::file) {
            QFile file(QFile::decodeName(root + '/' + entry.path));
            text += file.open(QIODevice::ReadOnly)
                ? QCryptographicHash::hash(file.readAll(), QCryptographicHash::Md5).toHex()
                : "?"_ba;
        }
        text += '\n';
    }
    return text;
}

static quint64 inodeOf(const QString& file)
{
    struct stat status
    {
    };
    return ::lstat(QFile::encodeName(file).constData(), &status) == 0 ? quint64(status.st_ino) : 0;
}

static void fill(const CodeTree& tree)
{
    tree.file("train.py", "print('hello')\n", 0755);
    tree.file("src/deep/er/model.py", QByteArray(300'000, 'm'));
    tree.file("src/zero", "");
    tree.file(QByteArray(120, 'n') + '/' + QByteArray(140, 'm') + "/long", "long name");
    tree.file("with space\nand line", "1");
    tree.file("\xff\xfe.bin", "not text");
    tree.file("größe.txt", "UTF-8");
    tree.folder("empty");
    tree.link("src/link", "../train.py");
    tree.link("longlink", QByteArray(120, 'n') + '/' + QByteArray(140, 'm') + "/long");
}

struct Member
{
    QByteArray name;
    int type = AE_IFREG;
    QByteArray content = "x";
    QByteArray target;
    bool hard = false;
    int mode = 0644;
};

/// A .tar.gz as an enemy would make it.
static QString forge(const CodeTree& tree, const std::vector<Member>& members, bool gzip = true)
{
    const QString path = tree.path() + u"/forged.tar.gz"_s;
    struct archive* archive = archive_write_new();
    archive_write_set_format_gnutar(archive);
    if (gzip)
        archive_write_add_filter_gzip(archive);
    archive_write_open_filename(archive, QFile::encodeName(path).constData());
    for (const Member& member : members) {
        struct archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, member.name.constData());
        archive_entry_set_filetype(entry, unsigned(member.type));
        archive_entry_set_perm(entry, mode_t(member.mode));
        archive_entry_set_size(entry, member.type == AE_IFREG && !member.hard ? member.content.size() : 0);
        if (member.hard)
            archive_entry_set_hardlink(entry, member.target.constData());
        else if (member.type == AE_IFLNK)
            archive_entry_set_symlink(entry, member.target.constData());
        archive_write_header(archive, entry);
        if (member.type == AE_IFREG && !member.hard)
            archive_write_data(archive, member.content.constData(), size_t(member.content.size()));
        archive_entry_free(entry);
    }
    archive_write_close(archive);
    archive_write_free(archive);
    return path;
}

Q_DECLARE_METATYPE(std::vector<Member>)

class TestArchive : public QObject
{
    Q_OBJECT

private slots:
    void roundTrip()
    {
        CodeTree tree;
        CodeTree out;
        fill(tree);
        const auto list = walkCode(tree.path());
        QVERIFY2(list, qPrintable(list ? QString() : list.error().message.text()));
        std::vector<std::pair<qint64, qint64>> progress;
        const QString file = out.path() + u"/code.tar.gz"_s;
        const auto packed =
            packCode(*list, file, {}, [&](qint64 done, qint64 total) { progress.emplace_back(done, total); });
        QVERIFY2(packed, qPrintable(packed ? QString() : packed.error().message.text() + packed.error().detail));
        QVERIFY(progress.back() == std::pair(list->totalBytes, list->totalBytes));
        QVERIFY(std::is_sorted(progress.begin(), progress.end()));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray bytes = written.readAll();
        QCOMPARE(bytes.size(), packed->bytes);
        QCOMPARE(
            packed->sha256, QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()));
        QCOMPARE(*fileSha256(file), packed->sha256);

        const QString target = out.path() + u"/a/b/unpacked"_s;
        const auto unpacked = unpackArchive(file, target);
        QVERIFY2(
            unpacked, qPrintable(unpacked ? QString() : unpacked.error().message.text() + unpacked.error().detail));
        QCOMPARE(describe(*unpacked, QFile::encodeName(target)), describe(*list, list->root));
        QCOMPARE(unpacked->totalBytes, list->totalBytes);
        QCOMPARE(*codeHash(*unpacked), *codeHash(*list));
        QCOMPARE(QDir(out.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
            QStringList({u"a"_s, u"code.tar.gz"_s}));
    }

    void otherTarReadersAgree()
    {
        const QString tar = QStandardPaths::findExecutable(u"tar"_s);
        if (tar.isEmpty())
            QSKIP("tar is not installed");
        CodeTree tree;
        CodeTree out;
        fill(tree);
        const auto list = walkCode(tree.path());
        QVERIFY(packCode(*list, out.path() + u"/code.tar.gz"_s));
        out.folder("by tar");
        QProcess process;
        process.start(tar, {u"xzf"_s, out.path() + u"/code.tar.gz"_s, u"-C"_s, out.path() + u"/by tar"_s});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.readAllStandardError(), ""_ba);
        QCOMPARE(process.exitCode(), 0);
        const auto read = walkCode(out.path() + u"/by tar"_s);
        QCOMPARE(describe(*read, read->root), describe(*list, list->root));

        process.start(tar, {u"czf"_s, out.path() + u"/theirs.tar.gz"_s, u"-C"_s, tree.path(), u"."_s});
        QVERIFY(process.waitForFinished());
        const auto back = unpackArchive(out.path() + u"/theirs.tar.gz"_s, out.path() + u"/back"_s);
        QVERIFY2(back, qPrintable(back ? QString() : back.error().message.text()));
        QCOMPARE(describe(*back, back->root), describe(*list, list->root));
        process.start(tar,
            {u"--format=pax"_s, u"-czf"_s, out.path() + u"/pax.tar.gz"_s, u"-C"_s, tree.path(), u"train.py"_s,
                u"größe.txt"_s});
        QVERIFY(process.waitForFinished());
        const auto pax = unpackArchive(out.path() + u"/pax.tar.gz"_s, out.path() + u"/pax"_s);
        QVERIFY2(pax, qPrintable(pax ? QString() : pax.error().message.text()));
        QCOMPARE(pax->fileCount, 2);
    }

    void sameFilesSameArchive()
    {
        CodeTree first;
        CodeTree second;
        CodeTree out;
        fill(first);
        fill(second);
        const timespec old[2] = {{1'000'000, 0}, {1'000'000, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, second.full("train.py").constData(), old, 0), 0);
        ::chmod(second.full("train.py").constData(), 0700);
        const auto pack = [&](const CodeTree& tree) {
            return packCode(*walkCode(tree.path()), out.path() + u"/x.tar.gz"_s)->sha256
                + *codeHash(*walkCode(tree.path()));
        };
        const QString one = pack(first);
        QCOMPARE(pack(second), one);
        QCOMPARE(pack(first), one);
        QSet<QString> others{one};
        const auto differs = [&](const char* what) {
            const QString now = pack(second);
            QVERIFY2(!others.contains(now), what);
            others.insert(now);
        };
        ::chmod(second.full("train.py").constData(), 0644);
        differs("mode");
        second.file("src/zero", "1");
        differs("content");
        second.folder("empty2");
        differs("empty folder");
        second.link("src/link2", "../train.py");
        differs("link");
        ::rename(second.full("src/link2").constData(), second.full("src/link3").constData());
        differs("name");
    }

    void packingFailsCleanly()
    {
        CodeTree tree;
        CodeTree out;
        tree.file("a", "12345");
        auto list = walkCode(tree.path());
        const QString file = out.path() + u"/x.tar.gz"_s;
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(packCode(*list, file, stop.get_token()).error().kind, Kind::cancelled);
        QCOMPARE(codeHash(*list, stop.get_token()).error().kind, Kind::cancelled);
        QCOMPARE(snapshotByContent(*list, out.path(), stop.get_token()).error().kind, Kind::cancelled);
        ::unlink(tree.full("a").constData());
        QCOMPARE(packCode(*list, file).error().kind, Kind::not_found);
        QVERIFY(packCode(*list, file).error().message.contains(u"/a"_s));
        tree.link("a", "/etc/passwd"); // swapped for a link meanwhile
        QVERIFY(!packCode(*list, file));
        QVERIFY(!snapshotByContent(*list, out.path()));
        QVERIFY(!packCode(*list, out.path() + u"/none/x"_s));
        QVERIFY(QDir(out.path()).isEmpty());
    }

    void filesThatVanishAreNoFailure()
    {
        CodeTree tree;
        CodeTree out;
        tree.file("train.py", "1");
        int left = 2; // of the files that an editor makes and removes
        int attempts = 0;
        const auto take = [&](const FileList& files) {
            ++attempts;
            if (left-- > 0)
                ::unlink(tree.full("train.py~" + QByteArray::number(left)).constData());
            return snapshotByContent(files, out.path());
        };
        tree.file("train.py~1", "2");
        tree.file("train.py~0", "3");
        const auto made = takeCode(tree.path(), {}, {}, take);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().message.text()));
        QCOMPARE(attempts, 3);
        QCOMPARE(QDir(made->path).entryList(QDir::Files), QStringList{u"train.py"_s});

        tree.file("temporary0", "4");
        const auto never = takeCode(tree.path(), {}, {}, [&](const FileList& files) {
            const QByteArray name = "temporary" + QByteArray::number(++attempts);
            for (const FileEntry& entry : files.entries)
                if (entry.path.startsWith("temporary"))
                    ::unlink(tree.full(entry.path).constData());
            tree.file(name, "4");
            return snapshotByContent(files, out.path());
        });
        QVERIFY(!never);
        QCOMPARE(never.error().kind, Kind::conflict);
        QVERIFY2(never.error().message.contains(u".nniignore"_s), qPrintable(never.error().message));
    }

    void snapshot()
    {
        CodeTree tree;
        CodeTree out;
        fill(tree);
        const auto list = walkCode(tree.path());
        const auto made = snapshotByContent(*list, out.path() + u"/deep"_s);
        QVERIFY2(made, qPrintable(made ? QString() : made.error().message.text()));
        const QString target = made->path;
        auto copy = walkCode(target);
        QCOMPARE(describe(*copy, copy->root), describe(*list, list->root));
        QCOMPARE(*codeHash(*copy), *codeHash(*list));
        for (size_t i = 0; i < list->entries.size(); ++i)
            if (list->entries[i].type == FileEntry::Type::file)
                QCOMPARE(copy->entries[i].mtimeNs, list->entries[i].mtimeNs);
        QCOMPARE(QFileInfo(target).permissions() & QFile::ReadOther, QFile::ReadOther);

        // A second one of the same name leaves the first in place.
        const quint64 inode = inodeOf(target + u"/train.py"_s);
        QVERIFY(inode != 0);
        QCOMPARE(snapshotByContent(*list, out.path() + u"/deep"_s)->path, target);
        QCOMPARE(inodeOf(target + u"/train.py"_s), inode);
        // The original changes, the snapshot does not.
        tree.file("train.py", "other");
        QFile file(target + u"/train.py"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "print('hello')\n"_ba);
        QCOMPARE(
            QDir(out.path() + u"/deep"_s).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{made->hash});
    }

    void snapshotNamedByContent()
    {
        CodeTree tree;
        CodeTree out;
        fill(tree);
        const auto list = walkCode(tree.path());
        const QString before = *codeHash(*list);
        const auto one = snapshotByContent(*list, out.path());
        QVERIFY(one);
        QCOMPARE(one->hash, before);
        QCOMPARE(one->path, out.path() + u'/' + before);
        // Saved between the listing and the copy: the name is the hash of what the copy holds.
        tree.file("train.py", "saved meanwhile", 0755);
        const auto two = snapshotByContent(*list, out.path());
        QVERIFY(two->hash != before);
        QCOMPARE(*codeHash(*walkCode(two->path)), two->hash);
        QCOMPARE(QDir(out.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 2);
    }

    void raceHasOneWinner()
    {
        CodeTree tree;
        CodeTree out;
        fill(tree);
        const auto list = walkCode(tree.path());
        QVERIFY(packCode(*list, tree.path() + u".tar.gz"_s));
        const QString hash = *codeHash(*list);
        const QString target = out.path() + u'/' + hash;
        std::atomic<int> failed = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&, i] {
                const bool fine = i % 2 == 0 ? snapshotByContent(*list, out.path()).has_value()
                                             : unpackArchive(tree.path() + u".tar.gz"_s, target).has_value();
                failed += fine ? 0 : 1;
            });
        for (std::thread& thread : threads)
            thread.join();
        QFile::remove(tree.path() + u".tar.gz"_s);
        QCOMPARE(failed.load(), 0);
        QCOMPARE(*codeHash(*walkCode(target)), *codeHash(*list));
        QCOMPARE(QDir(out.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{hash});
    }

    void unpackRefuses_data()
    {
        QTest::addColumn<std::vector<Member>>("members");
        QTest::addColumn<QString>("word");
        using Members = std::vector<Member>;
        QTest::newRow("absolute") << Members{{"/tmp/evil"}} << u"outside"_s;
        QTest::newRow("climbs") << Members{{"a/../../evil"}} << u"outside"_s;
        QTest::newRow("dots only") << Members{{".."}} << u"outside"_s;
        QTest::newRow("link absolute") << Members{{"l", AE_IFLNK, "", "/etc/passwd"}} << u"leads outside"_s;
        QTest::newRow("link climbs") << Members{{"a/l", AE_IFLNK, "", "../../x"}} << u"leads outside"_s;
        QTest::newRow("link out and in") << Members{{"l", AE_IFLNK, "", "../unpacked/a"}} << u"leads outside"_s;
        QTest::newRow("links together") << Members{{"d/e/f", AE_IFREG}, {"a", AE_IFLNK, "", "d/e"},
            {"b", AE_IFLNK, "", "a/../../../x"}}
                                        << u"leads outside"_s;
        QTest::newRow("link circle") << Members{{"a", AE_IFLNK, "", "b"}, {"b", AE_IFLNK, "", "a"}} << u"circle"_s;
        QTest::newRow("empty link") << Members{{"a", AE_IFLNK, "", ""}} << u"outside"_s;
        QTest::newRow("write through link") << Members{{"l", AE_IFLNK, "", "."}, {"l/x"}} << u"used as a folder"_s;
        QTest::newRow("below a file") << Members{{"f"}, {"f/x"}} << u"used as a folder"_s;
        QTest::newRow("twice") << Members{{"f"}, {"./f"}} << u"twice"_s;
        QTest::newRow("file over folder") << Members{{"f/x"}, {"f"}} << u"twice"_s;
        QTest::newRow("device") << Members{{"dev", AE_IFCHR}} << u"neither"_s;
        QTest::newRow("pipe") << Members{{"pipe", AE_IFIFO}} << u"neither"_s;
        QTest::newRow("hard link outside") << Members{{"h", AE_IFREG, "", "/etc/passwd", true}} << u"second name"_s;
        QTest::newRow("hard link climbs") << Members{{"h", AE_IFREG, "", "../../x", true}} << u"second name"_s;
        QTest::newRow("hard link to link")
            << Members{{"l", AE_IFLNK, "", "x"}, {"h", AE_IFREG, "", "l", true}} << u"second name"_s;
        QTest::newRow("nameless file") << Members{{"."}} << u"no name"_s;
        QTest::newRow("long name") << Members{{QByteArray("abcdefg/").repeated(600) + 'x'}} << u"outside"_s;
        QTest::newRow("too large") << Members{{"a", AE_IFREG, QByteArray(600'000, '\0')},
            {"b", AE_IFREG, QByteArray(600'000, '\0')}}
                                   << u"larger than 1 MiB"_s;
        QTest::newRow("too many") << Members(12, Member{"./d", AE_IFDIR}) << u"more than 10 entries"_s;
    }

    void unpackRefuses()
    {
        QFETCH(std::vector<Member>, members);
        QFETCH(QString, word);
        CodeTree in;
        CodeTree out;
        UnpackLimits limits;
        limits.maxBytes = 1024 * 1024;
        limits.maxEntries = 10;
        const auto unpacked = unpackArchive(forge(in, members), out.path() + u"/unpacked"_s, limits);
        QVERIFY(!unpacked);
        QCOMPARE(unpacked.error().kind, Kind::invalid);
        QVERIFY2(unpacked.error().message.contains(word), qPrintable(unpacked.error().message));
        QVERIFY(QDir(out.path()).isEmpty());
    }

    void unpackTakesHonestOddities()
    {
        CodeTree in;
        CodeTree out;
        const auto unpacked = unpackArchive(
            forge(in,
                {{"./", AE_IFDIR}, {"./a//b/./f", AE_IFREG, "hello", "", false, 06755}, {"a", AE_IFDIR},
                    {"h", AE_IFREG, "", "a/b/f", true}, {"l", AE_IFLNK, "", "a/b"}, {"dead", AE_IFLNK, "", "a/none"}}),
            out.path() + u"/unpacked"_s);
        QVERIFY2(unpacked, qPrintable(unpacked ? QString() : unpacked.error().message.text()));
        QByteArrayList names;
        for (const FileEntry& entry : unpacked->entries)
            names.append(entry.path);
        QCOMPARE(names, QByteArrayList({"a", "a/b", "a/b/f", "dead", "h", "l"}));
        QCOMPARE(out.read("unpacked/h"), "hello"_ba);
        struct stat status
        {
        };
        QCOMPARE(::stat(out.full("unpacked/a/b/f").constData(), &status), 0);
        QCOMPARE(status.st_mode & 07777, 0755u);
    }

    void unpackRefusesOtherFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << ""_ba;
        QTest::newRow("text") << "this is no archive, whatever its name says\n"_ba.repeated(50);
        CodeTree tree;
        QFile forged(forge(tree, {{"a", AE_IFREG, QByteArray(5000, 'a')}}));
        QVERIFY(forged.open(QIODevice::ReadOnly));
        const QByteArray whole = forged.readAll();
        QTest::newRow("cut") << whole.first(whole.size() / 2);
        QByteArray damaged = whole;
        damaged[whole.size() / 2] = char(damaged[whole.size() / 2] ^ 0x55);
        QTest::newRow("damaged") << damaged;
        QFile plain(forge(tree, {{"a"}}, false));
        QVERIFY(plain.open(QIODevice::ReadOnly));
        QTest::newRow("not compressed") << plain.readAll();
    }

    void unpackRefusesOtherFiles()
    {
        QFETCH(QByteArray, bytes);
        CodeTree in;
        CodeTree out;
        in.file("x.tar.gz", bytes);
        const auto unpacked = unpackArchive(in.path() + u"/x.tar.gz"_s, out.path() + u"/unpacked"_s);
        QVERIFY(!unpacked);
        QCOMPARE(unpacked.error().kind, Kind::invalid);
        QVERIFY(QDir(out.path()).isEmpty());
    }

    /// Headers with random damage, compressed again so that they are reached: nothing crashes, nothing lies elsewhere.
    void damagedHeaders()
    {
        CodeTree in;
        CodeTree out;
        QFile plain(forge(in,
            {{"a/b"}, {"l", AE_IFLNK, "", "a/b"}, {QByteArray(150, 'n')}, {"h", AE_IFREG, "", "a/b", true}}, false));
        QVERIFY(plain.open(QIODevice::ReadOnly));
        const QByteArray whole = plain.readAll();
        std::mt19937 random(5);
        int refused = 0;
        for (int round = 0; round < 100; ++round) {
            QByteArray tar = whole;
            for (unsigned n = 1 + random() % 3; n > 0; --n) {
                const qsizetype header = 512 * std::array{0, 2, 3, 5, 7}[random() % 5];
                tar[header + qsizetype(random() % 300)] = "\0/.7L5\xff"[random() % 7];
                // The checksum is made right again, or the header would not be looked at.
                unsigned sum = 8 * ' ';
                for (int i = 0; i < 512; ++i)
                    sum += i >= 148 && i < 156 ? 0 : quint8(tar[header + i]);
                tar.replace(header + 148, 8, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0' + ' ');
            }
            const QString file = in.path() + u"/damaged.tar.gz"_s;
            struct archive* gzip = archive_write_new();
            archive_write_set_format_raw(gzip);
            archive_write_add_filter_gzip(gzip);
            archive_write_open_filename(gzip, QFile::encodeName(file).constData());
            struct archive_entry* entry = archive_entry_new();
            archive_entry_set_filetype(entry, AE_IFREG);
            archive_write_header(gzip, entry);
            archive_write_data(gzip, tar.constData(), size_t(tar.size()));
            archive_entry_free(entry);
            archive_write_close(gzip);
            archive_write_free(gzip);
            const auto unpacked = unpackArchive(file, out.path() + u"/u"_s);
            refused += unpacked ? 0 : 1;
            const QStringList left =
                QDir(out.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
            QVERIFY2(left == (unpacked ? QStringList{u"u"_s} : QStringList()),
                qPrintable(left.join(u' ') + u": "_s + (unpacked ? QString() : unpacked.error().message.text())));
            std::filesystem::remove_all((out.path() + u"/u"_s).toStdString());
        }
        QVERIFY2(refused > 5 && refused < 95, qPrintable(QString::number(refused)));
    }

    void unpackStopsAndMisses()
    {
        CodeTree in;
        CodeTree out;
        std::stop_source stop;
        stop.request_stop();
        const QString file = forge(in, {{"a"}});
        QCOMPARE(unpackArchive(file, out.path() + u"/u"_s, {}, stop.get_token()).error().kind, Kind::cancelled);
        QVERIFY(!unpackArchive(in.path() + u"/none"_s, out.path() + u"/u"_s));
        QCOMPARE(fileSha256(in.path() + u"/none"_s).error().kind, Kind::not_found);
        QVERIFY(QDir(out.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestArchive)
#include "tst_archive.moc"
