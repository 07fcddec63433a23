// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_delegate.h"

#include "models/trials/spark_cache.h"
#include "models/trials/trial_model.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"

#include <QPaintDevice>
#include <QPainter>

#include <cmath>

namespace ui {

using models::TrialColumn;
using models::TrialModel;

/// More than the rows on a screen; pictures of other rows need not be kept.
constexpr qsizetype mostPictures = 512;

TrialDelegate::TrialDelegate(const Theme& theme, models::SparkCache& sparks, TrialOf trialOf, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
    , m_sparks(sparks)
    , m_trialOf(std::move(trialOf))
{
    connect(&theme, &Theme::changed, this, [this] { m_pictures.clear(); });
}

QSize TrialDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {80, metrics::control};
}

void TrialDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Roles& roles = m_theme.roles();
    const QRect rect = option.rect;
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(rect, isSelected ? roles.select : index.row() == m_hoveredRow ? roles.hover : roles.base);
    const auto column = TrialColumn(index.column());
    if (column == TrialColumn::best) {
        if (const QVariant place = index.data(TrialModel::HeatRole); place.isValid())
            painter->fillRect(rect, m_theme.tintOfHeat(place.toDouble()));
    }
    if (column == TrialColumn::state)
        paintState(painter, rect, index);
    else if (column == TrialColumn::curve)
        paintCurve(painter, rect, index);
    else
        paintText(painter, rect, index);
    painter->setPen(QPen(m_isPinned ? roles.line2 : roles.line, 1));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
}

void TrialDelegate::paintState(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    const StateLook look = m_theme.state(core::TrialStatus(index.data(TrialModel::StatusRole).toInt()));
    const int margin = metrics::gap;
    icons::paint(*painter, QRectF(rect.left() + margin, rect.top(), metrics::icon, rect.height()), look.icon,
        look.color(m_theme.roles()));
    painter->setFont(m_theme.font(TextSize::body));
    painter->setPen(look.color(m_theme.roles()));
    const bool isBest = index.data(TrialModel::BestRole).toBool();
    QRect words = rect.adjusted(margin + metrics::icon + 6, 0, isBest ? -20 : -2, 0);
    const QString word = painter->fontMetrics().elidedText(look.word, Qt::ElideRight, words.width());
    painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, word);
    if (isBest) {
        const double x = words.left() + painter->fontMetrics().horizontalAdvance(word) + 4;
        icons::paint(
            *painter, QRectF(x, rect.top(), 16, rect.height()), QStringLiteral("star"), m_theme.roles().ink, 12);
    }
}

void TrialDelegate::paintText(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    const Roles& roles = m_theme.roles();
    const bool isBest = index.column() == int(TrialColumn::best) && index.data(TrialModel::BestRole).toBool();
    const bool isOdd = index.column() == int(TrialColumn::last) && index.data(TrialModel::OddRole).toBool();
    painter->setFont(m_theme.font(TextSize::body, isBest ? QFont::DemiBold : QFont::Normal));
    painter->setPen(isOdd ? roles.failed : roles.text);
    const QString text = index.data(Qt::DisplayRole).toString();
    const int alignment = index.data(Qt::TextAlignmentRole).toInt();
    const QRect words = rect.adjusted(metrics::gap, 0, -metrics::gap, 0);
    painter->drawText(words, alignment,
        painter->fontMetrics().horizontalAdvance(text) > words.width()
            ? painter->fontMetrics().elidedText(text, Qt::ElideRight, words.width())
            : text);
}

void TrialDelegate::paintCurve(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    const core::Trial* trial = m_trialOf(index);
    const models::Spark* spark = trial ? m_sparks.spark(*trial) : nullptr;
    if (!spark || spark->points.empty())
        return;
    if (m_picturesOf != m_sparks.version() || m_pictures.size() > mostPictures) {
        m_pictures.clear();
        m_picturesOf = m_sparks.version();
    }
    QPixmap& picture = m_pictures[trial->id];
    const double ratio = painter->device()->devicePixelRatioF();
    if (picture.size() != rect.size() * ratio || picture.devicePixelRatio() != ratio)
        picture = pictureOf(*spark, rect.size(), ratio);
    painter->drawPixmap(rect.topLeft(), picture);
}

QPixmap TrialDelegate::pictureOf(const models::Spark& spark, const QSize& size, double ratio) const
{
    QPixmap picture(size * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    const Roles& roles = m_theme.roles();
    const QRectF box = QRectF(QPointF(), size).adjusted(metrics::gap, 5, -metrics::gap, -5);
    const double span = m_sparks.high() > m_sparks.low() ? m_sparks.high() - m_sparks.low() : 1;
    const double wide = std::max(1e-9, m_sparks.longest());
    const auto at = [&](const std::pair<double, double>& point) {
        return QPointF(box.left() + std::clamp(point.first / wide, 0.0, 1.0) * box.width(),
            box.bottom() - std::clamp((point.second - m_sparks.low()) / span, 0.0, 1.0) * box.height());
    };
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(roles.curve, 1.25));
    QPolygonF line;
    for (const auto& point : spark.points) {
        if (std::isfinite(point.second)) {
            line.append(at(point));
            continue;
        }
        painter.drawPolyline(line);
        line.clear();
    }
    painter.drawPolyline(line);
    if (spark.best) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(roles.ink);
        painter.drawEllipse(at(*spark.best), 1.8, 1.8);
    }
    return picture;
}

} // namespace ui
