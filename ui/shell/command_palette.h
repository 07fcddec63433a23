// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace ui {

/// A command or a record that can be found by typing its name.
struct PaletteEntry
{
    QString title;
    QString detail; ///< its kind, or its keyboard shortcut
    QString icon;
    std::function<void()> run;
};

/// The score of `query` in `text`, which must contain all words of it; 0: no match. Matches at the start of words score higher.
/// Pure.
[[nodiscard]] int paletteScore(const QString& query, const QString& text);

/// Ctrl+K: a field and below it the matching entries, the best first. Enter runs the current entry, Escape closes the palette.
class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    /// Returns the entries for the typed text; called at each change of it.
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
