// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io.h"
#include "tar.h"

namespace trialkeeper {

/// Writes what a TarReader reads below a folder. No step follows a link, so an archive cannot lead outside through one that it brought
/// itself.
class TarFolder : public TarSink
{
public:
    enum class Modes {
        readOnly /*files 0400 or 0500: each user of the code copies it*/,
        writable /*0600 or 0700*/
    };
    TarFolder(Fd root, Modes modes);

    bool entry(const TarEntry& entry) override;
    bool content(std::string_view bytes) override;
    bool entryEnd() override;

    /// Which entry could not be written, and why; empty: all were.
    [[nodiscard]] const std::string& trouble() const { return m_trouble; }

private:
    bool remember(const std::string& what);
    /// The folder of that path, made where it is missing.
    Fd folderOf(const std::string& path);

    Fd m_root;
    Fd m_file;
    Modes m_modes;
    unsigned m_mode = 0400; ///< of the file that is being written
    std::string m_trouble;
};

} // namespace trialkeeper
