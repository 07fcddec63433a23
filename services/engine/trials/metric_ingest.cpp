// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_ingest.h"

#include "services/core/logging.h"
#include "services/trial/file_metric_stream.h"
#include "services/trial/nni_streams.h"
#include "services/trial/objective.h"
#include "services/trial/parameter_id.h"
#include "services/trial/pattern_stream.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace engine {

/// Of one trial, waiting for the worker that matches the pattern. It holds bursts; a trial that prints without end does not wait
/// for it, since the agent's pipe carries all trials of a machine.
static constexpr qsizetype mostPending = 16 * 1024 * 1024;
/// Processor time that a pattern may take for 64 KiB; an ordinary one takes some milliseconds.
static constexpr int pieceMs = 250;

class MetricIngest::Streams
{
public:
    Streams(const store::TrialPrivate& state, const ExperimentSpec& spec) { begin(state, spec); }

    /// Reads on where the state says, with nothing incomplete; of another run of the trial, all over.
    void begin(const store::TrialPrivate& state, const ExperimentSpec& spec)
    {
        attempt = state.cursorAttempt;
        nni.emplace(state.nniCursor);
        file.emplace(state.fileCursor);
        sdk.emplace(state.stdoutCursor);
        pattern.reset();
        leftOut = 0;
        if (spec.metricPattern.isEmpty())
            return;
        // Was checked when the experiment was created.
        if (auto made = trial::PatternStream::create(spec.metricPattern, spec.objective, state.stdoutCursor))
            pattern = std::move(*made);
    }
    /// Whether everything that was fed is read, up to the end of a record in each stream.
    [[nodiscard]] bool isWhole() const
    {
        return nni->isWhole() && file->isWhole() && sdk->isWhole() && taken == tickets
            && (!pattern || pattern->isWhole());
    }

    int attempt = 0;
    std::optional<trial::NniMetricStream> nni;
    std::optional<trial::FileMetricStream> file;
    std::optional<trial::SdkLineStream> sdk;
    std::shared_ptr<trial::PatternStream> pattern; ///< in the worker's hands until all tickets are taken
    qint64 tickets = 0;                            ///< given to the worker, in the order of the stream
    qint64 taken = 0;                              ///< of these, from the first on, in the state
    std::map<qint64, PatternRead> early;           ///< results whose turn has not come
    std::vector<std::function<void()>> waiting;    ///< facts behind what the worker reads
    qsizetype pending = 0;                         ///< bytes in the worker's hands
    qint64 leftOut = 0; ///< bytes since the worker's queue was full; the next line that is read begins behind them
    int findings = 0;
    QByteArray cursor; ///< the platform's newest, until everything before it is stored
};

MetricIngest::MetricIngest(EngineState& state, const TrialEntry& entry, Scope& scope, Strand& patterns)
    : m_state(state)
    , m_scope(scope)
    , m_patterns(patterns)
{
    const ExperimentPtr experiment = state.experiment(entry.trial->experimentId);
    m_streams = std::make_shared<Streams>(entry.state, experiment->spec);
}

MetricIngest::~MetricIngest() = default;

/// The leader among all trials of an experiment; for when the one that led has become worse.
static std::optional<BestTrial> bestOf(
    const EngineState& state, const ExperimentId& experiment, const Objective& objective)
{
    std::optional<BestTrial> leader;
    for (const TrialEntry* entry : state.trialsOf(experiment)) {
        const std::optional<double> value = entry->trial->bestMetric;
        if (value && trial::isBetter(*value, leader ? std::optional(leader->value) : std::nullopt, objective))
            leader = BestTrial{entry->trial->id, *value};
    }
    return leader;
}

