// SPDX-License-Identifier: GPL-3.0-or-later
#include "watch_lines.h"

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

struct EventWord
{
    QLatin1StringView word;
    WatchEvent::Type type;
};
constexpr EventWord eventWords[] = {
    {"ADDED"_L1, WatchEvent::Type::added},
    {"MODIFIED"_L1, WatchEvent::Type::modified},
    {"DELETED"_L1, WatchEvent::Type::deleted},
    {"BOOKMARK"_L1, WatchEvent::Type::bookmark},
    {"ERROR"_L1, WatchEvent::Type::error},
};

} // namespace

void WatchLines::push(QByteArrayView bytes)
{
    if (m_isTooLong)
        return;
    if (m_used > 0 && m_used >= m_bytes.size() / 2) {
        m_bytes.remove(0, m_used);
        m_searched -= m_used;
        m_used = 0;
    }
    m_bytes.append(bytes);
}

std::optional<QByteArray> WatchLines::next()
{
    for (;;) {
        const qsizetype end = m_isTooLong ? -1 : m_bytes.indexOf('\n', m_searched);
        const qsizetype length = (end < 0 ? m_bytes.size() : end) - m_used;
        if (length > maxLineBytes) {
            m_isTooLong = true;
            m_bytes.clear();
            m_used = m_searched = 0;
        }
        if (m_isTooLong || end < 0) {
            m_searched = m_bytes.size();
            return std::nullopt;
        }
        const QByteArray line = m_bytes.mid(m_used, length).trimmed();
        m_used = m_searched = end + 1;
        if (!line.isEmpty())
            return line;
    }
}

void dropManagedFields(Json& object)
{
    if (!object.is_object())
        return;
    if (const auto metadata = object.find("metadata"); metadata != object.end() && metadata->is_object())
        metadata->erase("managedFields");
}

Result<WatchEvent> readWatchLine(QByteArrayView line)
{
    // What stands in the line is not said: an object may hold secrets.
    const auto damaged = [&line](const QString& how) {
        return fail(Kind::network, u"A line of the watch is damaged, so it is begun again."_m,
            u"%1, %2 bytes"_s.arg(how).arg(line.size()));
    };
    Result<Json> read = parseJson(line);
    if (!read)
        return damaged(u"no JSON"_s);
    const QString word = textOf(*read, "type");
    const auto object = read->is_object() ? read->find("object") : read->end();
    if (word.isEmpty() || object == read->end() || !object->is_object())
        return damaged(u"no event"_s);
    WatchEvent event;
    for (const EventWord& known : eventWords)
        if (word == known.word)
            event.type = known.type;
    event.object = std::move(*object);
    dropManagedFields(event.object);
    return event;
}

} // namespace platforms::kubernetes
