// SPDX-License-Identifier: GPL-3.0-or-later
#include "why_card.h"

#include "models/engine_mirror.h"
#include "models/format.h"
#include "models/printable.h"
#include "ui/kit/flow_layout.h"
#include "ui/kit/actions.h"
#include "ui/kit/widgets.h"

#include <QDateTime>
#include <QGridLayout>
#include <QPainter>
#include <QPointer>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int mostOffers = 12; ///< machines in the table; more are left out of it

/// A time line that starts now; the band is the expected time of the start.
class Band : public QWidget
{
public:
    using QWidget::QWidget;
    qint64 now = 0, from = 0, to = 0;
    [[nodiscard]] QSize sizeHint() const override { return {200, 36}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = themeOf(*this);
        const Roles& c = theme.roles();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const double w = width() - 2;
        const double span = std::max<double>(1, double(to - now) * 1.6);
        const auto x = [&](qint64 time) { return 1 + std::clamp(double(time - now) / span, 0.0, 1.0) * w; };
        painter.setPen(QPen(c.control, 1));
        painter.drawLine(QPointF(1, 10), QPointF(1 + w, 10));
        for (const double at : {1.0, 1 + w})
            painter.drawLine(QPointF(at, 4), QPointF(at, 16));
        painter.setPen(QPen(c.accent, 1));
        painter.setBrush(Theme::alpha(c.accent, 0.25));
        painter.drawRoundedRect(QRectF(x(from), 6, std::max(4.0, x(to) - x(from)), 8), 2, 2);
        painter.setPen(c.text2);
        painter.setFont(theme.font(TextSize::caption));
        painter.drawText(QRectF(0, 18, 80, 16), Qt::AlignLeft | Qt::AlignVCenter, WhyCard::tr("now"));
        painter.drawText(
            QRectF(w - 80, 18, 80, 16), Qt::AlignRight | Qt::AlignVCenter, models::clockText(now + qint64(span), now));
    }
};

