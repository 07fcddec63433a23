// SPDX-License-Identifier: GPL-3.0-or-later
// Which kinds of training platform there are. The application fills it, one explicit line a kind; nothing registers itself.
#pragma once

#include "platform.h"

#include <functional>
#include <memory>

namespace platforms {

class PlatformRegistry
{
public:
    using Factory = std::function<std::unique_ptr<Platform>()>;

    /// Makes one platform to ask what it is. A kind that was there already is replaced, which tests use.
    void add(Factory factory);

    [[nodiscard]] QList<KindDescription> kinds() const; ///< in the order they were added
    /// Null when there is no such kind.
    [[nodiscard]] const KindDescription* find(const QString& kind) const;
    /// A new, closed platform; the error names the kinds that exist.
    [[nodiscard]] Result<std::unique_ptr<Platform>> make(const QString& kind) const;

private:
    struct Entry
    {
        KindDescription description;
        Factory factory;
    };
    std::vector<Entry> m_entries;
};

} // namespace platforms
