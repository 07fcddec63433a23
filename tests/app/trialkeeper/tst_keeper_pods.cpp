// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_process.h"

#include "app/trialkeeper/trial/end_state.h"
#include "app/trialkeeper/trial/journal.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace std::string_literals;
using namespace trialkeeper;
using json = nlohmann::json;

namespace {

using Words = std::vector<std::string>;

constexpr PodStream out = PodStream::standardOutput;
constexpr PodStream err = PodStream::standardError;

std::string readFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool eventually(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, 30'000);
}

std::string repeated(const std::string& text, int count)
{
    std::string all;
    for (int i = 0; i < count; ++i)
        all += text;
    return all;
}

} // namespace

/// `trialkeeper pod` as a cluster starts it.
class TestKeeperPods : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_base = m_temporary->path().toStdString();
    }
    void cleanup() { m_temporary.reset(); }

    void reportsAllThatATrialSays();
    void givesParameters_data();
    void givesParameters();
    void givesTheEnvironmentThatNniReads();
    void exitCodes_data();
    void exitCodes();
    void refusesInTheLogToo();
    void helpAndWrongOptions();
    void bytesOfAnyKind_data();
    void bytesOfAnyKind();
    void nothingIsLostThroughAPipeThatIsCut();
    void memoryStaysSmallWhateverIsPrinted();
    void aSlowReaderStopsTheTrial();
    void metricsComeWhileItRuns();
    void metricFilesThatAreCut();
    void forgedFrames();
    void sigtermIsPassedOn_data();
    void sigtermIsPassedOn();
    void otherSignalsArePassedOn();
    void lingersAfterAllIsWritten();
    void whatOutlivesTheCommandIsEnded();
    void closedOutput();
    void fullDisk_data();
    void fullDisk();
    void killedKeeper();
    void killedTrial();
    void terminationFile();
    void sharedFolder();
    void startsOnceInASharedFolder();
    void startsAgainInAnEmptyDir();
    void inPieces();
    void inPiecesTwice();
    void inPiecesKilled();
    void pieceThatCannotBeWritten();
    void asTheFirstProcessOfAContainer_data();
    void asTheFirstProcessOfAContainer();

private:
    /// The words that start the keeper with these options in a new folder `d`.
    std::vector<std::string> words(const std::vector<std::string>& more, const char* program = TESTED_KEEPER) const
    {
        std::vector<std::string> all{program};
        if (std::string(program).find("trialkeeper-pod") == std::string::npos)
            all.emplace_back("pod");
        for (const std::string& word : {std::string("--id"), std::string("ada.1"), "--dir=" + m_base + "/d"})
            all.push_back(word);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::vector<std::string> shell(const std::string& text, std::vector<std::string> more = {}) const
    {
        more.insert(more.end(), {"--shell", text});
        return words(more);
    }

    /// What is in the files of a keeper's log, each of which begins where the one before it ends; how many there are.
    int readPieces(std::string& all, const char* run = "0000") const
    {
        int count = 0;
        all.clear();
        for (;; ++count) {
            char name[40];
            std::snprintf(name, sizeof name, "/log/%s/%016zu", run, all.size());
            const std::string piece = readFile(m_base + name);
            if (piece.empty())
                return count;
            all += piece;
        }
    }
    std::vector<std::string> piecesOption() const { return {"--pieces", m_base + "/log"}; }
    std::unique_ptr<QTemporaryDir> m_temporary;
    std::string m_base;
};

void TestKeeperPods::reportsAllThatATrialSays()
{
    PodProcess pod(shell("echo to out; echo to err >&2; echo '{\"metric\": 1}' >> $TRIALDECK_METRICS_FILE; "
                         "printf 'ME000003{}\\n' >> $NNI_SYS_DIR/.nni/metrics; echo \"NNISDK_MEb'{}'\"; pwd; exit 3",
        {"--code", m_base}));
    const PodLog log(pod.readAll());
    QCOMPARE(pod.wait(), 3);
    QCOMPARE(log.bytes.at(out), "to out\nNNISDK_MEb'{}'\n" + m_base + '\n');
    QCOMPARE(log.bytes.at(err), std::string("to err\n"));
    QCOMPARE(log.bytes.at(PodStream::nni), std::string("ME000003{}\n"));
    QCOMPARE(log.bytes.at(PodStream::file), std::string("{\"metric\": 1}\n"));
    QCOMPARE(log.gaps.size(), std::size_t(0));
    QCOMPARE(log.outside, std::string());
    QCOMPARE(log.events.size(), std::size_t(2));
    QVERIFY(json::parse(log.events[0])["type"] == "begin");
    QVERIFY(json::parse(log.events[1])["type"] == "running");
    const json end = json::parse(log.end);
    QVERIFY(end["type"] == "exited");
    QVERIFY(end["exitCode"] == 3);
    QVERIFY(end["success"] == false);
    QVERIFY(end["failureClass"] == "exitCode");
}

