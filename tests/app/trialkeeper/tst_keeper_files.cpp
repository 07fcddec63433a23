// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_fixture.h"

#include "app/trialkeeper/base/sha256.h"

#include <QElapsedTimer>
#include <QProcess>

#include <algorithm>
#include <map>
#include <pwd.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using json = nlohmann::json;

/// Code and files: uploads, copies, reads, lists, removal, and what the agent reports of its machine.
class TestKeeperFiles : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_fixture = std::make_unique<KeeperFixture>();
        m_scratch = m_fixture->folder.path().toStdString() + "/scratch";
        ::mkdir(m_scratch.c_str(), 0700);
    }
    void cleanup() { m_fixture.reset(); }

    void uploadsAndRunsCode();
    void refusesArchives_data();
    void refusesArchives();
    void damagedUpload();
    void workOfAnAgentThatWasKilled();
    void copiesAFolder();
    void linksALargeFolder();
    void refusesALinkOutside();
    void runsInPlace();
    void readsRanges_data();
    void readsRanges();
    void refusesReads_data();
    void refusesReads();
    void followsALog();
    void bigReadDelaysNothing();
    void lists();
    void removesTrials();
    void codeGoesWithItsLastTrial();
    void unusedAgentsGo();
    void removesEverythingOfOurs();
    void probesGpus_data();
    void probesGpus();
    void tellsWhoseGpuProcessesAre();
    void tellsLoad();
    void examinesTheMachine();
    void examinesGzipByUsingIt_data();
    void examinesGzipByUsingIt();

private:
    std::string shell(const std::string& command);
    std::string archive(const std::string& commands);
    AgentMessage upload(const std::string& bytes, const std::string& sha);
    static std::string shaOf(const std::string& bytes);
    std::pair<std::string, json> read(const json& request);

    std::unique_ptr<KeeperFixture> m_fixture;
    std::string m_scratch;
    int m_req = 100;
};

std::string TestKeeperFiles::shell(const std::string& command)
{
    const int status = std::system(("cd '" + m_scratch + "' && " + command).c_str());
    return status == 0 ? std::string() : "failed: " + command;
}

/// A tar.gz of what the commands leave in the folder `tree`, or of `made.tar` if they make that.
std::string TestKeeperFiles::archive(const std::string& commands)
{
    if (!shell("rm -rf tree made.tar out.tgz; mkdir tree; " + commands
            + "; [ -e made.tar ] || tar -C tree -cf made.tar .; gzip -c made.tar > out.tgz")
             .empty())
        return {};
    return KeeperFixture::readFile(m_scratch + "/out.tgz");
}

std::string TestKeeperFiles::shaOf(const std::string& bytes)
{
    trialkeeper::Sha256 sum;
    sum.add(bytes);
    return sum.hexDigest();
}

AgentMessage TestKeeperFiles::upload(const std::string& bytes, const std::string& sha)
{
    for (std::size_t at = 0; at < bytes.size(); at += 65536) {
        const std::string part = bytes.substr(at, 65536);
        m_fixture->agent->send(
            {{"m", "put"}, {"sha", sha}, {"offset", at}, {"last", at + part.size() == bytes.size()}}, part);
    }
    return m_fixture->agent->waitFor(
        [](const AgentMessage& message) { return message.name() == "putDone" || message.name() == "putFailed"; });
}

