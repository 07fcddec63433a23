// SPDX-License-Identifier: GPL-3.0-or-later
#include "process_table.h"

#include "models/format.h"
#include "ui/kit/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

using Kind = ProcessColumn::Kind;

constexpr int columnGap = 12;
constexpr int leastName = 90;
constexpr int barWidth = 56;

struct ProcessWords
{
    Q_DECLARE_TR_FUNCTIONS(ui::ProcessTable)
};

QString titleOf(Kind kind, bool hasGpus)
{
    switch (kind) {
    case Kind::gpu:
        return ProcessWords::tr("GPU");
    case Kind::name:
        return hasGpus ? ProcessWords::tr("Process") : ProcessWords::tr("Experiment");
    case Kind::user:
        return ProcessWords::tr("User");
    case Kind::trial:
        return ProcessWords::tr("Trial");
    case Kind::pid:
        return ProcessWords::tr("PID");
    case Kind::memory:
        return ProcessWords::tr("Memory");
    case Kind::time:
        return ProcessWords::tr("Running for");
    }
    Q_UNREACHABLE();
}

QString textOf(Kind kind, const models::MachineProcess& process, qint64 now)
{
    switch (kind) {
    case Kind::gpu:
        return process.gpu;
    case Kind::name:
        return process.name;
    case Kind::user:
        return process.isOurs        ? ProcessWords::tr("you")
            : process.user.isEmpty() ? ProcessWords::tr("someone")
                                     : process.user;
    case Kind::trial:
        return process.number;
    case Kind::pid:
        return process.pid > 0 ? QString::number(process.pid) : QString();
    case Kind::memory:
        return process.memoryShare < 0 ? QString() : models::bytesText(process.memory);
    case Kind::time:
        return process.since ? models::durationText(std::max<qint64>(0, now - *process.since)) : QString();
    }
    Q_UNREACHABLE();
}

} // namespace

QList<ProcessColumn> processColumns(int width, bool hasGpus)
{
    struct Wish
    {
        Kind kind;
        int width;
        bool isRight;
        int rank; ///< the highest is left out first
    };
    static const QList<Wish> withGpus{{Kind::gpu, 40, false, 0}, {Kind::name, 0, false, 0}, {Kind::user, 90, false, 2},
        {Kind::trial, 56, true, 1}, {Kind::pid, 64, true, 5}, {Kind::memory, barWidth + 76, true, 4},
        {Kind::time, 84, true, 3}};
    static const QList<Wish> withoutGpus{
        {Kind::trial, 56, true, 0}, {Kind::name, 0, false, 0}, {Kind::pid, 72, true, 2}, {Kind::time, 96, true, 1}};
    QList<Wish> wishes = hasGpus ? withGpus : withoutGpus;
    const auto rest = [&wishes, width] {
        int left = width - 16;
        for (const Wish& wish : std::as_const(wishes))
            left -= wish.width > 0 ? wish.width + columnGap : 0;
        return left;
    };
    while (rest() < leastName) {
        const auto least = std::max_element(
            wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) { return a.rank < b.rank; });
        if (least->rank == 0)
            break;
        wishes.erase(least);
    }
    const int name = std::max(0, rest());
    QList<ProcessColumn> columns;
    int x = 8;
    for (const Wish& wish : std::as_const(wishes)) {
        const int wide = wish.width > 0 ? wish.width : name;
        columns.append({wish.kind, x, wide, wish.isRight});
        x += wide + columnGap;
    }
    return columns;
}

void paintProcessHead(QPainter& painter, const Theme& theme, const QRect& rect, bool hasGpus)
{
    const Roles& c = theme.roles();
    painter.fillRect(rect, c.window);
    painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), c.line);
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), c.line2);
    painter.setFont(theme.font(TextSize::header));
    painter.setPen(c.text2);
    for (const ProcessColumn& column : processColumns(rect.width(), hasGpus))
        painter.drawText(QRect(rect.left() + column.x, rect.top(), column.width, rect.height()),
            int((column.isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
            painter.fontMetrics().elidedText(titleOf(column.kind, hasGpus), Qt::ElideRight, column.width));
}

void paintProcess(QPainter& painter, const Theme& theme, const QRect& rect, const models::MachineProcess& process,
    bool hasGpus, bool isSelected, qint64 now)
{
    const Roles& c = theme.roles();
    if (!process.isOurs && process.isCompute)
        painter.fillRect(rect, Theme::alpha(c.foreign, 0.06));
    if (process.isOurs && isSelected)
        painter.fillRect(rect, c.select);
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), c.line);
    for (const ProcessColumn& column : processColumns(rect.width(), hasGpus)) {
        QRect where(rect.left() + column.x, rect.top(), column.width, rect.height());
        if (column.kind == Kind::memory && process.memoryShare >= 0) {
            const QRectF bar(where.left(), rect.center().y() - 1, barWidth, 4);
            painter.setPen(Qt::NoPen);
            painter.setBrush(c.line2);
            painter.drawRoundedRect(bar, 2, 2);
            painter.setBrush(process.isOurs ? c.accent : c.foreign);
            painter.drawRoundedRect(
                QRectF(bar.left(), bar.top(), bar.width() * process.memoryShare, bar.height()), 2, 2);
            where.setLeft(where.left() + barWidth + 4);
        }
        const bool isMono = column.kind == Kind::name && process.isNamed;
        const bool isOther = column.kind == Kind::user && !process.isOurs;
        painter.setFont(
            theme.font(isMono ? TextSize::mono : TextSize::header, isOther ? QFont::DemiBold : QFont::Normal));
        painter.setPen(column.kind == Kind::user ? (process.isOurs ? c.accent : c.foreign)
                : column.kind == Kind::trial     ? c.accent
                                                 : c.text);
        painter.drawText(where, int((column.isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
            painter.fontMetrics().elidedText(textOf(column.kind, process, now), Qt::ElideRight, where.width()));
    }
}

} // namespace ui
