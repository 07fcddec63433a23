// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

namespace ui {

struct KeyGroup
{
    QString title;
    QList<std::pair<QString, QString>> keys; ///< key and description
};

/// The dialog that `?` opens: the keys of the page and of the window, and the way to change them.
class KeysSheet : public QDialog
{
    Q_OBJECT
public:
    explicit KeysSheet(const QList<KeyGroup>& groups, QWidget* parent = nullptr);

signals:
    void changeWanted();
};

} // namespace ui
