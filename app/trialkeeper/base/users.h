// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace trialkeeper {

using UserNames = std::map<uid_t, std::string>;

/// Lines of passwd(5), from the file or from getent.
void readUsers(std::string_view lines, UserNames& users);
/// Those of /etc/passwd. getpwuid() of a static program would load libraries of this machine.
void readLocalUsers(UserNames& users);
/// userText() of strict.h, with the name that /etc/passwd has.
[[nodiscard]] std::string userText(uid_t uid);

} // namespace trialkeeper
