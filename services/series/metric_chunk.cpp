// SPDX-License-Identifier: GPL-3.0-or-later
#include "metric_chunk.h"

#include <QtEndian>

#include <array>
#include <bit>
#include <cmath>

using namespace Qt::StringLiterals;

namespace series {

namespace {

constexpr char magic[] = {'T', 'D', 'M', 1};
constexpr char wholeSteps = 1;

constexpr std::array<quint32, 256> crcTable = [] {
    std::array<quint32, 256> table{};
    for (quint32 i = 0; i < 256; ++i) {
        quint32 crc = i;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0x82f63b78U : crc >> 1;
        table[i] = crc;
    }
    return table;
}();

quint32 crc32c(QByteArrayView bytes)
{
    quint32 crc = ~0U;
    for (const char c : bytes)
        crc = crc >> 8 ^ crcTable[(crc ^ quint8(c)) & 0xff];
    return ~crc;
}

void putVarint(QByteArray& out, quint64 n)
{
    for (; n >= 0x80; n >>= 7)
        out.append(char(n | 0x80));
    out.append(char(n));
}

/// Differences wrap around, so any pair of numbers has one; small ones of either sign are short.
void putDifference(QByteArray& out, qint64 previous, qint64 next)
{
    const auto difference = qint64(quint64(next) - quint64(previous));
    putVarint(out, quint64(difference) << 1 ^ quint64(difference >> 63));
}

void putDouble(QByteArray& out, double d)
{
    char bytes[8];
    qToLittleEndian(std::bit_cast<quint64>(d), bytes);
    out.append(bytes, 8);
}

/// Reads from hostile bytes: after the end everything is zero and `good` is false.
struct Reader
{
    QByteArrayView bytes;
    bool good = true;

    quint64 varint()
    {
        quint64 n = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (bytes.isEmpty())
                break;
            const auto byte = quint8(bytes.front());
            bytes = bytes.sliced(1);
            if (shift == 63 && byte > 1)
                break;
            n |= quint64(byte & 0x7f) << shift;
            if (byte < 0x80)
                return n;
        }
        good = false;
        return 0;
    }

    qint64 difference(qint64 previous)
    {
        const quint64 n = varint();
        return qint64(quint64(previous) + (n >> 1 ^ (0 - (n & 1))));
    }

    double real()
    {
        if (bytes.size() < 8) {
            good = false;
            return 0;
        }
        const auto n = qFromLittleEndian<quint64>(bytes.data());
        bytes = bytes.sliced(8);
        return std::bit_cast<double>(n);
    }
};

bool isWhole(double step)
{
    return std::abs(step) <= 0x1p53 && std::floor(step) == step && !(step == 0 && std::signbit(step));
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    const auto equal = [](double x, double y) { return std::bit_cast<quint64>(x) == std::bit_cast<quint64>(y); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

tl::unexpected<Error> damaged(const QString& why)
{
    return fail(Kind::invalid, u"A stored piece of a metric's curve is damaged: "_s + why);
}

} // namespace

void Points::reserve(size_t n)
{
    sequence.reserve(n);
    step.reserve(n);
    time.reserve(n);
    value.reserve(n);
}

void Points::append(qint64 pointSequence, double pointStep, qint64 pointTime, double pointValue)
{
    sequence.push_back(pointSequence);
    step.push_back(pointStep);
    time.push_back(pointTime);
    value.push_back(pointValue);
}

bool Points::operator==(const Points& other) const
{
    return sequence == other.sequence && time == other.time && sameBits(step, other.step)
        && sameBits(value, other.value);
}

Result<QByteArray> encodeChunk(const Points& points)
{
    const size_t n = points.size();
    if (points.sequence.size() != n || points.step.size() != n || points.time.size() != n)
        return fail(Kind::invalid, u"The columns of a piece of a curve differ in length."_s);
    if (n > maxChunkPoints)
        return fail(Kind::invalid, u"A piece of a curve holds at most %1 points, not %2."_s.arg(maxChunkPoints).arg(n));

    const bool whole = std::all_of(points.step.begin(), points.step.end(), isWhole);
    QByteArray out;
    out.reserve(16 + qsizetype(n) * 18);
    out.append(magic, sizeof magic);
    out.append(whole ? wholeSteps : char(0));
    putVarint(out, n);
    qint64 previous = 0;
    for (const qint64 sequence : points.sequence)
        putDifference(out, std::exchange(previous, sequence), sequence);
    previous = 0;
    for (const qint64 time : points.time)
        putDifference(out, std::exchange(previous, time), time);
    previous = 0;
    for (const double step : points.step) {
        if (whole)
            putDifference(out, std::exchange(previous, qint64(step)), qint64(step));
        else
            putDouble(out, step);
    }
    for (const double value : points.value)
        putDouble(out, value);
    char crc[4];
    qToLittleEndian(crc32c(out), crc);
    out.append(crc, 4);
    return out;
}

Result<Points> decodeChunk(QByteArrayView bytes)
{
    if (bytes.size() < qsizetype(sizeof magic) + 4)
        return damaged(u"it is only %1 bytes long."_s.arg(bytes.size()));
    if (!bytes.startsWith(QByteArrayView(magic, 3)))
        return damaged(u"it does not begin like one."_s);
    if (bytes[3] != magic[3])
        return damaged(u"it is of version %1, and this program knows version 1."_s.arg(quint8(bytes[3])));
    const QByteArrayView body = bytes.chopped(4);
    if (qFromLittleEndian<quint32>(bytes.data() + body.size()) != crc32c(body))
        return damaged(u"its checksum is wrong."_s);

    Reader reader{body.sliced(sizeof magic)};
    if (reader.bytes.isEmpty())
        return damaged(u"it ends too early."_s);
    const char flags = reader.bytes.front();
    reader.bytes = reader.bytes.sliced(1);
    if ((flags & ~wholeSteps) != 0)
        return damaged(u"it has unknown flags."_s);
    const quint64 n = reader.varint();
    if (n > maxChunkPoints)
        return damaged(u"it claims %1 points."_s.arg(n));

    Points points;
    points.reserve(n);
    qint64 previous = 0;
    for (quint64 i = 0; i < n; ++i)
        points.sequence.push_back(previous = reader.difference(previous));
    previous = 0;
    for (quint64 i = 0; i < n; ++i)
        points.time.push_back(previous = reader.difference(previous));
    previous = 0;
    for (quint64 i = 0; i < n; ++i) {
        if (flags & wholeSteps)
            previous = reader.difference(previous);
        points.step.push_back(flags & wholeSteps ? double(previous) : reader.real());
    }
    for (quint64 i = 0; i < n; ++i)
        points.value.push_back(reader.real());
    if (!reader.good || !reader.bytes.isEmpty())
        return damaged(u"its length does not fit its %1 points."_s.arg(n));
    return points;
}

} // namespace series
