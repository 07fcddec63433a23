// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace ui {

/// Monospaced text on a sunken background: a fingerprint, a program's output, a command to copy.
class Plate : public QFrame
{
    Q_OBJECT
public:
    explicit Plate(const QString& accessibleName, QWidget* parent = nullptr);
    void setText(const QString& text); ///< long words are broken to fit
    void setCopyable(bool copyable);   ///< shows a button that copies the text to the clipboard

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    QLabel* m_label;
    QToolButton* m_copy;
};

} // namespace ui
