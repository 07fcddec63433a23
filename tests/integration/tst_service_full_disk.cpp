// SPDX-License-Identifier: GPL-3.0-or-later
// The disk that holds a service's data is full for a while: no value is lost, doubled or out of order, and the service says so.
#include "counting_trials.h"
#include "remote_machines.h"

#include "tests/fakes/small_disk.h"

using namespace Qt::StringLiterals;
using namespace remote_test;

class TestServiceFullDisk : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();

    void valuesReportedMeanwhile_data();
    void valuesReportedMeanwhile();
    void trialsOnTheSameDisk();

private:
    [[nodiscard]] QByteArray log() const
    {
        return TestSshd::readFile(m_service->dataDir() + u"/state/trialdeck.log"_s);
    }
    [[nodiscard]] QString reasonOf(const QString& trial) const
    {
        return QString::fromStdString(m_service->trial(trial).value("reason", std::string()));
    }
    static constexpr int patience = 60'000;
    /// Each attempt to start clears the reason for a moment, so it is looked at once.
    [[nodiscard]] bool waitForReason(const QString& trial, const QString& part) const
    {
        QString reason;
        const auto says = [&] { return (reason = reasonOf(trial)).contains(part); };
        if (QTest::qWaitFor(says, patience))
            return true;
        qWarning() << "the last reason:" << reason;
        return false;
    }
    ServiceFixture::Answer submitOne(const QString& experiment, const char* clientId)
    {
        return m_service->post(u"/api/v1/experiments/%1/trials"_s.arg(experiment),
            {{"trials", Json::array({{{"clientId", clientId}, {"parameters", Json::object()}}})}});
    }

    std::unique_ptr<SmallDisk> m_disk;
    std::unique_ptr<ServiceFixture> m_service;
};

void TestServiceFullDisk::initTestCase()
{
    if (geteuid() != 0 || QProcess::execute(u"unshare"_s, {u"-m"_s, u"true"_s}) != 0)
        QSKIP("a small disk needs root and a mount namespace (in a plain chroot there is none)");
    qunsetenv("SSH_AUTH_SOCK");
}

void TestServiceFullDisk::init()
{
    m_service = std::make_unique<ServiceFixture>();
    m_disk = std::make_unique<SmallDisk>();
    QVERIFY2(m_disk->mount(m_service->dataDir()), std::strerror(errno));
}

void TestServiceFullDisk::cleanup()
{
    if (m_service)
        m_service->kill9();
    m_disk.reset();
    m_service.reset();
}

void TestServiceFullDisk::valuesReportedMeanwhile_data()
{
    QTest::addColumn<bool>("killed");
    QTest::newRow("the service goes on") << false;
    QTest::newRow("the service is killed") << true;
}

