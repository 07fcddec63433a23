// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_calls.h"

#include "services/core/logging.h"
#include "services/core/printable.h"
#include "services/platforms/commands/child_session.h"
#include "services/platforms/commands/command_host.h"
#include "services/platforms/external/program_answers.h"
#include "services/platforms/external/program_description.h"
#include "services/platforms/json_members.h"

#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>

#include <csignal>
#include <sys/prctl.h>

using namespace Qt::StringLiterals;

namespace platforms::external {

namespace {

constexpr qint64 greetingMs = 20'000;
constexpr qint64 closeMs = 5'000;
constexpr int mostErrorLines = 1'000; ///< of one life, in the log
constexpr int mostStrangeLines = 20;  ///< likewise
constexpr qsizetype longestErrorLine = 2'000;

/// Where the service dies, the program does not stay; its jobs, which have sessions of their own, do.
void beginProgram()
{
    beginChildSession();
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

QString executableOf(const QString& word)
{
    if (!word.contains(u'/'))
        return QStandardPaths::findExecutable(word);
    const QFileInfo file(word);
    return file.isFile() && file.isExecutable() ? word : QString();
}

} // namespace

ProgramCalls::ProgramCalls(Plan plan)
    : m_plan(std::move(plan))
{
}

ProgramCalls::~ProgramCalls()
{
    if (!m_life)
        return;
    m_life->process->disconnect(this);
    over(Error{Kind::cancelled, u"The platform is closed."_m, {}});
}

QString ProgramCalls::programName() const
{
    return QFileInfo(m_plan.command.value(m_plan.command.size() > 1 ? 1 : 0)).fileName();
}

Task<Result<>> ProgramCalls::start()
{
    Q_ASSERT(!m_life);
    const QString program = executableOf(m_plan.command.value(0));
    if (program.isEmpty())
        co_return fail(
            Kind::invalid, u"The program %1 is not there, or cannot be executed."_m.arg(m_plan.command.value(0)));
    m_life = std::make_unique<Life>();
    QProcess& process = *m_life->process;
    connect(&process, &QProcess::readyReadStandardOutput, this, [this] { readMessages(); });
    connect(&process, &QProcess::readyReadStandardError, this, [this] { readErrors(); });
    connect(&process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            over(Error{Kind::invalid,
                u"The program %1 cannot be started: %2"_m.arg(programName(), m_life->process->errorString()), {}});
    });
    connect(&process, &QProcess::finished, this, [this](int exitCode, QProcess::ExitStatus status) {
        const QPointer<ProgramCalls> self(this);
        readErrors();
        readMessages();
        if (!self || !m_life)
            return; // by what it said last
        const Message how = status == QProcess::CrashExit
            ? u"The program %1 was ended by signal %2"_m.arg(programName()).arg(exitCode)
            : u"The program %1 ended with exit code %2"_m.arg(programName()).arg(exitCode);
        over(Error{
            Kind::platform, m_life->lastError.isEmpty() ? how + u"."_s : u"%1: %2"_m.arg(how, m_life->lastError), {}});
    });
    process.setProcessEnvironment(childSessionEnvironment());
    process.setWorkingDirectory(u"/"_s);
    process.setChildProcessModifier(&beginProgram);
    const OneShot<Result<>> greeting;
    m_life->greeting = greeting;
    m_life->greetingTimer = m_plan.clock->after(greetingMs, [this] {
        over(Error{Kind::timeout,
            u"The program %1 said nothing for %2 s after its start."_m.arg(programName()).arg(greetingMs / 1'000), {}});
    });
    process.start(program, m_plan.command.mid(1));
    co_return co_await greeting.wait();
}

Task<Result<Json>> ProgramCalls::call(QString name, Json members, qint64 timeoutMs)
{
    if (!isRunning())
        co_return fail(Kind::platform, u"The program %1 does not run."_m.arg(programName()));
    const qint64 id = ++m_lastId;
    Json message = Json::object({{"id", id}, {"call", name}});
    message.update(members);
    Pending& pending = m_life->pending[id];
    const OneShot<Result<Json>> answer = pending.answer;
    pending.timer = m_plan.clock->after(timeoutMs, [this, name, timeoutMs] {
        over(Error{Kind::timeout,
            u"The program %1 did not answer %2 within %3 s, and was ended."_m.arg(programName(), name)
                .arg(timeoutMs / 1'000),
            {}});
    });
    m_life->process->write(dumpJson(message) + '\n');
    co_return co_await answer.wait();
}

Task<> ProgramCalls::close()
{
    if (!m_life)
        co_return;
    const OneShot<bool> ending;
    m_ending = ending;
    if (m_life->isGreeted)
        m_life->process->write(dumpJson(Json::object({{"id", ++m_lastId}, {"call", "close"}})) + '\n');
    m_life->process->closeWriteChannel();
    const auto timer = m_plan.clock->after(closeMs, [this] {
        over(Error{Kind::cancelled, u"The platform is closed."_m, {}});
    });
    co_await ending.wait();
}

// ----------------------------------------------------------------------------------------------------------- what it says

void ProgramCalls::readMessages()
{
    if (!m_life)
        return;
    const QByteArray bytes = m_life->process->readAllStandardOutput();
    const QByteArrayList lines = m_life->lines.take(bytes);
    const QPointer<ProgramCalls> self(this);
    const Life* const life = m_life.get();
    for (const QByteArray& line : lines) {
        take(line);
        if (!self || m_life.get() != life)
            return; // by what was answered
    }
    if (m_life->lines.isTooLong())
        over(Error{Kind::platform,
            u"The program %1 sent a line of more than %2 MiB, and was ended."_m.arg(programName())
                .arg(longestLine / (1024 * 1024)),
            {}});
}

void ProgramCalls::readErrors()
{
    if (!m_life)
        return;
    m_life->errorRest += m_life->process->readAllStandardError();
    qsizetype end = 0;
    while ((end = m_life->errorRest.indexOf('\n')) >= 0 || m_life->errorRest.size() > longestErrorLine) {
        const qsizetype size = end < 0 ? longestErrorLine : std::min(end, longestErrorLine);
        const QString line = printable(QString::fromUtf8(m_life->errorRest.left(size)), longestErrorLine);
        m_life->errorRest.remove(0, end < 0 ? size : end + 1);
        if (line.trimmed().isEmpty())
            continue;
        m_life->lastError = line;
        if (++m_life->errorLines <= mostErrorLines)
            qCInfo(lcPlatform).noquote() << programName() + u':' << line;
        if (m_life->errorLines == mostErrorLines)
            qCWarning(lcPlatform).noquote()
                << programName() + u':' << "what else it writes to standard error is not kept";
    }
}

void ProgramCalls::noteStrange(const char* what, const QString& detail)
{
    if (++m_life->strangeLines <= mostStrangeLines)
        qCWarning(lcPlatform).noquote() << programName() << what << detail;
}

void ProgramCalls::take(const QByteArray& line)
{
    const std::optional<Json> message = messageOf(line);
    if (!message)
        return noteStrange("sent a line that is no message:", printable(QString::fromUtf8(line.left(200)), 200));
    if (!m_life->isGreeted)
        return takeGreeting(*message);
    if (const Json* event = memberOf(*message, "event")) {
        if (*event == "changed")
            emit changed();
        else
            noteStrange("sent an event that is not known");
        return;
    }
    takeAnswer(*message);
}

void ProgramCalls::takeGreeting(const Json& message)
{
    const std::optional<qint64> protocol = wholeOf(message, "protocol");
    if (!protocol)
        return noteStrange("sent a message before its protocol");
    if (*protocol != protocolVersion)
        return over(Error{Kind::invalid,
            u"The program %1 speaks version %2 of the protocol, and this service speaks %3."_m.arg(programName())
                .arg(*protocol)
                .arg(protocolVersion),
            {}});
    m_life->isGreeted = true;
    m_life->greetingTimer.reset();
    if (auto greeting = std::exchange(m_life->greeting, {}))
        greeting->set({});
}

void ProgramCalls::takeAnswer(const Json& message)
{
    const std::optional<qint64> id = wholeOf(message, "id");
    const auto found = id ? m_life->pending.find(*id) : m_life->pending.end();
    if (found == m_life->pending.end()) {
        if (!m_ending)
            noteStrange("answered a call that waits for no answer");
        return;
    }
    Pending pending = std::move(found->second);
    m_life->pending.erase(found);
    pending.timer.reset();
    if (const std::optional<Error> error = errorIn(message))
        pending.answer.set(tl::unexpected(*error));
    else
        pending.answer.set(message);
}

void ProgramCalls::over(const Error& why)
{
    if (!m_life)
        return;
    const std::unique_ptr<Life> life = std::move(m_life);
    life->process->disconnect(this);
    life->greetingTimer.reset();
    if (life->process->state() != QProcess::NotRunning) {
        // Its jobs may be of its group: it alone is ended. ~QProcess would wait for one that hangs in the kernel.
        QProcess* const left = life->process.release();
        left->kill();
        QObject::connect(left, &QProcess::finished, left, &QObject::deleteLater);
    } else {
        life->process.release()->deleteLater(); // this may be called by one of its signals
    }
    if (!m_ending)
        qCWarning(lcPlatform).noquote() << why.message.text();
    // Who hears of it may destroy this.
    auto ending = std::exchange(m_ending, {});
    if (life->greeting)
        life->greeting->set(tl::unexpected(why));
    for (auto& [id, pending] : life->pending) {
        pending.timer.reset();
        pending.answer.set(tl::unexpected(withUnknownOutcome(why)));
    }
    if (ending)
        ending->set(true);
}

} // namespace platforms::external
