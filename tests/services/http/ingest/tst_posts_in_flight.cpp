// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/http/ingest/posts_in_flight.h"

#include "services/http/server_core.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace http;

class TestPostsInFlight : public QObject
{
    Q_OBJECT
private slots:
    void oneAtATime()
    {
        // Only their addresses count.
        int places[4] = {};
        const auto at = [&](int i) { return reinterpret_cast<Connection*>(&places[i]); };
        const TrialId one(u"t1"_s);
        const TrialId two(u"t2"_s);
        PostsInFlight posts(1);
        QVERIFY(posts.begin(at(0), one).isTaken);
        QVERIFY(posts.begin(at(1), two).isTaken); // trials do not take each other's places
        // Its body is still coming: the new one takes its place.
        PostsInFlight::Verdict verdict = posts.begin(at(2), one);
        QVERIFY(verdict.isTaken);
        QCOMPARE(verdict.leaves, at(0));
        QCOMPARE(posts.size(), size_t(2));
        posts.end(at(0)); // when it closes: nothing is left of it
        QCOMPARE(posts.size(), size_t(2));
        // It is being stored: the new one waits.
        posts.arrived(at(2));
        verdict = posts.begin(at(3), one);
        QVERIFY(!verdict.isTaken);
        QVERIFY(!verdict.leaves);
        posts.end(at(2));
        QVERIFY(posts.begin(at(3), one).isTaken);
        // The next request of the same connection.
        posts.arrived(at(3));
        QVERIFY(posts.begin(at(3), one).isTaken);
        QVERIFY(posts.begin(at(3), two).leaves == at(1));
        QCOMPARE(posts.size(), size_t(1));
        posts.end(at(3));
        QCOMPARE(posts.size(), size_t(0));
        posts.end(at(3));
    }

    void several()
    {
        int places[4] = {};
        const auto at = [&](int i) { return reinterpret_cast<Connection*>(&places[i]); };
        const TrialId one(u"t1"_s);
        PostsInFlight posts(2);
        QVERIFY(posts.begin(at(0), one).isTaken);
        QVERIFY(posts.begin(at(1), one).isTaken);
        posts.arrived(at(0));
        QCOMPARE(posts.begin(at(2), one).leaves, at(1)); // the oldest that is still coming
        posts.arrived(at(2));
        QVERIFY(!posts.begin(at(3), one).isTaken);
    }
};

QTEST_GUILESS_MAIN(TestPostsInFlight)
#include "tst_posts_in_flight.moc"
