// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace client {

/// Why libcurl cannot be used, for a person; empty if it can. The library is loaded at the first call of one of its functions, so
/// that the service, which sends no requests, does not hold it and the 17 libraries that it needs (3 MB). Any thread.
[[nodiscard]] QString curlLibraryError();

} // namespace client
