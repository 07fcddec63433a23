// SPDX-License-Identifier: GPL-3.0-or-later
// The whole service with machines behind real sshds.
#include "remote_machines.h"

#include <QDirIterator>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace remote_test;

namespace {

/// What GET /events sends from now on.
class EventLines
{
public:
    explicit EventLines(const ServiceFixture& service)
    {
        QNetworkRequest request(QUrl(service.url() + u"/api/v1/events"_s));
        request.setRawHeader("Authorization", "Bearer " + service.token());
        request.setRawHeader("Accept", "application/x-ndjson");
        m_reply.reset(m_network.get(request));
        QObject::connect(
            m_reply.get(), &QNetworkReply::readyRead, m_reply.get(), [this] { m_body += m_reply->readAll(); });
    }
    [[nodiscard]] const QByteArray& body() const { return m_body; }

private:
    QNetworkAccessManager m_network;
    std::unique_ptr<QNetworkReply> m_reply;
    QByteArray m_body;
};

} // namespace

class TestServiceRemote : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();

    void runsByTheCommandLine();
    void gpusOfSeveralMachines();
    void machineListedTwice();
    void survivesEverythingAtOnce();
    void codeThatCannotTravel();
    void drained();
    void removalLeavesNothing();
    void firstContactIsAQuestion();
    void secretsStaySecret();
    void machinesAddedByTheCommandLine();
    void machinesAddedAtOnce();
    void attachedThroughALogin();

private:
    int cli(const QStringList& words, QByteArray* out = nullptr);
    /// $HOME of the service and the command line, with an ~/.ssh/config that names these.
    QString makeHome(const QList<const TestSshd*>& hosts);
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    QStringList trialsOf(const QString& experiment);

    std::unique_ptr<ServiceFixture> m_service;
};

void TestServiceRemote::init()
{
    qunsetenv("SSH_AUTH_SOCK");
    m_service = std::make_unique<ServiceFixture>();
}

void TestServiceRemote::cleanup()
{
    m_service.reset();
}

