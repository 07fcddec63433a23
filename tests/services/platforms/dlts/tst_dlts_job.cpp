// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/dlts/dlts_job.h"
#include "services/platforms/dlts/dlts_settings.h"

#include <QTest>
#include <QUuid>

using namespace platforms;
using namespace platforms::dlts;
using namespace Qt::StringLiterals;

class TestDltsJob : public QObject
{
    Q_OBJECT
private slots:
    void theJobThatNniMakes();
    void whatIsAskedFor();
    void anExperimentWins();
    void withoutGpus();
    void anIdIsATrials();
    void endpoints();
    void refused_data();
    void refused();
    void settingsFromTheEnvironment();
    void settingsThatCannotBe_data();
    void settingsThatCannotBe();
};

static const Json settings = {{"team", "platform"}, {"email", "u@x.com"}, {"dockerImage", "msranni/nni:latest"}};
static const QString jobSh = u"/home/u/trialdeck/s/trials/e/t/job.sh"_s;
static const QString jobId = u"2b1a3a0c-6f0f-4b0e-9f5b-3f6f8d0c7a41"_s;
static const QString password = u"0123456789abcdef0123456789ABCDEF"_s;

static Result<QByteArray> document(const Json& options, std::optional<int> gpus, const QString& gpuType,
    const Json& ours = settings, const QString& script = jobSh)
{
    const Result<JobWish> wish = jobWish(ours, options, gpus, gpuType);
    return wish ? jobDocument(*wish, jobId, u"td-s-t"_s, script) : fail(wish);
}

static Json made(const Json& options, std::optional<int> gpus = 1, const QString& gpuType = u"P40"_s)
{
    const Result<QByteArray> bytes = document(options, gpus, gpuType);
    if (!bytes)
        qFatal("%s", qPrintable(bytes.error().message.text()));
    return Json::parse(bytes->toStdString());
}

/// Member by member what NNI 1.9 submits, in its order. Other are the command, which starts our keeper, the name, and `jobId`, which NNI
/// leaves to the server.
void TestDltsJob::theJobThatNniMakes()
{
    const Json nni = Json::parse(R"({
        "team": "platform", "userName": "u@x.com", "vcName": "platform", "gpuType": "P40", "jobType": "training",
        "jobtrainingtype": "RegularJob", "jobName": "td-s-t", "resourcegpu": 1, "image": "msranni/nni:latest",
        "cmd": "exec bash /home/u/trialdeck/s/trials/e/t/job.sh",
        "interactivePorts": [], "ssh": false, "ipython": false, "tensorboard": false,
        "workPath": "", "enableworkpath": true, "dataPath": "", "enabledatapath": false, "jobPath": "", "enablejobpath": true,
        "mountpoints": [], "env": [{"name": "TMPDIR", "value": "$HOME/tmp"}],
        "hostNetwork": false, "useGPUTopology": false, "isPrivileged": false, "hostIPC": false, "preemptionAllowed": "False"})");
    const Json ours = made(Json::object());
    for (const auto& [name, value] : nni.items()) {
        QVERIFY2(ours.contains(name), name.c_str());
        QCOMPARE(QByteArray::fromStdString(name + ours[name].dump()), QByteArray::fromStdString(name + value.dump()));
    }
    QCOMPARE(ours["jobId"].get<QString>(), jobId);
    QCOMPARE(ours.size(), nni.size() + 1);
}

void TestDltsJob::whatIsAskedFor()
{
    const Json job = made({{"preemptionAllowed", true}, {"workPath", "nni/exp"}, {"dataPath", "imagenet"}}, 4);
    QCOMPARE(job["resourcegpu"].get<int>(), 4);
    QCOMPARE(job["preemptionAllowed"].get<QString>(), u"True"_s);
    QCOMPARE(job["workPath"].get<QString>(), u"nni/exp"_s);
    QCOMPARE(job["dataPath"].get<QString>(), u"imagenet"_s);
    QVERIFY(job["enabledatapath"].get<bool>());
}

