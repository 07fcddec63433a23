// SPDX-License-Identifier: GPL-3.0-or-later
// What trials see, say and do, through the whole service: three ways to report, and every way to misbehave.
#include "service_fixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTcpSocket>
#include <QUrl>

#include <unistd.h>

using namespace Qt::StringLiterals;
using core::Json;

static void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(text), text.size());
}

static std::vector<double> valuesOf(const Json& metrics)
{
    std::vector<double> values;
    for (const Json& metric : metrics)
        if (metric["value"].is_number())
            values.push_back(metric["value"].get<double>());
    return values;
}

/// Resident memory of a process, bytes.
static qint64 residentOf(qint64 pid)
{
    QFile file(u"/proc/%1/status"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.mid(6).trimmed().split(' ').first().toLongLong() * 1024;
    return 0;
}

/// Processor time of a process so far, in milliseconds: proc(5), fields 14 and 15 of /proc/PID/stat.
static qint64 processorMsOf(qint64 pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const QList<QByteArray> behindName = text.mid(text.lastIndexOf(')') + 2).split(' '); // from field 3
    return (behindName.value(11).toLongLong() + behindName.value(12).toLongLong()) * 1'000 / ::sysconf(_SC_CLK_TCK);
}

class TestServiceTrials : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // By default the address sanitizer keeps 256 MiB of freed memory, in which growth would not be seen.
        m_service.setEnvironment(u"ASAN_OPTIONS"_s, u"quarantine_size_mb=8"_s);
        QVERIFY2(m_service.start(), m_service.output());
    }
    void cleanupTestCase() { QVERIFY(m_service.terminate()); }

    void threeScriptsGiveTheSameCurveEverywhere()
    {
        const QString folder = m_service.folder() + u"/scripts"_s;
        QVERIFY(QDir().mkpath(folder));
        write(folder + u"/nni.py"_s,
            "import os, json\n"
            "path = os.path.join(os.environ['NNI_SYS_DIR'], '.nni', 'metrics')\n"
            "os.makedirs(os.path.dirname(path), exist_ok=True)\n"
            "def put(kind, step, value):\n"
            "    text = json.dumps({'parameter_id': 0, 'trial_job_id': os.environ['NNI_TRIAL_JOB_ID'], 'type': kind,\n"
            "                       'sequence': step, 'value': json.dumps(value)}) + '\\n'\n"
            "    data = text.encode()\n"
            "    with open(path, 'ab') as out: out.write(b'ME%06d' % len(data) + data)\n"
            "for i in range(20): put('PERIODICAL', i, 0.5 + i / 64)\n"
            "put('FINAL', 0, 0.875)\n");
        write(folder + u"/file.py"_s,
            "import os, json\n"
            "with open(os.environ['TRIALDECK_METRICS_FILE'], 'a') as out:\n"
            "    for i in range(20): out.write(json.dumps({'metric': 0.5 + i / 64, 'step': i}) + '\\n')\n"
            "    out.write(json.dumps({'metric': 0.875, 'type': 'FINAL'}) + '\\n')\n");
        write(folder + u"/print.py"_s,
            "for i in range(20): print(f'epoch {i} acc {0.5 + i / 64}')\n"
            "print('epoch 20 acc 0.875')\n");
        std::vector<double> wanted;
        for (int i = 0; i < 20; ++i)
            wanted.push_back(0.5 + i / 64.0);
        wanted.push_back(0.875);

        // Both kinds of stream are opened before anything runs.
        QTcpSocket lines;
        openEvents(lines, false);
        QTcpSocket socket;
        openEvents(socket, true);
        for (const char* script : {"nni.py", "file.py", "print.py"}) {
            Json members = {{"trialCommand", std::string("python3 ") + script}, {"codeDir", folder.toStdString()}};
            if (QByteArray(script) == "print.py")
                members["metricPattern"] = "epoch (?<step>[0-9]+) acc (?<value>[0-9.]+)";
            const QString e = m_service.createExperiment(members);
            const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
            QCOMPARE(ids.size(), 1);
            QVERIFY(m_service.waitForStatus(ids[0], "SUCCEEDED"));
            const Json metrics = m_service.metrics(ids[0]);
            QCOMPARE(valuesOf(metrics), wanted);
            QCOMPARE(metrics[7]["step"].get<int>(), 7);
            QCOMPARE(m_service.trial(ids[0])["finalMetric"]["value"].get<double>(), 0.875);
            const auto heard = [&](QTcpSocket& stream, QByteArray& seen) {
                return QTest::qWaitFor(
                    [&] {
                        seen += stream.readAll();
                        return streamed(&stream == &socket ? unframed(seen) : seen, ids[0]) == wanted;
                    },
                    60'000);
            };
            QVERIFY2(heard(lines, m_lines), qPrintable(u"%1 as NDJSON"_s.arg(QString::fromUtf8(script))));
            QVERIFY2(heard(socket, m_socket), qPrintable(u"%1 over the WebSocket"_s.arg(QString::fromUtf8(script))));
            QProcess command;
            command.start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
                {u"metrics"_s, ids[0], u"--json"_s, u"--data-dir"_s, m_service.dataDir()});
            QVERIFY(command.waitForFinished(60'000));
            const Json printed = *core::parseJson(command.readAllStandardOutput());
            QCOMPARE(valuesOf(printed.is_array() ? printed : printed["metrics"]), wanted);
        }
    }

    void misbehaviour_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("status");
        QTest::addColumn<QByteArray>("failureClass");
        QTest::addColumn<std::vector<double>>("values");
        const auto row = [](const char* name, const QString& command, const char* status, const char* failureClass,
                             const std::vector<double>& values) {
            QTest::newRow(name) << command << QByteArray(status) << QByteArray(failureClass) << values;
        };
        const QString metrics = u"\"$TRIALDECK_METRICS_FILE\""_s;
        row("command not found", u"no-such-program-here --x"_s, "FAILED", "commandNotFound", {});
        row("exit code", u"exit 3"_s, "FAILED", "exitCode", {});
        row("killed by a signal", u"kill -SEGV $$"_s, "FAILED", "signal", {});
        row("no line break at the end", u"printf '{\"metric\": 1}\\n{\"metric\": 2}' > "_s + metrics, "SUCCEEDED", "",
            {1, 2});
        row("torn line", u"printf '{\"metric\": 1}\\n{\"metr\\n{\"metric\": 3}\\n' > "_s + metrics, "SUCCEEDED", "",
            {1, 3});
        row("not UTF-8", u"printf '{\"metric\": 1}\\n\\377\\376\\n{\"metric\": 3}\\n' > "_s + metrics, "SUCCEEDED", "",
            {1, 3});
        row("NaN", u"printf '{\"metric\": NaN}\\n{\"metric\": 4}\\n' > "_s + metrics, "SUCCEEDED", "", {4});
        row("10 MB line",
            u"(printf '{\"metric\": \"'; head -c 10000000 /dev/zero | tr '\\\\0' x; printf '\"}\\n{\"metric\": 5}\\n') > "_s
                + metrics,
            "SUCCEEDED", "", {5});
        row("torn ME record", u"mkdir -p .nni; printf 'ME000020{\"type' > \"$NNI_SYS_DIR/.nni/metrics\""_s, "SUCCEEDED",
            "", {});
    }
    void misbehaviour()
    {
        QFETCH(QString, command);
        QFETCH(QByteArray, status);
        QFETCH(QByteArray, failureClass);
        QFETCH(std::vector<double>, values);
        const QString e = m_service.createExperiment({{"trialCommand", command.toStdString()}});
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        QVERIFY(m_service.waitForStatus(ids[0], status));
        const Json trial = m_service.trial(ids[0]);
        QCOMPARE(QByteArray::fromStdString(
                     trial["failureClass"].is_string() ? trial["failureClass"].get<std::string>() : ""),
            failureClass);
        if (status == "FAILED")
            QVERIFY(!trial["reason"].get<std::string>().empty());
        QCOMPARE(valuesOf(m_service.metrics(ids[0])), values);
    }

    void aGigabyteOfOutputCostsNoMemory()
    {
        const qint64 before = residentOf(m_service.pid());
        const QString e = m_service.createExperiment(
            {{"trialCommand", (ServiceFixture::program(u"trial_stub"_s) + u" bytes 1000000000"_s).toStdString()}});
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        QVERIFY(m_service.waitForStatus(ids[0], "SUCCEEDED", 600'000));
        const qint64 grown = residentOf(m_service.pid()) - before;
        QVERIFY2(grown < 64 * 1024 * 1024, qPrintable(QString::number(grown)));
        const auto tail = m_service.get(u"/api/v1/trials/%1/logs/stdout?tail=100"_s.arg(ids[0]));
        QCOMPARE(tail.body, QByteArray(99, 'x') + '\n');
        QVERIFY(m_service.post(u"/api/v1/experiments/%1/cleanup"_s.arg(e), Json::object()).status == 202);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_service.get(u"/api/v1/trials/%1/logs/stdout?tail=100"_s.arg(ids[0])).status == 404, 60'000);
    }

    /// Standard output that comes faster than the pattern reads it: lines are left out and the person is told; memory is bounded.
    void aGigabyteForAPatternCostsNoMemory()
    {
        const qint64 before = residentOf(m_service.pid());
        const QString e = m_service.createExperiment(
            {{"trialCommand",
                 "yes 'epoch 1: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | head -c 1000000000; echo 'loss=0.25'"},
                {"metricPattern", "loss=(?<value>\\S+)"}});
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        qint64 most = 0;
        QTRY_VERIFY_WITH_TIMEOUT((most = std::max(most, residentOf(m_service.pid()) - before),
                                     m_service.trial(ids[0])["status"] == "SUCCEEDED"),
            600'000);
        QVERIFY2(most < 128 * 1024 * 1024, qPrintable(QString::number(most)));
        const QByteArray journal = m_service.get(u"/api/v1/trials/%1/events"_s.arg(ids[0])).body;
        QVERIFY2(journal.contains("The metric pattern reads standard output slower than it comes"), journal);
    }

    void aPatternThatBacktracksHoldsUpNoCancel()
    {
        const QString e = m_service.createExperiment(
            {{"trialCommand", u"yes %1 | head -c 200000000; sleep 1000"_s.arg(QString(2'000, u'x')).toStdString()},
                {"metricPattern", "(x+x+)+[yw](?<value>[12])"}});
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        QVERIFY(m_service.waitForStatus(ids[0], "RUNNING"));
        const auto isToldOf = [&] {
            return m_service.get(u"/api/v1/trials/%1/events"_s.arg(ids[0])).body.contains("takes too many steps");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isToldOf(), 60'000);
        QCOMPARE(m_service.post(u"/api/v1/trials/%1/cancel"_s.arg(ids[0]), Json::object()).status, 200);
        const qint64 before = processorMsOf(m_service.pid());
        QVERIFY(m_service.waitForStatus(ids[0], "USER_CANCELED", 120'000));
        const qint64 took = processorMsOf(m_service.pid()) - before; // other tests may have the processors
        QVERIFY2(took < 20'000, qPrintable(QString::number(took)));
    }

    void cancelEndsTheWholeTree()
    {
        const QString e = m_service.createExperiment({{"trialCommand",
            (ServiceFixture::program(u"trial_stub"_s) + u" ignore-term fork fork print 1 wait /nowhere"_s)
                .toStdString()}});
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        QVERIFY(m_service.waitForStatus(ids[0], "RUNNING"));
        QTRY_COMPARE_WITH_TIMEOUT(m_service.log(ids[0], u"stdout"_s), QByteArray("line 0\n"), 30'000);
        QVERIFY(survivors(ids[0]) >= 3);
        QCOMPARE(m_service.post(u"/api/v1/trials/%1/cancel"_s.arg(ids[0]), Json::object()).status, 200);
        QVERIFY(m_service.waitForStatus(ids[0], "USER_CANCELED"));
        // Told after the last process is dead: nothing to wait for here.
        QCOMPARE(survivors(ids[0]), 0);
    }

    void strangeNamesArriveUnchanged()
    {
        const QString odd = u"a b'c\"d\ne $HOME `x` ../../é 漢"_s;
        const QString folder = m_service.folder() + u"/code dir '\"é"_s;
        QVERIFY(QDir().mkpath(folder));
        write(folder + u"/show.sh"_s, "printf '%s' \"$1\"\n");
        const QString e =
            m_service.createExperiment({{"trialCommand", "sh show.sh {text}"}, {"codeDir", folder.toStdString()}});
        // A clientId becomes part of addresses and of the trial's environment: an odd one is refused by name, and nothing is made.
        const auto refused =
            m_service.post(u"/api/v1/experiments/%1/trials"_s.arg(e), {{"clientId", odd.toStdString()}});
        QCOMPARE(refused.status, 400);
        QVERIFY(refused.json()["detail"].get<std::string>().find("clientId") != std::string::npos);
        QCOMPARE(m_service.get(u"/api/v1/trials?experimentId="_s + e).json()["total"].get<int>(), 0);
        const QStringList ids = m_service.submit(
            e, Json::array({Json{{"clientId", "a.B-c_1"}, {"parameters", {{"text", odd.toStdString()}}}}}));
        QCOMPARE(ids.size(), 1);
        QVERIFY(m_service.waitForStatus(ids[0], "SUCCEEDED"));
        QCOMPARE(QString::fromUtf8(m_service.log(ids[0], u"stdout"_s)), odd);
        QCOMPARE(m_service.trial(ids[0])["clientId"].get<std::string>(), "a.B-c_1");
        // Names of files never lead out of the trial's folder.
        for (const char* name : {"..%2F..%2Fspec.json", "%2Fetc%2Fpasswd", "output%2F..%2F..%2F..%2Fetc%2Fpasswd"})
            QVERIFY(m_service.get(u"/api/v1/trials/%1/logs/%2"_s.arg(ids[0], QString::fromUtf8(name))).status >= 400);
        QVERIFY(m_service.get(u"/api/v1/trials/%1/files/..%2F..%2Ftoken"_s.arg(ids[0])).status >= 400);
    }

    /// Whatever is accepted fits in every reply, with what a reply puts around it; the rest is refused with a sentence.
    void deepValuesDisableNothing()
    {
        const auto nested = [](int levels) {
            return std::string(size_t(levels), '[') + std::string(size_t(levels), ']');
        };
        const QString e = m_service.createExperiment({{"trialCommand", "cat deep.jsonl >> $TRIALDECK_METRICS_FILE"},
            {"codeDir", deepMetrics(nested(124)).toStdString()}});
        QVERIFY(!e.isEmpty());
        const auto submit = [&](int levels) {
            return m_service.request("POST", u"/api/v1/experiments/%1/trials"_s.arg(e),
                QByteArray::fromStdString(R"({"trials": [{"parameters": {"deep": )" + nested(levels) + "}}]}"));
        };
        QCOMPARE(submit(50).status, 201);
        QVERIFY(m_service.waitForCount(e, "SUCCEEDED", 1));
        for (const int levels : {70, 124}) {
            const auto refused = submit(levels);
            QVERIFY2(refused.status == 400 || refused.status == 422, refused.body);
            QVERIFY2(refused.body.contains("nested more than 64 levels deep"), refused.body);
        }
        const auto space = m_service.request("POST", u"/api/v1/experiments"_s,
            QByteArray::fromStdString(R"({"name": "deep", "platformId": "local", "trialCommand": "true",
                "searchSpace": {"x": {"_type": "choice", "_value": [)"
                + nested(118) + "]}}}"));
        QVERIFY2(space.status == 400 || space.status == 422, space.body);
        QVERIFY2(space.body.contains("nested more than 64 levels deep"), space.body);
        const std::string value = R"({"parameter_id": 9, "parameters": {"x": )" + nested(124) + "}}";
        const auto form = m_service.post(u"/api/v1/experiments/%1/trials"_s.arg(e),
            {{"form", {{"sequenceId", 9}, {"hyperParameters", {{"value", value}, {"index", 0}}}}}});
        QCOMPARE(form.status, 422);
        QVERIFY2(form.body.contains("nested more than 64 levels deep"), form.body);

        // The metric that is too deep is left out, and says so; the one behind it is there.
        const Json trial = m_service.get(u"/api/v1/trials?experimentId="_s + e).json()["trials"][0];
        const QString id = trial["id"].get<QString>();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_service.get(u"/api/v1/trials/%1/events"_s.arg(id)).body.contains("nested more than 64 levels deep"),
            30'000);
        QCOMPARE(valuesOf(m_service.metrics(id)), std::vector<double>{0.5});
        for (const QStringList& words : {QStringList{u"list"_s}, QStringList{u"show"_s, id}, QStringList{u"logs"_s, id},
                 QStringList{u"events"_s}, QStringList{u"experiment"_s, u"list"_s}, QStringList{u"metrics"_s, id}}) {
            QProcess run;
            run.setProcessChannelMode(QProcess::MergedChannels);
            run.start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
                QStringList{u"--data-dir"_s, m_service.dataDir()} + words);
            QVERIFY(run.waitForFinished(60'000));
            QVERIFY2(run.exitCode() == 0, run.readAll());
        }
    }

    /// An argument of a program holds 128 KiB (MAX_ARG_STRLEN); beyond it the shell did not start, and nothing said why.
    void aCommandThatIsTooLongSaysSo()
    {
        const std::string kib140(140 * 1024, 'y');
        const auto make = [&](const Json& members) {
            Json experiment{{"name", "long"}, {"platformId", "local"}, {"trialCommand", "true"}};
            experiment.update(members);
            return m_service.post(u"/api/v1/experiments"_s, experiment);
        };
        for (const Json& members : {Json{{"trialCommand", "echo " + kib140}}, Json{{"setup", "x=" + kib140}},
                 Json{{"environment", {{"LONG", kib140}}}}}) {
            const auto refused = make(members);
            QCOMPARE(refused.status, 422);
            QVERIFY2(refused.body.contains("at most 124 KiB"), refused.body);
        }
        const auto unnamed = make({{"name", std::string(300, 'n')}});
        QCOMPARE(unnamed.status, 422);
        QVERIFY2(unnamed.body.contains("at most 256 characters"), unnamed.body);
        const QString e = m_service.createExperiment({{"trialCommand", "echo {x}"}});
        const QStringList ids = m_service.submit(e, Json::array({Json{{"parameters", {{"x", kib140}}}}}));
        QCOMPARE(ids.size(), 1);
        QVERIFY(m_service.waitForStatus(ids[0], "FAILED"));
        const QString reason = m_service.trial(ids[0])["reason"].get<QString>();
        QVERIFY2(reason.contains(u"TRIALDECK_PARAMETERS_FILE"_s), qPrintable(reason));
        const auto patched = m_service.request(
            "PATCH", u"/api/v1/experiments/"_s + e, core::dumpJson(Json{{"name", std::string(300, 'n')}}));
        QCOMPARE(patched.status, 422);
    }

    void editingTheCodeDoesNotChangeARunningSearch()
    {
        const QString folder = m_service.folder() + u"/edited"_s;
        QVERIFY(QDir().mkpath(folder));
        write(folder + u"/say.sh"_s, "echo first\n");
        const QString e =
            m_service.createExperiment({{"trialCommand", "sh say.sh"}, {"codeDir", folder.toStdString()}});
        QTRY_COMPARE_WITH_TIMEOUT(
            QByteArray::fromStdString(m_service.get(u"/api/v1/experiments/"_s + e).json()["state"].get<std::string>()),
            QByteArray("RUNNING"), 30'000);
        write(folder + u"/say.sh"_s, "echo second\n");
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        QVERIFY(m_service.waitForStatus(ids[0], "SUCCEEDED"));
        QCOMPARE(m_service.log(ids[0], u"stdout"_s), QByteArray("first\n"));
        const auto missing = m_service.post(u"/api/v1/experiments"_s,
            {{"trialCommand", "true"}, {"platformId", "local"}, {"trialConcurrency", 1},
                {"codeDir", "/no/such folder"}});
        QCOMPARE(missing.status, 422);
        QVERIFY(missing.json()["detail"].get<std::string>().find("/no/such folder") != std::string::npos);
    }

    void aMissingInterpreterSaysSo()
    {
        const QString e =
            m_service.createExperiment({{"trialCommand", "python3 train.py"}, {"interpreter", "/no/such/python"}});
        const QStringList ids = m_service.submit(e, Json::array({Json::object()}));
        QVERIFY(m_service.waitForStatus(ids[0], "FAILED"));
        const std::string reason = m_service.trial(ids[0])["reason"].get<std::string>();
        QVERIFY2(!reason.empty(), reason.c_str());
        QTRY_VERIFY_WITH_TIMEOUT(
            m_service.trial(ids[0])["reason"].get<std::string>().find("/no/such/python") != std::string::npos, 30'000);
    }

private:
    /// A code folder with a metrics file whose first line holds `deep`.
    QString deepMetrics(const std::string& deep)
    {
        const QString folder = m_service.folder() + u"/deep"_s;
        QDir().mkpath(folder);
        write(folder + u"/deep.jsonl"_s,
            QByteArray::fromStdString(R"({"metric": {"default": 1, "deep": )" + deep + "}}\n{\"metric\": 0.5}\n"));
        return folder;
    }
    /// Processes of a trial, by its variable in their environment.
    static int survivors(const QString& trial)
    {
        int count = 0;
        for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
            QFile environment(u"/proc/"_s + name + u"/environ"_s);
            if (name.at(0).isDigit() && environment.open(QIODevice::ReadOnly)
                && environment.readAll().contains("NNI_TRIAL_JOB_ID=" + trial.toUtf8()))
                ++count;
        }
        return count;
    }

    void openEvents(QTcpSocket& socket, bool webSocket)
    {
        const QUrl url(m_service.url());
        socket.connectToHost(url.host(), quint16(url.port()));
        QVERIFY(socket.waitForConnected());
        QByteArray request = "GET /api/v1/events HTTP/1.1\r\nHost: " + url.host().toUtf8() + ':'
            + QByteArray::number(url.port()) + "\r\nAuthorization: Bearer " + m_service.token() + "\r\n";
        request += webSocket ? "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
                               "13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                             : "Accept: application/x-ndjson\r\n\r\n";
        socket.write(request);
        QVERIFY(socket.waitForReadyRead());
    }

    /// The payloads of a WebSocket's frames, one after the other (RFC 6455, 5.2; a server's frames are not masked).
    static QByteArray unframed(const QByteArray& seen)
    {
        QByteArray text;
        qsizetype at = seen.indexOf("\r\n\r\n") + 4;
        while (at + 2 <= seen.size()) {
            quint64 length = quint8(seen[at + 1]) & 0x7f;
            const int more = length == 126 ? 2 : length == 127 ? 8 : 0;
            if (at + 2 + more > seen.size())
                break;
            if (more > 0)
                length = 0;
            for (int i = 0; i < more; ++i)
                length = length << 8 | quint8(seen[at + 2 + i]);
            at += 2 + more;
            text += seen.mid(at, qsizetype(length));
            at += qsizetype(length);
        }
        return text;
    }

    /// Values of one trial in what a stream sent so far, whatever frames or chunks lie between: metric objects are looked for.
    static std::vector<double> streamed(const QByteArray& seen, const QString& trial)
    {
        std::map<qint64, double> values; // by sequence
        const QByteArray mark = "{\"trialId\":\"" + trial.toUtf8() + "\",\"sequence\":";
        for (qsizetype at = seen.indexOf(mark); at >= 0; at = seen.indexOf(mark, at + 1)) {
            const qsizetype end = seen.indexOf('}', at);
            if (end < 0)
                break;
            const auto metric = core::parseJson(seen.mid(at, end - at + 1));
            if (metric && (*metric)["value"].is_number())
                values[(*metric)["sequence"].get<qint64>()] = (*metric)["value"].get<double>();
        }
        std::vector<double> list;
        for (const auto& [sequence, value] : values)
            list.push_back(value);
        return list;
    }

    ServiceFixture m_service;
    QByteArray m_lines;
    QByteArray m_socket;
};

QTEST_GUILESS_MAIN(TestServiceTrials)
#include "tst_service_trials.moc"
