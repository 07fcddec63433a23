// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "services/core/message/localized.h"
#include "services/core/records.h"

#include <QHostAddress>
#include <QUrl>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace app {

using core::fail;
using core::Kind;

namespace {

int editDistance(const QString& a, const QString& b)
{
    std::vector<int> previous(b.size() + 1);
    std::vector<int> current(b.size() + 1);
    for (qsizetype j = 0; j <= b.size(); ++j)
        previous[j] = int(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        current[0] = int(i);
        for (qsizetype j = 1; j <= b.size(); ++j)
            current[j] =
                std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
        std::swap(previous, current);
    }
    return previous[b.size()];
}

QStringList verbNames()
{
    QStringList names;
    for (const VerbSpec& verb : verbTable())
        names += text(verb.name);
    return names;
}

const OptionSpec* findOption(const std::vector<OptionSpec>& options, const QString& name)
{
    const auto it =
        std::find_if(options.begin(), options.end(), [&](const OptionSpec& o) { return name == text(o.name); });
    return it == options.end() ? nullptr : &*it;
}

const OptionSpec* findLetter(const std::vector<OptionSpec>& options, QChar letter)
{
    const auto it = std::find_if(options.begin(), options.end(),
        [&](const OptionSpec& o) { return o.letter && letter == QLatin1Char(o.letter); });
    return it == options.end() ? nullptr : &*it;
}

/// One sentence when the value does not fit, else empty. A status is written in capitals afterwards.
QString checkValue(const OptionSpec& option, QString& value)
{
    const QString name = u"--"_s + text(option.name);
    bool fits = true;
    switch (option.type) {
    case ValueType::count:
        fits = value.toLongLong(&fits) >= 0 && fits;
        return fits ? QString() : u"%1 takes a whole number, 0 or more, not `%2`."_s.arg(name, value);
    case ValueType::positive:
        fits = value.toLongLong(&fits) >= 1 && fits;
        return fits ? QString() : u"%1 takes a whole number, 1 or more, not `%2`."_s.arg(name, value);
    case ValueType::seconds: {
        const double seconds = value.toDouble(&fits);
        fits = fits && std::isfinite(seconds) && seconds > 0 && seconds < 1e9;
        return fits ? QString() : u"%1 takes a number of seconds above 0, not `%2`."_s.arg(name, value);
    }
    case ValueType::status: {
        const QString upper = value.toUpper().replace(u'-', u'_');
        if (core::statusFromName(upper)) {
            value = upper;
            return {};
        }
        QStringList words;
        for (const core::TrialStatus status : core::allTrialStatuses)
            words += core::statusName(status);
        return u"%1 takes one of %2, not `%3`."_s.arg(name, words.join(u' '), value);
    }
    case ValueType::listen: {
        const Result<ListenAddress> parsed = parseListenAddress(value);
        return parsed ? QString() : core::localized(parsed.error().message);
    }
    case ValueType::text:
    case ValueType::file:
    case ValueType::folder:
        return value.isEmpty() ? u"%1 takes a value, and it must not be empty."_s.arg(name) : QString();
    case ValueType::flag:
        break;
    }
    return {};
}

/// http:// or https:// with a host, and nothing behind its path.
bool isPlainUrl(const QString& text)
{
    const QUrl url(text, QUrl::StrictMode);
    return url.isValid() && (url.scheme() == u"http" || url.scheme() == u"https") && !url.host().isEmpty()
        && url.userInfo().isEmpty() && !url.hasQuery() && !url.hasFragment();
}

class Parser
{
public:
    explicit Parser(QStringList arguments)
        : m_arguments(std::move(arguments))
    {
    }

    Result<CommandLine> run()
    {
        for (m_at = 0; m_at < m_arguments.size(); ++m_at) {
            const QString argument = m_arguments[m_at];
            if (argument == u"--"_s) {
                const QStringList rest = m_arguments.mid(m_at + 1);
                if (m_verb && m_verb->command)
                    m_line.command = rest;
                else
                    for (const QString& word : rest)
                        if (auto taken = takeWord(word); !taken)
                            return fail(taken);
                m_dashes = true;
                break;
            }
            Result<> taken;
            if (argument.startsWith(u"--"_s))
                taken = takeLong(argument.mid(2));
            else if (argument.size() > 1 && argument[0] == u'-' && !argument[1].isDigit() && argument[1] != u'.')
                taken = takeLetters(argument.mid(1));
            else
                taken = takeWord(argument);
            if (!taken)
                return fail(taken);
        }
        return finish();
    }

private:
    QString hint() const
    {
        const QString topic = m_verb ? text(m_verb->name) + u' ' : m_noun.isEmpty() ? QString() : m_noun + u' ';
        return u"`trialdeck %1--help` shows what there is."_s.arg(topic);
    }

