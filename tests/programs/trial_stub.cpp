// SPDX-License-Identifier: GPL-3.0-or-later
// A trial whose behaviour a test chooses: words are carried out in order.
//   mark FILE      append the trial's id and a line break to FILE (counts real starts)
//   metrics N      append N lines {"metric": i} to TRIALDECK_METRICS_FILE, i going on over calls
//   print N        print N lines "line i" to stdout
//   bytes N        print N bytes to stdout, in lines of 100
//   wait FILE      wait until FILE exists
//   ignore-term    ignore SIGTERM from here on
//   fork           leave a grandchild in a session of its own that ignores SIGTERM and lives for ever
//   exit CODE
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

static void append(const char* path, const std::string& text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text.data(), text.size()) != ssize_t(text.size())) {
        std::fprintf(stderr, "trial_stub: %s: %s\n", path, std::strerror(errno));
        std::exit(70);
    }
    close(fd);
}

int main(int argc, char** argv)
{
    long metric = 0;
    long line = 0;
    auto next = [&, at = 1]() mutable -> const char* { return at < argc ? argv[at++] : nullptr; };
    while (const char* word = next()) {
        const std::string verb = word;
        if (verb == "mark") {
            append(next(), std::string(std::getenv("NNI_TRIAL_JOB_ID")) + "\n");
        } else if (verb == "metrics") {
            std::string text;
            for (long n = std::atol(next()); n > 0; --n)
                text += "{\"metric\": " + std::to_string(metric++) + "}\n";
            append(std::getenv("TRIALDECK_METRICS_FILE"), text);
        } else if (verb == "print") {
            for (long n = std::atol(next()); n > 0; --n)
                std::printf("line %ld\n", line++);
            std::fflush(stdout);
        } else if (verb == "bytes") {
            const std::string text = std::string(99, 'x') + "\n";
            for (long n = std::atol(next()); n > 0; n -= long(text.size()))
                std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        } else if (verb == "wait") {
            const char* path = next();
            struct stat status;
            while (stat(path, &status) != 0)
                usleep(20'000);
        } else if (verb == "ignore-term") {
            std::signal(SIGTERM, SIG_IGN);
        } else if (verb == "fork") {
            if (fork() == 0) {
                setsid();
                std::signal(SIGTERM, SIG_IGN);
                for (;;)
                    pause();
            }
        } else if (verb == "exit") {
            return std::atoi(next());
        } else {
            std::fprintf(stderr, "trial_stub: unknown word %s\n", word);
            return 64;
        }
    }
    return 0;
}
