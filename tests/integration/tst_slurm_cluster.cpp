// SPDX-License-Identifier: GPL-3.0-or-later
// The pure parts of Slurm (services/platforms/slurm) against a real one: what they ask for, and what they read.
#include "services/platforms/slurm/slurm_accounting.h"
#include "services/platforms/slurm/slurm_commands.h"
#include "services/platforms/slurm/slurm_nodes.h"
#include "services/platforms/slurm/slurm_queue.h"
#include "services/platforms/slurm/slurm_script.h"
#include "services/platforms/slurm/slurm_submit.h"
#include "services/platforms/slurm/slurm_version.h"
#include "services/wire/pod_frame.h"

#include "tests/fakes/slurm_cluster.h"

#include <QDir>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <functional>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::slurm;
using Outcome = SubmitAnswer::Outcome;

Q_DECLARE_METATYPE(std::function<void(platforms::slurm::ScriptValues&)>)

namespace {

/// Also for a job that its node did not take in time: Slurm has it wait for two minutes.
constexpr int jobMs = 300'000;

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Reply replyOf(const SlurmCluster::Output& output)
{
    return Reply{.exitCode = output.exitCode, .signal = output.signal, .out = output.out, .err = output.err};
}

/// The bytes of one stream of a trial's log.
QByteArray streamOf(const QByteArray& log, trialkeeper::PodStream stream)
{
    std::string bytes;
    for (const QByteArray& line : log.split('\n')) {
        trialkeeper::PodFrame frame;
        const qsizetype mark = line.lastIndexOf('$');
        if (mark >= 0
            && trialkeeper::parsePodFrame(std::string_view(line.constData() + mark, size_t(line.size() - mark)), frame)
            && !frame.end && frame.stream == stream)
            (void)trialkeeper::decodePodText(frame.text, bytes);
    }
    return QByteArray::fromStdString(bytes);
}

} // namespace

class TestSlurmCluster : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();
    void nodesAndPartitions();
    void aJobWithAGpu();
    void oddNamesOfOtherJobs();
    void refusals_data();
    void refusals();
    void pendingReasons();
    void endsAreSaid();
    void cancelByName();
    void scriptPassesEveryByte();
    void oddFolders();
    void twiceInOneFolder();
    void requeued();
    void controllerDown();
    void drained();
    void nothingIsLeftByACrash();

private:
    [[nodiscard]] SubmitAnswer submit(const QByteArray& script)
    {
        return readSubmit(replyOf(m_cluster->run(submitCommand(), script)));
    }
    [[nodiscard]] Result<QList<SlurmJob>> queue(QueueForm form = QueueForm::text)
    {
        if (form == QueueForm::json)
            return readQueueJson(replyOf(m_cluster->run(queueJsonCommand())));
        const QString mark = queueMark(QRandomGenerator::system()->generate64());
        return readQueueText(replyOf(m_cluster->run(queueTextCommand(mark))), mark);
    }
    [[nodiscard]] SlurmJob job(qint64 id)
    {
        const Result<QList<SlurmJob>> jobs = queue();
        if (jobs) {
            for (const SlurmJob& one : *jobs) {
                if (one.id == id)
                    return one;
            }
        }
        return {};
    }
    [[nodiscard]] bool waitFor(qint64 id, JobPhase phase)
    {
        return QTest::qWaitFor([this, id, phase] { return job(id).state.phase == phase; }, jobMs);
    }
    /// A trial in a folder of its own, which is made.
    [[nodiscard]] ScriptValues trial(const QString& name, const QByteArray& command, const QString& below = u"shared"_s)
    {
        ScriptValues values;
        values.name = name;
        values.folder = m_cluster->folder() + u'/' + below + u'/' + name;
        values.log = values.folder + u"/log.1"_s;
        values.memoryMb = 50;
        values.keeper = QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper-pod");
        values.trialId = name;
        values.command = {.bytes = command, .file = {}};
        values.parameters = {.bytes = "{}", .file = {}};
        QDir().mkpath(values.folder);
        return values;
    }
    [[nodiscard]] QByteArray outputOf(const ScriptValues& values) const
    {
        return streamOf(contents(values.log), trialkeeper::PodStream::standardOutput);
    }

    std::unique_ptr<SlurmCluster> m_cluster;
};