    tl::unexpected<core::Error> refuse(const QString& message, const QString& meant = {}) const
    {
        return fail(Kind::invalid, message + u' ' + (meant.isEmpty() ? hint() : u"Did you mean `%1`?"_s.arg(meant)));
    }

    const OptionSpec* lookUp(const QString& name) const
    {
        if (const OptionSpec* option = findOption(globalOptions(), name))
            return option;
        return findOption(m_verb ? m_verb->options : programOptions(), name);
    }

    Result<> takeLong(const QString& argument)
    {
        const qsizetype equals = argument.indexOf(u'=');
        const QString name = equals < 0 ? argument : argument.left(equals);
        const OptionSpec* option = lookUp(name);
        if (!option) {
            QStringList known;
            for (const auto* list : {&globalOptions(), m_verb ? &m_verb->options : &programOptions()})
                for (const OptionSpec& candidate : *list)
                    known += text(candidate.name);
            const QString meant = nearest(name, known);
            const QString whose = m_verb ? u"`trialdeck %1` has"_s.arg(text(m_verb->name)) : u"There is"_s;
            QString message = u"%1 no option --%2."_s.arg(whose, name);
            if (!m_verb)
                for (const VerbSpec& verb : verbTable())
                    if (findOption(verb.options, name)) {
                        message += u" Options of a verb stand behind it."_s;
                        break;
                    }
            return refuse(message, meant.isEmpty() ? QString() : u"--"_s + meant);
        }
        if (option->type == ValueType::flag) {
            if (equals >= 0)
                return refuse(u"--%1 takes no value."_s.arg(name));
            return store(*option, QString());
        }
        if (equals >= 0)
            return store(*option, argument.mid(equals + 1));
        return storeNext(*option, u"--"_s + name);
    }

    Result<> takeLetters(const QString& letters)
    {
        for (qsizetype i = 0; i < letters.size(); ++i) {
            const OptionSpec* option = findLetter(globalOptions(), letters[i]);
            if (!option && m_verb)
                option = findLetter(m_verb->options, letters[i]);
            if (!option)
                return refuse(u"There is no option -%1 here."_s.arg(letters[i]));
            if (option->type == ValueType::flag) {
                if (auto stored = store(*option, QString()); !stored)
                    return stored;
                continue;
            }
            const QString rest = letters.mid(i + 1);
            return rest.isEmpty() ? storeNext(*option, u'-' + QString(letters[i])) : store(*option, rest);
        }
        return {};
    }

    Result<> storeNext(const OptionSpec& option, const QString& shown)
    {
        if (m_at + 1 >= m_arguments.size() || m_arguments[m_at + 1] == u"--"_s)
            return refuse(u"%1 takes a value: %2."_s.arg(shown, text(option.value)));
        return store(option, m_arguments[++m_at]);
    }

    Result<> store(const OptionSpec& option, QString value)
    {
        if (option.type != ValueType::flag)
            if (const QString problem = checkValue(option, value); !problem.isEmpty())
                return refuse(problem);
        QStringList& values = m_line.options[text(option.name)];
        if (option.repeats)
            values += value;
        else
            values = {value}; // The last one counts, so that an alias can be overridden.
        return {};
    }

    Result<> takeWord(const QString& word)
    {
        if (m_verb) {
            m_line.arguments += word;
            return {};
        }
        const QString name = m_noun.isEmpty() ? word : m_noun + u' ' + word;
        m_verb = findVerb(name);
        if (m_verb)
            return {};
        if (m_noun.isEmpty() && nouns().contains(word)) {
            m_noun = word;
            return {};
        }
        QStringList candidates = m_noun.isEmpty() ? verbNames() + nouns() : verbNames();
        QString meant = nearest(name, candidates);
        if (meant.isEmpty() && m_noun.isEmpty())
            for (const QString& noun : nouns()) // `add` alone: one of `platform add`, `machine add`.
                if (findVerb(noun + u' ' + word)) {
                    meant = noun + u' ' + word;
                    break;
                }
        return refuse(u"There is no verb `%1`."_s.arg(name), meant.isEmpty() ? QString() : u"trialdeck "_s + meant);
    }

