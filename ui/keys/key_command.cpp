// SPDX-License-Identifier: GPL-3.0-or-later
#include "key_command.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QSettings>
#include <QToolTip>
#include <QWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr auto noKey = "none"_L1;

/// Gives lupdate the context of the free functions here.
struct KeyWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::KeyCommand)
};

QString settingOf(const KeyCommand& command)
{
    return u"keys/"_s + command.id;
}

bool isLetter(int key)
{
    return key >= Qt::Key_A && key <= Qt::Key_Z;
}

class KeyTip : public QObject
{
public:
    KeyTip(QWidget* widget, QString text, KeyCommand command)
        : QObject(widget)
        , m_widget(*widget)
        , m_text(std::move(text))
        , m_command(std::move(command))
    {
        widget->setToolTip(m_text); // what screen readers read
        widget->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::ToolTip)
            return false;
        const QString keys = keysText(keysOf(m_command));
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
            keys.isEmpty() ? m_text : KeyWords::tr("%1 (%2)").arg(m_text, keys), &m_widget);
        return true;
    }

private:
    QWidget& m_widget;
    QString m_text;
    KeyCommand m_command;
};

} // namespace

QList<QKeySequence> keysOf(const KeyCommand& command)
{
    const QString own = QSettings().value(settingOf(command)).toString();
    if (own.isEmpty())
        return command.usual;
    if (own == noKey)
        return {};
    QList<QKeySequence> keys = QKeySequence::listFromString(own, QKeySequence::PortableText);
    keys.removeIf([](const QKeySequence& key) { return key.isEmpty() || key[0].key() == Qt::Key_unknown; });
    return keys.isEmpty() ? command.usual : keys; // what cannot be read in a file that a person wrote
}

bool hasOwnKeys(const KeyCommand& command)
{
    return keysOf(command) != command.usual;
}

void setKeys(const KeyCommand& command, const QList<QKeySequence>& keys)
{
    if (keys == command.usual)
        return resetKeys(command);
    QSettings().setValue(settingOf(command),
        keys.isEmpty() ? QString(noKey) : QKeySequence::listToString(keys, QKeySequence::PortableText));
}

void resetKeys(const KeyCommand& command)
{
    QSettings().remove(settingOf(command));
}

QString keysText(const QList<QKeySequence>& keys)
{
    QStringList words;
    for (const QKeySequence& key : keys)
        words += key.toString(QKeySequence::NativeText);
    return words.join(u" · "_s);
}

QKeySequence keyOfPress(const QKeyEvent& event)
{
    const auto key = event.key() == Qt::Key_Enter ? Qt::Key_Return : Qt::Key(event.key()); // of the keypad
    const bool isModifier = (key >= Qt::Key_Shift && key <= Qt::Key_ScrollLock)
        || (key >= Qt::Key_Super_L && key <= Qt::Key_Hyper_R) || key == Qt::Key_AltGr || key == Qt::Key_unknown;
    if (isModifier || key == 0)
        return {};
    const bool shiftMakesIt = !isLetter(key) && key < Qt::Key_Escape && key != Qt::Key_Space;
    const Qt::KeyboardModifiers left = Qt::KeypadModifier | (shiftMakesIt ? Qt::ShiftModifier : Qt::NoModifier);
    return QKeyCombination(event.modifiers() & ~left, key);
}

bool isPressed(const KeyCommand& command, const QKeyEvent& event)
{
    const QKeySequence key = keyOfPress(event);
    return !key.isEmpty() && keysOf(command).contains(key);
}

KeyCommand keyNamed(const QList<KeyCommand>& commands, const QString& id)
{
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](const KeyCommand& command) { return command.id == id; });
    Q_ASSERT(found != commands.end());
    return *found;
}

void setKeyTip(QWidget* widget, const QString& text, const KeyCommand& command)
{
    new KeyTip(widget, text, command);
}

KeyCommand paletteKey()
{
    return {u"palette"_s, KeyWords::tr("Go to, or do"), u"search"_s, {QKeySequence(u"Ctrl+K"_s)}};
}

KeyCommand filterKey()
{
    return {u"filter"_s, KeyWords::tr("Filter this page"), u"filter"_s, {QKeySequence(u"/"_s)}};
}

KeyCommand undoKey()
{
    return {u"undo"_s, KeyWords::tr("Undo"), u"undo"_s, {QKeySequence(u"Ctrl+Z"_s)}};
}

KeyCommand askMachinesKey()
{
    return {u"ask"_s, KeyWords::tr("Ask the machines now"), u"refresh"_s, {QKeySequence(u"F5"_s)}};
}

} // namespace ui
