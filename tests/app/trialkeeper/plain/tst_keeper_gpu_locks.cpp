// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "app/trialkeeper/base/gpu_locks.h"

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace trialkeeper;

namespace {

constexpr uid_t other = 1; // daemon, everywhere
std::string top;
std::string locks;

/// The sentence of a refusal; empty where all were taken.
std::string taken(const char* service, std::vector<std::string_view> uuids, GpuLocks* keep = nullptr)
{
    GpuLocks here;
    std::string message;
    const bool good = (keep ? *keep : here).take(uuids, "3,5", service, message, locks.c_str());
    CHECK(good == message.empty());
    return message;
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::string contents(const std::string& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs `body` as user `uid` and tells what it says.
template <typename Body>
std::string asUser(uid_t uid, Body body)
{
    int ends[2];
    CHECK(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        if (::setgid(gid_t(uid)) != 0 || ::setuid(uid) != 0)
            ::_exit(1);
        const std::string said = body();
        const ssize_t written = ::write(ends[1], said.data(), said.size());
        ::_exit(written == ssize_t(said.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string said;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, std::size_t(got));
    ::close(ends[0]);
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child && status == 0);
    return said;
}

void fresh(const char* commands)
{
    locks = top + "/locks";
    CHECK(
        std::system(("cd '" + top + "' && rm -rf locks victim && echo precious >victim && " + commands).c_str()) == 0);
}

void services()
{
    fresh(":");
    struct stat info
    {
    };
    GpuLocks first;
    GpuLocks second;
    CHECK(taken("a", {"GPU-0", "GPU-1"}, &first).empty());
    CHECK(::stat(locks.c_str(), &info) == 0 && (info.st_mode & 07777) == 01777);
    CHECK(::stat((locks + "/GPU-0").c_str(), &info) == 0 && (info.st_mode & 07777) == 0666);
    CHECK(taken("a", {"GPU-0"}, &second).empty()); // of one service: shared
    const std::string message = taken("b", {"GPU-2", "GPU-1"});
    CHECK(has(message, "GPU 5 (GPU-1) is locked by root (user 0)") == (::getuid() == 0));
    CHECK(has(message, "another Trialdeck service") && has(message, "TRIALDECK_GPU_LOCKS=off"));
    CHECK(taken("b", {"GPU-2"}).empty());
    first = {};
    CHECK(taken("b", {"GPU-1"}).empty());
    CHECK(!taken("b", {"GPU-0"}).empty());
    ::setenv("TRIALDECK_GPU_LOCKS", "off", 1);
    CHECK(taken("b", {"GPU-0"}).empty());
    ::unsetenv("TRIALDECK_GPU_LOCKS");
}

void strangeFiles()
{
    struct
    {
        const char *commands, *says;
    } const cases[] = {
        {"mkdir locks/GPU-0", "is a folder"},
        {"mkfifo locks/GPU-0", "is a pipe"},
        {"ln -s ../victim locks/GPU-0", "is a symbolic link"},
        {"ln -s missing locks/GPU-0", "is a symbolic link"},
        {"ln victim locks/GPU-0", "has a second name (hard link)"},
    };
    for (const auto& each : cases) {
        fresh((std::string("mkdir -m 1777 locks && ") + each.commands).c_str());
        const std::string message = taken("a", {"GPU-0"});
        CHECK(has(message, each.says));
        CHECK(has(message, "GPU 3 (GPU-0)") && has(message, locks + "/GPU-0") && has(message, "(user "));
        CHECK(contents(top + "/victim") == "precious\n");
        CHECK(taken("a", {"GPU-1"}).empty()); // that GPU only
    }
}

void strangeFolder()
{
    struct
    {
        const char *commands, *says;
    } const cases[] = {
        {"mkdir away && ln -s away locks", "is a symbolic link"},
        {"echo >locks", "is a file"},
        {"mkfifo locks", "is a pipe"},
        {"mkdir locks && chmod 777 locks", "is not sticky (drwxrwxrwx)"},
    };
    for (const auto& each : cases) {
        fresh(each.commands);
        const std::string message = taken("a", {"GPU-0"});
        CHECK(message.starts_with(locks + ' ') && has(message, each.says) && has(message, "TRIALDECK_GPU_LOCKS=off"));
        ::setenv("TRIALDECK_GPU_LOCKS", "off", 1);
        CHECK(taken("a", {"GPU-0"}).empty());
        ::unsetenv("TRIALDECK_GPU_LOCKS");
    }
    CHECK(std::system(("rmdir '" + top + "/away'").c_str()) == 0); // nothing was made there
    fresh(":");
    CHECK(taken("a", {}).empty());
    CHECK(::access(locks.c_str(), F_OK) != 0); // without GPUs nothing is looked at
}

void filesOfOthers()
{
    if (::getuid() != 0)
        return; // a second user needs root
    CHECK(::chmod(top.c_str(), 0755) == 0);
    fresh("mkdir locks && chmod 1777 locks && echo other >locks/GPU-0 && echo mine >locks/GPU-1 && echo x >locks/GPU-2 "
          "&& chown 1 "
          "locks locks/* && chmod 644 locks/GPU-[02] && chmod 600 locks/GPU-1");
    const std::string free = asUser(65534, [] {
        std::string said = taken("a", {"GPU-0", "GPU-2"}); // nobody holds them
        GpuLocks held;
        said += taken("a", {"GPU-0"}, &held);
        return said + (has(taken("b", {"GPU-0"}), "is locked by ") ? "" : "held by one, taken by another");
    });
    CHECK(free.empty());
    CHECK(contents(locks + "/GPU-0") == "other\n");
    const std::string shut = asUser(65534, [] { return taken("a", {"GPU-1"}); });
    CHECK(has(shut, "GPU 3 (GPU-1) counts as locked by ") && has(shut, "(user 1)") && has(shut, locks + "/GPU-1"));

    // Held by a process of a user who does not own the file.
    CHECK(::chown((locks + "/GPU-0").c_str(), 0, 0) == 0);
    int ready[2];
    int done[2];
    CHECK(::pipe(ready) == 0 && ::pipe(done) == 0);
    const pid_t holder = ::fork();
    if (holder == 0) {
        ::close(done[1]);
        const int file = ::open((locks + "/GPU-0").c_str(), O_RDONLY);
        if (::setuid(other) != 0 || ::flock(file, LOCK_EX) != 0 || ::write(ready[1], "x", 1) != 1)
            ::_exit(1);
        char byte = 0;
        ::_exit(::read(done[0], &byte, 1) == 0 ? 0 : 1);
    }
    char byte = 0;
    CHECK(::read(ready[0], &byte, 1) == 1);
    const std::string held = taken("a", {"GPU-2", "GPU-0"});
    CHECK(has(held, "GPU 5 (GPU-0) is locked by ") && has(held, "(user 1)"));
    CHECK(taken("a", {"GPU-2"}).empty());
    ::close(done[0]);
    ::close(done[1]);
    CHECK(::waitpid(holder, nullptr, 0) == holder);
    CHECK(taken("a", {"GPU-0"}).empty());
    ::close(ready[0]);
    ::close(ready[1]);
}

void removal()
{
    fresh(":");
    GpuLocks mine;
    CHECK(taken("a", {"GPU-0"}, &mine).empty());
    CHECK(taken("a", {"GPU-1"}).empty());
    CHECK(taken("b", {"GPU-2"}).empty());
    CHECK(std::system(("ln -s ../victim '" + locks + "/GPU-3'").c_str()) == 0);
    removeUnusedGpuLocks("a", locks.c_str());
    CHECK(::access((locks + "/GPU-0").c_str(), F_OK) == 0); // held
    CHECK(::access((locks + "/GPU-1").c_str(), F_OK) != 0);
    CHECK(::access((locks + "/GPU-2").c_str(), F_OK) == 0); // of another service
    CHECK(contents(top + "/victim") == "precious\n");
    CHECK(std::system(("rm '" + locks + "/GPU-3'").c_str()) == 0);
    mine = {};
    removeUnusedGpuLocks("a", locks.c_str());
    removeUnusedGpuLocks("b", locks.c_str());
    CHECK(::access(locks.c_str(), F_OK) != 0);
    removeUnusedGpuLocks("a", locks.c_str());
}

/// One GPU, services that take it in turn, and removals all the time: at no time do two of them hold it.
void removalWhileOthersTake()
{
    fresh(":");
    std::atomic<int> holders{0};
    std::atomic<int> takes{0};
    std::atomic<bool> shared{false};
    const auto take = [&](const char* service) {
        while (takes < 4000) {
            GpuLocks held;
            std::string message;
            if (!held.take({"GPU-0"}, "0", service, message, locks.c_str()))
                continue;
            shared = shared || ++holders > 1;
            ++takes;
            std::this_thread::yield();
            --holders;
        }
    };
    std::thread first(take, "a");
    std::thread second(take, "b");
    while (takes < 4000) {
        removeUnusedGpuLocks("a", locks.c_str());
        removeUnusedGpuLocks("b", locks.c_str());
    }
    first.join();
    second.join();
    CHECK(!shared);
}

} // namespace

int main()
{
    ::umask(077); // as of many who start an agent
    ::alarm(60);  // a pipe that is opened hangs
    top = "/tmp/tst_keeper_gpu_locks-XXXXXX";
    CHECK(::mkdtemp(top.data()));
    services();
    strangeFiles();
    strangeFolder();
    filesOfOthers();
    removal();
    removalWhileOthersTake();
    CHECK(std::system(("rm -rf '" + top + "'").c_str()) == 0);
    return checkResult();
}
