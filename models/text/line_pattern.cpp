// SPDX-License-Identifier: GPL-3.0-or-later
#include "line_pattern.h"

#include <QStringList>

#include <optional>
#include <vector>

using namespace Qt::StringLiterals;

namespace models {

namespace {

/// Reads an expression part by part, and gathers the literals that stand outside of groups.
class LineReader
{
public:
    explicit LineReader(const QString& text)
        : m_text(text)
    {
    }

    bool read()
    {
        for (const QChar c : m_text)
            if (c.category() == QChar::Other_Control || c.isSurrogate())
                return false;
        while (m_at < m_text.size())
            if (!part())
                return false;
        endRun();
        return m_groups.size() == 1;
    }
    [[nodiscard]] QString longest() const { return m_hasAlternatives ? QString() : m_longest; }
    [[nodiscard]] bool isNeverEmpty() const { return m_groups.back().isNeverEmpty(); }

private:
    /// The whole expression, or what stands in parentheses.
    struct Group
    {
        bool hasRequired = false; ///< the alternative that is read has something that matches a character
        bool mayBeEmpty = false;  ///< one of those before had not
        [[nodiscard]] bool isNeverEmpty() const { return hasRequired && !mayBeEmpty; }
    };

    [[nodiscard]] bool ahead(QStringView text) const { return QStringView(m_text).mid(m_at).startsWith(text); }

    bool part()
    {
        const QChar c = m_text[m_at];
        switch (c.unicode()) {
        case u'^':
        case u'$':
            ++m_at;
            endRun();
            return true;
        case u'|':
            ++m_at;
            endRun();
            m_hasAlternatives = m_hasAlternatives || m_groups.size() == 1;
            m_groups.back().mayBeEmpty |= !m_groups.back().hasRequired;
            m_groups.back().hasRequired = false;
            return true;
        case u'(':
            if (ahead(u"(*") || (ahead(u"(?") && !ahead(u"(?:")))
                return false;
            m_at += ahead(u"(?:") ? 3 : 1;
            m_groups.emplace_back();
            endRun();
            return true;
        case u')':
            ++m_at;
            endRun();
            return endGroup();
        case u'[':
            return characterClass() && item({});
        case u'.':
            ++m_at;
            return item({});
        case u'\\':
            return escape();
        case u'*':
        case u'+':
        case u'?':
        case u'{':
            return false;
        default:
            ++m_at;
            return item(c);
        }
    }

    bool endGroup()
    {
        if (m_groups.size() < 2)
            return false;
        const bool isNeverEmpty = m_groups.back().isNeverEmpty();
        m_groups.pop_back();
        const std::optional<int> least = quantifier();
        m_groups.back().hasRequired |= isNeverEmpty && least.value_or(0) > 0;
        return least.has_value();
    }

    bool escape()
    {
        if (m_at + 1 >= m_text.size())
            return false;
        const QChar c = m_text[m_at + 1];
        m_at += 2;
        if (c == u'd' || c == u'w')
            return item({});
        if (c == u'b') {
            endRun();
            return true;
        }
        return !c.isLetterOrNumber() && item(c);
    }

    bool characterClass()
    {
        ++m_at;
        if (ahead(u"^") || ahead(u"]"))
            return false;
        while (m_at < m_text.size()) {
            const QChar c = m_text[m_at];
            if (c == u'[')
                return false;
            if (c == u'\\') {
                const QChar next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : QChar();
                if (next.isNull() || (next.isLetterOrNumber() && next != u'd' && next != u'w'))
                    return false;
                ++m_at;
            }
            ++m_at;
            if (c == u']')
                return true;
        }
        return false;
    }

    /// One thing that matches one character, a literal if it has one, with its quantifier.
    bool item(std::optional<QChar> literal)
    {
        const std::optional<int> least = quantifier();
        if (!least)
            return false;
        m_groups.back().hasRequired |= *least > 0;
        if (!literal || m_groups.size() > 1 || *least == 0) {
            endRun();
            return true;
        }
        m_run += *literal;
        if (m_wasQuantified)
            endRun();
        return true;
    }

    /// Skips the quantifier that stands here, if one does. The least number of times; nullopt if it is not understood.
    std::optional<int> quantifier()
    {
        m_wasQuantified = true;
        int least = 1;
        if (ahead(u"*") || ahead(u"?")) {
            least = 0;
            ++m_at;
        } else if (ahead(u"+")) {
            ++m_at;
        } else if (ahead(u"{")) {
            const qsizetype close = m_text.indexOf(u'}', m_at);
            if (close < 0)
                return std::nullopt;
            const QStringList ends = m_text.mid(m_at + 1, close - m_at - 1).split(u',');
            bool isNumber = false;
            least = ends.first().toInt(&isNumber);
            bool isEnd = true;
            if (ends.size() == 2 && !ends.last().isEmpty())
                (void)ends.last().toInt(&isEnd);
            if (!isNumber || least < 0 || !isEnd || ends.size() > 2)
                return std::nullopt;
            m_at = close + 1;
        } else {
            m_wasQuantified = false;
            return least;
        }
        if (ahead(u"?") || ahead(u"+"))
            ++m_at;
        return least;
    }

    void endRun()
    {
        if (m_run.size() > m_longest.size())
            m_longest = m_run;
        m_run.clear();
    }

    QString m_text;
    qsizetype m_at = 0;
    std::vector<Group> m_groups = std::vector<Group>(1);
    bool m_hasAlternatives = false; ///< outside of groups
    bool m_wasQuantified = false;
    QString m_run;
    QString m_longest;
};

} // namespace

bool staysInLine(const QString& expression)
{
    LineReader reader(expression);
    return reader.read() && reader.isNeverEmpty();
}

QString literalOf(const QString& expression)
{
    LineReader reader(expression);
    return reader.read() && reader.isNeverEmpty() ? reader.longest() : QString();
}

} // namespace models
