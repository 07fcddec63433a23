// SPDX-License-Identifier: GPL-3.0-or-later
// The store against kill -9, full and read-only disks, other processes, newer and damaged files. The program starts itself
// again for what needs a process or a mount namespace of its own; such a part prints what went wrong and exits with 1.
#include "services/store/store.h"
#include "tests/services/store/store_samples.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdio>
#include <unistd.h>

using namespace core;
using namespace store;
using namespace Qt::StringLiterals;

namespace {

// --------------------------------------------------------------------------------------------------- parts of their own

int expect(bool good, const char* what)
{
    if (!good) {
        std::printf("failed: %s\n", what);
        std::fflush(stdout);
        std::_Exit(1);
    }
    return 0;
}

Batch numberedBatch(int number)
{
    // Three things that belong together: a reader must find all of them or none.
    Batch batch;
    Trial trial = samples::plainTrial(number);
    batch.trials = {samples::row(trial)};
    batch.metrics = {
        samples::metrics(trial.id, 0, number % 5 + 1), samples::metrics(samples::plainTrial(0).id, number * 3, 3)};
    batch.events = {{trial.id, {0, number, TrialEventKind::accepted, u"Accepted."_s}}};
    batch.values = {{u"last"_s, QByteArray::number(number)}};
    return batch;
}

/// Writes batch after batch, and a line for each that was acknowledged, until it is killed.
int writeUntilKilled(QCoreApplication& app, const QString& folder)
{
    auto* store = new Store(folder);
    const auto loaded = QCoro::waitFor(store->open());
    expect(loaded.has_value(), "open");
    int next = int(loaded->trials.size());
    std::function<void()> more = [&] {
        const int number = next++;
        store->commit(
            numberedBatch(number), number % 3 ? Durability::normal : Durability::full, [&, number](Result<> result) {
                expect(result.has_value(), "commit");
                const QByteArray line = QByteArray::number(number) + '\n';
                expect(write(STDOUT_FILENO, line.constData(), size_t(line.size())) == line.size(), "write");
                more();
            });
    };
    for (int i = 0; i < 8; ++i)
        more();
    return app.exec();
}

/// Opens, prints a line, and holds the store until its input ends.
int hold(const QString& folder)
{
    Store store(folder);
    expect(QCoro::waitFor(store.open()).has_value(), "open");
    std::puts("ready");
    std::fflush(stdout);
    char byte = 0;
    expect(read(STDIN_FILENO, &byte, 1) == 0, "read");
    QCoro::waitFor(store.close());
    return 0;
}

int writeSample(const QString& folder)
{
    Store store(folder);
    expect(QCoro::waitFor(store.open()).has_value(), "open");
    Experiment experiment = samples::fullExperiment();
    experiment.nextSequenceId = 1'001;
    Batch batch;
    batch.experiments = {std::make_shared<Experiment>(experiment)};
    batch.trials = {samples::row(samples::fullTrial(), samples::fullState()), samples::row(samples::plainTrial(7))};
    batch.metrics = {samples::metrics(samples::fullTrial().id, 0, 300)};
    batch.events = {{samples::fullTrial().id, {0, 1, TrialEventKind::accepted, u"Accepted."_s}}};
    batch.reservations = {{MachineId(u"m1"_s), 2, {GpuHolder::person, {}, 1, u"until Monday"_s}}};
    batch.values = {{u"drained"_s, "[\"m1\"]"}};
    expect(samples::commit(store, std::move(batch), Durability::full).has_value(), "commit");
    QCoro::waitFor(store.close());
    return 0;
}

void fillDisk(const QString& folder)
{
    QFile ballast(folder + u"/ballast"_s);
    expect(ballast.open(QIODevice::WriteOnly | QIODevice::Unbuffered), "ballast");
    for (const int size : {65'536, 4'096, 1}) {
        const QByteArray block(size, 'x');
        while (ballast.write(block) == size) { }
    }
}

Batch largeBatch(int number, int bytes)
{
    Trial trial = samples::plainTrial(number);
    trial.parameters = QByteArray(bytes, 'x');
    Batch batch;
    batch.trials = {samples::row(trial)};
    return batch;
}

/// `folder` is on a disk of its own with 4 MiB.
int onFullDisk(const QString& folder)
{
    Store store(folder);
    QStringList told;
    QObject::connect(&store, &Store::trouble, [&](const Error& error) { told.append(error.message); });
    expect(QCoro::waitFor(store.open()).has_value(), "open");
    expect(samples::commit(store, numberedBatch(0), Durability::full).has_value(), "first commit");
    fillDisk(folder);
    const auto refused = samples::commit(store, largeBatch(1, 200'000), Durability::full);
    expect(!refused, "a commit on a full disk must fail");
    expect(refused.error().kind == Kind::resource, "kind");
    expect(refused.error().message.contains(folder + u"/store"_s), "the sentence names the folder");
    expect(refused.error().message.contains(u"full"), "the sentence says that it is full");
    expect(!samples::commit(store, largeBatch(1, 200'000)), "still full");
    expect(told.size() == 1 && told[0] == refused.error().message, "trouble is told once");
    const auto metrics = QCoro::waitFor(store.readMetrics(samples::plainTrial(0).id, 0, 100));
    expect(metrics && metrics->size() == 3, "reading works while the disk is full");

    expect(QFile::remove(folder + u"/ballast"_s), "remove ballast");
    expect(samples::commit(store, numberedBatch(1), Durability::full).has_value(), "commit when there is space again");
    expect(told.size() == 2 && told[1].isEmpty(), "recovery is told");

    // Of a group, what fits is kept, and what does not is refused alone.
    QList<bool> results;
    const auto note = [&](Result<> result) { results.append(result.has_value()); };
    store.commit(numberedBatch(2), Durability::full, note);
    store.commit(numberedBatch(3), Durability::full, note);
    store.commit(largeBatch(90, 8 << 20), Durability::full, note);
    store.commit(numberedBatch(4), Durability::full, note);
    while (results.size() < 4)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    expect(results == QList<bool>({true, true, false, true}), "batch by batch");
    QCoro::waitFor(store.close());

    Store again(folder);
    const auto loaded = QCoro::waitFor(again.open());
    expect(loaded.has_value(), "open again");
    expect(loaded->trials.size() == 5, "what was acknowledged is there, and nothing else");
    expect(loaded->values.value(u"last"_s) == "4", "the last batch is whole");
    const auto all = QCoro::waitFor(again.readMetrics(samples::plainTrial(0).id, 0, 100));
    expect(all && all->size() == 15, "metrics are whole");
    QCoro::waitFor(again.close());

    // With no space at all, what is there can still be read; one that has never been made fails with the reason.
    fillDisk(folder);
    Store full(folder);
    expect(QCoro::waitFor(full.open()).has_value(), "open on a full disk");
    QCoro::waitFor(full.close());
    Store fresh(folder + u"/fresh"_s);
    const auto none = QCoro::waitFor(fresh.open());
    expect(!none && none.error().kind == Kind::resource, "a new store on a full disk");
    return 0;
}

/// `folder` holds a store and cannot be written to.
int onReadOnlyDisk(const QString& folder)
{
    Store store(folder);
    const auto opened = QCoro::waitFor(store.open());
    expect(!opened, "a read-only store must not open");
    expect(opened.error().kind == Kind::resource, "kind");
    if (!opened.error().message.contains(folder)) {
        std::printf("%s\n", qPrintable(opened.error().message));
        expect(false, "the sentence names the folder");
    }
    Store fresh(folder + u"/fresh"_s);
    const auto none = QCoro::waitFor(fresh.open());
    expect(
        !none && none.error().kind == Kind::resource && none.error().message.contains(u"cannot be made"), "a new one");
    return 0;
}

int runPart(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const QByteArray part = argv[1];
    const QString folder = QString::fromLocal8Bit(argv[2]);
    if (part == "--write-until-killed")
        return writeUntilKilled(app, folder);
    if (part == "--hold")
        return hold(folder);
    if (part == "--write-sample")
        return writeSample(folder);
    if (part == "--on-full-disk")
        return onFullDisk(folder);
    if (part == "--on-read-only-disk")
        return onReadOnlyDisk(folder);
    return 2;
}

} // namespace

class TestStoreFaults : public QObject
{
    Q_OBJECT
private slots:
    void killedAtAnyInstant();
    void fullDisk();
    void readOnlyFolder();
    void secondProcess();
    void newerVersion();
    void damagedFile_data();
    void damagedFile();
    void oneDamagedPage();

private:
    void inNamespace(const QString& script);
};

static QString self()
{
    return QCoreApplication::applicationFilePath();
}

void TestStoreFaults::killedAtAnyInstant()
{
    QTemporaryDir folder;
    QRandomGenerator random(QDateTime::currentMSecsSinceEpoch());
    int trialsBefore = 0;
    for (int round = 0; round < 6; ++round) {
        QProcess child;
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(self(), {u"--write-until-killed"_s, folder.path()});
        QVERIFY(child.waitForStarted());
        QByteArray out;
        const int enough = int(random.bounded(5, 120));
        while (out.count('\n') < enough) {
            QVERIFY2(child.waitForReadyRead(30'000), out.right(200).constData());
            out += child.readAllStandardOutput();
        }
        child.kill();
        QVERIFY(child.waitForFinished());
        out += child.readAllStandardOutput();
        QVERIFY2(!out.contains("failed"), out.right(200).constData());
        const QList<QByteArray> lines = out.first(out.lastIndexOf('\n')).split('\n');
        const int lastAcknowledged = lines.last().toInt();

        Store store(folder.path());
        const auto loaded = QCoro::waitFor(store.open());
        QVERIFY2(loaded, loaded ? "" : qPrintable(loaded.error().message + loaded.error().detail));
        const int count = int(loaded->trials.size());
        QVERIFY2(
            count > lastAcknowledged, qPrintable(u"%1 trials, %2 acknowledged"_s.arg(count).arg(lastAcknowledged)));
        QVERIFY(count > trialsBefore);
        QCOMPARE(loaded->values.value(u"last"_s).toInt(), count - 1);
        for (int i = 0; i < count; ++i)
            QCOMPARE(loaded->trials[i].trial->sequenceId, i);
        for (int i = trialsBefore; i < count; ++i) {
            const Trial& trial = *loaded->trials[i].trial;
            QCOMPARE(loaded->eventCounts.value(trial.id), 1);
            if (i > 0) {
                const auto metrics = QCoro::waitFor(store.readMetrics(trial.id, 0, 100));
                QVERIFY(metrics);
                QVERIFY(*metrics == samples::metrics(trial.id, 0, i % 5 + 1)->metrics);
            }
        }
        const auto shared = QCoro::waitFor(store.readMetrics(samples::plainTrial(0).id, 0, 1'000'000));
        QVERIFY(shared);
        QCOMPARE(shared->size(), size_t(count) * 3);
        for (size_t i = 0; i < shared->size(); ++i)
            QCOMPARE(shared->at(i).sequence, qint64(i));
        trialsBefore = count;
        QCoro::waitFor(store.close());
    }
}

void TestStoreFaults::inNamespace(const QString& script)
{
    // Root may mount in a namespace of its own; others may where user namespaces are allowed.
    QStringList arguments = {u"-m"_s};
    if (geteuid() != 0)
        arguments.prepend(u"-r"_s);
    QProcess probe;
    probe.start(u"unshare"_s, arguments + QStringList{u"sh"_s, u"-c"_s, u"mount -t tmpfs none /mnt"_s});
    if (!probe.waitForStarted() || !probe.waitForFinished() || probe.exitCode() != 0)
        QSKIP("mounting a small disk needs unshare and a mount namespace, which this computer does not allow");
    QTemporaryDir folder;
    QProcess child;
    child.setProcessChannelMode(QProcess::MergedChannels);
    child.start(u"unshare"_s, arguments + QStringList{u"sh"_s, u"-ec"_s, script, self(), folder.path()});
    QVERIFY(child.waitForFinished(60'000));
    const QByteArray out = child.readAll();
    QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, out.right(600).constData());
}

void TestStoreFaults::fullDisk()
{
    inNamespace(u"mount -t tmpfs -o size=4m none \"$1\"; exec \"$0\" --on-full-disk \"$1\""_s);
}

void TestStoreFaults::readOnlyFolder()
{
    inNamespace(u"mount -t tmpfs none \"$1\"; \"$0\" --write-sample \"$1\"; mount -o remount,ro \"$1\"; "
                "exec \"$0\" --on-read-only-disk \"$1\""_s);
}

void TestStoreFaults::secondProcess()
{
    QTemporaryDir folder;
    QProcess child;
    child.start(self(), {u"--hold"_s, folder.path()});
    QVERIFY(child.waitForReadyRead(30'000));
    QCOMPARE(child.readLine(), "ready\n");
    Store store(folder.path());
    const auto refused = QCoro::waitFor(store.open());
    QVERIFY(!refused);
    QVERIFY2(refused.error().kind == Kind::conflict, qPrintable(refused.error().message + refused.error().detail));
    QVERIFY(refused.error().message.contains(folder.path()));
    QVERIFY(refused.error().message.contains(u"another process"));
    child.closeWriteChannel();
    QVERIFY(child.waitForFinished());
    QCOMPARE(child.exitCode(), 0);
    const auto opened = QCoro::waitFor(store.open()); // the same object, now that its lock is free
    QVERIFY(opened);
    QCoro::waitFor(store.close());
}

static QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestStoreFaults::newerVersion()
{
    QTemporaryDir folder;
    QVERIFY(QProcess::execute(self(), {u"--write-sample"_s, folder.path()}) == 0);
    const QString path = folder.filePath(u"store/trialdeck.sqlite"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(60);
    file.write(QByteArray("\0\0\0\x63", 4));
    file.close();
    const QByteArray before = contentOf(path);
    Store store(folder.path());
    const auto refused = QCoro::waitFor(store.open());
    QVERIFY(!refused);
    QVERIFY(refused.error().message.contains(u"newer Trialdeck"));
    QVERIFY(refused.error().message.contains(u"99"));
    QCOMPARE(contentOf(path), before);
    QCOMPARE(QDir(folder.filePath(u"store"_s)).entryList(QDir::Files), QStringList({u"trialdeck.sqlite"_s}));
}

void TestStoreFaults::damagedFile_data()
{
    QTest::addColumn<int>("keep");
    QTest::addColumn<int>("garbageAt");
    QTest::newRow("no header") << -1 << 0;
    QTest::newRow("header alone") << 100 << -1;
    QTest::newRow("few bytes") << 10 << -1;
    QTest::newRow("first page") << 4'096 << -1;
    QTest::newRow("half") << 5 * 4'096 + 100 << -1;
    QTest::newRow("table of trials overwritten") << -1 << 2 * 4'096;
}

void TestStoreFaults::damagedFile()
{
    QFETCH(int, keep);
    QFETCH(int, garbageAt);
    QTemporaryDir folder;
    QVERIFY(QProcess::execute(self(), {u"--write-sample"_s, folder.path()}) == 0);
    const QString path = folder.filePath(u"store/trialdeck.sqlite"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    if (keep >= 0) {
        QVERIFY(file.size() > keep);
        QVERIFY(file.resize(keep));
    } else {
        QVERIFY(file.seek(garbageAt));
        file.write(QByteArray(6 * 4'096, '\xa5'));
    }
    file.close();
    const QByteArray before = contentOf(path);
    Store store(folder.path());
    const auto refused = QCoro::waitFor(store.open());
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(u"is damaged and was left as it is"),
        qPrintable(refused.error().message + refused.error().detail));
    QVERIFY(refused.error().message.contains(path));
    QCOMPARE(contentOf(path), before);
}

/// Each page of a store in turn: what is intact opens, and what was lost is what the page held.
void TestStoreFaults::oneDamagedPage()
{
    constexpr int pageSize = 4'096;
    constexpr int trialCount = 200;
    QTemporaryDir whole;
    {
        Store store(whole.path());
        QVERIFY(QCoro::waitFor(store.open()).has_value());
        Batch batch;
        for (const char* id : {"e1", "e2"})
            batch.experiments.append(samples::experiment(QString::fromLatin1(id)));
        for (int i = 0; i < trialCount; ++i) {
            const Trial trial = samples::plainTrial(i);
            batch.trials.append(samples::row(trial));
            batch.metrics.append(samples::metrics(trial.id, 0, 20));
            batch.events.append({trial.id, {0, 1, TrialEventKind::accepted, u"Accepted."_s}});
        }
        batch.values = {{u"drained"_s, "[]"}};
        QVERIFY(samples::commit(store, std::move(batch), Durability::full).has_value());
        QCoro::waitFor(store.close());
    }
    const QByteArray bytes = contentOf(whole.filePath(u"store/trialdeck.sqlite"_s));
    const int pages = int(bytes.size() / pageSize);
    QVERIFY(pages > 30);
    int salvaged = 0;
    int refused = 0;
    for (int page = 0; page < pages; ++page) {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(u"store"_s));
        const QString path = folder.filePath(u"store/trialdeck.sqlite"_s);
        QByteArray damaged = bytes;
        damaged.replace(page * pageSize, pageSize, QByteArray(pageSize, '\xa5'));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(damaged) == damaged.size());
        file.close();
        const QDir stores(folder.filePath(u"store"_s));
        auto store = std::make_unique<Store>(folder.path());
        const auto loaded = QCoro::waitFor(store->open());
        const QStringList copies = stores.entryList({u"*.damaged-*"_s}, QDir::Files);
        if (!loaded) {
            ++refused;
            QVERIFY2(loaded.error().message.contains(u"is damaged and was left as it is"),
                qPrintable(u"page %1: %2"_s.arg(page).arg(loaded.error().message)));
            QCOMPARE(contentOf(path), damaged);
            QCOMPARE(copies, QStringList());
            continue;
        }
        // Every record that is there is right; a page holds some seventeen trials.
        QVERIFY2(loaded->trials.size() > trialCount - 20,
            qPrintable(u"page %1: %2 trials"_s.arg(page).arg(loaded->trials.size())));
        for (const auto& row : loaded->trials)
            QCOMPARE(*row.trial, samples::plainTrial(row.trial->sequenceId));
        if (!copies.isEmpty()) {
            ++salvaged;
            QCOMPARE(copies.size(), 1);
            QCOMPARE(contentOf(stores.filePath(copies[0])), damaged);
            for (const auto& row : loaded->trials) {
                const auto metrics = QCoro::waitFor(store->readMetrics(row.trial->id, 0, 100));
                QVERIFY(metrics.has_value());
                QCOMPARE(metrics->size(), size_t(20));
            }
        }
        const qsizetype trials = loaded->trials.size();
        QCoro::waitFor(store->close());
        store = std::make_unique<Store>(folder.path());
        const auto again = QCoro::waitFor(store->open());
        QVERIFY(again.has_value());
        QCOMPARE(again->trials.size(), trials);
        QCOMPARE(stores.entryList({u"*.damaged-*"_s}, QDir::Files), copies);
        QCoro::waitFor(store->close());
    }
    qInfo("%d pages: %d salvaged, %d refused, the others not needed to open", pages, salvaged, refused);
    QVERIFY(salvaged > trialCount / 20);
    QVERIFY2(refused < 6, "the header and the roots of tables of records");
}

int main(int argc, char** argv)
{
    if (argc == 3 && QByteArray(argv[1]).startsWith("--"))
        return runPart(argc, argv);
    QCoreApplication app(argc, argv);
    TestStoreFaults test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_store_faults.moc"
