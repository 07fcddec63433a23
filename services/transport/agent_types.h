// SPDX-License-Identifier: GPL-3.0-or-later
// Values that an AgentClient takes and gives.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QHash>
#include <QString>

#include <optional>

namespace transport {

using namespace core;

/// How far each stream of a trial, and its journal, was received.
struct AgentCursors
{
    qint64 nni = 0;
    qint64 file = 0;
    qint64 standardOutput = 0;
    qint64 journal = 0;

    bool operator==(const AgentCursors&) const = default;
};

/// What an agent says of itself and its machine.
struct AgentHello
{
    QString arch;
    QString bootId;
    QString hostname;
    QString user;
    QString base; ///< DIR, absolute
    int cpuCount = 0;
    qint64 memoryTotal = 0;
    qint64 time = 0;
    /// State of every trial that has not ended, and of those that were named to the agent: `running`, `ended`, `prepared`, `unknown`.
    QHash<QString, QString> trials;
};

struct StartOutcome
{
    QString trial;
    qint64 pid = 0;
    bool repeat = false;  ///< it had been started before
    bool unknown = false; ///< not known yet; AgentClient::startResolved() says it later
    std::optional<Error> error;
    QString gpu = {}; ///< of an error that concerns one of the trial's GPUs alone: its uuid
};

/// Bytes of one stream of a trial; `next` is the cursor behind them.
struct AgentRecords
{
    QString trial;
    QString stream; ///< trialkeeper::stream
    qint64 offset = 0;
    qint64 next = 0;
    qint64 time = 0;
    bool reset = false; ///< the record before `offset` will not be finished
    QByteArray bytes;
};

struct AgentData
{
    QByteArray bytes;
    qint64 offset = 0;  ///< of the first byte
    qint64 size = 0;    ///< of the file
    bool ended = false; ///< of a followed file: nothing will follow
};

struct AgentFile
{
    QString path;
    qint64 size = 0;
    qint64 modified = 0;
    QString type;    ///< file, folder, link, other
    Message message; ///< why it cannot be listed or read; usually empty
};

struct AgentFiles
{
    QList<AgentFile> files;
    QString next; ///< start of the next page; empty at the end
};

/// How long after a link's end the next one is made.
struct AgentReconnect
{
    qint64 firstMs = 100; ///< doubled with each failure
    qint64 longestMs = 5'000;
    qint64 personMs = 5'000; ///< after what only a person can mend (a refused login, a changed host key)
    double jitter = 0;       ///< up to this part of it is added: a hundred machines do not come back in one moment
    /// personMs is doubled up to this with each refusal in a row, as programs that ban count them; 0: it stays as it is. The row ends
    /// with a login, a person's answer, and reconnectNow().
    qint64 longestPersonMs = 0;
};

/// The trials that are watched, with how far each was received.
using WatchedTrials = QHash<QString, AgentCursors>;

} // namespace transport
