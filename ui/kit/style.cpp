// SPDX-License-Identifier: GPL-3.0-or-later
#include "style.h"

#include "icons.h"
#include "theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QSpinBox>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr char primaryProperty[] = "primary";
constexpr char invalidProperty[] = "invalid";

bool isPrimary(const QWidget* widget)
{
    return widget && widget->property(primaryProperty).toBool();
}

bool isInvalid(const QWidget* widget)
{
    return widget && widget->property(invalidProperty).toBool();
}

bool has(const QStyleOption* option, QStyle::StateFlag flag)
{
    return option->state.testFlag(flag);
}

/// The state of a control, from its style option.
struct Situation
{
    explicit Situation(const QStyleOption* option)
        : enabled(has(option, QStyle::State_Enabled))
        , focus(has(option, QStyle::State_HasFocus))
        , hover(enabled && has(option, QStyle::State_MouseOver))
        , down(has(option, QStyle::State_Sunken) || has(option, QStyle::State_On))
    {
    }
    bool enabled;
    bool focus;
    bool hover;
    bool down;
};

/// The icon for the arrow of a tool button.
QString iconOf(Qt::ArrowType arrow)
{
    return arrow == Qt::LeftArrow ? u"chevron-left"_s
        : arrow == Qt::RightArrow ? u"chevron-right"_s
        : arrow == Qt::UpArrow    ? u"chevron-up"_s
                                  : u"chevron-down"_s;
}

bool isSeparator(const QStyleOption* option)
{
    const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
    return item && item->menuItemType == QStyleOptionMenuItem::Separator && item->text.isEmpty();
}

/// The icon for an arrow; empty for all other elements.
QString arrowOf(QStyle::PrimitiveElement element)
{
    switch (element) {
    case QStyle::PE_IndicatorArrowDown:
        return u"chevron-down"_s;
    case QStyle::PE_IndicatorArrowUp:
        return u"chevron-up"_s;
    case QStyle::PE_IndicatorArrowRight:
        return u"chevron-right"_s;
    case QStyle::PE_IndicatorArrowLeft:
        return u"chevron-left"_s;
    default:
        return {};
    }
}

} // namespace

Style::Style(const Theme& theme)
    : QProxyStyle(QStyleFactory::create(u"Fusion"_s))
    , m_theme(theme)
{
}

void Style::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    // Text of trials, machines and services must not be taken for markup: labels whose format nobody chose guess it from the text.
    // That includes the labels of message boxes and of tool tips (QTipLabel polishes itself before it has a text).
    if (auto* label = qobject_cast<QLabel*>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget)
        || qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QTabBar*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void Style::drawBox(
    QPainter* painter, const QRectF& rect, const QColor& fill, const QColor& border, double width, double radius) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(border.alpha() == 0 || width <= 0 ? QPen(Qt::NoPen) : QPen(border, width));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const double half = width / 2;
    painter->drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius);
    painter->restore();
}

void Style::drawIndicator(const QStyleOption* option, QPainter* painter, bool round) const
{
    const Roles& c = m_theme.roles();
    const QRectF rect = QRectF(option->rect);
    const bool on = has(option, State_On) || has(option, State_NoChange);
    const bool enabled = has(option, State_Enabled);
    const double radius = round ? rect.width() / 2 : metrics::radiusSmall;
    QColor fill = c.base;
    QColor border = enabled ? c.control : c.line2;
    if (on)
        fill = border = enabled ? c.accent : c.control;
    if (has(option, State_HasFocus) && has(option, State_KeyboardFocusChange))
        border = on ? c.text : c.accent;
    drawBox(painter, rect, fill, border, has(option, State_HasFocus) ? 2 : 1, radius);
    if (!on)
        return;
    if (round)
        drawBox(painter, QRectF(rect.center() - QPointF(3, 3), QSizeF(6, 6)), c.onAccent, c.onAccent, 0, 3);
    else
        icons::paint(*painter, rect, has(option, State_NoChange) ? u"dash"_s : u"check"_s, c.onAccent, 12);
}

void Style::drawCommandButton(const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const Roles& c = m_theme.roles();
    const Situation now(option);
    if (isPrimary(widget) && now.enabled) {
        const QColor fill = now.down ? c.accent.darker(112) : now.hover ? c.accent.lighter(108) : c.accent;
        if (!now.focus) {
            drawBox(painter, option->rect, fill, fill, 0, metrics::radiusControl);
            return;
        }
        drawBox(painter, option->rect, QColor(), c.accent, 2, metrics::radiusControl + 1);
        drawBox(painter, QRectF(option->rect).adjusted(3, 3, -3, -3), fill, fill, 0, metrics::radiusControl - 1);
        return;
    }
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    drawButton(option, painter, button && button->features.testFlag(QStyleOptionButton::Flat), now.enabled);
}