int TestServiceRemote::cli(const QStringList& words, QByteArray* out)
{
    QProcess process;
    process.setWorkingDirectory(m_service->folder());
    process.setProcessEnvironment(m_environment);
    process.start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
        QStringList{u"--data-dir"_s, m_service->dataDir()} + words);
    if (!process.waitForFinished(120'000))
        return -1;
    if (out)
        *out = process.readAllStandardOutput();
    if (process.exitCode() != 0)
        qWarning().noquote() << process.readAllStandardError();
    return process.exitCode();
}

QStringList TestServiceRemote::trialsOf(const QString& experiment)
{
    QStringList ids;
    const Json reply = m_service->get(u"/api/v1/trials?limit=10000&experimentId="_s + experiment).json();
    for (const Json& trial : reply["trials"])
        ids += trial["id"].get<QString>();
    return ids;
}

void TestServiceRemote::runsByTheCommandLine()
{
    TestSshd one;
    TestSshd two;
    QVERIFY(one.start() && two.start());
    trust(*m_service, {&one, &two});
    QVERIFY(m_service->start());
    Json file = platformOf(Json::array({machineOf(one), machineOf(two)}));
    file["id"] = "lab";
    TestSshd::writeFile(m_service->folder() + u"/remote.json"_s, core::dumpJson(file));
    QCOMPARE(cli({u"platform"_s, u"add"_s, u"remote.json"_s}), 0);
    QVERIFY(waitReady(*m_service, 2));
    QDir().mkpath(m_service->folder() + u"/code"_s);
    TestSshd::writeFile(m_service->folder() + u"/code/train.sh"_s,
        "echo \"lr=$1\"; for i in 1 2 3; do echo \"{\\\"metric\\\": $i, \\\"step\\\": $i}\" >> "
        "\"$TRIALDECK_METRICS_FILE\"; done\n");
    const auto search = [this](const QString& platform) {
        return cli({u"run"_s, u"--on"_s, platform, u"--code"_s, u"code"_s, u"--concurrency"_s, u"4"_s, u"--wait"_s,
            u"--grid"_s, u"lr=1,2,3,4,5,6"_s, u"--"_s, u"sh"_s, u"train.sh"_s, u"{lr}"_s});
    };
    QCOMPARE(search(u"lab"_s), 0);
    QByteArray out;
    QCOMPARE(cli({u"list"_s, u"--json"_s}, &out), 0);
    const Json list = *core::parseJson(out);
    QCOMPARE(int(list["trials"].size()), 6);
    QSet<QString> used;
    QMap<QByteArray, QByteArray> curves; // by what the trial printed
    // What a value is, whenever and wherever it came.
    const auto curveOf = [this](const QString& id) {
        QByteArray curve;
        for (const Json& metric : m_service->metrics(id))
            curve += core::dumpJson(Json::array({metric["sequence"], metric["type"], metric["step"], metric["data"]}));
        return curve;
    };
    for (const Json& trial : list["trials"]) {
        QCOMPARE(trial["status"].get<QString>(), u"SUCCEEDED"_s);
        used.insert(trial["machineId"].get<QString>());
        const QString id = trial["id"].get<QString>();
        QVERIFY(m_service->log(id, u"stdout"_s).startsWith("lr="));
        QCOMPARE(int(m_service->metrics(id).size()), 3);
        curves.insert(m_service->log(id, u"stdout"_s), curveOf(id));
    }
    QCOMPARE(int(used.size()), 2);
    // The same script on this computer gives the same curves.
    QCOMPARE(search(u"local"_s), 0);
    QCOMPARE(cli({u"list"_s, u"--json"_s, u"--platform"_s, u"local"_s}, &out), 0);
    QMap<QByteArray, QByteArray> local;
    const Json here = *core::parseJson(out);
    for (const Json& trial : here["trials"]) {
        const QString id = trial["id"].get<QString>();
        local.insert(m_service->log(id, u"stdout"_s), curveOf(id));
    }
    QCOMPARE(local, curves);
    QByteArray shown;
    QCOMPARE(cli({u"machine"_s, u"list"_s}, &shown), 0);
    QVERIFY2(shown.contains("lab.127.0.0.1-" + QByteArray::number(one.port())), shown.constData());
    // Cleaned up, nothing of it is left on either machine; the agent itself stays for the next one.
    const auto left = [](const TestSshd& sshd, const QString& pattern) {
        QStringList names;
        QDirIterator walk(sshd.home() + u"/.local/share/trialdeck-agent"_s, {pattern},
            QDir::AllEntries | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        while (walk.hasNext())
            names += walk.next();
        return names;
    };
    QVERIFY(!left(one, u"train.sh"_s).isEmpty());
    const QString experiment = list["trials"][0]["experimentId"].get<QString>();
    QCOMPARE(cli({u"experiment"_s, u"cleanup"_s, experiment, u"--yes"_s}), 0);
    for (const TestSshd* machine : {&one, &two}) {
        QTRY_COMPARE_WITH_TIMEOUT(left(*machine, u"train.sh"_s), QStringList(), 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(left(*machine, u"*.refs"_s), QStringList(), 30'000);
        QCOMPARE(left(*machine, u"trialkeeper"_s).size(), 1);
    }
}

void TestServiceRemote::gpusOfSeveralMachines()
{
    QTemporaryDir smi2;
    QTemporaryDir smi4;
    TestSshd two({}, "TRIALDECK_NVIDIA_SMI=" + fakeGpus(smi2.path(), 2));
    TestSshd four({}, "TRIALDECK_NVIDIA_SMI=" + fakeGpus(smi4.path(), 4));
    QVERIFY(two.start() && four.start());
    trust(*m_service, {&two, &four});
    QVERIFY(m_service->start());
    Json shared = machineOf(four);
    shared["maxTrialNumberPerGpu"] = 2;
    shared["gpuIndices"] = "0,1,3";
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(two), shared}))));
    QVERIFY(waitReady(*m_service, 2));
    QTRY_VERIFY_WITH_TIMEOUT(
        machines(*m_service)[0]["gpus"].size() + machines(*m_service)[1]["gpus"].size() == 6, 30'000);
    // Each writes its GPU down when it begins and when it ends; so the most that ran at once on a GPU can be counted. Both machines
    // are this computer: they write to one file, in the order in which it happens.
    const QString book = m_service->folder() + u"/book"_s;
    const QString experiment =
        m_service->createExperiment({{"platformId", "lab"}, {"trialConcurrency", 50}, {"gpuNumber", 1},
            {"trialCommand",
                u"p=\"$HOME $CUDA_VISIBLE_DEVICES\"; echo \"+$p\" >>%1; while [ ! -e %1.go ]; do sleep 0.1; done; "
                "sleep 0.1; echo \"-$p\" >>%1"_s.arg(book)}});
    QVERIFY(!experiment.isEmpty());
    Json trials = Json::array();
    for (int i = 0; i < 40; ++i)
        trials.push_back({{"parameters", {{"i", i}}}});
    m_service->submit(experiment, trials);
    constexpr int places = 8; // of GPUs and trials for each: they are full at the same time
    QTRY_COMPARE_WITH_TIMEOUT(TestSshd::readFile(book).count('+'), places, 60'000);
    TestSshd::writeFile(book + u".go"_s, {});
    QVERIFY(QTest::qWaitFor([&] { return m_service->count(experiment, "SUCCEEDED") == 40; }, 120'000));
    QMap<QByteArray, int> now;
    QMap<QByteArray, int> most;
    int trialsBegun = 0;
    for (const QByteArray& line : TestSshd::readFile(book).split('\n')) {
        const QByteArray place = line.mid(1);
        if (line.startsWith('+')) {
            ++trialsBegun;
            most[place] = std::max(most[place], ++now[place]);
        } else if (line.startsWith('-')) {
            --now[place];
        }
    }
    QCOMPARE(trialsBegun, 40);
    // Two GPUs once, three of them twice, and one not at all; 40 trials that last some time fill each of them.
    const QByteArray first = two.home().toUtf8();
    const QByteArray second = four.home().toUtf8();
    QCOMPARE(most,
        (QMap<QByteArray, int>{
            {first + " 0", 1}, {first + " 1", 1}, {second + " 0", 2}, {second + " 1", 2}, {second + " 3", 2}}));
}

/// Two entries of the settings are one computer: its one GPU takes one trial at a time.
void TestServiceRemote::machineListedTwice()
{
    QTemporaryDir smi;
    TestSshd one({}, "TRIALDECK_NVIDIA_SMI=" + fakeGpus(smi.path(), 1));
    QVERIFY(one.start());
    trust(*m_service, {&one});
    QVERIFY(m_service->start());
    Json alias = machineOf(one);
    alias["name"] = "alias";
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(one), alias}))));
    QVERIFY(waitReady(*m_service, 2));
    QTRY_VERIFY_WITH_TIMEOUT(
        machines(*m_service)[0]["gpus"].size() + machines(*m_service)[1]["gpus"].size() == 2, 30'000);
    // A second trial at once would find the mark of the first.
    const QString experiment = m_service->createExperiment({{"platformId", "lab"}, {"trialConcurrency", 4},
        {"gpuNumber", 1}, {"trialCommand", "mkdir \"$HOME/busy\" && sleep 0.3 && rmdir \"$HOME/busy\""}});
    QVERIFY(!experiment.isEmpty());
    Json trials = Json::array();
    for (int i = 0; i < 6; ++i)
        trials.push_back({{"parameters", {{"i", i}}}});
    m_service->submit(experiment, trials);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_service->count(experiment, "SUCCEEDED") + m_service->count(experiment, "FAILED"), 6, 60'000);
    QCOMPARE(m_service->count(experiment, "FAILED"), 0);
}

