// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_events_tab.h"

#include "models/printable.h"
#include "models/trials/trial_details.h"
#include "ui/kit/theme.h"

#include <QDateTime>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace ui {

TrialEventsTab::TrialEventsTab(models::TrialDetails& details, QWidget* parent)
    : FactList({tr("When"), tr("What happened")}, tr("Events"), parent)
    , m_details(details)
{
    setWordWrap(true);
    setUniformRowHeights(false);
    connect(&details, &models::TrialDetails::eventsChanged, this, &TrialEventsTab::fill);
    connect(&themeOf(*this), &Theme::changed, this, &TrialEventsTab::fill);
}

void TrialEventsTab::fill()
{
    clear();
    const QDate today = QDate::currentDate();
    for (const core::TrialEvent& event : m_details.events()) {
        const QDateTime when = QDateTime::fromMSecsSinceEpoch(event.time);
        auto* row = new QTreeWidgetItem(this,
            {when.toString(when.date() == today ? u"HH:mm:ss"_s : u"d MMM HH:mm:ss"_s),
                models::printable(event.text, 2000)});
        row->setToolTip(0, QLocale().toString(when, QLocale::LongFormat));
        row->setToolTip(1, row->text(1));
        row->setForeground(0, themeOf(*this).roles().text2);
    }
    resizeColumnToContents(0);
    scrollToBottom();
}

} // namespace ui
