// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QAbstractButton;
class QLineEdit;

namespace ui {

class Theme;

/// The Fusion style with thin borders, small radii and one visible focus ring. All colours are read from the theme.
/// A button with the property `primary` has the accent colour; a field with the property `invalid` has a failed border.
class Style : public QProxyStyle
{
    Q_OBJECT
public:
    explicit Style(const Theme& theme);
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    QSize sizeFromContents(
        ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
        const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* result) const override;

private:
    void drawBox(QPainter* painter, const QRectF& rect, const QColor& fill, const QColor& border, double width,
        double radius) const;
    void drawCommandButton(const QStyleOption* option, QPainter* painter, const QWidget* widget) const;
    /// A button without the accent colour. `flat`: no box unless hovered or pressed; `strong`: with the border of a control.
    void drawButton(const QStyleOption* option, QPainter* painter, bool flat, bool strong) const;
    void drawField(
        PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const;
    void drawFrame(const QStyleOption* option, QPainter* painter, const QWidget* widget) const;
    void drawItem(const QStyleOption* option, QPainter* painter) const;
    void drawScrollBar(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawSpinBox(const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const;
    void drawLabel(QPainter* painter, const QRect& rect, const QIcon& icon, const QString& text, const QFont& font,
        const QColor& color, bool enabled, bool centered) const;
    void drawTab(const QStyleOption* option, QPainter* painter) const;
    void drawHeader(const QStyleOption* option, QPainter* painter) const;
    void drawIndicator(const QStyleOption* option, QPainter* painter, bool round) const;

    const Theme& m_theme;
};

/// Gives the button the accent colour; a page has at most one such button.
void setPrimary(QAbstractButton* button, bool primary = true);
/// Marks a field whose content is wrong.
void setInvalid(QWidget* field, bool invalid);

} // namespace ui
