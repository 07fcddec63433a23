// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive_window.h"

#include "services/trial/objective.h"
#include "ui/shell/window_environment.h"
#include "ui/shell/main_window.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace app {

using namespace core;

namespace {

/// Gives lupdate the context of the free functions here.
struct Words
{
    Q_DECLARE_TR_FUNCTIONS(app::ArchiveWords)
};

} // namespace

client::Archive archiveOf(const nni::OldExperiment& old)
{
    Platform platform;
    platform.id = PlatformId(u"nni"_s);
    platform.kind = u"nni"_s;
    platform.state = PlatformState::closed;
    platform.message = Words::tr("An experiment that NNI ran. It can be looked at, not changed.");

    Experiment experiment;
    experiment.id = ExperimentId(u"e-"_s + old.id);
    experiment.spec = nni::specOf(old);
    experiment.spec.platformId = platform.id;
    experiment.state = ExperimentState::done;
    experiment.createdTime = old.startTime.value_or(0);
    experiment.startTime = old.startTime;
    experiment.endTime = old.endTime;

    client::Archive archive;
    qint64 number = 0;
    for (const nni::OldTrial& one : old.trials) {
        Trial trial = one.trial;
        // Ids of ours sort in the order of submission; those of NNI do not.
        trial.id = TrialId(u"t%1"_s.arg(number++, 9, 10, QLatin1Char('0')));
        trial.clientId = one.trial.id.value;
        trial.experimentId = experiment.id;
        trial.platformId = platform.id;
        if (!isFinal(trial.status)) {
            trial.status = TrialStatus::unknown;
            trial.reason = Words::tr("NNI left no record of its end.");
        }
        if (trial.status == TrialStatus::failed)
            trial.reason = Words::tr("NNI says that it failed, and keeps no reason.");
        // NNI judges by the final value.
        if (trial.finalMetric)
            trial.bestMetric = trial::objectiveValue(trial.finalMetric->value, experiment.spec.objective);
        for (const Metric& metric : one.metrics)
            if (!trial.finalMetric)
                trial::takeBest(trial.bestMetric, metric.value, experiment.spec.objective);
        ++experiment.counts[size_t(trial.status)];
        if (old.best() == &one)
            experiment.best = BestTrial{trial.id, one.trial.finalMetric->value.number};
        archive.metrics.insert(trial.id, one.metrics);
        archive.trials.append(std::make_shared<const Trial>(std::move(trial)));
    }
    experiment.nextSequenceId = number;
    archive.platform = std::make_shared<const Platform>(std::move(platform));
    archive.experiment = std::make_shared<const Experiment>(std::move(experiment));
    return archive;
}

/// Nothing of the program around it: an archive has neither an engine nor a service.
class ArchiveWindow::Environment : public ui::WindowEnvironment
{
public:
    Environment(QString name, QString folder)
        : m_name(std::move(name))
        , m_folder(std::move(folder))
    {
    }
    [[nodiscard]] bool ownsEngine() const override { return false; }
    [[nodiscard]] bool isArchive() const override { return true; }
    [[nodiscard]] QString serviceName() const override { return m_name; }
    [[nodiscard]] QString dataFolder() const override { return m_folder; }
    [[nodiscard]] Result<ui::Demo> demo() const override { return refusal(); }
    [[nodiscard]] PlanReader planReader(const QString&) const override
    {
        return []() -> Result<models::ExperimentPlan> { return refusal(); };
    }
    void openOldExperiment(const QString&, ui::Theme&, std::function<void(Result<>)> done) override { done(refusal()); }
    void keepRunning(std::function<void(Result<>)> done) override { done(refusal()); }
    void installService(std::function<void(Result<QString>)> done) override { done(refusal()); }
    void stopService(std::function<void(Result<>)> done) override { done(refusal()); }
    void reach(std::function<void(Result<>)> done) override { done({}); }
    [[nodiscard]] std::unique_ptr<ui::PlugRun> makePlugRun() override { return {}; }

private:
    static tl::unexpected<Error> refusal()
    {
        return fail(Kind::conflict, tr("This window shows an old experiment. Do that in the window of your service."));
    }

    QString m_name;
    QString m_folder;
};

ArchiveWindow::ArchiveWindow(const nni::OldExperiment& old, const QString& folder, ui::Theme& theme, QObject* parent)
    : QObject(parent)
    , m_client(std::make_unique<client::ArchiveClient>(
          archiveOf(old), tr("This is an old experiment of NNI: it can be looked at, not changed.")))
    , m_mirror(std::make_unique<models::EngineMirror>(*m_client))
    , m_environment(std::make_unique<Environment>(tr("NNI, read only"), folder))
    , m_window(std::make_unique<ui::MainWindow>(*m_mirror, theme, *m_environment))
{
    m_window->setAsksBeforeClosing(false);
    connect(m_window.get(), &ui::MainWindow::finished, this, &QObject::deleteLater);
    m_window->openPage(u"trials"_s);
    m_window->show();
    m_client->start();
}

ArchiveWindow::~ArchiveWindow() = default;

} // namespace app