void TestServiceRemote::survivesEverythingAtOnce()
{
    TestSshd one;
    TestSshd two;
    QVERIFY(one.start() && two.start());
    trust(*m_service, {&one, &two});
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(one), machineOf(two)}))));
    QVERIFY(waitReady(*m_service, 2));
    const QString starts = m_service->folder() + u"/starts"_s;
    QDir().mkpath(starts);
    const QString gate = m_service->folder() + u"/gate"_s;
    const QString experiment = m_service->createExperiment({{"platformId", "lab"}, {"trialConcurrency", 60},
        {"trialCommand",
            u"echo x >> %1/$NNI_TRIAL_SEQ_ID; i=0; while [ ! -e %2 ] || [ $i -lt 20 ]; do i=$((i+1)); echo "
            u"\"{\\\"metric\\\": $i, "
            u"\\\"step\\\": $i}\" >> \"$TRIALDECK_METRICS_FILE\"; sleep 0.2; done"_s.arg(starts, gate)}});
    QVERIFY(!experiment.isEmpty());
    Json trials = Json::array();
    for (int i = 0; i < 60; ++i)
        trials.push_back({{"parameters", {{"i", i}}}});
    const QStringList ids = m_service->submit(experiment, trials);
    QCOMPARE(ids.size(), 60);
    QVERIFY(m_service->waitForCount(experiment, "RUNNING", 60));
    m_service->kill9();
    one.cut(); // its agent ends, too
    QVERIFY(m_service->start());
    QVERIFY(waitReady(*m_service, 2));
    QVERIFY(m_service->waitForCount(experiment, "RUNNING", 60));
    two.cut();
    TestSshd::writeFile(gate, "open");
    QVERIFY(m_service->waitForCount(experiment, "SUCCEEDED", 60));
    // None lost, none doubled, every curve whole.
    QCOMPARE(QDir(starts).entryList(QDir::Files).size(), 60);
    for (const QString& name : QDir(starts).entryList(QDir::Files))
        QCOMPARE(TestSshd::readFile(starts + u'/' + name), QByteArray("x\n"));
    for (const QString& id : ids) {
        const Json metrics = m_service->metrics(id);
        QVERIFY(metrics.size() >= 20);
        for (size_t i = 0; i < metrics.size(); ++i)
            QCOMPARE(metrics[i]["value"].get<int>(), int(i) + 1);
    }
}

