// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_opener.h"

#include "main_window.h"
#include "window_environment.h"

#include "models/background.h"
#include "ui/experiments/open_experiment_dialog.h"
#include "ui/kit/actions.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPointer>
#include <QSettings>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

/// Whether the path is an experiment folder or a database of NNI.
bool isOldExperiment(const QString& path)
{
    const QFileInfo info(path);
    return info.isDir() ? QFileInfo::exists(path + u"/db/nni.sqlite"_s) : info.suffix().toLower() == u"sqlite"_s;
}

} // namespace

FileOpener::FileOpener(const PageContext& context, WindowEnvironment& environment, QWidget& window)
    : QObject(&window)
    , m_context(context)
    , m_environment(environment)
    , m_window(window)
{
}

QString FileOpener::fileOf(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    const QString path = urls.size() == 1 ? urls.first().toLocalFile() : QString();
    static const QStringList endings{u"yml"_s, u"yaml"_s, u"json"_s};
    const bool opens = endings.contains(QFileInfo(path).suffix().toLower()) || isOldExperiment(path);
    return opens ? path : QString();
}

void FileOpener::choose()
{
    const QString folder = QSettings().value(u"folders/open"_s).toString();
    const QString path = QFileDialog::getOpenFileName(&m_window, MainWindow::tr("Open an experiment's file"), folder,
        MainWindow::tr("Experiments (*.yml *.yaml *.json *.sqlite)") + u";;"_s + MainWindow::tr("All files (*)"));
    if (path.isEmpty())
        return;
    QSettings().setValue(u"folders/open"_s, QFileInfo(path).absolutePath());
    open(path);
}

void FileOpener::chooseOld()
{
    const QString usual = QDir::homePath() + u"/nni-experiments"_s;
    const QString path =
        QFileDialog::getExistingDirectory(&m_window, MainWindow::tr("Open an old experiment of NNI"), usual);
    if (!path.isEmpty())
        openOld(path);
}

void FileOpener::openOld(const QString& path)
{
    m_environment.openOldExperiment(path, m_context.theme, [self = QPointer(this)](const core::Result<>& opened) {
        if (self && !opened)
            self->m_context.actions.error(opened.error());
    });
}

void FileOpener::open(const QString& path)
{
    if (isOldExperiment(path)) {
        openOld(path);
        return;
    }
    models::inBackground(
        this, m_environment.planReader(path), [this](const core::Result<models::ExperimentPlan>& plan) {
            if (!plan) {
                m_context.actions.error(plan.error());
                return;
            }
            auto* dialog = new OpenExperimentDialog(m_context, *plan, &m_window);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->open();
        });
}

} // namespace ui
