// SPDX-License-Identifier: GPL-3.0-or-later
#include "close_question.h"

#include "main_window.h"

#include "ui/kit/ask.h"

namespace ui {

CloseAnswer askHowToClose(QWidget* window, qint64 waiting)
{
    const QString what = waiting > 0 ? MainWindow::tr("%n trial(s) wait for a place.", nullptr, int(waiting))
                                     : MainWindow::tr("A search is still running.");
    const int answer = askToChoose(window, MainWindow::tr("Close Trialdeck"), what,
        MainWindow::tr(
            "Running trials go on in any case. Without a service in the background nothing new is started until you "
            "open Trialdeck again."),
        {MainWindow::tr("Keep running in the background"), MainWindow::tr("Stop placing"), MainWindow::tr("Cancel")});
    return answer == 0 ? CloseAnswer::keepRunning : answer == 1 ? CloseAnswer::stopPlacing : CloseAnswer::stay;
}

} // namespace ui
