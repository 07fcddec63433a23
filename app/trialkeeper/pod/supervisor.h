// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command.h"
#include "final_watch.h"
#include "folder.h"
#include "frame_output.h"
#include "options.h"

#include "app/trialkeeper/trial/end_state.h"
#include "app/trialkeeper/trial/stream.h"

#include <cstdint>
#include <string>

namespace trialkeeper {

/// Blocks the signals that a keeper of a pod takes itself. Before anything is started.
void blockPodSignals();

/// Runs a prepared trial's command, sends on its output and metrics, ends its tree and reports its end. One thread, one loop; it
/// blocks in poll() alone, and in writes to the trial's folder.
class PodSupervisor
{
public:
    /// All must live longer. `folder` is prepared, `output` is new.
    PodSupervisor(const PodOptions& options, PodFolder& folder, FrameOutput& output);
    /// Until all is reported. The exit code for this program.
    int run(const std::vector<std::string>& arguments, const Environment& environment);

private:
    class MetricSink;

    void start(const std::vector<std::string>& arguments, const Environment& environment);
    void watchMetrics();
    void waitForEvents();
    [[nodiscard]] int timeout() const;
    void takeSignals();
    void cancel();
    void reap();
    void endTree();
    void readPipe(Fd& pipe, PodStream stream, Fd& file);
    void readMetrics();
    void newFinalMetric();
    void finish();
    void recordEnd();
    void finding(const char* text);
    [[nodiscard]] bool isDone() const;
    void linger() const;

    const PodOptions& m_options;
    PodFolder& m_folder;
    FrameOutput& m_output;
    FinalWatch m_finals;
    PodCommand m_command;
    Fd m_signals, m_inotify;
    Stream m_nni, m_file;
    bool m_metricsDirty = true;
    std::int64_t m_metricsAt = 0; ///< steadyMs(): read them at the latest
    std::uint64_t m_oomBefore = 0;

    EndState m_end;
    bool m_commandEnded = false;
    bool m_treeGone = false;
    bool m_terminated = false;
    std::int64_t m_terminateAt = 0; ///< steadyMs(); 0: not planned
    std::int64_t m_killAt = 0;
    std::string m_finalRecord; ///< empty until all else was sent
    bool m_recorded = true;    ///< in a shared folder, too
    std::int64_t m_recordBefore = 0;
    std::int64_t m_progressAt = 0; ///< since when nothing could be written
    int m_patienceMs;
};

} // namespace trialkeeper
