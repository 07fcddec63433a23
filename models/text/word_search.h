// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

namespace models {

/// Finds one word in many texts, whatever the case of either. As QString::contains() of QtCaseInsensitive, without an allocation where both are
/// ASCII, which is what a million rows at a key press can afford. A value; may be used on several threads at once.
class WordSearch
{
public:
    WordSearch() = default;
    explicit WordSearch(const QString& word);

    [[nodiscard]] bool isIn(QStringView text) const;
    [[nodiscard]] bool isInUtf8(QByteArrayView text) const;
    /// Whether it is part of the number's decimal digits.
    [[nodiscard]] bool isInNumber(qint64 number) const;

private:
    QString m_word;
    QByteArray m_lower; ///< the word in lower case if it is ASCII; empty if it is not
    bool m_isNumber = false;
};

} // namespace models
