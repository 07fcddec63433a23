// SPDX-License-Identifier: GPL-3.0-or-later
#include "ids.h"

#include <QRandomGenerator>

namespace core {

// Without i, l, o, u: ids are read aloud.
static constexpr char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

static void append(QString& out, quint64 number, int width)
{
    for (int i = width - 1; i >= 0; --i)
        out += QLatin1Char(digits[(number >> (5 * i)) & 31]);
}

QString IdMaker::make(QChar prefix, qint64 nowMs)
{
    if (nowMs > m_lastMs) {
        m_lastMs = nowMs;
        // Starting at random keeps two services with one clock apart; below half leaves room to count.
        m_counter = QRandomGenerator::global()->bounded(1u << 24);
    } else {
        ++m_counter;
    }
    QString id;
    id.reserve(15);
    id += prefix;
    append(id, quint64(m_lastMs), 9);
    append(id, m_counter, 5);
    return id;
}

} // namespace core