/// The folders of the trials, here and on another machine, are elsewhere.
void TestServiceFullDisk::valuesReportedMeanwhile()
{
    QFETCH(bool, killed);
    TestSshd host;
    QVERIFY(host.start());
    trust(*m_service, {&host});
    QVERIFY2(m_service->start(), m_service->output());
    const QString scratch = m_service->folder() + u"/scratch"_s;
    QVERIFY(put(*m_service, u"local"_s, {{"kind", "local"}, {"settings", {{"scratchDir", scratch}}}}));
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(host)}))));
    QVERIFY(waitReady(*m_service, 1));
    const CountingTrials counting(m_service->folder() + u"/counting"_s);
    Json two = counting.experiment(u"local"_s);
    two["trialConcurrency"] = 2;
    const QString here = m_service->createExperiment(two);
    const QString there = m_service->createExperiment(counting.experiment(u"lab"_s));
    const QStringList local = m_service->submit(here, Json(2, Json::object()));
    const QStringList remote = m_service->submit(there, Json(2, Json::object()));
    const QStringList trials = local + remote;
    QVERIFY(counting.go(trials, 20));
    QStringList confirmed = m_service->submit(here, Json(1, Json::object()));

    QVERIFY(m_disk->fill());
    QVERIFY(counting.go(trials, 20));
    const auto submitUntil = [&](int status) {
        ServiceFixture::Answer answer;
        const bool reached = QTest::qWaitFor(
            [&] {
                answer = submitOne(here, QByteArray::number(confirmed.size()).constData());
                if (answer.status == 201)
                    confirmed.append(answer.json()["trials"][0]["id"].get<QString>());
                return answer.status == status;
            },
            patience);
        if (!reached)
            qWarning() << "the last answer:" << answer.status << answer.body;
        return reached ? QString::fromStdString(answer.json().value("detail", std::string())) : QString();
    };
    const QString detail = submitUntil(507);
    QVERIFY2(detail.contains(m_service->dataDir()) && detail.contains(u" is full. Free some space there"_s),
        qPrintable(detail));
    // Also what changes only records that are there: each of these answers names the reason.
    for (int i = 0; i < 3; ++i) {
        const auto answer = m_service->request("PATCH", u"/api/v1/trials/"_s + local[0], R"({"tags": ["a"]})");
        QVERIFY2(answer.status == 507 && answer.body.contains(" is full. Free some space there"),
            QByteArray::number(answer.status) + ' ' + answer.body);
    }
    QCOMPARE(m_service->get(u"/api/v1/health"_s).status, 200);
    // One of each ends while nothing can be written.
    counting.end(local[0]);
    counting.end(remote[0]);
    QVERIFY(counting.go({local[1], remote[1]}, 20));
    QVERIFY(waitForReason(confirmed[0], u" is full. Free some space there"_s));
    QCOMPARE(counting.starts(confirmed[0]), 0);
    if (killed) {
        m_service->kill9();
        QVERIFY(counting.go({local[1], remote[1]}, 20));
        QVERIFY(!m_service->start());
        QVERIFY2(m_service->output().contains("no space left on device") || m_service->output().contains(" is full"),
            m_service->output());
        QVERIFY(counting.go({local[1], remote[1]}, 20));
    }

    m_disk->release();
    if (killed)
        QVERIFY2(m_service->start(), m_service->output());
    QVERIFY(counting.go({local[1], remote[1]}, 20));
    QVERIFY(submitUntil(201).isEmpty());
    counting.end();
    for (const QString& id : trials + confirmed)
        QVERIFY(m_service->waitForStatus(id, "SUCCEEDED"));
    for (const QString& id : trials + confirmed)
        QCOMPARE(counting.wrong(*m_service, id), QString());
    QCOMPARE(m_service->count(here, "SUCCEEDED"), 2 + confirmed.size());
    if (!killed)
        QVERIFY2(log().contains(" is full. Free some space there") && log().contains("the store can be written again"),
            log());
    // It is on the disk, and not in memory alone.
    m_service->kill9();
    QVERIFY2(m_service->start(), m_service->output());
    for (const QString& id : trials + confirmed)
        QCOMPARE(counting.wrong(*m_service, id), QString());
}

