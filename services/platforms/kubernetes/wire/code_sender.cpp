// SPDX-License-Identifier: GPL-3.0-or-later
#include "code_sender.h"

#include "services/core/printable.h"
#include "services/platforms/kubernetes/jobs/job_names.h"
#include "services/platforms/kubernetes/jobs/pod_template.h"
#include "services/transport/http/wire/gzip_inflater.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype pieceBytes = 256 * 1024;
constexpr qint64 sayAgainMs = 1'000;
constexpr qint64 longestPauseMs = 30'000;
constexpr qint64 busyPauseMs = 3'000;
constexpr int busyCode = 75; ///< code_inbox.h

/// A tar.gz as a tar, in pieces. Used on one strand at a time.
class Archive
{
public:
    explicit Archive(const QString& path)
        : m_file(path)
    {
    }

    /// Empty at the end.
    Result<QByteArray> next()
    {
        if (!m_file.isOpen() && !m_file.open(QIODevice::ReadOnly))
            return unreadable(Message(m_file.errorString()));
        for (;;) {
            const std::optional<QByteArray> bytes = m_inflater.pull(pieceBytes);
            if (!bytes)
                return unreadable(u"it is no whole gzip file"_m);
            if (!bytes->isEmpty())
                return *bytes;
            const QByteArray packed = m_file.read(pieceBytes);
            if (packed.isEmpty())
                return m_inflater.isComplete() ? Result<QByteArray>(QByteArray())
                                               : unreadable(u"it is no whole gzip file"_m);
            m_inflater.push(packed);
            m_read += packed.size();
        }
    }
    [[nodiscard]] qint64 read() const { return m_read; } ///< bytes of the file

private:
    Result<QByteArray> unreadable(const Message& cause) const
    {
        return fail(Kind::resource, u"The packed code %1 cannot be read: %2."_m.arg(m_file.fileName(), cause));
    }

    QFile m_file;
    transport::GzipInflater m_inflater;
    std::atomic<qint64> m_read = 0;
};

QString megabytes(qint64 bytes)
{
    return QString::number(double(bytes) / 1e6, 'f', 1);
}

} // namespace

struct CodeSender::Sending
{
    TrialId trial;
    QString pod;
    CodeSource code;
    Message state;
    std::optional<Error> failure;
    qint64 saidAt = 0; ///< steady
    int breaks = 0;    ///< connections that broke in a row
    int failures = 0;  ///< times that it could not be unpacked
    bool isOver = false;
    std::stop_source stop;
    std::optional<OneShot<bool>> waking;
};

CodeSender::CodeSender(KubeClient* client, Clock* clock, Strand* strand, PackedCodes* codes, QString inNamespace)
    : m_client(client)
    , m_clock(clock)
    , m_strand(strand)
    , m_codes(codes)
    , m_namespace(std::move(inNamespace))
{
}

CodeSender::~CodeSender() = default;

Task<> CodeSender::close()
{
    for (const auto& [key, sending] : std::exchange(m_sendings, {}))
        end(*sending);
    m_queue.clear();
    m_scope.requestStop();
    auto draining = m_scope.drain();
    co_await draining;
}

const CodeSender::Sending* CodeSender::find(const TrialId& trial, bool (*holds)(const Sending&)) const
{
    for (auto it = m_sendings.lower_bound({trial, QString()}); it != m_sendings.end() && it->first.first == trial; ++it)
        if (holds(*it->second))
            return it->second.get();
    return nullptr;
}

const Message* CodeSender::stateOf(const TrialId& trial) const
{
    const Sending* found = find(trial, [](const Sending& one) { return !one.state.isEmpty(); });
    return found ? &found->state : nullptr;
}

const Error* CodeSender::failureOf(const TrialId& trial) const
{
    const Sending* found = find(trial, [](const Sending& one) { return one.failure.has_value(); });
    return found ? &*found->failure : nullptr;
}

void CodeSender::offer(const TrialId& trial, const QString& pod, const QString& podUid, CodeSource code)
{
    if (m_scope.stopToken().stop_requested() || m_sendings.contains({trial, podUid}))
        return;
    const auto sending = std::make_shared<Sending>();
    sending->trial = trial;
    sending->pod = pod;
    sending->code = std::move(code);
    m_sendings.insert_or_assign({trial, podUid}, sending);
    m_queue.push_back(sending);
    if (m_running >= mostAtOnce)
        say(*sending, u"Its pod waits for its code, which is sent when that of others has been."_m);
    next();
}

