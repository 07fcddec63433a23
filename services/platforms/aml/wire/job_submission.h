// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "aml_calls.h"
#include "code_upload.h"

#include "services/core/one_shot.h"
#include "services/platforms/aml/aml_job.h"

#include <map>
#include <vector>

namespace platforms::aml {

/// Hands trials over: their environment and code first, once for all that share them, and then a job of the trial's own name. Lives on the
/// service thread.
class JobSubmission
{
public:
    /// None is owned; `settings` are checked.
    JobSubmission(AmlSession* session, AmlCalls* calls, const Json* settings);

    /// Idempotent by trial id.
    [[nodiscard]] Task<SubmitOutcome> submit(TrialSpec spec);
    /// Puts code, or the keeper alone, into the workspace.
    [[nodiscard]] Task<Result<>> upload(CodeSource code);

private:
    /// Once for all that ask for it at the same time.
    [[nodiscard]] Task<Result<>> putEnvironment(QString image);
    /// Puts into the workspace what a job of this trial needs. Kind::invalid: this cannot be.
    [[nodiscard]] Task<Result<CodeUpload::Put>> prepare(JobWish wish, CodeSource code);
    [[nodiscard]] Task<SubmitOutcome> handOver(TrialSpec spec, JobWish wish, CodeUpload::Put code);

    AmlSession* m_session;
    AmlCalls* m_calls;
    const Json* m_settings;
    CodeUpload m_codes;
    QSet<QString> m_images;                                      ///< whose environment is in the workspace
    std::map<QString, std::vector<OneShot<Result<>>>> m_waiting; ///< for an environment that is being put, by image
};

} // namespace platforms::aml
