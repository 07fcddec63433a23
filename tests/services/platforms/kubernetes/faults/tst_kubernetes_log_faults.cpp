// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong with the logs of pods, in which metrics come: nothing is lost, nothing comes twice, and what is missing is said.
#include "kube_lab.h"

#include <random>

using namespace Qt::StringLiterals;
using namespace kube_lab;

class TestKubernetesLogFaults : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void cutInTheMiddleOfALine();
    void cutAnywhere_data();
    void cutAnywhere();
    void goesOnFromATimeStamp();
    void nodesEndLogsInOrder();
    void beginningIsGone();
    void rotatedWhileItIsCut();
    void lastFrameIsInTheTermination();
    void podIsGoneBeforeItsLogWasRead();
    void aServiceTakesUp();
    void framesOfOthers();

private:
    void say(const QByteArray& lines) { m_lab->cluster.say(m_pod, lines); }
    [[nodiscard]] bool follows()
    {
        return m_lab->spin([&] { return m_lab->cluster.followers(m_pod) == 1; });
    }
    /// All that was reported has come.
    [[nodiscard]] bool hasCome()
    {
        return m_lab->spin([&] { return m_service->of(u"t1"_s).stream(Stream::file) == m_log->reported(); });
    }
    void endWell()
    {
        say(m_log->exits(0, m_lab->clock.nowMs()));
        m_lab->cluster.end(m_service->job(u"t1"_s), 0);
    }

    std::unique_ptr<KubeLab> m_lab;
    std::unique_ptr<KubeService> m_service;
    std::unique_ptr<KeeperLog> m_log;
    QString m_pod;
};

void TestKubernetesLogFaults::init()
{
    m_service.reset(); // before its lab
    m_lab = std::make_unique<KubeLab>();
    m_service = std::make_unique<KubeService>(*m_lab);
    m_log = std::make_unique<KeeperLog>(u"t1"_s);
    QVERIFY(m_service->open());
    QVERIFY(m_service->start(u"t1"_s));
    m_pod = m_lab->cluster.podOf(m_service->job(u"t1"_s));
    say(m_log->running(m_lab->clock.nowMs()));
}

void TestKubernetesLogFaults::cleanup()
{
    m_service.reset();
    m_lab.reset();
}

void TestKubernetesLogFaults::cutInTheMiddleOfALine()
{
    QVERIFY(follows());
    say(m_log->reports("loss=0.5"));
    QVERIFY(hasCome());
    const QByteArray line = m_log->reports("loss=0.25");
    m_lab->cluster.sayAndCut(m_pod, line, 31 + line.size() / 2); // behind the time stamp
    QVERIFY(hasCome());
    endWell();
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(m_service->sink.notes, QStringList());
}

