// SPDX-License-Identifier: GPL-3.0-or-later
#include "users.h"

#include "io.h"

#include "services/wire/strict.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>

namespace trialkeeper {

void readUsers(std::string_view lines, UserNames& users)
{
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        const std::size_t name = line.find(':');
        const std::size_t password = name == line.npos ? name : line.find(':', name + 1);
        uid_t uid = 0;
        if (name == 0 || password == line.npos
            || std::from_chars(line.data() + password + 1, line.data() + line.size(), uid).ec != std::errc())
            continue;
        users.emplace(uid, line.substr(0, name));
    }
}

void readLocalUsers(UserNames& users)
{
    if (std::string text; readFileAt(AT_FDCWD, "/etc/passwd", text, 16 << 20))
        readUsers(text, users);
}

std::string userText(uid_t uid)
{
    UserNames users;
    readLocalUsers(users);
    return userText(std::to_string(uid), users[uid]);
}

} // namespace trialkeeper
