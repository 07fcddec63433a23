// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_keys.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace ui::charts {

namespace {

struct ChartKeyWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::charts::ChartKeys)
};

KeyCommand axisKey()
{
    return {u"chart/axis"_s, ChartKeyWords::tr("Step, relative, clock"), {}, {Qt::Key_X}};
}

KeyCommand logarithmicKey()
{
    return {u"chart/logarithmic"_s, ChartKeyWords::tr("Logarithmic axis"), {}, {Qt::Key_Y}};
}

KeyCommand smoothingKey()
{
    return {u"chart/smoothing"_s, ChartKeyWords::tr("Smoothing"), {}, {Qt::Key_M}};
}

KeyCommand zoomInKey()
{
    return {u"chart/zoomIn"_s, ChartKeyWords::tr("Zoom in"), {}, {Qt::Key_Plus, Qt::Key_Equal}};
}

KeyCommand zoomOutKey()
{
    return {u"chart/zoomOut"_s, ChartKeyWords::tr("Zoom out"), {}, {Qt::Key_Minus}};
}

KeyCommand showAllKey()
{
    return {u"chart/showAll"_s, ChartKeyWords::tr("Show everything"), {}, {Qt::Key_0}};
}

} // namespace

QList<KeyCommand> chartKeyCommands()
{
    return {axisKey(), logarithmicKey(), smoothingKey(), zoomInKey(), zoomOutKey(), showAllKey()};
}

bool isAxisKey(const QKeyEvent& event)
{
    return isPressed(axisKey(), event);
}

bool isLogarithmicKey(const QKeyEvent& event)
{
    return isPressed(logarithmicKey(), event);
}

bool isSmoothingKey(const QKeyEvent& event)
{
    return isPressed(smoothingKey(), event);
}

bool isZoomInKey(const QKeyEvent& event)
{
    return isPressed(zoomInKey(), event);
}

bool isZoomOutKey(const QKeyEvent& event)
{
    return isPressed(zoomOutKey(), event);
}

bool isShowAllKey(const QKeyEvent& event)
{
    return isPressed(showAllKey(), event);
}

} // namespace ui::charts