void TestSlurmCluster::initTestCase()
{
    if (const QString missing = SlurmCluster::missing(); !missing.isEmpty()) {
        if (qEnvironmentVariable("TRIALDECK_REQUIRE_PEERS") == u"1")
            QFAIL(qPrintable(missing));
        QSKIP(qPrintable(missing));
    }
    QElapsedTimer took;
    took.start();
    m_cluster = std::make_unique<SlurmCluster>();
    QVERIFY2(m_cluster->start(), qPrintable(m_cluster->error()));
    qInfo("ready after %lld ms", took.elapsed());
}

void TestSlurmCluster::cleanup()
{
    if (!m_cluster)
        return;
    if (QTest::currentTestFailed())
        qInfo("%s", m_cluster->log().constData());
    const Result<QList<SlurmJob>> jobs = queue();
    QVERIFY(jobs);
    QList<qint64> ids;
    for (const SlurmJob& one : *jobs) {
        if (one.state.phase != JobPhase::ended)
            ids.append(one.id);
    }
    if (!ids.isEmpty())
        QCOMPARE(m_cluster->run(cancelCommand(ids)).exitCode, 0);
    QVERIFY(m_cluster->waitForNode({u"idle"_s}));
}

void TestSlurmCluster::cleanupTestCase()
{
    m_cluster.reset();
}