void TestServiceRemote::codeThatCannotTravel()
{
    TestSshd one;
    QVERIFY(one.start());
    trust(*m_service, {&one});
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(one)}))));
    QVERIFY(waitReady(*m_service, 1));
    const auto folder = [this](const QString& name, int files) {
        const QString path = m_service->folder() + u'/' + name;
        QDir().mkpath(path);
        for (int i = 0; i < files; ++i)
            TestSshd::writeFile(path + u"/file%1"_s.arg(i), {});
        return path;
    };
    const auto create = [this](const QString& code) {
        return m_service->post(u"/api/v1/experiments"_s,
            {{"name", "code"}, {"platformId", "lab"}, {"trialConcurrency", 1}, {"codeDir", code},
                {"trialCommand", "ls | wc -l"}});
    };
    const QString many = folder(u"many"_s, 2'001);
    const QString large = folder(u"large"_s, 1);
    QVERIFY(QFile::resize(large + u"/file0"_s, 301 * 1024 * 1024)); // a hole, which takes no room
    const QString leaking = folder(u"leaking"_s, 1);
    QVERIFY(QFile::link(u"/etc/passwd"_s, leaking + u"/passwords"_s));
    const std::pair<QString, const char*> refusals[] = {{many, "2001 files"}, {large, "301"}, {leaking, "/etc/passwd"}};
    for (const auto& [code, reason] : refusals) {
        // Known at once, so refused at once.
        const auto refused = create(code);
        QCOMPARE(refused.status, 422);
        QVERIFY2(refused.body.contains(reason), refused.body.constData());
    }
    // As many as are allowed, and what is no file stays here.
    const QString most = folder(u"most"_s, 2'000);
    QCOMPARE(QProcess::execute(u"mkfifo"_s, {most + u"/pipe"_s}), 0);
    const auto created = create(most);
    QVERIFY2(created.status == 201, created.body.constData());
    const QStringList ids =
        m_service->submit(created.json()["id"].get<QString>(), Json::array({{{"parameters", Json::object()}}}));
    QVERIFY(m_service->waitForStatus(ids.value(0), "SUCCEEDED"));
    QCOMPARE(m_service->log(ids.value(0), u"stdout"_s).trimmed(), QByteArray("2000"));
}

/// What lies below a machine's home, and the locks of its GPUs: kind, mode, size and link of each entry, by path.
static QMap<QString, QString> filesOf(const TestSshd& sshd, const QString& gpus)
{
    QMap<QString, QString> found;
    const auto add = [&](const QFileInfo& info) {
        found.insert(info.filePath(),
            u"%1 %2 %3 %4"_s.arg(info.isDir() ? u"folder"_s : u"file"_s)
                .arg(int(info.permissions()), 0, 16)
                .arg(info.isDir() ? 0 : info.size())
                .arg(info.symLinkTarget()));
    };
    constexpr auto all = QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot;
    for (QDirIterator walk(sshd.home(), all, QDirIterator::Subdirectories); walk.hasNext();) {
        walk.next();
        add(walk.fileInfo());
    }
    for (const QFileInfo& lock : QDir(u"/tmp/.trialdeck-gpu"_s).entryInfoList({u"GPU-"_s + gpus + u'*'}, all))
        add(lock);
    return found;
}

/// Of a machine that was used in every way and then removed, only what was there before is left.
void TestServiceRemote::removalLeavesNothing()
{
    QTemporaryDir smi;
    const QString gpus = smi.path().section(u'/', -1);
    TestSshd one({}, "TRIALDECK_NVIDIA_SMI=" + fakeGpus(smi.path(), 2));
    TestSshd two;
    QVERIFY(one.start() && two.start());
    QDir().mkpath(one.home() + u"/.local/share/other"_s);
    TestSshd::writeFile(one.home() + u"/.local/share/other/theirs"_s, "theirs");
    const QMap<QString, QString> before = filesOf(one, gpus);
    QVERIFY(before.size() >= 4);
    trust(*m_service, {&one, &two});
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(one), machineOf(two)}))));
    QVERIFY(waitReady(*m_service, 2));
    const QString id = u"lab.127.0.0.1-%1"_s.arg(one.port());
    QTRY_VERIFY_WITH_TIMEOUT(
        machines(*m_service)[0]["gpus"].size() + machines(*m_service)[1]["gpus"].size() == 2, 30'000);
    QDir().mkpath(m_service->folder() + u"/code/deep/er"_s);
    TestSshd::writeFile(m_service->folder() + u"/code/deep/er/train.sh"_s,
        "mkdir -p \"$NNI_OUTPUT_DIR/a/b\"; echo x > \"$NNI_OUTPUT_DIR/a/b/c\"; chmod 500 \"$NNI_OUTPUT_DIR/a/b\"; ln "
        "-s / "
        "\"$NNI_OUTPUT_DIR/all\"; echo '{\"metric\": 1}' >> \"$TRIALDECK_METRICS_FILE\"; exit $1\n");
    const QString experiment = m_service->createExperiment({{"platformId", "lab"}, {"trialConcurrency", 8},
        {"gpuNumber", 1}, {"codeDir", (m_service->folder() + u"/code"_s).toStdString()},
        {"trialCommand", "sh deep/er/train.sh {code}"}});
    QVERIFY(!experiment.isEmpty());
    Json trials = Json::array();
    for (const int code : {0, 3, 0})
        trials.push_back({{"machineId", id.toStdString()}, {"parameters", {{"code", code}}}});
    QCOMPARE(m_service->submit(experiment, trials).size(), 3);
    QVERIFY(m_service->waitForCount(experiment, "SUCCEEDED", 2));
    QVERIFY(m_service->waitForCount(experiment, "FAILED", 1));
    QVERIFY(filesOf(one, gpus).size() > before.size() + 20);
    const auto reply = m_service->request("DELETE", u"/api/v1/machines/"_s + id);
    QVERIFY2(reply.status == 200 && reply.json()["deleted"].get<bool>(), reply.body.constData());
    QMap<QString, QString> after = filesOf(one, gpus);
    // The agent leaves after it has answered.
    (void)QTest::qWaitFor([&] { return (after = filesOf(one, gpus)) == before; }, 30'000);
    for (auto it = after.cbegin(); it != after.cend(); ++it)
        QVERIFY2(before.value(it.key()) == it.value(), qPrintable(it.key() + u": "_s + it.value()));
    QCOMPARE(after.size(), before.size());
}

void TestServiceRemote::drained()
{
    TestSshd one;
    TestSshd two;
    QVERIFY(one.start() && two.start());
    trust(*m_service, {&one, &two});
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(one), machineOf(two)}))));
    QVERIFY(waitReady(*m_service, 2));
    QCOMPARE(cli({u"machine"_s, u"drain"_s, u"lab.127.0.0.1-%1"_s.arg(one.port())}), 0);
    const QString experiment =
        m_service->createExperiment({{"platformId", "lab"}, {"trialConcurrency", 4}, {"trialCommand", "echo $HOME"}});
    const QStringList ids = m_service->submit(experiment,
        Json::array({{{"parameters", Json::object()}}, {{"parameters", Json::object()}},
            {{"parameters", Json::object()}}, {{"parameters", Json::object()}}}));
    QVERIFY(m_service->waitForCount(experiment, "SUCCEEDED", 4));
    for (const QString& id : ids)
        QCOMPARE(m_service->log(id, u"stdout"_s).trimmed(), two.home().toUtf8());
    QCOMPARE(cli({u"machine"_s, u"undrain"_s, u"lab.127.0.0.1-%1"_s.arg(one.port())}), 0);
    QVERIFY(waitReady(*m_service, 2));
}

