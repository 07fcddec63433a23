// SPDX-License-Identifier: GPL-3.0-or-later
#include "arm_budget.h"

namespace platforms::azure {

namespace {

// The smallest rate at which Azure fills up: 1,200 writes an hour, that is one in three seconds.
constexpr qint64 plenty = 50;
constexpr qint64 few = 10;
constexpr qint64 slowMs = 500;
constexpr qint64 slowestMs = 3'000;

void seeOne(const transport::HttpHeaders& headers, QByteArrayView name, std::optional<qint64>& remaining)
{
    bool isNumber = false;
    const qint64 number = transport::headerValue(headers, name).trimmed().toLongLong(&isNumber);
    if (isNumber && number >= 0)
        remaining = number;
}

} // namespace

void ArmBudget::see(const transport::HttpHeaders& headers)
{
    seeOne(headers, "x-ms-ratelimit-remaining-subscription-reads", m_reads);
    seeOne(headers, "x-ms-ratelimit-remaining-subscription-writes", m_writes);
    seeOne(headers, "x-ms-ratelimit-remaining-subscription-deletes", m_deletes);
}

const std::optional<qint64>& ArmBudget::of(const QByteArray& method) const
{
    if (method == "GET" || method == "HEAD")
        return m_reads;
    return method == "DELETE" ? m_deletes : m_writes;
}

qint64 ArmBudget::pauseMs(const QByteArray& method) const
{
    const std::optional<qint64>& remaining = of(method);
    if (!remaining || *remaining > plenty)
        return 0;
    return *remaining > few ? slowMs : slowestMs;
}

} // namespace platforms::azure
