// SPDX-License-Identifier: GPL-3.0-or-later
#include "url.h"

#include "services/core/json_text.h"

#include <QStringDecoder>

using namespace Qt::StringLiterals;

namespace http {

/// Percent-decoding; nothing for a broken escape, invalid UTF-8 or a control character.
static std::optional<QString> decoded(QByteArrayView text, bool plusIsSpace)
{
    QByteArray bytes;
    bytes.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size() || hexDigit(text[i + 1]) < 0 || hexDigit(text[i + 2]) < 0)
                return std::nullopt;
            c = char(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
            i += 2;
        } else if (c == '+' && plusIsSpace) {
            c = ' ';
        }
        if (uchar(c) < 0x20 || c == 0x7f)
            return std::nullopt;
        bytes += c;
    }
    QStringDecoder decoder(QStringDecoder::Utf8);
    QString out = decoder(bytes);
    if (decoder.hasError())
        return std::nullopt;
    return out;
}

std::optional<QStringList> pathSegments(QByteArrayView path)
{
    if (!path.startsWith('/'))
        return std::nullopt;
    QStringList segments;
    if (path.size() == 1)
        return segments;
    qsizetype start = 1;
    while (start <= path.size()) {
        qsizetype end = path.indexOf('/', start);
        if (end < 0)
            end = path.size();
        const std::optional<QString> segment = decoded(path.sliced(start, end - start), false);
        if (!segment || segment->isEmpty() || *segment == u"." || *segment == u"..")
            return std::nullopt;
        segments.append(*segment);
        start = end + 1;
    }
    return segments;
}

Query::Query(QByteArrayView text)
{
    qsizetype start = 0;
    while (start < text.size()) {
        qsizetype end = text.indexOf('&', start);
        if (end < 0)
            end = text.size();
        const QByteArrayView pair = text.sliced(start, end - start);
        start = end + 1;
        if (pair.isEmpty())
            continue;
        const qsizetype equals = pair.indexOf('=');
        const auto name = decoded(equals < 0 ? pair : pair.first(equals), true);
        const auto value = decoded(equals < 0 ? QByteArrayView() : pair.sliced(equals + 1), true);
        if (!name || !value) {
            refuse(u"The query of the address holds a broken %-escape or invalid UTF-8."_m);
            return;
        }
        m_parameters.append({*name, *value});
    }
}

bool Query::has(const char* name) const
{
    return std::any_of(m_parameters.begin(), m_parameters.end(),
        [&](const Parameter& p) { return p.name == QLatin1StringView(name); });
}

std::optional<QString> Query::take(const char* name)
{
    std::optional<QString> found;
    for (Parameter& parameter : m_parameters) {
        if (parameter.name != QLatin1StringView(name))
            continue;
        if (found)
            refuse(u"The parameter \"%1\" is given twice."_m.arg(parameter.name));
        parameter.isRead = true;
        found = parameter.value;
    }
    return found;
}

void Query::read(const char* name, QString& out)
{
    const std::optional<QString> value = take(name);
    if (!value)
        return;
    if (value->isEmpty())
        refuse(u"The parameter \"%1\" is empty."_m.arg(QLatin1StringView(name)));
    out = *value;
}

void Query::read(const char* name, std::optional<qint64>& out, qint64 low, qint64 high)
{
    const std::optional<QString> text = take(name);
    if (!text)
        return;
    bool good = false;
    const qint64 value = text->toLongLong(&good);
    if (good && value >= low && value <= high)
        out = value;
    else if (high == std::numeric_limits<qint64>::max())
        refuse(u"The parameter \"%1\" must be a whole number from %2 on."_m.arg(QLatin1StringView(name)).arg(low));
    else
        refuse(u"The parameter \"%1\" must be a whole number from %2 to %3."_m.arg(QLatin1StringView(name))
                   .arg(low)
                   .arg(high));
}

void Query::read(const char* name, qint64& out, qint64 low, qint64 high)
{
    std::optional<qint64> value;
    read(name, value, low, high);
    out = value.value_or(out);
}

void Query::read(const char* name, bool& out)
{
    const std::optional<QString> text = take(name);
    if (!text)
        return;
    if (*text == u"true" || *text == u"1")
        out = true;
    else if (*text == u"false" || *text == u"0")
        out = false;
    else
        refuse(u"The parameter \"%1\" must be true or false."_m.arg(QLatin1StringView(name)));
}

void Query::read(const char* name, QStringList& out)
{
    for (Parameter& parameter : m_parameters) {
        if (parameter.name != QLatin1StringView(name))
            continue;
        parameter.isRead = true;
        out += parameter.value.split(u',', Qt::SkipEmptyParts);
    }
}

void Query::refuse(const Message& message)
{
    if (!m_error)
        m_error = Error{Kind::invalid, message, {}};
}

Result<> Query::finish() const
{
    if (m_error)
        return tl::unexpected(*m_error);
    for (const Parameter& parameter : m_parameters) {
        if (!parameter.isRead)
            return fail(Kind::invalid, u"Unknown parameter \"%1\"."_m.arg(parameter.name));
    }
    return {};
}

} // namespace http
