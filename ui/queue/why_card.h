// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/queue/why_waiting.h"
#include "ui/kit/page.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace ui {

class Card;
class StateLabel;

/// Explains why a trial waits: a sentence, what each machine offers, a forecast, and buttons with their effects.
class WhyCard : public QWidget
{
    Q_OBJECT
public:
    explicit WhyCard(const PageContext& context, QWidget* parent = nullptr);

    /// Null: no trial waits.
    void setTrial(const core::TrialPtr& trial, const QList<core::TrialPtr>& queue);

signals:
    void closed();

private:
    void setOffers(const QList<models::Offer>& offers);
    void setHelps(const QList<models::Help>& helps);

    PageContext m_context;
    QLabel* m_title;
    StateLabel* m_waited;
    Card* m_card;
    QLabel* m_sentence;
    QGridLayout* m_offers;
    QWidget* m_band;
    QLabel* m_bandText;
    QLabel* m_helpTitle;
    QGridLayout* m_helps;
    QString m_shown; ///< key of the buttons' contents; unchanged buttons are not replaced
};

} // namespace ui
