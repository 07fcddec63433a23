// SPDX-License-Identifier: GPL-3.0-or-later
#include "tar_folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trialkeeper {

TarFolder::TarFolder(Fd root, Modes modes)
    : m_root(std::move(root))
    , m_modes(modes)
{
}

bool TarFolder::entry(const TarEntry& entry)
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
    m_mode = (entry.executable ? 0500U : 0400U) | (m_modes == Modes::writable ? 0200U : 0U);
    m_file = Fd(::openat(parent.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    return m_file || remember(entry.path);
}

bool TarFolder::content(std::string_view bytes)
{
    return writeAll(m_file.get(), bytes) || remember("a file");
}

bool TarFolder::entryEnd()
{
    if (m_file)
        ::fchmod(m_file.get(), m_mode);
    m_file.reset();
    return true;
}

bool TarFolder::remember(const std::string& what)
{
    m_trouble = what + ": " + errorText(errno);
    return false;
}

Fd TarFolder::folderOf(const std::string& path)
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

} // namespace trialkeeper
