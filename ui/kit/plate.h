// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace ui {

/// Fixed letters on the sunken colour: a fingerprint, what a program said, a command to copy.
class Plate : public QFrame
{
    Q_OBJECT
public:
    explicit Plate(const QString& accessibleName, QWidget* parent = nullptr);
    void setText(const QString& text); ///< long words break where they must
    void setCopyable(bool copyable);   ///< a button that puts the text into the clipboard

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    QLabel* m_label;
    QToolButton* m_copy;
};

} // namespace ui
