// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper_words.h"

#include "known_sentences.h"

namespace platforms {

using namespace core;

Message keeperMessage(const QString& text)
{
    static const KnownSentences sentences(KnownSentences::Gap::word,
        {
            u"The command ended with exit code %1."_m,
            u"The command ended with exit code %1 (%2 of a program in it)."_m,
            u"The command was ended by signal %1."_m,
            u"The command was ended by %1 (signal %2)."_m,
            u"A program of the command was not found (exit code 127)."_m,
            u"The system killed it because memory ran out."_m,
            u"Its folder was deleted while it ran, and how it ended is not known."_m,
            u"Its keeper ended before it started the command."_m,
            u"The trial's keeper was killed before it started the command."_m,
        });
    return sentences.find(text);
}

} // namespace platforms