void TestKeeperFiles::uploadsAndRunsCode()
{
    m_fixture->begin();
    const std::string bytes =
        archive("cd tree; mkdir -p pkg/deep; echo 'echo ran $(cat pkg/deep/data)' > run.sh; chmod 755 run.sh; echo "
                "content > pkg/deep/data; ln -s pkg/deep/data link; head -c 300000 /dev/urandom > blob; cd ..");
    const std::string sha = shaOf(bytes);
    m_fixture->agent->send({{"m", "has"}, {"sha", sha}});
    QCOMPARE(m_fixture->agent->waitForName("has").json["present"].get<bool>(), false);
    QCOMPARE(upload(bytes, sha).name(), std::string("putDone"));
    std::int64_t acknowledged = 0;
    for (const AgentMessage& message : m_fixture->agent->passed) {
        if (message.name() == "putAck")
            acknowledged = message.json["offset"];
    }
    QCOMPARE(std::size_t(acknowledged), bytes.size());
    m_fixture->agent->send({{"m", "has"}, {"sha", sha}});
    QCOMPARE(m_fixture->agent->waitForName("has").json["present"].get<bool>(), true);
    // It is there: a second upload is answered at its first part.
    m_fixture->agent->send({{"m", "put"}, {"sha", sha}, {"offset", 0}, {"last", false}}, "x");
    QCOMPARE(m_fixture->agent->waitForName("putDone").json["sha"].get<std::string>(), sha);
    json spec = KeeperFixture::specOf("t1", "./run.sh; cat link; echo changed > run.sh; echo mine > new");
    spec["code"] = {{"kind", "archive"}, {"sha", sha}};
    const json end = m_fixture->run(spec);
    QCOMPARE(end["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), std::string("ran content\ncontent\n"));
    // The trial changed its own copy only; the stored code has no write permission.
    const std::string stored = m_fixture->base + "/code/" + sha;
    QVERIFY(KeeperFixture::readFile(stored + "/run.sh").starts_with("echo ran"));
    QVERIFY(!KeeperFixture::exists(stored + "/new"));
    struct stat info
    {
    };
    QCOMPARE(::stat((stored + "/run.sh").c_str(), &info), 0);
    QCOMPARE(int(info.st_mode & 0777), 0500);
    QVERIFY(KeeperFixture::exists(m_fixture->base + "/code/" + sha + ".refs/svc.m1"));
    // Nothing temporary is left.
    QCOMPARE(shell("[ $(ls -A ../base/code | wc -l) = 2 ]"), std::string());
}

void TestKeeperFiles::refusesArchives_data()
{
    QTest::addColumn<QString>("commands");
    QTest::newRow("absolute path") << "echo x > absolute; tar -P -cf made.tar $PWD/absolute; rm absolute";
    QTest::newRow("path up") << "echo x > x; cd tree; tar -P -cf ../made.tar ../x; cd ..";
    QTest::newRow("link up") << "ln -s ../../../x tree/l";
    QTest::newRow("link absolute") << "ln -s /etc/passwd tree/l";
    QTest::newRow("fifo") << "mkfifo tree/f";
    QTest::newRow("through a link") << "ln -s . tree/a; tar -C tree -cf made.tar a; rm tree/a; mkdir tree/a; ln -s "
                                       "/etc tree/a/b; tar -C tree -rf made.tar a/b";
    QTest::newRow("cut")
        << "head -c 100000 /dev/urandom > tree/f; tar -C tree -cf whole.tar .; head -c 50000 whole.tar > made.tar";
}

void TestKeeperFiles::refusesArchives()
{
    QFETCH(QString, commands);
    m_fixture->begin();
    const std::string bytes = archive(commands.toStdString());
    QVERIFY(!bytes.empty());
    const AgentMessage reply = upload(bytes, shaOf(bytes));
    QCOMPARE(reply.name(), std::string("putFailed"));
    QCOMPARE(reply.json["kind"].get<std::string>(), std::string("invalid"));
    QVERIFY(reply.json["message"].get<std::string>().size() > 15);
    QCOMPARE(shell("[ -z \"$(ls -A ../base/code)\" ] && [ ! -e ../base/x ]"), std::string());
}

void TestKeeperFiles::damagedUpload()
{
    m_fixture->begin();
    std::string bytes = archive("echo x > tree/x");
    const std::string sha = shaOf(bytes);
    QCOMPARE(upload(bytes, std::string(64, 'a')).json["kind"].get<std::string>(), std::string("invalid"));
    QCOMPARE(upload(bytes, "../../x").json["kind"].get<std::string>(), std::string("invalid"));
    m_fixture->agent->send({{"m", "put"}, {"sha", sha}, {"offset", 0}, {"last", false}}, "begin");
    m_fixture->agent->send({{"m", "put"}, {"sha", sha}, {"offset", 99}, {"last", true}}, "gap");
    // The link's fault, not the archive's: it is worth another try.
    QCOMPARE(m_fixture->agent->waitForName("putFailed").json["kind"].get<std::string>(), std::string("network"));
    const std::string headless(64, 'b');
    m_fixture->agent->send({{"m", "put"}, {"sha", headless}, {"offset", 5}, {"last", true}}, "end");
    const AgentMessage refused = m_fixture->agent->waitForName("putFailed");
    QVERIFY(refused.json.is_object());
    QCOMPARE(refused.json["sha"].get<std::string>(), headless);
    // Not gzip, though the checksum is right.
    QCOMPARE(upload("no archive at all", shaOf("no archive at all")).json["kind"].get<std::string>(),
        std::string("invalid"));
    // An upload that was broken off leaves nothing, and the next one works.
    m_fixture->agent->send({{"m", "put"}, {"sha", sha}, {"offset", 0}, {"last", false}}, "begin");
    m_fixture->agent->waitForName("putAck");
    QCOMPARE(m_fixture->agent->finish(), 0);
    QCOMPARE(shell("[ -z \"$(ls -A ../base/code)\" ]"), std::string());
    m_fixture->begin();
    QCOMPARE(upload(bytes, sha).name(), std::string("putDone"));
}

void TestKeeperFiles::workOfAnAgentThatWasKilled()
{
    m_fixture->begin();
    QCOMPARE(m_fixture->agent->finish(), 0);
    QCOMPARE(
        shell(
            "cd ../base/code && mkdir -p .work~svc~m1~a.d/x && touch .work~svc~m1~a .work~svc~m1-2~b .work~other~m1~c"),
        std::string());
    m_fixture->begin();
    // Others' agents may be at work.
    QVERIFY(KeeperFixture::eventually([&] { return shell("! ls -A ../base/code | grep -q svc~m1~").empty(); }));
    QCOMPARE(shell("[ -e ../base/code/.work~svc~m1-2~b ] && [ -e ../base/code/.work~other~m1~c ]"), std::string());
}

void TestKeeperFiles::copiesAFolder()
{
    m_fixture->begin();
    QCOMPARE(shell("mkdir -p snap/a/b; echo text > snap/a/b/file; echo '#!/bin/sh' > snap/tool; chmod 555 snap/tool; "
                   "ln -s a/b snap/link; mkdir snap/empty"),
        std::string());
    json spec = KeeperFixture::specOf(
        "t1", "[ -x tool ] && [ -d empty ] && cat link/file && echo new > a/b/file && echo x > tool");
    spec["code"] = {{"kind", "folder"}, {"path", m_scratch + "/snap"}};
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), std::string("text\n"));
    QCOMPARE(KeeperFixture::readFile(m_scratch + "/snap/a/b/file"), std::string("text\n"));
}

