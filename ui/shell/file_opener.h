// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

class QMimeData;

namespace ui {

class WindowEnvironment;

/// Opens files: an experiment to be created, or an old experiment of NNI to be viewed; chosen in a dialog, given by path, or
/// dropped.
class FileOpener : public QObject
{
    Q_OBJECT
public:
    /// All arguments must outlive this. `window` owns this and is the parent of its dialogs.
    FileOpener(const PageContext& context, WindowEnvironment& environment, QWidget& window);

    void choose();
    void chooseOld();
    void open(const QString& path);
    /// The path of a drag's local file if it has exactly one that can be opened; else empty.
    [[nodiscard]] static QString fileOf(const QMimeData* data);

private:
    void openOld(const QString& path);

    PageContext m_context;
    WindowEnvironment& m_environment;
    QWidget& m_window;
};

} // namespace ui
