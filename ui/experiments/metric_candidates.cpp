// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_candidates.h"

#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QPainter>
#include <QPainterPath>
#include <QRadioButton>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace Qt::StringLiterals;

namespace ui {

using trial::PatternCandidate;

namespace {

/// The values in their order, without axes.
class Trace : public QWidget
{
public:
    Trace(const std::vector<double>& values, QWidget* parent)
        : QWidget(parent)
        , m_values(values)
    {
        setFixedSize(72, 20);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (m_values.size() < 2)
            return;
        const auto [low, high] = std::minmax_element(m_values.begin(), m_values.end());
        const double span = *high > *low ? *high - *low : 1;
        QPainterPath path;
        for (size_t i = 0; i < m_values.size(); ++i) {
            const QPointF at(1 + double(i) / double(m_values.size() - 1) * (width() - 2),
                height() - 2 - (m_values[i] - *low) / span * (height() - 4));
            if (i == 0)
                path.moveTo(at);
            else
                path.lineTo(at);
        }
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(themeOf(*this).roles().curve, 1.25));
        painter.drawPath(path);
    }

private:
    std::vector<double> m_values;
};

QString trendOf(const std::vector<double>& values)
{
    const size_t part = values.size() / 3;
    if (part == 0)
        return {};
    const auto mean = [part](auto from) { return std::accumulate(from, from + ptrdiff_t(part), 0.0) / double(part); };
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double moved = mean(values.end() - ptrdiff_t(part)) - mean(values.begin());
    if (std::abs(moved) < 0.25 * (*high - *low) || *high == *low)
        return MetricCandidates::tr("no trend");
    return moved > 0 ? MetricCandidates::tr("rises") : MetricCandidates::tr("falls");
}

QString wordsOf(const PatternCandidate& candidate)
{
    const auto [low, high] = std::minmax_element(candidate.values.begin(), candidate.values.end());
    QStringList words;
    if (low != candidate.values.end())
        words.append(*low == *high
                ? models::metricText(*low)
                : MetricCandidates::tr("%1 to %2").arg(models::metricText(*low), models::metricText(*high)));
    if (const QString trend = trendOf(candidate.values); !trend.isEmpty())
        words.append(trend);
    words.append(MetricCandidates::tr("%n line(s)", nullptr, candidate.lines));
    return words.join(u", "_s);
}

} // namespace

MetricCandidates::MetricCandidates(QWidget* parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
    , m_rows(new QVBoxLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, metrics::tight, 0, metrics::gap);
    layout->setSpacing(metrics::tight);
    layout->addWidget(makeLabel(tr("Metric, found in the output"), TextSize::caption, QFont::DemiBold, this));
    layout->addLayout(m_rows);
    layout->addStretch();
    m_rows->setSpacing(metrics::gap);
    setAccessibleName(tr("Metric, found in the output"));
    connect(m_group, &QButtonGroup::idClicked, this, [this](int which) {
        m_chosen = m_candidates[which].pattern;
        emit chosen(m_candidates[which]);
    });
    hide();
}

void MetricCandidates::offer(const QList<PatternCandidate>& candidates)
{
    const bool hadFocus = m_group->checkedButton() && m_group->checkedButton()->hasFocus();
    const QList<QAbstractButton*> buttons = m_group->buttons();
    for (QAbstractButton* button : buttons)
        m_group->removeButton(button);
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_candidates = candidates;
    for (int i = 0; i < int(candidates.size()); ++i) {
        const PatternCandidate& candidate = candidates[i];
        auto* row = new QWidget(this);
        auto* grid = new QGridLayout(row);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(metrics::gap);
        grid->setVerticalSpacing(0);
        auto* button = new QRadioButton(models::printable(candidate.name, 40), row);
        button->setFont(themeOf(*this).font(TextSize::mono));
        button->setAccessibleDescription(wordsOf(candidate));
        button->setToolTip(candidate.pattern);
        button->setChecked(candidate.pattern == m_chosen);
        auto* words = makeQuietLabel(wordsOf(candidate), TextSize::caption, row);
        words->setIndent(24);
        grid->addWidget(button, 0, 0);
        grid->addWidget(words, 1, 0);
        grid->addWidget(new Trace(candidate.values, row), 0, 1, 2, 1, Qt::AlignVCenter);
        grid->setColumnStretch(0, 1);
        m_group->addButton(button, i);
        m_rows->addWidget(row);
        if (hadFocus && button->isChecked())
            button->setFocus();
    }
    setVisible(!candidates.isEmpty());
}

} // namespace ui
