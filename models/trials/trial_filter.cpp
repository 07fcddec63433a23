// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_filter.h"

#include "trial_text.h"

#include "models/format.h"
#include "models/machine_cells.h"
#include "models/text/line_pattern.h"
#include "services/core/message/localized.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace models {

using core::fail;
using core::Result;
using core::TrialStatus;

namespace {

/// Gives lupdate the context of the free functions here.
struct FilterWords
{
    Q_DECLARE_TR_FUNCTIONS(models::FilterWords)
};

struct FieldName
{
    QLatin1StringView name;
    TrialColumn column;
};

/// Field names that may precede an operator, besides parameters. `state` is handled separately.
constexpr FieldName fieldNames[] = {
    {"number"_L1, TrialColumn::number},
    {"#"_L1, TrialColumn::number},
    {"best"_L1, TrialColumn::best},
    {"last"_L1, TrialColumn::last},
    {"step"_L1, TrialColumn::step},
    {"ran"_L1, TrialColumn::ran},
    {"waited"_L1, TrialColumn::waited},
    {"attempt"_L1, TrialColumn::attempt},
    {"exit"_L1, TrialColumn::exit_code},
    {"gpus"_L1, TrialColumn::gpus},
    {"priority"_L1, TrialColumn::priority},
    {"values"_L1, TrialColumn::values},
    {"machine"_L1, TrialColumn::machine},
    {"platform"_L1, TrialColumn::platform},
    {"tag"_L1, TrialColumn::tags},
    {"tags"_L1, TrialColumn::tags},
    {"note"_L1, TrialColumn::note},
    {"reason"_L1, TrialColumn::reason},
    {"client"_L1, TrialColumn::client_id},
    {"id"_L1, TrialColumn::id},
    {"experiment"_L1, TrialColumn::experiment},
};

core::PlatformId thisComputer()
{
    return core::PlatformId(u"local"_s);
}

std::optional<TrialColumn> fieldNamed(const QString& name)
{
    for (const FieldName& field : fieldNames) {
        if (name.compare(field.name, Qt::CaseInsensitive) == 0)
            return field.column;
    }
    return std::nullopt;
}

bool isDuration(int column)
{
    return column == int(TrialColumn::ran) || column == int(TrialColumn::waited);
}

/// Parses a number; a duration may have a unit and is returned in milliseconds.
std::optional<double> numberFrom(QString text, bool duration)
{
    double factor = 1;
    if (duration) {
        factor = 1000;
        struct Unit
        {
            QLatin1StringView word;
            double factor;
        };
        constexpr Unit units[] = {{"ms"_L1, 1}, {"min"_L1, 60'000}, {"m"_L1, 60'000}, {"s"_L1, 1000},
            {"h"_L1, 3'600'000}, {"d"_L1, 86'400'000}};
        for (const Unit& unit : units) {
            if (text.endsWith(unit.word, Qt::CaseInsensitive)) {
                text.chop(unit.word.size());
                factor = unit.factor;
                break;
            }
        }
    }
    bool good = false;
    const double value = text.trimmed().toDouble(&good);
    return good && !std::isnan(value) ? std::optional(value * factor) : std::nullopt;
}

/// The states whose name starts with the word, in English or in the window's language: `fail`, `cancelled`, `early`.
std::array<bool, core::trialStatusCount> statesOf(const QString& word)
{
    std::array<bool, core::trialStatusCount> out{};
    for (const TrialStatus status : core::allTrialStatuses) {
        QString name = core::statusName(status);
        const bool cancelled = status == TrialStatus::user_canceled || status == TrialStatus::sys_canceled;
        const auto begins = [&](const QString& whole) { return whole.startsWith(word, Qt::CaseInsensitive); };
        out[size_t(status)] = begins(name) || begins(name.replace(u'_', u' ')) || begins(stateWord(status))
            || (cancelled && (begins(u"cancelled"_s) || begins(u"canceled"_s)))
            || (status == TrialStatus::early_stopped && begins(u"stopped"_s));
    }
    return out;
}

bool anyState(const std::array<bool, core::trialStatusCount>& states)
{
    return std::any_of(states.begin(), states.end(), [](bool b) { return b; });
}

/// The end of the word that begins at `from`: the next blank outside quotes.
qsizetype endOfWord(const QString& text, qsizetype from)
{
    bool quoted = false;
    bool expression = false;
    for (qsizetype i = from; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == u'"' && !expression)
            quoted = !quoted;
        else if (c == u'/' && !quoted && (expression || i == from))
            expression = !expression;
        else if (c == u'\\' && expression)
            ++i;
        else if (c.isSpace() && !quoted && !expression)
            return i;
    }
    return text.size();
}