void TestKeeperFiles::linksALargeFolder()
{
    m_fixture->begin();
    QCOMPARE(shell("mkdir snap; head -c 70000000 /dev/zero > snap/data; echo small > snap/small"), std::string());
    json spec = KeeperFixture::specOf("t1", "wc -c < data");
    spec["code"] = {{"kind", "folder"}, {"path", m_scratch + "/snap"}};
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), std::string("70000000\n"));
    struct stat source
    {
    };
    struct stat copy
    {
    };
    QCOMPARE(::stat((m_scratch + "/snap/data").c_str(), &source), 0);
    QCOMPARE(::stat((m_fixture->trialPath("t1") + "/code/data").c_str(), &copy), 0);
    if (source.st_ino == copy.st_ino)
        QCOMPARE(int(copy.st_mode & 0222), 0);
    else
        QVERIFY(copy.st_blocks > 0); // the file system shares blocks instead
}

void TestKeeperFiles::refusesALinkOutside()
{
    m_fixture->begin();
    QCOMPARE(shell("mkdir snap; ln -s ../secret snap/link; echo secret > secret"), std::string());
    json spec = KeeperFixture::specOf("t1", "cat link");
    spec["code"] = {{"kind", "folder"}, {"path", m_scratch + "/snap"}};
    const json result = m_fixture->start(spec);
    QCOMPARE(result.value("kind", std::string()), std::string("invalid"));
    QVERIFY(result["message"].get<std::string>().find("link") != std::string::npos);
    QVERIFY(!KeeperFixture::exists(m_fixture->trialPath("t1")));
}

void TestKeeperFiles::runsInPlace()
{
    m_fixture->begin();
    QCOMPARE(shell("mkdir place"), std::string());
    json spec = KeeperFixture::specOf("t1", "pwd; echo $NNI_CODE_DIR; echo x > here");
    spec["code"] = {{"kind", "inPlace"}, {"path", m_scratch + "/place"}};
    QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    QCOMPARE(m_fixture->fileOf("t1", "stdout"), m_scratch + "/place\n" + m_scratch + "/place\n");
    QVERIFY(KeeperFixture::exists(m_scratch + "/place/here"));
    QVERIFY(!KeeperFixture::exists(m_fixture->trialPath("t1") + "/code"));
}

std::pair<std::string, json> TestKeeperFiles::read(const json& request)
{
    const int req = ++m_req;
    json message = {{"m", "read"}, {"req", req}, {"trial", "t1"}, {"offset", 0}};
    message.update(request);
    m_fixture->agent->send(message);
    std::string bytes;
    for (;;) {
        const AgentMessage reply =
            m_fixture->agent->waitFor([&](const AgentMessage& each) { return each.json.value("req", -1) == req; });
        bytes += reply.raw;
        if (reply.name() != "data" || reply.json["eof"].get<bool>())
            return {bytes, reply.json};
    }
}

void TestKeeperFiles::readsRanges_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("size");
    QTest::newRow("all") << QByteArray(R"({"name":"output/big"})") << 0 << 300000;
    QTest::newRow("from") << QByteArray(R"({"name":"output/big","offset":299990})") << 299990 << 10;
    QTest::newRow("limit") << QByteArray(R"({"name":"output/big","offset":100,"limit":70000})") << 100 << 70000;
    QTest::newRow("limit none") << QByteArray(R"({"name":"output/big","limit":0})") << 0 << 0;
    QTest::newRow("tail") << QByteArray(R"({"name":"output/big","offset":-1000})") << 299000 << 1000;
    QTest::newRow("tail of more than all") << QByteArray(R"({"name":"output/big","offset":-10000000})") << 0 << 300000;
    QTest::newRow("beyond the end") << QByteArray(R"({"name":"output/big","offset":400000})") << 400000 << 0;
    QTest::newRow("followed after the end") << QByteArray(R"({"name":"output/big","follow":true})") << 0 << 300000;
    QTest::newRow("through an inner link") << QByteArray(R"({"name":"output/latest"})") << 0 << 300000;
    QTest::newRow("numbers out of bounds")
        << QByteArray(R"({"name":"output/big","limit":1e300,"offset":0})") << 0 << 300000;
}

