// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QLineEdit>

namespace ui {

/// A field that takes the next press of a key with its modifiers, at once. Qt's own waits a second for up to three more. Tab leaves it,
/// Escape gives up.
class KeyEdit : public QLineEdit
{
    Q_OBJECT
public:
    explicit KeyEdit(QWidget* parent = nullptr);

    void showKey(const QKeySequence& key);

signals:
    void taken(const QKeySequence& key);
    void left();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent*) override { }
};

} // namespace ui
