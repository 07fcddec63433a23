// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_host.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

bool isVariableName(const QString& name)
{
    const auto isLetter = [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || c == u'_'; };
    return !name.isEmpty() && isLetter(name.front())
        && std::all_of(name.begin(), name.end(), [&](QChar c) { return isLetter(c) || (c >= u'0' && c <= u'9'); });
}

Result<> checkedLine(const CommandLine& line)
{
    if (line.words.isEmpty() || line.words.front().isEmpty())
        return fail(Kind::invalid, u"A command without a program cannot run."_m);
    for (const QString& word : line.words + line.set.values())
        if (word.contains(QChar(u'\0')))
            return fail(Kind::invalid, u"A command with a zero byte in an argument cannot run."_m);
    for (const QString& name : line.set.keys() + line.unset)
        if (!isVariableName(name))
            return fail(Kind::invalid, u"`%1` is no name of an environment variable."_m.arg(name));
    return {};
}

Error commandCancelled()
{
    return {Kind::cancelled, u"The command was cancelled."_m, {}};
}

} // namespace

bool isOutcomeUnknown(const Error& error)
{
    return error.detail.startsWith(outcomeUnknownName);
}

Error withUnknownOutcome(Error error)
{
    if (!isOutcomeUnknown(error))
        error.detail = outcomeUnknownName.toString() + (error.detail.isEmpty() ? u""_s : u": "_s + error.detail);
    return error;
}

bool isCommandOption(QStringView variable)
{
    if (variable == QLatin1StringView(keptCommandVariable))
        return false;
    return std::any_of(std::begin(commandOptionPrefixes), std::end(commandOptionPrefixes),
        [variable](const char* prefix) { return variable.startsWith(QLatin1StringView(prefix)); });
}

CommandHost::CommandHost(QObject* parent)
    : QObject(parent)
{
}

CommandHost::~CommandHost()
{
    Q_ASSERT_X(m_calls == 0, "CommandHost", "destroyed before close() returned");
}

Task<Result<>> CommandHost::open()
{
    co_return Result<>{};
}

Task<Result<CommandOutput>> CommandHost::run(CommandLine line, std::stop_token stop)
{
    if (isClosing() || stop.stop_requested())
        co_return tl::unexpected(commandCancelled());
    if (const Result<> checked = checkedLine(line); !checked)
        co_return fail(checked);
    ++m_calls;
    // Either token ends it: the caller's, or that of close().
    std::stop_source either;
    const auto pass = [either] {
        // Stopping may destroy this object. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
        std::stop_source kept = either;
        kept.request_stop();
    };
    const std::stop_callback callers(stop, pass);
    const std::stop_callback ours(m_stop.get_token(), pass);
    auto running = inTurn(std::move(line), either.get_token());
    Result<CommandOutput> result = co_await running;
    if (--m_calls == 0 && m_idle) {
        OneShot<bool> idle = *m_idle; // close() may destroy this object
        idle.set(true);
    }
    co_return result;
}

Task<Result<CommandOutput>> CommandHost::inTurn(CommandLine line, std::stop_token stop)
{
    if (m_running >= mostAtOnce) {
        OneShot<bool> turn;
        m_waiting.push_back(turn);
        const std::stop_callback stopping(stop, [turn]() mutable { turn.set(false); });
        const bool isTurn = co_await turn.wait();
        if (!isTurn)
            co_return tl::unexpected(commandCancelled());
    } else {
        ++m_running;
    }
    auto executing = execute(std::move(line), stop);
    Result<CommandOutput> result = co_await executing;
    --m_running;
    nextTurns();
    co_return result;
}

void CommandHost::nextTurns()
{
    while (m_running < mostAtOnce && !m_waiting.empty()) {
        OneShot<bool> turn = m_waiting.front();
        m_waiting.pop_front();
        if (turn.isSet())
            continue; // cancelled
        ++m_running;
        turn.set(true);
    }
}

Task<> CommandHost::close()
{
    OneShot<bool> idle;
    m_idle = idle;
    m_stop.request_stop();
    if (m_calls > 0)
        co_await idle.wait();
    disconnectHost();
    auto draining = m_scope.drain();
    co_await draining;
}

} // namespace platforms
