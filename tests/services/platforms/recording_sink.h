// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/platform.h"

#include <QTest>

#include <array>
#include <map>

namespace platform_test {

using namespace platforms;
using platforms::Platform; // not core's record of that name

/// Keeps every fact in order, puts streams together, and fails the test when bytes do not continue each other.
class RecordingSink : public Sink
{
public:
    struct TrialFacts
    {
        QList<Observation> observations;
        std::array<QByteArray, 3> streams; ///< by Stream, from `first`
        std::array<qint64, 3> first{-1, -1, -1};
        std::array<qint64, 3> next{-1, -1, -1};
        bool recordsAfterEnd = false;

        [[nodiscard]] TrialStatus status() const
        {
            return observations.isEmpty() ? TrialStatus::waiting : observations.last().status;
        }
        [[nodiscard]] bool ended() const { return isFinal(status()); }
        [[nodiscard]] int count(TrialStatus status) const
        {
            return int(std::count_if(
                observations.begin(), observations.end(), [status](const auto& o) { return o.status == status; }));
        }
        /// How often it began to run; where it runs may be told later, by the same word again.
        [[nodiscard]] int begins() const
        {
            int count = 0;
            for (qsizetype i = 0; i < observations.size(); ++i) {
                const Observation& one = observations[i];
                const bool isRepeat = i > 0 && observations[i - 1].status == one.status
                    && observations[i - 1].machine != one.machine && observations[i - 1].attempt == one.attempt;
                count += one.status == TrialStatus::running && !isRepeat ? 1 : 0;
            }
            return count;
        }
        [[nodiscard]] const QByteArray& stream(Stream which) const { return streams[size_t(which)]; }
    };

    void state(PlatformState state, const Message& why) override
    {
        states.append(state);
        remark = why.text();
    }
    void observed(const Observation& observation) override
    {
        QVERIFY2(!closed, "a fact after close()");
        TrialFacts& facts = trials[observation.trial];
        facts.observations.append(observation);
        cursors[observation.trial].journal = std::max(cursors[observation.trial].journal, observation.journalCursor);
    }
    void records(const RecordBytes& bytes) override
    {
        QVERIFY2(!closed, "records after close()");
        TrialFacts& facts = trials[bytes.trial];
        const size_t which = size_t(bytes.stream);
        facts.recordsAfterEnd = facts.recordsAfterEnd || facts.ended();
        if (facts.first[which] < 0)
            facts.first[which] = bytes.offset;
        else if (contiguous)
            QCOMPARE(bytes.offset, facts.next[which]);
        facts.next[which] = bytes.offset + bytes.bytes.size();
        facts.streams[which] += bytes.bytes;
        Cursors& cursor = cursors[bytes.trial];
        (bytes.stream == Stream::nni           ? cursor.nni
                : bytes.stream == Stream::file ? cursor.file
                                               : cursor.stdoutLines) = facts.next[which];
        cursor.attempt = bytes.attempt;
        if (!bytes.platformCursor.isEmpty())
            cursor.platform = bytes.platformCursor;
        ++recordCalls;
        recordBytes += bytes.bytes.size();
    }
    void machines(const QList<Machine>& list) override { machineLists.append(list); }
    void lost(const MachineId& machine, qint64) override { losses.append(machine); }
    void finding(const OperationId&, const CheckStep& step) override { findings.append(step); }
    void progress(const TrialId& trial, const Message& text) override { progresses[trial].append(text); }
    void note(const TrialId&, TrialEventKind, const Message& text) override { notes.append(text); }
    void prompt(const Prompt&, std::function<void(PromptAnswer)>) override { QFAIL("a question that nobody expects"); }

    [[nodiscard]] const TrialFacts& of(const TrialId& trial) { return trials[trial]; }

    std::map<TrialId, TrialFacts> trials;
    std::map<TrialId, Cursors> cursors; ///< as the service would keep them
    QList<PlatformState> states;
    QString remark; ///< with the last state
    QList<QList<Machine>> machineLists;
    QList<MachineId> losses;
    QList<CheckStep> findings;
    QStringList notes;
    std::map<TrialId, QStringList> progresses;
    qint64 recordCalls = 0;
    qint64 recordBytes = 0;
    bool contiguous = true; ///< streams are sent whole (not so stdout in mode sdk)
    bool closed = false;
};

} // namespace platform_test
