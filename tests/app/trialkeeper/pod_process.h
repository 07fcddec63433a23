// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/wire/pod_log_reader.h"

#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

/// `trialkeeper pod` as a process whose standard output this one reads. Ends it with SIGKILL when it goes.
class PodProcess
{
public:
    /// `program`: words before the options, for example the program and `pod`. `output`: its standard output; -1: a pipe to read().
    explicit PodProcess(const std::vector<std::string>& words,
        const std::vector<std::pair<std::string, std::string>>& environment = {}, int output = -1);
    ~PodProcess();
    PodProcess(const PodProcess&) = delete;
    PodProcess& operator=(const PodProcess&) = delete;

    /// Up to `limit` bytes of its output; empty at its end, or after 20 seconds of silence.
    std::string read(std::size_t limit = 65536);
    /// The rest of its output. Then it has ended.
    std::string readAll();
    void closeOutput();
    /// Reads on until the log holds the text; all that was read.
    std::string readUntil(const std::string& text);
    /// The exit code; 1000 + N: killed by signal N; -1: it does not end within 20 seconds.
    int wait();
    void signal(int number) const;

    [[nodiscard]] pid_t pid() const { return m_pid; }

private:
    pid_t m_pid = 0;
    int m_output = -1;
    int m_result = -1;
    bool m_waited = false;
};

/// What a log holds, read in one go.
struct PodLog
{
    explicit PodLog(const std::string& log, const std::string& id = "ada.1");

    std::map<trialkeeper::PodStream, std::string> bytes;
    std::vector<std::string> events;
    std::string end; ///< empty: there is none
    std::vector<trialkeeper::PodLogPiece> gaps;
    std::string outside;
    int runs = 0;
};
