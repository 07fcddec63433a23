// SPDX-License-Identifier: GPL-3.0-or-later
#include "spark_cache.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace std::chrono_literals;

namespace models {

namespace {

constexpr qsizetype keptSparks = 4096;
constexpr int sparkColumns = 80; ///< a cell is about as many pixels wide
/// Delays by which requests for new rows (soon) and for new values (later) are collected into batches.
constexpr auto soon = 30ms;
constexpr auto later = 700ms;

} // namespace

SparkCache::SparkCache(client::EngineClient& client, QObject* parent)
    : QObject(parent)
    , m_loader(client)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &SparkCache::ask);
    connect(&m_loader, &SeriesLoader::loaded, this, [this](const SeriesDataPtr& data) { take(*data); });
    connect(&m_loader, &SeriesLoader::failed, this, [this] { m_asked.clear(); });
}

void SparkCache::setObjective(const core::Objective& objective)
{
    if (objective == m_objective)
        return;
    m_objective = objective;
    clear();
}

void SparkCache::clear()
{
    m_sparks.clear();
    m_wanted.clear();
    m_asked.clear();
    m_longest = 1;
    m_hasRange = false;
    ++m_version;
    emit changed();
}

const Spark* SparkCache::spark(const core::Trial& trial)
{
    const auto it = m_sparks.find(trial.id);
    const bool known = it != m_sparks.end();
    if (trial.metricCount > 0 && (!known || it->values < trial.metricCount)
        && m_asked.value(trial.id, -1) < trial.metricCount) {
        m_wanted.insert(trial.id, trial.metricCount);
        if (!m_soon.isActive())
            m_soon.start(known ? later : soon);
        else if (!known && m_soon.remainingTimeAsDuration() > soon)
            m_soon.start(soon);
    }
    if (!known)
        return nullptr;
    it->used = ++m_uses;
    return &*it;
}

void SparkCache::ask()
{
    if (m_loader.isLoading()) {
        m_soon.start(soon);
        return;
    }
    if (m_wanted.isEmpty())
        return;
    SeriesRequest request;
    request.trials = m_wanted.keys();
    request.metric = m_objective.metric;
    request.columns = sparkColumns;
    m_asked = std::exchange(m_wanted, {});
    m_loader.request(request);
}

void SparkCache::take(const SeriesData& data)
{
    for (const SeriesCurve& curve : data.curves) {
        Spark spark;
        spark.values = m_asked.value(curve.trial);
        spark.used = ++m_uses;
        const auto add = [&](double x, double y) {
            spark.points.emplace_back(x, y);
            if (!std::isfinite(y))
                return;
            if (!spark.best || (m_objective.maximize ? y > spark.best->second : y < spark.best->second))
                spark.best = {x, y};
            m_low = m_hasRange ? std::min(m_low, y) : y;
            m_high = m_hasRange ? std::max(m_high, y) : y;
            m_hasRange = true;
        };
        for (const SeriesColumn& column : curve.columns) {
            if (column.count > 2) {
                add(column.firstX, column.min);
                add(column.lastX, column.max);
            } else {
                add(column.firstX, column.first);
                if (column.count == 2)
                    add(column.lastX, column.last);
            }
        }
        if (!spark.points.empty())
            m_longest = std::max(m_longest, spark.points.back().first);
        m_sparks.emplace(curve.trial, std::move(spark));
    }
    m_asked.clear();
    while (m_sparks.size() > keptSparks) {
        const auto oldest = std::min_element(
            m_sparks.begin(), m_sparks.end(), [](const Spark& a, const Spark& b) { return a.used < b.used; });
        m_sparks.erase(oldest);
    }
    ++m_version;
    emit changed();
}

} // namespace models
