// SPDX-License-Identifier: GPL-3.0-or-later
// Small widgets and helpers for pages.
#pragma once

#include "theme.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <functional>

class QBoxLayout;
class QTableView;

namespace ui {

/// A label in one of the theme's sizes; selectable texts can be copied and reached with the keyboard.
[[nodiscard]] QLabel* makeLabel(
    const QString& text, TextSize size = TextSize::body, int weight = QFont::Normal, QWidget* parent = nullptr);
/// The same in the second text colour.
[[nodiscard]] QLabel* makeQuietLabel(const QString& text, TextSize size = TextSize::body, QWidget* parent = nullptr);
void makeSelectable(QLabel* label);
/// Sets the label's text to a colour of the theme; follows changes of the theme.
void setTextRole(QLabel* label, QColor Roles::*role);
/// Sets the widget's background to a colour of the theme; follows changes of the theme. Call once per widget.
void setFillRole(QWidget* widget, QColor Roles::*role);

[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
[[nodiscard]] QPushButton* makePrimaryButton(
    const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
/// Disables a button while what it asked for is under way. The focus does not move on to the next button, which a second press would hit,
/// and comes back afterwards unless the person has moved it.
void setBusy(QPushButton* button, bool busy);
/// A button with only an icon; `name` is its accessible name and its tool tip.
[[nodiscard]] QToolButton* makeIconButton(const QString& iconName, const QString& name, QWidget* parent = nullptr);
/// A row of buttons of which one is checked. `choose` is called with the index of the pressed one.
[[nodiscard]] QWidget* makeSegments(
    const QStringList& texts, int chosen, const std::function<void(int)>& choose, QWidget* parent = nullptr);

/// The space that the screen has for a window without its frame and title bar, bounded by `wanted`.
[[nodiscard]] QSize roomOnScreen(const QWidget* window, QSize wanted = {QWIDGETSIZE_MAX, QWIDGETSIZE_MAX});

/// Sets the common properties of tables: rows of 28 px, no grid, selection of whole rows, scrolling by pixel.
void setUpTable(QTableView* table, const QString& accessibleName);

/// A box with base colour, thin border and round corners; with an edge colour also a thick line at the left.
class Card : public QFrame
{
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);
    void setEdge(QColor Roles::*role);
    void setFill(QColor Roles::*role);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor Roles::*m_edge = nullptr;
    QColor Roles::*m_fill = &Roles::base;
};

/// The icon and name of a state, in its colour.
class StateLabel : public QWidget
{
    Q_OBJECT
public:
    explicit StateLabel(QWidget* parent = nullptr);
    /// `words` replaces the state's name (`Running for 3 h`).
    void setLook(const StateLook& look, const QString& words = {});
    void setSize(TextSize size, int weight = QFont::Normal);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StateLook m_look;
    QString m_words;
    TextSize m_size = TextSize::body;
    int m_weight = QFont::Normal;
};

/// A field with a funnel at its left and the key `/` at its right. Emits filterChanged() shortly after the last key press. Escape
/// clears it; Enter, Down, and Escape in an empty field, move the focus to its list.
class FilterField : public QLineEdit
{
    Q_OBJECT
public:
    explicit FilterField(const QString& placeholder, QWidget* parent = nullptr);
    /// `list` is not owned and must outlive the field.
    void setList(QWidget* list) { m_list = list; }

signals:
    void filterChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* m_list = nullptr;
};

/// A one-line label that may be narrower than its text, which is then elided and shown in full as a tool tip.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    ElidedLabel(TextSize size, QFont::Weight weight, QWidget* parent);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool isCut() const;
};

/// Shows a problem as selectable text; hidden while there is none. Screen readers are alerted when it appears.
class ProblemLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ProblemLabel(TextSize size, QWidget* parent = nullptr);
    /// Shows the problem after models::printable(); empty: hides the label.
    void tell(const QString& problem);
};

/// Counts by state as one bar: succeeded, running, unknown, failed, cancelled, waiting (hollow).
class StateBar : public QWidget
{
    Q_OBJECT
public:
    explicit StateBar(QWidget* parent = nullptr);
    void setCounts(const std::array<qint64, core::trialStatusCount>& counts, qint64 total);
    [[nodiscard]] QSize sizeHint() const override { return {200, 8}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::array<qint64, core::trialStatusCount> m_counts{};
    qint64 m_total = 0;
};

/// Placeholder of an empty page: a drawing, a title, a sentence and one button.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    EmptyState(const QString& title, const QString& sentence, const QString& button, QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& sentence, const QString& button);

signals:
    void pressed();

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QPushButton* m_button;
};

/// `163 succeeded   12 running   …`: the counts as text, without those that are zero.
[[nodiscard]] QString countsSentence(const std::array<qint64, core::trialStatusCount>& counts);

} // namespace ui
