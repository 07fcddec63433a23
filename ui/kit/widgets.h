// SPDX-License-Identifier: GPL-3.0-or-later
// The small parts that pages are built of.
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
/// The label's text in a colour of the theme, whichever is shown.
void setTextRole(QLabel* label, QColor Roles::*role);
/// Its background in a colour of the theme, whichever is shown. To be called once.
void setFillRole(QWidget* widget, QColor Roles::*role);

[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
[[nodiscard]] QPushButton* makePrimaryButton(
    const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
/// Only an icon; `name` is told to those who cannot see it, and as its tool tip.
[[nodiscard]] QToolButton* makeIconButton(const QString& iconName, const QString& name, QWidget* parent = nullptr);
/// Buttons side by side of which one is chosen. The layout goes into the page's own.
[[nodiscard]] QWidget* makeSegments(
    const QStringList& texts, int chosen, const std::function<void(int)>& choose, QWidget* parent = nullptr);

/// What the screen has for a window, less a frame and a title; `wanted` at most, for dialogs of a size of their own.
[[nodiscard]] QSize roomOnScreen(const QWidget* window, QSize wanted = {QWIDGETSIZE_MAX, QWIDGETSIZE_MAX});

/// Rows of 28 px, no grid, whole rows selected, scrolling by pixel: what all tables have in common.
void setUpTable(QTableView* table, const QString& accessibleName);

/// A box: base colour, thin border, round corners; with an edge colour a thick line at the left.
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

/// A state's icon and word, in its colour.
class StateLabel : public QWidget
{
    Q_OBJECT
public:
    explicit StateLabel(QWidget* parent = nullptr);
    /// `words` instead of the state's own (`Running for 3 h`).
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

/// A field with a funnel at its left and the key `/` at its right. Tells filterChanged() a moment after the last key. Escape clears it;
/// Enter, Down, and Escape once it is empty, go on to its list.
class FilterField : public QLineEdit
{
    Q_OBJECT
public:
    explicit FilterField(const QString& placeholder, QWidget* parent = nullptr);
    void setList(QWidget* list) { m_list = list; }

signals:
    void filterChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* m_list = nullptr;
};

/// One line that gives way to its neighbours: what does not fit ends in an ellipsis, and the tool tip tells all of it.
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

/// What is wrong, in a sentence that can be copied; not there while nothing is. Is read out when it comes.
class ProblemLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ProblemLabel(TextSize size, QWidget* parent = nullptr);
    /// Made harmless and cut; empty: nothing is wrong.
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

/// What a page shows when there is nothing: a drawing in line colours, a title, a sentence and one button.
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

/// `163 succeeded   12 running   …`: counts in words, those that are zero left out.
[[nodiscard]] QString countsSentence(const std::array<qint64, core::trialStatusCount>& counts);

} // namespace ui
