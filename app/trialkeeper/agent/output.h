// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/trialkeeper/base/loop.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace trialkeeper {

/// What the agent sends: control frames before bulk frames, each kind in order. Never blocks; bytes wait here, so
/// a producer of bulk frames calls mayAddBulk() first.
class Output
{
public:
    Output(Loop& loop, int fd);

    void control(const nlohmann::json& message);
    void control(const nlohmann::json& message, std::string_view raw);
    /// Bulk: records and events; each gets the member `seq`.
    void stream(std::string_view json, std::string_view raw = {});
    void read(
        std::string_view json, std::string_view raw = {}); ///< bulk: what was asked for; takes turns with the streams

    /// Whether more may be added. After a no the pumps run again when there is room.
    [[nodiscard]] bool mayStream() { return noted(m_streams.bytes < 1024 * 1024); }
    [[nodiscard]] bool mayRead() { return noted(m_reads.bytes < 192 * 1024); }
    /// Writes what can be written now; called at the end of each turn. True if a producer that was refused may add
    /// again. Ends the loop when the other side is gone.
    [[nodiscard]] bool flush();
    /// Before an end by our own decision: tries for up to a second to get everything out.
    void drain();

private:
    struct Queue
    {
        std::deque<std::string> frames;
        std::size_t bytes = 0;
        [[nodiscard]] bool add(std::string_view json, std::string_view raw);
        bool take(std::string& into);
    };
    bool refill();
    bool noted(bool may)
    {
        m_refused = m_refused || !may;
        return may;
    }

    Loop& m_loop;
    int m_fd;
    std::string m_control; ///< frames, one after the other
    Queue m_streams;
    Queue m_reads;
    bool m_readsNext = false;
    std::uint64_t m_streamed = 0; ///< frames of m_streams so far
    bool m_refused = false;
    std::string m_current;
    std::size_t m_sent = 0;
    bool m_waiting = false; ///< the descriptor took no more
};

/// JSON text of a message. Bytes that are no UTF-8 (file names) are replaced.
[[nodiscard]] std::string toText(const nlohmann::json& message);

} // namespace trialkeeper
