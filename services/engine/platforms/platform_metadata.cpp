// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_metadata.h"

using namespace Qt::StringLiterals;

namespace engine {

static const QString prefix = u"metadata/"_s;

static QString prefixOf(const PlatformId& id)
{
    return prefix + id.value + u'/';
}

PlatformMetadata::PlatformMetadata(store::Store& store)
    : m_store(store)
{
}

void PlatformMetadata::restore(const QMap<QString, QByteArray>& values)
{
    for (auto it = values.lowerBound(prefix); it != values.end() && it.key().startsWith(prefix); ++it)
        m_values.insert(it.key(), it.value());
}

Task<Result<>> PlatformMetadata::set(PlatformId id, QString key, QByteArray json)
{
    const QString name = prefixOf(id) + key;
    store::Batch batch;
    batch.values.insert(name, json);
    const Result<> committed = co_await m_store.committed(std::move(batch), store::Durability::full);
    if (committed)
        m_values.insert(name, json);
    co_return committed;
}

std::optional<QByteArray> PlatformMetadata::value(const PlatformId& id, const QString& key) const
{
    const auto it = m_values.constFind(prefixOf(id) + key);
    return it != m_values.cend() ? std::optional(*it) : std::nullopt;
}

Json PlatformMetadata::trialConfig(const PlatformId& id) const
{
    const Result<Json> json = parseJson(value(id, u"trial_config"_s).value_or(QByteArray()));
    return json ? *json : Json();
}

bool PlatformMetadata::isMultiPhase(const PlatformId& id) const
{
    const QByteArray json = value(id, u"multiPhase"_s).value_or(QByteArray());
    return json == "true" || json == "\"true\"";
}

void PlatformMetadata::removePlatform(const PlatformId& id)
{
    store::Batch batch;
    const QString start = prefixOf(id);
    for (auto it = m_values.lowerBound(start); it != m_values.end() && it.key().startsWith(start);
         it = m_values.erase(it))
        batch.values.insert(it.key(), QByteArray());
    if (!batch.isEmpty())
        m_store.commit(std::move(batch), store::Durability::normal);
}

} // namespace engine
