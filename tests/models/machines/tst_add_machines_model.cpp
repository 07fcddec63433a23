// SPDX-License-Identifier: GPL-3.0-or-later
// Machines on their way in, over a client that only records what it is asked.
#include "models/machines/add_machines_model.h"
#include "models/machines/nni_machines.h"
#include "tests/fakes/fake_engine_client.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;
using api::Change;
using models::AddMachinesModel;
using models::CheckMatrix;
using Verdict = AddMachinesModel::Verdict;

namespace {

CheckStep step(const QString& id, CheckState state, const QString& detail = {}, const QString& machine = {})
{
    return {id, id.toUpper(), state, detail, {}, MachineId(machine)};
}

OperationPtr request(const QString& id, OperationState state, const QList<CheckStep>& steps)
{
    Operation request;
    request.id = OperationId(id);
    request.kind = u"check"_s;
    request.state = state;
    request.steps = steps;
    return std::make_shared<const Operation>(request);
}

PlatformPtr remote(const QString& id, const Json& machines, const QString& kind = u"remote"_s)
{
    Platform platform;
    platform.id = PlatformId(id);
    platform.kind = kind;
    platform.settings = Json{{"machineList", machines}};
    platform.version = 3;
    return std::make_shared<const Platform>(platform);
}

} // namespace

