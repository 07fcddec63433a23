// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace ui {

class IconLabel;

/// What will happen unless it is undone, at the lower right: one at a time, the newest on top. Nothing is done before its line has
/// run out; under the pointer or with the focus it waits.
class Toast : public QFrame
{
    Q_OBJECT
public:
    explicit Toast(QWidget* window);

    /// `%1` in the text is the seconds that are left.
    void offerUndo(const QString& text, int seconds, std::function<void()> doIt, std::function<void()> undone);
    void tell(const QString& text, const QString& iconName = {}, bool isError = false);
    /// Takes back the newest one that can be; says whether there was one.
    bool undo();
    /// Does at once what still waits: the window goes away.
    void finishAll();
    [[nodiscard]] bool hasPending() const;
    /// Its place depends on the window's size; `above` pixels of the foot stay free.
    void place(int above);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry
    {
        QString text;
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

    std::vector<Entry> m_entries; ///< the newest last
    QTimer m_timer;
    IconLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_undo;
    QToolButton* m_close;
    int m_above = 72;
};

} // namespace ui