void TestKeeperPods::givesParameters_data()
{
    QTest::addColumn<Words>("options");
    QTest::addColumn<std::string>("parameters");
    QTest::addColumn<std::string>("parameterCfg");
    const auto around = [](const std::string& text) {
        return "{\"parameter_id\": 7, \"parameter_source\": \"algorithm\", \"parameters\": " + text
            + ", \"parameter_index\": 0}";
    };
    const std::string lr = "{\"lr\":  0.10, \"x\": NaN}"; // kept as it stands
    QTest::newRow("none") << Words() << "{}"s << around("{}");
    QTest::newRow("argument") << Words{"--parameters", lr} << lr << around(lr);
    QTest::newRow("environment") << Words{"--parameters", "env:GIVEN"} << lr << around(lr);
    QTest::newRow("base64") << Words{"--parameters", "base64:eyJhIjogMn0="} << "{\"a\": 2}"s << around("{\"a\": 2}");
    QTest::newRow("file") << Words{"--parameters", "file:given"} << "from a file"s << around("from a file");
    QTest::newRow("whole") << Words{"--parameter-cfg", "env:GIVEN"} << "{}"s << lr;
}

void TestKeeperPods::givesParameters()
{
    QFETCH(Words, options);
    QFETCH(std::string, parameters);
    QFETCH(std::string, parameterCfg);
    std::vector<std::string> more;
    for (const std::string& option : options)
        more.push_back(option == "file:given" ? "file:" + m_base + "/given" : option);
    std::ofstream(m_base + "/given") << "from a file";
    PodProcess pod(
        shell(
            "cat $TRIALDECK_PARAMETERS_FILE; printf '|'; cat $NNI_SYS_DIR/parameter.cfg; printf '|'; printf \"$GIVEN\"",
            more),
        {{"NNI_TRIAL_SEQ_ID", "7"}, {"GIVEN", "{\"lr\":  0.10, \"x\": NaN}"}});
    const bool takenAway = std::find(options.begin(), options.end(), "env:GIVEN")
        != options.end(); // the trial's environment is not the place for it
    const PodLog log(pod.readAll());
    QCOMPARE(
        log.bytes.at(out), parameters + '|' + parameterCfg + '|' + (takenAway ? "" : "{\"lr\":  0.10, \"x\": NaN}"));
    QCOMPARE(pod.wait(), 0);
}

void TestKeeperPods::givesTheEnvironmentThatNniReads()
{
    const std::string command = "echo $NNI_PLATFORM $NNI_EXP_ID $NNI_TRIAL_JOB_ID $NNI_TRIAL_SEQ_ID $MULTI_PHASE "
                                "$NNI_SYS_DIR $NNI_OUTPUT_DIR $NNI_CODE_DIR $TRIALDECK_OUTPUT_DIR $PYTHONUNBUFFERED; "
                                "[ -d $NNI_OUTPUT_DIR ]";
    PodProcess pod(shell(command, {"--code", "/", "--output", m_base + "/o"}), {{"NNI_EXP_ID", "exp9"}});
    const PodLog log(pod.readAll());
    QCOMPARE(log.bytes.at(out), "local exp9 ada.1 0 false " + m_base + "/d " + m_base + "/o / " + m_base + "/o 1\n");
    QCOMPARE(pod.wait(), 0);
    PodProcess kubeflow(
        shell("echo $NNI_PLATFORM $NNI_TRIAL_JOB_ID"), {{"NNI_PLATFORM", "kubeflow"}, {"NNI_TRIAL_JOB_ID", "aB3xY"}});
    QCOMPARE(PodLog(kubeflow.readAll()).bytes.at(out), std::string("kubeflow aB3xY\n"));
}

void TestKeeperPods::exitCodes_data()
{
    QTest::addColumn<Words>("command");
    QTest::addColumn<int>("code");
    QTest::addColumn<std::string>("failureClass");
    QTest::newRow("success") << Words{"true"} << 0 << ""s;
    QTest::newRow("words of its own") << Words{"--", "sh", "-c", "exit 200"} << 200 << "exitCode"s;
    QTest::newRow("signal") << Words{"sh", "-c", "kill -ABRT $$"} << 134 << "signal"s;
    QTest::newRow("not found") << Words{"no-such-program"} << 127 << "commandNotFound"s;
    QTest::newRow("no such path") << Words{"/no/such/program"} << 127 << "commandNotFound"s;
    QTest::newRow("no program") << Words{"/etc/passwd"} << 126 << "exitCode"s;
    QTest::newRow("a folder") << Words{"/"} << 126 << "exitCode"s;
}

void TestKeeperPods::exitCodes()
{
    QFETCH(Words, command);
    QFETCH(int, code);
    QFETCH(std::string, failureClass);
    PodProcess pod(words(command));
    const PodLog log(pod.readAll());
    QCOMPARE(pod.wait(), code);
    QCOMPARE(json::parse(log.end).value("failureClass", ""), failureClass);
}

void TestKeeperPods::refusesInTheLogToo()
{
    const std::string termination = m_base + "/termination";
    for (const std::vector<std::string>& more :
        {std::vector<std::string>{"--code", "/no/such/folder", "true"}, {"--dir", "/no/such/folder/either", "true"},
            {"--parameters", "env:NOT_SET", "true"}, {"--parameters", "base64:*", "true"}, {"--shell", "env:EMPTY"}}) {
        std::vector<std::string> all{"--termination", termination};
        all.insert(all.end(), more.begin(), more.end());
        PodProcess pod(words(all), {{"EMPTY", ""}});
        const std::string text = pod.readAll();
        QCOMPARE(pod.wait(), 125);
        const PodLog log(text);
        const json end = json::parse(log.end);
        QVERIFY(end["type"] == "lost");
        QVERIFY(end["failureClass"] == "startFailed");
        QVERIFY(end["reason"].get<std::string>().size() > 10);
        QCOMPARE(PodLog(readFile(termination)).end, log.end);
    }
}

