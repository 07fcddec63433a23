// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_cache.h"

#include "services/api/reply_builders.h"

namespace engine {

qint64 CurveCache::next(const TrialId& trial, const QString& metric) const
{
    const auto curves = m_curves.constFind(trial);
    if (curves == m_curves.cend())
        return 0;
    const auto curve = curves->find(metric);
    return curve == curves->end() ? 0 : curve->second.next;
}

void CurveCache::append(Curve& curve, const QString& metric, std::span<const Metric> records)
{
    m_points -= curve.pyramid.size();
    for (const Metric& record : records) {
        if (record.sequence < curve.next)
            continue;
        api::appendToCurve(curve.pyramid, record, metric);
        curve.next = record.sequence + 1;
    }
    m_points += curve.pyramid.size();
}

void CurveCache::add(const TrialId& trial, const QString& metric, std::span<const Metric> records)
{
    const auto [curve, isNew] = m_curves[trial].try_emplace(metric);
    m_count += isNew ? 1 : 0;
    curve->second.used = ++m_uses;
    append(curve->second, metric, records);
    drop();
}

void CurveCache::extend(const TrialId& trial, std::span<const Metric> records)
{
    const auto curves = m_curves.find(trial);
    if (curves == m_curves.end() || records.empty())
        return;
    for (auto& [metric, curve] : *curves) {
        if (records.front().sequence <= curve.next)
            append(curve, metric, records);
    }
    drop();
}

series::Pyramid* CurveCache::find(const TrialId& trial, const QString& metric)
{
    const auto curves = m_curves.find(trial);
    if (curves == m_curves.end())
        return nullptr;
    const auto curve = curves->find(metric);
    if (curve == curves->end())
        return nullptr;
    curve->second.used = ++m_uses;
    return &curve->second.pyramid;
}

void CurveCache::remove(const TrialId& trial)
{
    const auto curves = m_curves.find(trial);
    if (curves == m_curves.end())
        return;
    for (const auto& [metric, curve] : *curves)
        m_points -= curve.pyramid.size();
    m_count -= curves->size();
    m_curves.erase(curves);
}

void CurveCache::drop()
{
    while (m_count > 1 && (m_count > m_limits.curves || m_points > m_limits.points)) {
        const TrialId* trial = nullptr;
        ByMetric::const_iterator oldest;
        for (auto curves = m_curves.cbegin(); curves != m_curves.cend(); ++curves) {
            for (auto curve = curves->begin(); curve != curves->end(); ++curve) {
                if (trial && curve->second.used >= oldest->second.used)
                    continue;
                trial = &curves.key();
                oldest = curve;
            }
        }
        m_points -= oldest->second.pyramid.size();
        --m_count;
        const auto curves = m_curves.find(*trial);
        curves->erase(oldest);
        if (curves->empty())
            m_curves.erase(curves);
    }
}

} // namespace engine
