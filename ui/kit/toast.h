// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"

#include <QFrame>
#include <QTimer>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace ui {

class IconLabel;

/// Messages at the lower right of the window; actions that are announced can be undone until their time is over. Shows the newest
/// entry. The time does not run while the toast is under the pointer or has the focus. GUI thread.
class Toast : public QFrame
{
    Q_OBJECT
public:
    explicit Toast(QWidget* window);

    /// `doIt` is called after `seconds`, or `undone` if the user pressed Undo.
    void offerUndo(UndoText text, int seconds, std::function<void()> doIt, std::function<void()> undone);
    void tell(const QString& text, const QString& iconName = {}, bool isError = false);
    /// Undoes the newest entry that can be undone; returns whether there was one.
    bool undo();
    /// Executes all pending actions at once; called when the window closes.
    void finishAll();
    [[nodiscard]] bool hasPending() const;
    /// Positions the toast for the window's current size, `above` pixels from its lower edge.
    void place(int above);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry
    {
        UndoText text;
        QString icon;
        bool isError = false;
        bool canUndo = false;
        int totalMs = 0;
        int leftMs = 0;
        std::function<void()> doIt;
        std::function<void()> undone;
    };

    void push(Entry entry);
    void tick();
    void show(const Entry& entry);
    void drop(size_t at, bool doIt);
    void update();

    std::vector<Entry> m_entries; ///< in order of arrival
    QTimer m_timer;
    IconLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_undo;
    QToolButton* m_close;
    int m_above = 72;
};

} // namespace ui
