// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace trialkeeper {

// How a service that runs in a sandbox has its agent started outside of it, by a socket of systemd with Accept=yes (or anything else
// that starts `trialkeeper launch` with a connection as its standard input).
//
// The service connects to the Unix socket and sends handoverRequest with handoverDescriptors descriptors (SCM_RIGHTS): what becomes the
// agent's standard input, output and error, and a file of texts that each end with NUL: DIR, then the whole environment as
// NAME=VALUE, at most maxHandover bytes. `trialkeeper launch` sends handoverAccepted and becomes `trialkeeper host DIR`; the
// connection ends then. One that ends without that byte has started nothing. Each side checks that the other is of its own user, or root.

inline constexpr char handoverRequest = 'h';
inline constexpr char handoverAccepted = 'y';
inline constexpr int handoverDescriptors = 4;
inline constexpr std::size_t maxHandover = 4 * 1024 * 1024;

} // namespace trialkeeper