void TestSlurmCluster::nodesAndPartitions()
{
    const Result<SlurmVersion> version = readVersion(replyOf(m_cluster->run(versionCommand())));
    QVERIFY(version);
    QVERIFY2(*version >= oldestVersion, qPrintable(version->text()));
    const auto nodes = readNodes(replyOf(m_cluster->run(nodesCommand())));
    QVERIFY(nodes);
    QCOMPARE(nodes->size(), 1);
    QCOMPARE(nodes->first().name, m_cluster->nodeName());
    QVERIFY(nodes->first().usable);
    QCOMPARE(nodes->first().gres, (QList<SlurmGres>{{.name = u"gpu"_s, .type = u"fake"_s, .total = 2}}));
    const auto partitions = readPartitions(replyOf(m_cluster->run(partitionsCommand())));
    QVERIFY(partitions);
    QCOMPARE(partitions->size(), 3);
    QCOMPARE(partitions->first().maxSeconds, 3'600);
}

void TestSlurmCluster::aJobWithAGpu()
{
    ScriptValues values = trial(u"gpu1"_s, "echo $CUDA_VISIBLE_DEVICES; exec sleep 600");
    values.gpus = 1;
    values.gpuType = u"fake"_s;
    values.timeLimitSeconds = 600;
    const SubmitAnswer answer = submit(*batchScript(values));
    QVERIFY2(answer.outcome == Outcome::accepted, qPrintable(answer.error.message.text() + answer.error.detail));
    QVERIFY(waitFor(answer.id, JobPhase::running));
    const SlurmJob running = job(answer.id);
    QCOMPARE(running.name, u"gpu1"_s);
    QCOMPARE(running.comment, u"gpu1"_s);
    QCOMPARE(running.gres, u"gres:gpu:fake:1"_s);
    QCOMPARE(running.nodes, m_cluster->nodeName());
    QVERIFY(running.startTime && running.submitTime);
    const auto json = queue(QueueForm::json);
    QVERIFY2(json, qPrintable(json ? QString() : json.error().message.text()));
    const auto same =
        std::find_if(json->begin(), json->end(), [&](const SlurmJob& one) { return one.id == answer.id; });
    QVERIFY(same != json->end());
    QCOMPARE(*same, running);
    const auto nodes = readNodes(replyOf(m_cluster->run(nodesCommand())));
    QCOMPARE(nodes->first().gres.first().used, 1);
    QCOMPARE(nodes->first().gres.first().usedIndices, QList<int>{0});
    QCOMPARE(nodes->first().memoryAllocatedMb, 50);
    QTRY_COMPARE_WITH_TIMEOUT(outputOf(values), "0\n"_ba, jobMs);

    QCOMPARE(m_cluster->run(cancelCommand({answer.id})).exitCode, 0);
    QVERIFY(waitFor(answer.id, JobPhase::ended));
    QCOMPARE(job(answer.id).state.end, JobEnd::cancelled);
    QCOMPARE(commandError(replyOf(m_cluster->run(cancelCommand({answer.id}))), u"scancel"_s), std::nullopt); // ended
    QCOMPARE(commandError(replyOf(m_cluster->run(cancelCommand({answer.id + 999}))), u"scancel"_s),
        std::nullopt); // never was
}

void TestSlurmCluster::oddNamesOfOtherJobs()
{
    const QString name = u"a |\t\"b\" 'c' é\n2nd \x1f|~%j\\ line"_s;
    const auto sent = m_cluster->run({u"sbatch"_s, u"--parsable"_s, u"--mem=50M"_s, u"--hold"_s,
                                         u"--job-name="_s + name, u"--comment=c|\n1"_s, u"--output=/dev/null"_s},
        "#!/bin/sh\n");
    const SubmitAnswer answer = readSubmit(replyOf(sent));
    QCOMPARE(answer.outcome, Outcome::accepted);
    QCOMPARE(job(answer.id).name, name);
    QCOMPARE(job(answer.id).comment, u"c|\n1"_s);
    const auto json = queue(QueueForm::json);
    QVERIFY(json);
    QVERIFY(std::any_of(
        json->begin(), json->end(), [&](const SlurmJob& one) { return one.id == answer.id && one.name == name; }));
}

void TestSlurmCluster::refusals_data()
{
    QTest::addColumn<std::function<void(ScriptValues&)>>("change");
    QTest::addColumn<QString>("begins");
    const auto row = [](const char* name, std::function<void(ScriptValues&)> change, const QString& begins) {
        QTest::newRow(name) << std::move(change) << begins;
    };
    row(
        "partition", [](ScriptValues& v) { v.partition = u"nope"_s; }, u"Slurm has no such partition"_s);
    row(
        "GPUs", [](ScriptValues& v) { v.gpus = 5; }, u"No node can fulfil"_s);
    row(
        "GPU type", [](ScriptValues& v) { v.gpus = 1, v.gpuType = u"h100"_s; }, u"No node can fulfil"_s);
    row(
        "memory", [](ScriptValues& v) { v.memoryMb = 900'000; }, u"No node has so much memory"_s);
    row(
        "reservation", [](ScriptValues& v) { v.reservation = u"nope"_s; }, u"The reservation cannot be used"_s);
    row(
        "constraint", [](ScriptValues& v) { v.constraint = u"nope"_s; }, u"No node has the features"_s);
    row(
        "an option", [](ScriptValues& v) { v.extraArguments = {u"--bogus"_s}; },
        u"This Slurm does not know an option"_s);
}

void TestSlurmCluster::refusals()
{
    QFETCH(std::function<void(ScriptValues&)>, change);
    QFETCH(QString, begins);
    ScriptValues values = trial(u"refused"_s, "true");
    change(values);
    const SubmitAnswer answer = submit(*batchScript(values));
    QCOMPARE(int(answer.outcome), int(Outcome::refused));
    QCOMPARE(answer.error.kind, Kind::invalid);
    QVERIFY2(answer.error.message.startsWith(begins), qPrintable(answer.error.message.text()));
}

void TestSlurmCluster::pendingReasons()
{
    ScriptValues first = trial(u"first"_s, "sleep 600");
    first.gpus = 2;
    const qint64 holder = submit(*batchScript(first)).id;
    QVERIFY(waitFor(holder, JobPhase::running));
    ScriptValues second = trial(u"second"_s, "true");
    second.gpus = 1;
    const qint64 waiting = submit(*batchScript(second)).id;
    ScriptValues third = trial(u"third"_s, "true");
    third.timeLimitSeconds = 90'000;
    const qint64 tooLong = submit(*batchScript(third)).id;
    ScriptValues fourth = trial(u"fourth"_s, "true");
    fourth.partition = u"closed"_s;
    const qint64 closed = submit(*batchScript(fourth)).id;
    QTRY_COMPARE_WITH_TIMEOUT(job(waiting).reason, u"Resources"_s, jobMs);
    QTRY_COMPARE_WITH_TIMEOUT(job(tooLong).reason, u"PartitionTimeLimit"_s, jobMs);
    QTRY_COMPARE_WITH_TIMEOUT(job(closed).reason, u"PartitionDown"_s, jobMs);
}

void TestSlurmCluster::endsAreSaid()
{
    const qint64 good = submit(*batchScript(trial(u"good"_s, "true"))).id;
    const qint64 seven = submit(*batchScript(trial(u"seven"_s, "exit 7"))).id;
    const qint64 killed =
        readSubmit(replyOf(m_cluster->run({u"sbatch"_s, u"--parsable"_s, u"--mem=50M"_s, u"--output=/dev/null"_s},
                       "#!/bin/sh\nkill -9 $$\n")))
            .id;
    ScriptValues lost = trial(u"lost"_s, "true");
    lost.log = u"/nonexistent/log"_s;
    const qint64 noLog = submit(*batchScript(lost)).id;
    for (const qint64 id : {good, seven, killed, noLog})
        QVERIFY(waitFor(id, JobPhase::ended));
    QCOMPARE(job(good).state.end, JobEnd::succeeded);
    QCOMPARE(job(good).exitCode, 0);
    QCOMPARE(job(seven).state.end, JobEnd::failed);
    QCOMPARE(job(seven).exitCode, 7);
    QCOMPARE(job(killed).state.end, JobEnd::failed);
    QCOMPARE(job(killed).signal, SIGKILL);
    QCOMPARE(job(noLog).state.end, JobEnd::failed); // slurmd cannot make the log
    const auto accounting = readAccounting(replyOf(m_cluster->run(accountingCommand({good}, u"|M|"_s))), u"|M|"_s);
    QVERIFY(accounting);
    QVERIFY(!accounting->kept);
}

void TestSlurmCluster::cancelByName()
{
    const qint64 one = submit(*batchScript(trial(u"byname"_s, "sleep 600"))).id;
    const qint64 other = submit(*batchScript(trial(u"byname2"_s, "sleep 600"))).id;
    QVERIFY(waitFor(one, JobPhase::running));
    QVERIFY(waitFor(other, JobPhase::running));
    QCOMPARE(m_cluster->run(cancelByNameCommand(u"byname"_s)).exitCode, 0);
    QVERIFY(waitFor(one, JobPhase::ended));
    QCOMPARE(job(other).state.phase, JobPhase::running);
}

void TestSlurmCluster::scriptPassesEveryByte()
{
    const QString odd = u"a'b\"c`d$(echo x)$HOME\\e\n#SBATCH --partition=closed\n\t*?[x] é 数据 \x01 %j {y} !! ~ #"_s;
    ScriptValues values = trial(u"bytes"_s,
        "printf '%s' \"$ODD\" > \"$NNI_OUTPUT_DIR/odd\"; env -0 > \"$NNI_OUTPUT_DIR/env\"; cat "
        "\"$TRIALDECK_PARAMETERS_FILE\" > "
        "\"$NNI_OUTPUT_DIR/parameters\"\n# a comment 'with a quote\ncat \"$NNI_SYS_DIR/parameter.cfg\" > "
        "\"$NNI_OUTPUT_DIR/cfg\"; pwd > "
        "\"$NNI_OUTPUT_DIR/pwd\"; printf '%s' 'é\x01$x'");
    values.environment = {{u"ODD"_s, odd}, {u"dotted.name"_s, odd}, {u"NNI_EXP_ID"_s, u"e1"_s}, {u"UID"_s, u"42"_s},
        {u"EMPTY"_s, QString()}, {u"LONG"_s, QString(60'000, u'x')}};
    const QByteArray parameters = "{\"a\": \"q'\\\"$x\\n#SBATCH -p closed\", \"b\": \"\xc3\xa9\"}\n";
    values.parameters = {.bytes = parameters, .file = {}};
    values.parameterCfg = ScriptText{.bytes = "cfg '\"\n", .file = {}};
    values.preamble = u"export FROM_PREAMBLE='p q'\nexport ODD2=\"$ODD\""_s;
    values.codeFolder = values.folder + u"/co de"_s;
    QDir().mkpath(values.codeFolder);
    const Result<QByteArray> script = batchScript(values);
    QVERIFY2(script, qPrintable(script ? QString() : script.error().message.text()));
    const SubmitAnswer answer = submit(*script);
    QVERIFY2(answer.outcome == Outcome::accepted, qPrintable(answer.error.detail));
    QVERIFY(waitFor(answer.id, JobPhase::ended));
    QVERIFY2(job(answer.id).state.end == JobEnd::succeeded, contents(values.log).constData());
    QCOMPARE(job(answer.id).partition, u"debug"_s);

    const QString output = values.folder + u"/output/"_s;
    QCOMPARE(contents(output + u"odd"_s), odd.toUtf8());
    QCOMPARE(contents(output + u"parameters"_s), parameters);
    QCOMPARE(contents(output + u"cfg"_s), "cfg '\"\n"_ba);
    QCOMPARE(contents(output + u"pwd"_s), values.codeFolder.toUtf8() + '\n');
    QCOMPARE(outputOf(values), "é\x01$x"_ba);
    const QList<QByteArray> environment = contents(output + u"env"_s).split('\0');
    for (auto it = values.environment.cbegin(); it != values.environment.cend(); ++it)
        QVERIFY2(environment.contains(it.key().toUtf8() + '=' + it->toUtf8()), qPrintable(it.key()));
    QVERIFY(environment.contains("FROM_PREAMBLE=p q"));
    QVERIFY(environment.contains("ODD2=" + odd.toUtf8()));
}

void TestSlurmCluster::oddFolders()
{
    for (const QString& below : {u"with blank"_s, u"quote'\"#"_s, u"größe 数据"_s, u"%j%x$HOME`x`"_s, u"a;b&c(d)"_s}) {
        ScriptValues values = trial(u"odd%1"_s.arg(QString::number(qHash(below))), "echo there", below);
        const SubmitAnswer answer = submit(*batchScript(values));
        QVERIFY2(answer.outcome == Outcome::accepted, qPrintable(below + answer.error.detail));
        QVERIFY(waitFor(answer.id, JobPhase::ended));
        QVERIFY2(job(answer.id).state.end == JobEnd::succeeded, qPrintable(below));
        QCOMPARE(outputOf(values), "there\n"_ba);
    }
}

void TestSlurmCluster::twiceInOneFolder()
{
    const ScriptValues values = trial(u"twice"_s, "echo ran >> \"$NNI_OUTPUT_DIR/ran\"");
    for (int i = 0; i < 2; ++i) {
        const SubmitAnswer answer = submit(*batchScript(values));
        QVERIFY(waitFor(answer.id, JobPhase::ended));
    }
    QCOMPARE(contents(values.folder + u"/output/ran"_s), "ran\n"_ba); // a submission that was repeated starts nothing
}

void TestSlurmCluster::requeued()
{
    ScriptValues values = trial(u"again"_s,
        "echo run $SLURM_RESTART_COUNT >> \"$NNI_OUTPUT_DIR/ran\"; [ -n \"$SLURM_RESTART_COUNT\" ] || exec sleep 600");
    values.requeue = true;
    const qint64 id = submit(*batchScript(values)).id;
    QTRY_COMPARE_WITH_TIMEOUT(contents(values.folder + u"/output/ran"_s), "run\n"_ba, jobMs);
    QCOMPARE(m_cluster->run({u"scontrol"_s, u"requeue"_s, QString::number(id)}).exitCode, 0);
    QVERIFY(waitFor(id, JobPhase::waiting));
    QCOMPARE(job(id).restarts, 1);
    QVERIFY(m_cluster->startRequeued(QString::number(id)));
    QVERIFY(waitFor(id, JobPhase::ended));
    QCOMPARE(contents(values.folder + u"/output/ran"_s), "run\nrun 1\n"_ba);
    QCOMPARE(job(id).state.end, JobEnd::succeeded);
    QCOMPARE(job(id).exitCode, 0);
}

void TestSlurmCluster::controllerDown()
{
    const qint64 id = submit(*batchScript(trial(u"goes_on"_s, "sleep 600"))).id;
    QVERIFY(waitFor(id, JobPhase::running));
    m_cluster->stopController();
    for (const QueueForm form : {QueueForm::text, QueueForm::json}) {
        const auto jobs = queue(form);
        QVERIFY(!jobs);
        QCOMPARE(jobs.error().kind, Kind::network);
    }
    QCOMPARE(readNodes(replyOf(m_cluster->run(nodesCommand()))).error().kind, Kind::network);
    QCOMPARE(commandError(replyOf(m_cluster->run(cancelCommand({id}))), u"scancel"_s)->kind, Kind::network);
    const SubmitAnswer answer = submit(*batchScript(trial(u"not_now"_s, "true")));
    QCOMPARE(int(answer.outcome), int(Outcome::none));
    QCOMPARE(answer.error.kind, Kind::network);
    QVERIFY2(m_cluster->startController(), qPrintable(m_cluster->error()));
    QTRY_COMPARE_WITH_TIMEOUT(job(id).state.phase, JobPhase::running, jobMs);
    QVERIFY(m_cluster->waitForNode({u"mixed"_s}));
    const auto jobs = queue();
    QVERIFY(jobs);
    QVERIFY(std::none_of(jobs->begin(), jobs->end(), [](const SlurmJob& one) { return one.name == u"not_now"; }));
}

void TestSlurmCluster::drained()
{
    QVERIFY(m_cluster->drain(u"bad disk: \"sda\" State=IDLE [x@y]"_s));
    const auto nodes = readNodes(replyOf(m_cluster->run(nodesCommand())));
    QVERIFY(nodes);
    QVERIFY(!nodes->first().usable);
    QVERIFY(nodes->first().states.contains(u"DRAIN"_s));
    QCOMPARE(nodes->first().reason, u"bad disk: \"sda\" State=IDLE [x@y]"_s);
    QVERIFY(nodes->first().reasonTime);
    QVERIFY(m_cluster->resume());
    QVERIFY(m_cluster->waitForNode({u"idle"_s}));
}

void TestSlurmCluster::nothingIsLeftByACrash()
{
    // A process that starts a cluster and a job, and is killed.
    QProcess child;
    child.setProgram(QCoreApplication::applicationFilePath());
    child.setArguments({u"--crash"_s});
    child.start();
    QVERIFY(child.waitForReadyRead(jobMs));
    const QString folder = QString::fromUtf8(child.readLine()).trimmed();
    QVERIFY2(QDir(folder).exists(), qPrintable(folder));
    const auto left = [&folder] {
        int count = 0;
        for (const QString& entry : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
            if (contents(u"/proc/%1/environ"_s.arg(entry)).contains("SLURM_CONF=" + folder.toUtf8()))
                ++count;
        }
        return count;
    };
    QVERIFY(left() >= 4); // three daemons, and a job
    child.kill();
    QVERIFY(child.waitForFinished());
    QTRY_COMPARE_WITH_TIMEOUT(left(), 0, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder).exists(), 60'000);
}

namespace {

/// For nothingIsLeftByACrash().
int startAndWait()
{
    SlurmCluster cluster;
    if (!cluster.start())
        return 1;
    (void)cluster.run({u"sbatch"_s, u"--mem=50M"_s, u"--output="_s + cluster.folder() + u"/out"_s},
        "#!/bin/sh\necho on\nsleep 600\n");
    if (!QTest::qWaitFor([&cluster] { return contents(cluster.folder() + u"/out"_s) == "on\n"; }, jobMs))
        return 1;
    ::printf("%s\n", qPrintable(cluster.folder()));
    ::fflush(stdout);
    QTest::qWait(jobMs);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    if (app.arguments().contains(u"--crash"_s))
        return startAndWait();
    TestSlurmCluster test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_slurm_cluster.moc"
