// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_logs.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

constexpr qint64 signatureLeewayMs = 60'000;

/// As Azure names the log of standard output: now, of a job with several processes, and formerly.
const QStringList& frameLogNames()
{
    static const QStringList names{
        u"user_logs/std_log.txt"_s, u"user_logs/std_log_process_0.txt"_s, u"azureml-logs/70_driver_log.txt"_s};
    return names;
}

bool isStale(const QUrl& url, qint64 nowMs)
{
    const std::optional<qint64> end = azure::signatureEndMs(url);
    return end && *end - signatureLeewayMs < nowMs;
}

void take(LogPart& part, const LogWish& wish, const azure::BlobPiece& piece)
{
    const bool isAnother = piece.size < wish.offset
        || (!wish.identity.isEmpty() && !piece.identity.isEmpty() && wish.identity != piece.identity);
    part.state = isAnother ? LogPart::State::another : LogPart::State::read;
    part.identity = piece.identity;
    if (isAnother)
        return;
    part.bytes = piece.bytes;
    part.isEnd = wish.offset + piece.bytes.size() >= piece.size;
}

} // namespace

QUrl frameLog(const QMap<QString, QUrl>& logs)
{
    for (const QString& name : frameLogNames())
        if (const auto found = logs.constFind(name); found != logs.constEnd())
            return *found;
    return {};
}

RunLogs::RunLogs(AmlSession* session, RunHistory* history)
    : m_session(session)
    , m_history(history)
{
}

Task<Result<RunLogs::Run>> RunLogs::runOf(QString job, qint64 mostMs)
{
    const qint64 now = m_session->clock()->steadyMs();
    if (const auto known = m_runs.find(job); known != m_runs.end()) {
        const Run& run = known->second;
        const QUrl frames = frameLog(run.logs);
        const qint64 most = frames.isEmpty() ? std::min(mostMs, againMs) : mostMs;
        if (now - run.askedAt < most && !isStale(frames, m_session->clock()->nowMs()))
            co_return Run(run);
    }
    auto asking = m_history->details(job);
    const Result<RunDetails> details = co_await asking;
    if (!details) {
        if (details.error().kind == Kind::not_found) { // it is not begun, and not asked for at each turn
            Run none;
            none.askedAt = now;
            keep(job, none);
        }
        co_return fail(details);
    }
    Run run;
    run.logs = details->logs;
    run.isThere = true;
    run.startTime = details->startTime;
    run.askedAt = now;
    keep(job, run);
    co_return run;
}

void RunLogs::keep(const QString& job, const Run& run)
{
    if (m_runs.size() >= mostRuns)
        std::erase_if(m_runs, [&run](const auto& entry) { return run.askedAt - entry.second.askedAt >= keptMs; });
    m_runs[job] = run;
}

Task<LogPart> RunLogs::read(LogWish wish, QString job, bool hasEnded)
{
    LogPart part;
    part.trial = wish.trial.trial;
    part.part = wish.part;
    for (bool isAgain = false;; isAgain = true) {
        auto asking = runOf(job, isAgain ? 0 : keptMs);
        const Result<Run> run = co_await asking;
        if (!run && run.error().kind != Kind::not_found) {
            part.state = LogPart::State::unreadable;
            part.message = run.error().message;
            co_return part;
        }
        const QUrl log = run ? frameLog(run->logs) : QUrl();
        if (log.isEmpty()) {
            if (hasEnded && !isAgain)
                continue; // what is kept may be older than the end
            const bool mayCome = hasEnded && run && run->startTime;
            part.state = mayCome ? LogPart::State::unreadable : LogPart::State::missing;
            part.message = u"Its job has ended, and Azure has not stored its log yet."_m;
            co_return part;
        }
        auto reading = m_session->blobs().read(log, wish.offset, pieceBytes, m_session->stop());
        const Result<azure::BlobPiece> piece = co_await reading;
        if (piece) {
            take(part, wish, *piece);
            co_return part;
        }
        const Kind kind = piece.error().kind;
        if ((kind == Kind::auth || kind == Kind::not_found) && !isAgain)
            continue; // the signature is too old, or the log lies elsewhere now
        part.state = kind == Kind::not_found ? LogPart::State::missing : LogPart::State::unreadable;
        part.message = piece.error().message;
        co_return part;
    }
}

Task<std::optional<qint64>> RunLogs::startTime(QString job)
{
    auto asking = runOf(job, keptMs);
    const Result<Run> run = co_await asking;
    co_return run ? run->startTime : std::optional<qint64>();
}

Task<Result<QStringList>> RunLogs::names(QString job)
{
    auto asking = runOf(job, keptMs);
    const Result<Run> run = co_await asking;
    if (!run)
        co_return fail(run);
    if (!run->isThere)
        co_return fail(Kind::not_found, u"Azure knows no run of this name."_m);
    QStringList names;
    for (auto it = run->logs.cbegin(); it != run->logs.cend(); ++it)
        if (!frameLogNames().contains(it.key()))
            names.append(it.key());
    co_return names;
}

Task<Result<Bytes>> RunLogs::readFile(QString job, QString name, qint64 offset, qint64 limit)
{
    auto asking = runOf(job, keptMs);
    const Result<Run> run = co_await asking;
    if (!run)
        co_return fail(run);
    const auto found = run->logs.constFind(name);
    if (found == run->logs.constEnd())
        co_return fail(Kind::not_found, u"There is no log \"%1\" of this job."_m.arg(name));
    const QUrl& log = *found;
    if (offset < 0) {
        auto sizing = m_session->blobs().send(azure::sizeRequest(log), m_session->stop());
        const Result<transport::HttpReply> reply = co_await sizing;
        if (!reply)
            co_return fail(reply);
        const Result<qint64> size = azure::readSize(*reply);
        if (!size)
            co_return fail(size);
        offset = std::max<qint64>(0, *size + offset);
    }
    auto reading = m_session->blobs().read(log, offset, limit, m_session->stop());
    const Result<azure::BlobPiece> piece = co_await reading;
    if (!piece)
        co_return fail(piece);
    Bytes bytes;
    bytes.bytes = piece->bytes.left(limit);
    bytes.offset = std::min(offset, piece->size);
    bytes.size = piece->size;
    co_return bytes;
}

} // namespace platforms::aml
