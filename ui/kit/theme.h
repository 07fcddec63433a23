// SPDX-License-Identifier: GPL-3.0-or-later
// The theme: colours by role, sizes, fonts, and the display of states. Widgets must not define colours of their own.
#pragma once

#include "services/core/records.h"

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

#include <array>

class QWidget;

namespace ui {

/// Colours by purpose. Text and states have a contrast of at least 5:1 on all surfaces of their scheme, including `select`;
/// `control` has 3:1 on base and window.
struct Roles
{
    QColor base, window, sunken, hover, select; ///< surfaces
    QColor line, line2, control;                ///< lines: between rows, around boxes, around controls
    QColor text, text2, disabled;
    QColor accent, onAccent;
    QColor ink; ///< of the best trial: star, step line
    QColor running, succeeded, failed, waiting, unknown, cancelled;
    QColor foreign; ///< other users' processes
    QColor heat;    ///< tint of the objective's values; see tintOfHeat()
    QColor curve;
    QColor tintFailed, tintWarn; ///< behind banners and rows with an error
    /// Of the few trials that have a colour of their own; each has 3:1 on base, window and select, and any two differ for people with
    /// deuteranopia and protanopia. Numbers beside them are `text`.
    std::array<QColor, 8> series;
};

/// The display of a state: icon, word and colour role. The colour is looked up when it is painted, so that it follows the theme.
struct StateLook
{
    QColor Roles::*role = &Roles::text;
    QString icon; ///< name for icons::pixmap()
    QString word;

    [[nodiscard]] QColor color(const Roles& roles) const { return roles.*role; }
};

/// Sizes in pixels at 100 %.
namespace metrics {
inline constexpr int tight = 4;
inline constexpr int gap = 8;
inline constexpr int margin = 16;
inline constexpr int toolBar = 44;
inline constexpr int control = 28; ///< buttons, fields, table rows and headers, sidebar rows
inline constexpr int smallControl = 24;
inline constexpr int banner = 36;
inline constexpr int toast = 48;
inline constexpr int fleetStrip = 40;
inline constexpr int statusBar = 24;
inline constexpr int dialogFooter = 56;
inline constexpr int sidebar = 200;
inline constexpr int sidebarFolded = 48;
inline constexpr int inspectorLeast = 360;
inline constexpr int inspectorMost = 640;
inline constexpr int radiusBox = 6;
inline constexpr int radiusControl = 4;
inline constexpr int radiusSmall = 3;
inline constexpr int icon = 16;
} // namespace metrics

/// Pixel sizes 11, 12, 13, 15, 20, and 12 for the monospaced font, scaled with the system's font size.
enum class TextSize { caption, header, body, title, pageTitle, mono };

class Theme : public QObject
{
    Q_OBJECT
public:
    enum class Scheme { system, light, dark };
    Q_ENUM(Scheme)

    explicit Theme(QObject* parent = nullptr);

    /// Sets palette and fonts of the application, then emits changed().
    void setScheme(Scheme scheme);
    [[nodiscard]] Scheme scheme() const { return m_scheme; } ///< as chosen
    [[nodiscard]] bool isDark() const { return m_dark; }     ///< as shown

    [[nodiscard]] const Roles& roles() const { return m_roles; }
    [[nodiscard]] StateLook state(core::TrialStatus status) const;
    [[nodiscard]] StateLook state(core::ExperimentState state) const;
    [[nodiscard]] StateLook state(core::MachineState state) const;
    [[nodiscard]] StateLook state(core::PlatformState state) const;
    /// The state of a check's step: `running ok warn fail skipped`, or `waiting` for the user.
    [[nodiscard]] StateLook step(const core::OpenWord<core::CheckState>& state) const;

    [[nodiscard]] QFont font(TextSize size, int weight = QFont::Normal) const;
    /// `pixels` at 100 %, scaled with the system's font size.
    [[nodiscard]] int scaled(int pixels) const { return qRound(pixels * m_scale); }
    /// `place` is the value's position in the visible range, 0 to 1 (the best).
    [[nodiscard]] QColor tintOfHeat(double place) const;
    /// One of `heatSteps` opaque colours, 0 (the worst values) to heatSteps - 1.
    [[nodiscard]] QColor heatStep(int step) const;
    static constexpr int heatSteps = 6;
    /// `color` with an opacity, 0 to 1.
    [[nodiscard]] static QColor alpha(QColor color, double opacity);
    [[nodiscard]] QPalette palette() const;

signals:
    void changed();

private:
    void apply();

    Scheme m_scheme = Scheme::system;
    bool m_dark = false;
    double m_scale = 1;
    QStringList m_families;
    QString m_monoFamily;
    Roles m_roles;
};

/// The theme of the widget's style, which must be a ui::Style (style.h).
[[nodiscard]] const Theme& themeOf(const QWidget& widget);

} // namespace ui
