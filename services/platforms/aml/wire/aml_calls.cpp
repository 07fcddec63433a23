// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_calls.h"

#include "services/platforms/aml/aml_job.h"
#include "services/platforms/azure/arm_refusal.h"
#include "services/platforms/azure/service_sas.h"
#include "services/transport/http/retry_policy.h"

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr int writeAttempts = 3;

/// Something of the account or the workspace, not of this trial.
bool isQuota(const QString& code)
{
    return code.contains("Quota"_L1, Qt::CaseInsensitive) || code.contains("LimitExceeded"_L1, Qt::CaseInsensitive);
}

/// Whether a workspace may be too old for what was asked for.
bool isUnknownCall(int status)
{
    return status == 400 || status == 404 || status == 405 || status == 501;
}

/// Whether it was done, or there is nothing to do it to.
Result<> doneOrGone(const transport::HttpReply& answer)
{
    if (answer.isOk())
        return {};
    const Error refused = azure::armRefusal(answer).error;
    return refused.kind == Kind::not_found ? Result<>{} : Result<>(tl::unexpected(refused));
}

Json jsonOf(const transport::HttpReply& answer)
{
    return Json::parse(answer.body.constData(), answer.body.constData() + answer.body.size(), nullptr, false);
}

} // namespace

QString AmlCalls::jobId(const QString& name) const
{
    return m_session->place().id() + u"/jobs/"_s + name;
}

Task<Result<transport::HttpReply>> AmlCalls::put(const QString& id, QByteArray document)
{
    transport::HttpRequest request;
    request.method = "PUT";
    request.target = targetOf(id);
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = std::move(document);
    request.isRepeatable = true; // the name is ours
    request.attempts = writeAttempts;
    request.timeoutMs = 60'000;
    return m_session->sendArm(std::move(request));
}

Task<Result<transport::HttpReply>> AmlCalls::post(const QString& id, QByteArray document)
{
    transport::HttpRequest request;
    request.method = "POST";
    request.target = targetOf(id);
    if (!document.isEmpty())
        request.contentType = "application/json";
    request.body = std::move(document);
    request.isRepeatable = true;
    request.attempts = writeAttempts;
    request.timeoutMs = 60'000;
    return m_session->sendArm(std::move(request));
}

