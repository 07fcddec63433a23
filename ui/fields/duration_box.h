// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

namespace ui {

/// A field for a span of time. The value is in seconds; it is shown whole and typed with units: `90`, `90 s`, `2 min`, `1 h 30 min`. The arrows
/// step by the smallest unit that the value uses. GUI thread.
class DurationBox : public QSpinBox
{
    Q_OBJECT
public:
    /// `none`: what zero is called.
    DurationBox(const QString& accessibleName, const QString& none, QWidget* parent = nullptr);

    void stepBy(int steps) override;

protected:
    [[nodiscard]] QString textFromValue(int value) const override;
    [[nodiscard]] int valueFromText(const QString& text) const override;
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
};

} // namespace ui
