// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_calls.h"

namespace platforms::aml {

/// Deletes these jobs, which have ended; those that are gone are no error. `calls` is not owned.
[[nodiscard]] Task<Result<>> removeJobs(AmlCalls* calls, QStringList names);
/// Cancels these jobs, waits for their ends, two minutes at the most, and deletes them. None is owned.
[[nodiscard]] Task<Result<>> removeLiveJobs(AmlCalls* calls, AmlSession* session, QStringList names);

} // namespace platforms::aml
