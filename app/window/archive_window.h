// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/engine_mirror.h"
#include "services/client/archive_client.h"
#include "services/nni/old_experiment.h"

#include <QObject>

namespace ui {
class MainWindow;
class Theme;
} // namespace ui

namespace app {

/// What NNI left of an experiment, as records of ours. Its trials keep NNI's ids as those of their caller.
[[nodiscard]] client::Archive archiveOf(const nni::OldExperiment& old);

/// A window over an archive: everything can be looked at and nothing changed. Deletes itself when it is closed.
class ArchiveWindow : public QObject
{
    Q_OBJECT
public:
    ArchiveWindow(const nni::OldExperiment& old, const QString& folder, ui::Theme& theme, QObject* parent);
    ~ArchiveWindow() override;

    [[nodiscard]] ui::MainWindow& window() { return *m_window; }

private:
    class Environment;

    std::unique_ptr<client::ArchiveClient> m_client;
    std::unique_ptr<models::EngineMirror> m_mirror;
    std::unique_ptr<Environment> m_environment;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace app
