// SPDX-License-Identifier: GPL-3.0-or-later
#include "strict.h"

namespace trialkeeper {

namespace {

std::string sentence(std::string_view path, const std::string& rest)
{
    return std::string(path) + rest + ", or choose another folder with scratchDir.";
}

} // namespace

std::string userText(std::string_view uid, std::string_view name)
{
    const std::string number = "user " + std::string(uid);
    return name.empty() || name == uid ? number : std::string(name) + " (" + number + ')';
}

std::string belongsToAnother(std::string_view path, std::string_view user)
{
    return sentence(path,
        " belongs to " + std::string(user)
            + ", not to this account or root, so what lies there could be anybody's. Have it removed or given to this "
              "account "
              "(chown)");
}

std::string notOursAlone(std::string_view path, std::string_view mode)
{
    const auto has = [mode](std::size_t at, char c) { return mode.size() > at && mode[at] == c; };
    const std::string shown = " (" + std::string(mode) + ')';
    if (has(0, 'l'))
        return sentence(path, " is a symbolic link; from the agent's folder on there must be none. Remove it");
    if (has(5, 'w') || has(8, 'w'))
        return sentence(path,
            " can be changed by other users" + shown
                + ", so what lies there could be anybody's. Take that away (chmod go-w '" + std::string(path) + "')");
    return sentence(path, " is in the way of the agent: it is not what belongs there" + shown + ". Remove it");
}

} // namespace trialkeeper
