// SPDX-License-Identifier: GPL-3.0-or-later
#include "top_bar.h"

#include "models/printable.h"
#include "ui/keys/key_command.h"
#include "ui/kit/icons.h"
#include "ui/kit/style.h"
#include "ui/kit/widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace ui {

using core::ExperimentState;

namespace {

/// A button that looks like a search field and opens the palette.
class SearchButton : public QPushButton
{
public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = themeOf(*this);
        const Roles& c = theme.roles();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(hasFocus() ? c.accent : c.control, hasFocus() ? 2 : 1));
        painter.setBrush(underMouse() ? c.hover : c.base);
        const double half = hasFocus() ? 1 : 0.5;
        painter.drawRoundedRect(
            QRectF(rect()).adjusted(half, half, -half, -half), metrics::radiusControl, metrics::radiusControl);
        icons::paint(painter, QRectF(9, 0, 16, height()), u"search"_s, c.text2);
        painter.setFont(theme.font(TextSize::body));
        painter.setPen(c.text2);
        const QString keys = keysText(keysOf(paletteKey()).mid(0, 1));
        const int wide = keys.isEmpty() ? 0 : QFontMetrics(theme.font(TextSize::caption)).horizontalAdvance(keys) + 12;
        const int words = painter.fontMetrics().horizontalAdvance(text());
        constexpr int before = 32;
        constexpr int around = 7;
        // The key is left out where it would take the words' room.
        const bool hasKey = wide > 0 && before + words + wide + 2 * around <= width();
        const QRect room = rect().adjusted(before, 0, -(hasKey ? wide + 2 * around : around), 0);
        painter.drawText(
            room, Qt::AlignVCenter, painter.fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
        if (!hasKey)
            return;
        painter.setFont(theme.font(TextSize::caption));
        const QRectF key(width() - wide - around, (height() - 18) / 2.0, wide, 18);
        painter.setPen(QPen(c.line2, 1));
        painter.setBrush(c.window);
        painter.drawRoundedRect(key.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setPen(c.text2);
        painter.drawText(key, Qt::AlignCenter, keys);
    }
};

} // namespace

bool isPlacing(const api::Mirror& state, const core::ExperimentId& experiment)
{
    for (const auto& one : state.experiments().list())
        if ((experiment.isEmpty() || one->id == experiment)
            && (one->state == ExperimentState::running || one->state == ExperimentState::preparing))
            return true;
    return false;
}

bool isPaused(const api::Mirror& state, const core::ExperimentId& experiment)
{
    for (const auto& one : state.experiments().list())
        if ((experiment.isEmpty() || one->id == experiment) && one->state == ExperimentState::paused)
            return true;
    return false;
}

TopBar::TopBar(models::EngineMirror& mirror, QWidget* parent)
    : QWidget(parent)
    , m_mirror(mirror)
    , m_service(new QToolButton(this))
    , m_experiments(new QComboBox(this))
    , m_state(new StateLabel(this))
    , m_search(new SearchButton(tr("Go to, or do"), this))
    , m_pause(makeButton(tr("Pause placement"), u"pause"_s, this))
    , m_new(makePrimaryButton(tr("New experiment"), u"plus"_s, this))
    , m_bell(makeIconButton(u"bell"_s, tr("Notices"), this))
{
    setFixedHeight(themeOf(*this).scaled(metrics::toolBar));
    setAccessibleName(tr("Tool bar"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 12, 1);
    layout->setSpacing(metrics::gap);
    m_service->setAutoRaise(true);
    m_service->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_service->setIcon(icons::icon(themeOf(*this), u"computer"_s, &Roles::text));
    m_service->setFont(themeOf(*this).font(TextSize::body, QFont::DemiBold));
    m_service->setFocusPolicy(Qt::TabFocus);
    m_service->setPopupMode(QToolButton::InstantPopup);
    m_service->setAccessibleName(tr("Service"));
    m_service->setFixedWidth(themeOf(*this).scaled(metrics::sidebar) - 4);
    layout->addWidget(m_service);
    m_experiments->setAccessibleName(tr("Experiment"));
    m_experiments->setMinimumWidth(themeOf(*this).scaled(120));
    m_experiments->setMaximumWidth(themeOf(*this).scaled(232));
    m_experiments->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_experiments->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    layout->addWidget(m_experiments, 3);
    layout->addSpacing(4);
    layout->addWidget(m_state);
    layout->addStretch(1);
    m_search->setMinimumWidth(themeOf(*this).scaled(140));
    m_search->setMaximumWidth(themeOf(*this).scaled(320));
    m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_search->setAccessibleName(tr("Go to, or do: any action, trial, machine or experiment"));
    m_search->setFixedHeight(themeOf(*this).scaled(metrics::control));
    layout->addWidget(m_search, 3);
    layout->addStretch(1);
    layout->addWidget(m_pause);
    layout->addWidget(m_new);
    layout->addWidget(m_bell);

    connect(m_experiments, &QComboBox::activated, this,
        [this](int index) { emit experimentChosen(core::ExperimentId(m_experiments->itemData(index).toString())); });
    connect(m_search, &QPushButton::clicked, this, &TopBar::searchWanted);
    connect(m_pause, &QPushButton::clicked, this, &TopBar::pauseWanted);
    connect(m_new, &QPushButton::clicked, this, &TopBar::newWanted);
    connect(&mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->experiments.isEmpty() || !change->removed.experiments.isEmpty())
            refresh();
    });
    connect(&themeOf(*this), &Theme::changed, this, [this] {
        refresh();
        update();
    });
    refresh();
}

