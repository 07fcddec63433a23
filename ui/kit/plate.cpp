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
    // QLabel breaks lines only between words, and a fingerprint is a single word.
    QString shown;
    int run = 0;
    for (const QChar c : models::printable(text, 2'000)) {
        run = c.isSpace() ? 0 : run + 1;
        shown += c;
        if (run > 0 && run % 16 == 0)
            shown += QChar(0x200B);
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