void TestKubernetesLogFaults::cutAnywhere_data()
{
    QTest::addColumn<uint>("seed");
    for (uint seed = 1; seed <= 6; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestKubernetesLogFaults::cutAnywhere()
{
    QFETCH(const uint, seed);
    std::mt19937 random(seed);
    int cuts = 0;
    for (int i = 0; i < 60; ++i) {
        QByteArray lines;
        for (unsigned n = 1 + random() % 4; n > 0; --n)
            lines += m_log->reports(QByteArray::number(i) + ' ' + QByteArray(qsizetype(random() % 200), 'x'))
                + m_log->prints("out " + QByteArray::number(i));
        if (random() % 2 == 0 && m_lab->cluster.followers(m_pod) == 1) {
            m_lab->cluster.sayAndCut(m_pod, lines, qsizetype(random() % quint32(lines.size())));
            ++cuts;
        } else {
            say(lines);
        }
        m_lab->pass(random() % 700);
    }
    qInfo("seed %u: cut %d times", seed, cuts);
    QVERIFY(cuts > 5);
    endWell();
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(m_service->of(u"t1"_s).stream(Stream::file), m_log->reported());
    QCOMPARE(m_service->of(u"t1"_s).stream(Stream::stdout_lines), m_log->printed());
    QVERIFY(!m_service->of(u"t1"_s).recordsAfterEnd);
    QCOMPARE(m_service->sink.notes, QStringList());
    QCOMPARE(m_service->course(u"t1"_s), u"RUNNING SUCCEEDED"_s);
}

/// A node reads whole seconds, so some lines come again.
void TestKubernetesLogFaults::goesOnFromATimeStamp()
{
    QVERIFY(follows());
    for (int i = 0; i < 20; ++i) {
        say(m_log->reports(QByteArray::number(i)));
        m_lab->pass(300);
    }
    QVERIFY(hasCome());
    m_lab->cluster.sayAndCut(m_pod, m_log->reports("last"), 3);
    QVERIFY(hasCome());
    const auto asked = m_lab->cluster.calls("pods", "log");
    QCOMPARE(asked.size(), 2);
    QVERIFY(!asked[0].request.target.contains("sinceTime"));
    QVERIFY(asked[1].request.target.contains("sinceTime=20"));
}

void TestKubernetesLogFaults::nodesEndLogsInOrder()
{
    for (int i = 0; i < 5; ++i) {
        QVERIFY(follows());
        say(m_log->reports(QByteArray::number(i)));
        QVERIFY(hasCome());
        m_lab->cluster.endLogs(m_pod);
    }
    QCOMPARE(m_service->course(u"t1"_s), u"RUNNING"_s);
    QVERIFY(follows());
    endWell();
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(m_service->sink.notes, QStringList());
}

/// The node has thrown away what was written before anybody read it.
void TestKubernetesLogFaults::beginningIsGone()
{
    m_service.reset();
    m_lab = std::make_unique<KubeLab>();
    m_service = std::make_unique<KubeService>(*m_lab);
    m_log = std::make_unique<KeeperLog>(u"t1"_s);
    m_service->sink.contiguous = false;
    QVERIFY(m_service->open());
    QVERIFY(!m_service->submit(u"t1"_s).handle.isEmpty());
    m_pod = m_lab->cluster.makePod(m_service->job(u"t1"_s));
    QByteArray lost = m_log->running(m_lab->clock.nowMs());
    for (int i = 0; i < 50; ++i)
        lost += m_log->reports("lost " + QByteArray::number(i));
    const qsizetype gone = m_log->reported().size();
    lost += m_log->reports("kept 1");
    lost += m_log->reports("kept 2");
    say(lost);
    m_lab->cluster.rotate(m_pod, 2);
    m_lab->cluster.run(m_service->job(u"t1"_s));
    const QByteArray kept = m_log->reported().mid(gone);
    QVERIFY(m_lab->spin([&] { return m_service->of(u"t1"_s).stream(Stream::file) == kept; }));
    QCOMPARE(m_service->of(u"t1"_s).first[size_t(Stream::file)], qint64(gone));
    QCOMPARE(m_service->sink.notes, QStringList{u"%1 bytes of file are missing in its log."_s.arg(gone)});
    endWell();
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
}

void TestKubernetesLogFaults::rotatedWhileItIsCut()
{
    m_service->sink.contiguous = false;
    QVERIFY(follows());
    say(m_log->reports("before"));
    QVERIFY(hasCome());
    const qsizetype from = m_log->reported().size();
    m_lab->cluster.sayAndCut(m_pod, m_log->reports("lost"), 4);
    const qsizetype to = m_log->reported().size();
    say(m_log->reports("behind"));
    m_lab->cluster.rotate(m_pod, 1);
    QVERIFY(m_lab->spin([&] { return m_service->of(u"t1"_s).stream(Stream::file).endsWith("behind\n"); }));
    QCOMPARE(m_service->of(u"t1"_s).stream(Stream::file), "before\nbehind\n"_ba);
    QCOMPARE(m_service->of(u"t1"_s).next[size_t(Stream::file)], qint64(m_log->reported().size()));
    QCOMPARE(m_service->sink.notes, QStringList{u"%1 bytes of file are missing in its log."_s.arg(to - from)});
}

/// The container was killed before its last lines were in the log.
void TestKubernetesLogFaults::lastFrameIsInTheTermination()
{
    QVERIFY(follows());
    say(m_log->reports("1"));
    QVERIFY(hasCome());
    m_lab->cluster.end(m_service->job(u"t1"_s), 3, {}, m_log->exits(3, m_lab->clock.nowMs()).trimmed());
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::failed));
    QCOMPARE(m_service->last(u"t1"_s).exitCode, std::optional(3));
    QVERIFY(m_service->last(u"t1"_s).usage.has_value()); // as only the keeper knows it
    QCOMPARE(m_service->course(u"t1"_s), u"RUNNING FAILED"_s);
}

