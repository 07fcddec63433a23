// SPDX-License-Identifier: GPL-3.0-or-later
// For the files of ClusterPlatform alone.
#pragma once

#include "cluster_platform.h"
#include "job_course.h"

namespace platforms {

inline constexpr qint64 togetherMs = 100; ///< what grows in logs within so long is read at once

/// One that was handed over, until its end was reported.
struct ClusterPlatform::Job
{
    Job(const TrialRef& given, StdoutWatch watch, bool isKept)
        : ref(given)
        , log(given.trial, given.cursors, watch, isKept)
    {
        course.runs = log.runs();
    }

    TrialRef ref;
    JobCourse course;
    TrialLog log;
    bool saidNotKept = false;          ///< that its log cannot be kept
    bool saidUnreadable = false;       ///< that it cannot be read
    bool hasRun = false;               ///< as far as is known: its log is wanted
    std::optional<qint64> lookAgainAt; ///< CourseStep
};

} // namespace platforms