QString withoutQuotes(QString text)
{
    return text.remove(u'"');
}

/// The offset of a word's operator: the first one outside quotes, not at offset 0.
qsizetype operatorIn(const QString& word)
{
    bool quoted = false;
    for (qsizetype i = 0; i < word.size(); ++i) {
        const QChar c = word[i];
        if (c == u'"')
            quoted = !quoted;
        else if (!quoted && i > 0 && (u"<>=:~"_s.contains(c) || (c == u'!' && word.mid(i + 1).startsWith(u'='))))
            return i;
    }
    return -1;
}

std::array<QString, core::trialStatusCount> allStateWords()
{
    std::array<QString, core::trialStatusCount> words;
    for (const core::TrialStatus status : core::allTrialStatuses)
        words[size_t(status)] = stateWord(status);
    return words;
}

} // namespace

class TrialFilter::Parser
{
public:
    static Result<Term> term(QString word)
    {
        Term out;
        const QString whole = word;
        if (word.startsWith(u'!')) {
            out.inverted = true;
            word.remove(0, 1);
        }
        if (word.isEmpty())
            return fail(core::Kind::invalid, FilterWords::tr("Expected a word after !"));
        if (word.startsWith(u'/'))
            return pattern(out, word);
        const qsizetype at = operatorIn(word);
        if (at < 0) {
            if (u"<>=:~"_s.contains(word[0]))
                return fail(core::Kind::invalid, FilterWords::tr("Expected a name before %1").arg(word[0]));
            out.kind = Kind::anywhere;
            const QString plain = withoutQuotes(word);
            out.search = WordSearch(plain);
            appendFolded(out.folded, plain);
            out.isIndexed = !plain.isEmpty() && !plain.contains(u'\n');
            const auto stateWords = allStateWords();
            std::transform(stateWords.begin(), stateWords.end(), out.states.begin(),
                [&out](const QString& state) { return out.search.isIn(state); });
            out.isInThisComputer = out.search.isIn(platformName(thisComputer()));
            return out;
        }
        out.name = withoutQuotes(word.left(at));
        if (const auto field = fieldNamed(out.name))
            out.column = int(*field);
        return value(out, word.mid(at));
    }

private:
    static Result<Term> pattern(Term out, const QString& word)
    {
        out.kind = Kind::pattern;
        out.stateWords = allStateWords();
        out.thisComputer = platformName(thisComputer());
        const bool closed = word.size() > 1 && word.endsWith(u'/');
        const QString text = word.mid(1, word.size() - (closed ? 2 : 1));
        auto term = expression(out, text);
        if (!term)
            return term;
        term->expression.setPatternOptions(term->expression.patternOptions() | QRegularExpression::MultilineOption);
        term->isIndexed = staysInLine(text);
        appendFolded(term->folded, literalOf(text));
        const auto holds = [&](const QString& one) { return term->expression.match(one + u'\n').hasMatch(); };
        std::transform(out.stateWords.begin(), out.stateWords.end(), term->states.begin(), holds);
        term->isInThisComputer = holds(out.thisComputer);
        return term;
    }

