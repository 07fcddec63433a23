// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/external/program_answers.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::external;

class TestProgramAnswers : public QObject
{
    Q_OBJECT
private slots:
    void errors();
    void submissions();
    void jobs();
    void machines();
    void stepsAndChoices();
    void answersThatAreNone();
};

static Json answerOf(const char* text)
{
    return parseJson(text).value_or(Json());
}

void TestProgramAnswers::errors()
{
    QVERIFY(!errorIn(answerOf(R"({"id": 1})")));
    QVERIFY(!errorIn(answerOf(R"({"id": 1, "error": null})")));
    const std::optional<Error> known =
        errorIn(answerOf(R"({"error": {"kind": "auth", "message": "Log in\u001b[1m!"}})"));
    QVERIFY(known);
    QCOMPARE(known->kind, Kind::auth);
    QCOMPARE(known->message.text(), u"Log in␛[1m!"_s);
    for (const char* text :
        {R"({"error": {}})", R"({"error": "no"})", R"({"error": {"kind": "cancelled"}})", R"({"error": 1})"}) {
        const std::optional<Error> error = errorIn(answerOf(text));
        QVERIFY2(error, text);
        QCOMPARE(error->kind, Kind::platform);
        QVERIFY(!error->message.isEmpty());
    }
}

void TestProgramAnswers::submissions()
{
    using Outcome = SubmitReply::Outcome;
    SubmitAnswer read = submitAnswer(answerOf(R"({"id": 1, "job": " 17 "})"));
    QCOMPARE(int(read.reply.outcome), int(Outcome::accepted));
    QCOMPARE(read.job, u"17"_s);
    QCOMPARE(int(submitAnswer(answerOf(R"({"id": 1})")).reply.outcome), int(Outcome::accepted));
    read = submitAnswer(answerOf(R"({"later": "full", "afterSeconds": 30})"));
    QCOMPARE(int(read.reply.outcome), int(Outcome::later));
    QCOMPARE(read.reply.error.message.text(), u"full"_s);
    QVERIFY(read.reply.retryAfterMs == 30'000);
    QVERIFY(!submitAnswer(answerOf(R"({"later": "full", "afterSeconds": -1})")).reply.retryAfterMs);
    QCOMPARE(int(submitAnswer(fail(Kind::invalid, u"no"_s)).reply.outcome), int(Outcome::refused));
    QCOMPARE(int(submitAnswer(fail(Kind::platform, u"no"_s)).reply.outcome), int(Outcome::later));
    const Error lost = withUnknownOutcome(Error{Kind::platform, u"it ended"_s, {}});
    QCOMPARE(int(submitAnswer(tl::unexpected(lost)).reply.outcome), int(Outcome::unknown));
}

void TestProgramAnswers::jobs()
{
    using Phase = JobFact::Phase;
    const Result<QList<JobFact>> read = jobsIn(answerOf(R"({"jobs": [
        {"name": "td-s1-t1", "job": "17", "state": "running", "machine": "node3", "startTime": 1764201600000},
        {"name": "td-s1-t2", "state": "waiting", "reason": "no slot"},
        {"name": "td-s1-t3", "state": "ended", "exitCode": 3, "endTime": 1764201700000},
        {"name": "td-s1-t4", "state": "ended", "exitCode": 0},
        {"name": "td-s1-t5", "state": "ended", "signal": 9},
        {"name": "td-s1-t6", "state": "ended", "cancelled": true},
        {"name": "td-s1-t7", "state": "ended", "exitCode": 4711, "signal": -1, "endTime": 1e300},
        {"name": "td-s1-t1", "state": "ended", "exitCode": 0},
        {"name": "td-s2-t8", "state": "running"}, {"name": "mine", "state": "running"}, {"name": 7}, 7, null,
        {"name": "td-s1-t9", "state": "Running"}, {"name": "td-s1-", "state": "running"}]})"),
        u"s1"_s, PlatformId(u"lab"_s));
    QVERIFY(read);
    QCOMPARE(read->size(), 7);
    const JobFact& running = read->at(0);
    QCOMPARE(running.trial, TrialId(u"t1"_s));
    QCOMPARE(int(running.phase), int(Phase::running));
    QCOMPARE(running.handle, u"17"_s);
    QCOMPARE(running.machine, MachineId(u"lab.node3"_s));
    QVERIFY(running.startTime == 1'764'201'600'000);
    QCOMPARE(int(read->at(1).phase), int(Phase::waiting));
    QCOMPARE(read->at(1).reason.text(), u"no slot"_s);
    QCOMPARE(read->at(1).handle, u"td-s1-t2"_s);
    QVERIFY(read->at(2).exitCode == 3 && read->at(2).end == TrialStatus::failed
        && read->at(2).endTime == 1'764'201'700'000);
    QCOMPARE(read->at(3).end, TrialStatus::succeeded);
    QVERIFY(read->at(4).signal == 9 && read->at(4).end == TrialStatus::failed);
    QVERIFY(read->at(5).end == TrialStatus::sys_canceled && read->at(5).isDecisive && !read->at(5).reason.isEmpty());
    QVERIFY(!read->at(6).exitCode && !read->at(6).signal && !read->at(6).endTime);
    QCOMPARE(read->at(6).end, TrialStatus::failed);
}

