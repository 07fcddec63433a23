// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pod_frame.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trialkeeper {

/// What has been read of a pod's log: to be made durable together with what was read. A reader with this cursor passes over what
/// comes again.
struct PodLogCursor
{
    std::string run;                      ///< empty: no frame was read
    std::vector<std::string> earlierRuns; ///< the latest maxEarlierRuns, oldest first; their frames are passed over
    std::array<std::uint64_t, podByteStreams + 1> next{}; ///< by PodStream: offset of the next byte
    bool ended = false;

    static constexpr std::size_t maxEarlierRuns = 8;

    [[nodiscard]] std::uint64_t of(PodStream stream) const { return next[std::size_t(stream)]; }
    bool operator==(const PodLogCursor&) const = default;
};

/// Something that a log held, in the order of the log.
struct PodLogPiece
{
    enum class Kind : std::uint8_t {
        run,   ///< `bytes`: the run that begins; all offsets are 0 again
        bytes, ///< of a byte stream, from `offset` to `next`
        event, ///< `bytes`: the JSON of a journal's record, as in protocol.h, event
        end,   ///< `bytes`: the JSON of the final event. Nothing follows of this run
        gap,   ///< from `offset` to `next` of `stream` is not in this log
        outside, ///< `bytes`: a line that no keeper wrote (the cluster's own words), without its end; may come again, and in parts
    };
    Kind kind = Kind::outside;
    PodStream stream = PodStream::standardOutput; ///< of bytes and gap
    std::uint64_t offset = 0;
    std::uint64_t next = 0;
    bool reset = false; ///< of bytes: the unfinished record before `offset` will not be finished
    std::string bytes;
};

/// Reads the log of one pod or batch job in which `trialkeeper pod` wrote, from bytes that are cut anywhere, come again after a new
/// connection, or are missing. Frames of other ids are passed over. Pure; any bytes may be given; holds at most 16 KiB beside what it
/// appends. The bytes of `nni`, `file` and `stdout` go to the readers of metrics as those of an agent's `records` do: an
/// offset numbers them for good, so a metric that comes twice is counted once.
class PodLogReader
{
public:
    /// `id`: of the frames that are wanted. `cursor`: of an earlier reader.
    explicit PodLogReader(std::string id, PodLogCursor cursor = {});

    /// The next bytes of the log, as the cluster gives them, with or without time stamps in front of the lines.
    void feed(std::string_view bytes, std::vector<PodLogPiece>& out);
    /// What is fed next begins elsewhere in the log: whole lines again, or later ones. An unfinished line is given up.
    void reconnected();
    /// Nothing will follow. What is missing at the end shows only where there is an end (cursor().ended).
    void finish(std::vector<PodLogPiece>& out);

    [[nodiscard]] const PodLogCursor& cursor() const { return m_cursor; }
    /// Lines that began as a frame and were none: torn, or damaged. What they held shows as a gap unless it comes again.
    [[nodiscard]] std::uint64_t damagedLines() const { return m_damaged; }
    /// The time stamp in front of the latest frame, as the cluster wrote it (RFC 3339), from which a log can be asked for again; or empty.
    [[nodiscard]] const std::string& timeStamp() const { return m_timeStamp; }

private:
    void line(std::string_view line, std::vector<PodLogPiece>& out);
    void frame(const PodFrame& frame, std::vector<PodLogPiece>& out);
    void outside(std::string_view text, std::vector<PodLogPiece>& out) const;
    void beginRun(std::string_view run, std::vector<PodLogPiece>& out);
    void moveTo(PodStream stream, std::uint64_t offset, std::vector<PodLogPiece>& out);
    void end(const PodFrame& frame, std::vector<PodLogPiece>& out);

    std::string m_id;
    PodLogCursor m_cursor;
    std::string m_line;      ///< the unfinished one
    bool m_fragment = false; ///< m_line may be the end of a line whose beginning was not seen
    std::string m_timeStamp;
    std::uint64_t m_damaged = 0;
};

} // namespace trialkeeper
