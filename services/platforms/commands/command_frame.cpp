// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_frame.h"

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr qsizetype mostNoise = 2 * 1024;
/// Of what follows a mark up to the line's end.
constexpr qsizetype longestWords = 64;
/// A command that lost its connection is killed after its time and so much, seconds; one whose input takes long, after more.
constexpr qint64 orphanSeconds = 30;
constexpr qint64 orphanInputSeconds = 3'600;

QByteArray quotedWord(const QString& text)
{
    // Never bare: what is quoted is no alias, keyword or assignment of the shell.
    return '\'' + QString(text).replace(u'\'', u"'\\''"_s).toUtf8() + '\'';
}

/// How many bytes at the end of a text may be the beginning of the mark, which it does not hold.
qsizetype beginningAtEnd(const QByteArray& text, const QByteArray& mark)
{
    qsizetype size = std::min(text.size(), mark.size() - 1);
    while (size > 0 && !text.endsWith(QByteArrayView(mark).first(size)))
        --size;
    return size;
}

} // namespace

QByteArray framedShell()
{
    // Every shell leaves what stands between ' ' alone, if there is no ' \ ! or line break in it. `read` takes no more than its line.
    return "exec sh -c 'set +eux; read -r td_a && eval \"$td_a\"'";
}

QByteArray framedCommand(const CommandLine& line, const CommandPlace& place, const QByteArray& mark)
{
    // Lines are gathered up to the mark alone: a word may hold line breaks. The mark is put together in the shell, so that a shell that
    // prints what it reads prints no mark.
    QByteArray text = "td_n=$(printf '\\n_'); td_n=${td_n%_}; td_c=; while IFS= read -r td_l; do case $td_l in " + mark
        + "-go) break;; esac; td_c=$td_c$td_l$td_n; done; eval \"$td_c\"\n";
    text += "td_m=" + mark.left(4) + "''" + mark.mid(4) + '\n';
    // sshd starts each command as the leader of a session, and so of a group; another server may not.
    text += "td_g=0; { read -r td_s </proc/$$/stat; } 2>/dev/null && { td_s=${td_s##*) }; set -- $td_s; "
            "[ \"$3\" = $$ ] && td_g=1; }\n"
            "set --\n";
    if (!place.path.isEmpty()) {
        const bool isHome = place.path.startsWith(u"~/"_s);
        text += "PATH=" + (isHome ? "$HOME/" + quotedWord(place.path.mid(2)) : quotedWord(place.path))
            + "${PATH:+:}$PATH; export PATH\n";
    }
    if (!place.setup.isEmpty())
        text += "eval " + quotedWord(place.setup)
            + " >&2 </dev/null || { td_r=$?; printf '%s f %s\\n' \"$td_m\" $td_r; "
              "printf '%s f %s\\n' \"$td_m\" $td_r >&2; exit 3; }\n"
              "unset IFS; set +eu\n";
    QByteArray patterns;
    for (const char* prefix : commandOptionPrefixes)
        patterns += QByteArray(" -e 's/^\\(") + prefix + "[A-Za-z0-9_]*\\)=.*/\\1/p'";
    text += "for td_v in $(env | sed -n" + patterns + "); do case $td_v in " + keptCommandVariable
        + ") ;; *) unset $td_v;; esac; done\n"
          "LC_ALL=C; export LC_ALL\n";
    for (const QString& name : line.unset)
        text += "unset " + name.toUtf8() + '\n';
    for (auto it = line.set.begin(); it != line.set.end(); ++it)
        text += it.key().toUtf8() + '=' + quotedWord(it.value()) + "; export " + it.key().toUtf8() + '\n';
    // The connection may be lost while the command hangs.
    const qint64 seconds = (line.timeoutMs + 999) / 1'000
        + (line.moreInput || line.input.size() > 65'536 ? orphanInputSeconds : orphanSeconds);
    text += "td_k=; if [ $td_g = 1 ]; then (trap 'kill $td_w; exit 0' TERM; sleep " + QByteArray::number(seconds)
        + " & td_w=$!; wait $td_w; kill -s KILL -- -$$) </dev/null >/dev/null 2>&1 & td_k=$!; fi\n"
          "printf '%s s %s %s\\n' \"$td_m\" $td_g $$; printf '%s s %s %s\\n' \"$td_m\" $td_g $$ >&2\n";
    text += "command";
    for (const QString& word : line.words)
        text += ' ' + quotedWord(word);
    text += "\n"
            "td_r=$?; printf '%s e %s\\n' \"$td_m\" $td_r >&2; printf '%s e %s\\n' \"$td_m\" $td_r\n"
            "case $td_k in '') ;; *) kill $td_k 2>/dev/null;; esac; exit 0\n";
    return text + mark + "-go\n";
}

QByteArray framedSignal(qint64 pid, bool isGroup, bool kill)
{
    return QByteArray("exec sh -c 'kill -s ") + (kill ? "KILL" : "TERM") + " -- " + (isGroup ? "-" : "")
        + QByteArray::number(pid) + "'";
}

FramedOutput::FramedOutput(const QByteArray& mark)
    : m_mark(mark + ' ')
{
}

QByteArray FramedOutput::feed(const QByteArray& bytes)
{
    if (m_state == State::ended || m_state == State::setupFailed)
        return {};
    m_buffer += bytes;
    QByteArray output;
    while (true) {
        const qsizetype at = m_buffer.indexOf(m_mark);
        const qsizetype free = at >= 0 ? at : m_buffer.size() - beginningAtEnd(m_buffer, m_mark);
        if (m_state == State::inside)
            output += m_buffer.left(free);
        else
            m_noise = (m_noise + m_buffer.left(free)).right(mostNoise);
        m_buffer.remove(0, free);
        if (at < 0)
            return output;
        const qsizetype end = m_buffer.indexOf('\n');
        if (end < 0 && m_buffer.size() <= m_mark.size() + longestWords)
            return output;
        const QList<QByteArray> words = m_buffer.left(end).mid(m_mark.size()).split(' ');
        const bool isBefore = m_state == State::before;
        if (end >= 0 && isBefore && words.size() == 3 && words[0] == "s") {
            m_isGroup = words[1] == "1";
            m_pid = words[2].toLongLong();
            if (m_pid <= 1)
                m_pid = 0;
            m_state = State::inside;
            m_buffer.remove(0, end + 1);
        } else if (end >= 0 && words.size() == 2 && words[0] == (isBefore ? "f" : "e")) {
            m_exitCode = words[1].toInt();
            m_state = isBefore ? State::setupFailed : State::ended;
            m_buffer.clear();
            return output;
        } else {
            // No line of ours.
            if (m_state == State::inside)
                output += m_buffer.left(m_mark.size());
            m_buffer.remove(0, m_mark.size());
        }
    }
}

QByteArray FramedOutput::finish()
{
    return m_state == State::inside ? std::exchange(m_buffer, {}) : QByteArray();
}

} // namespace platforms
