// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder.h"

#include "app/trialkeeper/trial/end_state.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr off_t podReserve =
    4096; ///< bytes set aside of journal, exit file and stderr, so that the end can be written on a full disk

// For the lock of a run that ends: 30 s, as clusters kill what takes longer.
constexpr int waitMs = 50;
constexpr int mostWaits = 600;

bool refusePod(const char* what, std::string& message)
{
    message = std::string(what) + ' ' + errorText(errno) + '.';
    return false;
}

std::string absolutePath(const std::string& path)
{
    char current[PATH_MAX];
    if (path.starts_with('/') || !::getcwd(current, sizeof current))
        return path;
    return path.empty() ? current : std::string(current) + '/' + path;
}

/// By its real path; a link to a folder counts, because volumes may be mounted through one.
Fd openAnyFolder(const std::string& path)
{
    return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

Fd createIn(int folder, const char* name)
{
    return Fd(::openat(folder, name, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
}

/// What another run left, but its output.
bool removeEarlierRun(int folder)
{
    for (const char* name : {".nni", "metrics.jsonl", "journal", "exit", exitReserve, "stdout", "stderr", "cancel"}) {
        if (!removeTree(folder, name) && errno != ENOENT)
            return false;
    }
    return true;
}

bool makeSharedFiles(PodFolder& made, std::string& message)
{
    const int at = made.folder.get();
    made.journal = createIn(at, "journal");
    made.standardOutput = createIn(at, "stdout");
    made.standardError = createIn(at, "stderr");
    const Fd exit = createIn(at, exitReserve);
    if (!made.journal || !made.standardOutput || !made.standardError || !exit)
        return refusePod("The trial's folder cannot be written.", message);
    for (const int file : {made.journal.get(), exit.get(), made.standardError.get()}) {
        if (::fallocate(file, 1 /* FALLOC_FL_KEEP_SIZE */, 0, podReserve) != 0 && errno == ENOSPC)
            return refusePod("The trial's folder cannot be written.", message);
    }
    return true;
}

/// The lock, and the token of which one run alone is the maker. False: `message`.
bool claim(const PodOptions& options, PodFolder& made, std::string& message)
{
    KeeperLock::Result taken = made.lock.take(made.folder.get());
    // A cluster starts a job again while the keeper of the run before may still write its end. A signal stays pending meanwhile.
    for (int waits = 0; taken == KeeperLock::Result::Busy && options.again && waits < mostWaits; ++waits) {
        ::poll(nullptr, 0, waitMs);
        taken = made.lock.take(made.folder.get());
    }
    if (taken == KeeperLock::Result::Failed)
        return refusePod("The trial's folder cannot be written.", message);
    if (taken == KeeperLock::Result::Busy) {
        message = "The trial of this folder is running already.";
        return false;
    }
    if (!options.again && existsAt(made.folder.get(), "token")) {
        message = "The trial of this folder was started before. With --again it is started once more.";
        return false;
    }
    return true;
}

/// From its import on, NNI's SDK redirects a trial's standard output to output/trial.log. Unless the folder is shared, that file is lost
/// with the container, so it is a link to the trial's standard output; on a file system without links (blobfuse) it is a file.
bool makeNniLog(const std::string& output)
{
    const std::string path = output + "/trial.log";
    return ::symlink("/proc/self/fd/1", path.c_str()) == 0 || errno == EEXIST || errno == EPERM || errno == ENOSYS
        || errno == EOPNOTSUPP;
}

} // namespace

bool preparePodFolder(const PodOptions& options, std::string_view parameters, std::string_view parameterCfg,
    PodFolder& folder, std::string& message)
{
    folder.path = absolutePath(options.folder);
    folder.outputPath = options.output.empty() ? folder.path + "/output" : absolutePath(options.output);
    folder.codePath = absolutePath(options.code);
    if (!makeFolder(AT_FDCWD, folder.path.c_str()))
        return refusePod("The trial's folder cannot be made.", message);
    folder.folder = openAnyFolder(folder.path);
    if (!folder.folder)
        return refusePod("The trial's folder cannot be entered.", message);
    folder.code = openAnyFolder(folder.codePath);
    if (!folder.code)
        return refusePod("The working directory cannot be entered.", message);
    if (options.shared && !claim(options, folder, message))
        return false;
    const int at = folder.folder.get();
    if (!removeEarlierRun(at) || !makeFolder(at, ".nni") || !createIn(at, "metrics.jsonl")
        || !replaceFileAt(at, "parameter.cfg", parameterCfg) || !replaceFileAt(at, "parameters.json", parameters))
        return refusePod("The trial's folder cannot be written.", message);
    if (!makeFolder(AT_FDCWD, folder.outputPath.c_str()))
        return refusePod("The output folder cannot be made.", message);
    if (!options.shared && !makeNniLog(folder.outputPath))
        return refusePod("The output folder cannot be written.", message);
    if (options.shared && !makeSharedFiles(folder, message))
        return false;
    const Fd token(options.shared ? ::openat(at, "token", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1);
    if (options.shared
        && (!token || (::fsync(token.get()) != 0 && errno != EINVAL) || (::fsync(at) != 0 && errno != EINVAL)))
        return refusePod("The trial's start cannot be recorded.", message);
    return true;
}

} // namespace trialkeeper
