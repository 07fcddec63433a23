// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "app/trialkeeper/base/io.h"
#include "app/trialkeeper/base/own_folders.h"
#include "app/trialkeeper/base/users.h"
#include "services/wire/strict.h"

#include <cstdlib>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace trialkeeper;

namespace {

mode_t modeOf(const std::string& path)
{
    struct stat info
    {
    };
    return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

void decides()
{
    struct
    {
        mode_t mode;
        uid_t owner;
        bool own, above;
    } const cases[] = {
        {S_IFDIR | 0700, 1000, true, true},
        {S_IFDIR | 0755, 1000, true, true},
        {S_IFDIR | 0755, 0, true, true},
        {S_IFDIR | 0755, 1001, false, false},
        {S_IFDIR | 0775, 1000, false, true},
        {S_IFDIR | 0757, 1000, false, false},
        {S_IFDIR | 01777, 0, false, true},
        {S_IFDIR | 01777, 1001, false, false},
        {S_IFDIR | 02755, 1000, true, true},
        {S_IFLNK | 0777, 1000, false, false},
        {S_IFREG | 0600, 1000, false, false},
    };
    for (const auto& each : cases) {
        struct stat info
        {
        };
        info.st_mode = each.mode;
        info.st_uid = each.owner;
        CHECK(isOursAlone(info, 1000, FolderPlace::own) == each.own);
        CHECK(isOursAlone(info, 1000, FolderPlace::above) == each.above);
    }
    CHECK(modeText(S_IFDIR | 01777) == "drwxrwxrwt");
    CHECK(modeText(S_IFDIR | 0750) == "drwxr-x---");
    CHECK(modeText(S_IFDIR | 01776) == "drwxrwxrwT");
    CHECK(modeText(S_IFLNK | 0777) == "lrwxrwxrwx");
    CHECK(modeText(S_IFREG | 0641) == "-rw-r----x");
    CHECK(userText(0) == "root (user 0)");
    CHECK(userText("7", "7") == "user 7" && userText("7", "") == "user 7");
}

/// makeOwnFolder for top/up/base/svc/m1 after `commands` in top; the sentence, or nothing where it worked.
std::string afterCommands(const std::string& top, const char* commands)
{
    if (std::system(("cd '" + top + "' && rm -rf * && " + commands).c_str()) != 0)
        return "the commands failed";
    Failure failure;
    const std::string base = top + "/up/base";
    const bool made = makeOwnFolder(base, base + "/svc/m1", failure);
    CHECK(made == failure.message.empty());
    CHECK(made == (modeOf(base + "/svc/m1") == 0700));
    return failure.message;
}

void looks(const std::string& top)
{
    for (const char* good : {"true", "mkdir -p up/base", "mkdir -m 755 -p up/base/svc/m1 && chmod 700 up/base/svc/m1",
             "mkdir -m 1777 up", "mkdir -m 775 up", "mkdir other && ln -s other up"}) {
        CHECK(afterCommands(top, good).empty());
        CHECK(modeOf(top + "/up/base/svc") != 0);
    }
    // What is ours below BASE is mended, and nothing else.
    CHECK(afterCommands(top, "mkdir -p up/base/svc/m1 && chmod 777 up/base/svc up/base/svc/m1").empty());
    CHECK(modeOf(top + "/up/base/svc") == 0700);

    const std::string up = top + "/up";
    struct
    {
        const char* commands;
        std::string path, says;
    } const refused[] = {
        {"mkdir -m 777 up", up, " can be changed by other users (drwxrwxrwx), "},
        {"mkdir -p up/base && chmod 777 up", up, " can be changed by other users (drwxrwxrwx), "},
        {"mkdir -p up/base && chmod 775 up/base", up + "/base", " can be changed by other users (drwxrwxr-x), "},
        {"mkdir -p up/base && chmod 1777 up/base", up + "/base", " can be changed by other users (drwxrwxrwt), "},
        {"mkdir -p up other && ln -s ../other up/base", up + "/base", " is a symbolic link; "},
        {"mkdir -p up/base other && ln -s ../../other up/base/svc", up + "/base/svc", " is a symbolic link; "},
        {"mkdir -p up/base/svc other && ln -s ../../../other up/base/svc/m1", up + "/base/svc/m1",
            " is a symbolic link; "},
        {"mkdir -p up/base && mkfifo -m 600 up/base/svc", up + "/base/svc", " is in the way of the agent: "},
        {"mkdir -p up/base && chown 65534 up", up, " belongs to nobody (user 65534), "},
        {"mkdir -p up/base && chown 65534 up/base", up + "/base", " belongs to nobody (user 65534), "},
        {"mkdir -p up/base/svc && chown 54321 up/base/svc", up + "/base/svc", " belongs to user 54321, "},
    };
    for (const auto& each : refused) {
        if (::geteuid() != 0 && std::string(each.commands).find("chown") != std::string::npos)
            continue; // a second user needs root
        const std::string message = afterCommands(top, each.commands);
        CHECK(message.starts_with(each.path + each.says));
        CHECK(message.find("scratchDir") != std::string::npos);
    }
    // What is above BASE keeps its mode, and nothing was made there.
    CHECK(!afterCommands(top, "mkdir -m 777 up").empty());
    CHECK(modeOf(up) == 0777 && modeOf(up + "/base") == 0);
    CHECK(!afterCommands(top, "mkdir -p up/base && chmod 770 up/base").empty());
    CHECK(modeOf(up + "/base") == 0770 && modeOf(up + "/base/svc") == 0);
    CHECK(afterCommands(top, "echo >up").starts_with(up + " is in the way of the agent: "));
}

/// ext4 alone heeds the flag; elsewhere nothing happens, but then nothing breaks either.
void spreads(const std::string& top)
{
    const std::string folder = top + "/trials";
    spreadFoldersIn(folder);
    CHECK(!std::system(("mkdir '" + folder + "'").c_str()));
    for (int time = 0; time < 2; ++time)
        spreadFoldersIn(folder);
    struct statfs system
    {
    };
    const Fd opened = openFolder(AT_FDCWD, folder.c_str());
    CHECK(opened && ::fstatfs(opened.get(), &system) == 0);
    long flags = 0;
    CHECK(system.f_type != EXT4_SUPER_MAGIC
        || (::ioctl(opened.get(), FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_TOPDIR_FL) != 0));
}

} // namespace

int main()
{
    ::umask(022);
    decides();
    std::string top = "/tmp/tst_keeper_own_folders-XXXXXX";
    CHECK(::mkdtemp(top.data()));
    looks(top);
    spreads(top);
    CHECK(std::system(("rm -rf '" + top + "'").c_str()) == 0);
    return checkResult();
}
