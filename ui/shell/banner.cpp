// SPDX-License-Identifier: GPL-3.0-or-later
#include "banner.h"

#include "ui/kit/icons.h"
#include "ui/kit/widgets.h"

#include <QHBoxLayout>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace ui {

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_what(makeLabel({}, TextSize::body, QFont::DemiBold, this))
    , m_more(makeQuietLabel({}, TextSize::body, this))
    , m_button(makeButton({}, {}, this))
{
    setAccessibleName(tr("Notice"));
    setMinimumHeight(themeOf(*this).scaled(metrics::banner));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(44, 3, 12, 3);
    layout->addWidget(m_what);
    layout->addWidget(m_more, 1);
    layout->addWidget(m_button);
    m_more->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_button, &QPushButton::clicked, this, &Banner::pressed);
    connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void Banner::tell(bool isError, const QString& what, const QString& more, const QString& button)
{
    m_isError = isError;
    m_what->setText(what);
    m_more->setText(more);
    m_more->setToolTip(more);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    setAccessibleDescription(what + u' ' + more);
    show();
    update();
}

void Banner::paintEvent(QPaintEvent*)
{
    const Roles& c = themeOf(*this).roles();
    const QColor color = m_isError ? c.failed : c.unknown;
    QPainter painter(this);
    painter.fillRect(rect(), m_isError ? c.tintFailed : c.tintWarn);
    painter.fillRect(QRect(0, height() - 1, width(), 1), c.line2);
    painter.fillRect(QRect(0, 0, 3, height()), color);
    icons::paint(painter, QRectF(16, 0, 16, height()), m_isError ? u"failed"_s : u"unknown"_s, color);
}

} // namespace ui
