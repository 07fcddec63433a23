// SPDX-License-Identifier: GPL-3.0-or-later
#include "axis_ticks.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace ui::charts {

namespace {

/// The smallest of 1, 2, 5 times a power of ten that is not below `rough`.
double roundStep(double rough)
{
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

double fromList(double rough, std::initializer_list<double> steps)
{
    for (const double step : steps) {
        if (step >= rough)
            return step;
    }
    return roundStep(rough / *(steps.end() - 1)) * *(steps.end() - 1);
}

constexpr double second = 1000;
constexpr double minute = 60 * second;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;

double timeStep(double rough)
{
    if (rough < second)
        return roundStep(rough);
    return fromList(rough,
        {second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second, minute, 2 * minute, 5 * minute,
            10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day});
}

QString numberLabel(double value, double step)
{
    if (std::abs(value) < step * 1e-6)
        return u"0"_s;
    const double size = std::max(std::abs(value), step);
    if (size >= 1e7 || size < 1e-4)
        return QString::number(value, 'g', 3)
            .replace(u"e+0"_s, u"e"_s)
            .replace(u"e-0"_s, u"e-"_s)
            .replace(u"e+"_s, u"e"_s);
    const int places = std::clamp(int(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    return size >= 10'000 ? QLocale().toString(value, 'f', places) : QString::number(value, 'f', places);
}

QString durationLabel(double value, double step)
{
    const double unit = step >= day ? day : step >= hour ? hour : step >= minute ? minute : second;
    const char* word = unit == day ? QT_TRANSLATE_NOOP("ui::Axis", "%1 d")
        : unit == hour             ? QT_TRANSLATE_NOOP("ui::Axis", "%1 h")
        : unit == minute           ? QT_TRANSLATE_NOOP("ui::Axis", "%1 min")
                                   : QT_TRANSLATE_NOOP("ui::Axis", "%1 s");
    return QCoreApplication::translate("ui::Axis", word).arg(numberLabel(value / unit, step / unit));
}

QString clockLabel(double value, double step)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(qint64(value));
    if (step >= day)
        return QLocale().toString(when.date(), u"d MMM"_s);
    return when.toString(step >= minute ? u"HH:mm"_s : step >= second ? u"HH:mm:ss"_s : u"HH:mm:ss.zzz"_s);
}

QString powerLabel(double value)
{
    return value >= 1e-3 && value < 1e5
        ? QString::number(value, 'g', 6)
        : QString::number(value, 'g', 3).replace(u"e+0"_s, u"e"_s).replace(u"e-0"_s, u"e-"_s).replace(u"e+"_s, u"e"_s);
}

std::vector<Tick> logTicks(double low, double high, int wanted)
{
    std::vector<Tick> out;
    if (!(low > 0) || !(high > low))
        return out;
    const double decades = std::log10(high / low);
    if (decades < 0.7)
        return ticksOf(low, high, wanted);
    const int stride = std::max(1, int(std::ceil(decades / std::max(1, wanted))));
    const bool fine = decades * 3 <= wanted + 1;
    for (int power = int(std::floor(std::log10(low))); power <= int(std::ceil(std::log10(high))); ++power) {
        if (((power % stride) + stride) % stride != 0)
            continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor > 1 && !fine)
                break;
            const double value = factor * std::pow(10.0, power);
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                out.push_back({value, powerLabel(value)});
        }
    }
    return out;
}

} // namespace

std::vector<Tick> ticksOf(double low, double high, int wanted, AxisUnit unit, bool isLog)
{
    if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || wanted < 1)
        return {};
    if (isLog)
        return logTicks(low, high, wanted);
    const double rough = (high - low) / wanted;
    const double step = unit == AxisUnit::number ? roundStep(rough) : timeStep(rough);
    // Clock times are rounded in local time, not in UTC.
    const double shift =
        unit == AxisUnit::clock ? QDateTime::fromMSecsSinceEpoch(qint64(low)).offsetFromUtc() * second : 0;
    std::vector<Tick> out;
    QSet<QString> labels;
    const double first = std::ceil((low + shift) / step - 1e-9);
    for (int i = 0; i <= 2 * wanted + 1; ++i) {
        const double value = (first + i) * step - shift;
        if (value > high + step * 1e-9)
            break;
        const QString label = unit == AxisUnit::clock ? clockLabel(value, step)
            : unit == AxisUnit::duration              ? durationLabel(value, step)
                                                      : numberLabel(value, step);
        if (labels.contains(label))
            continue;
        labels.insert(label);
        out.push_back({value, label});
    }
    return out;
}

std::pair<double, double> aired(double low, double high, double share, bool isLog)
{
    if (!std::isfinite(low) || !std::isfinite(high))
        return {0, 1};
    if (isLog) {
        if (high <= 0)
            return {0.1, 1};
        if (low <= 0)
            low = high / 1000;
        const double air = high > low ? std::pow(high / low, share) : 2;
        return {low / air, high * air};
    }
    if (high > low) {
        const double air = (high - low) * share;
        return {low - air, high + air};
    }
    const double air = low == 0 ? 1 : std::abs(low) * 0.05;
    return {low - air, high + air};
}

std::pair<double, double> rounded(double low, double high, int wanted, bool isLog)
{
    if (!(high > low) || (isLog && low <= 0))
        return aired(low, high, 0, isLog);
    if (isLog) {
        const double from = std::floor(std::log10(low) + 0.01);
        const double to = std::ceil(std::log10(high) - 0.01);
        // Do not extend into a decade of which most would be empty.
        const double below = std::log10(low) - from > 0.7 ? low : std::pow(10.0, from);
        const double above = to - std::log10(high) > 0.7 ? high : std::pow(10.0, to);
        return {std::min(below, low), std::max(above, high)};
    }
    const double step = roundStep((high - low) / wanted);
    return {std::floor(low / step + 0.01) * step, std::ceil(high / step - 0.01) * step};
}

} // namespace ui::charts
