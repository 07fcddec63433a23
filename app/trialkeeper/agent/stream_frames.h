// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "output.h"

#include "app/trialkeeper/trial/stream.h"

namespace trialkeeper {

/// Sends what the streams of one trial read as `records` frames.
class StreamFrames : public StreamSink
{
public:
    /// Both must live longer.
    StreamFrames(const std::string& trial, Output& out)
        : m_trial(trial)
        , m_out(out)
    {
    }
    void records(
        const char* stream, std::uint64_t offset, std::uint64_t next, bool reset, std::string_view raw) override;
    void lineSkipped() override;

private:
    const std::string& m_trial;
    Output& m_out;
};

} // namespace trialkeeper