void TestKeeperFiles::readsRanges()
{
    QFETCH(QByteArray, request);
    QFETCH(int, from);
    QFETCH(int, size);
    m_fixture->begin();
    QCOMPARE(m_fixture
                 ->run(KeeperFixture::specOf("t1",
                     "head -c 300000 /dev/urandom > $NNI_OUTPUT_DIR/big; ln -s big $NNI_OUTPUT_DIR/latest"))["success"]
                 .get<bool>(),
        true);
    const std::string whole = m_fixture->fileOf("t1", "output/big");
    const auto [bytes, last] = read(json::parse(request.toStdString()));
    QCOMPARE(last["m"].get<std::string>(), std::string("data"));
    QCOMPARE(bytes.size(), std::size_t(size));
    QVERIFY(bytes == whole.substr(std::min<std::size_t>(std::size_t(from), whole.size()), std::size_t(size)));
    QVERIFY(last["size"].get<std::int64_t>() >= 300000);
}

void TestKeeperFiles::refusesReads_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<QString>("kind");
    QTest::newRow("up") << QByteArray(R"({"name":"../../../../etc/passwd"})") << "invalid";
    QTest::newRow("up inside") << QByteArray(R"({"name":"output/../../t2/stdout"})") << "invalid";
    QTest::newRow("absolute") << QByteArray(R"({"name":"/etc/passwd"})") << "invalid";
    QTest::newRow("empty") << QByteArray(R"({"name":""})") << "invalid";
    QTest::newRow("trial up") << QByteArray(R"({"name":"stdout","trial":"../trials/t1"})") << "invalid";
    QTest::newRow("no trial") << QByteArray(R"({"name":"stdout","trial":"t9"})") << "not_found";
    QTest::newRow("no file") << QByteArray(R"({"name":"output/none"})") << "not_found";
    QTest::newRow("link outside") << QByteArray(R"({"name":"output/out"})") << "invalid";
    QTest::newRow("link up") << QByteArray(R"({"name":"output/up"})") << "invalid";
    QTest::newRow("through a linked folder") << QByteArray(R"({"name":"output/etc/passwd"})") << "invalid";
    QTest::newRow("process link") << QByteArray(R"({"name":"output/proc"})") << "invalid";
    QTest::newRow("folder") << QByteArray(R"({"name":"output"})") << "invalid";
    QTest::newRow("fifo") << QByteArray(R"({"name":"output/fifo"})") << "invalid";
}

void TestKeeperFiles::refusesReads()
{
    QFETCH(QByteArray, request);
    QFETCH(QString, kind);
    m_fixture->begin();
    QCOMPARE(m_fixture
                 ->run(KeeperFixture::specOf("t1",
                     "cd $NNI_OUTPUT_DIR; ln -s /etc/passwd out; ln -s ../../t2/stdout up; ln -s /etc etc; ln -s "
                     "/proc/self/environ proc; mkfifo fifo"))["success"]
                 .get<bool>(),
        true);
    const auto [bytes, last] = read(json::parse(request.toStdString()));
    QCOMPARE(last["m"].get<std::string>(), std::string("readFailed"));
    QCOMPARE(last["kind"].get<std::string>(), kind.toStdString());
    QVERIFY(bytes.empty());
}

void TestKeeperFiles::followsALog()
{
    m_fixture->begin();
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t1", "exec sleep 100")).contains("pid"));
    QCOMPARE(m_fixture->agent->waitForName("event").json["type"].get<std::string>(), std::string("running"));
    m_fixture->agent->send(
        {{"m", "read"}, {"req", 1}, {"trial", "t1"}, {"name", "trial.log"}, {"offset", 0}, {"follow", true}});
    m_fixture->agent->send(
        {{"m", "read"}, {"req", 2}, {"trial", "t1"}, {"name", "stdout"}, {"offset", 0}, {"follow", true}});
    QCOMPARE(m_fixture->agent->next(200).name(), std::string()); // there is no trial.log yet, and stdout is empty
    const auto expectData = [&](int req, const std::string& bytes, std::int64_t offset) {
        const AgentMessage data = m_fixture->agent->waitForName("data");
        return data.json.is_object() && data.json["req"] == req && data.raw == bytes && data.json["offset"] == offset
            && !data.json["eof"].get<bool>();
    };
    const std::string log = m_fixture->trialPath("t1") + "/output/trial.log";
    KeeperFixture::writeFile(log, "one\n");
    QVERIFY(expectData(1, "one\n", 0));
    KeeperFixture::writeFile(log, "two\n");
    QVERIFY(expectData(1, "two\n", 4));
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/stdout", "out\n");
    QVERIFY(expectData(2, "out\n", 0));
    QCOMPARE(::truncate(log.c_str(), 0), 0);
    KeeperFixture::writeFile(log, "3\n");
    QVERIFY(expectData(1, "3\n", 0));
    m_fixture->agent->send({{"m", "readStop"}, {"req", 2}});
    m_fixture->cancel("t1", "user", 0);
    std::set<int> ended;
    for (;;) {
        const AgentMessage data = m_fixture->agent->waitForName("data", ended.empty() ? 30'000 : 1'500);
        if (data.name().empty())
            break;
        QVERIFY(data.json["eof"].get<bool>());
        ended.insert(data.json["req"].get<int>());
    }
    QCOMPARE(ended, std::set<int>{1});
}

