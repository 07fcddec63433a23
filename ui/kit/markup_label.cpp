// SPDX-License-Identifier: GPL-3.0-or-later
#include "markup_label.h"

#include <QHash>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

QColor colorOf(const Roles& shown, const QString& role)
{
    static const QHash<QString, QColor Roles::*> roles = {{u"text2"_s, &Roles::text2}, {u"accent"_s, &Roles::accent},
        {u"ink"_s, &Roles::ink}, {u"curve"_s, &Roles::curve}, {u"failed"_s, &Roles::failed},
        {u"running"_s, &Roles::running}, {u"unknown"_s, &Roles::unknown}};
    return shown.*roles.value(role, &Roles::text);
}

} // namespace

QString coloured(const char* role, const QString& html)
{
    // Escaped text contains no quotation marks, so it cannot contain this pattern.
    return u"<span style=\"color:@%1\">%2</span>"_s.arg(QLatin1StringView(role), html);
}

MarkupLabel::MarkupLabel(TextSize size, int weight, QWidget* parent)
    : QLabel(parent)
{
    setFont(themeOf(*this).font(size, weight));
    setTextFormat(Qt::RichText);
    connect(&themeOf(*this), &Theme::changed, this, &MarkupLabel::render);
}

void MarkupLabel::setMarkup(const QString& markup)
{
    if (m_markup == markup)
        return;
    m_markup = markup;
    render();
}

void MarkupLabel::render()
{
    static const QRegularExpression mark(u"style=\"color:@(\\w+)\""_s);
    QString html;
    qsizetype done = 0;
    for (auto it = mark.globalMatch(m_markup); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        html += QStringView(m_markup).mid(done, match.capturedStart() - done);
        html += u"style=\"color:%1\""_s.arg(colorOf(themeOf(*this).roles(), match.captured(1)).name());
        done = match.capturedEnd();
    }
    setText(html + m_markup.mid(done));
}

} // namespace ui
