// SPDX-License-Identifier: GPL-3.0-or-later
#include "key_edit.h"

#include "key_command.h"

#include <QKeyEvent>

namespace ui {

KeyEdit::KeyEdit(QWidget* parent)
    : QLineEdit(parent)
{
    setReadOnly(true);
    setPlaceholderText(tr("Press a key"));
}

void KeyEdit::showKey(const QKeySequence& key)
{
    setText(key.toString(QKeySequence::NativeText));
    selectAll();
}

bool KeyEdit::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // what has the key now is not to happen
        return true;
    }
    return QLineEdit::event(event);
}

void KeyEdit::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier) {
        emit left();
        return;
    }
    const QKeySequence key = keyOfPress(*event);
    if (key.isEmpty())
        return;
    showKey(key);
    emit taken(key);
}

} // namespace ui
