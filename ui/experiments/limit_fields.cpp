// SPDX-License-Identifier: GPL-3.0-or-later
#include "limit_fields.h"

#include "models/trials/tag_edit.h"
#include "ui/fields/duration_box.h"
#include "ui/kit/widgets.h"

#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int mostTrials = 1'000'000;

QSpinBox* makeCount(const QString& name, const QString& none, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setRange(none.isEmpty() ? 1 : 0, mostTrials);
    box->setSpecialValueText(none);
    box->setAccessibleName(name);
    box->setGroupSeparatorShown(true);
    return box;
}

/// Zero stands for no limit.
std::optional<qint64> limitOf(const QSpinBox& box)
{
    return box.value() == 0 ? std::optional<qint64>() : std::optional<qint64>(box.value());
}

} // namespace

LimitFields::LimitFields(QWidget* parent)
    : QWidget(parent)
    , m_concurrency(makeCount(tr("At once"), {}, this))
    , m_trials(makeCount(tr("Trials"), tr("no limit"), this))
    , m_time(new DurationBox(tr("Time"), tr("no limit"), this))
    , m_trialTime(new DurationBox(tr("Time a trial"), tr("no limit"), this))
    , m_tags(new QLineEdit(this))
{
    m_tags->setAccessibleName(tr("Tags"));
    m_tags->setPlaceholderText(tr("separated by commas"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins({});
    form->setHorizontalSpacing(metrics::margin);
    form->addRow(tr("At once"), m_concurrency);
    form->addRow(tr("Trials"), m_trials);
    form->addRow(tr("Time"), m_time);
    form->addRow(tr("Time a trial"), m_trialTime);
    form->addRow(tr("Tags"), m_tags);
    for (QSpinBox* box : std::initializer_list<QSpinBox*>{m_concurrency, m_trials, m_time, m_trialTime})
        connect(box, &QSpinBox::valueChanged, this, [this, box] { touch(box); });
    connect(m_tags, &QLineEdit::textEdited, this, [this] { touch(m_tags); });
}

void LimitFields::touch(const QWidget* field)
{
    m_touched.insert(field);
    emit edited();
}

void LimitFields::show(const core::Experiment& experiment)
{
    if (experiment.id != m_experiment.id)
        m_touched.clear();
    m_experiment = experiment;
    const auto set = [this](QSpinBox* box, qint64 value) {
        if (m_touched.contains(box))
            return;
        const QSignalBlocker quiet(box);
        box->setValue(int(std::min<qint64>(value, box->maximum())));
    };
    set(m_concurrency, experiment.spec.trialConcurrency);
    set(m_trials, experiment.spec.maxTrialNumber.value_or(0));
    set(m_time, experiment.spec.maxDurationSeconds.value_or(0));
    set(m_trialTime, experiment.spec.maxTrialDurationSeconds.value_or(0));
    if (const QString tags = experiment.spec.tags.join(u", "_s); !m_touched.contains(m_tags) && m_tags->text() != tags)
        m_tags->setText(tags);
}

void LimitFields::drop()
{
    m_touched.clear();
    show(core::Experiment(m_experiment));
}

std::optional<api::PatchExperiment> LimitFields::changes() const
{
    const core::ExperimentSpec& now = m_experiment.spec;
    api::PatchExperiment patch;
    patch.id = m_experiment.id;
    const auto change = [this](const QSpinBox* box, const std::optional<qint64>& old, auto& to) {
        if (m_touched.contains(box) && limitOf(*box) != old)
            to = limitOf(*box);
    };
    if (m_touched.contains(m_concurrency) && m_concurrency->value() != now.trialConcurrency)
        patch.trialConcurrency = m_concurrency->value();
    change(m_trials, now.maxTrialNumber, patch.maxTrialNumber);
    change(m_time, now.maxDurationSeconds, patch.maxDurationSeconds);
    change(m_trialTime, now.maxTrialDurationSeconds, patch.maxTrialDurationSeconds);
    if (const QStringList tags = models::tagsOfText(m_tags->text()); m_touched.contains(m_tags) && tags != now.tags)
        patch.tags = tags;
    const bool isAny = patch.trialConcurrency || patch.maxTrialNumber || patch.maxDurationSeconds
        || patch.maxTrialDurationSeconds || patch.tags;
    return isAny ? std::optional(patch) : std::nullopt;
}

} // namespace ui