void TestProgramAnswers::machines()
{
    const PlatformId lab(u"lab"_s);
    const Result<QList<Machine>> read = machinesIn(
        answerOf(
            R"({"machines": [{"name": "n1", "cpus": 8, "memory": 16e9, "gpus": [{"model": "A", "memory": 8e9, "inUse": true}, {}]}, {"name": "n2"}]})"),
        lab, 5);
    QVERIFY(read);
    QCOMPARE(read->size(), 2);
    QCOMPARE(read->at(0).id, MachineId(u"lab.n1"_s));
    QCOMPARE(read->at(0).cpuCount, 8);
    QCOMPARE(read->at(0).memoryTotal, 16'000'000'000);
    QCOMPARE(read->at(0).gpus.size(), 2);
    QCOMPARE(read->at(0).gpus[0].processes.size(), 1);
    QVERIFY(read->at(0).gpus[1].processes.isEmpty());
    QCOMPARE(read->at(0).lastContact, 5);
    for (const char* text : {R"({"machines": [{}]})", R"({"machines": [{"name": "a"}, {"name": "a"}]})",
             R"({"machines": [7]})", R"({"machines": [{"name": "a", "gpus": {}}]})"})
        QVERIFY2(!machinesIn(answerOf(text), lab, 0), text);
    const Result<QList<Machine>> odd = machinesIn(
        answerOf(R"({"machines": [{"name": "a", "cpus": -1, "memory": -5, "gpus": [7, {"memory": "x"}]}]})"), lab, 0);
    QVERIFY(odd && odd->first().cpuCount == 0 && odd->first().memoryTotal == 0 && odd->first().gpus.size() == 2);
}

void TestProgramAnswers::stepsAndChoices()
{
    const Result<QList<CheckStep>> steps = stepsIn(answerOf(
        R"({"steps": [{"id": "q", "title": "Queue", "state": "ok", "detail": "3"}, {"title": "X", "state": "?"}]})"));
    QVERIFY(steps);
    QCOMPARE(steps->at(0).id, u"program.q"_s);
    QCOMPARE(steps->at(0).state, CheckState::ok);
    QCOMPARE(steps->at(1).state, CheckState::fail);
    QVERIFY(!stepsIn(answerOf(R"({"steps": [{"id": "q"}]})")));
    const Result<QStringList> choices = choicesIn(answerOf(R"({"choices": ["a", 7, "b"]})"));
    QVERIFY(choices);
    QCOMPARE(*choices, (QStringList{u"a"_s, u"b"_s}));
}

void TestProgramAnswers::answersThatAreNone()
{
    for (const char* text : {"{}", "null", "[]", R"({"jobs": 7, "machines": {}, "steps": "x", "choices": null})"}) {
        const Json json = answerOf(text);
        QVERIFY(!jobsIn(json, u"s1"_s, PlatformId(u"lab"_s)));
        QVERIFY(!machinesIn(json, PlatformId(u"lab"_s), 0));
        QVERIFY(!stepsIn(json));
        QVERIFY(!choicesIn(json));
    }
}

QTEST_GUILESS_MAIN(TestProgramAnswers)
#include "tst_program_answers.moc"
