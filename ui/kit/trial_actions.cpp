// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_actions.h"

#include "actions.h"
#include "icons.h"
#include "theme.h"
#include "widgets.h"

#include "models/machine_cells.h"
#include "models/engine_mirror.h"
#include "models/trials/parameters_text.h"
#include "models/trials/trial_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QFormLayout>
#include <QHeaderView>
#include <QSpinBox>
#include <QTreeWidget>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int undoSeconds = 6;
constexpr qsizetype mostListed = 500;

/// Gives lupdate the context of the free functions here.
struct ActionWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::ActionWords)
};

TrialsInQuestion chosen(const PageContext& context, const QSet<core::TrialId>& ids, bool (*fits)(const core::Trial&))
{
    TrialsInQuestion out;
    for (const core::TrialId& id : ids) {
        const core::TrialPtr trial = context.mirror.state().trial(id);
        if (!trial)
            continue;
        if (fits(*trial))
            out.trials.append(trial);
        else
            ++out.left;
    }
    std::sort(out.trials.begin(), out.trials.end(),
        [](const core::TrialPtr& a, const core::TrialPtr& b) { return a->id < b->id; });
    return out;
}

QString countsOf(const QList<core::TrialPtr>& trials)
{
    std::array<qint64, core::trialStatusCount> counts{};
    for (const core::TrialPtr& trial : trials)
        ++counts[size_t(trial->status)];
    return countsSentence(counts);
}

QStringList idsOf(const QList<core::TrialPtr>& trials)
{
    QStringList out;
    for (const core::TrialPtr& trial : trials)
        out.append(trial->id.value);
    return out;
}

/// A dialog that lists the trials which an action would affect.
class Preview : public QDialog
{
public:
    Preview(const QString& title, const QString& sentence, const QList<core::TrialPtr>& trials, QPushButton* go,
        QWidget* parent)
        : QDialog(parent)
    {
        setWindowTitle(title);
        setAttribute(Qt::WA_DeleteOnClose);
        resize(560, 420);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(metrics::margin, metrics::margin, metrics::margin, metrics::margin);
        layout->setSpacing(metrics::gap);
        layout->addWidget(makeLabel(title, TextSize::title, QFont::DemiBold, this));
        QLabel* words = makeQuietLabel(sentence, TextSize::body, this);
        words->setWordWrap(true);
        layout->addWidget(words);

        auto* list = new QTreeWidget(this);
        list->setAccessibleName(title);
        list->setRootIsDecorated(false);
        list->setUniformRowHeights(true);
        list->setHeaderLabels(
            {u"#"_s, ActionWords::tr("State"), ActionWords::tr("Machine"), ActionWords::tr("Parameters")});
        for (const core::TrialPtr& trial : trials.first(std::min(trials.size(), mostListed))) {
            const StateLook look = themeOf(*this).state(trial->status);
            auto* row = new QTreeWidgetItem(list,
                {QString::number(trial->sequenceId), look.word, models::machineWord(*trial),
                    models::parametersText(trial->parameters)});
            row->setIcon(1, icons::icon(themeOf(*this), look.icon, look.role));
        }
        if (trials.size() > mostListed)
            new QTreeWidgetItem(
                list, {u"…"_s, ActionWords::tr("and %n more", nullptr, int(trials.size() - mostListed))});
        list->header()->resizeSection(0, 64);
        list->header()->resizeSection(1, 130);
        layout->addWidget(list, 1);
        extra = new QFormLayout;
        layout->addLayout(extra);

        auto* buttons = new QHBoxLayout;
        buttons->addStretch();
        QPushButton* no = makeButton(ActionWords::tr("Not now"), {}, this);
        buttons->addWidget(no);
        buttons->addWidget(go);
        layout->addLayout(buttons);
        connect(no, &QPushButton::clicked, this, &QDialog::reject);
        connect(go, &QPushButton::clicked, this, &QDialog::accept);
        go->setDefault(true);
        go->setFocus();
    }

    QFormLayout* extra = nullptr;
};

QString leftSentence(qsizetype left)
{
    return left > 0 ? u" "_s + ActionWords::tr("%n other(s) are not concerned.", nullptr, int(left)) : QString();
}

void sendCancel(const PageContext& context, const QStringList& ids, bool isEarlyStop, bool givesUp)
{
    api::CancelTrials command;
    command.selection.ids = ids;
    command.isEarlyStopped = isEarlyStop;
    command.force = givesUp;
    context.mirror.execute(std::move(command));
}

void toastCancel(
    const PageContext& context, const QList<core::TrialPtr>& trials, bool isEarlyStop, bool givesUp = false)
{
    const UndoText text = [count = int(trials.size()), first = trials.isEmpty() ? 0 : trials.first()->sequenceId](
                              const QString& seconds) {
        return count == 1 ? ActionWords::tr("Trial %1 will be cancelled in %2 s").arg(QString::number(first), seconds)
                          : ActionWords::tr("%n trial(s) will be cancelled in %1 s", nullptr, count).arg(seconds);
    };
    const QStringList ids = idsOf(trials);
    context.actions.toastWithUndo(
        text, undoSeconds, [context, ids, isEarlyStop, givesUp] { sendCancel(context, ids, isEarlyStop, givesUp); });
}

