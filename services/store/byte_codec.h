// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest binary spelling of values: variable-length numbers and length-prefixed bytes. Inside the store only.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstring>
#include <optional>

namespace store {

class ByteWriter
{
public:
    QByteArray bytes;

    void number(quint64 value)
    {
        char buffer[10];
        int size = 0;
        for (; value >= 0x80; value >>= 7)
            buffer[size++] = char(value | 0x80);
        buffer[size++] = char(value);
        bytes.append(buffer, size);
    }
    /// Small numbers of either sign stay short.
    void signedNumber(qint64 value) { number((quint64(value) << 1) ^ quint64(value >> 63)); }
    void real(double value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void flag(bool value) { bytes.append(char(value)); }
    void blob(QByteArrayView value)
    {
        number(quint64(value.size()));
        bytes.append(value.data(), value.size());
    }
    void text(const QString& value) { blob(value.toUtf8()); }
    void list(const QStringList& value)
    {
        number(quint64(value.size()));
        for (const QString& entry : value)
            text(entry);
    }
    template <typename T>
    void optionalNumber(const std::optional<T>& value)
    {
        flag(value.has_value());
        if (value)
            signedNumber(qint64(*value));
    }
};

/// Reads what ByteWriter wrote. After the end, or past a damaged length, everything reads as empty and good() is false.
class ByteReader
{
public:
    explicit ByteReader(QByteArrayView bytes)
        : m_at(bytes.data())
        , m_end(bytes.data() + bytes.size())
    {
    }

    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool atEnd() const { return m_at == m_end; }

    quint64 number()
    {
        quint64 value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (m_at == m_end)
                break;
            const uchar byte = uchar(*m_at++);
            value |= quint64(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        return quint64(failed());
    }
    qint64 signedNumber()
    {
        const quint64 value = number();
        return qint64(value >> 1) ^ -qint64(value & 1);
    }
    double real()
    {
        double value = 0;
        if (const QByteArrayView raw = take(sizeof value); m_good)
            std::memcpy(&value, raw.data(), sizeof value);
        return value;
    }
    bool flag()
    {
        const QByteArrayView raw = take(1);
        return m_good && raw[0] != 0;
    }
    /// Points into the bytes being read.
    QByteArrayView blob() { return take(number()); }
    QString text() { return QString::fromUtf8(blob()); }
    /// The same, sharing the string of the record before where it is equal: ids of thousands of rows take the room of one.
    QString text(std::pair<QByteArray, QString>& last)
    {
        const QByteArrayView raw = blob();
        if (raw.isEmpty())
            return {};
        if (raw != QByteArrayView(last.first))
            last = {raw.toByteArray(), QString::fromUtf8(raw)};
        return last.second;
    }
    QStringList list()
    {
        QStringList out;
        for (quint64 left = number(); left > 0 && m_good; --left)
            out.append(text());
        return out;
    }
    template <typename T>
    std::optional<T> optionalNumber()
    {
        if (!flag())
            return std::nullopt;
        return T(signedNumber());
    }

private:
    QByteArrayView take(quint64 size)
    {
        if (!m_good || size > quint64(m_end - m_at)) {
            failed();
            return {};
        }
        const char* start = m_at;
        m_at += size;
        return {start, qsizetype(size)};
    }
    int failed()
    {
        m_good = false;
        m_at = m_end;
        return 0;
    }

    const char* m_at;
    const char* m_end;
    bool m_good = true;
};

} // namespace store