void TestDltsJob::anExperimentWins()
{
    const Json own = {{"dockerImage", "own:1"}, {"gpuType", "V100"}};
    QCOMPARE(made(own)["image"].get<QString>(), u"own:1"_s);
    QCOMPARE(made(own)["gpuType"].get<QString>(), u"V100"_s);
    Json ours = settings;
    ours["gpuType"] = "M40";
    const auto bytes = document(Json::object(), 1, u"P40"_s, ours);
    QVERIFY(bytes);
    QCOMPARE(Json::parse(bytes->toStdString())["gpuType"].get<QString>(), u"M40"_s);
}

void TestDltsJob::withoutGpus()
{
    const Json job = made(Json::object(), {}, {});
    QCOMPARE(job["resourcegpu"].get<int>(), 0);
    QCOMPARE(job["gpuType"].get<QString>(), QString());
}

void TestDltsJob::anIdIsATrials()
{
    const QString id = jobIdOf(u"s1"_s, TrialId(u"t1"_s));
    QCOMPARE(id, u"0cc20961-afe7-51ed-937d-449c19eddce2"_s);
    const QUuid uuid(id);
    QCOMPARE(uuid.version(), QUuid::Sha1);
    QCOMPARE(jobIdOf(u"s1"_s, TrialId(u"t1"_s)), id);
    QVERIFY(jobIdOf(u"s1"_s, TrialId(u"t2"_s)) != id);
    QVERIFY(jobIdOf(u"s2"_s, TrialId(u"t1"_s)) != id);
}

/// They stand in the job, which a service that was restarted reads them from.
void TestDltsJob::endpoints()
{
    const Json job = made({{"endpoints", " tensorboard,ssh  40002, 40001,ssh 40002"}});
    QVERIFY(job["ssh"].get<bool>() && job["tensorboard"].get<bool>() && !job["ipython"].get<bool>());
    QCOMPARE(job["interactivePorts"].dump(), std::string("[40001,40002]"));
    QList<Endpoint> wished = wishedEndpoints(job);
    const QList<Endpoint> ports{{u"port-40001"_s, 40'001}, {u"port-40002"_s, 40'002}};
    QCOMPARE(wished, (QList<Endpoint>{{u"ssh"_s, 0}, {u"tensorboard"_s, 0}} + ports));
    QCOMPARE(endpointsBody(wished),
        QByteArray(R"({"endpoints":["ssh","tensorboard",{"name":"port-40001","podPort":40001},)"
                   R"({"name":"port-40002","podPort":40002}]})"));
    QVERIFY(wishedEndpoints(Json::parse(R"({"ssh": "yes", "interactivePorts": [22, "40001", null, 50000, 1e99]})"))
                .isEmpty());
    QVERIFY(wishedEndpoints(Json::parse(R"([1])")).isEmpty());
    for (const char* text : {"telnet", "39999", "50000", "ssh;40001", "40001-40005", "-40001"}) {
        const Result<QByteArray> refused = document({{"endpoints", text}}, 1, u"P40"_s);
        QVERIFY2(!refused && refused.error().kind == Kind::invalid, text);
        QVERIFY(refused.error().message.text().startsWith(u"endpoints: "_s));
    }
    QVERIFY(readEndpoints({})->isEmpty());
}

void TestDltsJob::refused_data()
{
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("gpuType");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("name");
    QTest::newRow("no GPU model") << QByteArray("{}") << QString() << jobSh << u"gpuType"_s;
    for (const char* path : {"/abs", "\\\\abs", "a/../b", "a/\\\\.b"}) {
        const QByteArray text(path);
        QTest::addRow("work folder %s", path)
            << "{\"workPath\":\"" + text + "\"}" << u"P40"_s << jobSh << u"workPath"_s;
        QTest::addRow("data folder %s", path)
            << "{\"dataPath\":\"" + text + "\"}" << u"P40"_s << jobSh << u"dataPath"_s;
    }
    QTest::newRow("a variable") << QByteArray("{}") << u"P40"_s << u"/home/$(USER)/job.sh"_s
                                << u"containerStorageMountPoint"_s;
    QTest::newRow("two lines") << QByteArray("{}") << u"P40"_s << u"/home/a\nb/job.sh"_s
                               << u"containerStorageMountPoint"_s;
}