void TestKeeperFiles::bigReadDelaysNothing()
{
    m_fixture->begin();
    QVERIFY(m_fixture
                ->start(KeeperFixture::specOf("t1", "head -c 50000000 /dev/zero > $NNI_OUTPUT_DIR/big; exec sleep 100"))
                .contains("pid"));
    struct stat info
    {
    };
    QVERIFY(KeeperFixture::eventually([&] {
        return ::stat((m_fixture->trialPath("t1") + "/output/big").c_str(), &info) == 0 && info.st_size == 50000000;
    }));
    m_fixture->agent->send({{"m", "read"}, {"req", 1}, {"trial", "t1"}, {"name", "output/big"}, {"offset", 0}});
    m_fixture->agent->waitForName("data");
    m_fixture->agent->send({{"m", "ping"}, {"req", 2}});
    KeeperFixture::writeFile(m_fixture->trialPath("t1") + "/metrics.jsonl", "m\n");
    std::size_t before = 65536;
    std::size_t beforeRecord = 0;
    std::size_t total = 65536;
    bool pong = false;
    for (bool eof = false; !eof;) {
        const AgentMessage message = m_fixture->agent->next();
        QVERIFY(!message.name().empty());
        total += message.name() == "data" ? message.raw.size() : 0;
        pong = pong || message.name() == "pong";
        before = pong ? before : total;
        if (message.name() == "records")
            beforeRecord = total;
        eof = message.name() == "data" && message.json["eof"].get<bool>();
    }
    QCOMPARE(total, std::size_t(50000000));
    // What lies in the pipe and in this client's buffers cannot be overtaken; the rest can.
    QVERIFY2(before < 3000000, std::to_string(before).c_str());
    QVERIFY2(beforeRecord > 0 && beforeRecord < 6000000, std::to_string(beforeRecord).c_str());
}

void TestKeeperFiles::lists()
{
    m_fixture->begin();
    QCOMPARE(m_fixture
                 ->run(KeeperFixture::specOf("t1",
                     "cd $NNI_OUTPUT_DIR; mkdir -p a/b; printf 12345 > a/b/f; ln -s /etc e; printf 1 > \"$(printf "
                     "'odd\\n\\377')\""))["success"]
                 .get<bool>(),
        true);
    m_fixture->agent->send({{"m", "list"}, {"req", 1}, {"trial", "t1"}});
    const json files = m_fixture->agent->waitForName("files").json;
    QVERIFY(!files.contains("next"));
    std::map<std::string, std::string> types;
    for (const json& entry : files["entries"]) {
        types[entry["path"]] = entry["type"];
        if (entry["path"] == "a/b/f") {
            QCOMPARE(entry["size"].get<int>(), 5);
            QVERIFY(entry["mtime"].get<std::int64_t>() > 1700000000000);
        }
    }
    QCOMPARE(types.size(), std::size_t(5));
    QCOMPARE(types["a/b"], std::string("folder"));
    QCOMPARE(types["a/b/f"], std::string("file"));
    QCOMPARE(types["e"], std::string("link"));
    for (const json& bad : {json{{"trial", ".."}}, json{{"trial", "t1"}, {"path", "../.."}},
             json{{"trial", "t1"}, {"path", "output/e"}}, json{{"trial", "t9"}}}) {
        json request = {{"m", "list"}, {"req", 2}};
        request.update(bad);
        m_fixture->agent->send(request);
        QCOMPARE(m_fixture->agent->waitForName("failed").json["req"].get<int>(), 2);
    }
    // Qt cannot remove a name that is no UTF-8; the keeper may still be writing its last file.
    QVERIFY(KeeperFixture::eventually([&] { return shell("rm -rf ../base/svc/m1/trials/t1").empty(); }));
}