void TopBar::setServiceName(const QString& name)
{
    m_service->setText(name);
}

void TopBar::setExperiment(const core::ExperimentId& experiment)
{
    m_experiment = experiment;
    refresh();
}

void TopBar::setNewIsPrimary(bool primary)
{
    setPrimary(m_new, primary);
    m_new->setIcon(icons::icon(themeOf(*this), u"plus"_s, primary ? &Roles::onAccent : &Roles::text));
}

void TopBar::setBell(int unread, const QString& what)
{
    m_bell->setIcon(icons::icon(themeOf(*this), u"bell"_s, unread > 0 ? &Roles::accent : &Roles::text));
    m_bell->setToolTip(what);
    m_bell->setAccessibleDescription(what);
}

void TopBar::refresh()
{
    const api::Mirror& state = m_mirror.state();
    QList<core::ExperimentPtr> list = state.experiments().list();
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a->id > b->id; });
    const bool any = !list.isEmpty();
    // Rebuild the list only if it differs, so that an open list does not change under the pointer.
    QStringList wanted;
    for (const auto& experiment : list)
        wanted += experiment->id.value + u' ' + experiment->spec.name;
    if (wanted != m_experiments->property("shown").toStringList()) {
        m_experiments->setProperty("shown", wanted);
        m_experiments->clear();
        m_experiments->addItem(tr("All experiments"), QString());
        for (const auto& experiment : list)
            m_experiments->addItem(models::printable(experiment->spec.name, 80), experiment->id.value);
    }
    const int at = m_experiments->findData(m_experiment.value);
    m_experiments->setCurrentIndex(std::max(0, at));
    m_experiments->setVisible(any);
    const core::ExperimentPtr chosen = state.experiments().find(m_experiment);
    m_state->setVisible(chosen != nullptr);
    if (chosen) {
        m_state->setLook(themeOf(*this).state(chosen->state));
        m_state->setToolTip(models::printableLines(chosen->message));
    }
    const bool placing = isPlacing(state, m_experiment);
    const bool paused = !placing && isPaused(state, m_experiment);
    m_pause->setVisible(placing || paused);
    m_pauseText = paused ? tr("Resume placement") : tr("Pause placement");
    m_pause->setIcon(icons::icon(themeOf(*this), paused ? u"play"_s : u"pause"_s, &Roles::text));
    fit();
}

/// Where there is no room for all words, the buttons with icons have none; their tool tips do.
void TopBar::fit()
{
    m_pause->setText(m_pauseText);
    m_new->setText(tr("New experiment"));
    const bool isNarrow = layout()->minimumSize().width() > width();
    for (QPushButton* button : {m_pause, m_new}) {
        const QString words = button->text();
        button->setAccessibleName(words);
        button->setToolTip(isNarrow ? words : QString());
        if (isNarrow)
            button->setText({});
    }
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void TopBar::paintEvent(QPaintEvent*)
{
    const Roles& c = themeOf(*this).roles();
    QPainter painter(this);
    painter.fillRect(rect(), c.window);
    painter.fillRect(QRect(0, height() - 1, width(), 1), c.line2);
}

} // namespace ui
