// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_submission.h"

#include "aml_facts.h"

#include "services/platforms/cluster/job_name.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

JobSubmission::JobSubmission(AmlSession* session, AmlCalls* calls, const Json* settings)
    : m_session(session)
    , m_calls(calls)
    , m_settings(settings)
    , m_codes(session, calls)
{
}

Task<Result<>> JobSubmission::putEnvironment(QString image)
{
    if (m_images.contains(image))
        co_return Result<>{};
    if (const auto others = m_waiting.find(image); others != m_waiting.end()) {
        const OneShot<Result<>> shot;
        others->second.push_back(shot);
        co_return co_await shot.wait();
    }
    m_waiting[image] = {};
    auto putting = m_calls->putEnvironment(image);
    const Result<> put = co_await putting;
    if (put)
        m_images.insert(image);
    std::vector<OneShot<Result<>>> waiting = std::move(m_waiting[image]);
    m_waiting.erase(image);
    for (OneShot<Result<>>& shot : waiting)
        shot.set(put);
    co_return put;
}

Task<Result<CodeUpload::Put>> JobSubmission::prepare(JobWish wish, CodeSource code)
{
    if (wish.environment.isEmpty()) {
        auto making = putEnvironment(wish.image);
        const Result<> made = co_await making;
        if (!made)
            co_return fail(made, u"The environment of the image cannot be made in the workspace"_m);
    }
    auto putting = m_codes.put(code);
    co_return co_await putting;
}

Task<Result<>> JobSubmission::upload(CodeSource code)
{
    auto putting = m_codes.put(code);
    const Result<CodeUpload::Put> put = co_await putting;
    co_return put ? Result<>{} : Result<>(fail(put));
}

Task<SubmitOutcome> JobSubmission::handOver(TrialSpec spec, JobWish wish, CodeUpload::Put code)
{
    SubmitOutcome outcome{.trial = spec.id};
    const QString serviceId = m_session->context().serviceId;
    const QString name = jobName(serviceId, spec.id);
    JobValues values;
    values.name = name;
    values.serviceId = serviceId;
    values.codeId = code.codeId;
    values.hasCode = code.hasCode;
    const Result<QByteArray> document = jobDocument(m_session->place(), wish, spec, values);
    if (!document) {
        outcome.error = document.error();
        co_return outcome;
    }
    auto handing = m_calls->submit(name, *document);
    const SubmitReply reply = co_await handing;
    using Outcome = SubmitReply::Outcome;
    bool isThere = reply.outcome == Outcome::accepted;
    if (reply.outcome == Outcome::later) {
        outcome.later = trial::SubmitLater{reply.error.message, reply.retryAfterMs};
    } else if (!isThere) {
        // Also where it was refused: the job of an earlier life of the service may differ in what it runs with.
        auto looking = m_calls->job(name);
        const Result<AmlJob> job = co_await looking;
        isThere = job && trialIn(*job, serviceId) == spec.id;
        if (!isThere) { // after an unknown outcome that says little: what was sent may still be under way
            outcome.unknown = reply.outcome == Outcome::unknown;
            outcome.error = reply.error;
        }
    }
    if (isThere || outcome.unknown)
        outcome.handle = name;
    co_return outcome;
}

Task<SubmitOutcome> JobSubmission::submit(TrialSpec spec)
{
    SubmitOutcome outcome{.trial = spec.id};
    const Result<JobWish> wish = jobWish(m_session->place(), *m_settings, spec.platformOptions);
    if (!wish) {
        outcome.error = wish.error();
        co_return outcome;
    }
    if (wish->image.isEmpty() && wish->environment.isEmpty()) {
        outcome.error = Error{Kind::invalid,
            u"dockerImage: Azure ML runs trials in containers; name an image, or an environment of the workspace."_m,
            {}};
        co_return outcome;
    }
    auto preparing = prepare(*wish, spec.code);
    const Result<CodeUpload::Put> code = co_await preparing;
    if (!code && code.error().kind == Kind::invalid) {
        outcome.error = code.error();
    } else if (!code) {
        outcome.later = trial::SubmitLater{code.error().message, {}};
    } else {
        auto handing = handOver(spec, *wish, *code);
        outcome = co_await handing;
    }
    co_return outcome;
}

} // namespace platforms::aml