void MetricIngest::take(TrialEntry& entry, std::vector<trial::ParsedMetric>& parsed, qint64 time)
{
    if (parsed.empty())
        return;
    const Objective objective = m_state.experiment(entry.trial->experimentId)->spec.objective;
    const Trial& trial = *entry.trial;
    std::vector<Metric> metrics;
    metrics.reserve(parsed.size());
    qint64 sequence = trial.metricCount;
    std::optional<double> best = trial.bestMetric;
    std::optional<MetricSummary> latest;
    std::optional<MetricSummary> final;
    for (trial::ParsedMetric& one : parsed) {
        Metric metric;
        metric.sequence = sequence++;
        metric.type = one.type;
        metric.parameterId = one.parameterId;
        metric.parameterIndex = one.parameterIndex;
        metric.step = one.step;
        metric.data = std::move(one.data);
        metric.value = std::move(one.value);
        metric.time = time;
        if (metric.type != MetricType::request_parameter) {
            const MetricSummary summary{metric.sequence, metric.step, metric.value, metric.time};
            latest = summary;
            const std::optional<double> value = trial::objectiveValue(metric.value, objective);
            // Tuners go by the final value, so what was reported on the way no longer counts, even where it is NaN.
            if (metric.type == MetricType::final && value)
                best = std::isnan(*value) ? std::nullopt : value;
            else if (!final && !trial.finalMetric)
                trial::takeBest(best, metric.value, objective);
            if (metric.type == MetricType::final)
                final = summary;
        }
        metrics.push_back(std::move(metric));
    }
    m_state.change(entry, [&](Trial& t) {
        t.metricCount = sequence;
        t.lastContact = std::max(t.lastContact, time);
        t.bestMetric = best;
        if (latest)
            t.latestMetric = latest;
        if (final)
            t.finalMetric = final;
    });
    const bool isNumbered = metrics.back().parameterId.has_value();
    m_state.metrics(
        entry, std::move(metrics), isNumbered ? QByteArray() : trial::textParameterId(entry.trial->parameterCfg));
    const ExperimentPtr experiment = m_state.experiment(entry.trial->experimentId);
    std::optional<BestTrial> leader = experiment->best;
    const bool isWorse =
        leader && leader->trialId == entry.trial->id && (!best || trial::isBetter(leader->value, best, objective));
    if (isWorse)
        leader = bestOf(m_state, entry.trial->experimentId, objective);
    else if (best && trial::isBetter(*best, leader ? std::optional(leader->value) : std::nullopt, objective))
        leader = BestTrial{entry.trial->id, *best};
    if (leader != experiment->best)
        m_state.change(experiment->id, [&](Experiment& e) { e.best = leader; });
}

void MetricIngest::note(TrialEntry& entry, const QList<trial::MetricFinding>& findings)
{
    for (const trial::MetricFinding& finding : findings)
        if (++m_streams->findings <= 20) // a trial that writes nothing else must not fill the journal
            m_state.event(entry, TrialEventKind::finding, finding.text);
}

void MetricIngest::beginAttempt(TrialEntry& entry, int attempt)
{
    m_state.changeState(entry, [attempt](store::TrialPrivate& state) {
        state.cursorAttempt = attempt;
        state.nniCursor = state.fileCursor = state.stdoutCursor = 0;
    });
    m_streams->begin(entry.state, m_state.experiment(entry.trial->experimentId)->spec);
}

void MetricIngest::keepCursor(TrialEntry& entry, const QByteArray& cursor)
{
    if (cursor.size() > platforms::maxPlatformCursor) {
        qCWarning(lcEngine) << "a cursor of" << cursor.size() << "bytes of trial" << entry.trial->id.value
                            << "is not kept";
        return;
    }
    m_streams->cursor = cursor;
    storeCursor(entry);
}

void MetricIngest::storeCursor(TrialEntry& entry)
{
    if (m_streams->cursor.isEmpty() || !m_streams->isWhole())
        return;
    m_state.changeState(
        entry, [this](store::TrialPrivate& state) { state.platformCursor = std::exchange(m_streams->cursor, {}); });
    m_state.saveSoon(store::Durability::normal);
}

void MetricIngest::feed(TrialEntry& entry, const platforms::RecordBytes& bytes)
{
    std::vector<trial::ParsedMetric> parsed;
    Streams& s = *m_streams;
    if (bytes.attempt < s.attempt)
        return; // of a run that the platform gave up
    if (bytes.attempt > s.attempt)
        beginAttempt(entry, bytes.attempt);
    switch (bytes.stream) {
    case platforms::Stream::nni:
        s.nni->feed(bytes.offset, bytes.bytes, parsed, bytes.reset);
        note(entry, s.nni->takeFindings());
        entry.state.nniCursor = s.nni->consumed();
        break;
    case platforms::Stream::file:
        s.file->feed(bytes.offset, bytes.bytes, parsed, bytes.reset);
        note(entry, s.file->takeFindings());
        entry.state.fileCursor = s.file->consumed();
        break;
    case platforms::Stream::stdout_lines:
        s.sdk->feed(bytes.offset, bytes.bytes, parsed);
        note(entry, s.sdk->takeFindings());
        if (!s.pattern) {
            entry.state.stdoutCursor = s.sdk->consumed();
        } else if (platforms::RecordBytes read = bytes; makesRoom(entry, read)) {
            readPattern(read);
        }
        break;
    }
    take(entry, parsed, bytes.time);
    m_state.changeState(entry, [](store::TrialPrivate&) {});
    m_state.saveSoon(store::Durability::normal);
    if (!bytes.platformCursor.isEmpty())
        keepCursor(entry, bytes.platformCursor);
    else
        storeCursor(entry);
}

