// SPDX-License-Identifier: GPL-3.0-or-later
// What keys do, by name, so that a person may give it other keys. They are kept in the settings file as `keys/<id>=Ctrl+J; F7`, or `none`.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

class QKeyEvent;
class QWidget;

namespace ui {

/// One thing that a key does.
struct KeyCommand
{
    QString id;    ///< in the settings: `trials/retry`
    QString title; ///< in menus, in the palette, in the list of keys
    QString icon;
    QList<QKeySequence> usual;
};

/// The keys that it has: the person's own or the usual ones. Empty: none.
[[nodiscard]] QList<QKeySequence> keysOf(const KeyCommand& command);
[[nodiscard]] bool hasOwnKeys(const KeyCommand& command);
void setKeys(const KeyCommand& command, const QList<QKeySequence>& keys);
/// Goes back to the usual keys.
void resetKeys(const KeyCommand& command);

/// As people read them: `? · F1`.
[[nodiscard]] QString keysText(const QList<QKeySequence>& keys);
/// The key as it is kept: without Shift where that only makes the character, as of `+`. Empty: a modifier alone.
[[nodiscard]] QKeySequence keyOfPress(const QKeyEvent& event);
/// Whether the press is one of its keys.
[[nodiscard]] bool isPressed(const KeyCommand& command, const QKeyEvent& event);

/// The command of a list; the list must have it.
[[nodiscard]] KeyCommand keyNamed(const QList<KeyCommand>& commands, const QString& id);

/// Shows the text as the widget's tool tip, with the keys that the command has by then: `Asks every machine (F5)`.
void setKeyTip(QWidget* widget, const QString& text, const KeyCommand& command);

/// Keys of the window that parts of it name.
[[nodiscard]] KeyCommand paletteKey();
[[nodiscard]] KeyCommand filterKey();
[[nodiscard]] KeyCommand undoKey();
[[nodiscard]] KeyCommand askMachinesKey();

} // namespace ui
