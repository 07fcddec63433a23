// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against the sample for task-spooler.
#include "external_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

class SpoolerSubject : public ExternalSubject
{
public:
    /// `environment`: words NAME=VALUE.
    explicit SpoolerSubject(const QStringList& environment = {})
        : ExternalSubject(QStringList(u"env"_s) + environment
            + QStringList{
                u"python3"_s, QStringLiteral(TRIALDECK_SOURCE_DIR "/resources/examples/external/task_spooler.py")})
    {
    }
    ~SpoolerSubject() override
    {
        QProcess tsp;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TS_SOCKET"_s, path(u"socket"_s));
        tsp.setProcessEnvironment(environment);
        tsp.start(u"tsp"_s, {u"-K"_s});
        tsp.waitForFinished();
    }
    Json settings() override
    {
        Json settings = ExternalSubject::settings();
        settings.update({{"socket", path(u"socket"_s).toStdString()}, {"slots", 8}});
        return settings;
    }
};

} // namespace

class TestExternalPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<SpoolerSubject>(); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }

private slots:
    void cancelBeforeTheQueueHasBegunIt_data();
    void cancelBeforeTheQueueHasBegunIt();
};

void TestExternalPlatform::cancelBeforeTheQueueHasBegunIt_data()
{
    QTest::addColumn<QString>("slow");
    QTest::newRow("its process is not known") << u"pipe"_s;
    QTest::newRow("its process has no group") << u"setsid"_s;
}

/// The queue says that the job runs. The cancel comes once.
void TestExternalPlatform::cancelBeforeTheQueueHasBegunIt()
{
    QFETCH(QString, slow);
    const QString library = QStringLiteral(TRIALDECK_BIN_DIR "/../tests/slow_spooler.so");
    QVERIFY(QFileInfo::exists(library)); // else nothing is slow
    closePlatform();
    m_subject =
        std::make_unique<SpoolerSubject>(QStringList{u"LD_PRELOAD="_s + library, u"TRIALDECK_SLOW_STEP="_s + slow});
    open();
    (void)submit(t1, Job::waits);
    QVERIFY(cancel(t1, CancelIntent::user));
    QTRY_VERIFY_WITH_TIMEOUT(facts(t1).ended(), patience);
    QCOMPARE(facts(t1).status(), TrialStatus::user_canceled);
    QVERIFY(!m_subject->lives(t1));
}

QTEST_GUILESS_MAIN(TestExternalPlatform)
#include "tst_external_platform.moc"
