// SPDX-License-Identifier: GPL-3.0-or-later
#include "duration_box.h"

#include "models/duration_input.h"

#include <limits>

namespace ui {

DurationBox::DurationBox(const QString& accessibleName, const QString& none, QWidget* parent)
    : QSpinBox(parent)
{
    setRange(0, std::numeric_limits<int>::max());
    setSpecialValueText(none);
    setAccessibleName(accessibleName);
    setToolTip(tr("A time such as 90 s, 30 min, 1 h 30 min or 2 d."));
}

void DurationBox::stepBy(int steps)
{
    // Down from a whole hour it goes on by minutes.
    const int from = value() + (steps < 0 ? -1 : 0);
    const int unit = value() % 60 != 0 ? 1 : from < 3'600 ? 60 : value() % 3'600 != 0 ? 60 : 3'600;
    setValue(int(std::clamp<qint64>(qint64(value()) + qint64(steps) * unit, minimum(), maximum())));
}

QString DurationBox::textFromValue(int value) const
{
    return models::durationInput(value);
}

int DurationBox::valueFromText(const QString& text) const
{
    return int(std::min<qint64>(models::secondsOfInput(text).value_or(0), maximum()));
}

QValidator::State DurationBox::validate(QString& text, int&) const
{
    // Nothing is Invalid: a refused key would leave a text that means something else.
    const std::optional<qint64> seconds = models::secondsOfInput(text);
    return (seconds && *seconds <= maximum()) || text == specialValueText() ? QValidator::Acceptable
                                                                            : QValidator::Intermediate;
}

} // namespace ui
