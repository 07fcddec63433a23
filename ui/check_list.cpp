// SPDX-License-Identifier: GPL-3.0-or-later
#include "check_list.h"

#include "format.h"
#include "widgets.h"

#include <QBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

CheckList::CheckList(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel({}, TextSize::body, QFont::DemiBold, this))
    , m_steps(new QVBoxLayout)
{
    setAccessibleName(tr("Results of the check"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_title);
    m_steps->setSpacing(metrics::tight);
    layout->addLayout(m_steps);
    hide();
}

void CheckList::setRequest(const core::RequestPtr& request)
{
    if (request == m_request)
        return;
    m_request = request;
    setVisible(request != nullptr);
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!request)
        return;
    const bool running = request->state == u"running"_s;
    m_title->setText(running                   ? tr("Checking …")
            : request->state == u"succeeded"_s ? tr("Check passed")
                                               : tr("Check failed"));
    for (const core::CheckStep& step : request->steps)
        addStep(step);
    if (!running && request->state != u"succeeded"_s && !request->message.isEmpty()) {
        QLabel* said = makeLabel(safeText(request->message, 1'000), TextSize::body, QFont::Normal, this);
        said->setWordWrap(true);
        makeSelectable(said);
        m_steps->addWidget(said);
    }
}

void CheckList::addStep(const core::CheckStep& step)
{
    const bool bad = step.state == u"fail"_s || step.state == u"warn"_s;
    auto* box = new Card(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(metrics::tight);
    if (bad) {
        box->setEdge(step.state == u"fail"_s ? &Roles::failed : &Roles::unknown);
        box->setFill(step.state == u"fail"_s ? &Roles::tintFailed : &Roles::tintWarn);
    }
    auto* row = new QHBoxLayout;
    auto* look = new StateLabel(box);
    StateLook state = Theme::current().step(step.state);
    const QString word = state.word;
    look->setLook(state, safeText(step.title, 80));
    look->setAccessibleName(u"%1: %2"_s.arg(step.title, word));
    row->addWidget(look);
    QLabel* detail = makeQuietLabel(safeText(step.detail, 400), TextSize::header, box);
    detail->setWordWrap(true);
    detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    makeSelectable(detail);
    row->addWidget(detail, 1);
    layout->addLayout(row);
    if (!step.remedy.isEmpty()) {
        QLabel* remedy = makeLabel(safeText(step.remedy, 1'000), TextSize::body, QFont::Normal, box);
        remedy->setWordWrap(true);
        makeSelectable(remedy);
        layout->addWidget(remedy);
    }
    m_steps->addWidget(box);
}

} // namespace ui