class TestMachineIntake : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_client = std::make_unique<fakes::FakeEngineClient>();
        m_mirror = std::make_unique<models::EngineMirror>(*m_client);
        m_client->begin({.platforms = {remote(u"lab"_s, Json::array({{{"host", "lab0"}}}))}});
        m_revision = 1;
        m_intake = std::make_unique<AddMachinesModel>(*m_mirror);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            m_intake.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_cells = std::make_unique<QAbstractItemModelTester>(
            &m_intake->checks(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    void cleanup()
    {
        m_cells.reset();
        m_tester.reset();
        m_intake.reset();
        m_mirror.reset();
        m_client.reset();
    }

    void shortWords_data()
    {
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("detail");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("cell");
        const auto row = [](const char* name, const char* title, const char* detail, const char* word,
                             const char* cell) {
            QTest::newRow(name) << QString::fromUtf8(title) << QString::fromUtf8(detail) << QString::fromUtf8(word)
                                << QString::fromUtf8(cell);
        };
        row("login", "Log in", "0.4 s as sam, by publickey", "0.4 s", "0.4 s");
        row("host key", "Host key", "known, ssh-ed25519 SHA256:abc", "known", "known");
        row("python", "Python", "Python 3.11.2 (/usr/bin/python3)", "Python 3.11.2", "3.11.2");
        row("trial", "Test trial", "1.2 s; its metric came back\nhello: you", "1.2 s", "1.2 s");
        row("figure", "Free disk space", "412.3 GiB free", "412.3 GiB free", "412.3 GiB");
        row("rate", "Writing", "780 MiB/s", "780 MiB/s", "780 MiB/s");
        row("GPUs", "GPUs", "8 GPUs: NVIDIA H100, 550.54.15", "8 GPUs", "8 GPUs");
        row("folder", "Folder for trials", "/home/sam/.local", "/home/sam/.local", "good");
        row("sentence", "After the logout", "processes go on", "processes go on", "good");
        row("nothing", "Shell", "", "good", "good");
    }
    void shortWords()
    {
        QFETCH(QString, title);
        QFETCH(QString, detail);
        const CheckStep good{u"x"_s, title, CheckState::ok, detail, {}, {}};
        QTEST(models::shortWord(good), "word");
        QTEST(models::cellWord(good), "cell");
        // A failure shows its whole detail, however long.
        QCOMPARE(models::cellWord({u"x"_s, title, CheckState::warn, u"does not answer at all"_s, {}, {}}),
            u"does not answer at all"_s);
    }

    void hostsSayWhatTheSettingsSay()
    {
        m_intake->begin();
        const Json details = {{"lab1",
                                  {{"hostName", "10.4.0.14"}, {"port", 2222}, {"user", "sam"},
                                      {"identityFile", "/home/sam/.ssh/id_lab"}, {"proxyJump", "gate"}}},
            {"lab2", {{"hostName", "lab2"}, {"port", 22}, {"user", "sam"}}}, {"lab3", "nothing of use"}};
        m_client->answer(
            api::Reply{.document = Json{{"choices", {"lab0", "lab1", "lab2", "lab3"}}, {"details", details}}});
        QTRY_COMPARE(m_intake->rowCount(), 4);
        const auto detail = [this](
                                int row) { return m_intake->index(row).data(AddMachinesModel::DetailRole).toString(); };
        QCOMPARE(detail(0), u"in the platform lab"_s);
        QVERIFY(!(m_intake->index(0).flags() & Qt::ItemIsEnabled)); // already added
        QCOMPARE(detail(1), u"sam@10.4.0.14:2222, key id_lab, via gate"_s);
        QCOMPARE(detail(2), u"sam@lab2"_s);
        QCOMPARE(detail(3), QString());
    }

    void machinesOfAFileKeepTheirSettings()
    {
        const QTemporaryDir folder;
        const auto write = [&folder](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write(u"space.json"_s, R"({"x": {"_type": "choice", "_value": [1]}})"));
        const QByteArray head =
            "experimentName: a\nsearchSpaceFile: space.json\ntrialCommand: python3 t.py\n"
            "trialCodeDirectory: .\ntrialConcurrency: 1\ntuner:\n  name: Random\ntrainingService:\n";
        QVERIFY(write(u"exp.yml"_s,
            head
                + "  platform: remote\n  machineList:\n    - host: lab7\n      user: sam\n      port: 2222\n"
                  "      sshKeyFile: /keys/id_lab\n    - host: lab0\n      user: sam\n      password: x\n"));
        const auto machines = models::machinesOfNniFile(folder.filePath(u"exp.yml"_s), u"/home/me"_s);
        QVERIFY2(machines, machines ? "" : qPrintable(machines.error().message));
        begin({u"lab1"_s});
        QCOMPARE(m_intake->addEntries(*machines, u"exp.yml"_s), 2);
        QCOMPARE(m_intake->name(0), u"sam@lab7:2222"_s);
        QCOMPARE(m_intake->index(0).data(AddMachinesModel::DetailRole).toString(), u"key id_lab, from exp.yml"_s);
        QCOMPARE(m_intake->addEntries(*machines, u"exp.yml"_s), 0);
        QCOMPARE(m_intake->rowCount(), 3);
        // The check, and the platform, get its settings whole.
        const qsizetype before = m_client->commands.size();
        tick(0);
        QCOMPARE(m_client->commands.size(), before + 1);
        const Json entry = std::get<api::CheckPlatform>(m_client->commands.last()).settings["machineList"][0];
        QCOMPARE(entry["sshKeyFile"].get<QString>(), u"/keys/id_lab"_s);
        QCOMPARE(entry["port"].get<int>(), 2222);

        QVERIFY(write(u"local.yml"_s, head + "  platform: local\n"));
        const auto none = models::machinesOfNniFile(folder.filePath(u"local.yml"_s), u"/home/me"_s);
        QVERIFY(!none);
        QVERIFY2(none.error().message.contains(u"names no machines"_s), qPrintable(none.error().message));
        QVERIFY(!models::machinesOfNniFile(folder.filePath(u"absent.yml"_s), u"/home/me"_s));
    }

    void aConnectionThatWasNotMade_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("detail");
        QTest::addColumn<QString>("cell");
        QTest::newRow("refused") << u"login"_s
                                 << u"lab4 refused the connection at port 2222: no SSH server listens there."_s
                                 << u"refused"_s;
        QTest::newRow("by ssh") << u"login"_s << u"lab4 refused the connection of `ssh`: no SSH server."_s
                                << u"refused"_s;
        QTest::newRow("silence") << u"login"_s << u"lab4 did not answer at port 22 within 20 seconds."_s
                                 << u"no answer"_s;
        QTest::newRow("name") << u"login"_s << u"No computer is known by the name lab4."_s << u"no such name"_s;
        QTest::newRow("another step") << u"agent"_s << u"it refused the connection of a peer"_s
                                      << u"it refused the connection of a peer"_s;
    }
    void aConnectionThatWasNotMade()
    {
        QFETCH(QString, id);
        QFETCH(QString, detail);
        QTEST(models::cellWord({id, u"Log in"_s, CheckState::fail, detail, {}, {}}), "cell");
    }

    void commands_data()
    {
        QTest::addColumn<QString>("remedy");
        QTest::addColumn<QString>("command");
        QTest::newRow("command") << u"Run once on it: loginctl enable-linger"_s << u"loginctl enable-linger"_s;
        QTest::newRow("sentence") << u"One way: ask the administrator."_s << QString();
        QTest::newRow("test") << u"Let it print for people alone: [ -t 1 ] before an echo. Others do not."_s
                              << QString();
        QTest::newRow("lines") << u"Apply this:\nkind: Role\nrules: []\n"_s << u"kind: Role\nrules: []\n"_s;
        QTest::newRow("none") << u"Install gzip."_s << QString();
    }
    void commands()
    {
        QFETCH(QString, remedy);
        QTEST(models::commandOf(remedy), "command");
    }

    void hostsOfTheSettings()
    {
        begin({u"lab0"_s, u"lab1"_s, u"git.example.org"_s, u"-bad"_s});
        QCOMPARE(names(), (QStringList{u"lab0"_s, u"lab1"_s, u"git.example.org"_s}));
        QCOMPARE(m_intake->verdict(0), Verdict::there); // of the platform `lab` already
        QVERIFY(!m_intake->flags(m_intake->index(0)).testFlag(Qt::ItemIsEnabled));
        QCOMPARE(m_intake->index(2).data(AddMachinesModel::DetailRole).toString(), u"not a machine"_s);
        QCOMPARE(m_intake->counts(), AddMachinesModel::Counts());
        QCOMPARE(m_client->commands.size(), 1); // no machine is contacted before its box is ticked
    }

    void aTickIsACheck()
    {
        begin({u"lab1"_s, u"lab2"_s});
        tick(1);
        const auto& check = std::get<api::CheckPlatform>(m_client->commands.last());
        QVERIFY(check.unsaved && check.id.isEmpty());
        QCOMPARE(check.kind, u"remote"_s);
        QVERIFY((check.settings == Json{{"machineList", Json::array({{{"host", "lab2"}}})}}));
        QCOMPARE(m_intake->verdict(1), Verdict::checking);
        m_client->answer(accepted(u"r1"_s));
        tell(u"r1"_s, OperationState::running,
            {step(u"gpu"_s, CheckState::ok, u"none"_s, u"lab2"_s),
                step(u"login"_s, CheckState::ok, u"0.1 s as me"_s, u"lab2"_s)});
        const CheckMatrix& checks = m_intake->checks();
        QCOMPARE(checks.columnCount(), 1);
        QCOMPARE(checks.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), u"lab2"_s);
        QCOMPARE(rows(), (QStringList{u"LOGIN"_s, u"GPU"_s})); // as one would look, not as they came
        QCOMPARE(checks.index(0, 0).data().toString(), u"0.1 s"_s);
        tell(u"r1"_s, OperationState::succeeded,
            {step(u"login"_s, CheckState::ok, {}, u"lab2"_s), step(u"gpu"_s, CheckState::warn, u"slow"_s, u"lab2"_s)});
        QCOMPARE(m_intake->verdict(1), Verdict::warned);
        QCOMPARE(checks.index(1, 0).data(CheckMatrix::StateRole).toString(), u"warn"_s);
        QCOMPARE(m_intake->counts(), (AddMachinesModel::Counts{1, 1, 0}));
        // Ticked off and on again it is not checked anew; asked to, it is.
        const qsizetype asked = m_client->commands.size();
        m_intake->setChosen(1, false);
        QCOMPARE(checks.columnCount(), 0);
        tick(1);
        QCOMPARE(m_client->commands.size(), asked);
        m_intake->checkAgain(1);
        QCOMPARE(m_client->commands.size(), asked + 1);
        QCOMPARE(m_intake->verdict(1), Verdict::checking);
    }

    void addressesByHand()
    {
        begin({u"lab1"_s});
        QVERIFY(m_intake->addByHand(u"anna@lab7:2222\n  lab8, lab1"_s));
        QCOMPARE(names(), (QStringList{u"lab8"_s, u"anna@lab7:2222"_s, u"lab1"_s}));
        QCOMPARE(m_intake->counts().chosen, 3);
        QCOMPARE(m_client->commands.size(), 4);
        const Result<> wrong = m_intake->addByHand(u"lab9\n-x"_s);
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().message.contains(u"`-x`"), qPrintable(wrong.error().message));
        QCOMPARE(m_intake->rowCount(), 3);       // nothing of a text with a mistake
        QVERIFY(m_intake->addByHand(u"lab8"_s)); // there already
        QCOMPARE(m_intake->rowCount(), 3);
    }

    void aQuestionHoldsItsMachineUp()
    {
        begin({u"lab1"_s, u"lab2"_s});
        check(0, u"r1"_s);
        check(1, u"r2"_s);
        tell(u"r1"_s, OperationState::running, {step(u"agent"_s, CheckState::running, u"logging in"_s, u"lab1"_s)});
        tell(u"r2"_s, OperationState::running, {step(u"agent"_s, CheckState::running, u"logging in"_s, u"lab2"_s)});
        Prompt prompt;
        prompt.id = PromptId(u"p1"_s);
        prompt.kind = u"hostKey"_s;
        prompt.subject = u"lab2"_s;
        Prompt other = prompt;
        other.id = PromptId(u"p2"_s);
        other.subject = u"lab.lab0"_s; // of a platform: not ours
        publish({.prompts = {std::make_shared<const Prompt>(prompt), std::make_shared<const Prompt>(other)}});
        QCOMPARE(m_intake->verdict(0), Verdict::checking);
        QCOMPARE(m_intake->verdict(1), Verdict::question);
        QCOMPARE(m_intake->prompts().size(), 1);
        QCOMPARE(m_intake->prompts().first().first, 1);
        const CheckMatrix& checks = m_intake->checks();
        QCOMPARE(checks.find(u"lab2"_s, u"hostKey"_s).data().toString(), u"new"_s);
        QCOMPARE(checks.find(u"lab2"_s, u"login"_s).data(CheckMatrix::StateRole).toString(), u"waiting"_s);
        QVERIFY(!checks.find(u"lab1"_s, u"hostKey"_s).isValid());
        // Who goes away leaves no question behind.
        m_intake->end();
        const auto& answer = std::get<api::AnswerPrompt>(m_client->commands.last());
        QCOMPARE(answer.id, PromptId(u"p1"_s));
        QVERIFY(answer.answer.cancel);
        QCOMPARE(checks.columnCount(), 0);
    }

    void whatFailedIsAddedOnlyWhenAsked()
    {
        begin({u"lab1"_s, u"lab2"_s});
        check(0, u"r1"_s);
        check(1, u"r2"_s);
        tell(u"r1"_s, OperationState::succeeded, {step(u"login"_s, CheckState::ok)});
        tell(u"r2"_s, OperationState::failed, {step(u"login"_s, CheckState::fail, u"Nobody answers."_s)});
        QCOMPARE(m_intake->verdict(1), Verdict::failed);
        QCOMPARE(m_intake->counts(), (AddMachinesModel::Counts{2, 1, 0}));
        QVERIFY(m_intake->willBeAdded(0) && !m_intake->willBeAdded(1));
        QCOMPARE(m_intake->whyNoneReady(), QString());
        QCOMPARE(m_intake->index(1).data(AddMachinesModel::DetailRole).toString(), u"failed: LOGIN"_s);
        Result<int> added = 0;
        m_intake->add(u"lab"_s, [&](const Result<int>& number) { added = number; });
        const auto put = std::get<api::PutPlatform>(m_client->commands.last());
        QVERIFY((put.settings["machineList"] == Json::array({{{"host", "lab0"}}, {{"host", "lab1"}}})));
        QCOMPARE(put.ifMatch, std::optional<qint64>(3));
        m_client->answer(api::Reply{});
        QTRY_COMPARE(added.value_or(-1), 1);
        m_intake->setAnyway(1, true);
        QCOMPARE(m_intake->counts().ready, 2);
        QVERIFY(m_intake->willBeAdded(1));
        // A new platform; it has nothing that could have changed meanwhile.
        m_intake->add(m_intake->freeName(), [](const auto&) {});
        const auto fresh = std::get<api::PutPlatform>(m_client->commands.last());
        QCOMPARE(fresh.id, PlatformId(u"remote"_s));
        QCOMPARE(fresh.ifMatch, std::optional<qint64>(0));
        QCOMPARE(fresh.settings["machineList"].size(), size_t(2));
    }

    void refusals()
    {
        begin({u"lab1"_s});
        publish({.platforms = {remote(u"remote"_s, Json::array()), remote(u"k8s"_s, Json::array(), u"kubernetes"_s)}});
        QCOMPARE(m_intake->freeName(), u"remote-2"_s);
        QCOMPARE(m_intake->platforms(), (QStringList{u"lab"_s, u"remote"_s}));
        QString said;
        const auto tellIt = [&said](const Result<int>& number) {
            said = number ? QString() : number.error().message.text();
        };
        m_intake->add(u"lab"_s, tellIt);
        QVERIFY2(said.startsWith(u"No machine is ready"_s), qPrintable(said));
        m_intake->add(u"k8s"_s, tellIt);
        QVERIFY2(said.contains(u"kubernetes"_s), qPrintable(said));
        tick(0);
        m_client->answer(fail(Kind::invalid, u"It cannot be."_s));
        QTRY_COMPARE(m_intake->verdict(0), Verdict::failed);
        QCOMPARE(m_intake->refusal(0), u"It cannot be."_s);
        QVERIFY2(m_intake->whyNoneReady().contains(u"found"_s), qPrintable(m_intake->whyNoneReady()));
    }

    void addedElsewhereMeanwhile()
    {
        begin({u"lab1"_s});
        check(0, u"r1"_s);
        publish({.platforms = {remote(
                     u"lab"_s, Json::array({{{"host", "lab1"}, {"port", 22}, {"user", "x"}}, {{"host", "lab1"}}}))}});
        QCOMPARE(m_intake->verdict(0), Verdict::there);
        QCOMPARE(m_intake->checks().columnCount(), 0);
    }

