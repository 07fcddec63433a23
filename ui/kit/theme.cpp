// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme.h"

#include "icons.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QStyle>
#include <QStyleHints>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

Roles lightRoles()
{
    Roles r;
    r.base = QColor(0xFFFFFF);
    r.window = QColor(0xF6F7F8);
    r.sunken = QColor(0xEFEFEF);
    r.hover = QColor(0xF1F3F5);
    r.select = QColor(0xE3EEFB);
    r.line = QColor(0xDFE2E6);
    r.line2 = QColor(0xC9CED4);
    r.control = QColor(0x858D96);
    r.text = QColor(0x1B1F24);
    r.text2 = QColor(0x59636E);
    r.disabled = QColor(0x8B939C);
    r.accent = QColor(0x0B63C5);
    r.onAccent = QColor(0xFFFFFF);
    r.ink = QColor(0x1B1F24);
    r.running = QColor(0x0B63C5);
    r.succeeded = QColor(0x18713A);
    r.failed = QColor(0xC02626);
    r.waiting = QColor(0x59636E);
    r.unknown = QColor(0x8A5A00);
    r.cancelled = QColor(0x7442B8);
    r.foreign = QColor(0xA14A00);
    r.heat = QColor(0x0E7C86);
    r.curve = QColor(0x465463);
    r.tintFailed = QColor(0xFDF1F0);
    r.tintWarn = QColor(0xFBF5E8);
    r.series = {QColor(0x1846E0), QColor(0xA83E00), QColor(0x007063), QColor(0xD0259A), QColor(0x3E0D7E),
        QColor(0xA28400), QColor(0x4487E4), QColor(0x660E04)};
    return r;
}

Roles darkRoles()
{
    Roles r;
    r.base = QColor(0x1E1E1E);
    r.window = QColor(0x242424);
    r.sunken = QColor(0x2A2A2A);
    r.hover = QColor(0x282828);
    r.select = QColor(0x203246);
    r.line = QColor(0x363636);
    r.line2 = QColor(0x454545);
    r.control = QColor(0x7C838A);
    r.text = QColor(0xE8EAED);
    r.text2 = QColor(0x9AA5B1);
    r.disabled = QColor(0x6F7780);
    r.accent = QColor(0x5AA9FF);
    r.onAccent = QColor(0x0F1B28);
    r.ink = QColor(0xF2F4F6);
    r.running = QColor(0x5AA9FF);
    r.succeeded = QColor(0x46C26F);
    r.failed = QColor(0xFF7A70);
    r.waiting = QColor(0x9AA5B1);
    r.unknown = QColor(0xE0A63A);
    r.cancelled = QColor(0xC29BFF);
    r.foreign = QColor(0xFF9F5A);
    r.heat = QColor(0x4CC3CF);
    r.curve = QColor(0xAAB8C6);
    r.tintFailed = QColor(0x2A2222);
    r.tintWarn = QColor(0x2A2620);
    r.series = {QColor(0x5EBCFF), QColor(0xFFB756), QColor(0x5BEBC3), QColor(0xFF69B2), QColor(0xA572FF),
        QColor(0xF4F55A), QColor(0x8F9E20), QColor(0xAD676D)};
    return r;
}

/// The preferred font families that are installed; the system's default if there are none.
QStringList bodyFamilies()
{
    const QStringList there = QFontDatabase::families();
    QStringList families;
    for (const QString& wanted : {u"Noto Sans"_s, u"Noto Sans CJK SC"_s})
        if (there.contains(wanted))
            families += wanted;
    if (!families.contains(u"Noto Sans"_s))
        families.prepend(QFontDatabase::systemFont(QFontDatabase::GeneralFont).family());
    return families;
}

