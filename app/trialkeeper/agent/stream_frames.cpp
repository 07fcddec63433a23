// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream_frames.h"

#include "services/wire/protocol.h"

#include <nlohmann/json.hpp>

#include <cinttypes>
#include <cstdio>

namespace trialkeeper {

void StreamFrames::records(
    const char* stream, std::uint64_t offset, std::uint64_t next, bool reset, std::string_view raw)
{
    char json[320];
    const int size = std::snprintf(json, sizeof json,
        "{\"m\":\"records\",\"trial\":\"%s\",\"stream\":\"%s\",\"offset\":%" PRIu64 ",\"next\":%" PRIu64
        ",\"time\":%" PRId64 "%s}",
        m_trial.c_str(), stream, offset, next, nowMs(), reset ? ",\"reset\":true" : "");
    m_out.stream({json, std::size_t(size)}, raw);
}

void StreamFrames::lineSkipped()
{
    m_out.stream(toText({{message::name, message::finding}, {"trial", m_trial},
        {"text", "A metric on standard output was skipped: its line is longer than 1 MiB."}}));
}

} // namespace trialkeeper
