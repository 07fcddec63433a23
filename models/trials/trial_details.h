// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/client/engine_client.h"

#include <QObject>

namespace models {

struct TrialFile
{
    QString path; ///< below the trial's output folder
    qint64 size = 0;
    qint64 modified = 0; ///< milliseconds since the epoch
    bool isFolder = false;
};

/// Data of one trial that is not in its record: its journal, the names of its logs, its output files. Requested when shown. GUI
/// thread.
class TrialDetails : public QObject
{
    Q_OBJECT
public:
    /// `client` is not owned and must outlive this.
    explicit TrialDetails(client::EngineClient& client, QObject* parent = nullptr);

    void setTrial(const core::TrialId& trial);
    [[nodiscard]] const core::TrialId& trial() const { return m_trial; }

    /// Each sends a request and emits its signal when the answer arrives. New events are appended to the known ones.
    void readEvents();
    void readLogNames();
    void readFiles();
    /// Reads up to `limit` bytes of an output file. `done` is called on the GUI thread, unless another trial was set before.
    void readFile(const QString& path, qint64 limit, std::function<void(core::Result<api::Reply>)> done);

    [[nodiscard]] const QList<core::TrialEvent>& events() const { return m_events; }
    [[nodiscard]] const QStringList& logNames() const { return m_logNames; }
    /// The one with what the trial prints, as the service says; empty until the names were read.
    [[nodiscard]] const QString& outputLog() const { return m_outputLog; }
    [[nodiscard]] const QList<TrialFile>& files() const { return m_files; }
    /// The folder holds more entries than files() has, which is a request's limit.
    [[nodiscard]] bool hasMoreFiles() const { return m_hasMoreFiles; }
    [[nodiscard]] const QString& filesMessage() const { return m_filesMessage; }
    /// Whether a request for files() has ended; filesChanged() is emitted when one does.
    [[nodiscard]] bool knowsFiles() const { return m_knowsFiles; }

signals:
    void eventsChanged();
    void logNamesChanged();
    void filesChanged();

private:
    /// Sends a command; the answer is dropped if another trial was set before.
    void ask(api::Command command, std::function<void(const core::Result<api::Reply>&)> done);

    client::EngineClient& m_client;
    core::TrialId m_trial;
    int m_generation = 0;
    bool m_isReadingEvents = false;
    qint64 m_nextEvent = 0;
    QList<core::TrialEvent> m_events;
    QStringList m_logNames;
    QString m_outputLog;
    QList<TrialFile> m_files;
    QString m_filesMessage;
    bool m_hasMoreFiles = false;
    bool m_knowsFiles = false;
};

} // namespace models
