// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace transport {

/// A password or the like: a value that must be asked for by name, so that no log, event or message takes it along by chance.
class Secret
{
public:
    Secret() = default;
    explicit Secret(QString value)
        : m_value(std::move(value))
    {
    }
    [[nodiscard]] bool isEmpty() const { return m_value.isEmpty(); }
    [[nodiscard]] const QString& reveal() const { return m_value; }
    bool operator==(const Secret&) const = default;

private:
    QString m_value;
};

} // namespace transport
