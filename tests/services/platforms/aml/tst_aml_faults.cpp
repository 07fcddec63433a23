// SPDX-License-Identifier: GPL-3.0-or-later
// What Azure and the network between do to a platform of kind aml.
#include "aml_subject.h"

#include "tests/services/platforms/stand_in_fixture.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestAmlFaults : public QObject, StandInFixture<AmlSubject>
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup();
    void submissionWithoutAnAnswer_data();
    void submissionWithoutAnAnswer();
    void refusedForGood();
    void laterForNow_data();
    void laterForNow();
    void wrongCredentials_data();
    void wrongCredentials();
    void loginWays_data();
    void loginWays();
    void loginWithACode();
    void oneTokenForManyRequests();
    void limitOfRequests();
    void codeIsUploadedOnce();
    void uploadThatBreaks_data();
    void uploadThatBreaks();
    void workspacesOfOld_data();
    void workspacesOfOld();
    void signatureOfALogEnds();
    void regionIsGoneForAWhile();
    void azureIsGoneForAWhile();
    void answersThatAreNone_data();
    void answersThatAreNone();
    void manyJobs();
    void logsOfOlderRegions();
    void manyAreAdopted();
    void cancels();
    void cancelledBySomebodyElse();
    void outOfTime();
    void theStudioShowsTheResult();
    void failsBeforeItRuns();
    void notRespondingAndBack();
    void takenBackToTheQueue();
    void jobOfSomebodyElse();
    void computeIsDeleted();
    void cleanUp();
    void invalidSettings_data();
    void invalidSettings();
    void checks();
    void choicesOfTheForm();
    void computesAreMachines();

private:
    [[nodiscard]] TrialSpec withCode(const TrialId& trial);
};

static const std::string jobsPath = "/jobs/td-s1-[^/]*$";

void TestAmlFaults::cleanup()
{
    const QString text = said();
    const QString secret = m_subject->server.value(u"secret"_s);
    end();
    QVERIFY(!secret.isEmpty() && !text.contains(secret));
    static const QRegularExpression signature(u"sig=(?!…)"_s);
    QVERIFY2(!text.contains(signature), qPrintable(text.mid(text.indexOf(signature), 100)));
    QVERIFY(!text.contains(u"eyJhbGciOi"_s)); // with which each token begins
}

void TestAmlFaults::submissionWithoutAnAnswer_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<bool>("done");
    QTest::newRow("cut after it was done") << Json{{"kind", "drop"}} << true;
    QTest::newRow("cut before it was done") << Json{{"kind", "refuse"}} << false;
    QTest::newRow("500, and done") << Json{{"kind", "status"}, {"status", 500}, {"accepted", true}} << true;
    QTest::newRow("a gateway's page, and done") << Json{{"kind", "html"}, {"status", 502}, {"accepted", true}} << true;
    QTest::newRow("answer cut") << Json{{"kind", "truncate"}} << true;
}

/// Found by its name, or never started; never twice.
void TestAmlFaults::submissionWithoutAnAnswer()
{
    QFETCH(Json, how);
    QFETCH(bool, done);
    open();
    how.update({{"method", "PUT"}, {"path", jobsPath}, {"times", 1}});
    fault(how);
    const SubmitOutcome outcome = submit(t1, Job::quick);
    QVERIFY(!outcome.later);
    QCOMPARE(outcome.unknown, !done);
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    if (done)
        QCOMPARE(facts(t1).status(), TrialStatus::succeeded);
    else
        QCOMPARE(facts(t1).observations.last().failureClass, FailureClass::neverStarted);
    const QString page =
        u"https://ml.azure.com/runs/td-s1-t1?wsid=/subscriptions/%1/"_s.arg(m_subject->server.value(u"subscription"_s));
    QVERIFY2(facts(t1).observations.last().url.startsWith(page), qPrintable(facts(t1).observations.last().url));
    QCOMPARE(m_subject->starts(t1), done ? 1 : 0);
    QCOMPARE(jobsThere(), done ? 1 : 0);
}