void TestKeeperFiles::removesTrials()
{
    m_fixture->begin();
    QCOMPARE(shell("mkdir precious; echo p > precious/file"), std::string());
    QCOMPARE(m_fixture
                 ->run(KeeperFixture::specOf("t1",
                     "cd $NNI_OUTPUT_DIR; mkdir -p x/y; touch x/y/z; ln -s '" + m_scratch
                         + "/precious' link; mkdir locked; touch locked/f; chmod 0 locked"))["success"]
                 .get<bool>(),
        true);
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t2", "exec sleep 100")).contains("pid"));
    m_fixture->agent->send(
        {{"m", "remove"}, {"req", 9}, {"trials", {"t1", "t2", "t3", "../../scratch/precious", "."}}});
    const json removed = m_fixture->agent->waitForName("removed").json;
    QCOMPARE(removed["req"].get<int>(), 9);
    std::set<std::string> failed;
    for (const json& each : removed["failed"])
        failed.insert(each["id"]);
    QCOMPARE(failed, (std::set<std::string>{"t2", "../../scratch/precious", "."}));
    QVERIFY(!KeeperFixture::exists(m_fixture->trialPath("t1")));
    QVERIFY(KeeperFixture::exists(m_fixture->trialPath("t2") + "/token"));
    QVERIFY(KeeperFixture::exists(m_scratch + "/precious/file"));
    QCOMPARE(shell("[ $(ls -A ../base/svc/m1/trials | wc -l) = 1 ]"), std::string());
}

void TestKeeperFiles::codeGoesWithItsLastTrial()
{
    m_fixture->begin();
    const std::string mine = archive("echo x > tree/x");
    const std::string shared = archive("echo y > tree/y");
    for (const std::string& bytes : {mine, shared})
        QCOMPARE(upload(bytes, shaOf(bytes)).name(), std::string("putDone"));
    QCOMPARE(shell("touch ../base/code/" + shaOf(shared) + ".refs/other.m1"), std::string());
    const auto there = [this](const std::string& bytes) {
        return KeeperFixture::exists(m_fixture->base + "/code/" + shaOf(bytes));
    };
    const auto remove = [this](const char* trial) {
        m_fixture->agent->send({{"m", "remove"}, {"req", 1}, {"trials", {trial}}});
        return m_fixture->agent->waitForName("removed").json["failed"].size();
    };
    for (const auto& [id, bytes] : {std::pair("t1", mine), std::pair("t2", mine), std::pair("t3", shared)}) {
        json spec = KeeperFixture::specOf(id, "true");
        spec["code"] = {{"kind", "archive"}, {"sha", shaOf(bytes)}};
        QCOMPARE(m_fixture->run(spec)["success"].get<bool>(), true);
    }
    QCOMPARE(remove("t1"), std::size_t(0));
    QVERIFY(there(mine));
    QCOMPARE(remove("t2"), std::size_t(0));
    QVERIFY(!there(mine));
    QCOMPARE(remove("t3"), std::size_t(0));
    QVERIFY(there(shared)); // another service claims it
    QCOMPARE(shell("[ $(ls ../base/code | wc -l) = 2 ]"), std::string());
}

