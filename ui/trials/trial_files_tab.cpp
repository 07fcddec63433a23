// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_files_tab.h"

#include "models/format.h"
#include "models/printable.h"
#include "models/trials/trial_details.h"
#include "ui/kit/actions.h"
#include "ui/kit/age_column.h"
#include "ui/kit/fact_list.h"
#include "ui/kit/icons.h"
#include "ui/kit/save_as.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QStandardPaths>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace ui {

constexpr qint64 largestFile = 256LL * 1024 * 1024;

TrialFilesTab::TrialFilesTab(const PageContext& context, models::TrialDetails& details, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_details(details)
    , m_files(new FactList({tr("File"), tr("Size"), tr("Changed")}, tr("Output files"), this))
    , m_message(makeQuietLabel({}, TextSize::body, this))
{
    m_files->header()->setStretchLastSection(false);
    m_files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_files->setContextMenuPolicy(Qt::CustomContextMenu);
    m_message->setWordWrap(true);
    m_message->setMargin(metrics::margin);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    layout->addWidget(m_files, 1);
    keepAges(*m_files, 2);
    connect(&details, &models::TrialDetails::filesChanged, this, &TrialFilesTab::fill);
    connect(m_files, &QTreeWidget::itemActivated, this,
        [this](QTreeWidgetItem* item) { open(item->data(0, Qt::UserRole).toString()); });
    connect(m_files, &QWidget::customContextMenuRequested, this, &TrialFilesTab::openMenu);
}

void TrialFilesTab::fill()
{
    m_files->clear();
    for (const models::TrialFile& file : m_details.files()) {
        auto* row = new QTreeWidgetItem(m_files,
            {models::printable(file.path, 400), file.isFolder ? QString() : models::bytesText(file.size), QString()});
        row->setIcon(0, icons::icon(themeOf(*this), file.isFolder ? u"folder"_s : u"file"_s));
        row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        setAge(*row, 2, file.modified);
        if (!file.isFolder)
            row->setData(0, Qt::UserRole, file.path);
    }
    m_message->setVisible(m_details.files().isEmpty() || m_details.hasMoreFiles());
    m_message->setText(m_details.hasMoreFiles() ? tr("The first %n files are shown. All come with `trialdeck pull`.",
                           nullptr, int(m_details.files().size()))
            : !m_details.knowsFiles()           ? tr("Loading …")
            : m_details.filesMessage().isEmpty()
            ? tr("No files yet. What the trial writes into TRIALDECK_OUTPUT_DIR appears here.")
            : m_details.filesMessage());
}

void TrialFilesTab::openMenu(const QPoint& at)
{
    const QTreeWidgetItem* item = m_files->itemAt(at);
    const QString path = item ? item->data(0, Qt::UserRole).toString() : QString();
    if (path.isEmpty())
        return;
    QMenu menu(this);
    menu.addAction(tr("Open"), this, [this, path] { open(path); });
    menu.addAction(tr("Save as…"), this, [this, path] { save(path); });
    menu.exec(m_files->viewport()->mapToGlobal(at));
}

void TrialFilesTab::open(const QString& path)
{
    if (path.isEmpty())
        return;
    const QDir folder(
        QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + u"/files/"_s + m_details.trial().value);
    folder.mkpath(u"."_s);
    const QString target = folder.filePath(QFileInfo(path).fileName());
    bring(path, target, [target] { QDesktopServices::openUrl(QUrl::fromLocalFile(target)); });
}

void TrialFilesTab::save(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::DownloadLocation));
    const QString target = QFileDialog::getSaveFileName(this, tr("Save %1").arg(name), folder.filePath(name));
    if (!target.isEmpty())
        bring(path, target, [this, target] { m_context.actions.note(tr("Saved %1").arg(target)); });
}

void TrialFilesTab::bring(const QString& path, const QString& target, const std::function<void()>& done)
{
    m_details.readFile(path, largestFile, [this, target, done](const core::Result<api::Reply>& reply) {
        if (!reply) {
            m_context.actions.error(reply.error());
            return;
        }
        if (const core::Result<> written = writeFile(target, reply->bytes); !written)
            m_context.actions.error(written.error());
        else if (reply->bytes.size() < reply->size)
            m_context.actions.error({core::Kind::resource,
                tr("Only the first %1 of %2 were saved.")
                    .arg(models::bytesText(reply->bytes.size()), models::bytesText(reply->size)),
                {}});
        else
            done();
    });
}

} // namespace ui
