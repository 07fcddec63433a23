// SPDX-License-Identifier: GPL-3.0-or-later
// The command line, an argument a line, and what it shows: text that comes from trials, machines and services must not control the
// terminal.
#include "fuzz_driver.h"

#include "app/cli/options.h"
#include "app/cli/terminal_text.h"
#include "services/core/printable.h"

using namespace Qt::StringLiterals;
using namespace app;

namespace {

/// Whether a terminal only writes it: besides printable characters `passing`, and whole colour sequences.
bool isHarmless(QStringView text, QStringView passing)
{
    for (qsizetype i = 0; i < text.size();) {
        if (const qsizetype colour = colourSequence(text.sliced(i))) {
            require(text[i] == u'\x1b' && text[i + colour - 1] == u'm' && colour <= 24, "a colour is a short sequence");
            i += colour;
            continue;
        }
        const char16_t c = text[i].unicode();
        const bool controls = c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e)
            || (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
        if (controls && !passing.contains(text[i]))
            return false;
        ++i;
    }
    return true;
}

void fuzzText(std::string_view data)
{
    const QByteArrayView bytes(data.data(), qsizetype(data.size()));
    const QString text = QString::fromUtf8(bytes);
    require(isHarmless(terminalText(text), u"\n"), "lines do not control a terminal");
    require(!terminalText(text).contains(u'\x1b') || text.contains(QChar(0xfddf))
            || std::any_of(text.begin(), text.end(), [](QChar c) { return c >= QChar(0xfdd0) && c <= QChar(0xfddf); }),
        "only our own marks become colours");
    const QString line = oneLine(text);
    require(isHarmless(line, u"") && !line.contains(u'\x1b'), "a line has no colour and no line end");
    const QString cut = core::printable(text, 100);
    require(isHarmless(cut, u"") && !cut.contains(u'\x1b') && cut.size() <= 101, "a printable text is a short line");
    require(core::printableLines(text).count(u'\n') == text.count(u'\n'), "printable lines are as many");

    TerminalStream whole;
    QByteArray shown = whole.take(bytes);
    shown += whole.end();
    require(isHarmless(QString::fromUtf8(shown), u"\n\r\t"), "what a trial prints does not control a terminal");
    const qsizetype piece = bytes.isEmpty() ? 1 : 1 + uchar(bytes.front()) % 30;
    TerminalStream stream;
    QByteArray pieces;
    for (qsizetype at = 0; at < bytes.size(); at += piece)
        pieces += stream.take(bytes.sliced(at, std::min(piece, bytes.size() - at)));
    pieces += stream.end();
    require(pieces == shown, "it is shown the same in pieces of any size");
}

void fuzzArguments(const QString& text)
{
    const QStringList arguments = text.split(u'\n').mid(0, 40);
    const auto line = parseCommandLine(arguments);
    if (!line) {
        require(line.error().kind == core::Kind::invalid && !line.error().message.isEmpty(), "a refusal says why");
        return;
    }
    require(line->help || line->verb.isEmpty() || findVerb(line->verb), "a verb is one of the table");
    if (line->help) {
        (void)helpText(line->helpTopic, u"trialdeck"_s);
        return;
    }
    const VerbSpec* verb = findVerb(line->verb);
    require(
        !verb || (line->arguments.size() >= verb->least && (verb->most < 0 || line->arguments.size() <= verb->most)),
        "a verb has its arguments");
    require(!verb || verb->command || line->command.isEmpty(), "a command stands behind verbs that take one");
    std::vector<OptionSpec> known = verb ? verb->options : programOptions();
    known.insert(known.end(), globalOptions().begin(), globalOptions().end());
    for (auto it = line->options.begin(); it != line->options.end(); ++it) {
        const auto spec = std::find_if(
            known.begin(), known.end(), [&](const OptionSpec& one) { return it.key() == QLatin1StringView(one.name); });
        require(spec != known.end(), "an option is one of the verb's");
        require(spec->repeats || it->size() == 1, "an option is given once");
        if (spec->type == ValueType::count || spec->type == ValueType::positive) {
            const auto number = line->number(it.key());
            require(number && *number >= (spec->type == ValueType::positive ? 1 : 0), "a number is within its bounds");
        } else if (spec->type == ValueType::seconds) {
            const auto seconds = line->seconds(it.key());
            require(seconds && *seconds > 0, "a time is above 0");
        }
    }
}

} // namespace

void fuzzOne(std::string_view data)
{
    fuzzText(data);
    const QString text = QString::fromUtf8(data.data(), qsizetype(data.size()));
    fuzzArguments(text);
    if (const auto address = parseListenAddress(text)) {
        const QString host = address->host.contains(u':') ? u'[' + address->host + u']' : address->host;
        require(
            parseListenAddress(u"%1:%2"_s.arg(host).arg(address->port)) == *address, "an address is read as written");
    }
    if (const auto size = windowSize(text))
        require(size->first > 0 && size->second > 0 && size->first < 100'000 && size->second < 100'000,
            "a window has a size");
    const QString near = nearest(text.left(40), nouns());
    require(near.isEmpty() || nouns().contains(near), "the nearest word is one of the words");
}