void TestDltsJob::refused()
{
    QFETCH(QByteArray, options);
    QFETCH(QString, gpuType);
    QFETCH(QString, script);
    QFETCH(QString, name);
    const auto bytes = document(Json::parse(options.toStdString()), 1, gpuType, settings, script);
    QVERIFY(!bytes);
    QCOMPARE(bytes.error().kind, Kind::invalid);
    QVERIFY2(bytes.error().message.text().startsWith(name), qPrintable(bytes.error().message.text()));
    Json bare = settings;
    bare.erase("dockerImage");
    const auto imageless = document(Json::object(), 0, {}, bare);
    QVERIFY(!imageless && imageless.error().message.text().startsWith(u"dockerImage"_s));
}

void TestDltsJob::settingsFromTheEnvironment()
{
    QProcessEnvironment environment;
    environment.insert(u"DLWS_VC_NAME"_s, u"team"_s);
    environment.insert(u"DLWS_USER_EMAIL"_s, u"me@x.com"_s);
    environment.insert(u"DLTS_JOB_TOKEN"_s, password);
    const Result<Json> all = wholeSettings(Json::object(), environment);
    QVERIFY(all);
    QCOMPARE((*all)["team"].get<QString>(), u"team"_s);
    QCOMPARE((*all)["email"].get<QString>(), u"me@x.com"_s);
    QCOMPARE((*all)["password"].get<QString>(), password);
    QCOMPARE((*all)["cluster"].get<QString>(), u".default"_s);
    // What stands in the settings counts.
    const QString other = u"fedcba9876543210fedcba9876543210"_s;
    const Result<Json> own =
        wholeSettings({{"team", " mine "}, {"email", "i@x.com"}, {"password", other}, {"cluster", "c2"}}, environment);
    QVERIFY(own);
    QCOMPARE((*own)["team"].get<QString>(), u"mine"_s);
    QCOMPARE((*own)["email"].get<QString>(), u"i@x.com"_s);
    QCOMPARE((*own)["password"].get<QString>(), other);
    QCOMPARE((*own)["cluster"].get<QString>(), u"c2"_s);
    const Result<Json> byFile = wholeSettings({{"passwordFile", "/a/file"}}, environment);
    QVERIFY(byFile && !byFile->contains("password"));
}

void TestDltsJob::settingsThatCannotBe_data()
{
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<QString>("name");
    QTest::newRow("no team") << QByteArray(R"({"email":"u@x.com","password":"%"})") << u"team: "_s;
    QTest::newRow("no email") << QByteArray(R"({"team":"t","password":"%"})") << u"email: "_s;
    QTest::newRow("no password") << QByteArray(R"({"team":"t","email":"u@x.com"})") << u"password: "_s;
    QTest::newRow("one's own password") << QByteArray(R"({"team":"t","email":"u@x.com","password":"hunter2!"})")
                                        << u"password: "_s;
    QTest::newRow("too long") << QByteArray(R"({"team":"t","email":"u@x.com","password":"%0"})") << u"password: "_s;
}

void TestDltsJob::settingsThatCannotBe()
{
    QFETCH(QByteArray, given);
    QFETCH(QString, name);
    given.replace('%', password.toUtf8());
    const Result<Json> all = wholeSettings(Json::parse(given.toStdString()), QProcessEnvironment());
    QVERIFY(!all);
    QCOMPARE(all.error().kind, Kind::invalid);
    QVERIFY2(all.error().message.text().startsWith(name), qPrintable(all.error().message.text()));
    QVERIFY(!all.error().message.text().contains(u"hunter2"_s) && !all.error().message.text().contains(password));
}

QTEST_GUILESS_MAIN(TestDltsJob)
#include "tst_dlts_job.moc"
