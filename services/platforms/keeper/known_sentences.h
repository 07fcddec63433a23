// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/message/message.h"

#include <QRegularExpression>

#include <initializer_list>
#include <vector>

namespace platforms {

/// Templates of sentences that another program of ours says in English, on machines that may have another version of it.
class KnownSentences
{
public:
    enum class Gap {
        word,    ///< a number or a name
        anything ///< text of one line
    };

    /// The first that fits counts.
    KnownSentences(Gap gap, std::initializer_list<core::Message> templates);
    /// `text` with its template; as it stands where it has none here.
    [[nodiscard]] core::Message find(const QString& text) const;

private:
    struct Sentence
    {
        core::Message words;
        QRegularExpression form; ///< of the whole text; a group for each gap
    };
    std::vector<Sentence> m_sentences;
};

} // namespace platforms
