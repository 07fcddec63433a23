// SPDX-License-Identifier: GPL-3.0-or-later
#include "paced_time.h"

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>
#include <QTimer>

#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace fakes {

/// Whether all other threads of this process are asleep: proc(5), the state in /proc/PID/task/TID/stat. One that was woken and waits for a
/// processor is not.
static bool doOthersSleep()
{
    const QString own = QString::number(::gettid());
    const QDir tasks(u"/proc/self/task"_s);
    for (const QString& task : tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(tasks.filePath(task + u"/stat"_s));
        if (task == own || !file.open(QIODevice::ReadOnly))
            continue; // it has ended
        const QByteArray stat = file.readAll();
        const qsizetype name = stat.lastIndexOf(')');
        if (name >= 0 && stat.mid(name + 2, 1) != "S")
            return false;
    }
    return true;
}

/// A program of this process runs, or has not been waited for: an answer of it is on its way. waitid(2), with __WALL because Qt's children
/// send no signal.
static bool hasChild()
{
    siginfo_t none{};
    return ::waitid(P_ALL, 0, &none, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

bool turn()
{
    QAbstractEventDispatcher* loop = QThread::currentThread()->eventDispatcher();
    bool isBusy = loop->processEvents(QEventLoop::AllEvents);
    if (!isBusy) {
        QTimer wake;
        wake.start(1);
        loop->processEvents(QEventLoop::WaitForMoreEvents);
        isBusy = !doOthersSleep() || hasChild();
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return isBusy;
}

bool spin(FakeClock& clock, const std::function<bool()>& until, qint64 stepMs)
{
    constexpr qint64 longestStepMs = 500;
    qint64 step = stepMs;
    QElapsedTimer real;
    real.start();
    while (!until()) {
        if (real.elapsed() > 300'000)
            return false;
        const bool isBusy = turn();
        clock.advance(isBusy ? 0 : step);
        step = isBusy ? stepMs : std::max(stepMs, std::min(2 * step, longestStepMs));
    }
    return true;
}

} // namespace fakes