void TestServiceRemote::firstContactIsAQuestion()
{
    TestSshd one;
    QVERIFY(one.start());
    QVERIFY(m_service->start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(one)}))));
    Json prompts;
    QTRY_VERIFY_WITH_TIMEOUT((prompts = m_service->get(u"/api/v1/prompts"_s).json()["prompts"]).size() == 1, 30'000);
    QCOMPARE(prompts[0]["kind"].get<QString>(), u"hostKey"_s);
    QTRY_COMPARE_WITH_TIMEOUT(machines(*m_service)[0]["state"].get<QString>(), u"QUESTION"_s, 30'000);
    const QString id = prompts[0]["id"].get<QString>();
    QCOMPARE(cli({u"answer"_s, id, u"--accept"_s}), 0);
    QVERIFY(waitReady(*m_service, 1));
    QCOMPARE(TestSshd::readFile(trustFile(*m_service)), one.knownHostsLine());
    QCOMPARE(int(m_service->get(u"/api/v1/prompts"_s).json()["prompts"].size()), 0);
    // A question that is not needed any more is withdrawn.
    TestSshd two;
    QVERIFY(two.start());
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machineOf(two)}))));
    QTRY_VERIFY_WITH_TIMEOUT(m_service->get(u"/api/v1/prompts"_s).json()["prompts"].size() == 1, 30'000);
    QCOMPARE(m_service->request("DELETE", u"/api/v1/platforms/lab"_s).status / 100, 2);
    QTRY_COMPARE_WITH_TIMEOUT(int(m_service->get(u"/api/v1/prompts"_s).json()["prompts"].size()), 0, 30'000);
}

void TestServiceRemote::secretsStaySecret()
{
    TestSshd one;
    QVERIFY(one.start());
    const QString key = one.folder() + u"/locked_key"_s;
    const QByteArray passphrase = "Kw8-open-sesame-51";
    QVERIFY(TestSshd::makeKey(key, u"ed25519"_s, QString::fromLatin1(passphrase)));
    TestSshd::writeFile(one.folder() + u"/authorized_keys"_s, TestSshd::readFile(key + u".pub"_s));
    trust(*m_service, {&one});
    QVERIFY(m_service->start());
    const EventLines events(*m_service);
    QTRY_VERIFY_WITH_TIMEOUT(!events.body().isEmpty(), 30'000);
    Json machine = machineOf(one);
    machine["sshKeyFile"] = key;
    machine["sshPassphrase"] = passphrase.toStdString();
    machine["password"] = "Zz3-" + passphrase.toStdString();
    QVERIFY(put(*m_service, u"lab"_s, platformOf(Json::array({machine}))));
    QVERIFY(waitReady(*m_service, 1));
    const QString experiment = m_service->createExperiment({{"platformId", "lab"},
        {"trialCommand", "env > \"$TRIALDECK_OUTPUT_DIR/env\"; while [ ! -e \"$HOME/go\" ]; do sleep 0.1; done"}});
    m_service->submit(experiment, Json::array({{{"parameters", Json::object()}}}));
    QVERIFY(m_service->waitForCount(experiment, "RUNNING", 1));
    // Command lines and environments of everything that runs now; then every reply, and every file but the one for secrets.
    for (const QString& name : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        bool isPid = false;
        name.toInt(&isPid);
        if (!isPid || name.toLongLong() == getpid())
            continue;
        QVERIFY(!TestSshd::readFile(u"/proc/"_s + name + u"/cmdline"_s).contains(passphrase));
        QVERIFY(!TestSshd::readFile(u"/proc/"_s + name + u"/environ"_s).contains(passphrase));
    }
    TestSshd::writeFile(one.home() + u"/go"_s, {});
    QVERIFY(m_service->waitForCount(experiment, "SUCCEEDED", 1));
    const QString trial = trialsOf(experiment).value(0);
    const QString machineId = machines(*m_service)[0]["id"].get<QString>();
    for (const QString& path : {u"/platforms"_s, u"/platforms/lab"_s, u"/machines"_s, u"/machines/"_s + machineId,
             u"/trials"_s, u"/trials/"_s + trial, u"/trials/"_s + trial + u"/events"_s,
             u"/trials/"_s + trial + u"/files/env"_s, u"/experiments"_s, u"/requests"_s, u"/prompts"_s}) {
        const ServiceFixture::Answer answer = m_service->get(u"/api/v1"_s + path);
        QVERIFY2(answer.status == 200 && !answer.body.isEmpty(), qPrintable(path));
        QVERIFY2(!answer.body.contains(passphrase), qPrintable(path));
    }
    // The stream of changes, from before the secrets came.
    QTRY_VERIFY_WITH_TIMEOUT(events.body().contains("\"lab\"") && events.body().contains("SUCCEEDED"), 30'000);
    QVERIFY2(!events.body().contains(passphrase), events.body());
    QVERIFY2(m_service->terminate(), m_service->output());
    QVERIFY(!m_service->output().contains(passphrase));
    int files = 0;
    bool kept = false;
    for (const QString& folder : {m_service->dataDir(), one.home()}) {
        QDirIterator walk(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QString path = walk.next();
            ++files;
            if (!TestSshd::readFile(path).contains(passphrase))
                continue;
            QCOMPARE(QFileInfo(path).fileName(), u"secrets.json"_s);
            QCOMPARE(QFile::permissions(path)
                    & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
                QFile::Permissions());
            kept = true;
        }
    }
    QVERIFY(kept && files > 10);
}

QString TestServiceRemote::makeHome(const QList<const TestSshd*>& hosts)
{
    const QString home = m_service->folder() + u"/home"_s;
    QDir().mkpath(home + u"/.ssh"_s);
    QByteArray config;
    QByteArray known;
    for (qsizetype i = 0; i < hosts.size(); ++i) {
        config += "Host lab" + QByteArray::number(i + 1) + "\n  HostName 127.0.0.1\n  Port "
            + QByteArray::number(hosts[i]->port()) + "\n  User " + TestSshd::userName().toUtf8() + "\n  IdentityFile "
            + hosts[i]->userKey().toUtf8() + '\n';
        known += hosts[i]->knownHostsLine();
    }
    TestSshd::writeFile(home + u"/.ssh/config"_s, config);
    TestSshd::writeFile(home + u"/.ssh/known_hosts"_s, known);
    m_service->setEnvironment(u"HOME"_s, home);
    m_environment.insert(u"HOME"_s, home);
    return home;
}

void TestServiceRemote::machinesAddedByTheCommandLine()
{
    TestSshd one;
    TestSshd two;
    QVERIFY(one.start() && two.start());
    makeHome({&one, &two});
    QVERIFY(m_service->start());
    QByteArray out;
    QCOMPARE(cli({u"machine"_s, u"add"_s, u"--platform"_s, u"lab"_s, u"lab1"_s}, &out), 0);
    for (const char* wanted : {"Log in", "Host key", "Clean shell", "Clock", "Test trial", "hello from"})
        QVERIFY2(out.contains(wanted), out.constData());
    QVERIFY(waitReady(*m_service, 1));
    QCOMPARE(
        cli({u"machine"_s, u"add"_s, u"--platform"_s, u"lab"_s, u"--from-ssh-config"_s, u"--no-check"_s, u"--yes"_s}),
        0);
    QVERIFY(waitReady(*m_service, 2));
    QCOMPARE(cli({u"machine"_s, u"check"_s, u"lab.lab2"_s}, &out), 0);
    QVERIFY2(out.contains("Test trial"), out.constData());
    // A host that is not there: refused with its reason, and the others are as they were.
    QCOMPARE(cli({u"machine"_s, u"add"_s, u"--platform"_s, u"lab"_s, u"no-such-host.invalid"_s}, &out), 1);
    QVERIFY2(out.contains("no-such-host.invalid"), out.constData());
    QVERIFY(waitReady(*m_service, 2));
}

/// Each reads the settings, adds its machine, and writes them: none may lose another one's.
void TestServiceRemote::machinesAddedAtOnce()
{
    QVERIFY(m_service->start());
    constexpr int count = 6;
    std::vector<std::unique_ptr<QProcess>> adding;
    for (int i = 0; i < count; ++i) {
        adding.push_back(std::make_unique<QProcess>());
        adding.back()->setProcessEnvironment(m_environment);
        adding.back()->start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
            {u"--data-dir"_s, m_service->dataDir(), u"machine"_s, u"add"_s, u"--platform"_s, u"lab"_s, u"--no-check"_s,
                u"nobody@127.0.3.%1:1"_s.arg(i + 1)});
    }
    for (const auto& process : adding) {
        QVERIFY(process->waitForFinished(120'000));
        QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
    }
    const Json platform = m_service->get(u"/api/v1/platforms/lab"_s).json();
    QCOMPARE(int(platform["settings"]["machineList"].size()), count);
}

void TestServiceRemote::attachedThroughALogin()
{
    TestSshd there;
    QVERIFY(there.start());
    makeHome({&there});
    QVERIFY(m_service->start());
    // The service is found by its data directory there, which the address names.
    const QString address = u"ssh://lab1"_s + m_service->dataDir();
    const QStringList url{u"--url"_s, address};
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.start(
        QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s, url + QStringList{u"machine"_s, u"list"_s, u"-q"_s});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QCOMPARE(process.readAllStandardOutput(), QByteArray("local\n"));
    QVERIFY(m_service->terminate());
    process.start(QStringLiteral(TRIALDECK_BIN_DIR) + u"/trialdeckd"_s,
        url + QStringList{u"--no-start"_s, u"machine"_s, u"list"_s});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 3, process.readAllStandardError().constData());
}

QTEST_GUILESS_MAIN(TestServiceRemote)
#include "tst_service_remote.moc"