void CodeSender::end(Sending& sending)
{
    sending.isOver = true;
    sending.stop.request_stop();
    if (auto waking = std::exchange(sending.waking, {}))
        waking->set(true);
}

void CodeSender::keepOnly(const TrialId& trial, const QSet<QString>& podUids)
{
    auto it = m_sendings.lower_bound({trial, QString()});
    while (it != m_sendings.end() && it->first.first == trial) {
        if (podUids.contains(it->first.second)) {
            ++it;
            continue;
        }
        const std::shared_ptr<Sending> sending = it->second;
        m_sendings.erase(it);
        end(*sending);
        it = m_sendings.lower_bound({trial, QString()}); // others may have gone meanwhile
    }
}

void CodeSender::next()
{
    while (m_running < mostAtOnce && !m_queue.empty()) {
        const std::shared_ptr<Sending> sending = m_queue.front().lock();
        m_queue.pop_front();
        if (!sending || sending->isOver || m_scope.stopToken().stop_requested())
            continue;
        ++m_running;
        m_scope.spawn([this, sending] { return run(sending); });
    }
}

void CodeSender::say(Sending& sending, Message text)
{
    sending.state = std::move(text);
    sending.saidAt = m_clock->steadyMs();
    emit changed(sending.trial);
}

Task<> CodeSender::pause(std::shared_ptr<Sending> sending, qint64 ms)
{
    if (sending->isOver)
        co_return;
    OneShot<bool> shot;
    sending->waking = shot;
    const auto timer = m_clock->after(ms, [sending] {
        if (auto waking = std::exchange(sending->waking, {}))
            waking->set(true);
    });
    co_await shot.wait();
}

Task<> CodeSender::run(std::shared_ptr<Sending> sending)
{
    while (!sending->isOver) {
        auto trying = attempt(sending);
        const bool isDone = co_await trying;
        if (isDone)
            break;
        const qint64 delay =
            sending->breaks == 0 ? busyPauseMs : std::min(longestPauseMs, qint64(500) << std::min(sending->breaks, 6));
        auto pausing = pause(sending, delay);
        co_await pausing;
    }
    --m_running;
    next();
}

Task<bool> CodeSender::attempt(std::shared_ptr<Sending> sending)
{
    auto packing = m_codes->packed(sending->code, sending->stop.get_token());
    const Result<package::PackedCode> packed = co_await packing;
    if (sending->isOver)
        co_return true;
    if (!packed) {
        ++sending->breaks;
        say(*sending, u"Its pod waits for its code, which cannot be sent: %1"_m.arg(packed.error().message));
        co_return false;
    }
    const auto archive = std::make_shared<Archive>(packed->path);
    const PodInput input = [this, sending, archive, bytes = packed->bytes]() -> Task<Result<QByteArray>> {
        const bool isDue = sending->state.isEmpty() || m_clock->steadyMs() - sending->saidAt >= sayAgainMs;
        if (isDue && !sending->isOver)
            say(*sending,
                u"Its code is sent into its pod: %1 of %2 MB."_m.arg(megabytes(archive->read()), megabytes(bytes)));
        return m_strand->run([archive] { return archive->next(); });
    };
    const PodCommand command{m_namespace, sending->pod, QString::fromLatin1(codeContainerName),
        {QString::fromLatin1(keeperProgram), u"unpack"_s, QString::fromLatin1(inboxFolder)}, true};
    auto running = runInPod(m_client, command, input, sending->stop.get_token());
    const Result<PodRun> run = co_await running;
    if (sending->isOver)
        co_return true;
    if (!run) {
        // not_found: the pod is gone, or its container has not begun after all; the watch says which.
        ++sending->breaks;
        say(*sending, u"Its pod waits for its code. The last try failed: %1"_m.arg(run.error().message));
        co_return false;
    }
    sending->breaks = 0;
    if (run->exitCode == 0) {
        say(*sending, u"Its code is there; it begins."_m);
        co_return true;
    }
    if (run->exitCode == busyCode)
        co_return false;
    const QString cause = core::printable(QString::fromUtf8(run->errors).trimmed(), 400);
    ++sending->breaks;
    if (++sending->failures < mostFailures) {
        say(*sending, u"Its code could not be unpacked in its pod: %1 It is tried again."_m.arg(cause));
        co_return false;
    }
    sending->failure = Error{Kind::platform, u"its code could not be unpacked in its pod: %1"_m.arg(cause), {}};
    emit changed(sending->trial);
    co_return true;
}

} // namespace platforms::kubernetes
