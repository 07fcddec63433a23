// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/external/message_lines.h"

#include "services/core/clock.h"
#include "services/core/one_shot.h"
#include "services/core/task.h"

#include <QObject>
#include <QProcess>

#include <map>
#include <memory>

namespace platforms::external {

/// A program that runs trials, and the calls that it has not answered yet (resources/api/external-platform.md). It is started as often as its
/// owner says. What it writes to standard error goes to the log. Lives on the service thread. Before it is destroyed, close() must have returned.
class ProgramCalls : public QObject
{
    Q_OBJECT
public:
    struct Plan
    {
        QStringList command;    ///< words; the first is a path, or found in PATH
        Clock* clock = nullptr; ///< not owned
    };

    explicit ProgramCalls(Plan plan);
    ~ProgramCalls() override;

    /// Starts the program, which does not run, and waits for its first line. Kind::invalid: there is no such program, or it speaks another
    /// protocol; Kind::platform: it ended; Kind::timeout: it says nothing.
    [[nodiscard]] Task<Result<>> start();
    [[nodiscard]] bool isRunning() const { return m_life != nullptr && m_life->isGreeted; }
    /// `members` go beside `id` and `call`. The answer, or its error. Where the program ends before it answers, or is silent and is ended,
    /// isOutcomeUnknown() holds. Kind::platform: it does not run.
    [[nodiscard]] Task<Result<Json>> call(QString name, Json members, qint64 timeoutMs);
    /// Says so to the program, and waits until it has ended; one that does not end is killed.
    [[nodiscard]] Task<> close();

signals:
    void changed();

private:
    struct Pending
    {
        OneShot<Result<Json>> answer;
        std::unique_ptr<TimerHandle> timer;
    };
    /// From a start to the end of the process.
    struct Life
    {
        std::unique_ptr<QProcess> process = std::make_unique<QProcess>();
        MessageLines lines;
        QByteArray errorRest; ///< of a line of standard error
        QString lastError;    ///< its last line
        int errorLines = 0;
        int strangeLines = 0;
        bool isGreeted = false;
        std::optional<OneShot<Result<>>> greeting;
        std::unique_ptr<TimerHandle> greetingTimer;
        std::map<qint64, Pending> pending;
    };

    void readMessages();
    void readErrors();
    void take(const QByteArray& line);
    void takeGreeting(const Json& message);
    void takeAnswer(const Json& message);
    void noteStrange(const char* what, const QString& detail = {});
    /// The process is gone, or is to go: every call fails.
    void over(const Error& why);
    [[nodiscard]] QString programName() const;

    const Plan m_plan;
    std::unique_ptr<Life> m_life;
    qint64 m_lastId = 0;
    std::optional<OneShot<bool>> m_ending; ///< close() waits
};

} // namespace platforms::external