void TestAmlFaults::refusedForGood()
{
    open();
    TrialSpec spec = m_subject->spec(t1, Job::quick);
    spec.platformOptions = {{"computeTarget", "nowhere"}};
    const SubmitOutcome outcome = submit(spec);
    QVERIFY(outcome.error && !outcome.unknown && !outcome.later);
    QVERIFY2(outcome.error->message.text().contains(u"nowhere"_s), qPrintable(outcome.error->message.text()));
    QCOMPARE(jobsThere(), 0);
}

void TestAmlFaults::laterForNow_data()
{
    QTest::addColumn<Json>("how");
    QTest::addColumn<qint64>("afterMs");
    QTest::newRow("429 in seconds") << Json{{"kind", "status"}, {"status", 429}, {"retryAfter", 3}} << qint64(3'000);
    QTest::newRow("429 as a date") << Json{{"kind", "status"}, {"status", 429}, {"retryAfter", 4}, {"date", true}}
                                   << qint64(3'000);
    QTest::newRow("503") << Json{{"kind", "status"}, {"status", 503}} << qint64(0);
    QTest::newRow("no permission") << Json{{"kind", "status"}, {"status", 403}} << qint64(-1);
}

void TestAmlFaults::laterForNow()
{
    QFETCH(Json, how);
    QFETCH(qint64, afterMs);
    open();
    how.update({{"method", "PUT"}, {"path", jobsPath}, {"times", 1}});
    fault(how);
    const SubmitOutcome refused = submit(t1, Job::quick);
    QVERIFY(refused.later && !refused.error && !refused.unknown);
    QVERIFY(refused.later->retryAfterMs.value_or(-1) >= afterMs);
    QCOMPARE(jobsThere(), 0);
    QVERIFY(!submit(t1, Job::quick).later);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestAmlFaults::wrongCredentials_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("words");
    QTest::newRow("secret") << Json{{"clientSecret", "wrong-one"}} << u"secret"_s;
    QTest::newRow("application") << Json{{"clientId", "nobody"}} << u"Entra ID"_s;
}

void TestAmlFaults::wrongCredentials()
{
    QFETCH(Json, settings);
    QFETCH(QString, words);
    const Result<> opened = tryOpen(settings);
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, Kind::auth);
    QVERIFY2(opened.error().message.text().contains(words), qPrintable(opened.error().message.text()));
}

void TestAmlFaults::loginWays_data()
{
    QTest::addColumn<QString>("way");
    QTest::newRow("the program az") << u"azcli"_s;
    QTest::newRow("an identity of the machine") << u"managedidentity"_s;
    QTest::newRow("variables of the service") << u"environment"_s;
}

void TestAmlFaults::loginWays()
{
    QFETCH(QString, way);
    const fakes::StandIn& server = m_subject->server;
    const QByteArray path = qgetenv("PATH");
    const std::map<QByteArray, QString> variables{
        {"PATH", QFileInfo(server.value(u"az"_s)).path() + u':' + QString::fromLocal8Bit(path)},
        {"IDENTITY_ENDPOINT", server.url() + u"/msi/token"_s}, {"IDENTITY_HEADER", server.value(u"identity"_s)},
        {"AZURE_TENANT_ID", server.value(u"tenant"_s)}, {"AZURE_CLIENT_ID", server.value(u"client"_s)},
        {"AZURE_CLIENT_SECRET", server.value(u"secret"_s)}, {"AZURE_AUTHORITY_HOST", server.url()}};
    for (const auto& [name, value] : variables)
        qputenv(name, value.toLocal8Bit());
    const auto restore = qScopeGuard([&] {
        for (const auto& [name, value] : variables)
            qunsetenv(name);
        qputenv("PATH", path);
    });
    open({{"auth", way.toStdString()}, {"clientId", ""}, {"clientSecret", ""}});
    QVERIFY(!submit(t1, Job::quick).error);
    control(u"tokens"_s, {{"revoke", true}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

namespace {

/// A person who enters the code that is asked for.
class PersonSink : public RecordingSink
{
public:
    void prompt(const Prompt& prompt, std::function<void(PromptAnswer)>) override { prompts.append(prompt); }
    void withdraw(const PromptId&) override { ++withdrawn; }
    void secret(const QString& field, const QString& value) override { kept[field] = value; }

    QList<Prompt> prompts;
    int withdrawn = 0;
    std::map<QString, QString> kept;
};

} // namespace

/// Once for all lives of the service.
void TestAmlFaults::loginWithACode()
{
    control(u"settings"_s, {{"device", {{"interval", 1}, {"pending", 1}}}});
    auto person = std::make_unique<PersonSink>();
    PersonSink* const sink = person.get();
    m_sink = std::move(person);
    const Json settings{{"auth", "devicecode"}, {"clientId", ""}, {"clientSecret", ""}};
    open(settings);
    QCOMPARE(sink->prompts.size(), 1);
    QCOMPARE(sink->prompts.first().kind, u"deviceCode"_s);
    QVERIFY(!sink->prompts.first().code.isEmpty());
    QCOMPARE(sink->withdrawn, 1);
    const QString first = sink->kept[u"refreshToken"_s];
    QVERIFY(!first.isEmpty());
    control(u"tokens"_s, {{"revoke", true}});
    QVERIFY(!submit(t1, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    const QString second = sink->kept[u"refreshToken"_s];
    QVERIFY2(second != first, "each refresh gives another one");
    QCoro::waitFor(m_platform->close());
    Json later = settings;
    later["refreshToken"] = second.toStdString();
    open(later);
    QCOMPARE(sink->prompts.size(), 1);
    QVERIFY(sink->kept[u"refreshToken"_s] != second);
    QVERIFY(!said().contains(first) && !said().contains(second));
}

/// A token that is not good any more: 50 requests under way share the new one.
void TestAmlFaults::oneTokenForManyRequests()
{
    open();
    QVERIFY(!submit(t1, Job::quick).error); // code and environment are there
    QCOMPARE(requests(u"path=oauth2/v2.0/token"_s), 1);
    control(u"tokens"_s, {{"revoke", true}});
    QList<TrialSpec> specs;
    for (int i = 0; i < 50; ++i)
        specs.append(m_subject->spec(TrialId(u"m%1"_s.arg(i)), Job::quick));
    const QList<SubmitOutcome> outcomes = QCoro::waitFor(m_platform->submit(specs));
    for (const SubmitOutcome& outcome : outcomes)
        QVERIFY2(!outcome.error && !outcome.later && !outcome.unknown,
            outcome.error ? qPrintable(outcome.error->message.text()) : "later");
    QCOMPARE(requests(u"path=oauth2/v2.0/token"_s), 2);
    for (const TrialSpec& spec : specs)
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::succeeded, 120'000);
    QCOMPARE(jobsThere(), 51);
}

/// Azure's own: so many reads in a while, then 429 until it is over.
void TestAmlFaults::limitOfRequests()
{
    open();
    start(t1);
    control(u"settings"_s, {{"limits", {{"reads", 4}, {"seconds", 5}}}});
    QTest::qWait(6'000);
    const auto refused = [this] {
        const Json answer = m_subject->server.get(u"requests?path=/jobs$"_s);
        int count = 0;
        for (const Json& one : answer["requests"])
            count += one["status"] == 429 ? 1 : 0;
        return count;
    };
    QVERIFY2(refused() <= 3, "it waits as long as Azure says");
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
}

TrialSpec TestAmlFaults::withCode(const TrialId& trial)
{
    const QString folder = m_subject->path(u"code"_s);
    QDir().mkpath(folder);
    writeFile(folder + u"/data.txt"_s, QByteArray(200'000, 'x') + QByteArray::number(int(folder.size())));
    TrialSpec spec = m_subject->command(trial, u"test -s data.txt"_s);
    spec.platformOptions = Json::object();
    spec.code.kind = CodeSource::Kind::snapshot;
    spec.code.sha = u"aabbcc"_s;
    spec.code.folder = folder;
    return spec;
}

void TestAmlFaults::codeIsUploadedOnce()
{
    open();
    QList<TrialSpec> specs;
    for (int i = 0; i < 10; ++i)
        specs.append(withCode(TrialId(u"c%1"_s.arg(i))));
    const QList<SubmitOutcome> outcomes = QCoro::waitFor(m_platform->submit(specs));
    for (const SubmitOutcome& outcome : outcomes)
        QVERIFY2(!outcome.error && !outcome.later, outcome.error ? qPrintable(outcome.error->message.text()) : "later");
    for (const TrialSpec& spec : specs)
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::succeeded, 60'000);
    QCOMPARE(requests(u"path=startPendingUpload"_s), 1);
    QCOMPARE(requests(u"method=PUT&path=/codes/"_s), 1);
    QCOMPARE(requests(u"method=PUT&path=/environments/"_s), 1);
    // Another life of the service finds both.
    QCoro::waitFor(m_platform->close());
    open();
    QVERIFY(!submit(withCode(TrialId(u"c99"_s))).error);
    QCOMPARE(requests(u"path=startPendingUpload"_s), 1);
}

void TestAmlFaults::uploadThatBreaks_data()
{
    QTest::addColumn<Json>("how");
    QTest::newRow("a block is cut") << Json{{"kind", "refuse"}, {"times", 2}};
    QTest::newRow("the storage is busy") << Json{{"kind", "status"}, {"status", 503}, {"times", 2}};
    QTest::newRow("the signature is too old") << Json{{"kind", "status"}, {"status", 403}, {"times", 1}};
}

void TestAmlFaults::uploadThatBreaks()
{
    QFETCH(Json, how);
    open();
    how.update({{"method", "PUT"}, {"query", "comp=block&"}});
    fault(how);
    const SubmitOutcome outcome = submit(withCode(t1));
    QVERIFY2(!outcome.error && !outcome.later, outcome.error ? qPrintable(outcome.error->message.text()) : "later");
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestAmlFaults::workspacesOfOld_data()
{
    QTest::addColumn<QString>("secrets");
    QTest::newRow("the account's key") << u"AccountKey"_s;
    QTest::newRow("a signature") << u"Sas"_s;
}

/// Which give no place for code: it goes to their datastore.
void TestAmlFaults::workspacesOfOld()
{
    QFETCH(QString, secrets);
    control(u"settings"_s, {{"pendingUpload", "refused"}, {"secrets", secrets.toStdString()}});
    open();
    const SubmitOutcome outcome = submit(withCode(t1));
    QVERIFY2(!outcome.error && !outcome.later, outcome.error ? qPrintable(outcome.error->message.text()) : "later");
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(requests(u"path=listSecrets"_s), 1);
    QVERIFY(requests(u"method=PUT&path=/LocalUpload/trialdeck-code-"_s) > 0);
    // Another life finds the code there.
    QCoro::waitFor(m_platform->close());
    open();
    QVERIFY(!submit(withCode(t2)).error);
    QCOMPARE(requests(u"path=listSecrets"_s), 1);
}

/// Addresses of logs are asked for anew, and what was read is not read again.
void TestAmlFaults::signatureOfALogEnds()
{
    open();
    start(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    control(u"blobs"_s, {{"expire", true}});
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
}

void TestAmlFaults::regionIsGoneForAWhile()
{
    open();
    start(t1);
    fault({{"kind", "status"}, {"status", 500}, {"path", "/history/"}});
    m_subject->release(t1);
    QTest::qWait(3'000); // the log may be read by the address that is known
    clearFaults();
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
}

/// Resource Manager, the region and Blob storage answer 503: the platform becomes SILENT, no trial's end is reported before they answer again,
/// and a submission is put off.
void TestAmlFaults::azureIsGoneForAWhile()
{
    open();
    start(t1);
    start(t2);
    fault({{"kind", "status"}, {"status", 503}});
    QTRY_VERIFY_WITH_TIMEOUT(m_sink->states.contains(PlatformState::silent), 90'000);
    m_subject->release(t1);
    QVERIFY(submit(TrialId(u"t3"_s), Job::quick).later);
    for (const TrialId& trial : {t1, t2})
        QVERIFY(!facts(trial).ended());
    clearFaults();
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->states.last(), PlatformState::ready, 90'000);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::running, patience);
    m_subject->release(t2);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1) + m_subject->starts(t2), 2);
}

void TestAmlFaults::answersThatAreNone_data()
{
    QTest::addColumn<Json>("how");
    QTest::newRow("cut") << Json{{"kind", "truncate"}};
    QTest::newRow("half, as if whole") << Json{{"kind", "short"}};
    QTest::newRow("a page") << Json{{"kind", "html"}, {"status", 200}};
    QTest::newRow("only a head") << Json{{"kind", "closeAfterHeaders"}};
    QTest::newRow("compressed") << Json{{"kind", "gzip"}};
    QTest::newRow("no job known") << Json{{"kind", "status"}, {"status", 404}};
}

/// Whatever the lists say: a job that runs is not lost by it.
void TestAmlFaults::answersThatAreNone()
{
    QFETCH(Json, how);
    open();
    start(t1);
    how.update({{"method", "GET"}, {"path", "/jobs$"}, {"times", 3}});
    const int before = requests(u"method=GET&path=/jobs$"_s);
    fault(how);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"method=GET&path=/jobs$"_s) >= before + 4, 60'000);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).count(TrialStatus::running) + facts(t1).count(TrialStatus::unknown) + 1,
        int(facts(t1).observations.size()));
}

/// A thousand that have ended, in pages: where nothing is missing, the first is enough.
void TestAmlFaults::manyJobs()
{
    control(u"fill"_s, {{"name", "td-s1-old"}, {"count", 1'000}, {"tags", {{"trialdeck-s1", "old-{number}"}}}});
    open();
    QList<TrialRef> refs;
    for (int i = 1; i <= 20; ++i)
        refs.append(
            TrialRef{.trial = TrialId(u"old-%1"_s.arg(i)), .experiment = ExperimentId(u"e1"_s), .handle = u"x"_s});
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    for (int i = 1; i <= 20; ++i)
        QTRY_COMPARE_WITH_TIMEOUT(facts(TrialId(u"old-%1"_s.arg(i))).status(), TrialStatus::succeeded, 60'000);
    start(t1);
    const int before = requests(u"method=GET&path=/jobs$"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"method=GET&path=/jobs$"_s) >= before + 2, patience);
    QElapsedTimer time;
    time.start();
    const int lists = requests(u"method=GET&path=/jobs$"_s);
    QTest::qWait(3'000);
    const int later = requests(u"method=GET&path=/jobs$"_s) - lists;
    QVERIFY2(later <= 2 + 2 * time.elapsed() / 1'000, "one page a turn, two at a time of change");
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

void TestAmlFaults::logsOfOlderRegions()
{
    control(u"settings"_s,
        {{"logs", "old"}, {"pastEnd", 206}, {"pendingUpload", "same"}, {"cancelReply", 200}, {"idCase", "lower"}});
    open();
    start(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\n"), patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
    start(t2);
    QVERIFY(cancel(t2));
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::user_canceled, patience);
}

void TestAmlFaults::manyAreAdopted()
{
    open();
    QList<TrialSpec> specs;
    QList<TrialRef> refs;
    for (int i = 0; i < 20; ++i) {
        specs.append(m_subject->spec(TrialId(u"a%1"_s.arg(i)), Job::waits));
        refs.append(TrialRef{.trial = specs.last().id,
            .experiment = ExperimentId(u"e1"_s),
            .handle = AmlSubject::job(specs.last().id),
            .stdoutWatch = StdoutWatch::all});
    }
    const QList<SubmitOutcome> outcomes = QCoro::waitFor(m_platform->submit(specs));
    QCOMPARE(outcomes.size(), 20);
    for (const TrialSpec& spec : specs)
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::running, 60'000);
    QCoro::waitFor(m_platform->close());
    m_sink->closed = true;
    const auto before = std::exchange(m_sink, std::make_unique<RecordingSink>());
    open();
    QVERIFY(QCoro::waitFor(m_platform->adopt(refs)));
    for (const TrialSpec& spec : specs)
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::running, 60'000);
    for (const TrialSpec& spec : specs)
        m_subject->release(spec.id);
    for (const TrialSpec& spec : specs) {
        QTRY_COMPARE_WITH_TIMEOUT(facts(spec.id).status(), TrialStatus::succeeded, 60'000);
        QCOMPARE(facts(spec.id).stream(Stream::stdout_lines), QByteArray("begin\nend\n"));
        QCOMPARE(m_subject->starts(spec.id), 1);
    }
    QCOMPARE(jobsThere(), 20);
}

void TestAmlFaults::cancels()
{
    open();
    const TrialId waiting{u"held"_s};
    act(u"hold"_s, waiting);
    QVERIFY(!submit(waiting, Job::quick).error);
    start(t1);
    QVERIFY(!submit(t2, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
    QVERIFY(cancel(waiting));
    QVERIFY(cancel(t1, CancelIntent::early));
    QVERIFY(cancel(t2)); // it stays what it was
    QTRY_COMPARE_WITH_TIMEOUT(facts(waiting).status(), TrialStatus::user_canceled, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::early_stopped, patience);
    QVERIFY(!m_subject->lives(t1));
    QCOMPARE(m_subject->starts(waiting), 0);
    QCOMPARE(facts(t2).observations.last().status, TrialStatus::succeeded);
    QVERIFY(cancel(TrialId(u"none"_s))); // that Azure never heard of
}

void TestAmlFaults::cancelledBySomebodyElse()
{
    open();
    start(t1);
    act(u"cancel"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::sys_canceled, patience);
    QVERIFY(facts(t1).observations.last().reason.text().contains(u"cancelled in Azure"_s));
}

/// Azure calls it cancelled, and says no more.
void TestAmlFaults::outOfTime()
{
    open();
    TrialSpec limited = m_subject->spec(t1, Job::waits);
    limited.platformOptions = {{"timeLimit", 2}};
    QVERIFY(!submit(limited).error);
    TrialSpec longer = m_subject->spec(t2, Job::waits);
    longer.platformOptions = {{"timeLimit", 3'600}};
    QVERIFY(!submit(longer).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::running, patience);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::sys_canceled, patience);
    QCOMPARE(facts(t1).observations.last().reason.text(), u"it reached the time limit of its job"_s);
    TrialSpec ours = m_subject->spec(TrialId(u"ours"_s), Job::waits);
    ours.platformOptions = longer.platformOptions;
    QVERIFY(!submit(ours).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(ours.id).status(), TrialStatus::running, patience);
    QVERIFY(cancel(ours.id));
    QTRY_COMPARE_WITH_TIMEOUT(facts(ours.id).status(), TrialStatus::user_canceled, patience);
    act(u"cancel"_s, t2);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::sys_canceled, patience);
    QVERIFY(facts(t2).observations.last().reason.text().contains(u"cancelled in Azure"_s));
}

void TestAmlFaults::theStudioShowsTheResult()
{
    open();
    QVERIFY(!submit(t1, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    const auto show = [this](const TrialId& trial, const QString& metric, double value) {
        TrialResult result;
        result.trial.trial = trial;
        result.metric = metric;
        result.value = value;
        result.step = 3;
        result.time = 1'700'000'000'000;
        m_platform->showResult(result);
    };
    const auto metrics = [this] { return dumpJson(m_subject->server.get(u"jobs"_s).at(0).at("metrics")); };
    fault({{"kind", "status"}, {"status", 503}, {"path", "runs/log-metric"}, {"times", 1}});
    show(t1, u"val acc"_s, 0.875);
    const QByteArray shown = R"({"val acc":[[0.875,1700000000000,3]]})";
    QTRY_COMPARE_WITH_TIMEOUT(metrics(), shown, patience);
    QCOMPARE(m_sink->notes, QStringList());
    show(TrialId(u"gone"_s), u"val acc"_s, 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_sink->notes.size(), 1, patience);
    QVERIFY2(m_sink->notes.first().contains(u"does not show its final value: Azure: Run"_s),
        qPrintable(m_sink->notes.first()));
    QCOMPARE(metrics(), shown);
}

void TestAmlFaults::failsBeforeItRuns()
{
    open();
    act(u"hold"_s, t1);
    QVERIFY(!submit(t1, Job::quick).error);
    act(u"fail"_s, t1, {{"code", "ImageBuildFailure"}, {"message", "No such image: an/image:1"}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::failed, patience);
    QVERIFY(facts(t1).observations.last().reason.text().contains(u"No such image"_s));
    QCOMPARE(m_subject->starts(t1), 0);
}

void TestAmlFaults::notRespondingAndBack()
{
    open();
    start(t1);
    act(u"show"_s, t1, {{"status", "NotResponding"}});
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::unknown, patience);
    QVERIFY(facts(t1).observations.last().reason.text().contains(u"lost contact"_s));
    act(u"show"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::running, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(m_subject->starts(t1), 1);
}

/// Its node of low priority is taken away: another attempt, whose metrics begin anew.
void TestAmlFaults::takenBackToTheQueue()
{
    open();
    start(t1);
    m_sink->contiguous = false;
    act(u"preempt"_s, t1);
    QTRY_COMPARE_WITH_TIMEOUT(m_subject->starts(t1), 2, patience);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
    QCOMPARE(facts(t1).observations.last().attempt, 2);
    QCOMPARE(jobsThere(), 1);
}

/// The name alone does not make a job ours.
void TestAmlFaults::jobOfSomebodyElse()
{
    control(u"fill"_s,
        {{"name", "td-s1-theirs"}, {"count", 3}, {"status", "Running"}, {"tags", {{"trialdeck-s1", "other"}}}});
    open();
    start(t1);
    const int before = requests(u"method=GET&path=/jobs$"_s);
    QTRY_VERIFY_WITH_TIMEOUT(requests(u"method=GET&path=/jobs$"_s) >= before + 3, patience);
    QCOMPARE(m_sink->trials.size(), size_t(1));
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

/// What it ran ends; what comes then is refused, with the compute's name.
void TestAmlFaults::computeIsDeleted()
{
    open();
    start(t1);
    control(u"compute"_s, {{"name", "gpu"}, {"remove", true}});
    const SubmitOutcome outcome = submit(t2, Job::quick);
    QVERIFY(outcome.error && !outcome.later && !outcome.unknown);
    QVERIFY2(outcome.error->message.text().contains(u"gpu"_s), qPrintable(outcome.error->message.text()));
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::failed);
    QVERIFY2(last(t1).reason.text().contains(u"gpu was deleted"_s), qPrintable(last(t1).reason.text()));
}

void TestAmlFaults::cleanUp()
{
    open();
    start(t1);
    QVERIFY(!submit(t2, Job::quick).error);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t2).status(), TrialStatus::succeeded, patience);
    const ExperimentId experiment(u"e1"_s);
    const QList<TrialRef> ended{TrialRef{.trial = t2, .experiment = experiment}};
    // A gateway's page is no word that a job is gone.
    fault({{"kind", "html"}, {"status", 404}, {"method", "DELETE"}, {"times", 2}});
    QVERIFY(!QCoro::waitFor(m_platform->remove(experiment, ended)));
    clearFaults();
    // One that cannot be deleted is hidden.
    fault({{"kind", "status"}, {"status", 409}, {"method", "DELETE"}, {"times", 1}});
    QVERIFY(QCoro::waitFor(m_platform->remove(experiment, ended)));
    const Result<int> removed = QCoro::waitFor(m_platform->removeUnknown(experiment, {}));
    QVERIFY(removed);
    QCOMPARE(*removed, 1);
    QVERIFY(!m_subject->lives(t1));
    QVERIFY(!m_subject->leftovers(t1));
}

void TestAmlFaults::invalidSettings_data()
{
    QTest::addColumn<Json>("settings");
    QTest::addColumn<QString>("field");
    QTest::newRow("address") << Json{{"armEndpoint", "http://"}} << u"armEndpoint"_s;
    QTest::newRow("cloud") << Json{{"cloud", "moon"}} << u"cloud"_s;
    QTest::newRow("no secret") << Json{{"clientSecret", ""}} << u"clientSecret"_s;
    QTest::newRow("no tenant") << Json{{"tenantId", ""}} << u"tenantId"_s;
    QTest::newRow("workspace") << Json{{"workspaceName", "a b"}} << u"workspaceName"_s;
    QTest::newRow("compute") << Json{{"computeTarget", "a/b"}} << u"computeTarget"_s;
}

void TestAmlFaults::invalidSettings()
{
    QFETCH(Json, settings);
    QFETCH(QString, field);
    Json all = m_subject->settings();
    all.update(settings);
    const Result<Json> completed = m_subject->make()->completed(all, Json::object());
    QVERIFY(!completed);
    QCOMPARE(completed.error().kind, Kind::invalid);
    QVERIFY2(completed.error().message.text().startsWith(field), qPrintable(completed.error().message.text()));
}

void TestAmlFaults::checks()
{
    const auto check = [&](const Json& more, CheckExtent extent = CheckExtent::whole) {
        m_sink->findings.clear();
        Json settings = m_subject->settings();
        settings.update(more);
        const auto platform = m_subject->make();
        return QCoro::waitFor(
            platform->check(OperationId(u"r"_s), settings, {}, extent, m_subject->context(m_sink.get())));
    };
    const auto failed = [&] {
        QStringList names;
        for (const CheckStep& step : m_sink->findings)
            if (step.state == CheckState::fail)
                names.append(step.id);
        return names.join(u' ');
    };
    control(u"compute"_s, {{"name", "gpu"}, {"idle", 1}});
    const Result<> good = check(Json::object());
    QVERIFY2(good, good ? "" : qPrintable(good.error().message));
    QStringList steps;
    for (const CheckStep& step : m_sink->findings)
        steps.append(step.id);
    QCOMPARE(steps.join(u' '), u"login workspace region compute quota storage job"_s);
    QCOMPARE(jobsThere(), 0); // the test job is gone
    const auto quota = [&] {
        for (const CheckStep& step : m_sink->findings)
            if (step.id == "quota"_L1)
                return step;
        return CheckStep();
    };
    QCOMPARE(quota().state, CheckState::ok);
    control(u"settings"_s, {{"quota", {{"used", 20}, {"limit", 24}}}}); // and a node has six
    QVERIFY(check(Json::object(), CheckExtent::look));
    QCOMPARE(quota().state, CheckState::warn);
    QVERIFY2(
        quota().detail.text().endsWith(u"20 of 24 cores are used; a node has 6"_s), qPrintable(quota().detail.text()));
    QVERIFY(!quota().remedy.isEmpty());
    QVERIFY(!check({{"clientSecret", "wrong"}}));
    QCOMPARE(failed(), u"login"_s);
    QVERIFY(!check({{"workspaceName", "another"}}));
    QCOMPARE(failed(), u"workspace"_s);
    QVERIFY(!check({{"computeTarget", "nowhere"}}));
    QCOMPARE(failed(), u"compute"_s);
    for (const CheckStep& step : m_sink->findings)
        QVERIFY(!(step.state == CheckState::fail) || !step.remedy.isEmpty());
    QVERIFY(check({{"dockerImage", ""}}));
    QCOMPARE(m_sink->findings.last().state, CheckState::warn);
}

void TestAmlFaults::choicesOfTheForm()
{
    const auto platform = m_subject->make();
    const auto choices = [&](const QString& field) {
        return QCoro::waitFor(platform->choices(field, m_subject->settings(), m_subject->context(m_sink.get())))
            .value_or(QStringList{u"failed"_s});
    };
    const fakes::StandIn& server = m_subject->server;
    QCOMPARE(choices(u"subscriptionId"_s), QStringList{server.value(u"subscription"_s)});
    QCOMPARE(choices(u"resourceGroup"_s), QStringList{server.value(u"group"_s)});
    QCOMPARE(choices(u"workspaceName"_s), QStringList{server.value(u"workspace"_s)});
    QCOMPARE(choices(u"computeTarget"_s).join(u' '), u"cpu gpu"_s);
    QVERIFY(choices(u"dockerImage"_s).isEmpty());
}

void TestAmlFaults::computesAreMachines()
{
    control(u"compute"_s, {{"name", "cpu"}, {"size", "Standard_D2"}});
    open();
    start(t1);
    QTRY_VERIFY_WITH_TIMEOUT(!m_sink->machineLists.isEmpty(), patience);
    const QList<Machine> machines = m_sink->machineLists.last();
    QCOMPARE(machines.size(), 2);
    QCOMPARE(machines[0].address, u"cpu"_s);
    QVERIFY(machines[0].gpus.isEmpty() && !machines[0].gpuMessage.isEmpty());
    QCOMPARE(machines[1].address, u"gpu"_s);
    QCOMPARE(machines[1].id, facts(t1).observations.last().machine);
    QCOMPARE(machines[1].gpus.size(), 100);
    QCOMPARE(machines[1].cpuCount, 600);
    QCOMPARE(machines[1].state, MachineState::ready);
    m_subject->release(t1);
    QTRY_COMPARE_WITH_TIMEOUT(facts(t1).status(), TrialStatus::succeeded, patience);
}

QTEST_GUILESS_MAIN(TestAmlFaults)
#include "tst_aml_faults.moc"
