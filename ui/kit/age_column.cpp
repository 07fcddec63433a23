// SPDX-License-Identifier: GPL-3.0-or-later
#include "age_column.h"

#include "models/format.h"

#include <QDateTime>
#include <QLocale>
#include <QTimer>
#include <QTreeWidget>

#include <chrono>

namespace ui {

using namespace std::chrono_literals;

namespace {

constexpr int timeRole = Qt::UserRole + 100;
constexpr auto renewal = 1s; ///< ages below a minute count seconds

void showAge(QTreeWidgetItem& item, int column, qint64 now)
{
    const QString text = models::agoText(item.data(column, timeRole).toLongLong(), now);
    if (text != item.text(column))
        item.setText(column, text);
}

} // namespace

void setAge(QTreeWidgetItem& item, int column, qint64 time)
{
    item.setData(column, timeRole, time);
    if (time > 0)
        item.setToolTip(column, QLocale().toString(QDateTime::fromMSecsSinceEpoch(time), QLocale::LongFormat));
    showAge(item, column, QDateTime::currentMSecsSinceEpoch());
}

void keepAges(QTreeWidget& list, int column)
{
    auto* clock = new QTimer(&list);
    QObject::connect(clock, &QTimer::timeout, &list, [&list, column] {
        if (!list.isVisible())
            return;
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (int row = 0; row < list.topLevelItemCount(); ++row)
            showAge(*list.topLevelItem(row), column, now);
    });
    clock->start(renewal);
}

} // namespace ui
