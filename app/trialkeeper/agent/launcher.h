// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trialkeeper {

/// `trialkeeper launch`: becomes `trialkeeper host DIR` with the descriptors and the environment that the service sends over the
/// connection that is standard input (services/wire/handover.h). Returns only when that failed, with the exit code.
int launchHost();

} // namespace trialkeeper
