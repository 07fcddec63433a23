// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_states.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

/// What a word does to the state. A flag stands beside a state, or alone where text shows it instead of the state.
enum class Role {
    waiting,
    running,
    ended,      ///< final, with `end`
    completing, ///< a flag: hides a running state, and leaves an end unfinished
    notYet,     ///< a flag: the nodes are not there yet, whatever the state
    runFlag,    ///< a flag of something that runs
    again,      ///< a flag: it will run again
    failedFlag, ///< a flag: alone, or beside an end, it says why
    nothing,    ///< a flag that says nothing about a job's progress
};

struct Word
{
    QLatin1StringView name;
    QLatin1StringView abbreviation;
    Role role;
    JobEnd end = JobEnd::none;
    bool suspended = false;
    bool held = false;
};

// Slurm 22.05 has the first 24; LAUNCH_FAILED and what follows it came with 22.05 to 24.11.
const Word allWords[] = {
    {"PENDING"_L1, "PD"_L1, Role::waiting},
    {"RUNNING"_L1, "R"_L1, Role::running},
    {"SUSPENDED"_L1, "S"_L1, Role::running, JobEnd::none, true},
    {"COMPLETED"_L1, "CD"_L1, Role::ended, JobEnd::succeeded},
    {"CANCELLED"_L1, "CA"_L1, Role::ended, JobEnd::cancelled},
    {"FAILED"_L1, "F"_L1, Role::ended, JobEnd::failed},
    {"TIMEOUT"_L1, "TO"_L1, Role::ended, JobEnd::timeLimit},
    {"NODE_FAIL"_L1, "NF"_L1, Role::ended, JobEnd::nodeFailure},
    {"PREEMPTED"_L1, "PR"_L1, Role::ended, JobEnd::preempted},
    {"BOOT_FAIL"_L1, "BF"_L1, Role::ended, JobEnd::bootFailure},
    {"DEADLINE"_L1, "DL"_L1, Role::ended, JobEnd::deadline},
    {"OUT_OF_MEMORY"_L1, "OOM"_L1, Role::ended, JobEnd::outOfMemory},
    {"CONFIGURING"_L1, "CF"_L1, Role::notYet},
    {"COMPLETING"_L1, "CG"_L1, Role::completing},
    {"STAGE_OUT"_L1, "SO"_L1, Role::completing},
    {"RESIZING"_L1, "RS"_L1, Role::runFlag},
    {"SIGNALING"_L1, "SI"_L1, Role::runFlag},
    {"STOPPED"_L1, "ST"_L1, Role::runFlag, JobEnd::none, true},
    {"REQUEUED"_L1, "RQ"_L1, Role::again},
    {"REQUEUE_FED"_L1, "RF"_L1, Role::again},
    {"REQUEUE_HOLD"_L1, "RH"_L1, Role::again, JobEnd::none, false, true},
    {"SPECIAL_EXIT"_L1, "SE"_L1, Role::again, JobEnd::none, false, true},
    {"RESV_DEL_HOLD"_L1, "RD"_L1, Role::waiting, JobEnd::none, false, true},
    {"REVOKED"_L1, "RV"_L1, Role::failedFlag, JobEnd::revoked},
    {"LAUNCH_FAILED"_L1, "LF"_L1, Role::failedFlag, JobEnd::launchFailed},
    {"RECONFIG_FAIL"_L1, "RC"_L1, Role::failedFlag, JobEnd::nodeFailure},
    {"POWER_UP_NODE"_L1, "PU"_L1, Role::notYet},
    {"EXPEDITING"_L1, "EX"_L1, Role::waiting},
    {"UPDATE_DB"_L1, "UD"_L1, Role::nothing},
};

const Word* wordOf(QStringView text)
{
    const bool cut = text.endsWith(u'+');
    const QStringView stem = cut ? text.chopped(1) : text;
    const auto fits = [stem, cut](const Word& word) {
        return cut
            ? word.name.size() >= stem.size() && stem.compare(word.name.first(stem.size()), Qt::CaseInsensitive) == 0
            : stem.compare(word.name, Qt::CaseInsensitive) == 0
                || stem.compare(word.abbreviation, Qt::CaseInsensitive) == 0;
    };
    const auto found = std::find_if(std::begin(allWords), std::end(allWords), fits);
    if (found == std::end(allWords) || stem.isEmpty())
        return nullptr;
    if (cut && std::find_if(std::next(found), std::end(allWords), fits) != std::end(allWords))
        return nullptr;
    return found;
}

bool hasRole(const QList<const Word*>& words, Role role)
{
    return std::any_of(words.begin(), words.end(), [role](const Word* word) { return word->role == role; });
}

JobEnd endOf(const QList<const Word*>& words)
{
    JobEnd end = JobEnd::none;
    for (const Word* word : words) {
        // A flag says more than the FAILED beside it.
        if (word->role == Role::failedFlag)
            return word->end;
        if (word->role == Role::ended)
            end = word->end;
    }
    return end;
}

/// From what overrides the most to what a word says alone.
JobPhase phaseOf(const QList<const Word*>& words)
{
    if (words.isEmpty())
        return JobPhase::unknown;
    if (hasRole(words, Role::completing))
        return JobPhase::completing;
    if (hasRole(words, Role::again))
        return JobPhase::waiting;
    if (hasRole(words, Role::ended))
        return JobPhase::ended;
    if (hasRole(words, Role::waiting) || hasRole(words, Role::notYet))
        return JobPhase::waiting;
    if (hasRole(words, Role::running) || hasRole(words, Role::runFlag))
        return JobPhase::running;
    return hasRole(words, Role::failedFlag) ? JobPhase::ended : JobPhase::unknown;
}

} // namespace

JobState jobState(const QStringList& words)
{
    JobState state;
    state.words = words;
    QList<const Word*> known;
    for (const QString& text : words) {
        const QStringView all = QStringView(text).trimmed();
        const qsizetype blank = all.indexOf(u' ');
        const Word* word = wordOf(blank < 0 ? all : all.first(blank));
        if (!word)
            continue;
        known.append(word);
        state.suspended |= word->suspended;
        state.held |= word->held;
        state.requeued |= word->role == Role::again;
        const QStringView rest = blank < 0 ? QStringView() : all.sliced(blank + 1).trimmed();
        if (word->end == JobEnd::cancelled && rest.startsWith("by "_L1))
            state.cancelledBy = rest.sliced(3).trimmed().toString();
    }
    state.phase = phaseOf(known);
    if (state.phase == JobPhase::ended || (state.phase == JobPhase::completing && !state.requeued))
        state.end = endOf(known);
    if (state.phase != JobPhase::running && state.phase != JobPhase::completing)
        state.suspended = false;
    return state;
}

} // namespace platforms::slurm