void TestKeeperPods::helpAndWrongOptions()
{
    PodProcess help({TESTED_KEEPER, "pod", "--help"});
    const std::string text = help.readAll();
    QCOMPARE(help.wait(), 0);
    QVERIFY(text.starts_with("usage: trialkeeper pod "));
    for (const char* option : {"--id", "--dir", "--output", "--code", "--shell", "--parameters", "--parameter-cfg",
             "--grace", "--linger", "--termination", "--shared", "--again"})
        QVERIFY2(text.find(option) != std::string::npos, option);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        QVERIFY(text.find('\n', at) - at <= 120);
    PodProcess alone({TESTED_POD, "--help"});
    QCOMPARE(alone.readAll(), text);
    PodProcess wrong({TESTED_POD, "--nonsense"});
    QCOMPARE(wrong.readAll(), std::string());
    QCOMPARE(wrong.wait(), 2);
}

void TestKeeperPods::bytesOfAnyKind_data()
{
    QTest::addColumn<std::string>("command");
    QTest::addColumn<qint64>("size");
    QTest::newRow("a line of 1 MiB") << "head -c 1048576 /dev/zero | tr '\\0' x; echo"s << qint64(1048577);
    QTest::newRow("NUL bytes") << "head -c 300000 /dev/zero"s << qint64(300000);
    QTest::newRow("random bytes") << "head -c 1000000 /dev/urandom"s << qint64(1000000);
    QTest::newRow("no line end") << "printf x"s << qint64(1);
    QTest::newRow("marks of frames") << "yes '$td1 $$' | head -c 1000000"s << qint64(1000000);
    QTest::newRow("nothing") << ":"s << qint64(0);
}

void TestKeeperPods::bytesOfAnyKind()
{
    QFETCH(std::string, command);
    QFETCH(qint64, size);
    const std::string copy = m_base + "/copy";
    PodProcess pod(shell("{ " + command + "; } | tee " + copy));
    const PodLog log(pod.readAll());
    QCOMPARE(pod.wait(), 0);
    const std::string wanted = readFile(copy);
    QCOMPARE(qint64(wanted.size()), size);
    QVERIFY((log.bytes.contains(out) ? log.bytes.at(out) : std::string()) == wanted);
    QCOMPARE(log.gaps.size(), std::size_t(0));
}

