// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell_words.h"

namespace trialkeeper {

namespace {

/// Signs that mean themselves outside of quotes, wherever they stand in a word.
bool isPlainSign(char c)
{
    constexpr std::string_view plain = "_-./:,+@%=^";
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0
        || plain.find(c) != std::string_view::npos;
}

} // namespace

std::optional<std::vector<std::string>> shellWords(std::string_view command)
{
    while (!command.empty() && (command.back() == '\n' || command.back() == ' '))
        command.remove_suffix(1);
    std::vector<std::string> words;
    bool isInWord = false;
    for (std::size_t at = 0; at < command.size(); ++at) {
        const char c = command[at];
        if (c == ' ' || c == '\t') {
            isInWord = false;
            continue;
        }
        if (!isInWord)
            words.emplace_back();
        isInWord = true;
        if (c == '\'' || c == '"') {
            const std::size_t end = command.find(c, at + 1);
            if (end == std::string_view::npos)
                return {};
            const std::string_view inside = command.substr(at + 1, end - at - 1);
            if (inside.find('\0') != std::string_view::npos
                || (c == '"' && inside.find_first_of("$`\\!") != std::string_view::npos))
                return {};
            words.back() += inside;
            at = end;
            continue;
        }
        if (!isPlainSign(c))
            return {};
        words.back() += c;
    }
    // An assignment before a command is the shell's.
    if (words.empty() || words.front().empty() || words.front().find('=') != std::string::npos)
        return {};
    return words;
}

} // namespace trialkeeper