void TestKeeperFiles::unusedAgentsGo()
{
    // As a bootstrap puts them there: by processor and checksum.
    const std::string sums[] = {std::string(64, 'a'), std::string(64, 'b'), std::string(64, 'c')};
    QCOMPARE(shell("cd ../base 2>/dev/null || mkdir -p ../base && cd ../base; mkdir bin bin/mine; for s in " + sums[0]
                 + ' ' + sums[1] + ' ' + sums[2]
                 + "; do mkdir bin/x86_64-$s; cp '" TRIALDECK_BIN_DIR "/trialkeeper' bin/x86_64-$s/; done; "
                   "touch -d '40 days ago' bin/x86_64-"
                 + sums[0] + " bin/x86_64-" + sums[1] + " bin/mine"),
        std::string());
    m_fixture->program = m_fixture->base + "/bin/x86_64-" + sums[0] + "/trialkeeper";
    m_fixture->begin();
    m_fixture->agent->send({{"m", "ping"}, {"req", 1}});
    m_fixture->agent->waitForName("pong");
    QTRY_VERIFY_WITH_TIMEOUT(!KeeperFixture::exists(m_fixture->base + "/bin/x86_64-" + sums[1]), 30'000);
    for (const std::string& kept : {"x86_64-" + sums[0], "x86_64-" + sums[2], std::string("mine")})
        QVERIFY(KeeperFixture::exists(m_fixture->base + "/bin/" + kept));
}

void TestKeeperFiles::removesEverythingOfOurs()
{
    m_fixture->begin();
    const std::string bytes = archive("echo x > tree/x");
    const std::string sha = shaOf(bytes);
    QCOMPARE(upload(bytes, sha).name(), std::string("putDone"));
    const std::string shared = archive("echo y > tree/y");
    QCOMPARE(upload(shared, shaOf(shared)).name(), std::string("putDone"));
    QCOMPARE(m_fixture->run(KeeperFixture::specOf("t1", "true"))["success"].get<bool>(), true);
    QCOMPARE(shell("mkdir ../base/bin; touch ../base/bin/agent; mkdir -p ../base/other/m1; touch ../base/code/"
                 + shaOf(shared) + ".refs/other.m1"),
        std::string());
    QVERIFY(m_fixture->start(KeeperFixture::specOf("t2", "exec sleep 100")).contains("pid"));
    m_fixture->agent->send({{"m", "remove"}, {"req", 1}, {"all", true}});
    QCOMPARE(m_fixture->agent->waitForName("removed").json["failed"].size(),
        std::size_t(1)); // while a trial runs nothing goes
    QVERIFY(KeeperFixture::exists(m_fixture->trialPath("t1")));
    m_fixture->cancel("t2", "user", 0);
    m_fixture->waitForEnd("t2");
    m_fixture->agent->send({{"m", "remove"}, {"req", 2}, {"all", true}});
    QCOMPARE(m_fixture->agent->waitForName("removed").json["failed"].size(), std::size_t(0));
    // What another service uses is there, and nothing else.
    QCOMPARE(shell("[ \"$(cd ../base; find . -mindepth 1 | sort | tr '\\n' ' ')\" = \"./bin ./bin/agent ./code ./code/"
                 + shaOf(shared) + " ./code/" + shaOf(shared) + ".refs ./code/" + shaOf(shared)
                 + ".refs/other.m1 ./code/" + shaOf(shared) + "/y ./other ./other/m1 \" ]"),
        std::string());
    // Alone on the machine, the last one leaves nothing.
    QCOMPARE(shell("rm -rf ../base/other ../base/code"), std::string());
    m_fixture->begin();
    m_fixture->agent->send({{"m", "remove"}, {"req", 3}, {"all", true}});
    QCOMPARE(m_fixture->agent->waitForName("removed").json["failed"].size(), std::size_t(0));
    QVERIFY(!KeeperFixture::exists(m_fixture->base));
}

void TestKeeperFiles::probesGpus_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("state");
    QTest::addColumn<int>("size");
    QTest::newRow("ok") << "echo '<xml>'"
                        << "ok" << 6;
    QTest::newRow("large") << "head -c 200000 /dev/zero"
                           << "ok" << 200000;
    QTest::newRow("driver") << "echo 'NVIDIA-SMI has failed'; exit 9"
                            << "driverError" << 0;
}

void TestKeeperFiles::probesGpus()
{
    QFETCH(QString, script);
    QFETCH(QString, state);
    QFETCH(int, size);
    KeeperFixture::writeFile(
        m_scratch + "/smi", "#!/bin/sh\n[ \"$1 $2\" = '-q -x' ] || exit 3\n" + script.toStdString() + "\n");
    ::chmod((m_scratch + "/smi").c_str(), 0700);
    m_fixture->begin(json::array(), {"TRIALDECK_NVIDIA_SMI=" + m_scratch + "/smi"});
    m_fixture->agent->send({{"m", "gpu"}, {"intervalMs", 100}});
    for (int round = 0; round < 2; ++round) {
        std::size_t got = 0;
        AgentMessage part;
        do {
            part = m_fixture->agent->waitForName("gpu");
            QCOMPARE(part.json["state"].get<std::string>(), state.toStdString());
            got += part.raw.size();
        } while (part.json["more"].get<bool>());
        QCOMPARE(got, std::size_t(size));
    }
    m_fixture->agent->send({{"m", "gpu"}, {"intervalMs", 0}});
    m_fixture->agent->send({{"m", "ping"}, {"req", 1}});
    m_fixture->agent->waitForName("pong");
    QElapsedTimer timer;
    timer.start();
    do { // what it had queued before still comes
        QVERIFY(timer.elapsed() < 30'000);
        m_fixture->agent->passed.clear();
        m_fixture->agent->waitForName("never", 400);
    } while (!m_fixture->agent->passed.empty());
}

void TestKeeperFiles::tellsWhoseGpuProcessesAre()
{
    // Two processes that live: this one, of no trial, and one with a trial's folder in its environment.
    QProcess ours;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("NNI_SYS_DIR"), QString::fromStdString(m_fixture->trialPath("t1")));
    ours.setProcessEnvironment(environment);
    ours.start(QStringLiteral("/bin/sleep"), {QStringLiteral("600")});
    QVERIFY(ours.waitForStarted());
    const std::string pids = "<pid>" + std::to_string(::getpid()) + "</pid><pid> " + std::to_string(ours.processId())
        + "</pid><pid>0</pid><pid>x</pid><pid>2147483647</pid>";
    KeeperFixture::writeFile(m_scratch + "/smi", "#!/bin/sh\necho '" + pids + "'\n");
    ::chmod((m_scratch + "/smi").c_str(), 0700);
    m_fixture->begin(json::array(), {"TRIALDECK_NVIDIA_SMI=" + m_scratch + "/smi"});
    m_fixture->agent->send({{"m", "gpu"}, {"intervalMs", 100}});
    const AgentMessage gpu = m_fixture->agent->waitForName("gpu");
    std::map<std::int64_t, json> found;
    for (const json& one : gpu.json["processes"])
        found[one["pid"].get<std::int64_t>()] = one;
    QCOMPARE(found.size(), std::size_t(2));
    const json& other = found[::getpid()];
    QCOMPARE(other["user"].get<std::string>(), std::string(::getpwuid(::getuid())->pw_name));
    QVERIFY(other["command"].get<std::string>().find("tst_keeper_files") != std::string::npos);
    QVERIFY(!other.contains("trial"));
    QCOMPARE(found[ours.processId()]["trial"].get<std::string>(), std::string("t1"));
    QCOMPARE(found[ours.processId()]["command"].get<std::string>(), std::string("/bin/sleep 600"));
    ours.kill();
    QVERIFY(ours.waitForFinished());
}

