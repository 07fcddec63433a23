// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace ui {

/// One thing that can be reached or done by typing its name.
struct PaletteEntry
{
    QString title;
    QString detail; ///< where it leads, or its key
    QString icon;
    std::function<void()> run;
};

/// How well `query` fits `text`: 0 not at all; words at the beginning of words count most. Pure.
[[nodiscard]] int paletteScore(const QString& query, const QString& text);

/// Ctrl+K: one field, and below it what fits, the best first. Enter does it, Escape leaves.
class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    /// `collect` is asked for the entries at each key, with what was typed.
    using Collect = std::function<QList<PaletteEntry>(const QString& query)>;

    CommandPalette(QWidget* window, Collect collect);
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void run(int row);

    Collect m_collect;
    QList<PaletteEntry> m_shown;
    QLineEdit* m_field;
    QListView* m_list;
    QStandardItemModel* m_model;
};

} // namespace ui
