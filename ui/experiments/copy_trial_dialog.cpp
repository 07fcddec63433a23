// SPDX-License-Identifier: GPL-3.0-or-later
#include "copy_trial_dialog.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "services/core/message/localized.h"
#include "services/api/json_slice.h"
#include "ui/kit/actions.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QFormLayout>
#include <QPointer>
#include <QHeaderView>
#include <QSpinBox>
#include <QTableWidget>

using namespace Qt::StringLiterals;

namespace ui {

CopyTrialDialog::CopyTrialDialog(const PageContext& context, const core::Trial& trial, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_trial(trial)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Copy trial %1").arg(trial.sequenceId));
    resize(520, 520);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, metrics::margin, 24, metrics::margin);
    layout->setSpacing(metrics::gap);
    layout->addWidget(
        makeLabel(tr("Copy trial %1 with edits").arg(trial.sequenceId), TextSize::title, QFont::DemiBold, this));
    layout->addWidget(makeQuietLabel(tr("It becomes a new trial of the same experiment."), TextSize::body, this));

    m_table = new QTableWidget(0, 2, this);
    m_table->setAccessibleName(tr("Parameters"));
    m_table->setHorizontalHeaderLabels({tr("Parameter"), tr("Value")});
    m_table->verticalHeader()->hide();
    m_table->setShowGrid(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->resizeSection(0, context.theme.scaled(170));
    m_table->setEditTriggers(QAbstractItemView::AllEditTriggers);
    const api::JsonSlice object{QByteArrayView(m_trial.parameters)};
    if (api::checkJson(m_trial.parameters) && object.kind() == core::JsonKind::object) {
        for (api::MemberWalker member(object); member.next();) {
            const int row = m_table->rowCount();
            m_table->insertRow(row);
            auto* name = new QTableWidgetItem(QString::fromUtf8(member.key()));
            name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            m_table->setItem(row, 0, name);
            // Show values as JSON, strings with quotes, so that their types are kept.
            m_table->setItem(row, 1, new QTableWidgetItem(QString::fromUtf8(member.value().text())));
        }
    }
    layout->addWidget(m_table, 1);

    m_gpus = new QSpinBox(this);
    m_gpus->setRange(-1, 64);
    m_gpus->setSpecialValueText(tr("as the experiment"));
    m_gpus->setValue(trial.gpuNumber.value_or(-1));
    m_priority = new QSpinBox(this);
    m_priority->setRange(-1000, 1000);
    m_priority->setValue(trial.priority);
    m_tags = new QLineEdit(trial.tags.join(u", "_s), this);
    auto* form = new QFormLayout;
    form->addRow(tr("GPUs"), m_gpus);
    form->addRow(tr("Priority"), m_priority);
    form->addRow(tr("Tags"), m_tags);
    layout->addLayout(form);

    m_problem = new ProblemLabel(TextSize::header, this);
    layout->addWidget(m_problem);
    auto* buttons = new QHBoxLayout;
    QPushButton* cancel = makeButton(tr("Cancel"), {}, this);
    m_run = makePrimaryButton(tr("Run this trial"), u"play"_s, this);
    m_run->setDefault(true);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_run);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_run, &QPushButton::clicked, this, &CopyTrialDialog::submit);
}

core::Result<QByteArray> CopyTrialDialog::parameters() const
{
    QByteArray out = "{";
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const QString name = m_table->item(row, 0)->text();
        QByteArray value = m_table->item(row, 1)->text().trimmed().toUtf8();
        if (value.isEmpty())
            return core::fail(core::Kind::invalid, tr("%1 has no value.").arg(models::printable(name, 60)));
        // Text that is not valid JSON is taken as a string without quotes.
        if (!api::checkJson(value))
            value = core::dumpJson(core::Json(QString::fromUtf8(value)));
        out += (row ? ", " : "") + core::dumpJson(core::Json(name)) + ": " + value;
    }
    return out + '}';
}

void CopyTrialDialog::submit()
{
    const core::Result<QByteArray> text = parameters();
    m_problem->tell(text ? QString() : core::localized(text.error().message));
    if (!text)
        return;
    api::SubmitTrials command;
    command.experiment = m_trial.experimentId;
    api::TrialSubmission request;
    request.parameters = *text;
    request.priority = m_priority->value();
    if (m_gpus->value() >= 0)
        request.gpuNumber = m_gpus->value();
    for (const QString& tag : m_tags->text().split(u',', Qt::SkipEmptyParts)) {
        if (!tag.trimmed().isEmpty())
            request.tags.append(tag.trimmed());
    }
    command.trials = {request};
    setBusy(m_run, true);
    const QPointer<CopyTrialDialog> self(this);
    m_context.mirror.ask(std::move(command), [self, context = m_context](const core::Result<api::Reply>& reply) {
        if (!self)
            return;
        setBusy(self->m_run, false);
        self->m_problem->tell(reply ? QString() : core::localized(reply.error().message));
        if (!reply)
            return;
        const auto document = client::documentOf(*reply);
        self->accept();
        if (document && document->contains("trials") && (*document)["trials"].is_array()
            && !(*document)["trials"].empty())
            context.actions.showTrial(
                core::TrialId(QString::fromStdString((*document)["trials"][0].value("id", std::string()))));
    });
}

} // namespace ui