void TestKeeperFiles::tellsLoad()
{
    m_fixture->begin();
    m_fixture->agent->send({{"m", "host"}, {"intervalMs", 100}});
    m_fixture->agent->waitForName("load");
    const json load = m_fixture->agent->waitForName("load").json;
    QVERIFY(load["memoryTotal"].get<std::int64_t>() > load["memoryUsed"].get<std::int64_t>());
    QVERIFY(load["memoryUsed"].get<std::int64_t>() > 0);
    QVERIFY(load["diskFree"].get<std::int64_t>() > 0);
    QVERIFY(load["cpuPercent"].get<double>() >= 0 && load["cpuPercent"].get<double>() <= 100);
    QVERIFY(load["cpuCount"].get<int>() >= 1);
}

void TestKeeperFiles::examinesTheMachine()
{
    m_fixture->begin();
    m_fixture->agent->send({{"m", "doctor"}, {"req", 4}});
    QCOMPARE(m_fixture->agent->waitForName("doctorDone", 30000).json["req"].get<int>(), 4);
    std::map<std::string, std::string> states;
    for (const AgentMessage& message : m_fixture->agent->passed) {
        if (message.name() == "finding" && message.json["req"] == 4)
            states[message.json["id"]] = message.json["state"];
    }
    QCOMPARE(states["folder"], std::string("ok"));
    QCOMPARE(states["shell"], std::string("ok"));
    QCOMPARE(states["proc"], std::string("ok"));
    QCOMPARE(states.count("clock"), std::size_t(0)); // reported when it was never set
    QVERIFY(states.count("disk") == 1 && states.count("python") == 1 && states.count("gpu") == 1
        && states.count("writing") == 1);
    QCOMPARE(shell("[ $(ls -A ../base | wc -l) = 2 ]"), std::string()); // the check leaves nothing behind
}

void TestKeeperFiles::examinesGzipByUsingIt_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<bool>("fails");
    QTest::newRow("as it is") << QString() << QByteArray() << false;
    QTest::newRow("without --version")
        << u"gzip"_s
        << QByteArray(
               "[ $1 != --version ] || { echo unrecognized option >&2; exit 1; }\nPATH=${PATH#*:} exec gzip \"$@\"")
        << false;
    QTest::newRow("with --version alone") << u"gzip"_s << QByteArray("[ $1 = --version ]") << true;
    QTest::newRow("a timeout that takes no seconds") << u"timeout"_s << QByteArray("exec \"$@\"") << false;
}

void TestKeeperFiles::examinesGzipByUsingIt()
{
    QFETCH(QString, program);
    QFETCH(QByteArray, script);
    QFETCH(bool, fails);
    const QTemporaryDir folder;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!program.isEmpty()) {
        QFile file(folder.filePath(program));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script + '\n');
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        environment.insert(u"PATH"_s, folder.path() + u':' + environment.value(u"PATH"_s));
    }
    QProcess doctor;
    doctor.setProcessEnvironment(environment);
    doctor.start(QStringLiteral(TRIALDECK_BIN_DIR "/trialkeeper"), {u"doctor"_s, folder.filePath(u"base"_s)});
    QVERIFY(doctor.waitForFinished(60'000));
    std::map<std::string, std::string> states;
    for (const QByteArray& line : doctor.readAllStandardOutput().split('\n')) {
        const json finding = json::parse(line.toStdString(), nullptr, false);
        if (finding.is_object())
            states[finding["id"]] = finding["state"];
    }
    QCOMPARE(states["shell"], std::string("ok"));
    QCOMPARE(states.count("gzip"), std::size_t(fails ? 1 : 0));
}

QTEST_GUILESS_MAIN(TestKeeperFiles)
#include "tst_keeper_files.moc"
