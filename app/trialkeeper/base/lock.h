// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io.h"
#include "proc.h"

#include <string_view>
#include <vector>

namespace trialkeeper {

/// The lock of a trial's keeper: an open-file-description lock on <trial>/lock, gone with the last process that holds
/// the descriptor. The file also names the keeper, for file systems that have no locks and for those that look at it.
class KeeperLock
{
public:
    enum class Result { Taken, Busy, Failed };
    /// Takes the lock and writes who holds it. Failed leaves errno. Where locks do not work, the identity in the file
    /// decides alone.
    [[nodiscard]] Result take(int trialFolder);
    /// Closes our descriptor of it: a forked wrapper leaves the lock to its keeper.
    void drop() { m_file.reset(); }
    /// Gives the lock back, also where the identity in the file is all there is.
    void release();

private:
    Fd m_file;
};

/// Whether a keeper holds the lock of that folder, and which process it is (from the file; pid 0 if it is not there).
[[nodiscard]] bool keeperLives(int trialFolder, ProcessIdentity& keeper);

/// GPUs taken by the trials of a service on this machine: /tmp/.trialdeck-gpu/<uuid>, a shared lock, with the id of
/// the service as content, so that trials of one service may share a GPU and those of two may not.
class GpuLocks
{
public:
    /// False, with a sentence in `message`, if another service holds one of them. A lock file that cannot be used is
    /// passed over: the locks are a courtesy between services, and a stranger's file must not stop work.
    [[nodiscard]] bool take(const std::vector<std::string_view>& uuids, std::string_view serviceId,
        std::string& message, const char* folder = "/tmp/.trialdeck-gpu");

private:
    std::vector<Fd> m_files;
};

} // namespace trialkeeper