void Style::drawButton(const QStyleOption* option, QPainter* painter, bool flat, bool strong) const
{
    const Roles& c = m_theme.roles();
    const Situation now(option);
    if (flat && !now.hover && !now.down && !now.focus)
        return;
    const QColor none(Qt::transparent);
    const QColor fill = now.down ? c.select : now.hover ? c.hover : flat ? none : c.base;
    const QColor border = now.focus ? c.accent : flat ? none : strong ? c.control : c.line2;
    drawBox(painter, option->rect, fill, border, now.focus ? 2 : 1, metrics::radiusControl);
}

void Style::drawField(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const Roles& c = m_theme.roles();
    const Situation now(option);
    const bool filled = element == PE_PanelLineEdit;
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    if (filled && frame && frame->lineWidth <= 0) {
        painter->fillRect(option->rect, option->palette.brush(QPalette::Base));
        return;
    }
    const QColor fill = !filled ? QColor() : now.enabled ? c.base : c.window;
    const QColor border = isInvalid(widget) ? c.failed : now.focus ? c.accent : now.enabled ? c.control : c.line2;
    drawBox(painter, option->rect, fill, border, now.focus ? 2 : 1, metrics::radiusControl);
}

void Style::drawFrame(const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth <= 0)
        return;
    const Roles& c = m_theme.roles();
    const bool field = widget && widget->property("field").toBool();
    const bool focus = field && has(option, State_HasFocus);
    const QColor border = isInvalid(widget) ? c.failed : focus ? c.accent : field ? c.control : c.line2;
    // What scrolls lies on its own colour up to the border, whose corners its square viewport leaves free.
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
    const QColor fill = area && area->viewport() && area->viewport()->autoFillBackground()
        ? area->viewport()->palette().color(area->viewport()->backgroundRole())
        : QColor();
    drawBox(painter, option->rect, fill, border, focus ? 2 : 1,
        field || area ? metrics::radiusControl : metrics::radiusBox);
}

void Style::drawItem(const QStyleOption* option, QPainter* painter) const
{
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
    if (item && item->backgroundBrush.style() != Qt::NoBrush)
        painter->fillRect(option->rect, item->backgroundBrush);
    if (has(option, State_Selected))
        painter->fillRect(option->rect, m_theme.roles().select);
    else if (Situation(option).hover)
        painter->fillRect(option->rect, m_theme.roles().hover);
}

void Style::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const Roles& c = m_theme.roles();
    if (const QString arrow = arrowOf(element); !arrow.isEmpty()) {
        icons::paint(*painter, option->rect, arrow, has(option, State_Enabled) ? c.text2 : c.disabled, 12);
        return;
    }
    switch (element) {
    case PE_PanelButtonCommand:
        drawCommandButton(option, painter, widget);
        return;
    case PE_PanelButtonTool:
        drawButton(option, painter, has(option, State_AutoRaise), has(option, State_Enabled) || has(option, State_On));
        return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit:
        drawField(element, option, painter, widget);
        return;
    case PE_Frame:
        drawFrame(option, painter, widget);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawIndicator(option, painter, false);
        return;
    case PE_IndicatorRadioButton:
        drawIndicator(option, painter, true);
        return;
    case PE_PanelItemViewItem:
        drawItem(option, painter);
        return;
    case PE_IndicatorBranch:
        if (has(option, State_Children))
            icons::paint(
                *painter, option->rect, has(option, State_Open) ? u"chevron-down"_s : u"chevron-right"_s, c.text2);
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.line);
        return;
    case PE_PanelTipLabel:
        drawBox(painter, option->rect, c.base, c.line2, 1, 0);
        return;
    case PE_FrameMenu:
        drawBox(painter, option->rect, QColor(), c.line2, 1, 0);
        return;
    case PE_PanelScrollAreaCorner:
    case PE_FrameFocusRect: // each control paints its own focus ring
    case PE_PanelItemViewRow:
    case PE_IndicatorHeaderArrow: // painted with the title
    case PE_PanelStatusBar:
    case PE_FrameStatusBarItem:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawLabel(QPainter* painter, const QRect& rect, const QIcon& icon, const QString& text, const QFont& font,
    const QColor& color, bool enabled, bool centered) const
{
    painter->save();
    painter->setFont(font);
    const int iconWidth = icon.isNull() ? 0 : metrics::icon;
    const int gap = icon.isNull() || text.isEmpty() ? 0 : 8;
    const int room = rect.width() - iconWidth - gap;
    const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, room, Qt::TextShowMnemonic);
    const int width = iconWidth + gap + painter->fontMetrics().size(Qt::TextShowMnemonic, shown).width();
    int x = centered ? rect.left() + (rect.width() - width) / 2 : rect.left();
    if (iconWidth > 0) {
        icon.paint(painter, QRect(x, rect.top() + (rect.height() - iconWidth) / 2, iconWidth, iconWidth),
            Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
        x += iconWidth + gap;
    }
    painter->setPen(color);
    painter->drawText(
        QRect(x, rect.top(), rect.right() - x + 1, rect.height()), Qt::AlignVCenter | Qt::TextHideMnemonic, shown);
    painter->restore();
}

