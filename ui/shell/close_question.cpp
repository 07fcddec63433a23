// SPDX-License-Identifier: GPL-3.0-or-later
#include "close_question.h"

#include "main_window.h"

#include <QMessageBox>
#include <QPushButton>

namespace ui {

CloseAnswer askHowToClose(QWidget* window, qint64 waiting)
{
    QMessageBox box(window);
    box.setIcon(QMessageBox::NoIcon);
    box.setWindowTitle(MainWindow::tr("Close Trialdeck"));
    box.setText(waiting > 0 ? MainWindow::tr("%n trial(s) wait for a place.", nullptr, int(waiting))
                            : MainWindow::tr("A search is still running."));
    box.setInformativeText(MainWindow::tr(
        "Running trials go on in any case. Without a service in the background nothing new is started until you "
        "open Trialdeck again."));
    QPushButton* keep = box.addButton(MainWindow::tr("Keep running in the background"), QMessageBox::AcceptRole);
    QPushButton* stop = box.addButton(MainWindow::tr("Stop placing"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(keep);
    box.exec();
    return box.clickedButton() == keep ? CloseAnswer::keepRunning
        : box.clickedButton() == stop  ? CloseAnswer::stopPlacing
                                       : CloseAnswer::stay;
}

} // namespace ui
