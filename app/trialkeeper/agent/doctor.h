// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trialkeeper {

/// `trialkeeper doctor DIR`: looks at what trials need of this machine and prints a JSON line {id, title, state,
/// detail, remedy} for each finding as it is made. A process of its own, because a hung file system or driver may
/// stop it.
int examineMachine(const char* base);

} // namespace trialkeeper
