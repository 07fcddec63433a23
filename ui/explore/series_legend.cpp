// SPDX-License-Identifier: GPL-3.0-or-later
#include "series_legend.h"

#include "models/format.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QGridLayout>
#include <QGuiApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int legendWidth = 200;
} // namespace

QIcon seriesDot(const QColor& color, qreal ratio)
{
    QPixmap pixmap(QSize(seriesDotSize, seriesDotSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QRectF(0, 0, seriesDotSize, seriesDotSize));
    return pixmap;
}

SeriesLegend::SeriesLegend(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel({}, TextSize::header, QFont::DemiBold, this))
    , m_part(makeQuietLabel({}, TextSize::header, this))
    , m_grid(new QGridLayout)
{
    setFixedWidth(themeOf(*this).scaled(legendWidth));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(metrics::tight);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnStretch(2, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::gap, 0, 0, 0);
    layout->setSpacing(metrics::tight);
    layout->addWidget(m_title);
    layout->addWidget(m_part);
    layout->addLayout(m_grid);
    layout->addStretch();
}

void SeriesLegend::setRows(const QList<Row>& rows)
{
    if (rows == m_rows)
        return;
    m_rows = rows;
    build();
}

void SeriesLegend::setSelected(qsizetype colored, qsizetype selected)
{
    m_selected = colored > 0 ? tr("%1 of %2 selected").arg(colored).arg(models::countText(selected)) : QString();
    m_part->setVisible(colored > 0);
    m_part->setToolTip(tr("The best %1 of the selection have a colour, the others are grey.").arg(colored));
}

void SeriesLegend::build()
{
    const auto focused = focusWidget() ? focusWidget()->objectName() : QString();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_values.clear();
    const Theme& theme = themeOf(*this);
    for (int i = 0; i < int(m_rows.size()); ++i) {
        const Row& row = m_rows[i];
        QToolButton* eye = makeIconButton(row.isHidden ? u"eye-off"_s : u"eye"_s,
            (row.isHidden ? tr("Show trial %1") : tr("Hide trial %1")).arg(row.number), this);
        eye->setObjectName(u"eye-%1"_s.arg(row.trial.value));
        eye->setFixedSize(metrics::smallControl, metrics::smallControl);
        // Queued: the rows, and this button with them, are made anew by what follows.
        connect(
            eye, &QToolButton::clicked, this, [this, row] { emit hiddenChanged(row.trial, !row.isHidden); },
            Qt::QueuedConnection);
        auto* name = new QToolButton(this);
        name->setAutoRaise(true);
        name->setText(row.number);
        name->setObjectName(u"name-%1"_s.arg(row.trial.value));
        name->setAccessibleName(tr("Trial %1").arg(row.number));
        name->setToolTip(tr("Mark trial %1 in all charts; with Ctrl take it out of the selection").arg(row.number));
        name->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        name->setIconSize({seriesDotSize, seriesDotSize});
        name->setIcon(seriesDot(row.color, devicePixelRatioF()));
        name->setFixedHeight(metrics::smallControl);
        connect(
            name, &QToolButton::clicked, this,
            [this, row] {
                emit trialPressed(row.trial, QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
            },
            Qt::QueuedConnection);
        m_grid->addWidget(eye, i, 0);
        m_grid->addWidget(name, i, 1);
        if (row.isBest) {
            auto* star = new QLabel(this);
            star->setPixmap(icons::pixmap(u"star"_s, theme.roles().ink, 12, devicePixelRatioF()));
            star->setToolTip(tr("The best trial"));
            star->setAccessibleName(tr("The best trial"));
            m_grid->addWidget(star, i, 2);
        }
        const std::pair value(
            makeLabel({}, TextSize::header, QFont::Normal, this), makeQuietLabel({}, TextSize::header, this));
        for (QLabel* label : {value.first, value.second})
            label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_grid->addWidget(value.first, i, 3);
        m_grid->addWidget(value.second, i, 4);
        m_values.append(value);
        for (QToolButton* one : {eye, name}) {
            if (!focused.isEmpty() && one->objectName() == focused)
                one->setFocus();
        }
    }
}

void SeriesLegend::setValues(const QString& place, const std::function<Value(const core::TrialId&)>& valueOf)
{
    const bool isPart = !m_selected.isEmpty();
    m_title->setText(!place.isEmpty() ? place : isPart ? m_selected : tr("%n trial(s)", nullptr, int(m_rows.size())));
    m_part->setText(place.isEmpty() ? tr("The others are grey") : m_selected);
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        const Row& row = m_rows[i];
        const Value value = place.isEmpty() || row.isHidden ? Value() : valueOf(row.trial);
        m_values[i].first->setText(value.shown);
        m_values[i].second->setText(value.raw);
    }
}

} // namespace ui
