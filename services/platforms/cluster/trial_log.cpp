// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_log.h"

#include "services/core/json.h"
#include "services/platforms/keeper/keeper_events.h"
#include "services/transport/wire_json.h"

#include <array>

using namespace Qt::StringLiterals;

namespace platforms {

using trialkeeper::PodLogCursor;
using trialkeeper::PodLogPiece;
using trialkeeper::PodStream;

namespace {

struct Place
{
    PodLogCursor log;
    qint64 offset = 0;
    QByteArray identity;
    JobRuns runs;
};

/// An array of one level, so that 1 KiB is never reached: offset, identity, run, attempt, hasRun, restarts, foreseen, offsets of the
/// streams, earlier runs.
QByteArray placeText(const Place& place)
{
    Json json = Json::array({1, place.offset, QString::fromLatin1(place.identity.toBase64()).left(200), place.log.run,
        place.runs.attempt, place.runs.hasRun, place.runs.restarts, place.runs.foreseen, place.log.ended});
    for (const std::uint64_t next : place.log.next)
        json.push_back(next);
    for (const std::string& run : place.log.earlierRuns)
        json.push_back(run);
    return dumpJson(json);
}

bool isRun(const Json& value)
{
    return value.is_string() && value.get_ref<const std::string&>().size() <= 16;
}

std::optional<Place> readPlace(const QByteArray& text)
{
    constexpr size_t streams = 9;
    constexpr size_t earlier = streams + trialkeeper::podByteStreams + 1;
    const auto json = parseJson(text);
    if (!json || !json->is_array() || json->size() < earlier || json->size() > earlier + PodLogCursor::maxEarlierRuns)
        return std::nullopt;
    const Json& list = *json;
    for (const size_t number : {0, 1, 4, 6, 7})
        if (!list[number].is_number_integer() || list[number].get<qint64>() < 0)
            return std::nullopt;
    if (list[0] != 1 || !list[2].is_string() || !isRun(list[3]) || !list[5].is_boolean() || !list[8].is_boolean())
        return std::nullopt;
    Place place;
    place.offset = list[1].get<qint64>();
    place.identity = QByteArray::fromBase64(QByteArray::fromStdString(list[2].get<std::string>()));
    place.log.run = list[3].get<std::string>();
    place.runs = {
        int(list[4].get<qint64>()), list[5].get<bool>(), int(list[6].get<qint64>()), int(list[7].get<qint64>())};
    place.log.ended = list[8].get<bool>();
    for (size_t i = 0; i < place.log.next.size(); ++i) {
        if (!list[streams + i].is_number_integer() || list[streams + i].get<qint64>() < 0)
            return std::nullopt;
        place.log.next[i] = list[streams + i].get<std::uint64_t>();
    }
    for (size_t i = earlier; i < list.size(); ++i) {
        if (!isRun(list[i]))
            return std::nullopt;
        place.log.earlierRuns.push_back(list[i].get<std::string>());
    }
    return place;
}

std::optional<Stream> streamOf(PodStream stream, StdoutWatch watch)
{
    switch (stream) {
    case PodStream::nni:
        return Stream::nni;
    case PodStream::file:
        return Stream::file;
    case PodStream::standardOutput:
        return watch == StdoutWatch::none ? std::nullopt : std::optional(Stream::stdout_lines);
    case PodStream::standardError:
    case PodStream::events:
        break;
    }
    return std::nullopt;
}

} // namespace

TrialLog::TrialLog(const TrialId& trial, const Cursors& cursors, StdoutWatch watch, bool isKept, const QString& part)
    : m_trial(trial)
    , m_watch(watch)
    , m_isKept(isKept)
    , m_part(part)
    , m_reader(trial.value.toStdString())
{
    if (const auto place = readPlace(cursors.platform)) {
        m_reader = trialkeeper::PodLogReader(trial.value.toStdString(), place->log);
        m_offset = m_lineStart = place->offset;
        m_identity = place->identity;
        m_runs = place->runs;
    }
}

QByteArray TrialLog::cursor(const JobRuns& runs) const
{
    return placeText({m_reader.cursor(), m_lineStart, m_identity, runs});
}

void TrialLog::restart()
{
    m_offset = m_lineStart = 0;
    m_identity.clear();
    m_reader.reconnected();
}

TrialLog::Taken TrialLog::take(const QByteArray& bytes, const QByteArray& identity, qint64 now, JobRuns& runs)
{
    Taken taken;
    std::vector<PodLogPiece> pieces;
    m_identity = identity;
    const std::string run = m_reader.cursor().run;
    m_reader.feed(std::string_view(bytes.constData(), size_t(bytes.size())), pieces);
    if (const qsizetype end = bytes.lastIndexOf('\n'); end >= 0)
        m_lineStart = m_offset + end + 1;
    m_offset += bytes.size();
    if (m_isKept)
        taken.kept = keptPieces(pieces, run, m_part);
    for (PodLogPiece& piece : pieces) {
        switch (piece.kind) {
        case PodLogPiece::Kind::run:
            runs.runSeen();
            break;
        case PodLogPiece::Kind::bytes:
            if (const auto stream = streamOf(piece.stream, m_watch)) {
                RecordBytes record;
                record.trial = m_trial;
                record.stream = *stream;
                record.offset = qint64(piece.offset);
                record.bytes = QByteArray::fromStdString(piece.bytes);
                record.time = now;
                record.reset = piece.reset;
                record.attempt = runs.attempt;
                taken.records.push_back(std::move(record));
            }
            break;
        case PodLogPiece::Kind::event:
        case PodLogPiece::Kind::end:
            if (const auto json = parseJson(QByteArray::fromStdString(piece.bytes)))
                if (auto event = observationOf(m_trial, *json)) {
                    event->journalCursor = 0; // of an agent's journal
                    event->attempt = runs.attempt;
                    if (event->status == TrialStatus::running)
                        m_node = transport::lineOf(*json, "node", 64);
                    taken.events.push_back(std::move(*event));
                }
            break;
        case PodLogPiece::Kind::gap:
            taken.notes.push_back(u"%1 bytes of %2 are missing in its log."_m.arg(
                piece.next - piece.offset, QString::fromLatin1(trialkeeper::podStreamWord(piece.stream))));
            break;
        case PodLogPiece::Kind::outside:
            break; // the cluster's own words
        }
    }
    if (!m_saidDamage && m_reader.damagedLines() > 0) {
        m_saidDamage = true;
        taken.notes.push_back(u"A line of its log is damaged: something else may write to the file."_m);
    }
    if (!taken.records.empty())
        taken.records.back().platformCursor = cursor(runs);
    else if (!taken.events.empty())
        taken.events.back().platformCursor = cursor(runs);
    return taken;
}

} // namespace platforms
