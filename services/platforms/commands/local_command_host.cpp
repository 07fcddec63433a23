// SPDX-License-Identifier: GPL-3.0-or-later
#include "local_command_host.h"

#include "child_session.h"
#include "running_command.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include <csignal>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr int exitNotFound = 127;
constexpr int exitNotExecutable = 126;

QProcessEnvironment commandEnvironment(const CommandLine& line, const QString& path)
{
    QProcessEnvironment environment = childSessionEnvironment();
    for (const QString& name : environment.keys())
        if (isCommandOption(name))
            environment.remove(name);
    if (!path.isEmpty()) {
        const QString own = environment.value(u"PATH"_s);
        environment.insert(u"PATH"_s, own.isEmpty() ? path : path + u':' + own);
    }
    for (const QString& name : line.unset)
        environment.remove(name);
    for (auto it = line.set.begin(); it != line.set.end(); ++it)
        environment.insert(it.key(), it.value());
    return environment;
}

class LocalCommand : public RunningCommand
{
public:
    LocalCommand(CommandLine line, Clock* clock, Scope* scope, const QString& path)
        : RunningCommand(std::move(line), clock, scope)
        , m_path(path)
    {
    }
    ~LocalCommand() override
    {
        m_process->disconnect(this);
        // ~QProcess would wait for one that hangs in the kernel.
        if (m_process->state() == QProcess::NotRunning)
            return;
        QProcess* const left = m_process.release();
        QObject::connect(left, &QProcess::finished, left, &QObject::deleteLater);
    }

protected:
    void start() override
    {
        const QProcessEnvironment environment = commandEnvironment(line(), m_path);
        QString program = line().words.front();
        if (!program.contains(u'/')) {
            const QStringList folders = environment.value(u"PATH"_s).split(u':', Qt::SkipEmptyParts);
            program = QStandardPaths::findExecutable(program, folders);
        }
        if (program.isEmpty() || !QFileInfo::exists(program)) {
            addErrors(line().words.front().toUtf8() + ": not found\n");
            ended(exitNotFound, 0);
            return;
        }
        connect(m_process.get(), &QProcess::readyReadStandardOutput, this,
            [this] { addOutput(m_process->readAllStandardOutput()); });
        connect(m_process.get(), &QProcess::readyReadStandardError, this,
            [this] { addErrors(m_process->readAllStandardError()); });
        connect(m_process.get(), &QProcess::bytesWritten, this, [this] { inputTaken(); });
        connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart)
                return; // an input that is not read is none
            addErrors(m_process->errorString().toUtf8() + '\n');
            ended(exitNotExecutable, 0);
        });
        // What the command leaves in the background may hold its output open: that is not waited for.
        connect(m_process.get(), &QProcess::finished, this, [this](int exitCode, QProcess::ExitStatus status) {
            addOutput(m_process->readAllStandardOutput());
            addErrors(m_process->readAllStandardError());
            if (isEnding())
                signalGroup(SIGKILL); // whatever else is in it
            const bool isSignal = status == QProcess::CrashExit;
            ended(isSignal ? -1 : exitCode, isSignal ? exitCode : 0);
        });
        m_process->setProcessEnvironment(environment);
        m_process->setWorkingDirectory(u"/"_s);
        m_process->setChildProcessModifier(&beginChildSession);
        m_process->start(program, line().words.mid(1));
        m_group = m_process->processId();
    }
    void writeInput(const QByteArray& bytes) override { m_process->write(bytes); }
    [[nodiscard]] qint64 unwrittenInput() const override { return m_process->bytesToWrite(); }
    void endInput() override { m_process->closeWriteChannel(); }
    void terminate(bool kill) override { signalGroup(kill ? SIGKILL : SIGTERM); }

private:
    void signalGroup(int number) const
    {
        if (m_group > 0)
            ::kill(pid_t(-m_group), number);
    }

    QString m_path;
    std::unique_ptr<QProcess> m_process = std::make_unique<QProcess>();
    qint64 m_group = 0;
};

} // namespace

LocalCommandHost::LocalCommandHost(Clock* clock, QString path, QObject* parent)
    : CommandHost(parent)
    , m_clock(clock)
    , m_path(std::move(path))
{
}

Message LocalCommandHost::name() const
{
    return u"this computer"_m;
}

Task<Result<CommandOutput>> LocalCommandHost::execute(CommandLine line, std::stop_token stop)
{
    const std::unique_ptr<RunningCommand, RunningCommand::Later> command(
        new LocalCommand(std::move(line), m_clock, &scope(), m_path));
    const std::stop_callback stopping(stop, [at = command.get()] { at->cancel(); });
    command->begin();
    co_return co_await command->done();
}

} // namespace platforms
