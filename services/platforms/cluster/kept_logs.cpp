// SPDX-License-Identifier: GPL-3.0-or-later
#include "kept_logs.h"

#include "services/platforms/commands/folder_types.h"

#include <QDir>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

/// Logs whose ends are remembered; of others they are looked up again.
constexpr size_t mostRemembered = 10'000;

constexpr auto outputLog = "stdout"_L1;
constexpr auto errorLog = "stderr"_L1;

bool isOfPart(const QString& log)
{
    return log != outputLog && log != errorLog;
}

} // namespace

QList<KeptPiece> keptPieces(
    const std::vector<trialkeeper::PodLogPiece>& pieces, const std::string& run, const QString& part)
{
    using Kind = trialkeeper::PodLogPiece::Kind;
    using trialkeeper::PodStream;
    QList<KeptPiece> kept;
    QByteArray current = QByteArray::fromStdString(run);
    for (const trialkeeper::PodLogPiece& piece : pieces) {
        if (piece.kind == Kind::run)
            current = QByteArray::fromStdString(piece.bytes);
        const bool isStream = piece.stream == PodStream::standardOutput || piece.stream == PodStream::standardError;
        if (!isStream || (piece.kind != Kind::bytes && piece.kind != Kind::gap))
            continue;
        const bool isOutput = piece.stream == PodStream::standardOutput;
        const QString own = isOutput ? outputLog : errorLog;
        const QString log = part.isEmpty() ? own : isOutput ? part : part + u'.' + own;
        if (piece.kind == Kind::gap)
            kept += {log, current, qint64(piece.next), {}};
        else
            kept += {log, current, qint64(piece.offset), QByteArray::fromStdString(piece.bytes)};
    }
    return kept;
}

class KeptLogs::Files
{
public:
    Files(QString folder, qint64 limit)
        : m_folder(std::move(folder))
        , m_limit(limit)
    {
    }
    Result<> append(const QString& trial, const QList<KeptPiece>& pieces)
    {
        for (const KeptPiece& piece : pieces) {
            if (const Result<> appended = at(trial, piece.log).append(piece.run, piece.offset, piece.bytes); !appended)
                return fail(appended, u"The log of trial %1 cannot be kept"_m.arg(trial));
        }
        return {};
    }
    Result<Bytes> read(const QString& trial, const QString& log, const ReadRange& range, bool ended)
    {
        return at(trial, log).read(range, ended);
    }
    [[nodiscard]] QStringList names(const QString& trial) const
    {
        QStringList all = QDir(m_folder + u'/' + trial).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        // The trial's own, then by part, whose names end in numbers.
        const auto rank = [](const QString& log) {
            const qsizetype dash = log.lastIndexOf(u'-');
            const int index = log.mid(dash + 1).section(u'.', 0, 0).toInt();
            return std::tuple(isOfPart(log), log == errorLog, log.left(dash), index, log);
        };
        std::sort(all.begin(), all.end(), [&rank](const QString& a, const QString& b) { return rank(a) < rank(b); });
        return all;
    }
    Result<> remove(const QStringList& trials)
    {
        Result<> result;
        for (const QString& trial : trials) {
            std::erase_if(m_logs, [&trial](const auto& entry) { return entry.first.first == trial; });
            const QString folder = m_folder + u'/' + trial;
            if (!QDir(folder).removeRecursively())
                result = fail(Kind::resource, u"The kept log %1 cannot be removed."_m.arg(folder));
        }
        return result;
    }

private:
    KeptLog& at(const QString& trial, const QString& log)
    {
        if (m_logs.size() >= mostRemembered)
            m_logs.clear();
        const qint64 limit = isOfPart(log) ? m_limit / 8 : m_limit / 2;
        return m_logs.try_emplace({trial, log}, m_folder + u'/' + trial + u'/' + log, limit).first->second;
    }

    QString m_folder;
    qint64 m_limit;
    std::map<std::pair<QString, QString>, KeptLog> m_logs; ///< by trial and name
};

KeptLogs::KeptLogs(QString folder, qint64 limit)
    : m_files(std::make_shared<Files>(std::move(folder), limit))
    , m_strand(std::make_shared<Strand>(u"kept-logs"_s))
{
}

KeptLogs::~KeptLogs() = default;

static Result<> checkedTrials(const QList<TrialId>& trials)
{
    for (const TrialId& trial : trials)
        if (!isFolderPath(trial.value) || trial.value.contains(u'/'))
            return fail(Kind::invalid, u"\"%1\" is no trial whose log is kept."_m.arg(trial.value));
    return {};
}

static Result<> checkedLog(const QString& log)
{
    if (!isFolderPath(log) || log.contains(u'/'))
        return fail(Kind::invalid, u"\"%1\" is no log that is kept."_m.arg(log));
    return {};
}

Task<Result<>> KeptLogs::append(TrialId trial, QList<KeptPiece> pieces)
{
    Result<> checked = checkedTrials({trial});
    for (const KeptPiece& piece : pieces)
        if (checked)
            checked = checkedLog(piece.log);
    if (!checked || pieces.isEmpty())
        co_return checked;
    const auto strand = m_strand; // it may be the last that holds it, and does so on this thread
    auto appending = strand->run([files = m_files, trial, pieces] { return files->append(trial.value, pieces); });
    Result<> result = co_await appending;
    co_return result;
}

Task<Result<Bytes>> KeptLogs::read(TrialId trial, QString log, ReadRange range, bool ended)
{
    Result<> checked = checkedTrials({trial});
    if (checked)
        checked = checkedLog(log);
    if (!checked)
        co_return fail(checked);
    const auto strand = m_strand;
    auto reading = strand->run(
        [files = m_files, trial, log, range, ended] { return files->read(trial.value, log, range, ended); });
    Result<Bytes> result = co_await reading;
    co_return result;
}

Task<QStringList> KeptLogs::names(TrialId trial)
{
    if (!checkedTrials({trial}))
        co_return QStringList();
    const auto strand = m_strand;
    auto looking = strand->run([files = m_files, trial] { return files->names(trial.value); });
    QStringList result = co_await looking;
    co_return result;
}

Task<Result<>> KeptLogs::remove(QList<TrialId> trials)
{
    if (const Result<> checked = checkedTrials(trials); !checked || trials.isEmpty())
        co_return checked;
    QStringList names;
    for (const TrialId& trial : trials)
        names += trial.value;
    const auto strand = m_strand;
    auto removing = strand->run([files = m_files, names] { return files->remove(names); });
    Result<> result = co_await removing;
    co_return result;
}

} // namespace platforms
