// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// One member of an archive, as its header describes it.
struct TarEntry
{
    enum class Type { File, Folder, SymbolicLink, HardLink };
    Type type = Type::File;
    std::string path;   ///< safe (names.h), without "./" and a slash at the end
    std::string target; ///< of a link; one that leads outside is never delivered
    std::uint64_t size = 0;
    bool executable = false;
};

/// Callbacks of a TarReader. False stops it with the sink's own error.
class TarSink
{
public:
    virtual ~TarSink() = default;
    [[nodiscard]] virtual bool entry(const TarEntry& entry) = 0;
    [[nodiscard]] virtual bool content(std::string_view bytes) = 0; ///< of the last File, in order
    [[nodiscard]] virtual bool entryEnd() = 0;
};

/// Reads an uncompressed tar stream (ustar, pax path/linkpath/size, GNU long names) fed in pieces of any size. Pure:
/// writes nothing itself, follows nothing. Refuses what could leave the target folder, devices and the like, sparse
/// files and bad checksums.
class TarReader
{
public:
    explicit TarReader(TarSink& sink)
        : m_sink(sink)
    {
    }
    /// False on an error; then error() is a sentence.
    [[nodiscard]] bool feed(std::string_view bytes);
    /// The archive says that it is over.
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    /// After the last byte: whether the archive was whole.
    [[nodiscard]] bool finish();
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    bool fail(std::string text);
    bool header();
    bool deliver(TarEntry& entry);
    bool bodyDone();
    bool parsePax();

    TarSink& m_sink;
    std::string m_block; ///< a header being collected
    std::string m_meta;  ///< body of a pax or GNU entry
    std::string m_longPath;
    std::string m_longTarget;
    std::string m_paxSize;
    std::string m_error;
    std::uint64_t m_left = 0; ///< bytes of the current body
    unsigned m_padding = 0;
    char m_metaKind = 0; ///< 'x', 'g', 'L', 'K' while m_meta is collected
    bool m_inFile = false;
    bool m_ended = false;
};

} // namespace trialkeeper
