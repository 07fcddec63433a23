// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_store.h"
#include "tar.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace trialkeeper {

namespace {

/// Writes entries below a folder. No step follows a link, so an archive cannot lead us out through one that it
/// brought itself.
class Unpacker : public TarSink
{
public:
    explicit Unpacker(Fd root)
        : m_root(std::move(root))
    {
    }

    bool entry(const TarEntry& entry) override
    {
        const std::size_t slash = entry.path.rfind('/');
        const std::string name = slash == std::string::npos ? entry.path : entry.path.substr(slash + 1);
        const Fd parent = folderOf(slash == std::string::npos ? std::string() : entry.path.substr(0, slash));
        if (!parent)
            return remember(entry.path);
        if (entry.type == TarEntry::Type::Folder)
            return ::mkdirat(parent.get(), name.c_str(), 0700) == 0 || errno == EEXIST || remember(entry.path);
        (void)::unlinkat(parent.get(), name.c_str(), 0); // a later entry of a name replaces the earlier one
        if (entry.type == TarEntry::Type::SymbolicLink)
            return ::symlinkat(entry.target.c_str(), parent.get(), name.c_str()) == 0 || remember(entry.path);
        if (entry.type == TarEntry::Type::HardLink) {
            const std::size_t targetSlash = entry.target.rfind('/');
            const Fd from =
                folderOf(targetSlash == std::string::npos ? std::string() : entry.target.substr(0, targetSlash));
            const std::string targetName =
                targetSlash == std::string::npos ? entry.target : entry.target.substr(targetSlash + 1);
            return (from && ::linkat(from.get(), targetName.c_str(), parent.get(), name.c_str(), 0) == 0)
                || remember(entry.path);
        }
        m_mode = entry.executable ? 0500 : 0400;
        m_file = Fd(::openat(parent.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        return m_file || remember(entry.path);
    }

    bool content(std::string_view bytes) override { return writeAll(m_file.get(), bytes) || remember("a file"); }

    bool entryEnd() override
    {
        if (m_file)
            ::fchmod(m_file.get(), m_mode);
        m_file.reset();
        return true;
    }

    std::string trouble;

private:
    bool remember(const std::string& what)
    {
        trouble = what + ": " + errorText(errno);
        return false;
    }

    /// The folder of that path, made where it is missing.
    Fd folderOf(const std::string& path)
    {
        Fd at(::fcntl(m_root.get(), F_DUPFD_CLOEXEC, 0));
        for (std::size_t begin = 0; at && begin < path.size();) {
            const std::size_t end = std::min(path.find('/', begin), path.size());
            const std::string part = path.substr(begin, end - begin);
            begin = end + 1;
            if (part.empty() || part == ".")
                continue;
            if (::mkdirat(at.get(), part.c_str(), 0700) != 0 && errno != EEXIST)
                return {};
            at = openFolder(at.get(), part.c_str());
        }
        return at;
    }

    Fd m_root;
    Fd m_file;
    mode_t m_mode = 0400;
};

} // namespace

int unpackArchive(const char* archive, const char* folder)
{
    const Fd input(::open(archive, O_RDONLY | O_CLOEXEC));
    if (!input || ::mkdir(folder, 0700) != 0) {
        std::printf("The code could not be unpacked: %s.\n", errorText(errno).c_str());
        return 1;
    }
    int ends[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return 1;
    Fd read(ends[0]);
    Fd write(ends[1]);
    posix_spawn_file_actions_adddup2(&actions, input.get(), 0);
    posix_spawn_file_actions_adddup2(&actions, write.get(), 1);
    char name[] = "gzip";
    char option[] = "-dc";
    char* const arguments[] = {name, option, nullptr};
    pid_t pid = 0;
    const int error = ::posix_spawnp(&pid, name, &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        std::printf("The code could not be unpacked: gzip cannot be started (%s). Install it on that machine.\n",
            errorText(error).c_str());
        return 1;
    }
    write.reset();
    Unpacker unpacker(openFolder(AT_FDCWD, folder));
    TarReader reader(unpacker);
    static char buffer[65536];
    bool good = true;
    for (;;) {
        const ssize_t got = ::read(read.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        good = good && reader.feed({buffer, std::size_t(got)}); // on a fault: read on, so that gzip ends by itself
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (good && status != 0) {
        std::printf("The archive is not a whole gzip file.\n");
        return 1;
    }
    if (!good || !reader.finish()) {
        std::printf("%s%s%s\n", reader.error().c_str(), unpacker.trouble.empty() ? "" : " ", unpacker.trouble.c_str());
        return 1;
    }
    return 0;
}

} // namespace trialkeeper
