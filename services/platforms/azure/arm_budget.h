// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/transport/http/wire/http_headers.h"

namespace platforms::azure {

using namespace core;

/// What Azure Resource Manager says, with each answer, of how many requests it still takes: x-ms-ratelimit-remaining-subscription-reads, -writes
/// and -deletes. Pure.
class ArmBudget
{
public:
    void see(const transport::HttpHeaders& headers);
    /// Milliseconds to wait before the next request of this method, so that what is left lasts until it is filled up again. 0: none.
    [[nodiscard]] qint64 pauseMs(const QByteArray& method) const;

private:
    [[nodiscard]] const std::optional<qint64>& of(const QByteArray& method) const;

    std::optional<qint64> m_reads, m_writes, m_deletes; ///< nothing: it was not said
};

} // namespace platforms::azure