QString fixedFamily()
{
    const QStringList there = QFontDatabase::families();
    for (const QString& wanted : {u"JetBrains Mono"_s, u"Noto Sans Mono"_s, u"DejaVu Sans Mono"_s})
        if (there.contains(wanted))
            return wanted;
    return QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
}

} // namespace

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_families(bodyFamilies())
    , m_monoFamily(fixedFamily())
{
    icons::load();
    // A system font of 13 pixels (10 points) is 100 %; a smaller font does not reduce the scale.
    const int own = QFontInfo(QFontDatabase::systemFont(QFontDatabase::GeneralFont)).pixelSize();
    m_scale = std::clamp(own / 13.0, 1.0, 2.0);
    if (QGuiApplication::platformName() == u"offscreen"_s)
        m_scale = 1; // the offscreen platform has no user setting for fonts
    setScheme(Scheme::system);
}

void Theme::setScheme(Scheme scheme)
{
    m_scheme = scheme;
    if (scheme == Scheme::system) {
        // Qt 6.4 has no API for the system's colour scheme; derive it from the palette.
        const QPalette system = QApplication::style()->standardPalette();
        m_dark = system.color(QPalette::Window).lightness() < 128;
    } else {
        m_dark = scheme == Scheme::dark;
    }
    apply();
    emit changed();
}

void Theme::apply()
{
    m_roles = m_dark ? darkRoles() : lightRoles();
    QApplication::setPalette(palette());
    QApplication::setFont(font(TextSize::body));
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, m_roles.window);
    p.setColor(QPalette::WindowText, m_roles.text);
    p.setColor(QPalette::Base, m_roles.base);
    p.setColor(QPalette::AlternateBase, m_roles.base);
    p.setColor(QPalette::ToolTipBase, m_roles.base);
    p.setColor(QPalette::ToolTipText, m_roles.text);
    p.setColor(QPalette::PlaceholderText, m_roles.text2);
    p.setColor(QPalette::Text, m_roles.text);
    p.setColor(QPalette::Button, m_roles.window);
    p.setColor(QPalette::ButtonText, m_roles.text);
    p.setColor(QPalette::BrightText, m_roles.failed);
    p.setColor(QPalette::Highlight, m_roles.select);
    p.setColor(QPalette::HighlightedText, m_roles.text);
    p.setColor(QPalette::Link, m_roles.accent);
    p.setColor(QPalette::LinkVisited, m_roles.accent);
    p.setColor(QPalette::Light, m_roles.base);
    p.setColor(QPalette::Midlight, m_roles.line);
    p.setColor(QPalette::Mid, m_roles.line);
    p.setColor(QPalette::Dark, m_roles.line2);
    p.setColor(QPalette::Shadow, m_roles.line2);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, m_roles.disabled);
    p.setColor(QPalette::Disabled, QPalette::Base, m_roles.window);
    return p;
}

QFont Theme::font(TextSize size, int weight) const
{
    static constexpr int pixels[] = {11, 12, 13, 15, 20, 12};
    QFont font;
    if (size == TextSize::mono) {
        font.setFamilies({m_monoFamily});
        font.setFixedPitch(true);
        font.setStyleHint(QFont::Monospace);
    } else {
        font.setFamilies(m_families);
    }
    font.setPixelSize(scaled(pixels[int(size)]));
    font.setWeight(QFont::Weight(weight));
    return font;
}

QColor Theme::alpha(QColor color, double opacity)
{
    color.setAlphaF(float(opacity));
    return color;
}

QColor Theme::tintOfHeat(double place) const
{
    const double q = std::clamp(place, 0.0, 1.0);
    return alpha(m_roles.heat, 0.03 + 0.30 * q * q);
}

QColor Theme::heatStep(int step) const
{
    const auto mixed = [](const QColor& a, const QColor& b, double share) {
        return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
            float(a.greenF() + (b.greenF() - a.greenF()) * share), float(a.blueF() + (b.blueF() - a.blueF()) * share));
    };
    // From a quarter of the colour on the base to the colour, and on towards the ink.
    const double place = std::clamp(double(step) / (heatSteps - 1), 0.0, 1.0);
    return place <= 0.6 ? mixed(m_roles.base, m_roles.heat, 0.25 + 0.75 * place / 0.6)
                        : mixed(m_roles.heat, m_roles.ink, (place - 0.6) / 0.4 * 0.55);
}

