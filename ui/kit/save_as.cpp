// SPDX-License-Identifier: GPL-3.0-or-later
#include "save_as.h"

#include "actions.h"
#include "services/core/files/atomic_file.h"

#include <QCoreApplication>
#include <QFileDialog>

namespace ui {

namespace {

struct SaveWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::SaveAs)
};

} // namespace

core::Result<> writeFile(const QString& file, const QByteArray& bytes)
{
    core::AtomicFile out(file);
    if (out.open() && out.write(bytes) && out.commit())
        return {};
    return core::fail(core::Kind::resource, SaveWords::tr("%1 could not be written: %2.").arg(file, out.reason()));
}

void saveAs(QWidget* parent, Actions& actions, const QString& title, const QString& name, const QString& kinds,
    const std::function<core::Result<>(const QString& file)>& write)
{
    const QString file = QFileDialog::getSaveFileName(parent, title, name, kinds);
    if (file.isEmpty())
        return;
    if (const core::Result<> written = write(file); written)
        actions.note(SaveWords::tr("Saved %1").arg(file));
    else
        actions.error(written.error());
}

} // namespace ui
