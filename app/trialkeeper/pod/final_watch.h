// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/wire/pod_frame.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace trialkeeper {

/// Remembers the last final metric among the bytes of the streams, so that it can be reported a second way. It decides nothing: the
/// service reads metrics itself. Holds at most longestRecord bytes a stream.
class FinalWatch
{
public:
    static constexpr std::size_t longestRecord = 3500; ///< bytes; a longer one does not fit into a termination message

    /// The next bytes of a stream that begin at `offset`. `reset`: the unfinished record before is given up. True: there is a new record.
    bool feed(PodStream stream, std::uint64_t offset, std::string_view bytes, bool reset);

    struct Record
    {
        PodStream stream = PodStream::nni;
        std::uint64_t offset = 0; ///< in its stream
        std::string bytes;        ///< as the trial wrote it; empty: there was none, or the last one was too long
    };
    [[nodiscard]] const Record& last() const { return m_last; }

private:
    struct Line
    {
        std::string bytes;
        std::uint64_t offset = 0;
        bool tooLong = false;
    };
    std::array<Line, podByteStreams> m_lines;
    Record m_last;
};

/// Whether a record of that stream is a final metric: of NNI's SDK (nni, standardOutput) or a line of TRIALDECK_METRICS_FILE.
[[nodiscard]] bool isFinalMetric(PodStream stream, std::string_view record);

} // namespace trialkeeper