void Style::drawTab(const QStyleOption* option, QPainter* painter) const
{
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    if (!tab)
        return;
    const Roles& c = m_theme.roles();
    const bool selected = has(option, State_Selected);
    const bool hover = has(option, State_MouseOver) && has(option, State_Enabled);
    if (has(option, State_HasFocus))
        drawBox(painter, QRectF(tab->rect).adjusted(2, 2, -2, -3), QColor(), c.accent, 2, metrics::radiusControl);
    if (selected)
        painter->fillRect(QRect(tab->rect.left(), tab->rect.bottom() - 1, tab->rect.width(), 2), c.accent);
    QFont font = painter->font();
    font.setWeight(selected ? QFont::DemiBold : QFont::Normal);
    painter->save();
    painter->setFont(font);
    painter->setPen(!has(option, State_Enabled) ? c.disabled : selected || hover ? c.text : c.text2);
    painter->drawText(tab->rect, Qt::AlignCenter | Qt::TextShowMnemonic, tab->text);
    painter->restore();
}

void Style::drawHeader(const QStyleOption* option, QPainter* painter) const
{
    const Roles& c = m_theme.roles();
    painter->fillRect(option->rect, c.window);
    painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), c.line2);
}

void Style::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const Roles& c = m_theme.roles();
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            const bool primary = isPrimary(widget) && has(option, State_Enabled);
            QFont font = painter->font();
            font.setWeight(primary ? QFont::DemiBold : QFont::Medium);
            const QColor color = !has(option, State_Enabled) ? c.disabled : primary ? c.onAccent : c.text;
            drawLabel(painter, button->rect, button->icon, button->text, font, color, has(option, State_Enabled), true);
            return;
        }
        break;
    case CE_TabBarTabShape:
        return;
    case CE_TabBarTabLabel:
        drawTab(option, painter);
        return;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        drawHeader(option, painter);
        return;
    case CE_HeaderLabel:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeader copy = *header;
            copy.palette.setColor(
                QPalette::ButtonText, header->sortIndicator == QStyleOptionHeader::None ? c.text2 : c.text);
            copy.state &= ~State_On; // No bold header for the column of the selected cell.
            // Apply the margin only horizontally: vertically it would clip the text.
            const int margin = pixelMetric(PM_HeaderMargin, option, widget);
            copy.rect.adjust(0, -margin, 0, margin);
            copy.text = header->fontMetrics.elidedText(header->text, Qt::ElideRight, copy.rect.width());
            QProxyStyle::drawControl(element, &copy, painter, widget);
            // Qt's SortUp means descending; show a chevron that points down for it.
            if (header->sortIndicator != QStyleOptionHeader::None)
                icons::paint(*painter, QRectF(copy.rect.right() + 3, copy.rect.top(), 12, copy.rect.height()),
                    header->sortIndicator == QStyleOptionHeader::SortUp ? u"chevron-down"_s : u"chevron-up"_s, c.text,
                    12);
            return;
        }
        break;
    case CE_Splitter: {
        const bool upright = has(option, State_Horizontal);
        const QRect r = option->rect;
        painter->fillRect(
            upright ? QRect(r.center().x(), r.top(), 1, r.height()) : QRect(r.left(), r.center().y(), r.width(), 1),
            has(option, State_MouseOver) ? c.accent : c.line2);
        return;
    }
    case CE_ShapedFrame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine)) {
            const QRect r = option->rect;
            painter->fillRect(frame->frameShape == QFrame::HLine ? QRect(r.left(), r.center().y(), r.width(), 1)
                                                                 : QRect(r.center().x(), r.top(), 1, r.height()),
                c.line);
            return;
        }
        break;
    case CE_MenuItem:
        if (isSeparator(option)) {
            painter->fillRect(QRect(option->rect.left(), option->rect.center().y(), option->rect.width(), 1), c.line);
            return;
        }
        break;
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option); combo && !combo->editable) {
            QStyleOptionComboBox copy = *combo;
            const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + 4;
            const QRect room = proxy()->subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
            copy.currentText =
                combo->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, room.width() - icon - 2);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
        break;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, c.window);
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawScrollBar(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!slider)
        return;
    const Roles& c = m_theme.roles();
    const QRect grip = proxy()->subControlRect(CC_ScrollBar, slider, SC_ScrollBarSlider, widget);
    if (slider->maximum <= slider->minimum)
        return;
    const bool active = has(option, State_MouseOver) || has(option, State_Sunken);
    const bool upright = slider->orientation == Qt::Vertical;
    const QRectF bar = upright ? QRectF(grip).adjusted(3, 1, -2, -1) : QRectF(grip).adjusted(1, 3, -1, -2);
    drawBox(painter, bar, active ? c.control : c.line2, QColor(Qt::transparent), 0, 3);
}

