// SPDX-License-Identifier: GPL-3.0-or-later
// Children of the service: started without our secrets and descriptors, and never waited for.
#pragma once

#include <QByteArrayList>
#include <QString>

#include <spawn.h>
#include <sys/types.h>

namespace transport {

/// Our environment as NAME=VALUE, without our secrets and what a service manager gave to us alone.
[[nodiscard]] QByteArrayList childEnvironment();

/// Starts words[0] in a process group of its own, with default signals. It gets no descriptor but those of `actions`, and
/// childEnvironment(). Returns its process id, or a negative errno.
[[nodiscard]] pid_t spawnChild(const QByteArrayList& words, posix_spawn_file_actions_t& actions);

/// Takes a child that has ended or will soon from the system's table, without waiting for it.
void reapChild(pid_t pid, int delayMs = 1);

} // namespace transport
