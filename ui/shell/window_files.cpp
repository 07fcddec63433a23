// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that opens files: by the menu, the palette, or dropped on it.
#include "main_window.h"

#include "window_environment.h"

#include "models/background.h"
#include "ui/experiments/open_experiment_dialog.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPointer>
#include <QSettings>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

/// A folder or a database that NNI left.
bool isOldExperiment(const QString& path)
{
    const QFileInfo info(path);
    return info.isDir() ? QFileInfo::exists(path + u"/db/nni.sqlite"_s) : info.suffix().toLower() == u"sqlite"_s;
}

/// The one local file of a drag that can be opened; empty: none.
QString fileOf(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    const QString path = urls.size() == 1 ? urls.first().toLocalFile() : QString();
    static const QStringList endings{u"yml"_s, u"yaml"_s, u"json"_s};
    const bool opens = endings.contains(QFileInfo(path).suffix().toLower()) || isOldExperiment(path);
    return opens ? path : QString();
}

} // namespace

void MainWindow::chooseFile()
{
    const QString folder = QSettings().value(u"folders/open"_s).toString();
    const QString path = QFileDialog::getOpenFileName(this, tr("Open an experiment's file"), folder,
        tr("Experiments (*.yml *.yaml *.json *.sqlite)") + u";;"_s + tr("All files (*)"));
    if (path.isEmpty())
        return;
    QSettings().setValue(u"folders/open"_s, QFileInfo(path).absolutePath());
    openFile(path);
}

void MainWindow::chooseOldExperiment()
{
    const QString usual = QDir::homePath() + u"/nni-experiments"_s;
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open an old experiment of NNI"), usual);
    if (!path.isEmpty())
        openOldExperiment(path);
}

void MainWindow::openOldExperiment(const QString& path)
{
    m_environment.openOldExperiment(path, m_theme, [self = QPointer(this)](const core::Result<>& opened) {
        if (self && !opened)
            self->error(opened.error());
    });
}

void MainWindow::openFile(const QString& path)
{
    if (isOldExperiment(path)) {
        openOldExperiment(path);
        return;
    }
    models::inBackground(
        this, m_environment.planReader(path), [this](const core::Result<models::ExperimentPlan>& plan) {
            if (!plan) {
                error(plan.error());
                return;
            }
            auto* dialog = new OpenExperimentDialog(PageContext{m_mirror, m_selection, m_theme, *this}, *plan, this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->open();
        });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!fileOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString path = fileOf(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    openFile(path);
}

} // namespace ui
