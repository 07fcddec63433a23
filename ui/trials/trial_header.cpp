// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_header.h"

#include "note_edit.h"

#include "models/engine_mirror.h"
#include "models/printable.h"
#include "models/trials/trial_sentence.h"
#include "ui/kit/actions.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/icons.h"
#include "ui/kit/markup_label.h"
#include "ui/kit/theme.h"
#include "ui/kit/trial_actions.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDateTime>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPointer>
#include <QThreadPool>
#include <QUrl>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace ui {

/// The cluster's page about the trial; empty: there is none that can be opened. Whoever answers for the cluster may have chosen it: nothing but a
/// page of the web is opened.
static QUrl pageOf(const core::Trial& trial)
{
    const QUrl page(trial.url, QUrl::StrictMode);
    const bool isWeb = page.scheme() == "https"_L1 || page.scheme() == "http"_L1;
    return page.isValid() && isWeb && !page.host().isEmpty() && page.userInfo().isEmpty() ? page : QUrl();
}

TrialHeader::TrialHeader(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
{
    m_star = new IconLabel(u"star"_s, &Roles::ink, metrics::icon, this);
    m_star->setAccessibleName(tr("Best trial"));
    m_title = makeLabel({}, TextSize::title, QFont::DemiBold, this);
    m_experiment = makeQuietLabel({}, TextSize::body, this);
    m_state = new StateLabel(this);
    QToolButton* more = makeIconButton(u"more"_s, tr("More actions"), this);
    QToolButton* close = makeIconButton(u"close"_s, tr("Close the inspector"), this);
    auto* words = new FlowLayout(metrics::gap);
    words->addWidget(m_star);
    words->addWidget(m_title);
    words->addWidget(m_experiment);
    words->addWidget(m_state);
    auto* top = new QHBoxLayout;
    top->setSpacing(metrics::gap);
    top->addLayout(words, 1);
    top->addWidget(more, 0, Qt::AlignTop);
    top->addWidget(close, 0, Qt::AlignTop);

    m_result = new MarkupLabel(TextSize::title, QFont::Normal, this);
    m_result->setWordWrap(true);
    makeSelectable(m_result);
    m_detail = makeQuietLabel({}, TextSize::body, this);
    m_detail->setWordWrap(true);
    makeSelectable(m_detail);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::margin, 12, metrics::gap, metrics::gap);
    layout->setSpacing(metrics::tight);
    layout->addLayout(top);
    layout->addSpacing(metrics::tight);
    layout->addWidget(m_result);
    layout->addWidget(m_detail);
    layout->addSpacing(metrics::tight);
    layout->addLayout(makeButtons());

    connect(close, &QToolButton::clicked, this, &TrialHeader::closeWanted);
    connect(more, &QToolButton::clicked, this, &TrialHeader::openMenu);
    connect(&context.theme, &Theme::changed, this, &TrialHeader::refresh);
    // The experiment's best trial may have changed.
    connect(&context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (!change->experiments.isEmpty())
            refresh();
    });
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (isVisible() && m_trial) // of one that has ended, how long ago its best was goes on
            refresh();
    });
    m_clock.start(1s);
}

QLayout* TrialHeader::makeButtons()
{
    m_act = makeButton({}, {}, this);
    QPushButton* copy = makeButton(tr("Copy with edits"), u"copy"_s, this);
    m_open = makeButton(tr("Open folder"), u"folder"_s, this);
    m_open->hide(); // until lookForFolder() has found the folder
    auto* buttons = new FlowLayout(metrics::gap);
    for (QPushButton* button : {m_act, copy, m_open})
        buttons->addWidget(button);
    connect(m_act, &QPushButton::clicked, this, [this] {
        if (!m_trial)
            return;
        if (core::isFinal(m_trial->status))
            retryTrials(m_context, {m_trial->id}, window());
        else
            cancelTrials(m_context, {m_trial->id}, window());
    });
    connect(copy, &QPushButton::clicked, this, [this] {
        if (const core::ExperimentPtr from = experiment())
            m_context.actions.openNewExperiment(from->spec, m_trial->id);
    });
    connect(m_open, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_trial->workingDirectory)); });
    return buttons;
}

core::ExperimentPtr TrialHeader::experiment() const
{
    return m_trial ? m_context.mirror.state().experiments().find(m_trial->experimentId) : nullptr;
}

