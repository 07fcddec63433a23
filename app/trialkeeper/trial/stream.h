// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/io.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// Where the bytes of a trial's streams go.
class StreamSink
{
public:
    virtual ~StreamSink() = default;
    /// Bytes of the stream from `offset`; `next` and `reset` as in protocol.h, records. `raw` lives as long as the call.
    virtual void records(
        const char* stream, std::uint64_t offset, std::uint64_t next, bool reset, std::string_view raw) = 0;
    /// A line over maxLine was passed over.
    virtual void lineSkipped() = 0;
};

/// One metric stream of a trial: a file that grows (and that a trial may cut), as pieces of up to 64 KiB. The reader of the service
/// (services/trial) makes metrics of them.
class Stream
{
public:
    enum class Filter { None, SdkLines };
    /// `wireName` and `fileName` (relative to the trial's folder) are string literals.
    Stream(const char* wireName, const char* fileName, Filter filter)
        : m_wireName(wireName)
        , m_fileName(fileName)
        , m_filter(filter)
    {
    }

    /// Stands at `cursor` of the stream, `base` of which lie before the file's first byte (cut off earlier).
    /// `restarted`: the machine was, so a file that is shorter was not cut by the trial but has lost its end: nothing of it is new.
    void begin(std::uint64_t cursor, std::uint64_t base, bool restarted);
    /// Reads and hands on up to 64 KiB. True if there is more. `base` changes when the file was cut; then baseChanged()
    /// is true once.
    [[nodiscard]] bool read(int trialFolder, StreamSink& sink);
    /// After the trial's end: a last line without an end.
    void finish(StreamSink& sink);

    [[nodiscard]] bool baseChanged() { return std::exchange(m_baseChanged, false); }
    [[nodiscard]] std::uint64_t base() const { return m_base; }
    [[nodiscard]] const char* wireName() const { return m_wireName; }
    [[nodiscard]] const char* fileName() const { return m_fileName; }

private:
    void send(StreamSink& sink, std::uint64_t offset, std::uint64_t next, std::string_view raw);
    void sendLines(StreamSink& sink);
    void scan(StreamSink& sink, std::string_view bytes);

    const char* m_wireName;
    const char* m_fileName;
    Filter m_filter;
    std::uint64_t m_base = 0;     ///< of the stream, at the file's first byte
    std::uint64_t m_position = 0; ///< in the file, of the next byte to read
    FileIdentity m_file;
    bool m_reset = false;
    bool m_restarted = false;
    bool m_baseChanged = false;

    // SdkLines only:
    std::string m_line;            ///< begin of the line being read, while it may be wanted
    std::uint64_t m_lineStart = 0; ///< stream offset
    bool m_skipping = false;       ///< the rest of this line is not wanted
    std::string m_wanted;          ///< lines to send
    std::uint64_t m_wantedStart = 0;
    std::uint64_t m_told = 0; ///< cursor last sent
};

} // namespace trialkeeper
