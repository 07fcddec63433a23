// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a data directory's lock, prints a line, and holds it until its stdin ends. `lock_holder LOCK ENDPOINT [URL [TOKENFILE]]`: with a URL it
// publishes an endpoint, too, and ends on SIGTERM as a service does. With LOCK_HOLDER_FORKS=MS in its environment it has a child then that
// shares its descriptors for so long, as one does between fork and exec.
#include "app/base/data_dir_lock.h"
#include "app/base/paths.h"

#include <QFile>

#include <cstdio>
#include <unistd.h>

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    app::DataDirLock lock;
    const auto taken = lock.take(QFile::decodeName(argv[1]), QFile::decodeName(argv[2]));
    if (!taken) {
        std::printf("refused: %s\n", qPrintable(taken.error().message));
        std::fflush(stdout);
        return 1;
    }
    if (argc > 3) {
        app::Endpoint endpoint;
        endpoint.url = QString::fromUtf8(argv[3]);
        endpoint.tokenFile = argc > 4 ? QFile::decodeName(argv[4]) : QString();
        endpoint.pid = ::getpid();
        if (!app::writeEndpoint(QFile::decodeName(argv[2]), endpoint))
            return 1;
    }
    if (const int ms = qEnvironmentVariableIntValue("LOCK_HOLDER_FORKS"); ms > 0 && ::fork() == 0) {
        ::usleep(useconds_t(ms) * 1'000);
        ::_exit(0);
    }
    std::printf("held\n");
    std::fflush(stdout);
    char byte = 0;
    while (::read(STDIN_FILENO, &byte, 1) > 0) { }
    return 0;
}
