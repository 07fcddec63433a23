// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/client/engine_client.h"

#include <QObject>

namespace models {

struct TrialFile
{
    QString path; ///< below the trial's output folder
    qint64 size = 0;
    qint64 modified = 0;
    bool isFolder = false;
};

/// What is told of one trial beyond its record: its journal, the names of its logs, its output files. Asked for when it is
/// looked at. GUI thread.
class TrialDetails : public QObject
{
    Q_OBJECT
public:
    explicit TrialDetails(client::EngineClient& client, QObject* parent = nullptr);

    void setTrial(const core::TrialId& trial);
    [[nodiscard]] const core::TrialId& trial() const { return m_trial; }

    /// Each asks, and tells by its signal. New events are added to those known.
    void readEvents();
    void readLogNames();
    void readFiles();
    /// The bytes of one output file, up to `limit`; `done` on this thread, unless the trial changed meanwhile.
    void readFile(const QString& path, qint64 limit, std::function<void(core::Result<api::Reply>)> done);

    [[nodiscard]] const QList<core::TrialEvent>& events() const { return m_events; }
    [[nodiscard]] const QStringList& logNames() const { return m_logNames; }
    [[nodiscard]] const QList<TrialFile>& files() const { return m_files; }
    [[nodiscard]] const QString& filesMessage() const { return m_filesMessage; }

signals:
    void eventsChanged();
    void logNamesChanged();
    void filesChanged();

private:
    /// Asks, and drops the answer when another trial is shown by then.
    void ask(api::Command command, std::function<void(const core::Result<api::Reply>&)> done);

    client::EngineClient& m_client;
    core::TrialId m_trial;
    int m_generation = 0;
    bool m_isReadingEvents = false;
    qint64 m_nextEvent = 0;
    QList<core::TrialEvent> m_events;
    QStringList m_logNames;
    QList<TrialFile> m_files;
    QString m_filesMessage;
};

} // namespace models