Task<SubmitReply> AmlCalls::submit(QString name, QByteArray document)
{
    transport::HttpRequest request;
    request.method = "PUT";
    request.target = targetOf(jobId(name));
    request.accept = "application/json";
    request.contentType = "application/json";
    request.body = std::move(document);
    request.attempts = 1; // a limit of requests is waited for by the engine, which says so
    request.timeoutMs = 60'000;
    auto sending = m_session->sendArm(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    using Outcome = SubmitReply::Outcome;
    SubmitReply reply;
    if (!answer) {
        reply.error = answer.error();
        // Without credentials nothing was sent on, and an invalid request not at all.
        const bool isUnsent = reply.error.kind == Kind::auth || reply.error.kind == Kind::invalid;
        reply.outcome = isUnsent ? Outcome::later : Outcome::unknown;
        co_return reply;
    }
    if (answer->isOk()) {
        reply.outcome = Outcome::accepted;
        co_return reply;
    }
    const azure::ArmRefusal refusal = azure::armRefusal(*answer);
    reply.error = refusal.error;
    const int status = answer->status;
    if (status == 429 || status == 503 || status == 408) {
        reply.outcome = Outcome::later;
        const transport::AttemptEnd end{{}, status, answer->header("Retry-After"), answer->header("Date")};
        reply.retryAfterMs = transport::retryDelayMs(end, 1, 0, m_session->clock()->nowMs());
    } else if (status >= 500 || status == 409) {
        reply.outcome = Outcome::unknown; // it may be there: that is looked up
    } else if (status == 401 || status == 403 || isQuota(refusal.code)) {
        reply.outcome = Outcome::later; // nothing of the trial's own is wrong
    } else {
        reply.outcome = status >= 400 ? Outcome::refused : Outcome::later;
    }
    co_return reply;
}

Task<Result<JobPage>> AmlCalls::list(QString tag, QByteArray next)
{
    QByteArray target = next;
    if (target.isEmpty())
        target = targetOf(m_session->place().id() + u"/jobs"_s,
            "jobType=Command&listViewType=ActiveOnly&tag=" + QUrl::toPercentEncoding(tag));
    auto asking = m_session->askArm(target);
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    co_return readJobPage(*answer);
}

Task<Result<AmlJob>> AmlCalls::job(QString name)
{
    auto asking = m_session->askArm(targetOf(jobId(name)));
    const Result<Json> answer = co_await asking;
    if (!answer)
        co_return fail(answer);
    Result<AmlJob> job = readJob(*answer);
    if (job && job->name != name)
        co_return fail(Kind::platform, u"Azure answered with another job than the one that was asked for."_m);
    co_return job;
}

Task<Result<>> AmlCalls::cancel(QString name)
{
    auto posting = post(jobId(name) + u"/cancel"_s, {});
    const Result<transport::HttpReply> answer = co_await posting;
    if (!answer)
        co_return fail(answer);
    const Result<> done = doneOrGone(*answer);
    if (done || (answer->status != 400 && answer->status != 409))
        co_return done; // what asked for it asks again
    // It cannot be cancelled: because it has ended?
    auto asking = job(name);
    const Result<AmlJob> there = co_await asking;
    if (there && hasEnded(there->state))
        co_return Result<>{};
    co_return done;
}

Task<Result<>> AmlCalls::remove(QString name)
{
    transport::HttpRequest request;
    request.method = "DELETE";
    request.target = targetOf(jobId(name));
    request.isRepeatable = true;
    request.attempts = writeAttempts;
    auto sending = m_session->sendArm(std::move(request));
    const Result<transport::HttpReply> answer = co_await sending;
    if (!answer)
        co_return fail(answer);
    const Result<> done = doneOrGone(*answer);
    const int status = answer->status;
    const bool isForGood =
        status >= 400 && status < 500 && status != 401 && status != 404 && status != 410 && status != 429;
    if (done || !isForGood)
        co_return done;
    // A job that may not be deleted is hidden.
    auto archiving = archive(name);
    co_return co_await archiving;
}

Task<Result<>> AmlCalls::archive(QString name)
{
    auto asking = m_session->askArm(targetOf(jobId(name)));
    const Result<Json> answer = co_await asking;
    if (!answer && answer.error().kind == Kind::not_found)
        co_return Result<>{};
    if (!answer)
        co_return fail(answer);
    const Json* properties = memberOf(*answer, "properties");
    if (!properties || !properties->is_object())
        co_return fail(Kind::platform, u"Azure answered with something else than a job."_m);
    Json changed = *properties;
    changed["isArchived"] = true;
    Json document = Json::object();
    document["properties"] = changed;
    auto putting = put(jobId(name), dumpJson(document));
    const Result<transport::HttpReply> reply = co_await putting;
    if (!reply)
        co_return fail(reply);
    co_return doneOrGone(*reply);
}

Task<Result<bool>> AmlCalls::has(QString id)
{
    auto asking = m_session->askArm(targetOf(id));
    const Result<Json> answer = co_await asking;
    if (!answer && answer.error().kind == Kind::not_found)
        co_return false;
    if (!answer)
        co_return fail(answer);
    co_return true;
}

Task<Result<bool>> AmlCalls::hasCode(const QString& name)
{
    return has(codeIdOf(m_session->place(), name));
}

Task<Result<PendingUpload>> AmlCalls::beginUpload(QString codeName)
{
    const QString id = codeIdOf(m_session->place(), codeName) + u"/startPendingUpload"_s;
    auto posting = post(id, R"({"pendingUploadType":"TemporaryBlobReference"})");
    const Result<transport::HttpReply> answer = co_await posting;
    if (!answer)
        co_return fail(answer);
    if (isUnknownCall(answer->status)) {
        auto looking = placeInDatastore(codeName);
        co_return co_await looking;
    }
    if (!answer->isOk())
        co_return tl::unexpected(azure::armRefusal(*answer).error);
    co_return readPendingUpload(jsonOf(*answer));
}

Task<Result<PendingUpload>> AmlCalls::placeInDatastore(QString codeName)
{
    constexpr qint64 clocksDifferMs = 10 * 60'000;
    constexpr qint64 validMs = 4 * 3'600'000;
    auto asking = m_session->askArm(targetOf(m_session->place().id() + u"/datastores"_s, "isDefault=true"));
    const Result<Json> list = co_await asking;
    if (!list)
        co_return fail(list);
    const Result<Datastore> store = readDatastore(*list);
    if (!store)
        co_return fail(store);
    auto posting = post(m_session->place().id() + u"/datastores/%1/listSecrets"_s.arg(store->name), QByteArray());
    const Result<transport::HttpReply> answer = co_await posting;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk())
        co_return tl::unexpected(azure::armRefusal(*answer).error);
    const Result<DatastoreSecret> secret = readDatastoreSecret(jsonOf(*answer));
    if (!secret)
        co_return fail(secret);
    QByteArray query = secret->signature;
    if (query.isEmpty()) {
        const qint64 now = m_session->clock()->nowMs();
        const bool isHttp = store->folder.scheme() == "http"_L1;
        azure::SasGrant grant{store->account, store->container, u"cw"_s, isHttp, now - clocksDifferMs, now + validMs};
        const Result<QByteArray> made = azure::serviceSas(grant, secret->key);
        if (!made)
            co_return fail(made);
        query = *made;
    }
    PendingUpload upload;
    upload.folder = azure::blobUrl(store->folder, u"LocalUpload/"_s + codeName, QUrl());
    upload.signature = store->folder;
    upload.signature.setQuery(QString::fromLatin1(query), QUrl::StrictMode);
    if (!upload.signature.hasQuery())
        co_return fail(Kind::platform, u"Azure named no place to upload code to."_m);
    co_return upload;
}

Task<Result<>> AmlCalls::putCode(QString name, QUrl folder)
{
    const QString id = codeIdOf(m_session->place(), name);
    auto putting = put(id, codeDocument(folder, name));
    const Result<transport::HttpReply> answer = co_await putting;
    if (!answer)
        co_return fail(answer);
    if (answer->isOk())
        co_return Result<>{};
    const Error refused = azure::armRefusal(*answer).error;
    if (answer->status == 400 || answer->status == 409) {
        auto looking = has(id);
        const Result<bool> there = co_await looking;
        if (there && *there) // the path of a version cannot be changed: another one was faster
            co_return Result<>{};
    }
    co_return tl::unexpected(Error(refused));
}

Task<Result<>> AmlCalls::putEnvironment(QString image)
{
    JobWish wish;
    wish.image = image;
    const QString id = environmentIdOf(m_session->place(), wish);
    auto looking = has(id);
    const Result<bool> there = co_await looking;
    if (!there)
        co_return fail(there);
    if (*there)
        co_return Result<>{};
    auto putting = put(id, environmentDocument(image));
    const Result<transport::HttpReply> answer = co_await putting;
    if (!answer)
        co_return fail(answer);
    if (!answer->isOk() && answer->status != 409)
        co_return tl::unexpected(azure::armRefusal(*answer).error);
    co_return Result<>{};
}

} // namespace platforms::aml
