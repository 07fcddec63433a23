// SPDX-License-Identifier: GPL-3.0-or-later
#include "plate.h"

#include "widgets.h"

#include "models/printable.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace ui {

static constexpr qsizetype longestShown = 4'000;
static constexpr qsizetype longestWord = 32; ///< characters; in longer ones a line may break every 16

Plate::Plate(const QString& accessibleName, QWidget* parent)
    : QFrame(parent)
    , m_label(makeLabel({}, TextSize::mono, QFont::Normal, this))
    , m_copy(makeIconButton(u"copy"_s, tr("Copy"), this))
{
    setFrameShape(QFrame::NoFrame);
    m_label->setAccessibleName(accessibleName);
    m_label->setWordWrap(true);
    makeSelectable(m_label);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 4, 6);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_copy, 0, Qt::AlignTop);
    m_copy->hide();
    connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
}

void Plate::setText(const QString& text)
{
    m_text = text;
    QStringList lines;
    for (const QString& line : text.split(u'\n'))
        lines.append(models::printable(line, 2'000));
    while (!lines.isEmpty() && lines.first().trimmed().isEmpty())
        lines.removeFirst();
    while (!lines.isEmpty() && lines.last().trimmed().isEmpty())
        lines.removeLast();
    // QLabel breaks lines only between words, and a fingerprint is a single word.
    const QString whole = lines.join(u'\n').left(longestShown);
    QString shown;
    for (qsizetype i = 0; i < whole.size();) {
        qsizetype end = i;
        while (end < whole.size() && !whole[end].isSpace())
            ++end;
        const bool isLong = end - i > longestWord;
        for (qsizetype at = i; at < end; ++at) {
            shown += whole[at];
            if (isLong && (at - i) % 16 == 15)
                shown += QChar(0x200B);
        }
        if (end < whole.size())
            shown += whole[end];
        i = end + 1;
    }
    m_label->setText(shown);
}

void Plate::setCopyable(bool copyable)
{
    m_copy->setVisible(copyable);
}

void Plate::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeOf(*this).roles().sunken);
    painter.drawRoundedRect(rect(), metrics::radiusSmall, metrics::radiusSmall);
}

} // namespace ui
