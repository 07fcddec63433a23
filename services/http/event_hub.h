// SPDX-License-Identifier: GPL-3.0-or-later
// Changes for many listeners: what each still has to get, and what is kept for those that reconnect. Pure: times
// come in as numbers, nothing is sent here. Everything runs on the http thread.
#pragma once

#include "services/api/record_kinds.h"
#include "services/core/newest_by_id.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <functional>

namespace http {

using namespace core;
using api::Change;
using api::ChangePtr;
using api::Gap;
using api::PerRecordKind;

enum class MetricsMode { none, last, all };

/// Which changes a listener gets.
struct EventFilter
{
    static constexpr quint8 metricsTopic = 64; ///< beside the bits of the record kinds
    static constexpr quint8 allTopics = 0x7f;

    quint8 topics = allTopics;
    MetricsMode mode = MetricsMode::all;
    ExperimentId experiment; ///< empty: all

    bool operator==(const EventFilter&) const = default;
    [[nodiscard]] bool wants(quint8 topic) const { return topics & topic; }
    [[nodiscard]] bool wantsOf(const ExperimentId& id) const { return experiment.isEmpty() || experiment == id; }
};
/// The words of GET /events?topics=, each with its bit.
[[nodiscard]] const QList<std::pair<QString, quint8>>& eventTopics();

/// A place in the stream of changes.
struct EventPlace
{
    QString epoch;
    qint64 revision = 0;
    bool operator==(const EventPlace&) const = default;
};
/// `EPOCH.REVISION`
[[nodiscard]] std::optional<EventPlace> eventPlaceFromText(const QString& text);

/// One record and its text, written when a listener first needs it and then shared by all of them.
template <typename Record>
class Fragment
{
public:
    explicit Fragment(std::shared_ptr<const Record> record)
        : m_record(std::move(record))
    {
    }
    [[nodiscard]] const Record& record() const { return *m_record; }
    [[nodiscard]] const QByteArray& text() const;

private:
    std::shared_ptr<const Record> m_record;
    mutable QByteArray m_text;
};
template <typename Record>
using FragmentPtr = std::shared_ptr<const Fragment<Record>>;

/// A change as fragments. Listeners keep fragments, never the change: one trial in a queue does not hold all metrics beside it.
struct ChangeFragments
{
    explicit ChangeFragments(const ChangePtr& change);

    ChangePtr change;
    template <typename Record>
    using List = std::vector<FragmentPtr<Record>>;
    PerRecordKind<List> records;
    List<MetricBatch> metrics; ///< the text of a batch has commas between its metrics, and no brackets
};

/// One listener: what changed since its last message, coalesced. Records stand once, in their newest form; metrics stand all,
/// until they are more than the limit: then they become gaps until its next message.
class EventListener
{
public:
    EventListener(EventFilter filter, qint64 metricsLimit, std::function<void()> wake);

    void add(const ChangeFragments& change);
    [[nodiscard]] bool hasNews() const { return m_hasNews; }
    [[nodiscard]] qint64 pendingBytes() const { return m_metricBytes; } ///< of metrics, about

private:
    friend class EventHub;
    template <typename Record>
    struct Pending
    {
        NewestById<decltype(Record::id), FragmentPtr<Record>> records;
        QSet<decltype(Record::id)> removed;
    };
    void addMetrics(const FragmentPtr<MetricBatch>& fragment);
    void makeGaps();
    void addGap(const TrialId& trial, qint64 from, qint64 to);
    void clear();
    [[nodiscard]] QByteArray take(const EventPlace& place, bool reset);
    void news();

    EventFilter m_filter;
    qint64 m_metricsLimit;
    std::function<void()> m_wake;
    bool m_hasNews = false;
    bool m_resets = false;
    std::optional<qint64> m_replayFrom; ///< next revision wanted from what is kept; absent: it is live

    PerRecordKind<Pending> m_pending;
    std::vector<FragmentPtr<MetricBatch>> m_metrics;
    NewestById<TrialId, FragmentPtr<MetricBatch>>
        m_lastMetrics; ///< MetricsMode::last: the batch whose last metric counts
    qint64 m_metricBytes = 0;
    bool m_gapping = false;
    QList<Gap> m_gaps;
    QHash<TrialId, qsizetype> m_gapAt;
};

struct EventLimits
{
    qint64 keptBytes = 64 * 1024 * 1024;
    qint64 keptMs = 10 * 60 * 1000;
    qint64 pendingBytes = 4 * 1024 * 1024; ///< metrics that wait for one listener
};

class EventHub
{
public:
    explicit EventHub(EventLimits limits);

    /// A change, in the order of the service. A full one ends every stream with a reset.
    void apply(const ChangePtr& change, qint64 nowMs);
    /// Forgets what is too old to be kept.
    void expire(qint64 nowMs);

    /// `wake` is called (from apply()) when a listener without pending changes gets one. The first take() gives at once:
    /// the present place, what happened since a kept place, or a reset.
    [[nodiscard]] std::shared_ptr<EventListener> subscribe(
        EventFilter filter, std::optional<EventPlace> since, std::function<void()> wake);
    /// The next message for it; also when there is no news (an empty message has the present place). Without a line break.
    [[nodiscard]] QByteArray take(EventListener& listener);

    [[nodiscard]] qint64 keptBytes() const { return m_keptBytes; }
    [[nodiscard]] int listeners() const;

private:
    struct Kept
    {
        ChangePtr change;
        qint64 time = 0;
        qint64 bytes = 0;
    };

    EventLimits m_limits;
    EventPlace m_place;
    std::deque<Kept> m_kept;
    qint64 m_keptBytes = 0;
    std::vector<std::weak_ptr<EventListener>> m_listeners;
};

} // namespace http
