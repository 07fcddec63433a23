// SPDX-License-Identifier: GPL-3.0-or-later
// Short questions in the looks of the window, instead of Qt's own boxes. GUI thread. Texts are shown as plain text.
#pragma once

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace ui {

/// Asks for a text. Return accepts a line; Ctrl+Return accepts a text of several lines.
class TextDialog : public QDialog
{
    Q_OBJECT
public:
    enum class Lines { one, several };
    TextDialog(const QString& title, const QString& question, const QString& text, Lines lines, QWidget* parent);

    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    /// At most so many UTF-16 units are taken; what is typed beyond is refused, and said.
    void setLongest(qsizetype length);

private:
    void check();

    QLineEdit* m_line = nullptr; ///< one of these two
    QPlainTextEdit* m_lines = nullptr;
    QLabel* m_problem;
    QPushButton* m_good;
    qsizetype m_longest = 0; ///< 0: any length
};

/// Opens the dialog and returns at once; `done` is called with the text if it is accepted, unless `parent` is gone by then.
TextDialog* askForText(QWidget* parent, const QString& title, const QString& question, const QString& text,
    const std::function<void(const QString&)>& done, TextDialog::Lines lines = TextDialog::Lines::one);

/// Says something and offers buttons, the first of them the primary one. Waits in an event loop of its own for the answer: its index, or -1
/// when the dialog was closed or the last button, which means no action, was pressed.
[[nodiscard]] int askToChoose(QWidget* parent, const QString& title, const QString& what, const QString& more,
    const QStringList& buttons, const QPixmap& picture = {});

} // namespace ui
