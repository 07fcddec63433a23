// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_hub.h"

#include "services/api/trial_json.h"
#include "services/core/record_json.h"

using namespace Qt::StringLiterals;

namespace http {

using api::forEachRecordKind;
using api::forEachRemoved;
using api::RecordKind;

// About what a record costs while it is kept, beside its texts.
static constexpr qint64 trialCost = 900;
static constexpr qint64 recordCost = 1500;
static constexpr qint64 metricCost = 160;
// A replay goes out in messages of about this size.
static constexpr qint64 replayBytes = 1024 * 1024;

const QList<std::pair<QString, quint8>>& eventTopics()
{
    static const QList<std::pair<QString, quint8>> topics = [] {
        QList<std::pair<QString, quint8>> out;
        forEachRecordKind([&](const auto& kind) { out.append({QString::fromLatin1(kind.name), kind.bit}); });
        out.append({u"metrics"_s, EventFilter::metricsTopic});
        return out;
    }();
    return topics;
}

std::optional<EventPlace> eventPlaceFromText(const QString& text)
{
    const qsizetype dot = text.lastIndexOf(u'.');
    if (dot <= 0)
        return std::nullopt;
    bool good = false;
    const qint64 revision = text.mid(dot + 1).toLongLong(&good);
    if (!good || revision < 0)
        return std::nullopt;
    return EventPlace{text.left(dot), revision};
}

// ---------------------------------------------------------------------------------------------------------------- Fragment

static void write(QByteArray& out, const Trial& trial)
{
    api::appendTrialJson(out, trial);
}

static void write(QByteArray& out, const MetricBatch& batch)
{
    out.reserve(qsizetype(batch.metrics.size()) * 200);
    for (const Metric& metric : batch.metrics) {
        if (!out.isEmpty())
            out += ',';
        appendMetricJson(out, batch.trialId, metric, batch.parameterIdText);
    }
}

template <typename Record>
static void write(QByteArray& out, const Record& record)
{
    out = dumpJson(toJson(record));
}

template <typename Record>
const QByteArray& Fragment<Record>::text() const
{
    if (m_text.isNull())
        write(m_text, *m_record);
    return m_text;
}

template <typename Record>
static std::vector<FragmentPtr<Record>> fragments(const QList<std::shared_ptr<const Record>>& records)
{
    std::vector<FragmentPtr<Record>> out;
    out.reserve(size_t(records.size()));
    for (const auto& record : records)
        out.push_back(std::make_shared<const Fragment<Record>>(record));
    return out;
}

ChangeFragments::ChangeFragments(const ChangePtr& from)
    : change(from)
    , metrics(fragments(from->metrics))
{
    forEachRecordKind([&]<typename Record>(
                          const RecordKind<Record>& kind) { records.of<Record>() = fragments((*from).*kind.records); });
}

// ------------------------------------------------------------------------------------------------------------ EventListener

/// Values with commas between them; `append` writes one.
template <typename List, typename Append>
static void writeList(QByteArray& out, const List& list, Append&& append)
{
    bool first = true;
    for (const auto& value : list) {
        if (!first)
            out += ',';
        first = false;
        append(value);
    }
}

static bool isOf(const ExperimentId& id, const Experiment& experiment)
{
    return experiment.id == id;
}

static bool isOf(const ExperimentId& id, const Trial& trial)
{
    return trial.experimentId == id;
}

template <typename Record>
static bool isOf(const ExperimentId&, const Record&)
{
    return true; // belongs to no experiment
}

EventListener::EventListener(EventFilter filter, qint64 metricsLimit, std::function<void()> wake)
    : m_filter(std::move(filter))
    , m_metricsLimit(metricsLimit)
    , m_wake(std::move(wake))
{
}

void EventListener::add(const ChangeFragments& fragments)
{
    const Change& change = *fragments.change;
    bool any = false;

    forEachRecordKind([&]<typename Record>(const RecordKind<Record>& kind) {
        if (!m_filter.wants(kind.bit))
            return;
        Pending<Record>& pending = m_pending.of<Record>();
        forEachRemoved(kind, change.removed, [&](const auto& id) {
            pending.removed.insert(id);
            pending.records.drop(id);
            any = true;
        });
        for (const FragmentPtr<Record>& fragment : fragments.records.of<Record>()) {
            const Record& record = fragment->record();
            if (!m_filter.experiment.isEmpty() && !isOf(m_filter.experiment, record))
                continue;
            pending.records.put(record.id, fragment);
            any = true;
        }
    });

    if (m_filter.wants(EventFilter::metricsTopic) && m_filter.mode != MetricsMode::none) {
        for (const FragmentPtr<MetricBatch>& fragment : fragments.metrics) {
            if (!m_filter.wantsOf(fragment->record().experimentId) || fragment->record().metrics.empty())
                continue;
            addMetrics(fragment);
            any = true;
        }
        for (const Gap& gap : change.gaps) {
            addGap(gap.trialId, gap.from, gap.to);
            any = true;
        }
    }
    if (any)
        news();
}

void EventListener::addMetrics(const FragmentPtr<MetricBatch>& fragment)
{
    const MetricBatch& batch = fragment->record();
    if (m_filter.mode == MetricsMode::last) {
        m_lastMetrics.put(batch.trialId, fragment);
        return;
    }
    if (m_gapping) {
        addGap(batch.trialId, batch.metrics.front().sequence, batch.metrics.back().sequence);
        return;
    }
    m_metrics.push_back(fragment);
    for (const Metric& metric : batch.metrics)
        m_metricBytes += metricCost + metric.data.size();
    if (m_metricBytes > m_metricsLimit)
        makeGaps();
}

void EventListener::makeGaps()
{
    m_gapping = true;
    for (const FragmentPtr<MetricBatch>& fragment : std::exchange(m_metrics, {})) {
        const MetricBatch& batch = fragment->record();
        addGap(batch.trialId, batch.metrics.front().sequence, batch.metrics.back().sequence);
    }
    m_metricBytes = 0;
}

void EventListener::addGap(const TrialId& trial, qint64 from, qint64 to)
{
    const auto known = m_gapAt.constFind(trial);
    if (known == m_gapAt.cend()) {
        m_gapAt.insert(trial, m_gaps.size());
        m_gaps.append({trial, from, to});
        return;
    }
    Gap& gap = m_gaps[*known];
    gap.from = std::min(gap.from, from);
    gap.to = std::max(gap.to, to);
}

void EventListener::news()
{
    if (m_hasNews)
        return;
    m_hasNews = true;
    if (m_wake)
        m_wake();
}

void EventListener::clear()
{
    *this = EventListener(std::move(m_filter), m_metricsLimit, std::move(m_wake));
}

QByteArray EventListener::take(const EventPlace& place, bool reset)
{
    QByteArray out;
    out.reserve(m_metricBytes * 2 + m_pending.of<Trial>().records.size() * 1000 + 400);
    out += "{\"epoch\":";
    appendJsonString(out, place.epoch.toUtf8());
    out += ",\"revision\":" + QByteArray::number(place.revision);
    if (reset)
        out += ",\"reset\":true";
    forEachRecordKind([&]<typename Record>(const RecordKind<Record>& kind) {
        out += QByteArray(",\"") + kind.name + "\":[";
        writeList(out, m_pending.of<Record>().records.take(), [&](const auto& fragment) { out += fragment->text(); });
        out += ']';
    });
    out += ",\"metrics\":[";
    writeList(out, std::exchange(m_metrics, {}), [&](const auto& fragment) { out += fragment->text(); });
    writeList(out, m_lastMetrics.take(), [&](const auto& fragment) {
        const MetricBatch& batch = fragment->record();
        appendMetricJson(out, batch.trialId, batch.metrics.back(), batch.parameterIdText);
    });
    m_metricBytes = 0;
    out += "],\"gaps\":[";
    writeList(out, std::exchange(m_gaps, {}), [&](const Gap& gap) {
        out += "{\"trialId\":";
        appendJsonString(out, gap.trialId.value.toUtf8());
        out += ",\"from\":" + QByteArray::number(gap.from) + ",\"to\":" + QByteArray::number(gap.to) + '}';
    });
    m_gapAt.clear();
    m_gapping = false;
    out += "],\"removed\":{";
    const char* separator = "\"";
    forEachRecordKind([&]<typename Record>(const RecordKind<Record>& kind) {
        if (!kind.removed)
            return;
        out += std::exchange(separator, ",\"");
        out += kind.name;
        out += "\":[";
        writeList(out, std::exchange(m_pending.of<Record>().removed, {}),
            [&](const auto& id) { appendJsonString(out, id.value.toUtf8()); });
        out += ']';
    });
    out += "}}";
    m_hasNews = false;
    return out;
}

// ----------------------------------------------------------------------------------------------------------------- EventHub

static qint64 costOf(const Change& change)
{
    qint64 cost = 100;
    forEachRecordKind([&]<typename Record>(const RecordKind<Record>& kind) {
        if constexpr (!std::is_same_v<Record, Trial>)
            cost += recordCost * (change.*kind.records).size();
        forEachRemoved(kind, change.removed, [&](const auto&) { cost += 60; });
    });
    for (const TrialPtr& trial : change.trials)
        cost += trialCost + 2 * trial->parameters.size() + trial->parameterCfg.size() + 2 * trial->reason.size();
    for (const MetricBatchPtr& batch : change.metrics) {
        for (const Metric& metric : batch->metrics)
            cost += metricCost + metric.data.size() + metric.value.object.size();
    }
    return cost;
}

EventHub::EventHub(EventLimits limits)
    : m_limits(limits)
{
}

int EventHub::listeners() const
{
    return int(std::count_if(m_listeners.begin(), m_listeners.end(), [](const auto& weak) { return !weak.expired(); }));
}

void EventHub::apply(const ChangePtr& change, qint64 nowMs)
{
    m_place = {change->epoch, change->revision};
    std::erase_if(m_listeners, [](const auto& weak) { return weak.expired(); });
    if (change->full) {
        m_kept.clear();
        m_keptBytes = 0;
        for (const auto& weak : m_listeners) {
            if (const auto listener = weak.lock()) {
                listener->clear();
                listener->m_resets = true;
                listener->news();
            }
        }
        return;
    }
    const qint64 cost = costOf(*change);
    m_kept.push_back({change, nowMs, cost});
    m_keptBytes += cost;
    expire(nowMs);

    if (m_listeners.empty())
        return;
    const ChangeFragments fragments(change);
    // A wake-up sends, which may end another listener.
    const auto listeners = m_listeners;
    for (const auto& weak : listeners) {
        const auto listener = weak.lock();
        if (!listener || listener->m_resets)
            continue;
        if (listener->m_replayFrom)
            listener->news(); // it will find this change among the kept ones
        else
            listener->add(fragments);
    }
}

void EventHub::expire(qint64 nowMs)
{
    while (!m_kept.empty() && (m_keptBytes > m_limits.keptBytes || m_kept.front().time + m_limits.keptMs < nowMs)) {
        m_keptBytes -= m_kept.front().bytes;
        m_kept.pop_front();
    }
}

std::shared_ptr<EventListener> EventHub::subscribe(
    EventFilter filter, std::optional<EventPlace> since, std::function<void()> wake)
{
    auto listener = std::make_shared<EventListener>(std::move(filter), m_limits.pendingBytes, std::move(wake));
    if (since) {
        if (since->epoch != m_place.epoch || since->revision > m_place.revision)
            listener->m_resets = true;
        else if (since->revision < m_place.revision)
            listener->m_replayFrom = since->revision + 1;
    }
    listener->m_hasNews = true;
    m_listeners.push_back(listener);
    return listener;
}

QByteArray EventHub::take(EventListener& listener)
{
    if (!listener.m_replayFrom && !listener.m_resets)
        return listener.take(m_place, false);

    EventPlace place = m_place;
    if (listener.m_replayFrom) {
        qint64 next = *listener.m_replayFrom;
        listener.m_hasNews = true; // adding shall not wake it
        qint64 bytes = 0;
        if (m_kept.empty() || m_kept.front().change->revision > next) {
            listener.m_resets = true;
        } else {
            auto at = std::lower_bound(m_kept.begin(), m_kept.end(), next,
                [](const Kept& kept, qint64 revision) { return kept.change->revision < revision; });
            for (; at != m_kept.end() && bytes < replayBytes; ++at) {
                listener.add(ChangeFragments(at->change));
                bytes += at->bytes;
                next = at->change->revision + 1;
            }
            const bool more = at != m_kept.end();
            place.revision = next - 1;
            listener.m_replayFrom = more ? std::optional(next) : std::nullopt;
            QByteArray message = listener.take(place, false);
            listener.m_hasNews = more;
            return message;
        }
    }
    listener.clear();
    return listener.take(m_place, true);
}

} // namespace http
