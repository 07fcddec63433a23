// SPDX-License-Identifier: GPL-3.0-or-later
#include "table.h"

#include "terminal_text.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace app {

namespace {

/// East Asian wide and emoji blocks (Unicode's EastAsianWidth W and F, in ranges).
bool isWide(char32_t c)
{
    static constexpr struct
    {
        char32_t from;
        char32_t to;
    } ranges[] = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
        {0xA000, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6},
        {0x1F300, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    return std::any_of(std::begin(ranges), std::end(ranges), [c](const auto& r) { return c >= r.from && c <= r.to; });
}

int widthOf(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Other_Format:
        return 0;
    default:
        return isWide(c) ? 2 : 1;
    }
}

QString padded(const QString& text, int width, bool right)
{
    const QString space(std::max(0, width - displayWidth(text)), u' ');
    return right ? space + text : text + space;
}

} // namespace

int displayWidth(QStringView text)
{
    int width = 0;
    for (const char32_t c : text.toUcs4())
        width += widthOf(c);
    return width;
}

QString elided(const QString& text, int width)
{
    if (width <= 0)
        return {};
    if (displayWidth(text) <= width)
        return text;
    QString cut;
    int used = 0;
    for (const char32_t c : text.toUcs4()) {
        if (used + widthOf(c) > width - 1)
            break;
        used += widthOf(c);
        cut += QString::fromUcs4(&c, 1);
    }
    return cut + u'…';
}

QStringList tableLines(const QList<Column>& columns, const QList<QList<Cell>>& rows, int width, bool colour)
{
    struct Shape
    {
        int index;
        int width;
    };
    std::vector<Shape> shapes;
    for (int c = 0; c < columns.size(); ++c) {
        int widest = 0;
        for (const QList<Cell>& row : rows)
            if (c < row.size())
                widest = std::max(widest, displayWidth(oneLine(row[c].text)));
        if (widest > 0 || rows.isEmpty())
            shapes.push_back({c, std::max(widest, displayWidth(columns[c].title))});
    }
    constexpr int gap = 2;
    if (width > 0) {
        int total = -gap;
        for (const Shape& shape : shapes)
            total += shape.width + gap;
        // The widest elastic column gives way first, down to 8, so that a long sentence does not cut a short name.
        while (total > width) {
            Shape* widest = nullptr;
            for (Shape& shape : shapes)
                if (columns[shape.index].elastic && shape.width > 8 && (!widest || shape.width > widest->width))
                    widest = &shape;
            if (!widest)
                break;
            --widest->width;
            --total;
        }
    }
    const auto line = [&](auto&& cellAt) {
        QString text;
        for (size_t i = 0; i < shapes.size(); ++i) {
            const Cell cell = cellAt(shapes[i].index);
            const bool last = i + 1 == shapes.size();
            const QString cut = elided(oneLine(cell.text), shapes[i].width);
            const bool right = columns[shapes[i].index].right;
            QString shown = last && !right ? cut : padded(cut, shapes[i].width, right);
            text += (colour ? painted(shown, cell.role) : shown) + (last ? QString() : QString(gap, u' '));
        }
        while (text.endsWith(u' '))
            text.chop(1);
        return text;
    };
    QStringList lines{line([&](int c) { return Cell(columns[c].title, Role::dim); })};
    for (const QList<Cell>& row : rows)
        lines += line([&](int c) { return c < row.size() ? row[c] : Cell(); });
    return lines;
}

QStringList pairLines(const QList<std::pair<QString, Cell>>& pairs, bool colour)
{
    int widest = 0;
    for (const auto& [name, cell] : pairs)
        if (!cell.text.isEmpty())
            widest = std::max(widest, displayWidth(oneLine(name)));
    QStringList lines;
    for (const auto& [name, cell] : pairs) {
        if (cell.text.isEmpty())
            continue;
        const QString left = padded(oneLine(name), widest + 2, false);
        const QString right = oneLine(cell.text);
        lines += colour ? painted(left, Role::dim) + painted(right, cell.role) : left + right;
    }
    return lines;
}

} // namespace app
