// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/transport/http/retry_policy.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace transport;

static constexpr qint64 nowMs = 784'111'777'000; // Sun, 06 Nov 1994 08:49:37 GMT

class TestRetryPolicy : public QObject
{
    Q_OBJECT
private slots:
    void repeats_data();
    void repeats();
    void dates();
    void backOff();
    void retryAfter_data();
    void retryAfter();
};

void TestRetryPolicy::repeats_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<Kind>("kind"); // of status 0
    QTest::addColumn<QByteArray>("retryAfter");
    QTest::addColumn<bool>("repeatable");
    QTest::addColumn<bool>("once"); // one that is not repeatable
    const auto status = [](int code, bool repeatable, bool once, const char* after = "") {
        QTest::addRow("%d%s", code, *after ? " with Retry-After" : "")
            << code << Kind::internal << QByteArray(after) << repeatable << once;
    };
    const auto error = [](Kind kind, bool repeatable) {
        QTest::addRow("%s", qPrintable(kindName(kind))) << 0 << kind << QByteArray() << repeatable << false;
    };
    for (const int code : {200, 204, 301, 400, 401, 403, 404, 409, 410, 413, 422})
        status(code, false, false);
    status(429, true, true);
    status(429, true, true, "1");
    for (const int code : {408, 503}) {
        status(code, true, false);
        status(code, true, true, "1");
    }
    for (const int code : {500, 502, 504, 599})
        status(code, true, false);
    status(500, true, false, "1");
    for (const Kind kind : {Kind::network, Kind::timeout, Kind::resource})
        error(kind, true);
    for (const Kind kind :
        {Kind::cancelled, Kind::auth, Kind::not_found, Kind::conflict, Kind::invalid, Kind::platform, Kind::internal})
        error(kind, false);
}

void TestRetryPolicy::repeats()
{
    QFETCH(int, status);
    QFETCH(Kind, kind);
    QFETCH(QByteArray, retryAfter);
    QFETCH(bool, repeatable);
    QFETCH(bool, once);
    AttemptEnd end{std::nullopt, status, retryAfter, {}};
    if (status == 0)
        end.error = kind;
    QCOMPARE(isWorthRepeating(end, true), repeatable);
    QCOMPARE(isWorthRepeating(end, false), once);
}

void TestRetryPolicy::dates()
{
    for (const char* text :
        {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"})
        QCOMPARE(httpDateMs(text), std::optional(nowMs));
    QCOMPARE(httpDateMs("Saturday, 14-Nov-26 00:00:00 GMT"), httpDateMs("Sat, 14 Nov 2026 00:00:00 GMT"));
    for (const char* text :
        {"", "now", "06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 36 Nov 1994 08:49:37 GMT"})
        QCOMPARE(httpDateMs(text), std::nullopt);
}

void TestRetryPolicy::backOff()
{
    const AttemptEnd end{Kind::network, 0, {}, {}};
    QList<qint64> bounds;
    for (int failures = 1; failures <= 8; ++failures) {
        bounds += retryDelayMs(end, failures, 1, nowMs);
        QCOMPARE(retryDelayMs(end, failures, 0, nowMs), 0);
        QCOMPARE(retryDelayMs(end, failures, 0.5, nowMs), bounds.last() / 2);
    }
    QCOMPARE(bounds, (QList<qint64>{1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 60'000, 60'000}));
    QCOMPARE(retryDelayMs(end, 1'000'000'000, 1, nowMs), 60'000);
}

void TestRetryPolicy::retryAfter_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<qint64>("wait");
    const auto row = [](const char* name, const char* value, const char* date, qint64 wait) {
        QTest::newRow(name) << QByteArray(value) << QByteArray(date) << wait;
    };
    row("seconds", "7", "", 7'000);
    row("none at all", "0", "", 1'000);
    row("a day", "86400", "", 300'000);
    row("beyond all", "99999999999999999999", "", 300'000);
    row("a date", "Sun, 06 Nov 1994 08:50:07 GMT", "", 30'000);
    row("a date, by the server's clock", "Sun, 06 Nov 1994 08:50:07 GMT", "Sun, 06 Nov 1994 08:50:00 GMT", 7'000);
    row("a date that was", "Sun, 06 Nov 1994 08:00:00 GMT", "", 1'000);
    row("a date of long ago", "Mon, 06 Nov 1899 08:00:00 GMT", "", 1'000);
    row("no number", "soon", "", 2'000); // back-off
    row("a negative one", "-5", "", 2'000);
}

void TestRetryPolicy::retryAfter()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, date);
    QFETCH(qint64, wait);
    const AttemptEnd end{std::nullopt, 503, value, date};
    const bool isBackOff = wait == 2'000;
    QCOMPARE(retryDelayMs(end, 2, isBackOff ? 1 : 0, nowMs), wait);
    if (!isBackOff)
        QCOMPARE(retryDelayMs(end, 2, 1, nowMs), wait + wait / 10);
}

QTEST_APPLESS_MAIN(TestRetryPolicy)
#include "tst_retry_policy.moc"