    static Result<Term> expression(Term out, const QString& text)
    {
        if (text.isEmpty())
            return fail(core::Kind::invalid,
                FilterWords::tr("Expected a regular expression after %1")
                    .arg(out.name.isEmpty() ? u"/"_s : out.name + u'~'));
        out.expression = QRegularExpression(
            text, QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
        if (!out.expression.isValid())
            return fail(core::Kind::invalid,
                FilterWords::tr("%1 is no regular expression: %2").arg(text, out.expression.errorString()));
        return out;
    }

    static Result<Term> value(Term out, const QString& rest)
    {
        const QString mark =
            rest.startsWith(u">="_s) || rest.startsWith(u"<="_s) || rest.startsWith(u"!="_s) || rest.startsWith(u"=="_s)
            ? rest.left(2)
            : rest.left(1);
        const QString text = withoutQuotes(rest.mid(mark.size()));
        if (mark == u"~")
            return matchesPattern(out, text);
        if (mark == u":")
            return colon(out, text);
        const bool isState = isStateName(out);
        const std::optional<double> number = isState ? std::nullopt : numberFrom(text, isDuration(out.column));
        const bool equality = mark == u"=" || mark == u"==" || mark == u"!=";
        if (equality && (isState || !number) && !text.isEmpty()) {
            out.inverted ^= mark == u"!=";
            return colon(out, text);
        }
        if (!number)
            return fail(core::Kind::invalid, FilterWords::tr("Expected a number after %1").arg(mark));
        out.kind = Kind::compare;
        out.low = *number;
        out.compare = mark == u">" ? Compare::more
            : mark == u">="        ? Compare::at_least
            : mark == u"<"         ? Compare::less
            : mark == u"<="        ? Compare::at_most
            : mark == u"!="        ? Compare::unequal
                                   : Compare::equal;
        return out;
    }

    static bool isStateName(const Term& term)
    {
        return term.name.compare("state"_L1, Qt::CaseInsensitive) == 0
            || term.name.compare("status"_L1, Qt::CaseInsensitive) == 0;
    }

    static Result<Term> matchesPattern(Term out, const QString& text)
    {
        out.kind = Kind::matches_pattern;
        if (isStateName(out))
            out.column = int(TrialColumn::state);
        return expression(out, text);
    }

    static Result<Term> colon(Term out, const QString& text)
    {
        if (text.isEmpty())
            return fail(core::Kind::invalid, FilterWords::tr("Expected a value after %1:").arg(out.name));
        if (isStateName(out)) {
            out.kind = Kind::states;
            for (const QString& word : text.split(u',', Qt::SkipEmptyParts)) {
                const auto states = statesOf(word.trimmed());
                if (!anyState(states))
                    return fail(core::Kind::invalid, FilterWords::tr("There is no state %1").arg(word));
                for (size_t i = 0; i < states.size(); ++i)
                    out.states[i] |= states[i];
            }
            return anyState(out.states)
                ? Result<Term>(out)
                : fail(core::Kind::invalid, FilterWords::tr("Expected a state after %1:").arg(out.name));
        }
        const qsizetype dots = text.indexOf(u".."_s);
        if (dots >= 0) {
            const auto low = numberFrom(text.left(dots), isDuration(out.column));
            const auto high = numberFrom(text.mid(dots + 2), isDuration(out.column));
            const bool openLow = dots == 0;
            const bool openHigh = dots + 2 == text.size();
            if ((low || openLow) && (high || openHigh) && !(openLow && openHigh)) {
                out.kind = Kind::range;
                out.low = low.value_or(-HUGE_VAL);
                out.high = high.value_or(HUGE_VAL);
                return out;
            }
            if (low || high)
                return fail(core::Kind::invalid, FilterWords::tr("Expected a number on each side of .."));
        }
        if (const auto exact = numberFrom(text, true); exact && isDuration(out.column)) {
            out.kind = Kind::compare;
            out.low = *exact;
            return out;
        }
        out.kind = Kind::words;
        for (const QString& word : text.toLower().split(u',', Qt::SkipEmptyParts)) {
            out.words.append(word.trimmed());
            bool isNumber = false;
            const double number = out.words.last().toDouble(&isNumber);
            out.numbers.append(isNumber ? number : std::numeric_limits<double>::quiet_NaN());
        }
        return out.words.isEmpty()
            ? fail(core::Kind::invalid, FilterWords::tr("Expected a value after %1:").arg(out.name))
            : Result<Term>(out);
    }
};

Result<TrialFilter> TrialFilter::parse(const QString& text)
{
    TrialFilter out;
    out.m_text = text.trimmed();
    for (qsizetype at = 0; at < text.size();) {
        if (text[at].isSpace()) {
            ++at;
            continue;
        }
        const bool inverted = text[at] == u'!';
        const qsizetype end = endOfWord(text, at + (inverted ? 1 : 0));
        auto term = Parser::term(text.mid(at, end - at));
        if (!term)
            return fail(term);
        out.m_terms.push_back(std::move(*term));
        at = std::max(end, at + 1);
    }
    return out;
}

void TrialFilter::bind(const TrialTable& table)
{
    for (Term& term : m_terms) {
        // A parameter takes precedence over a field of the same name.
        if (term.kind == Kind::anywhere || term.kind == Kind::pattern || term.kind == Kind::states)
            continue;
        if (const int column = table.parameterColumn(term.name); column >= 0)
            term.column = column;
        else if (term.column < 0 && !table.objective().metric.isEmpty() && term.name == table.objective().metric)
            term.column = int(TrialColumn::best);
    }
}

QStringList TrialFilter::unknownNames() const
{
    QStringList out;
    for (const Term& term : m_terms) {
        if (!term.name.isEmpty() && term.column < 0 && term.kind != Kind::states)
            out.append(term.name);
    }
    return out;
}

bool TrialFilter::matches(const TrialTable& table, quint32 row, qint64 now) const
{
    return std::all_of(
        m_terms.begin(), m_terms.end(), [&](const Term& term) { return fits(term, table, row, now) != term.inverted; });
}

void TrialFilter::matchRows(
    const TrialTable& table, const TrialTextIndex& index, quint32 first, qint64 now, std::span<char> out) const
{
    std::fill(out.begin(), out.end(), 1);
    std::array<char, TrialTextIndex::blockRows> fitting;
    for (const Term& term : m_terms) {
        fitRows(term, table, index, first, now, out, std::span(fitting).first(out.size()));
        for (size_t i = 0; i < out.size(); ++i)
            out[i] &= char((fitting[i] != 0) != term.inverted);
    }
}

void TrialFilter::fitRows(const Term& term, const TrialTable& table, const TrialTextIndex& index, quint32 first,
    qint64 now, std::span<const char> among, std::span<char> out)
{
    std::fill(out.begin(), out.end(), 0);
    size_t indexed = 0;
    if (term.isIndexed && index.size() > first) {
        indexed = std::min(out.size(), size_t(index.size() - first));
        const quint32 block = first / TrialTextIndex::blockRows;
        if (term.kind == Kind::pattern)
            index.find(block, term.expression, term.folded, out.first(indexed));
        else
            index.find(block, term.folded, out.first(indexed));
    }
    for (size_t i = 0; i < out.size(); ++i) {
        const quint32 row = first + quint32(i);
        if (out[i] || !among[i])
            continue;
        if (i >= indexed || index.isLeftOut(row))
            out[i] = char(fits(term, table, row, now));
        else
            out[i] = char(term.states[size_t(table.status(row))] || (term.isInThisComputer && table.isHere(row)));
    }
}

bool TrialFilter::fits(const Term& term, const TrialTable& table, quint32 row, qint64 now)
{
    const core::Trial& trial = table.trial(row);
    const auto textOf = [&](int column) {
        QString text = table.text(column, row);
        if (!text.isEmpty())
            return text;
        const double number = table.number(column, row, now);
        return std::isnan(number) ? QString() : parameterText(number);
    };
    const auto anywhere = [&](const auto& holds) {
        if (holds(QString::number(trial.sequenceId)) || holds(term.stateWords[size_t(trial.status)])
            || holds(trial.machineId.value) || (table.isHere(row) && holds(term.thisComputer)) || holds(trial.id.value)
            || holds(trial.clientId) || holds(core::localized(trial.reason)) || holds(trial.note))
            return true;
        for (const QString& tag : trial.tags) {
            if (holds(tag))
                return true;
        }
        return holds(QString::fromUtf8(trial.parameters));
    };
    switch (term.kind) {
    case Kind::states:
        return term.states[size_t(table.status(row))];
    case Kind::anywhere: {
        const WordSearch& search = term.search;
        return term.states[size_t(trial.status)] || search.isIn(trial.machineId.value)
            || (term.isInThisComputer && table.isHere(row)) || search.isInUtf8(trial.parameters)
            || search.isInNumber(trial.sequenceId) || search.isIn(trial.id.value) || search.isIn(trial.clientId)
            || search.isIn(core::localized(trial.reason)) || search.isIn(trial.note)
            || std::any_of(trial.tags.begin(), trial.tags.end(), [&](const QString& tag) { return search.isIn(tag); });
    }
    case Kind::pattern: {
        // One match over all texts joined by line ends costs a third of one match per text.
        QString lines;
        lines.reserve(200);
        (void)anywhere([&](const QString& text) {
            lines += text;
            lines += u'\n';
            return false;
        });
        return term.expression.match(lines).hasMatch();
    }
    case Kind::compare:
    case Kind::range: {
        if (term.column < 0)
            return false;
        const double value = table.number(term.column, row, now);
        if (std::isnan(value))
            return false;
        if (term.kind == Kind::range)
            return value >= term.low && value <= term.high;
        switch (term.compare) {
        case Compare::less:
            return value < term.low;
        case Compare::at_most:
            return value <= term.low;
        case Compare::more:
            return value > term.low;
        case Compare::at_least:
            return value >= term.low;
        case Compare::equal:
            return value == term.low;
        case Compare::unequal:
            return value != term.low;
        }
        return false;
    }
    case Kind::words: {
        if (term.column < 0)
            return false;
        if (term.column == int(TrialColumn::tags)) {
            return std::any_of(trial.tags.begin(), trial.tags.end(),
                [&](const QString& tag) { return term.words.contains(tag.toLower()); });
        }
        if (term.column == int(TrialColumn::note)) {
            return std::any_of(term.words.begin(), term.words.end(),
                [&](const QString& word) { return trial.note.contains(word, Qt::CaseInsensitive); });
        }
        const double number = table.number(term.column, row, now);
        // A parameter's word is not copied: threads that count one string's uses wait for each other.
        const QString* parameter = table.word(term.column, row);
        const QString field = term.column < baseColumns ? table.text(term.column, row) : QString();
        const QStringView text = parameter ? QStringView(*parameter) : QStringView(field);
        for (qsizetype i = 0; i < term.words.size(); ++i)
            if (term.numbers[i] == number || (!text.isEmpty() && text.startsWith(term.words[i], Qt::CaseInsensitive)))
                return true;
        return false;
    }
    case Kind::matches_pattern: {
        const QString text = term.column < 0 ? QString() : textOf(term.column);
        return !text.isEmpty() && term.expression.match(text).hasMatch();
    }
    }
    return false;
}

/// In quotes, unless nothing in it could end a word or be an operator.
static QString quoted(const QString& word)
{
    const bool isPlain =
        std::all_of(word.begin(), word.end(), [](QChar c) { return c.isLetterOrNumber() || u"_-+."_s.contains(c); });
    return isPlain ? word : u'"' + withoutQuotes(word) + u'"';
}

QString wordsFilter(const QString& name, const QStringList& words)
{
    QStringList safe;
    for (const QString& word : words)
        safe.append(quoted(word));
    return quoted(name) + u':' + safe.join(u',');
}

QString rangeFilter(const QString& name, double low, double high)
{
    const auto end = [](double value) { return std::isinf(value) ? QString() : QString::number(value, 'g', 6); };
    return quoted(name) + u':' + end(low) + u".."_s + end(high);
}

} // namespace models
