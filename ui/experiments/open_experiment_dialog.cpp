// SPDX-License-Identifier: GPL-3.0-or-later
#include "open_experiment_dialog.h"

#include "models/machine_cells.h"
#include "models/engine_mirror.h"
#include "models/experiments/plan_run.h"
#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/actions.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTableWidget>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

QScrollArea* scrolling(QWidget* content, const QString& name, QWidget* parent)
{
    auto* scroll = new QScrollArea(parent);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(name);
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    scroll->setWidget(content);
    return scroll;
}

QLabel* caption(const QString& text, QWidget* parent)
{
    QLabel* label = makeLabel(text, TextSize::body, QFont::DemiBold, parent);
    label->setContentsMargins(0, 0, 0, 0);
    return label;
}

} // namespace

OpenExperimentDialog::OpenExperimentDialog(const PageContext& context, models::ExperimentPlan plan, QWidget* parent)
    : QDialog(parent)
    , m_context(context)
    , m_plan(std::move(plan))
    , m_places(models::placesOf(m_plan, context.mirror.state()))
    , m_place(new QComboBox(this))
    , m_problem(new ProblemLabel(TextSize::body, this))
    , m_progress(makeQuietLabel({}, TextSize::body, this))
    , m_create(makePrimaryButton(tr("Create experiment"), {}, this))
{
    setWindowTitle(tr("Open an experiment"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 16);
    layout->setSpacing(metrics::margin);
    auto* head = new QHBoxLayout;
    head->addWidget(
        makeLabel(models::printable(QFileInfo(m_plan.file).fileName(), 80), TextSize::pageTitle, QFont::DemiBold));
    head->addSpacing(metrics::gap);
    QLabel* folder =
        makeQuietLabel(models::printable(QFileInfo(m_plan.file).absolutePath(), 200), TextSize::body, this);
    head->addWidget(folder, 1);
    layout->addLayout(head);
    if (!m_plan.needsNni.isEmpty()) {
        auto* card = new Card(this);
        card->setEdge(&Roles::unknown);
        card->setFill(&Roles::tintWarn);
        auto* inside = new QVBoxLayout(card);
        inside->setContentsMargins(16, 10, 16, 10);
        QLabel* text = makeLabel(models::printable(m_plan.needsNni, 1'000), TextSize::body, QFont::Normal, card);
        text->setWordWrap(true);
        makeSelectable(text);
        inside->addWidget(text);
        layout->addWidget(card);
    }
    auto* body = new QHBoxLayout;
    body->setSpacing(metrics::margin);
    body->addWidget(buildPlan(), 5);
    body->addWidget(buildSide(), 4);
    layout->addLayout(body, 1);
    layout->addWidget(m_problem);
    m_progress->hide();
    layout->addWidget(m_progress);

    auto* foot = new QHBoxLayout;
    foot->setSpacing(metrics::gap);
    foot->addWidget(makeQuietLabel(tr("Runs on"), TextSize::body, this));
    m_place->setAccessibleName(tr("Platform"));
    for (const models::PlanPlace& place : std::as_const(m_places))
        m_place->addItem(
            place.isNew ? tr("%1 (new, as the file says)").arg(place.id.value) : models::platformName(place.id));
    m_place->setMinimumWidth(context.theme.scaled(200));
    foot->addWidget(m_place);
    foot->addStretch(1);
    QPushButton* cancel = makeButton(tr("Cancel"), {}, this);
    QPushButton* edit = makeButton(tr("Edit first"), u"edit"_s, this);
    edit->setToolTip(tr("Opens it as a new experiment, to be changed before it runs"));
    foot->addWidget(cancel);
    foot->addWidget(edit);
    foot->addWidget(m_create);
    layout->addLayout(foot);
    m_create->setEnabled(m_plan.needsNni.isEmpty());
    if (!m_plan.codeProblem.isEmpty())
        m_problem->tell(m_plan.codeProblem);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(edit, &QPushButton::clicked, this, &OpenExperimentDialog::edit);
    connect(m_create, &QPushButton::clicked, this, &OpenExperimentDialog::create);
    resize(context.theme.scaled(960), context.theme.scaled(620));
    m_create->setFocus(Qt::OtherFocusReason);
}

QWidget* OpenExperimentDialog::buildPlan()
{
    auto* card = new Card(this);
    auto* outer = new QVBoxLayout(card);
    outer->setContentsMargins(1, 4, 1, 4);
    auto* content = new QWidget(card);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setHorizontalSpacing(metrics::margin);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int row = 0;
    grid->addWidget(caption(tr("The experiment, in our words"), content), row++, 0, 1, 2);
    for (const auto& [name, value] : models::linesOf(m_plan)) {
        QLabel* label = makeQuietLabel(models::printable(name, 60), TextSize::body, content);
        label->setContentsMargins(name.startsWith(u' ') ? 12 : 0, 0, 0, 0);
        QLabel* text = makeLabel(models::printable(value, 600), TextSize::body, QFont::Normal, content);
        text->setWordWrap(true);
        makeSelectable(text);
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(text, row++, 1);
    }
    grid->setRowStretch(row, 1);
    outer->addWidget(scrolling(content, tr("The experiment"), card));
    return card;
}

QWidget* OpenExperimentDialog::buildSide()
{
    auto* side = new QWidget(this);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins({});
    layout->setSpacing(metrics::margin);

    auto* notes = new Card(side);
    auto* outer = new QVBoxLayout(notes);
    outer->setContentsMargins(1, 4, 1, 4);
    auto* content = new QWidget(notes);
    auto* inside = new QVBoxLayout(content);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->setSpacing(6);
    inside->addWidget(caption(tr("Without effect here"), content));
    if (m_plan.notes.isEmpty())
        inside->addWidget(makeQuietLabel(tr("Nothing: every field of the file is used."), TextSize::body, content));
    for (const QString& note : std::as_const(m_plan.notes)) {
        QLabel* text = makeLabel(models::printable(note, 400), TextSize::body, QFont::Normal, content);
        text->setWordWrap(true);
        makeSelectable(text);
        inside->addWidget(text);
    }
    inside->addStretch(1);
    outer->addWidget(scrolling(content, tr("Fields without effect"), notes));
    layout->addWidget(notes, 1);

    auto* files = new Card(side);
    auto* below = new QVBoxLayout(files);
    below->setContentsMargins(1, 8, 1, 4);
    below->setSpacing(metrics::gap);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 4, 16, 0);
    head->addWidget(caption(tr("Code"), files));
    const QString amount = m_plan.files.isEmpty()
        ? (m_plan.spec.codeInPlace && !m_plan.pack ? tr("used where it is") : tr("nothing is copied"))
        : tr("%n file(s), %1", nullptr, int(m_plan.files.size())).arg(models::bytesText(m_plan.bytes));
    head->addWidget(makeQuietLabel(amount, TextSize::body, files), 1);
    below->addLayout(head);
    auto* table = new QTableWidget(int(m_plan.files.size()), 2, files);
    setUpTable(table, tr("Files that are copied"));
    table->setHorizontalHeaderLabels({tr("File"), tr("Size")});
    for (int row = 0; row < table->rowCount(); ++row) {
        const models::PlannedFile& file = m_plan.files[row];
        table->setItem(row, 0, new QTableWidgetItem(models::printable(file.path, 300)));
        auto* size = new QTableWidgetItem(models::bytesText(file.size));
        size->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table->setItem(row, 1, size);
    }
    table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table->horizontalHeader()->setStretchLastSection(false);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table->setColumnWidth(1, m_context.theme.scaled(88));
    table->setVisible(!m_plan.files.isEmpty());
    below->addWidget(table, 1);
    layout->addWidget(files, m_plan.files.isEmpty() ? 0 : 1);
    if (!m_plan.leftOut.isEmpty())
        layout->addWidget(buildLeftOut(side), 1);
    return side;
}

QWidget* OpenExperimentDialog::buildLeftOut(QWidget* parent)
{
    auto* card = new Card(parent);
    card->setObjectName(u"leftOut"_s);
    auto* outer = new QVBoxLayout(card);
    outer->setContentsMargins(1, 4, 1, 4);
    auto* content = new QWidget(card);
    auto* inside = new QVBoxLayout(content);
    inside->setContentsMargins(16, 12, 16, 12);
    inside->setSpacing(6);
    inside->addWidget(caption(tr("Left out of the copy"), content));
    constexpr qsizetype most = 100; // a folder of thousands of broken links
    for (const QString& sentence : m_plan.leftOut.first(std::min(most, m_plan.leftOut.size()))) {
        QLabel* text = makeLabel(models::printable(sentence, 600), TextSize::body, QFont::Normal, content);
        text->setWordWrap(true);
        makeSelectable(text);
        inside->addWidget(text);
    }
    if (m_plan.leftOut.size() > most)
        inside->addWidget(makeQuietLabel(tr("and %1 more").arg(m_plan.leftOut.size() - most), TextSize::body, content));
    inside->addStretch(1);
    outer->addWidget(scrolling(content, tr("Left out of the copy"), card));
    return card;
}

models::PlanPlace OpenExperimentDialog::place() const
{
    return m_places.value(m_place->currentIndex());
}

void OpenExperimentDialog::create()
{
    if (m_places.isEmpty()) {
        m_problem->tell(m_plan.kind.isEmpty()
                ? tr("There is no platform %1.").arg(models::platformNameWithId(m_plan.spec.platformId))
                : tr("There is no platform of the kind %1. Add one first.").arg(m_plan.kind));
        return;
    }
    m_problem->tell({});
    m_progress->show();
    setBusy(m_create, true);
    auto* run = new models::PlanRun(m_context.mirror, m_plan, place(), this);
    connect(run, &models::PlanRun::told, m_progress, &QLabel::setText);
    connect(run, &models::PlanRun::finished, this, [this, run](const core::Result<core::ExperimentId>& created) {
        run->deleteLater();
        m_progress->hide();
        setBusy(m_create, false);
        if (!created) {
            m_problem->tell(core::localized(created.error().message));
            return;
        }
        m_context.actions.showExperiment(*created);
        m_context.actions.showPage(u"overview"_s);
        accept();
    });
    run->start();
}

void OpenExperimentDialog::edit()
{
    const models::PlanPlace at = place();
    core::ExperimentSpec spec = models::specAt(m_plan, at.isNew ? core::PlatformId() : at.id, m_context.mirror.state());
    accept();
    m_context.actions.openNewExperiment(spec);
}

} // namespace ui
