// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_registry.h"

using namespace Qt::StringLiterals;

namespace platforms {

void PlatformRegistry::add(Factory factory)
{
    std::shared_ptr<const Platform> rules = factory();
    Entry entry{rules->describe(), std::move(factory), rules};
    const auto known = std::find_if(m_entries.begin(), m_entries.end(),
        [&](const Entry& e) { return e.description.kind == entry.description.kind; });
    if (known != m_entries.end())
        *known = std::move(entry);
    else
        m_entries.push_back(std::move(entry));
}

QList<KindDescription> PlatformRegistry::kinds() const
{
    QList<KindDescription> out;
    for (const Entry& entry : m_entries)
        out.append(entry.description);
    return out;
}

const KindDescription* PlatformRegistry::find(const QString& kind) const
{
    for (const Entry& entry : m_entries) {
        if (entry.description.kind == kind)
            return &entry.description;
    }
    return nullptr;
}

const Platform* PlatformRegistry::rules(const QString& kind) const
{
    for (const Entry& entry : m_entries) {
        if (entry.description.kind == kind)
            return entry.rules.get();
    }
    return nullptr;
}

Result<std::unique_ptr<Platform>> PlatformRegistry::make(const QString& kind) const
{
    QStringList names;
    for (const Entry& entry : m_entries) {
        if (entry.description.kind == kind)
            return entry.factory();
        names.append(entry.description.kind);
    }
    return fail(
        Kind::not_found, u"There is no kind of platform named \"%1\"; there are: %2."_m.arg(kind, names.join(u", "_s)));
}

} // namespace platforms