StateLook Theme::state(core::TrialStatus status) const
{
    switch (status) {
    case core::TrialStatus::unknown:
        return {&Roles::unknown, u"unknown"_s, tr("Unknown")};
    case core::TrialStatus::waiting:
        return {&Roles::waiting, u"waiting"_s, tr("Waiting")};
    case core::TrialStatus::running:
        return {&Roles::running, u"running"_s, tr("Running")};
    case core::TrialStatus::succeeded:
        return {&Roles::succeeded, u"succeeded"_s, tr("Succeeded")};
    case core::TrialStatus::failed:
        return {&Roles::failed, u"failed"_s, tr("Failed")};
    case core::TrialStatus::user_canceled:
    case core::TrialStatus::sys_canceled:
        return {&Roles::cancelled, u"cancelled"_s, tr("Cancelled")};
    case core::TrialStatus::early_stopped:
        return {&Roles::cancelled, u"early-stopped"_s, tr("Early stopped")};
    }
    return {};
}

StateLook Theme::state(core::ExperimentState state) const
{
    switch (state) {
    case core::ExperimentState::preparing:
        return {&Roles::waiting, u"waiting"_s, tr("Preparing")};
    case core::ExperimentState::running:
        return {&Roles::running, u"running"_s, tr("Running")};
    case core::ExperimentState::paused:
        return {&Roles::unknown, u"paused"_s, tr("Paused")};
    case core::ExperimentState::stopping:
        return {&Roles::cancelled, u"early-stopped"_s, tr("Stopping")};
    case core::ExperimentState::stopped:
        return {&Roles::cancelled, u"early-stopped"_s, tr("Stopped")};
    case core::ExperimentState::done:
        return {&Roles::succeeded, u"succeeded"_s, tr("Done")};
    case core::ExperimentState::error:
        return {&Roles::failed, u"failed"_s, tr("Error")};
    }
    return {};
}

StateLook Theme::state(core::MachineState state) const
{
    switch (state) {
    case core::MachineState::connecting:
        return {&Roles::waiting, u"waiting"_s, tr("connecting")};
    case core::MachineState::ready:
        return {&Roles::text2, QString(), tr("ready")};
    case core::MachineState::question:
        return {&Roles::unknown, u"key"_s, tr("has a question")};
    case core::MachineState::silent:
        return {&Roles::unknown, u"unknown"_s, tr("silent")};
    case core::MachineState::drained:
        return {&Roles::cancelled, u"cancelled"_s, tr("drained")};
    case core::MachineState::failed:
        return {&Roles::failed, u"failed"_s, tr("failed")};
    }
    return {};
}

StateLook Theme::state(core::PlatformState state) const
{
    switch (state) {
    case core::PlatformState::opening:
        return {&Roles::waiting, u"waiting"_s, tr("Opening")};
    case core::PlatformState::ready:
        return {&Roles::succeeded, u"succeeded"_s, tr("Ready")};
    case core::PlatformState::question:
        return {&Roles::unknown, u"key"_s, tr("Has a question")};
    case core::PlatformState::silent:
        return {&Roles::unknown, u"unknown"_s, tr("Silent")};
    case core::PlatformState::failed:
        return {&Roles::failed, u"failed"_s, tr("Failed")};
    case core::PlatformState::closed:
        return {&Roles::cancelled, u"early-stopped"_s, tr("Closed")};
    }
    return {};
}

StateLook Theme::step(const core::OpenWord<core::CheckState>& state) const
{
    switch (state.value()) {
    case core::CheckState::ok:
        return {&Roles::succeeded, u"succeeded"_s, tr("good")};
    case core::CheckState::warn:
        return {&Roles::unknown, u"warning"_s, tr("warning")};
    case core::CheckState::fail:
        return {&Roles::failed, u"failed"_s, tr("failed")};
    case core::CheckState::skipped:
        return {&Roles::waiting, u"cancelled"_s, tr("skipped")};
    case core::CheckState::waiting:
        return {&Roles::waiting, u"waiting"_s, tr("waits")};
    case core::CheckState::running:
        return {&Roles::running, u"spinner"_s, tr("running")};
    case core::CheckState::other:
        break;
    }
    return {&Roles::unknown, u"unknown"_s, state.word()}; // an unknown state of a newer service
}

} // namespace ui