void Style::drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const Roles& c = m_theme.roles();
    const bool enabled = has(option, State_Enabled);
    const bool focus = has(option, State_HasFocus);
    const bool hover = enabled && has(option, State_MouseOver);
    const QColor border = isInvalid(widget) ? c.failed : focus ? c.accent : enabled ? c.control : c.line2;
    drawBox(painter, option->rect,
        !enabled    ? c.window
            : hover ? c.hover
                    : c.base,
        border, focus ? 2 : 1, metrics::radiusControl);
    const QRect arrow = proxy()->subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    icons::paint(*painter, arrow, u"chevron-down"_s, enabled ? c.text2 : c.disabled, 14);
}

void Style::drawSpinBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    const Roles& c = m_theme.roles();
    const bool enabled = has(option, State_Enabled);
    const bool focus = has(option, State_HasFocus);
    const QColor border = isInvalid(widget) ? c.failed : focus ? c.accent : enabled ? c.control : c.line2;
    drawBox(painter, option->rect, enabled ? c.base : c.window, border, focus ? 2 : 1, metrics::radiusControl);
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
        const QRect rect = proxy()->subControlRect(CC_SpinBox, option, part, widget);
        const bool can = spin->stepEnabled
            & (part == SC_SpinBoxUp ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled);
        icons::paint(*painter, rect, part == SC_SpinBoxUp ? u"chevron-up"_s : u"chevron-down"_s,
            can && enabled ? c.text2 : c.disabled, 10);
    }
}

