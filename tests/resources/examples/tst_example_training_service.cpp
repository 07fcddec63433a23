// SPDX-License-Identifier: GPL-3.0-or-later
// The promises of a training service, of the sample in C++.
#include "tests/services/training_service_conformance.h"

#include "resources/examples/cpp/processes_training_service.h"

using namespace core;
using namespace training_service_test;

namespace {

class ProcessesSubject : public Subject
{
public:
    std::unique_ptr<TrainingService> make(const QString& command) override
    {
        std::unique_ptr<TrainingService> service = unset();
        const Json config{{"command", command}};
        const auto set = QCoro::waitFor(service->setClusterMetadata(u"trial_config"_s, dumpJson(config)));
        return set ? std::move(service) : nullptr;
    }
    std::unique_ptr<TrainingService> unset() const
    {
        return std::make_unique<ProcessesTrainingService>(m_dir.filePath(u"own"_s), ExperimentId(u"e1"_s));
    }
    int concurrency() override { return 0; }
    bool quotesLogs() override { return false; }
    QString trials() override { return m_dir.filePath(u"own"_s); }

private:
    QTemporaryDir m_dir;
};

} // namespace

class TestExampleTrainingService : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<ProcessesSubject>(); }

private slots:
    void trialConfigComesFirst()
    {
        m_service = static_cast<ProcessesSubject*>(m_subject.get())->unset();
        const auto early = QCoro::waitFor(m_service->submitTrialJob(form(0)));
        QVERIFY(!early);
        QCOMPARE(early.error().kind, Kind::conflict);
        QCOMPARE(listed(), QStringList());
        const Json config{{"command", "pwd > seen"}, {"codeDir", m_dir->path().toStdString()}, {"gpuNum", 0}};
        QVERIFY(QCoro::waitFor(m_service->setClusterMetadata(u"trial_config"_s, dumpJson(config))));
        const QString id = submit(form(0));
        QTRY_COMPARE_WITH_TIMEOUT(status(id), TrialStatus::succeeded, patience);
        QCOMPARE(contents(path(u"seen"_s)).trimmed(), QFileInfo(m_dir->path()).canonicalFilePath().toUtf8());
    }

    void anIdIsNoPath()
    {
        serve(u"true"_s);
        for (const QString& id : {u"../up"_s, u".."_s, u"/tmp/x"_s, u"a/b"_s}) {
            TrialJobForm asked = form(0);
            asked.id = id;
            const auto refused = QCoro::waitFor(m_service->submitTrialJob(asked));
            QVERIFY2(!refused, qPrintable(id));
            QCOMPARE(refused.error().kind, Kind::invalid);
        }
        QCOMPARE(listed(), QStringList());
    }

    void trialsEndWithTheService()
    {
        serve(u"(setsid bash -c \"$(declare -f stays); stays '$DIR/far'\") & trap '' TERM; stays \"$DIR/own\""_s);
        QVERIFY(!submit(form(0)).isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(lives(u"far"_s) && lives(u"own"_s), patience);
        m_service.reset();
        QVERIFY(!lives(u"far"_s) && !lives(u"own"_s));
    }
};

QTEST_GUILESS_MAIN(TestExampleTrainingService)
#include "tst_example_training_service.moc"