    Result<CommandLine> finish()
    {
        if (m_line.has(u"help"_s)) {
            m_line.help = true;
            m_line.helpTopic = m_verb ? text(m_verb->name) : m_noun;
            return m_line;
        }
        if (m_line.has(u"version"_s))
            return m_line;
        if (!m_verb && !m_noun.isEmpty()) {
            QStringList words;
            for (const QString& name : verbNames())
                if (name.startsWith(m_noun + u' '))
                    words += name.mid(m_noun.size() + 1);
            return fail(Kind::invalid, u"`trialdeck %1` needs one of: %2."_s.arg(m_noun, words.join(u", "_s)));
        }
        if (!m_verb)
            return finishProgram();

        m_line.verb = text(m_verb->name);
        const QString shown = u"trialdeck "_s + m_line.verb;
        if (m_line.verb == u"help"_s) {
            const QString topic = m_line.arguments.join(u' ');
            if (!topic.isEmpty() && !findVerb(topic) && !nouns().contains(topic)) {
                const QString meant = nearest(topic, verbNames() + nouns());
                return refuse(
                    u"There is no verb `%1`."_s.arg(topic), meant.isEmpty() ? QString() : u"trialdeck help "_s + meant);
            }
            m_line.help = true;
            m_line.helpTopic = topic;
            return m_line;
        }
        const int count = int(m_line.arguments.size());
        if (count < m_verb->least)
            return refuse(u"`%1` needs: %2."_s.arg(shown, text(m_verb->arguments)));
        if (m_verb->most >= 0 && count > m_verb->most) {
            const QString extra = m_line.arguments[m_verb->most];
            return refuse(m_verb->most == 0
                    ? u"`%1` takes no argument, but `%2` was given."_s.arg(shown, extra)
                    : u"`%1` takes only: %2; `%3` is too much."_s.arg(shown, text(m_verb->arguments), extra));
        }
        if (const QStringList words = text(m_verb->words).split(u'|', Qt::SkipEmptyParts);
            !words.isEmpty() && count > 0)
            if (!words.contains(m_line.arguments[0]))
                return refuse(
                    u"`%1` takes one of %2, not `%3`."_s.arg(shown, words.join(u", "_s), m_line.arguments[0]));
        for (const OptionSpec& option : m_verb->options)
            if (option.required && !m_line.has(text(option.name)))
                return refuse(u"`%1` needs --%2 %3."_s.arg(shown, text(option.name), text(option.value)));
        for (const QString& pair : text(m_verb->exclusive).split(u' ', Qt::SkipEmptyParts)) {
            const QStringList both = pair.split(u'|');
            if (m_line.has(both[0]) && m_line.has(both[1]))
                return refuse(u"--%1 and --%2 exclude each other."_s.arg(both[0], both[1]));
        }
        if (m_verb->command && m_line.command.isEmpty())
            return refuse(m_dashes
                    ? u"There is no command behind `--`."_s
                    : u"`%1` needs the command behind `--`, for example: %1 -- python3 train.py."_s.arg(shown));
        return m_line;
    }

    Result<CommandLine> finishProgram()
    {
        if (m_dashes)
            return refuse(u"`--` stands only behind `trialdeck run`."_s);
        if (m_line.has(u"serve"_s) && m_line.has(u"demo"_s))
            return refuse(u"--serve and --demo exclude each other."_s);
        for (const QString& name :
            {u"listen"_s, u"ingest"_s, u"ingest-url"_s, u"tls-cert"_s, u"tls-key"_s, u"insecure"_s})
            if (m_line.has(name) && !m_line.has(u"serve"_s))
                return refuse(u"--%1 needs --serve."_s.arg(name));
        if (m_line.has(u"ingest-url"_s) && !m_line.has(u"ingest"_s))
            return refuse(u"--ingest-url needs --ingest, the address that it leads to."_s);
        if (m_line.has(u"ingest-url"_s) && !isPlainUrl(m_line.value(u"ingest-url"_s)))
            return refuse(u"--ingest-url takes an address such as http://gateway:8650, not `%1`."_s.arg(
                m_line.value(u"ingest-url"_s)));
        for (const QString& name : {u"connect"_s, u"screenshot"_s, u"page"_s, u"size"_s, u"theme"_s, u"locale"_s})
            if (m_line.has(name) && m_line.has(u"serve"_s))
                return refuse(u"--%1 is for the window; --serve has none."_s.arg(name));
        if (m_line.has(u"connect"_s) && m_line.has(u"demo"_s))
            return refuse(u"--connect and --demo exclude each other: the demo runs on this computer."_s);
        if (m_line.has(u"connect"_s) && !m_line.has(u"token-file"_s)
            && !m_line.value(u"connect"_s).startsWith(u"ssh://"_s))
            return refuse(u"--connect needs --token-file, the file with the token of that service."_s);
        if (const QString theme = m_line.value(u"theme"_s);
            !theme.isEmpty() && theme != u"light"_s && theme != u"dark"_s)
            return refuse(u"--theme takes light or dark, not `%1`."_s.arg(theme));
        if (m_line.has(u"size"_s) && !windowSize(m_line.value(u"size"_s)))
            return refuse(u"--size takes WIDTHxHEIGHT, for example 1440x900, not `%1`."_s.arg(m_line.value(u"size"_s)));
        if (m_line.has(u"tls-cert"_s) != m_line.has(u"tls-key"_s))
            return refuse(u"--tls-cert and --tls-key go together."_s);
        if (m_line.has(u"insecure"_s) && m_line.has(u"tls-cert"_s))
            return refuse(u"--insecure and --tls-cert exclude each other."_s);
        if (m_line.has(u"serve"_s) && m_line.has(u"url"_s))
            return refuse(u"--url names a service that runs already; --serve starts one (see --listen)."_s);
        return m_line;
    }

