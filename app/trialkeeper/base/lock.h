// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io.h"
#include "proc.h"

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

} // namespace trialkeeper
