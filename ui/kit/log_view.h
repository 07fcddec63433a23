// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/log_model.h"

#include <QAbstractScrollArea>
#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace ui {

class Theme;

/// Shows the lines of a LogModel. Only visible lines are decoded and painted, so that the cost does not depend on the log's
/// length. Selects whole lines; Ctrl+C copies them, Ctrl+Shift+C with their numbers.
class LogLines : public QAbstractScrollArea
{
    Q_OBJECT
public:
    LogLines(const Theme& theme, models::LogModel& model, QWidget* parent = nullptr);

    void setFollowed(bool isFollowed);
    void showLine(int line);
    void setSearch(const QRegularExpression& expression);
    [[nodiscard]] int currentLine() const { return m_to; }
    [[nodiscard]] QString selectedText(bool withNumbers) const;

signals:
    /// The user scrolled away from the end, or back to it.
    void followedChanged(bool isFollowed);
    /// The person chose it, by mouse or by keys.
    void lineChosen(int line);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] int numberWidth() const;
    [[nodiscard]] int lineAt(int y) const;
    void updateBars();
    void scrollToEnd();
    void copy(bool withNumbers) const;

    const Theme& m_theme;
    models::LogModel& m_model;
    QRegularExpression m_search;
    bool m_isFollowed = true;
    bool m_isMoving = false; ///< the scroll bar is moved by the program, not by the user
    int m_from = -1;         ///< selected lines, both included
    int m_to = -1;
    int m_widest = 0; ///< characters of the widest line seen
};

/// A log with a choice of its name, Follow, search and a button for its first error.
class LogView : public QWidget
{
    Q_OBJECT
public:
    LogView(const Theme& theme, client::EngineClient& client, QWidget* parent = nullptr);

    /// Null: shows nothing. `trial` is only read during the call.
    void setTrial(const core::Trial* trial);
    /// `output` is the one that is shown as long as the person has chosen none; empty: the first.
    void setNames(const QStringList& names, const QString& output);
    void focusSearch();
    [[nodiscard]] models::LogModel& model() { return m_model; }

signals:
    /// A log that nobody has chosen stays empty while its trial runs: what it prints may have come elsewhere.
    void namesWanted();
    void lineChosen(int line);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void open();
    void search(bool backwards);
    [[nodiscard]] bool isEmptyByDefault() const; ///< seen, its trial runs, nobody chose the log, and it has nothing
    void askNamesLater();
    void showState();

    const Theme& m_theme;
    models::LogModel m_model;
    core::TrialId m_trial;
    bool m_isLive = false;
    bool m_hasFiles = false;
    bool m_isChosen = false; ///< the log's name, by the person
    QTimer m_askNames;
    QComboBox* m_names;
    QCheckBox* m_follow;
    QLineEdit* m_search;
    QLabel* m_title;
    QLabel* m_state;
    LogLines* m_lines;
};

} // namespace ui