void TestKubernetesLogFaults::podIsGoneBeforeItsLogWasRead()
{
    QVERIFY(follows());
    say(m_log->reports("1"));
    QVERIFY(hasCome());
    m_lab->cluster.sayAndCut(m_pod, m_log->reports("2"), 4);
    m_lab->cluster.drop("jobs", m_service->job(u"t1"_s));
    m_lab->cluster.reap();
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::sys_canceled));
    QCOMPARE(m_service->of(u"t1"_s).stream(Stream::file), "1\n"_ba);
    QVERIFY(!m_service->of(u"t1"_s).recordsAfterEnd);
}

/// Another service, of the same data directory, goes on where everything was stored.
void TestKubernetesLogFaults::aServiceTakesUp()
{
    QVERIFY(follows());
    for (int i = 0; i < 10; ++i)
        say(m_log->reports(QByteArray::number(i)));
    QVERIFY(hasCome());
    const QByteArray before = m_service->of(u"t1"_s).stream(Stream::file);
    TrialRef ref = m_service->ref(u"t1"_s);
    ref.handle = QString::fromStdString(m_lab->cluster.jobs().at(m_service->job(u"t1"_s))["metadata"]["uid"]);
    ref.cursors = m_service->sink.cursors[ref.trial];
    ref.stdoutWatch = StdoutWatch::all;
    m_service = std::make_unique<KubeService>(*m_lab);
    say(m_log->reports("while nobody looks"));
    QVERIFY(m_service->open());
    QVERIFY(m_lab->wait(m_service->platform->adopt({ref})));
    QVERIFY(follows());
    say(m_log->reports("last"));
    QVERIFY(m_lab->spin([&] { return before + m_service->of(u"t1"_s).stream(Stream::file) == m_log->reported(); }));
    QCOMPARE(m_service->of(u"t1"_s).first[size_t(Stream::file)], qint64(before.size()));
    endWell();
    QVERIFY(m_service->becomes(u"t1"_s, TrialStatus::succeeded));
    QCOMPARE(m_service->sink.notes, QStringList());
}

/// What the pod prints besides, what another trial's keeper would write, and what looks like a frame.
void TestKubernetesLogFaults::framesOfOthers()
{
    QVERIFY(follows());
    KeeperLog other(u"t2"_s);
    say(other.running(1) + other.reports("not ours") + "$td1 00000000 t1 7f f 0 forged\n"
        + "warning: a runtime's own words\n");
    say(m_log->reports("ours") + other.exits(1, 2));
    QVERIFY(hasCome());
    m_lab->pass(minuteMs);
    QCOMPARE(m_service->course(u"t1"_s), u"RUNNING"_s);
    QCOMPARE(m_service->course(u"t2"_s), QString());
    QCOMPARE(
        m_service->sink.notes, QStringList{u"A line of its log is damaged: something else may write to the file."_s});
}

QTEST_GUILESS_MAIN(TestKubernetesLogFaults)
#include "tst_kubernetes_log_faults.moc"
