// SPDX-License-Identifier: GPL-3.0-or-later
// What Azure Resource Manager says when it refuses, and of how much it still takes.
#include "services/platforms/azure/arm_budget.h"
#include "services/platforms/azure/arm_refusal.h"

#include <QTest>

using namespace platforms;
using namespace platforms::azure;
using namespace Qt::StringLiterals;

class TestArmAnswers : public QObject
{
    Q_OBJECT
private slots:
    void refusals_data();
    void refusals();
    void details();
    void idsForSupport();
    void noSecret();
    void budget();
};

void TestArmAnswers::refusals_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("words");
    const auto error = [](const char* code, const char* message) {
        return QByteArray("{\"error\":{\"code\":\"") + code + "\",\"message\":\"" + message + "\"}}";
    };
    QTest::newRow("no permission") << 403 << error("AuthorizationFailed", "The client has no right.") << Kind::auth
                                   << u"Azure does not permit it: The client has no right."_s;
    QTest::newRow("token") << 401 << error("ExpiredAuthenticationToken", "expired") << Kind::auth << u"token"_s;
    QTest::newRow("nothing there") << 404 << error("ResourceNotFound", "No job.") << Kind::not_found
                                   << u"Azure: No job."_s;
    QTest::newRow("code alone") << 400 << error("UserError", "") << Kind::invalid << u"(UserError)"_s;
    QTest::newRow("too many") << 429 << error("TooManyRequests", "x") << Kind::resource << u"limit of requests"_s;
    QTest::newRow("MLflow") << 400 << QByteArray(R"({"error_code":"RESOURCE_LIMIT_EXCEEDED","message":"50 at most."})")
                            << Kind::invalid << u"Azure: 50 at most."_s;
    QTest::newRow("a gateway's nothing there")
        << 404 << QByteArray("<html>Not Found</html>") << Kind::platform << u"something in front of it answered"_s;
    QTest::newRow("a gateway's gone") << 410 << QByteArray() << Kind::platform
                                      << u"something in front of it answered"_s;
    QTest::newRow("a page") << 502 << QByteArray("<html>Bad gateway</html>") << Kind::platform << u"HTTP 502"_s;
    QTest::newRow("lists for texts") << 400 << QByteArray(R"({"error":{"code":[],"message":{}}})") << Kind::invalid
                                     << u"HTTP 400"_s;
}

void TestArmAnswers::refusals()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(Kind, kind);
    QFETCH(QString, words);
    const ArmRefusal refusal = readArmRefusal(status, body);
    QCOMPARE(refusal.error.kind, kind);
    QVERIFY2(refusal.error.message.text().contains(words), qPrintable(refusal.error.message.text()));
}

void TestArmAnswers::details()
{
    const ArmRefusal refusal = readArmRefusal(400,
        R"({"error":{"code":"UserError","message":"Validation failed.\nmore","details":[{"code":"X","message":"Compute gpu is not there."}]}})");
    QCOMPARE(refusal.code, u"UserError"_s);
    QCOMPARE(refusal.error.message.text(), u"Azure: Validation failed. Compute gpu is not there."_s);
}

void TestArmAnswers::idsForSupport()
{
    const ArmRefusal refusal =
        readArmRefusal(500, "{}", {{"X-Ms-Request-Id", "r-1"}, {"x-ms-correlation-request-id", "c-1"}});
    QVERIFY(refusal.error.detail.contains(u"r-1"_s) && refusal.error.detail.contains(u"c-1"_s));
    QVERIFY(!refusal.error.message.text().contains(u"r-1"_s));
}

void TestArmAnswers::noSecret()
{
    const ArmRefusal refusal = readArmRefusal(
        400, R"({"error":{"code":"UserError","message":"sasUri https://a/b?sv=1&sig=geheim8 is wrong"}})");
    QVERIFY(!refusal.error.message.text().contains(u"geheim8"_s));
    QVERIFY(!refusal.error.detail.contains(u"geheim8"_s));
}

void TestArmAnswers::budget()
{
    ArmBudget budget;
    QCOMPARE(budget.pauseMs("GET"), 0);
    budget.see({{"x-ms-ratelimit-remaining-subscription-reads", "11999"}});
    QCOMPARE(budget.pauseMs("GET"), 0);
    budget.see({{"x-ms-ratelimit-remaining-subscription-reads", "30"}});
    QVERIFY(budget.pauseMs("GET") > 0);
    QCOMPARE(budget.pauseMs("PUT"), 0);
    const qint64 slow = budget.pauseMs("GET");
    budget.see(
        {{"x-ms-ratelimit-remaining-subscription-reads", "0"}, {"x-ms-ratelimit-remaining-subscription-writes", "3"}});
    QVERIFY(budget.pauseMs("GET") > slow);
    QVERIFY(budget.pauseMs("POST") > 0);
    QCOMPARE(budget.pauseMs("DELETE"), 0);
    budget.see({{"x-ms-ratelimit-remaining-subscription-reads", "many"}});
    QVERIFY(budget.pauseMs("GET") > slow);
    budget.see({{"x-ms-ratelimit-remaining-subscription-reads", "400"}});
    QCOMPARE(budget.pauseMs("GET"), 0);
}

QTEST_GUILESS_MAIN(TestArmAnswers)
#include "tst_arm_answers.moc"
