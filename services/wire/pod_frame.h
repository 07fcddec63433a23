// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

// What `trialkeeper pod` writes to its standard output: lines of text, a frame each, at most maxPodFrame bytes with the line end.
//
//     $td1 CRC ID RUN STREAM OFFSET TEXT\n
//     CRC     CRC-32 of all that follows it and its blank, up to the line end: eight hexadecimal digits
//     ID      of the trial or attempt, as isSafeId() has it
//     RUN     1 to 16 hexadecimal digits, the same in all frames of one keeper's life, different in another's
//     STREAM  o standard output, e standard error, n .nni/metrics, f TRIALDECK_METRICS_FILE, k events, x end.
//             N and F: n and f of a file that the trial cut since: the unfinished record before OFFSET will not be finished.
//     OFFSET  decimal: of the first byte in its stream; of x: how many bytes of events there are
//     TEXT    o e n f: bytes of the stream, cut anywhere. k: one event, the JSON of a journal's record (protocol.h, event).
//             x: the last frame of a run: "O E N F " and the JSON of the final event; O, E, N and F are how many bytes the streams
//             had, so that a loss at their ends shows.
//
// TEXT is escaped: \n \r \t \\ and \xHH (lower case). `$` and control characters are always escaped, so is what is no UTF-8 (a container
// runtime may replace it) and a blank at the end. So no `$` stands in a frame but its first byte: nothing that a trial prints can look
// like a frame, wherever a log was cut. What stands on the same line before the last `$` (a time stamp, the beginning of a
// frame that a lost connection cut) does no harm. Offsets make a repeated frame harmless and a lost one known.

inline constexpr std::size_t maxPodFrame = 8192;
inline constexpr std::string_view podFrameMark = "$td1 ";

enum class PodStream : std::uint8_t { standardOutput, standardError, nni, file, events };
inline constexpr std::size_t podByteStreams = 4; ///< those before events
/// As a letter of the format, and as a word of protocol.h: "stdout", "stderr", "nni", "file", "events".
[[nodiscard]] char podStreamLetter(PodStream stream);
[[nodiscard]] const char* podStreamWord(PodStream stream);

/// A line that is a frame. Views into that line; `text` is still escaped.
struct PodFrame
{
    std::string_view id;
    std::string_view run;
    PodStream stream = PodStream::events;
    bool reset = false; ///< N or F
    bool end = false;   ///< x; its stream is events
    std::uint64_t offset = 0;
    std::string_view text;
};

/// `line`: from the mark on, without the line end. False: damaged, or no frame.
[[nodiscard]] bool parsePodFrame(std::string_view line, PodFrame& frame);
/// The bytes of an escaped text, appended to `bytes`. False: it is not escaped as above.
[[nodiscard]] bool decodePodText(std::string_view text, std::string& bytes);

/// Appends frames for one run of one trial.
class PodFrameWriter
{
public:
    /// `id`: isSafeId(); `run`: see above. Both are copied.
    PodFrameWriter(std::string_view id, std::string_view run);
    /// Bytes of a stream (o e n f), as many frames as they need.
    void addBytes(
        std::string& out, PodStream stream, std::uint64_t offset, std::string_view bytes, bool reset = false) const;
    /// One frame with the whole text, of k or x. False, and nothing added, where it does not fit into `limit` bytes.
    [[nodiscard]] bool addWhole(std::string& out, char letter, std::uint64_t offset, std::string_view bytes,
        std::size_t limit = maxPodFrame) const;

private:
    /// One frame with as many of `bytes` as fit into `limit` bytes; how many those are.
    std::size_t addFrame(
        std::string& out, char letter, std::uint64_t offset, std::string_view bytes, std::size_t limit) const;

    std::string m_identity; ///< "ID RUN "
};

} // namespace trialkeeper
