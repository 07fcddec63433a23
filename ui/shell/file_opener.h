// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kit/page.h"

class QMimeData;

namespace ui {

class WindowEnvironment;

/// Opens what lies in files: an experiment to be created, or an old one of NNI to be looked at. By a dialog, by name, or dropped.
class FileOpener : public QObject
{
    Q_OBJECT
public:
    /// All outlive it; dialogs stand over `window`, which owns it.
    FileOpener(const PageContext& context, WindowEnvironment& environment, QWidget& window);

    void choose();
    void chooseOld();
    void open(const QString& path);
    /// The one local file of a drag that can be opened; empty: none.
    [[nodiscard]] static QString fileOf(const QMimeData* data);

private:
    void openOld(const QString& path);

    PageContext m_context;
    WindowEnvironment& m_environment;
    QWidget& m_window;
};

} // namespace ui
