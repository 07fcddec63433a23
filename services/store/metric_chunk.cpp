// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_chunk.h"

#include "services/core/record_json.h"

namespace store {

namespace {

constexpr quint64 chunkFormat = 1;

// One byte a point: what its numbers column holds.
constexpr uchar typeMask = 0x03;
constexpr uchar hasParameterId = 0x04;
constexpr uchar hasStep = 0x08;
constexpr uchar sameParameter = 0x10; ///< id and index as in the point before
constexpr uchar nextStep = 0x20;      ///< one more than the step before
constexpr uchar hasValue = 0x40;

// Steps and ids are a trial's own, so any number may come: differences wrap around.
qint64 difference(qint64 a, qint64 b)
{
    return qint64(quint64(a) - quint64(b));
}

qint64 sum(qint64 a, qint64 b)
{
    return qint64(quint64(a) + quint64(b));
}

} // namespace

MetricChunk MetricChunk::closed(qint64 firstSequence, int count)
{
    MetricChunk chunk(firstSequence);
    chunk.m_count = count;
    return chunk;
}

void MetricChunk::append(const Metric& metric)
{
    uchar flags = uchar(metric.type) & typeMask;
    if (metric.parameterId)
        flags |= hasParameterId;
    if (metric.parameterIndex == m_lastParameterIndex
        && metric.parameterId.value_or(m_lastParameterId) == m_lastParameterId)
        flags |= sameParameter;
    if (metric.step) {
        flags |= hasStep;
        if (*metric.step == sum(m_lastStep, 1))
            flags |= nextStep;
    }
    if (!(parseMetricValue(metric.data) == metric.value))
        flags |= hasValue;
    m_flags += char(flags);

    m_numbers.signedNumber(difference(metric.time, m_lastTime));
    m_lastTime = metric.time;
    if (!(flags & sameParameter)) {
        if (metric.parameterId) {
            m_numbers.signedNumber(difference(*metric.parameterId, m_lastParameterId));
            m_lastParameterId = *metric.parameterId;
        }
        m_numbers.signedNumber(metric.parameterIndex);
        m_lastParameterIndex = metric.parameterIndex;
    }
    if (metric.step) {
        if (!(flags & nextStep))
            m_numbers.signedNumber(difference(*metric.step, m_lastStep));
        m_lastStep = *metric.step;
    }
    m_numbers.number(quint64(metric.data.size()));
    if (flags & hasValue) {
        m_values.number(quint64(metric.value.kind));
        m_values.real(metric.value.number);
        m_values.blob(metric.value.object);
    }
    m_texts += metric.data;
    ++m_count;
}

QByteArray MetricChunk::bytes() const
{
    ByteWriter out;
    out.bytes.reserve(64 + m_flags.size() + m_numbers.bytes.size() + m_values.bytes.size() + m_texts.size());
    out.number(chunkFormat);
    out.signedNumber(m_first);
    out.number(quint64(m_count));
    out.blob(m_flags);
    out.blob(m_numbers.bytes);
    out.blob(m_values.bytes);
    out.blob(m_texts);
    return std::move(out.bytes);
}

void MetricChunk::dropBytes()
{
    m_flags = {};
    m_numbers.bytes = {};
    m_values.bytes = {};
    m_texts = {};
}

std::optional<std::pair<qint64, int>> MetricChunk::describe(QByteArrayView row)
{
    ByteReader in(row);
    if (in.number() != chunkFormat)
        return std::nullopt;
    const qint64 first = in.signedNumber();
    const quint64 count = in.number();
    if (!in.good() || count > quint64(row.size()))
        return std::nullopt;
    return std::pair(first, int(count));
}

bool MetricChunk::decode(QByteArrayView row, qint64 since, qint64 limit, std::vector<Metric>& out)
{
    ByteReader in(row);
    if (in.number() != chunkFormat)
        return false;
    const qint64 first = in.signedNumber();
    const quint64 count = in.number();
    const QByteArrayView flags = in.blob();
    ByteReader numbers(in.blob());
    ByteReader values(in.blob());
    const QByteArrayView texts = in.blob();
    if (!in.good() || quint64(flags.size()) != count)
        return false;

    qint64 time = 0;
    qint64 step = 0;
    qint64 parameterId = 0;
    int parameterIndex = 0;
    qsizetype textAt = 0;
    for (qsizetype i = 0; i < flags.size() && limit > 0; ++i) {
        const uchar flag = uchar(flags[i]);
        time = sum(time, numbers.signedNumber());
        if (!(flag & sameParameter)) {
            if (flag & hasParameterId)
                parameterId = sum(parameterId, numbers.signedNumber());
            parameterIndex = int(numbers.signedNumber());
        }
        if (flag & hasStep)
            step = sum(step, flag & nextStep ? 1 : numbers.signedNumber());
        const quint64 length = numbers.number();
        MetricValue value;
        if (flag & hasValue) {
            value.kind = MetricValue::Kind(values.number());
            value.number = values.real();
            value.object = values.blob().toByteArray();
        }
        if (!numbers.good() || !values.good() || length > quint64(texts.size() - textAt))
            return false;
        if (first + i >= since) {
            Metric& metric = out.emplace_back();
            metric.sequence = first + i;
            metric.type = MetricType(flag & typeMask);
            if (flag & hasParameterId)
                metric.parameterId = parameterId;
            metric.parameterIndex = parameterIndex;
            if (flag & hasStep)
                metric.step = step;
            metric.data = QByteArray(texts.data() + textAt, qsizetype(length));
            metric.value = flag & hasValue ? std::move(value) : parseMetricValue(metric.data);
            metric.time = time;
            --limit;
        }
        textAt += qsizetype(length);
    }
    return true;
}

} // namespace store
