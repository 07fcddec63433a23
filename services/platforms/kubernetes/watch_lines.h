// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a watch, cut anywhere, as events: one JSON document a line. Pure.
#pragma once

#include "kube_json.h"

#include <optional>

namespace platforms::kubernetes {

/// Collects bytes into lines.
class WatchLines
{
public:
    static constexpr qsizetype maxLineBytes = 8 * 1024 * 1024;

    void push(QByteArrayView bytes);
    /// The next whole line that is not empty, without its end.
    [[nodiscard]] std::optional<QByteArray> next();
    /// A line is longer than maxLineBytes. Nothing comes any more.
    [[nodiscard]] bool isTooLong() const { return m_isTooLong; }
    [[nodiscard]] qsizetype pending() const
    {
        return m_bytes.size() - m_used;
    } ///< bytes of lines that next() did not give yet

private:
    QByteArray m_bytes;
    qsizetype m_used = 0;     ///< of m_bytes, in lines that were given
    qsizetype m_searched = 0; ///< no line end between m_used and here
    bool m_isTooLong = false;
};

struct WatchEvent
{
    enum class Type {
        added,
        modified,
        deleted,
        bookmark, ///< object.metadata.resourceVersion alone counts
        error,    ///< the object is a Status
        other,    ///< a word that this version does not know: passed over
    };
    Type type = Type::other;
    Json object; ///< without metadata.managedFields, which is half of it

    bool operator==(const WatchEvent&) const = default;
};

/// Kind::network: damaged, so the watch is begun again from the last version.
[[nodiscard]] Result<WatchEvent> readWatchLine(QByteArrayView line);

/// Takes metadata.managedFields out.
void dropManagedFields(Json& object);

} // namespace platforms::kubernetes