void TestKeeperPods::nothingIsLostThroughAPipeThatIsCut()
{
    // 10,000 values and 10 MB of log.
    const std::string copy = m_base + "/copy";
    PodProcess pod(shell("yes 'a line of the log that this trial writes' | head -c 10000000 | tee " + copy
        + " & i=0; while [ $i -lt 10000 ]; do echo '{\"metric\": '$i'}'; i=$((i+1)); done >> $TRIALDECK_METRICS_FILE; "
          "wait"));
    // The cluster keeps the log; what the service reads of it is cut anywhere, and taken up again at an earlier line.
    const std::string kept = pod.readAll();
    QCOMPARE(pod.wait(), 0);
    std::mt19937 random(4);
    PodLogReader reader("ada.1");
    std::map<PodStream, std::string> got;
    std::size_t at = 0;
    int connections = 0;
    std::size_t held = 0;
    while (!reader.cursor().ended && ++connections < 10'000) {
        const std::size_t back = at - std::min<std::size_t>(at, random() % 100'000);
        at = back == 0 ? 0 : kept.rfind('\n', back - 1) + 1;
        reader.reconnected();
        for (std::size_t left = random() % 400'000; left > 0 && at < kept.size();) {
            std::vector<PodLogPiece> pieces;
            const std::size_t size = std::min({left, kept.size() - at, 1 + random() % 5000});
            reader.feed(std::string_view(kept).substr(at, size), pieces);
            at += size;
            left -= size;
            std::size_t bytes = 0;
            for (const PodLogPiece& piece : pieces) {
                QVERIFY(piece.kind != PodLogPiece::Kind::gap);
                bytes += piece.bytes.size();
                if (piece.kind == PodLogPiece::Kind::bytes) {
                    QCOMPARE(piece.offset, got[piece.stream].size());
                    got[piece.stream] += piece.bytes;
                }
            }
            held = std::max(held, bytes);
        }
    }
    QVERIFY(reader.cursor().ended && connections > 10);
    QVERIFY(held < 32'768);
    QVERIFY(got[out] == readFile(copy));
    QCOMPARE(got[out].size(), std::size_t(10'000'000));
    std::string values;
    for (int i = 0; i < 10'000; ++i)
        values += "{\"metric\": " + std::to_string(i) + "}\n";
    QVERIFY(got[PodStream::file] == values);
}

void TestKeeperPods::memoryStaysSmallWhateverIsPrinted()
{
    PodProcess pod(
        words({"--", "sh", "-c",
                  "yes 'a line of the log that this trial writes' | head -c 100000000; head -c 1000000 /dev/zero"},
            TESTED_POD));
    PodLogReader reader("ada.1");
    std::vector<PodLogPiece> pieces;
    std::uint64_t bytes = 0;
    long peakKiB = 0;
    int parts = 0;
    for (std::string part = pod.read(); !part.empty(); part = pod.read()) {
        reader.feed(part, pieces);
        for (const PodLogPiece& piece : pieces)
            bytes += piece.kind == PodLogPiece::Kind::bytes ? piece.bytes.size() : 0;
        pieces.clear();
        if (++parts % 100 != 0)
            continue;
        const std::string status = readFile("/proc/" + std::to_string(pod.pid()) + "/status");
        if (const std::size_t at = status.find("VmHWM:"); at != std::string::npos)
            peakKiB = std::max(peakKiB, std::atol(status.c_str() + at + 6));
    }
    QCOMPARE(pod.wait(), 0);
    QCOMPARE(bytes, std::uint64_t(101'000'000));
    qInfo("largest resident set: %ld KiB", peakKiB);
    QVERIFY(peakKiB > 100 && peakKiB < 3 * 1024);
}

void TestKeeperPods::aSlowReaderStopsTheTrial()
{
    const std::string count = m_base + "/count";
    PodProcess pod(shell("i=0; while [ $i -lt 3000 ]; do head -c 1000 /dev/zero | tr '\\0' x; i=$((i+1)); echo $i > "
        + count + "; done"));
    const auto written = [&] { return std::atoi(readFile(count).c_str()); };
    const std::string begin = pod.readUntil("xxxx");
    // It stands still while the pipe, the keeper's room and the trial's pipe are full.
    QVERIFY(eventually([&] { return written() > 100; }));
    QVERIFY(eventually([&] {
        const auto age = std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(count);
        return age > std::chrono::milliseconds(500);
    }));
    QVERIFY2(written() < 1000, std::to_string(written()).c_str());
    const PodLog log(begin + pod.readAll());
    QCOMPARE(pod.wait(), 0);
    QCOMPARE(log.bytes.at(out).size(), std::size_t(3'000'000));
    QCOMPARE(log.gaps.size(), std::size_t(0));
}

void TestKeeperPods::metricsComeWhileItRuns()
{
    PodProcess pod(shell("echo '{\"metric\": 1}' >> $TRIALDECK_METRICS_FILE; mkdir -p $NNI_SYS_DIR/.nni; "
                         "printf 'ME000003{}\\n' >> $NNI_SYS_DIR/.nni/metrics; exec sleep 60"));
    const std::string log = pod.readUntil("ME000003");
    const PodLog begin(log + pod.readUntil("metric"));
    QCOMPARE(begin.end, std::string());
    pod.signal(SIGTERM);
    const PodLog whole(log + pod.readAll());
    QCOMPARE(whole.bytes.at(PodStream::nni), std::string("ME000003{}\n"));
}

void TestKeeperPods::metricFilesThatAreCut()
{
    // As NNI 1.9 does at each import, once the first record was read.
    PodProcess pod(shell("M=$NNI_SYS_DIR/.nni/metrics; printf 'ME000003{}\\nME0000' > $M; "
                         "while ! [ -e $NNI_SYS_DIR/go ]; do sleep 0.02; done; printf 'ME000004{ }\\n' > $M"));
    const std::string first = pod.readUntil("ME0000\n");
    std::ofstream(m_base + "/d/go") << "x";
    const std::string all = first + pod.readAll();
    QVERIFY(all.find(" N 17 ME000004{ }") != std::string::npos);
    QCOMPARE(PodLog(all).bytes.at(PodStream::nni), std::string("ME000003{}\nME0000ME000004{ }\n"));
}

void TestKeeperPods::forgedFrames()
{
    // Frames that this trial, and another, would be believed, printed by the trial.
    std::string forged;
    for (const char* id : {"ada.1", "bob.1"}) {
        const PodFrameWriter writer(id, "18c1");
        writer.addBytes(forged, PodStream::nni, 0, "ME000002{}");
        QVERIFY(writer.addWhole(forged, 'x', 0, "0 0 0 0 {\"type\":\"exited\",\"final\":true,\"exitCode\":0}"));
    }
    forged = repeated(forged, 50);
    std::ofstream(m_base + "/forged") << forged;
    PodProcess pod(shell("cat " + m_base + "/forged; cat " + m_base + "/forged >&2; exit 4"));
    const std::string text = pod.readAll();
    QCOMPARE(pod.wait(), 4);
    for (const char* id : {"ada.1", "bob.1"}) {
        for (std::size_t cut = 0; cut < text.size(); cut += id[0] == 'a' && cut > 0 ? 97 : 1'000'000'000) {
            const PodLog log(text.substr(cut), id);
            QVERIFY(!log.bytes.contains(PodStream::nni));
            QVERIFY(json::parse(log.end.empty() ? "{}" : log.end).value("exitCode", 4) == 4);
            if (cut == 0)
                cut = 1;
        }
    }
    const PodLog log(text);
    QVERIFY(log.bytes.at(out) == forged && log.bytes.at(err) == forged);
    QVERIFY(json::parse(log.end)["exitCode"] == 4);
}

void TestKeeperPods::sigtermIsPassedOn_data()
{
    QTest::addColumn<std::string>("command");
    QTest::addColumn<int>("code");
    QTest::newRow("dies") << "echo ready; exec sleep 60"s << 143;
    QTest::newRow("says how it ends") << "trap 'echo saved; exit 9' TERM; echo ready; sleep 60 & wait"s << 9;
    QTest::newRow("does not end") << "trap '' TERM; echo ready; while :; do sleep 1; done"s << 137;
    QTest::newRow("in a session of its own") << "setsid sh -c 'trap \"\" TERM; echo ready; exec sleep 60'; :"s << 143;
}

void TestKeeperPods::sigtermIsPassedOn()
{
    QFETCH(std::string, command);
    QFETCH(int, code);
    PodProcess pod(shell(command, {"--grace", code == 9 ? "20" : "1"}));
    std::string text = pod.readUntil("ready");
    pod.signal(SIGTERM);
    text += pod.readAll();
    QCOMPARE(pod.wait(), code);
    const PodLog log(text);
    const json end = json::parse(log.end);
    QVERIFY(end["success"] == false);
    QVERIFY(end["reason"] == "It was cancelled.");
    QCOMPARE(log.gaps.size(), std::size_t(0));
    if (code == 9)
        QCOMPARE(log.bytes.at(out), std::string("ready\nsaved\n"));
}

void TestKeeperPods::otherSignalsArePassedOn()
{
    PodProcess pod(shell("trap 'echo checkpoint; exit 0' USR1; echo ready; while :; do sleep 0.05; done"));
    std::string text = pod.readUntil("ready");
    pod.signal(SIGUSR1);
    text += pod.readAll();
    const PodLog log(text);
    QVERIFY(log.bytes.at(out).find("checkpoint") != std::string::npos);
}

void TestKeeperPods::lingersAfterAllIsWritten()
{
    PodProcess pod(shell("echo done; exit 3", {"--linger", "1"}));
    QElapsedTimer since;
    since.start();
    std::string text = pod.readUntil("\"exitCode\":3");
    while (!text.ends_with('\n'))
        text += pod.read();
    const PodLog log(text);
    QCOMPARE(log.bytes.at(out), std::string("done\n"));
    QVERIFY(json::parse(log.end)["exitCode"] == 3);
    pod.signal(SIGTERM); // has nothing to end any more
    QCOMPARE(pod.wait(), 3);
    QVERIFY2(since.elapsed() >= 1'000, qPrintable(QString::number(since.elapsed())));
    // With nobody to read it there is nothing to stay for.
    PodProcess unread(shell("while [ ! -e " + m_base + "/go ]; do sleep 0.02; done; echo done", {"--linger", "3600"}));
    unread.closeOutput();
    std::ofstream(m_base + "/go").close();
    QCOMPARE(unread.wait(), 0);
}

void TestKeeperPods::whatOutlivesTheCommandIsEnded()
{
    const std::string pids = m_base + "/pids";
    PodProcess pod(shell("sleep 600 & echo $! > " + pids + "; setsid sh -c 'trap \"\" TERM; echo $$ >> " + pids
        + "; while :; do sleep 1; done' & while [ $(wc -l < " + pids + ") -lt 2 ]; do sleep 0.02; done; exit 5"));
    const PodLog log(pod.readAll());
    QCOMPARE(pod.wait(), 5);
    QVERIFY(json::parse(log.end)["leftovers"] >= 2);
    std::ifstream file(pids);
    pid_t left = 0;
    while (file >> left)
        QVERIFY(::kill(left, 0) != 0);
}

void TestKeeperPods::closedOutput()
{
    // The reader goes while the trial prints, and there never was one.
    const std::string termination = m_base + "/termination";
    const std::string command = "i=0; while [ $i -lt 400 ]; do head -c 10000 /dev/zero; i=$((i+1)); done; exit 6";
    {
        PodProcess pod(shell(command, {"--termination", termination}));
        QVERIFY(!pod.read(100).empty());
        pod.closeOutput();
        QCOMPARE(pod.wait(), 6);
        const PodLog log(readFile(termination));
        QVERIFY(json::parse(log.end)["exitCode"] == 6);
        QCOMPARE(log.gaps.front().next, std::uint64_t(4'000'000)); // what was printed and did not arrive is known
    }
    std::string line;
    for (const std::string& word : shell(command, {"--termination", termination}))
        line += '\'' + word + "' ";
    PodProcess pod({"sh", "-c", "exec " + line + ">&- 2>&- <&-"});
    QCOMPARE(pod.wait(), 6);
    QVERIFY(json::parse(PodLog(readFile(termination)).end)["exitCode"] == 6);
}

void TestKeeperPods::fullDisk_data()
{
    QTest::addColumn<std::string>("place");
    QTest::newRow("of the log") << "log"s;
    QTest::newRow("of the shared folder") << "folder"s;
}

void TestKeeperPods::fullDisk()
{
    QFETCH(std::string, place);
    const std::string termination = m_base + "/termination";
    if (place == "log") {
        const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
        PodProcess pod(shell("head -c 1000000 /dev/zero; echo '{\"metric\": 1, \"type\": \"FINAL\"}' >> "
                             "$TRIALDECK_METRICS_FILE; exec sleep 60",
                           {"--termination", termination}),
            {}, full);
        ::close(full);
        // The trial is not stopped by it; its final metric is in the termination file, and after a cancel the end.
        QVERIFY(eventually([&] { return PodLog(readFile(termination)).bytes.contains(PodStream::file); }));
        pod.signal(SIGTERM);
        QCOMPARE(pod.wait(), 143);
        QVERIFY(!PodLog(readFile(termination)).end.empty());
        return;
    }
    if (::geteuid() != 0)
        QSKIP("Only root can mount a small file system.");
    PodProcess pod({"unshare", "-m", "sh", "-c",
        "mkdir " + m_base + "/d && mount -t tmpfs -o size=200k none " + m_base
            + "/d && " TESTED_POD " --id ada.1 --dir " + m_base
            + "/d --shared --shell 'head -c 1000000 /dev/zero | tr \"\\0\" x; exit 3'; code=$?; cat " + m_base
            + "/d/exit " + m_base + "/d/journal; exit $code"});
    const std::string text = pod.readAll();
    QCOMPARE(pod.wait(), 3);
    const PodLog log(text);
    QCOMPARE(log.bytes.at(out).size(), std::size_t(1'000'000)); // the log has all
    QVERIFY(log.gaps.empty());
    QVERIFY(log.events.at(2).find("The file stdout in the trial's folder ends early") != std::string::npos);
    QVERIFY(json::parse(log.end)["reason"].get<std::string>().find("disk of its folder was full") != std::string::npos);
    QVERIFY(log.outside.find("exit 3 0 0") != std::string::npos); // in the room that was set aside
    QVERIFY(log.outside.find("\"final\":true") != std::string::npos);
}

void TestKeeperPods::killedKeeper()
{
    PodProcess pod(shell("echo pid $$; exec sleep 600", {"--shared"}));
    const std::string begin = pod.readUntil("pid ");
    pod.signal(SIGKILL);
    const PodLog log(begin + pod.readAll());
    QCOMPARE(pod.wait(), 1000 + SIGKILL);
    QCOMPARE(log.end, std::string()); // how it ended is not known
    const pid_t command = pid_t(std::atoi(log.bytes.at(out).c_str() + 4));
    QVERIFY(command > 0);
    // It does not run on without a keeper.
    QVERIFY(eventually([&] {
        return ::kill(command, 0) != 0
            || readFile("/proc/" + std::to_string(command) + "/stat").find(") Z") != std::string::npos;
    }));
    QVERIFY(!std::filesystem::exists(m_base + "/d/exit"));
}

void TestKeeperPods::killedTrial()
{
    PodProcess pod(shell("echo ready; printf 'half a line'; exec sleep 600"));
    std::string text = pod.readUntil("half a line");
    const json running = json::parse(PodLog(text).events.at(1));
    ::kill(running["pid"].get<pid_t>(), SIGKILL);
    text += pod.readAll();
    QCOMPARE(pod.wait(), 137);
    const PodLog log(text);
    QVERIFY(json::parse(log.end)["signal"] == SIGKILL);
    QCOMPARE(log.bytes.at(out), std::string("ready\nhalf a line"));
}

void TestKeeperPods::terminationFile()
{
    const std::string termination = m_base + "/termination";
    PodProcess pod(shell("printf 'ME000017{\"type\": \"FINAL\"}\\n' >> $NNI_SYS_DIR/.nni/metrics; echo now; "
                         "while ! [ -e $NNI_SYS_DIR/go ]; do sleep 0.02; done; "
                         "echo '{\"metric\": 2, \"type\": \"FINAL\"}' >> $TRIALDECK_METRICS_FILE; exit 1",
        {"--termination", termination}));
    std::string text = pod.readUntil("ME000017");
    // Already while it runs: the keeper may be killed with all the container.
    QVERIFY(eventually([&] { return PodLog(readFile(termination)).bytes.contains(PodStream::nni); }));
    QCOMPARE(PodLog(readFile(termination)).end, std::string());
    std::ofstream(m_base + "/d/go") << "x";
    text += pod.readAll();
    QCOMPARE(pod.wait(), 1);
    const std::string file = readFile(termination);
    QVERIFY(file.size() <= 4096);
    const PodLog alone(file);
    QCOMPARE(alone.bytes.at(PodStream::file), std::string("{\"metric\": 2, \"type\": \"FINAL\"}\n"));
    QCOMPARE(alone.end, PodLog(text).end);
    // Read behind the log it adds nothing, behind a log that was cut off what is missing.
    QCOMPARE(PodLog(text + file).bytes, PodLog(text).bytes);
    QCOMPARE(PodLog(text + file).gaps.size(), 0);
    const PodLog cut(text.substr(0, text.find("now")) + file);
    QCOMPARE(cut.end, alone.end);
    QCOMPARE(cut.bytes.at(PodStream::file), alone.bytes.at(PodStream::file));
    QVERIFY(!cut.gaps.empty());
}

void TestKeeperPods::sharedFolder()
{
    PodProcess pod(shell("echo to out; echo to err >&2; exit 3", {"--shared"}));
    const PodLog log(pod.readAll());
    QCOMPARE(pod.wait(), 3);
    // As an agent's trial folder, so that what reads one reads the other.
    const std::string folder = m_base + "/d/";
    QCOMPARE(readFile(folder + "stdout"), log.bytes.at(out));
    QCOMPARE(readFile(folder + "stderr"), log.bytes.at(err));
    EndState end;
    QVERIFY(parseExitFile(readFile(folder + "exit"), end));
    QCOMPARE(end.code, 3);
    const std::string journal = readFile(folder + "journal");
    JournalReader reader(journal);
    JournalRecord record;
    std::vector<std::string> records;
    while (reader.next(record))
        records.emplace_back(record.json);
    QCOMPARE(reader.validEnd(), journal.size());
    QCOMPARE(records.size(), std::size_t(3));
    QVERIFY(json::parse(records[0])["type"] == "identity");
    QCOMPARE(records[1], log.events.at(1));
    QCOMPARE(records[2], log.end);
    QVERIFY(std::filesystem::exists(folder + "token"));
    for (const char* name : {"stdout", "journal", "exit", "parameter.cfg"}) {
        struct stat info
        {
        };
        QCOMPARE(::stat((folder + name).c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777, 0600U);
    }
}

void TestKeeperPods::startsOnceInASharedFolder()
{
    const std::string command =
        "echo run >> $NNI_OUTPUT_DIR/runs; echo ready; while ! [ -e $NNI_SYS_DIR/go ]; do sleep 0.02; done";
    PodProcess first(shell(command, {"--shared"}));
    std::string text = first.readUntil("ready");
    PodProcess second(shell(command, {"--shared"}));
    const PodLog refused(second.readAll());
    QCOMPARE(second.wait(), 125);
    QVERIFY(json::parse(refused.end)["reason"].get<std::string>().find("is running already") != std::string::npos);
    // A job that the cluster starts again waits until the run before has ended.
    PodProcess again(shell(command, {"--shared", "--again"}));
    std::ofstream(m_base + "/d/go") << "x";
    text += first.readAll();
    QCOMPARE(first.wait(), 0);
    text += again.readAll();
    QCOMPARE(again.wait(), 0);
    QCOMPARE(readFile(m_base + "/d/output/runs"), std::string("run\nrun\n"));
    // Not without being asked.
    PodProcess third(shell(command, {"--shared"}));
    const std::string late = third.readAll();
    QCOMPARE(third.wait(), 125);
    QVERIFY(json::parse(PodLog(late).end)["reason"].get<std::string>().find("was started before") != std::string::npos);
    QCOMPARE(readFile(m_base + "/d/output/runs"), std::string("run\nrun\n"));
    QCOMPARE(readFile(m_base + "/d/stdout"), std::string("ready\n"));
    const PodLog both(text);
    QCOMPARE(both.runs, 2);
    QCOMPARE(both.bytes.at(out), std::string("ready\nready\n"));
}

void TestKeeperPods::startsAgainInAnEmptyDir()
{
    // A container that Kubernetes starts again finds its volume as it left it.
    for (const int value : {1, 2}) {
        PodProcess pod(shell("cat $TRIALDECK_METRICS_FILE; echo " + std::to_string(value)
                + " >> $TRIALDECK_METRICS_FILE; echo x >> $NNI_OUTPUT_DIR/checkpoint; wc -l < "
                  "$NNI_OUTPUT_DIR/checkpoint",
            {"--parameters", std::to_string(value)}));
        const PodLog log(pod.readAll());
        QCOMPARE(pod.wait(), 0);
        QCOMPARE(log.bytes.at(PodStream::file), std::to_string(value) + '\n'); // of this run alone
        QCOMPARE(log.bytes.at(out), std::to_string(value) + '\n');             // its output stays
        QCOMPARE(readFile(m_base + "/d/parameters.json"), std::to_string(value));
    }
}

/// For a storage that shows a file once it is closed: files of a second, of whole lines, and of 256 KiB at most.
void TestKeeperPods::inPieces()
{
    QElapsedTimer timer;
    timer.start();
    PodProcess pod(shell("echo first; echo '{\"metric\": 1}' >> $TRIALDECK_METRICS_FILE; "
                         "while ! [ -e $NNI_SYS_DIR/go ]; do sleep 0.05; done; yes x | head -c 1000000; exit 3",
        piecesOption()));
    std::string log;
    QVERIFY(
        eventually([&] { return readPieces(log) > 0 && log.find("metric") != std::string::npos; })); // while it runs
    QCOMPARE(PodLog(log).bytes.at(out), std::string("first\n"));
    std::ofstream(m_base + "/d/go") << "x";
    QCOMPARE(pod.readAll(), std::string()); // nothing of it goes to standard output
    QCOMPARE(pod.wait(), 3);
    const int count = readPieces(log);
    // The full ones, one a second, and one at the end.
    const qint64 most = qint64(log.size()) / (256 * 1024) + timer.elapsed() / 1'000 + 2;
    QVERIFY2(count > 4 && count <= most, std::to_string(count).c_str());
    const PodLog whole(log);
    QCOMPARE(whole.bytes.at(out).size(), std::size_t(6 + 1'000'000));
    QCOMPARE(whole.gaps.size(), std::size_t(0));
    QVERIFY(json::parse(whole.end)["exitCode"] == 3);
    for (const auto& file : std::filesystem::directory_iterator(m_base + "/log/0000")) {
        const std::string piece = readFile(file.path());
        QVERIFY(!piece.empty() && piece.size() <= 256 * 1024);
        QCOMPARE(piece.back(), '\n'); // a reader goes on at the end of a line
    }
}

/// A keeper that the cluster gave up for lost may live on beside the next one: each has files of its own. Signals reach the trial.
void TestKeeperPods::inPiecesTwice()
{
    std::string first, second;
    PodProcess lost(shell("echo one; while ! [ -e $NNI_SYS_DIR/go ]; do sleep 0.05; done; echo three", piecesOption()));
    QVERIFY(eventually([&] { return readPieces(first) > 0 && first.find("one") != std::string::npos; }));
    std::vector<std::string> other =
        shell("trap 'echo bye; exit 7' TERM; echo two; while :; do sleep 0.05; done", piecesOption());
    std::replace(
        other.begin(), other.end(), "--dir=" + m_base + "/d", "--dir=" + m_base + "/e"); // of another container
    other.push_back("--grace=60"); // the handler is not cut, however busy the machine is
    PodProcess pod(other);
    QVERIFY(eventually([&] { return readPieces(second, "0001") > 0 && second.find("two") != std::string::npos; }));
    std::ofstream(m_base + "/d/go") << "x";
    QCOMPARE(lost.wait(), 0);
    pod.signal(SIGTERM);
    QCOMPARE(pod.wait(), 7);
    readPieces(first);
    QCOMPARE(PodLog(first).bytes.at(out), std::string("one\nthree\n"));
    readPieces(second, "0001");
    QCOMPARE(PodLog(second).bytes.at(out), std::string("two\nbye\n"));
    QVERIFY(json::parse(PodLog(second).end)["exitCode"] == 7);
}

/// What the killed keeper had not written is lost; the files stay good.
void TestKeeperPods::inPiecesKilled()
{
    std::string log;
    PodProcess killed(shell("echo one; exec sleep 60", piecesOption()));
    QVERIFY(eventually([&] { return readPieces(log) > 0 && log.find("one") != std::string::npos; }));
    killed.signal(SIGKILL);
    QCOMPARE(killed.wait(), 1000 + SIGKILL);
    PodProcess pod(shell("echo two", piecesOption()));
    QCOMPARE(pod.wait(), 0);
    readPieces(log, "0001");
    QCOMPARE(PodLog(log).bytes.at(out), std::string("two\n"));
}

/// The storage is away: what was to be written is kept, and written with the same bytes; the trial's own end waits for it.
void TestKeeperPods::pieceThatCannotBeWritten()
{
    const std::string said = m_base + "/errors";
    const std::string wait = "while ! [ -e $NNI_SYS_DIR/go ]; do sleep 0.05; done; ";
    std::string command = "exec \"$0\" \"$@\" 2>" + said;
    std::vector<std::string> keeper = shell("echo first; " + wait + "echo second; exit 5", piecesOption());
    keeper.insert(keeper.begin(), {"/bin/sh", "-c", command});
    PodProcess pod(keeper);
    std::string log;
    QVERIFY(eventually([&] { return readPieces(log) > 0 && log.find("first") != std::string::npos; }));
    char name[40];
    std::snprintf(name, sizeof name, "/log/0000/%016zu", log.size());
    const std::string inTheWay = m_base + name;
    std::filesystem::create_directory(inTheWay);
    std::ofstream(m_base + "/d/go") << "x";
    QVERIFY(eventually(
        [&] { return readFile(said).find("the log cannot be written (Is a directory)") != std::string::npos; }));
    std::filesystem::remove(inTheWay);
    QCOMPARE(pod.wait(), 5);
    readPieces(log);
    QCOMPARE(PodLog(log).bytes.at(out), std::string("first\nsecond\n"));
    QVERIFY(json::parse(PodLog(log).end)["exitCode"] == 5);
}

void TestKeeperPods::asTheFirstProcessOfAContainer_data()
{
    QTest::addColumn<std::string>("before");
    QTest::newRow("as root") << "mount -t proc proc /proc"s;
    QTest::newRow("without /proc") << "mount -t tmpfs none /proc"s;
    QTest::newRow("runAsNonRoot, readOnlyRootFilesystem, no capabilities")
        << "mount -t proc proc /proc && mount -o remount,bind,ro / && set -- setpriv --reuid 65534 --regid 65534 "
           "--clear-groups "
           "--bounding-set=-all --inh-caps=-all --no-new-privs \"$@\""s;
}

void TestKeeperPods::asTheFirstProcessOfAContainer()
{
    QFETCH(std::string, before);
    if (::geteuid() != 0)
        QSKIP("Only root can make a space of processes.");
    // A volume, the only place that can be written.
    QVERIFY(::mkdir((m_base + "/d").c_str(), 0777) == 0 && ::chmod((m_base + "/d").c_str(), 0777) == 0);
    QVERIFY(::chmod(m_base.c_str(), 0755) == 0);
    const std::string program = m_base + "/d/trialkeeper-pod";
    std::filesystem::copy_file(TESTED_POD, program);
    QVERIFY(::chmod(program.c_str(), 0555) == 0);
    const std::string command = "echo I am $$; (setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' &); "
                                "printf 'ME000003{}\\n' >> $NNI_SYS_DIR/.nni/metrics; sh -c 'kill -9 $$'; "
                                "echo no >> /forbidden; cat /proc/1/environ > $NNI_OUTPUT_DIR/environ; exit 7";
    PodProcess pod({"unshare", "--mount", "--pid", "--fork", "sh", "-c",
        "set -e; mount --make-rprivate /; mount --bind " + m_base + "/d " + m_base + "/d; set -- " + program
            + " --id ada.1 --dir " + m_base + "/d --termination " + m_base + "/d/termination --shell \"$1\"; " + before
            + "; exec \"$@\"",
        "sh", command});
    const PodLog log(pod.readAll());
    QCOMPARE(pod.wait(), 7);
    QVERIFY2(log.bytes.at(out).starts_with("I am "), log.bytes.at(out).c_str());
    QCOMPARE(log.bytes.at(PodStream::nni), std::string("ME000003{}\n"));
    QVERIFY(json::parse(log.end)["exitCode"] == 7);
    QCOMPARE(PodLog(readFile(m_base + "/d/termination")).end, log.end);
    if (before.find("setpriv") != std::string::npos) {
        QVERIFY(!std::filesystem::exists("/forbidden"));
        QVERIFY(log.bytes.at(err).find("Read-only file system") != std::string::npos);
        QCOMPARE(readFile(m_base + "/d/output/environ"), std::string()); // nor is the keeper to be looked into
    }
    ::unlink("/forbidden");
}

QTEST_GUILESS_MAIN(TestKeeperPods)
#include "tst_keeper_pods.moc"
