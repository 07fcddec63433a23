// SPDX-License-Identifier: GPL-3.0-or-later
#include "page.h"

#include "models/selection.h"

#include <QKeyEvent>
#include <QShortcut>

namespace ui {

QSet<core::TrialId> Page::chosenTrials() const
{
    return m_context.selection.trials();
}

void Page::addCommand(const KeyCommand& key, std::function<void()> run, Reach reach)
{
    Q_ASSERT(run);
    m_commands.append({key, std::move(run), {}});
    if (reach != Reach::also_in_lists)
        return;
    m_commands.last().shortcut = new QShortcut(QKeySequence(), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(m_commands.last().shortcut, &QShortcut::activated, this, m_commands.last().run);
    readKeys();
}

void Page::readKeys()
{
    for (const PageCommand& command : std::as_const(m_commands))
        if (command.shortcut)
            command.shortcut->setKeys(keysOf(command.key));
}

void Page::keyPressEvent(QKeyEvent* event)
{
    for (const PageCommand& command : std::as_const(m_commands))
        if (isPressed(command.key, *event))
            return command.run();
    QWidget::keyPressEvent(event);
}

} // namespace ui
