// SPDX-License-Identifier: GPL-3.0-or-later
#include "kept_logs.h"

#include "folder_types.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

/// Logs whose ends are remembered; of others they are looked up again.
constexpr size_t mostRemembered = 10'000;

} // namespace

QList<KeptPiece> keptPieces(const std::vector<trialkeeper::PodLogPiece>& pieces, const std::string& run)
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
        const auto stream =
            piece.stream == PodStream::standardOutput ? KeptStream::standardOutput : KeptStream::standardError;
        if (piece.kind == Kind::gap)
            kept += {stream, current, qint64(piece.next), {}};
        else
            kept += {stream, current, qint64(piece.offset), QByteArray::fromStdString(piece.bytes)};
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
            if (const Result<> appended = at(trial, piece.stream).append(piece.run, piece.offset, piece.bytes);
                !appended)
                return fail(appended, u"The log of trial %1 cannot be kept"_m.arg(trial));
        }
        return {};
    }
    Result<Bytes> read(const QString& trial, KeptStream stream, const ReadRange& range, bool ended)
    {
        return at(trial, stream).read(range, ended);
    }
    [[nodiscard]] bool has(const QString& trial) const { return QFileInfo::exists(m_folder + u'/' + trial); }
    Result<> remove(const QStringList& trials)
    {
        Result<> result;
        for (const QString& trial : trials) {
            m_logs.erase({trial, KeptStream::standardOutput});
            m_logs.erase({trial, KeptStream::standardError});
            const QString folder = m_folder + u'/' + trial;
            if (!QDir(folder).removeRecursively())
                result = fail(Kind::resource, u"The kept log %1 cannot be removed."_m.arg(folder));
        }
        return result;
    }

private:
    KeptLog& at(const QString& trial, KeptStream stream)
    {
        if (m_logs.size() >= mostRemembered)
            m_logs.clear();
        const QString name = stream == KeptStream::standardOutput ? u"stdout"_s : u"stderr"_s;
        return m_logs.try_emplace({trial, stream}, m_folder + u'/' + trial + u'/' + name, m_limit / 2).first->second;
    }

    QString m_folder;
    qint64 m_limit;
    std::map<std::pair<QString, KeptStream>, KeptLog> m_logs;
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

Task<Result<>> KeptLogs::append(TrialId trial, QList<KeptPiece> pieces)
{
    if (const Result<> checked = checkedTrials({trial}); !checked || pieces.isEmpty())
        co_return checked;
    const auto strand = m_strand; // it may be the last that holds it, and does so on this thread
    auto appending = strand->run([files = m_files, trial, pieces] { return files->append(trial.value, pieces); });
    Result<> result = co_await appending;
    co_return result;
}

Task<Result<Bytes>> KeptLogs::read(TrialId trial, KeptStream stream, ReadRange range, bool ended)
{
    if (const Result<> checked = checkedTrials({trial}); !checked)
        co_return fail(checked);
    const auto strand = m_strand;
    auto reading = strand->run(
        [files = m_files, trial, stream, range, ended] { return files->read(trial.value, stream, range, ended); });
    Result<Bytes> result = co_await reading;
    co_return result;
}

Task<bool> KeptLogs::has(TrialId trial)
{
    if (!checkedTrials({trial}))
        co_return false;
    const auto strand = m_strand;
    auto looking = strand->run([files = m_files, trial] { return files->has(trial.value); });
    const bool result = co_await looking;
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