private:
    static api::Reply accepted(const QString& request)
    {
        return api::Reply{.document = Json{{"requestId", request}}, .accepted = true};
    }
    void begin(const QStringList& hosts)
    {
        m_intake->begin();
        QVERIFY(m_intake->isReading());
        const auto& ask = std::get<api::PlatformChoices>(m_client->commands.last());
        QCOMPARE(ask.field, u"machineList.host"_s);
        Json choices = Json::array();
        for (const QString& host : hosts)
            choices.push_back(host);
        m_client->answer(api::Reply{.document = Json{{"choices", choices}}});
        QTRY_VERIFY(!m_intake->isReading());
    }
    void tick(int row) { QVERIFY(m_intake->setData(m_intake->index(row), int(Qt::Checked), Qt::CheckStateRole)); }
    void check(int row, const QString& request)
    {
        tick(row);
        m_client->answer(accepted(request));
        QTRY_VERIFY(m_mirror->pendingCommands() == 0);
    }
    void tell(const QString& id, OperationState state, const QList<CheckStep>& steps)
    {
        publish({.requests = {request(id, state, steps)}});
    }
    void publish(Change change)
    {
        m_client->publish(std::move(change));
        const qint64 wanted = ++m_revision;
        QTRY_COMPARE(m_mirror->state().revision(), wanted);
    }
    QStringList names() const
    {
        QStringList names;
        for (int row = 0; row < m_intake->rowCount(); ++row)
            names += m_intake->index(row).data().toString();
        return names;
    }
    QStringList rows() const
    {
        QStringList titles;
        for (int row = 0; row < m_intake->checks().rowCount(); ++row)
            titles += m_intake->checks().headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        return titles;
    }

    qint64 m_revision = 0;
    std::unique_ptr<fakes::FakeEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    std::unique_ptr<AddMachinesModel> m_intake;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::unique_ptr<QAbstractItemModelTester> m_cells;
};

QTEST_GUILESS_MAIN(TestMachineIntake)
#include "tst_add_machines_model.moc"