void toastRetry(const PageContext& context, const QList<core::TrialPtr>& trials, const api::TrialOverrides& overrides)
{
    const UndoText text = [count = int(trials.size()), first = trials.isEmpty() ? 0 : trials.first()->sequenceId](
                              const QString& seconds) {
        return count == 1 ? ActionWords::tr("Trial %1 will be retried in %2 s").arg(QString::number(first), seconds)
                          : ActionWords::tr("%n trial(s) will be retried in %1 s", nullptr, count).arg(seconds);
    };
    const QStringList ids = idsOf(trials);
    context.actions.toastWithUndo(text, undoSeconds, [context, ids, overrides] {
        api::RetryTrials command;
        command.selection.ids = ids;
        command.overrides = overrides;
        context.mirror.execute(std::move(command));
    });
}

} // namespace

TrialsInQuestion cancellable(const PageContext& context, const QSet<core::TrialId>& ids)
{
    // One that is being cancelled on a machine that does not answer can be given up still.
    return chosen(context, ids, [](const core::Trial& trial) {
        return !core::isFinal(trial.status) && (!trial.cancelIntent || trial.status == core::TrialStatus::unknown);
    });
}

TrialsInQuestion retryable(const PageContext& context, const QSet<core::TrialId>& ids)
{
    return chosen(context, ids, [](const core::Trial& trial) { return core::isFinal(trial.status); });
}

void cancelTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent, bool isEarlyStop)
{
    const TrialsInQuestion found = cancellable(context, ids);
    if (found.trials.isEmpty()) {
        context.actions.note(ids.isEmpty()
                ? ActionWords::tr("No trial is selected.")
                : ActionWords::tr("None of these trials can be cancelled: they have ended."));
        return;
    }
    const int silent = int(std::count_if(found.trials.begin(), found.trials.end(),
        [](const core::TrialPtr& trial) { return trial->status == core::TrialStatus::unknown; }));
    if (found.trials.size() == 1 && silent == 0) {
        toastCancel(context, found.trials, isEarlyStop);
        return;
    }
    QPushButton* go =
        makePrimaryButton(ActionWords::tr("Cancel %n trial(s)", nullptr, int(found.trials.size())), u"cancelled"_s);
    auto* preview = new Preview(ActionWords::tr("Cancel %n trial(s)?", nullptr, int(found.trials.size())),
        countsOf(found.trials) + u'.' + leftSentence(found.left), found.trials, go, parent);
    QCheckBox* giveUp = nullptr;
    if (silent > 0) {
        giveUp = new QCheckBox(
            ActionWords::tr(
                "Give up %n trial(s) whose machine does not answer: they end here at once, and there once it "
                "answers",
                nullptr, silent),
            preview);
        preview->extra->addRow(giveUp);
    }
    QObject::connect(preview, &QDialog::accepted, parent, [context, trials = found.trials, isEarlyStop, giveUp] {
        toastCancel(context, trials, isEarlyStop, giveUp && giveUp->isChecked());
    });
    preview->open();
}

void retryTrials(const PageContext& context, const QSet<core::TrialId>& ids, QWidget* parent)
{
    const TrialsInQuestion found = retryable(context, ids);
    if (found.trials.isEmpty()) {
        context.actions.note(ids.isEmpty()
                ? ActionWords::tr("No trial is selected.")
                : ActionWords::tr("None of these trials can be retried: they have not ended."));
        return;
    }
    if (found.trials.size() == 1) {
        toastRetry(context, found.trials, {});
        return;
    }
    QPushButton* go =
        makePrimaryButton(ActionWords::tr("Retry %n trial(s)", nullptr, int(found.trials.size())), u"retry"_s);
    auto* preview = new Preview(ActionWords::tr("Retry %n trial(s)?", nullptr, int(found.trials.size())),
        ActionWords::tr("Each runs again with its parameters, as another attempt: %1.").arg(countsOf(found.trials))
            + leftSentence(found.left),
        found.trials, go, parent);
    auto* where = new QComboBox(preview);
    where->addItem(ActionWords::tr("where they were"), QString());
    for (const core::PlatformPtr& platform : context.mirror.state().platforms().list())
        where->addItem(models::platformName(platform->id), platform->id.value);
    auto* gpus = new QSpinBox(preview);
    gpus->setRange(-1, 64);
    gpus->setValue(-1);
    gpus->setSpecialValueText(ActionWords::tr("as before"));
    preview->extra->addRow(ActionWords::tr("Platform"), where);
    preview->extra->addRow(ActionWords::tr("GPUs a trial"), gpus);
    QObject::connect(preview, &QDialog::accepted, parent, [context, trials = found.trials, where, gpus] {
        api::TrialOverrides overrides;
        overrides.platformId = core::PlatformId(where->currentData().toString());
        if (gpus->value() >= 0)
            overrides.gpuNumber = gpus->value();
        toastRetry(context, trials, overrides);
    });
    preview->open();
}

} // namespace ui