    QStringList m_arguments;
    qsizetype m_at = 0;
    QString m_noun;
    const VerbSpec* m_verb = nullptr;
    bool m_dashes = false;
    CommandLine m_line;
};

} // namespace

std::optional<std::pair<int, int>> windowSize(const QString& text)
{
    const QStringList parts = text.toLower().split(u'x');
    if (parts.size() != 2)
        return {};
    bool fits = false;
    const int width = parts[0].toInt(&fits);
    const int height = fits ? parts[1].toInt(&fits) : 0;
    if (!fits || width < 320 || height < 240 || width > 16'000 || height > 16'000)
        return {};
    return std::pair{width, height};
}

QString CommandLine::value(const QString& option, const QString& otherwise) const
{
    const QStringList list = options.value(option);
    return list.isEmpty() ? otherwise : list.last();
}

std::optional<qint64> CommandLine::number(const QString& option) const
{
    bool fits = false;
    const qint64 number = value(option).toLongLong(&fits);
    return fits ? std::optional(number) : std::nullopt;
}

std::optional<double> CommandLine::seconds(const QString& option) const
{
    bool fits = false;
    const double number = value(option).toDouble(&fits);
    return fits ? std::optional(number) : std::nullopt;
}

Result<CommandLine> parseCommandLine(const QStringList& arguments)
{
    return Parser(arguments).run();
}

QString nearest(const QString& word, const QStringList& candidates)
{
    QString best;
    int bestDistance = 1000;
    for (const QString& candidate : candidates) {
        int distance = editDistance(word.toLower(), candidate.toLower());
        if (word.size() >= 3 && candidate.startsWith(word, Qt::CaseInsensitive))
            distance = std::min(distance, 2); // An abbreviation is meant, however much is missing.
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    const int allowed = word.size() <= 3 ? 1 : word.size() <= 8 ? 2 : 3;
    return bestDistance <= std::max(allowed, word.size() >= 3 ? 2 : 1) ? best : QString();
}

const VerbSpec* findVerb(const QString& name)
{
    const auto& table = verbTable();
    const auto it = std::find_if(table.begin(), table.end(), [&](const VerbSpec& v) { return name == text(v.name); });
    return it == table.end() ? nullptr : &*it;
}

QStringList nouns()
{
    QStringList list;
    for (const QString& name : verbNames())
        if (const qsizetype space = name.indexOf(u' '); space > 0 && !list.contains(name.left(space)))
            list += name.left(space);
    return list;
}

Result<ListenAddress> parseListenAddress(const QString& text)
{
    const auto refused = [&] {
        return fail(Kind::invalid,
            u"`%1` is no address to listen on; write ADDR:PORT, for example 127.0.0.1:8643, 0.0.0.0:8643 or [::1]:0."_s
                .arg(text));
    };
    const qsizetype colon = text.lastIndexOf(u':');
    if (colon <= 0)
        return refused();
    QString host = text.left(colon);
    if (host.startsWith(u'[') && host.endsWith(u']'))
        host = host.mid(1, host.size() - 2);
    else if (host.contains(u':'))
        return refused();
    bool fits = false;
    const int port = text.mid(colon + 1).toInt(&fits);
    if (!fits || port < 0 || port > 65535 || host.isEmpty())
        return refused();
    if (host == u"localhost"_s)
        host = u"127.0.0.1"_s;
    if (QHostAddress(host).isNull())
        return refused();
    return ListenAddress{host, quint16(port)};
}

} // namespace app
