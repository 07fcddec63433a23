// SPDX-License-Identifier: GPL-3.0-or-later
#include "icons.h"

#include <QIconEngine>
#include <QPaintDevice>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

using namespace Qt::StringLiterals;

static void initLook()
{
    Q_INIT_RESOURCE(look); // The macro must be used outside of namespaces.
}

namespace ui::icons {

void load()
{
    initLook();
}

namespace {

/// Paints at any size and device pixel ratio.
class MaskEngine : public QIconEngine
{
public:
    MaskEngine(const Theme& theme, QString name, QColor Roles::*role)
        : m_theme(theme)
        , m_name(std::move(name))
        , m_role(role)
    {
    }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const Roles& roles = m_theme.roles();
        const QColor color = mode == QIcon::Disabled ? roles.disabled : roles.*m_role;
        icons::paint(*painter, rect, m_name, color, std::min(rect.width(), rect.height()));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return result;
    }
    QIconEngine* clone() const override { return new MaskEngine(*this); }

private:
    const Theme& m_theme;
    QString m_name;
    QColor Roles::*m_role;
};

} // namespace

QPixmap pixmap(const QString& name, const QColor& color, int size, qreal ratio)
{
    if (name.isEmpty())
        return {};
    const QString key = u"td/%1/%2/%3/%4"_s.arg(name, color.name(QColor::HexArgb)).arg(size).arg(qRound(ratio * 100));
    QPixmap result;
    if (QPixmapCache::find(key, &result))
        return result;
    QSvgRenderer renderer(u":/icons/%1.svg"_s.arg(name));
    if (!renderer.isValid())
        return {};
    result = QPixmap(QSize(size, size) * ratio);
    result.setDevicePixelRatio(ratio);
    result.fill(Qt::transparent);
    QPainter painter(&result);
    renderer.render(&painter, QRectF(0, 0, size, size));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(QRectF(0, 0, size, size), color);
    painter.end();
    QPixmapCache::insert(key, result);
    return result;
}

QIcon icon(const Theme& theme, const QString& name, QColor Roles::*role)
{
    return QIcon(new MaskEngine(theme, name, role));
}

void paint(QPainter& painter, const QRectF& where, const QString& name, const QColor& color, int size)
{
    const qreal ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    const QPixmap mask = pixmap(name, color, size, ratio);
    if (mask.isNull())
        return;
    painter.drawPixmap(
        QPointF(std::round(where.center().x() - size / 2.0), std::round(where.center().y() - size / 2.0)), mask);
}

} // namespace ui::icons
