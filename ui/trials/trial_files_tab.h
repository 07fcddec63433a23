// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

#include <functional>

class QLabel;

namespace models {
class TrialDetails;
}

namespace ui {

class FactList;

/// The output files of a trial, read through the service; each can be opened or saved.
class TrialFilesTab : public QWidget
{
    Q_OBJECT
public:
    TrialFilesTab(const PageContext& context, models::TrialDetails& details, QWidget* parent = nullptr);

private:
    void fill();
    void openMenu(const QPoint& at);
    void open(const QString& path);
    void save(const QString& path);
    /// Downloads the file to `target`; `done` is called once it is complete, not on failure.
    void bring(const QString& path, const QString& target, const std::function<void()>& done);

    PageContext m_context;
    models::TrialDetails& m_details;
    FactList* m_files;
    QLabel* m_message;
};

} // namespace ui
