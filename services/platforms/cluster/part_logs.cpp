// SPDX-License-Identifier: GPL-3.0-or-later
#include "part_logs.h"

#include <algorithm>

namespace platforms {

void PartLogs::see(const TrialRef& trial, const QStringList& parts)
{
    if (parts.isEmpty())
        return;
    Parts& known = m_trials[trial.trial];
    known.ref = trial;
    for (const QString& name : parts)
        if (!known.parts.contains(name))
            known.parts.emplace(name, Part{TrialLog(trial.trial, {}, StdoutWatch::none, true, name), {}, false});
}

void PartLogs::ended(const TrialId& trial, qint64 now)
{
    if (const auto found = m_trials.find(trial); found != m_trials.end() && !found->second.endedAt)
        found->second.endedAt = now;
}

QList<LogWish> PartLogs::wishes(qint64 now)
{
    std::erase_if(m_trials, [now](const auto& entry) {
        const Parts& known = entry.second;
        const bool isOver =
            std::all_of(known.parts.begin(), known.parts.end(), [](const auto& one) { return one.second.isOver; });
        return known.endedAt && (isOver || now - *known.endedAt >= afterEndMs);
    });
    QList<LogWish> wishes;
    for (const auto& [trial, known] : m_trials)
        for (const auto& [name, part] : known.parts)
            if (!part.isOver)
                wishes.append({known.ref, part.log.offset(), part.log.identity(), name});
    return wishes;
}

QList<KeptPiece> PartLogs::take(const LogPart& part, qint64 now)
{
    const auto trial = m_trials.find(part.trial);
    if (trial == m_trials.end())
        return {};
    const auto found = trial->second.parts.find(part.part);
    if (found == trial->second.parts.end())
        return {};
    Part& known = found->second;
    if (part.state == LogPart::State::another) {
        known.log.restart();
        return {};
    }
    known.isOver = trial->second.endedAt && (part.isEnd || part.state == LogPart::State::missing);
    if (part.state != LogPart::State::read || part.bytes.isEmpty())
        return {};
    return known.log.take(part.bytes, part.identity, now, known.runs).kept;
}

} // namespace platforms