/// What such a trial cannot write is lost, and it knows that. All that it wrote arrives, and so does how it ended.
void TestServiceFullDisk::trialsOnTheSameDisk()
{
    // Counts by a file and by stdout, and notes elsewhere which numbers went out whole.
    const QString notes = m_service->folder() + u"/notes"_s;
    QVERIFY(QDir().mkpath(notes));
    TestSshd::writeFile(notes + u"/count.py"_s, R"py(
import itertools, os, sys, time
notes, code = sys.argv[1], int(sys.argv[2])
own = notes + '/' + os.path.basename(os.environ['NNI_SYS_DIR'])
open(own + '.started', 'a').write('x')
ways = [(os.open(os.environ['TRIALDECK_METRICS_FILE'], os.O_WRONLY | os.O_APPEND), '{"metric": %d}', 1000000),
        (1, 'value=%d;', 2000000)]
torn = [False, False]
written = open(own + '.written', 'a', 1)
lost = open(own + '.lost', 'a', 1)
for i in itertools.count():
    if os.path.exists(notes + '/go') or os.path.exists(own + '.go'):
        sys.exit(code)
    for way, (fd, text, base) in enumerate(ways):
        line = (('\n' if torn[way] else '') + text % (base + i) + '\n').encode()
        try:
            n = os.write(fd, line)
        except OSError:
            n = 0
        torn[way] = n < len(line) and (torn[way] or n > 0)
        (written if n == len(line) else lost).write('%d\n' % (base + i))
    time.sleep(0.005)
)py");
    QVERIFY2(m_service->start(), m_service->output());
    const auto create = [&](int code, int concurrency) {
        return m_service->createExperiment(
            {{"trialConcurrency", concurrency}, {"metricPattern", "value=(?<value>[0-9]+);"},
                {"trialCommand", u"python3 -B %1/count.py %1 %2"_s.arg(notes).arg(code)}});
    };
    const QString e = create(0, 2);
    const QString failing = create(7, 1);
    const QStringList ids = m_service->submit(e, Json(3, Json::object()));
    const QStringList bad = m_service->submit(failing, Json(1, Json::object()));
    const auto numbers = [&](const QString& id, const char* kind) {
        QList<int> list;
        const QList<QByteArray> lines = TestSshd::readFile(notes + u'/' + id + QLatin1String(kind)).split('\n');
        for (const QByteArray& line : lines.first(lines.size() - 1))
            list.append(line.toInt());
        return list;
    };
    const QStringList running{ids[0], ids[1], bad[0]};
    for (const QString& id : running)
        QTRY_VERIFY_WITH_TIMEOUT(numbers(id, ".written").size() > 50, patience);

    QVERIFY(m_disk->fill());
    // Metrics files have the rest of a page each; the journals of ends have room that was set aside.
    for (const QString& id : running)
        QTRY_VERIFY_WITH_TIMEOUT(numbers(id, ".lost").size() > 50, patience);
    TestSshd::writeFile(notes + u'/' + ids[0] + u".go"_s, {});
    TestSshd::writeFile(notes + u'/' + bad[0] + u".go"_s, {});
    QVERIFY(m_service->waitForStatus(ids[0], "SUCCEEDED"));
    QVERIFY(m_service->waitForStatus(bad[0], "FAILED"));
    QVERIFY(waitForReason(ids[2], u" is full"_s));
    QVERIFY(QTest::qWaitFor(
        [&] { return m_service->get(u"/api/v1/machines"_s).body.contains("is full: trials cannot be started"); },
        patience));
    QVERIFY(!QFile::exists(notes + u'/' + ids[2] + u".started"_s));

    m_disk->release();
    const qsizetype before = numbers(ids[1], ".written").size();
    QTRY_VERIFY_WITH_TIMEOUT(numbers(ids[1], ".written").size() > before + 50, patience);
    QTRY_VERIFY_WITH_TIMEOUT(numbers(ids[2], ".written").size() > 50, patience);
    TestSshd::writeFile(notes + u"/go"_s, {});
    QVERIFY(m_service->waitForCount(e, "SUCCEEDED", 3));
    m_service->kill9();
    QVERIFY2(m_service->start(), m_service->output());
    for (const QString& id : ids + bad) {
        QCOMPARE(TestSshd::readFile(notes + u'/' + id + u".started"_s), "x");
        const QList<int> lost = numbers(id, ".lost");
        QMap<int, QList<int>> missing; // what went out whole and has not been seen yet, by its way
        for (const int number : numbers(id, ".written"))
            missing[number / 1'000'000].append(number);
        const Json metrics = m_service->metrics(id);
        for (size_t i = 0; i < metrics.size(); ++i) {
            QCOMPARE(metrics[i]["sequence"].get<int>(), int(i));
            const int number = metrics[i]["value"].get<int>();
            QList<int>& expected = missing[number / 1'000'000];
            if (!expected.isEmpty() && expected.first() == number)
                expected.removeFirst();
            else // all but its line break went out
                QVERIFY2(lost.contains(number), qPrintable(u"%1: %2 after %3"_s.arg(id).arg(number).arg(int(i))));
        }
        QVERIFY2(missing.value(1).isEmpty() && missing.value(2).isEmpty(),
            qPrintable(
                u"%1: %2 and %3 are missing"_s.arg(id).arg(missing.value(1).size()).arg(missing.value(2).size())));
    }
    const Json failed = m_service->trial(bad[0]);
    QCOMPARE(failed["exitCode"].get<int>(), 7);
    QCOMPARE(failed["failureClass"].get<std::string>(), "exitCode");
    QVERIFY2(QString::fromStdString(failed["reason"].get<std::string>()).contains(u"disk of its folder was full"_s),
        failed.dump().c_str());
}

QTEST_GUILESS_MAIN(TestServiceFullDisk)
#include "tst_service_full_disk.moc"
