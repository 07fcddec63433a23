// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include "ui/kit/save_as.h"

#include "services/core/message/localized.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPixmap>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int settleMs = 1'000;    ///< delay for pending requests of pages and a repaint
constexpr int deadlineMs = 30'000; ///< limit for the service's answer
constexpr int demoDeadlineMs = 120'000;

} // namespace

Screenshot::Screenshot(MainWindow& window, models::EngineMirror& mirror, QString file, bool demo, QWidget* drawn)
    : m_window(window)
    , m_drawn(drawn ? drawn : &window)
    , m_mirror(mirror)
    , m_file(std::move(file))
    , m_demo(demo)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMs);
    connect(&m_settle, &QTimer::timeout, this, &Screenshot::save);
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        emit done(m_demo ? tr("The demo did not end within %1 seconds.").arg(demoDeadlineMs / 1'000)
                         : tr("The service did not answer within %1 seconds.").arg(deadlineMs / 1'000));
    });
    m_deadline.start(demo ? demoDeadlineMs : deadlineMs);
    connect(&mirror, &models::EngineMirror::changed, this, &Screenshot::look);
    connect(&window, &MainWindow::demoStarted, this, [this](const core::ExperimentId& id) {
        m_experiment = id;
        look();
    });
}

void Screenshot::look()
{
    if (!m_mirror.state().isReady() || m_settle.isActive())
        return;
    if (m_demo) {
        const core::ExperimentPtr experiment = m_mirror.state().experiments().find(m_experiment);
        if (!experiment)
            return;
        const bool ended = experiment->state == core::ExperimentState::done
            || experiment->state == core::ExperimentState::stopped || experiment->state == core::ExperimentState::error;
        for (const core::TrialPtr& trial : m_mirror.state().trialsOf(m_experiment))
            if (!core::isFinal(trial->status))
                return;
        if (!ended)
            return;
    }
    m_settle.start();
}

void Screenshot::save()
{
    if (m_mirror.pendingCommands() > 0) { // a curve or a log is still being loaded
        m_settle.start();
        return;
    }
    if (!m_chose && m_window.page()->objectName() == u"trials"_s) {
        // Show the inspector with the best trial.
        m_chose = true;
        m_window.showBest();
        m_settle.start();
        return;
    }
    m_deadline.stop();
    const QPixmap picture = m_drawn->grab(); // rendered, so that other windows cannot cover it
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    const bool isDrawn = picture.save(&bytes, QFileInfo(m_file).suffix().toLatin1().constData());
    const core::Result<> written = isDrawn ? writeFile(m_file, bytes.data()) : core::Result<>();
    emit done(!isDrawn ? tr("%1 cannot be written.").arg(m_file)
            : written  ? QString()
                       : core::localized(written.error().message));
}

} // namespace ui
