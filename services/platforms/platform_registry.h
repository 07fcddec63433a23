// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of training platform. The application adds each kind explicitly; there is no static registration.
#pragma once

#include "platform.h"

#include <functional>
#include <memory>

namespace platforms {

class PlatformRegistry
{
public:
    using Factory = std::function<std::unique_ptr<Platform>()>;

    /// Calls the factory once to get the kind's description. An existing entry of the same kind is replaced (used by tests).
    void add(Factory factory);

    [[nodiscard]] QList<KindDescription> kinds() const; ///< in the order they were added
    /// Null when there is no such kind.
    [[nodiscard]] const KindDescription* find(const QString& kind) const;
    /// A closed platform of the kind, for its functions that need no open(). Null when there is no such kind.
    [[nodiscard]] const Platform* rules(const QString& kind) const;
    /// A new, closed platform; the error names the kinds that exist.
    [[nodiscard]] Result<std::unique_ptr<Platform>> make(const QString& kind) const;

private:
    struct Entry
    {
        KindDescription description;
        Factory factory;
        std::shared_ptr<const Platform> rules;
    };
    std::vector<Entry> m_entries;
};

} // namespace platforms