MetricIngest::Posted MetricIngest::post(
    TrialEntry& entry, const std::vector<trial::PostedMetric>& metrics, bool hasOffsets, qint64 run)
{
    Posted result{entry.state.postedCursor, false};
    if (hasOffsets && run > entry.state.postedRun)
        result.next = 0;
    std::vector<trial::ParsedMetric> fresh;
    for (const trial::PostedMetric& posted : metrics) {
        if (hasOffsets && posted.offset > result.next) {
            result.isGap = true;
            break;
        }
        if (hasOffsets && posted.offset < result.next)
            continue;
        fresh.push_back(posted.metric);
        if (hasOffsets)
            ++result.next;
    }
    const bool isNew = !fresh.empty() || (hasOffsets && run > entry.state.postedRun);
    take(entry, fresh, m_state.clock().nowMs());
    if (isNew)
        m_state.changeState(entry, [&](store::TrialPrivate& state) {
            state.postedCursor = result.next;
            if (hasOffsets)
                state.postedRun = std::max(state.postedRun, run);
        });
    return result;
}

/// False when nothing of the bytes is to be read; they may lose the rest of a line whose beginning was left out.
bool MetricIngest::makesRoom(TrialEntry& entry, platforms::RecordBytes& bytes)
{
    Streams& s = *m_streams;
    // Half of it must be free again, so that what is left out are few long stretches.
    const qsizetype room = (s.leftOut > 0 ? mostPending / 2 : mostPending) - s.pending;
    const qsizetype lineEnd = s.leftOut > 0 ? bytes.bytes.indexOf('\n') : -1;
    if (bytes.bytes.size() > room || (s.leftOut > 0 && lineEnd < 0)) {
        if (s.leftOut == 0)
            note(entry,
                {{bytes.offset,
                    u"The metric pattern reads standard output slower than it comes; lines are left out."_m}});
        s.leftOut += bytes.bytes.size();
        return false;
    }
    if (s.leftOut > 0) {
        s.leftOut += lineEnd + 1;
        note(entry,
            {{bytes.offset,
                u"The metric pattern goes on with standard output; %1 KiB of it were left out."_m.arg(
                    (s.leftOut + 1023) / 1024)}});
        s.leftOut = 0;
        bytes.offset += lineEnd + 1;
        bytes.bytes.remove(0, lineEnd + 1);
    }
    s.pending += bytes.bytes.size();
    return true;
}

void MetricIngest::readPattern(const platforms::RecordBytes& bytes)
{
    const qint64 ticket = m_streams->tickets++;
    // Regular expressions can be slow, by accident or on purpose: never on the service thread. One worker keeps the order.
    m_scope.spawn([this, alive = std::weak_ptr(m_streams), state = &m_state, patterns = &m_patterns,
                      stream = m_streams->pattern, ticket, attempt = m_streams->attempt, bytes]() -> Task<> {
        auto reading = patterns->run([stream, bytes] {
            PatternRead read;
            stream->allow(pieceMs * (1 + int(bytes.bytes.size() / (64 * 1024))));
            stream->feed(bytes.offset, bytes.bytes, read.parsed);
            read.findings = stream->takeFindings();
            read.consumed = stream->consumed();
            return read;
        });
        PatternRead read = co_await reading;
        read.time = bytes.time;
        read.size = bytes.bytes.size();
        read.attempt = attempt;
        if (alive.expired())
            co_return;
        if (TrialEntry* entry = state->trial(bytes.trial))
            patternRead(*entry, ticket, std::move(read));
    });
}

void MetricIngest::patternRead(TrialEntry& entry, qint64 ticket, PatternRead read)
{
    // A future that is ready resumes at once, and overtakes one whose event is still queued.
    Streams& s = *m_streams;
    s.early.emplace(ticket, std::move(read));
    for (auto next = s.early.begin(); next != s.early.end() && next->first == s.taken; next = s.early.erase(next)) {
        ++s.taken;
        s.pending -= next->second.size;
        note(entry, next->second.findings);
        if (next->second.attempt == s.attempt)
            entry.state.stdoutCursor = std::min(next->second.consumed, s.sdk->consumed());
        take(entry, next->second.parsed, next->second.time);
    }
    m_state.changeState(entry, [](store::TrialPrivate&) {});
    m_state.saveSoon(store::Durability::normal);
    storeCursor(entry);
    if (s.taken == s.tickets) {
        const auto facts = std::exchange(m_streams->waiting, {});
        for (const auto& fact : facts)
            fact();
    }
}

void MetricIngest::after(std::function<void()> fact)
{
    if (m_streams->taken < m_streams->tickets)
        m_streams->waiting.push_back(std::move(fact));
    else
        fact();
}

void MetricIngest::hurry()
{
    if (m_streams->pattern)
        m_streams->pattern->hurry();
}

void MetricIngest::finish(TrialEntry& entry)
{
    std::vector<trial::ParsedMetric> parsed;
    m_streams->nni->finish(parsed);
    m_streams->file->finish(parsed);
    m_streams->sdk->finish(parsed);
    if (m_streams->pattern)
        m_streams->pattern->finish(parsed);
    take(entry, parsed, entry.trial->endTime.value_or(m_state.clock().nowMs()));
}

} // namespace engine
