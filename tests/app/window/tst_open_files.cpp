// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the window opens: experiments of NNI to be run, and old ones to be looked at.
#include "app/client/code_archive.h"
#include "app/window/archive_window.h"
#include "app/window/desktop_environment.h"
#include "services/package/archive.h"
#include "tests/fakes/window_test.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace core;

namespace {

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

const QByteArray experiment = R"(experimentName: mnist
trialCommand: python3 mnist.py
trialCodeDirectory: code
trialConcurrency: 2
maxTrialNumber: 10
logLevel: info
searchSpace:
  lr:
    _type: loguniform
    _value: [0.0001, 0.1]
tuner:
  name: Random
trainingService:
  platform: local
)";

} // namespace

class TestOpenFiles : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_theme = std::make_unique<ui::Theme>();
        fakes::useTestLook(*m_theme);
    }

    void anExperimentOfNni()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"code"_s));
        write(folder.filePath(u"code/mnist.py"_s), "print(1)\n");
        write(folder.filePath(u"search.yml"_s), experiment);
        QProcessEnvironment environment;
        environment.insert(u"PATH"_s, u"/bin"_s);
        const auto plan = app::readPlan(folder.filePath(u"search.yml"_s), environment, {});
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().message));
        QCOMPARE(plan->spec.name, u"mnist"_s);
        QCOMPARE(plan->spec.tunerName, u"Random"_s);
        QCOMPARE(plan->kind, u"local"_s);
        QVERIFY(plan->needsNni.isEmpty());
        QCOMPARE(plan->notes.size(), 1);
        QVERIFY2(plan->notes[0].startsWith(u"Line 6: logLevel"_s), qPrintable(plan->notes[0]));
        QCOMPARE(plan->environment.value(u"PATH"_s), u"/bin"_s);
        QVERIFY(plan->spec.codeInPlace); // as NNI does on the computer itself
    }

    void theCodeOfOurOwnFile()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"code"_s));
        write(folder.filePath(u"code/train.py"_s), "print(1)\n");
        write(folder.filePath(u"mine.json"_s),
            R"({"name": "mine", "trialCommand": "python3 train.py", "codeDir": "code"})");
        const auto plan = app::readPlan(folder.filePath(u"mine.json"_s), {}, {});
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().message));
        QCOMPARE(plan->files, (QList<models::PlannedFile>{{u"train.py"_s, 9}}));
        QCOMPARE(plan->bytes, 9);
        QCOMPARE(plan->spec.platformId, PlatformId(u"local"_s));
        QVERIFY(plan->leftOut.isEmpty());
        write(folder.filePath(u"code/.env"_s), "KEY=1\n");
        const auto again = app::readPlan(folder.filePath(u"mine.json"_s), {}, {});
        QVERIFY(again);
        QCOMPARE(again->files, plan->files);
        QCOMPARE(again->leftOut.size(), 1);
        QVERIFY2(again->leftOut[0].startsWith(u".env is left out"_s), qPrintable(again->leftOut[0]));
    }

    void whichServiceIsElsewhere_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("elsewhere");
        QTest::newRow("our own") << QString() << false;
        QTest::newRow("loopback") << u"http://127.0.0.1:8643"_s << false;
        QTest::newRow("by name") << u"https://localhost:8643"_s << false;
        QTest::newRow("IPv6") << u"http://[::1]:8643"_s << false;
        QTest::newRow("a server") << u"https://gpu.example:8643"_s << true;
        QTest::newRow("an address") << u"https://10.1.2.3:8643"_s << true;
        QTest::newRow("a login, also to this computer") << u"ssh://me@localhost"_s << true;
    }
    void whichServiceIsElsewhere()
    {
        QFETCH(QString, url);
        QTEST(app::isElsewhere(QUrl(url)), "elsewhere");
    }

    void codeForAServiceElsewhere()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"code"_s));
        write(folder.filePath(u"code/mnist.py"_s), "print(1)\n");
        write(folder.filePath(u"search.yml"_s), experiment);
        auto plan = app::readPlan(folder.filePath(u"search.yml"_s), {}, {}, true);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().message));
        QVERIFY(!plan->spec.codeInPlace); // nothing of this computer is in place there
        QCOMPARE(plan->files, (QList<models::PlannedFile>{{u"mnist.py"_s, 9}}));
        QVERIFY(plan->pack);
        auto packed = plan->pack();
        QVERIFY2(packed, packed ? "" : qPrintable(packed.error().message));
        QCOMPARE(package::fileSha256(packed->file).value_or(QString()), packed->sha);
        QCOMPARE(QFileInfo(packed->file).size(), packed->bytes);
        const QString file = packed->file;
        packed = {};
        QVERIFY(!QFileInfo::exists(file));
        // A folder that is not here may be one of the service's.
        write(folder.filePath(u"there.json"_s),
            R"({"name": "there", "trialCommand": "true", "codeDir": "/not/on/this/computer"})");
        plan = app::readPlan(folder.filePath(u"there.json"_s), {}, {}, true);
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().message));
        QVERIFY(!plan->pack);
        QCOMPARE(plan->spec.codeDir, u"/not/on/this/computer"_s);
    }

    void anErrorNamesTheField_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("field");
        QTest::newRow("type") << QByteArray(experiment).replace("trialConcurrency: 2", "trialConcurrency: many")
                              << u"trialConcurrency"_s;
        QTest::newRow("unknown") << experiment + "trialCommnad: x\n" << u"trialCommnad"_s;
        QTest::newRow("platform") << QByteArray(experiment).replace("platform: local", "platform: moon") << u"moon"_s;
        QTest::newRow("not YAML") << QByteArray("a: [1\n") << u"search.yml"_s;
    }
    void anErrorNamesTheField()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, field);
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(u"code"_s));
        write(folder.filePath(u"search.yml"_s), text);
        const auto plan = app::readPlan(folder.filePath(u"search.yml"_s), {}, {});
        QVERIFY(!plan);
        QVERIFY2(plan.error().message.contains(field), qPrintable(plan.error().message));
    }

    void anOldExperimentIsAWindowOfItsOwn()
    {
        nni::OldExperiment old;
        old.id = u"abc"_s;
        old.name = u"old"_s;
        old.maximize = false;
        for (int i = 0; i < 5; ++i) {
            nni::OldTrial& one = old.trials.emplace_back();
            one.trial.id = TrialId(u"Z%1"_s.arg(9 - i)); // NNI's ids say nothing of the order
            one.trial.sequenceId = i;
            one.trial.status = i == 3 ? TrialStatus::failed : i == 4 ? TrialStatus::running : TrialStatus::succeeded;
            one.trial.startTime = 1'000 + i;
            for (int k = 0; k < 3; ++k) {
                Metric metric;
                metric.sequence = k;
                metric.type = k == 2 ? MetricType::final : MetricType::periodical;
                metric.value = {MetricValue::Kind::number, double(10 - i - k), {}};
                one.metrics.push_back(metric);
            }
            one.trial.metricCount = 3;
            one.trial.finalMetric = MetricSummary{2, {}, one.metrics.back().value, 0};
        }
        const client::Archive archive = app::archiveOf(old);
        QCOMPARE(archive.trials.size(), 5);
        QCOMPARE(archive.trials[1]->clientId, u"Z8"_s);
        QVERIFY(archive.trials[0]->id < archive.trials[1]->id);
        QCOMPARE(archive.trials[1]->bestMetric, std::optional(7.0));
        QCOMPARE(archive.trials[4]->status, TrialStatus::unknown); // not recorded
        QVERIFY(!archive.trials[3]->reason.isEmpty() && !archive.trials[4]->reason.isEmpty());
        QCOMPARE(archive.experiment->best->trialId, archive.trials[4]->id);
        QCOMPARE(archive.experiment->count(TrialStatus::succeeded), 3);

        auto* window = new app::ArchiveWindow(old, u"/nowhere"_s, *m_theme, this);
        QPointer<app::ArchiveWindow> alive(window);
        QTRY_VERIFY_WITH_TIMEOUT(window->window().isVisible(), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(window->window().windowTitle().contains(u"old"_s), 30'000);
        for (const QString& page : window->window().pageNames())
            QVERIFY(window->window().openPage(page));
        window->window().close();
        QTRY_VERIFY_WITH_TIMEOUT(!alive, 30'000);
    }

private:
    std::unique_ptr<ui::Theme> m_theme;
};

QTEST_MAIN(TestOpenFiles)
#include "tst_open_files.moc"
