// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace ui {

/// Items from left to right (from right to left in such languages), each at its size hint; those that do not fit begin another line. For rows of
/// buttons and labels whose texts are longer in other languages. What follows a stretch stands at the end of its line.
class FlowLayout : public QLayout
{
    Q_OBJECT
public:
    /// `spacing`: pixels between items and between lines. Without a parent it is added to another layout.
    explicit FlowLayout(int spacing, QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addStretch();
    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return int(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// The height that the items need in this rectangle; moves them there if `place`.
    int lay(const QRect& rect, bool place) const;

    QList<QLayoutItem*> m_items;
};

} // namespace ui
