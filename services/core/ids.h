// SPDX-License-Identifier: GPL-3.0-or-later
// Identifiers that cannot be mixed up. Each wraps a QString; `value` is what the public contract shows.
#pragma once

#include <QHashFunctions>
#include <QString>

#include <compare>

namespace core {

template <typename Tag>
struct Id
{
    QString value;

    Id() = default;
    explicit Id(QString v)
        : value(std::move(v))
    {
    }
    [[nodiscard]] bool isEmpty() const { return value.isEmpty(); }
    bool operator==(const Id&) const = default;
    std::strong_ordering operator<=>(const Id& other) const
    {
        const int order = value.compare(other.value);
        return order < 0 ? std::strong_ordering::less
            : order > 0  ? std::strong_ordering::greater
                         : std::strong_ordering::equal;
    }
};

template <typename Tag>
size_t qHash(const Id<Tag>& id, size_t seed = 0)
{
    return ::qHash(id.value, seed);
}

using TrialId = Id<struct TrialTag>;           ///< ours: sortable by time of acceptance, [a-z0-9], begins with `t`
using ExperimentId = Id<struct ExperimentTag>; ///< ours, begins with `e`
using PlatformId = Id<struct PlatformTag>;     ///< chosen by the person
using MachineId = Id<struct MachineTag>;       ///< URL-safe, [a-z0-9.-]
using PromptId = Id<struct PromptTag>;         ///< begins with `p`
using OperationId = Id<struct OperationTag>;   ///< begins with `r`

/// Makes ids that sort in the order of making: prefix, nine base-32 digits of milliseconds, a counter within them.
/// Never repeats within one maker, also when the clock goes back.
class IdMaker
{
public:
    [[nodiscard]] QString make(QChar prefix, qint64 nowMs);

private:
    qint64 m_lastMs = 0;
    quint32 m_counter = 0;
};

} // namespace core

template <typename Tag>
struct std::hash<core::Id<Tag>>
{
    size_t operator()(const core::Id<Tag>& id) const noexcept { return ::qHash(id.value); }
};