void TrialHeader::setTrial(const core::TrialPtr& trial)
{
    m_trial = trial;
    refresh();
}

void TrialHeader::setExperimentNamed(bool isNamed)
{
    m_isExperimentNamed = isNamed;
    refresh();
}

void TrialHeader::refresh()
{
    if (!m_trial)
        return;
    const core::Trial& trial = *m_trial;
    const core::ExperimentPtr of = experiment();
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const bool isBest = models::isBest(trial, of);
    m_star->setVisible(isBest);
    m_title->setText(tr("Trial %1").arg(trial.sequenceId));
    m_title->setToolTip(trial.id.value);
    m_experiment->setVisible(m_isExperimentNamed && of);
    m_experiment->setText(of ? models::printable(of->spec.name, 40) : QString());
    m_experiment->setToolTip(of ? models::printable(of->spec.name, 400) : QString());
    const StateLook look = m_context.theme.state(trial.status);
    m_state->setLook(look, models::stateSentence(trial, look.word, now));
    m_result->setMarkup(models::resultSentence(trial, of, now));
    const QString detail = models::detailSentence(trial, of, now);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    const bool ended = core::isFinal(trial.status);
    m_act->setText(ended ? tr("Retry") : tr("Cancel"));
    m_act->setIcon(icons::icon(themeOf(*this), ended ? u"retry"_s : u"stop"_s));
    m_act->setEnabled(ended || !trial.cancelIntent);
    lookForFolder();
}

/// Shows the button for the trial's folder if the folder exists on this computer. The check runs on a pool thread, because a
/// network file system may be slow or not respond, and only when folder or status have changed.
void TrialHeader::lookForFolder()
{
    const std::pair wanted(m_trial->workingDirectory, m_trial->status);
    if (wanted == m_folder)
        return;
    if (wanted.first != m_folder.first)
        m_open->hide();
    m_folder = wanted;
    if (wanted.first.isEmpty())
        return;
    QThreadPool::globalInstance()->start([self = QPointer(this), wanted] {
        const QFileInfo info(wanted.first);
        const bool isHere = info.isAbsolute() && info.isDir(); // the desktop might run what is a file
        QMetaObject::invokeMethod(qApp, [self, wanted, isHere] {
            if (self && self->m_folder == wanted)
                self->m_open->setVisible(isHere);
        });
    });
}

void TrialHeader::openMenu()
{
    if (!m_trial)
        return;
    QMenu menu(this);
    if (!core::isFinal(m_trial->status))
        menu.addAction(icons::icon(themeOf(*this), u"early-stopped"_s), tr("Stop early"), this,
            [this] { cancelTrials(m_context, {m_trial->id}, window(), true); });
    if (m_trial->status == core::TrialStatus::waiting)
        menu.addAction(icons::icon(themeOf(*this), u"waiting"_s), tr("Why is it waiting?"), this,
            [this] { m_context.actions.showWhyWaiting(m_trial->id); });
    if (!m_trial->machineId.isEmpty())
        menu.addAction(icons::icon(themeOf(*this), u"machines"_s), tr("Show its machine"), this,
            [this] { m_context.actions.showMachine(m_trial->machineId); });
    if (!m_trial->retryOf.isEmpty())
        menu.addAction(icons::icon(themeOf(*this), u"retry"_s), tr("Show the attempt before"), this,
            [this] { m_context.actions.showTrial(m_trial->retryOf); });
    if (const QUrl page = pageOf(*m_trial); !page.isEmpty())
        menu.addAction(icons::icon(themeOf(*this), u"platforms"_s),
            tr("Open its page on %1").arg(models::printable(page.host(), 60)), this,
            [page] { QDesktopServices::openUrl(page); });
    menu.addAction(icons::icon(themeOf(*this), u"note"_s), tr("Note…"), this,
        [this] { editNote(m_context, {m_trial->id}, window()); });
    menu.addSeparator();
    const auto copy = [&](const QString& title, const QString& text) {
        menu.addAction(icons::icon(themeOf(*this), u"copy"_s), title, this,
            [text] { QGuiApplication::clipboard()->setText(text); });
    };
    copy(tr("Copy id"), m_trial->id.value);
    copy(tr("Copy parameters"), QString::fromUtf8(m_trial->parameters));
    if (!m_trial->workingDirectory.isEmpty())
        copy(tr("Copy folder"), m_trial->workingDirectory);
    menu.exec(QCursor::pos());
}

} // namespace ui