void Style::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    switch (control) {
    case CC_ScrollBar:
        drawScrollBar(option, painter, widget);
        return;
    case CC_ComboBox:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option); combo && combo->frame) {
            drawComboBox(option, painter, widget);
            return;
        }
        break;
    case CC_SpinBox:
        drawSpinBox(option, painter, widget);
        return;
    case CC_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
            QStyleOptionToolButton copy = *button;
            copy.features &= ~QStyleOptionToolButton::HasMenu; // no arrow in the corner: a chevron indicates the menu
            QStyleOption panel(copy);
            panel.rect = copy.rect;
            proxy()->drawPrimitive(PE_PanelButtonTool, &panel, painter, widget);
            if (copy.features.testFlag(QStyleOptionToolButton::Arrow) && copy.arrowType != Qt::NoArrow) {
                icons::paint(*painter, copy.rect, iconOf(copy.arrowType),
                    has(option, State_Enabled) ? m_theme.roles().text2 : m_theme.roles().disabled, 12);
                return;
            }
            const bool textToo = copy.toolButtonStyle != Qt::ToolButtonIconOnly && !copy.text.isEmpty();
            QFont font = copy.font;
            if (has(option, State_On))
                font.setWeight(QFont::DemiBold);
            const QColor color = !has(option, State_Enabled) ? m_theme.roles().disabled
                : isPrimary(widget)                          ? m_theme.roles().onAccent
                                                             : m_theme.roles().text;
            const bool menu = button->features.testFlag(QStyleOptionToolButton::HasMenu) && textToo;
            const QRect label = menu ? copy.rect.adjusted(8, 0, -24, 0) : copy.rect;
            drawLabel(painter, label, copy.icon, textToo ? copy.text : QString(), font, color,
                has(option, State_Enabled), !menu);
            if (menu)
                icons::paint(*painter, QRectF(copy.rect.right() - 24, copy.rect.top(), 16, copy.rect.height()),
                    u"chevron-down"_s, m_theme.roles().text2);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect Style::subControlRect(
    ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const
{
    if (control == CC_ScrollBar) {
        // No buttons at the ends: the groove takes the whole length.
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (!slider)
            return {};
        const bool upright = slider->orientation == Qt::Vertical;
        const int length = upright ? option->rect.height() : option->rect.width();
        const qint64 range = qint64(slider->maximum) - slider->minimum;
        int grip = range > 0 ? int(double(slider->pageStep) / double(range + slider->pageStep) * length) : length;
        grip = qBound(24, grip, qMax(24, length));
        const int at = sliderPositionFromValue(
            slider->minimum, slider->maximum, slider->sliderPosition, length - grip, slider->upsideDown);
        const auto rect = [&](int from, int size) {
            return upright ? QRect(0, from, option->rect.width(), size) : QRect(from, 0, size, option->rect.height());
        };
        switch (part) {
        case SC_ScrollBarSlider:
            return visualRect(slider->direction, slider->rect, rect(at, grip));
        case SC_ScrollBarGroove:
            return slider->rect;
        case SC_ScrollBarSubPage:
            return visualRect(slider->direction, slider->rect, rect(0, at));
        case SC_ScrollBarAddPage:
            return visualRect(slider->direction, slider->rect, rect(at + grip, length - at - grip));
        default:
            return {};
        }
    }
    QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        rect.adjust(5, 0, 0, 0);
    return rect;
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const
{
    if (element == SE_LineEditContents)
        return QProxyStyle::subElementRect(element, option, widget).adjusted(4, 0, -4, 0);
    return QProxyStyle::subElementRect(element, option, widget);
}

QSize Style::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const int control = m_theme.scaled(metrics::control);
    switch (type) {
    case CT_PushButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        const int gap = button && !button->icon.isNull() ? 6 : 0;
        return QSize(std::max(size.width() + 24 + gap, control), control);
    }
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
        return QSize(result.width() + 8, std::max(control, size.height()));
    case CT_ToolButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        if (button && button->toolButtonStyle == Qt::ToolButtonIconOnly)
            return QSize(std::max(control, size.width() + 8), control);
        // Room for what drawComplexControl() adds: the gap beside an icon, and the chevron of a menu.
        const int icon = button && !button->icon.isNull() ? 6 : 0;
        const int menu = button && button->features.testFlag(QStyleOptionToolButton::HasMenu) ? 18 : 0;
        return QSize(size.width() + 24 + icon + menu, control);
    }
    case CT_HeaderSection:
        return QSize(result.width() + 8, control);
    case CT_ItemViewItem:
        return QSize(result.width() + 8, std::max(result.height(), control));
    case CT_TabBarTab:
        return QSize(size.width() + 12, m_theme.scaled(32));
    case CT_MenuItem:
        if (isSeparator(option))
            return QSize(result.width(), 9);
        return QSize(result.width() + 8, std::max(result.height(), m_theme.scaled(26)));
    default:
        return result;
    }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent:
        return 11;
    case PM_ScrollView_ScrollBarOverlap:
    case PM_ScrollView_ScrollBarSpacing:
        return 0;
    case PM_DefaultFrameWidth:
        return qobject_cast<const QAbstractScrollArea*>(widget) ? 2 : 1; // room for the corners
    case PM_MenuVMargin:
    case PM_MenuHMargin:
        return 4;
    case PM_SplitterWidth:
        return 5;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_ListViewIconSize:
        return metrics::icon;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
        return 0;
    case PM_HeaderMargin:
        return 8;
    case PM_HeaderMarkSize:
        return 12;
    case PM_FocusFrameHMargin:
        return 7;
    case PM_TabBarBaseOverlap:
        return 1;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return metrics::gap;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* result) const
{
    switch (hint) {
    case SH_ToolTip_WakeUpDelay:
        return 300;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
        return 0;
    case SH_TabBar_ElideMode:
        return Qt::ElideNone;
    case SH_ComboBox_Popup:
        return 0;
    case SH_Header_ArrowAlignment:
        return Qt::AlignRight | Qt::AlignVCenter;
    case SH_ScrollView_FrameOnlyAroundContents:
    case SH_Widget_Animate: // no decorative animations
    case SH_Widget_Animation_Duration:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, result);
    }
}

const Theme& themeOf(const QWidget& widget)
{
    const auto* style = qobject_cast<const Style*>(widget.style());
    Q_ASSERT(style);
    return style->theme();
}

void setPrimary(QAbstractButton* button, bool primary)
{
    button->setProperty(primaryProperty, primary);
    button->update();
}

void setInvalid(QWidget* field, bool invalid)
{
    field->setProperty(invalidProperty, invalid);
    field->update();
}

} // namespace ui
