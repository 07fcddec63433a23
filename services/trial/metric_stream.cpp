// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_stream.h"

#include "services/core/json_scanner.h"

#include <QUtf8StringView>

#include <cstring>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

constexpr int maxFindings = 20; ///< of one stream; a program that writes nonsense would fill the journal

} // namespace

void MetricStream::feed(qint64 offset, QByteArrayView bytes, std::vector<ParsedMetric>& out, bool reset)
{
    if (offset < m_next) {
        const qint64 known = m_next - offset;
        if (known >= bytes.size())
            return;
        bytes = bytes.sliced(known);
    } else if (offset > m_next || reset) {
        discardPending();
        m_consumed = m_next = offset;
    }
    if (bytes.isEmpty())
        return;
    m_next += bytes.size();
    if (m_pending.isEmpty()) {
        // The usual case: whole records are read where they lie.
        const qsizetype done = take(bytes, m_consumed, 0, false, out);
        m_consumed += done;
        m_pending = bytes.sliced(done).toByteArray();
    } else {
        m_pending.append(bytes.data(), bytes.size());
        const qsizetype done = take(m_pending, m_consumed, m_searched, false, out);
        m_consumed += done;
        m_pending.remove(0, done);
    }
    m_searched = m_pending.size();
}

void MetricStream::discardPending()
{
    if (!m_pending.isEmpty())
        addFinding(m_consumed, u"A record was begun and never finished; it is left out."_m);
    m_pending.clear();
    m_searched = 0;
    m_consumed = m_next;
    resetRecord();
}

void MetricStream::finish(std::vector<ParsedMetric>& out)
{
    if (!m_pending.isEmpty())
        take(m_pending, m_consumed, 0, true, out);
    m_pending.clear();
    m_searched = 0;
    m_consumed = m_next;
    resetRecord();
}

void MetricStream::addFinding(qint64 offset, const Message& text)
{
    if (++m_findingCount < maxFindings)
        m_findings.append({offset, text});
    else if (m_findingCount == maxFindings)
        m_findings.append({offset, u"There are more records that cannot be read; they are not listed."_m});
}

MetricFault faultOf(const ParsedMetric& metric)
{
    if (metric.data.size() > maxMetricBytes)
        return MetricFault::tooLong;
    if (!QUtf8StringView(metric.data).isValidUtf8())
        return MetricFault::notUtf8;
    return core::isNestedDeeper(metric.data, core::maxAcceptedDepth) ? MetricFault::tooDeep : MetricFault::none;
}

bool MetricStream::accept(ParsedMetric&& metric, qint64 offset, std::vector<ParsedMetric>& out)
{
    switch (faultOf(metric)) {
    case MetricFault::none:
        out.push_back(std::move(metric));
        return true;
    case MetricFault::tooLong:
        addFinding(offset, u"A metric of %1 bytes is left out: the limit is 1 MiB."_m.arg(metric.data.size()));
        break;
    case MetricFault::notUtf8:
        addFinding(offset, u"A metric that is not UTF-8 is left out."_m);
        break;
    case MetricFault::tooDeep:
        addFinding(offset, u"A metric is left out: it is %1."_m.arg(core::tooDeepWords()));
        break;
    }
    return false;
}

qsizetype LineStream::take(
    QByteArrayView bytes, qint64 offset, qsizetype searched, bool last, std::vector<ParsedMetric>& out)
{
    qsizetype begin = 0;
    while (begin < bytes.size()) {
        const qsizetype from = std::max(begin, searched);
        const void* found =
            from < bytes.size() ? std::memchr(bytes.data() + from, '\n', size_t(bytes.size() - from)) : nullptr;
        qsizetype end = found ? static_cast<const char*>(found) - bytes.data() : bytes.size();
        const bool whole = found || last;
        const qsizetype next = found ? end + 1 : end;
        if (m_skipping) {
            m_skipping = !whole;
        } else if (end - begin > lineLimit()) {
            longLine(bytes.sliced(begin, lineLimit()), offset + begin, out);
            m_skipping = !whole;
        } else if (!whole) {
            break;
        } else {
            if (end > begin && bytes[end - 1] == '\r')
                --end;
            line(bytes.sliced(begin, end - begin), offset + begin, out);
        }
        begin = next;
    }
    return begin;
}

void LineStream::longLine(QByteArrayView, qint64 offset, std::vector<ParsedMetric>&)
{
    addFinding(offset, u"A line of over 1 MiB is left out."_m);
}

} // namespace trial
