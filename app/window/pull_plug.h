// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "ui/start/plug_run.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

namespace client {
class HttpEngineClient;
}

namespace app {

/// Help, Pull the plug: a service in a data directory of its own gets eight trials, is killed with SIGKILL, stays away for a while, and
/// is started again. Everything is told by what was seen. When it is destroyed its service is told to end; nobody waits for that,
/// and the folder goes with it.
class PullPlug : public ui::PlugRun
{
    Q_OBJECT
public:
    /// `daemon` is the program that serves.
    explicit PullPlug(QString daemon);
    ~PullPlug() override;

    void start() override;

private:
    enum class Stage { starting, filling, away, returning, after, reading, done };

    void startService();
    void tick();
    void connectTo();
    void fill();
    void pullPlug();
    void checkAdopted();
    void readValues();
    void finish(const QString& problem = {});
    void say(const QString& text, bool bad = false);
    [[nodiscard]] int countStarts(qint64 sequence) const;
    [[nodiscard]] QList<qint64> reportTimes(qint64 sequence) const;

    const QString m_daemon;
    std::shared_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_service;
    QTimer m_timer;
    Stage m_stage = Stage::starting;
    qint64 m_stageSince = 0;
    std::unique_ptr<client::HttpEngineClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    core::ExperimentId m_experiment;
    QList<core::TrialId> m_running;
    int m_unread = 0;
};

} // namespace app