void clear(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

WhyCard::WhyCard(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel({}, TextSize::title, QFont::DemiBold, this))
    , m_waited(new StateLabel(this))
    , m_card(new Card(this))
    , m_sentence(makeLabel({}, TextSize::title, QFont::DemiBold, m_card))
    , m_offers(new QGridLayout)
    , m_band(new Band(m_card))
    , m_bandText(makeLabel({}, TextSize::body, QFont::DemiBold, m_card))
    , m_helpTitle(makeQuietLabel(tr("What would help"), TextSize::caption, this))
    , m_helps(new QGridLayout)
{
    setAccessibleName(tr("Why it waits"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(metrics::margin);
    auto* words = new FlowLayout(metrics::gap);
    words->addWidget(m_title);
    words->addWidget(m_waited);
    auto* head = new QHBoxLayout;
    head->addLayout(words, 1);
    auto* close = makeIconButton(u"close"_s, tr("Close the card"), this);
    connect(close, &QToolButton::clicked, this, &WhyCard::closed);
    head->addWidget(close, 0, Qt::AlignTop);
    layout->addLayout(head);

    m_card->setEdge(&Roles::waiting);
    auto* inside = new QVBoxLayout(m_card);
    inside->setContentsMargins(16, 16, 12, 16);
    inside->setSpacing(metrics::gap);
    QLabel* caption = makeQuietLabel(tr("Why it waits"), TextSize::caption, m_card);
    caption->setFont(context.theme.font(TextSize::caption, QFont::DemiBold));
    inside->addWidget(caption);
    m_sentence->setWordWrap(true);
    makeSelectable(m_sentence);
    inside->addWidget(m_sentence);
    m_offers->setHorizontalSpacing(metrics::margin);
    m_offers->setVerticalSpacing(metrics::tight);
    m_offers->setColumnStretch(2, 1);
    inside->addLayout(m_offers);
    inside->addWidget(m_bandText);
    inside->addWidget(m_band);
    layout->addWidget(m_card);

    m_helpTitle->setFont(context.theme.font(TextSize::caption, QFont::DemiBold));
    layout->addWidget(m_helpTitle);
    m_helps->setHorizontalSpacing(12);
    m_helps->setVerticalSpacing(metrics::gap);
    m_helps->setColumnMinimumWidth(0, context.theme.scaled(152));
    m_helps->setColumnStretch(1, 1);
    layout->addLayout(m_helps);
    layout->addStretch(1);
}

void WhyCard::setTrial(const core::TrialPtr& trial, const QList<core::TrialPtr>& queue)
{
    m_card->setVisible(trial != nullptr);
    m_waited->setVisible(trial != nullptr);
    if (!trial) {
        m_title->setText(queue.isEmpty() ? tr("Nothing waits") : tr("No trial is chosen"));
        m_helpTitle->hide();
        clear(m_helps);
        m_shown.clear();
        return;
    }
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    m_title->setText(tr("Trial %1").arg(trial->sequenceId));
    m_waited->setLook(m_context.theme.state(core::TrialStatus::waiting),
        tr("Waiting for %1").arg(models::durationText(now - trial->submitTime)));
    const models::WhyWaiting why = models::whyWaiting(*trial, m_context.mirror.state(), queue, now);
    // The service's reason starts in lower case; make it a sentence. The part in parentheses, about each machine, is shown in the
    // table.
    const QString whole = models::printable(why.sentence, 600);
    QString sentence = why.offers.isEmpty() ? whole : whole.section(u" ("_s, 0, 0);
    m_sentence->setToolTip(whole);
    if (!sentence.isEmpty())
        sentence[0] = sentence[0].toUpper();
    m_sentence->setText(sentence);
    setOffers(why.offers);
    m_bandText->setVisible(why.start.has_value());
    m_band->setVisible(why.start.has_value());
    if (why.start) {
        auto* band = static_cast<Band*>(m_band);
        band->now = now;
        band->from = why.start->first;
        band->to = why.start->second;
        band->update();
        m_bandText->setText(tr("Earliest, by history: %1").arg(models::bandText(*why.start, now)));
    }
    setHelps(why.helps);
}

void WhyCard::setOffers(const QList<models::Offer>& offers)
{
    clear(m_offers);
    int row = 0;
    for (const models::Offer& offer : offers) {
        if (row == mostOffers)
            break;
        m_offers->addWidget(
            makeLabel(models::printable(offer.name, 40), TextSize::header, QFont::DemiBold, m_card), row, 0);
        QLabel* there = makeLabel(offer.offer, TextSize::header, QFont::Normal, m_card);
        if (offer.silent)
            setTextRole(there, &Roles::unknown);
        m_offers->addWidget(there, row, 1);
        QLabel* note = makeQuietLabel(models::printable(offer.why, 200), TextSize::header, m_card);
        note->setWordWrap(true);
        m_offers->addWidget(note, row, 2);
        ++row;
    }
}

void WhyCard::setHelps(const QList<models::Help>& helps)
{
    m_helpTitle->setVisible(!helps.isEmpty());
    QString shown;
    for (const models::Help& help : helps)
        shown += help.label + u'\n' + help.effect + u'\n';
    shown += m_title->text();
    if (shown == m_shown)
        return;
    m_shown = shown;
    clear(m_helps);
    int row = 0;
    for (const models::Help& help : helps) {
        QPushButton* button = row == 0 ? makePrimaryButton(help.label, {}, this) : makeButton(help.label, {}, this);
        button->setAccessibleDescription(help.effect);
        connect(button, &QPushButton::clicked, this, [this, command = help.command, button] {
            button->setEnabled(false);
            m_context.mirror.execute(command, [self = QPointer(this)](const auto&) {
                if (self)
                    self->m_shown.clear();
            });
        });
        m_helps->addWidget(button, row, 0);
        QLabel* effect = makeQuietLabel(help.effect, TextSize::body, this);
        effect->setWordWrap(true);
        m_helps->addWidget(effect, row, 1);
        ++row;
    }
}

} // namespace ui
