// SPDX-License-Identifier: GPL-3.0-or-later
#include "child_session.h"

#include "services/transport/child_process.h"

#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace platforms {

QProcessEnvironment childSessionEnvironment()
{
    QProcessEnvironment environment;
    for (const QByteArray& variable : transport::childEnvironment()) {
        const qsizetype equals = variable.indexOf('=');
        if (equals > 0)
            environment.insert(
                QString::fromLocal8Bit(variable.left(equals)), QString::fromLocal8Bit(variable.mid(equals + 1)));
    }
    environment.insert(u"LC_ALL"_s, u"C"_s);
    return environment;
}

void beginChildSession()
{
    ::setsid();
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
#ifdef SYS_close_range
    // On exec, as QProcess reports a failed one through a descriptor of its own. Before Linux 5.11 nothing happens.
    (void)syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
#endif
}

} // namespace platforms
