// SPDX-License-Identifier: GPL-3.0-or-later
#include "first_run.h"

#include "getting_started.h"

#include "models/engine_mirror.h"
#include "models/machine_cells.h"
#include "models/printable.h"
#include "models/format.h"
#include "ui/kit/actions.h"
#include "ui/kit/gpu_paint.h"
#include "ui/kit/icons.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr auto demoName = "Demo: "_L1; ///< what the name of resources/demo's experiment begins with

/// The drawing at the top of a card.
class Drawing : public QWidget
{
public:
    Drawing(int which, QWidget* parent)
        : QWidget(parent)
        , m_which(which)
    {
        setFixedHeight(112);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = themeOf(*this);
        const Roles& c = theme.roles();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(QRect(0, height() - 1, width(), 1), c.line);
        const double w = width();
        switch (m_which) {
        case 0:
            for (int curve = 0; curve < 8; ++curve) {
                QPainterPath path(QPointF(28, 98));
                const double level = 74 - (curve * 37 % 50);
                for (int i = 1; i <= 40; ++i)
                    path.lineTo(28 + (w - 56) * i / 40.0,
                        98 - level * (1 - std::exp(-i / (6.0 + curve))) + std::sin(i * 1.7 + curve * 2.1) * 1.6);
                painter.setPen(QPen(curve == 3 ? c.accent : Theme::alpha(c.curve, 0.35), curve == 3 ? 2 : 1));
                painter.drawPath(path);
            }
            painter.setPen(QPen(c.line2, 1));
            painter.drawLine(QPointF(28, 100), QPointF(w - 28, 100));
            icons::paint(painter, QRectF(w * 0.66, 68, 16, 16), u"failed"_s, c.failed, 12);
            break;
        case 1: {
            const double pitch = std::min(24.0, (w - 76 - 20) / 7.0); // seven GPUs fit side by side
            for (int machine = 0; machine < 3; ++machine) {
                const int gpus = machine == 0 ? 2 : machine == 1 ? 4 : 7;
                painter.setBrush(c.line);
                painter.setPen(Qt::NoPen);
                painter.drawRoundedRect(QRectF(28, 26 + machine * 28, 28, 8), 2, 2);
                for (int gpu = 0; gpu < gpus; ++gpu) {
                    models::GpuCell cell;
                    cell.kind = machine == 1 && gpu == 3 ? models::CellKind::foreign
                        : machine == 2 && gpu > 3        ? models::CellKind::free
                                                         : models::CellKind::ours;
                    cell.use = 90;
                    paintGpuColumn(
                        painter, themeOf(*this), QRectF(76 + gpu * pitch, 22 + machine * 28, pitch - 4, 16), cell);
                }
            }
            break;
        }
        case 2: {
            painter.setFont(theme.font(TextSize::mono));
            const QString lines[] = {
                u"for epoch in range(60):"_s, u"  acc = train(lr, batch)"_s, u"  print(f\"acc={acc}\")"_s};
            painter.fillRect(QRectF(20, 65, w - 40, 20), c.select);
            for (int i = 0; i < 3; ++i) {
                painter.setPen(i == 2 ? c.accent : c.text2);
                painter.drawText(QRectF(28, 25 + i * 20, w - 40, 20), Qt::AlignVCenter, lines[i]);
            }
            break;
        }
        default:
            painter.setPen(QPen(c.line2, 1));
            painter.drawLine(QPointF(28, 92), QPointF(w - 28, 92));
            for (int row = 0; row < 3; ++row) {
                painter.setPen(QPen(c.accent, 1));
                painter.setBrush(Theme::alpha(c.accent, 0.25));
                painter.drawRoundedRect(QRectF(40 + row * 24, 26 + row * 20, w - 80 - row * 24, 9), 2, 2);
            }
            painter.setPen(QPen(c.failed, 1, Qt::DashLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(w * 0.45, 14, w * 0.18, 74));
            painter.setPen(c.failed);
            painter.setFont(theme.font(TextSize::caption));
            painter.drawText(QRectF(w * 0.34, 93, w * 0.4, 16), Qt::AlignCenter, FirstRun::tr("window closed"));
        }
    }

private:
    int m_which;
};

} // namespace

FirstRun::FirstRun(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel(tr("This computer is ready"), TextSize::pageTitle, QFont::DemiBold, this))
    , m_facts(new QHBoxLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 24, 16, 16);
    layout->setSpacing(metrics::gap);
    layout->addWidget(m_title);
    m_facts->setSpacing(24);
    layout->addLayout(m_facts);
    layout->addWidget(makeQuietLabel(tr(
        "No account, nothing is sent anywhere. Each card can be skipped; the list stays in Help, Getting started.")));
    layout->addSpacing(24);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(metrics::margin);
    const Entry list[] = {
        {tr("Run a demo"), tr("20 small trials on the CPU with live curves. One fails on purpose."), tr("Run the demo"),
            u"play"_s, tr("About 30 seconds"), [this] { m_context.actions.runDemo(); }, {}, {}},
        {tr("Add machines"), tr("Tell where trials may run besides this computer. Settings are checked step by step."),
            tr("Add machines"), {}, tr("Needs a login and a shell, no root"),
            [this] { m_context.actions.showMachine({}); }, {}, {}},
        {tr("Bring your script"),
            tr("Choose a file. The command is proposed, and the line that reports a value is shown."),
            tr("Choose a script"), {}, tr("Or `trialdeck run` in its folder"),
            [this] { m_context.actions.openNewExperiment(); }, tr("Open an NNI file"),
            [this] { m_context.actions.openExperimentFile(); }},
        {tr("Leave it running"),
            tr("Close the window while trials wait: a service in the background goes on placing them."),
            tr("Pull the plug"), {}, tr("Kills a service of its own: nothing is lost"),
            [this] { m_context.actions.pullPlug(); }, tr("Install the service"),
            [this] { m_context.actions.installService(); }},
    };
    for (const Entry& entry : list)
        cards->addWidget(makeCard(entry), 1);
    layout->addLayout(cards);
    layout->addStretch(1);
    connect(&context.mirror, &models::EngineMirror::changed, this, [this](const api::ChangePtr& change) {
        if (change->full || !change->machines.isEmpty() || !change->experiments.isEmpty()
            || !change->removed.experiments.isEmpty() || !change->removed.machines.isEmpty())
            refresh();
    });
    refresh();
}

QWidget* FirstRun::makeCard(const Entry& entry)
{
    const int number = int(m_ticks.size());
    auto* card = new Card(this);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(1, 1, 1, 16);
    inside->setSpacing(metrics::gap);
    inside->addWidget(new Drawing(number, card));
    auto* texts = new QVBoxLayout;
    texts->setContentsMargins(15, 12, 15, 0);
    texts->setSpacing(metrics::gap);
    auto* head = new QHBoxLayout;
    head->addWidget(makeQuietLabel(QString::number(number + 1), TextSize::body, card));
    head->addWidget(makeLabel(entry.title, TextSize::title, QFont::DemiBold, card));
    head->addStretch(1);
    auto* tick = new StateLabel(card);
    tick->hide();
    head->addWidget(tick);
    m_ticks += tick;
    texts->addLayout(head);
    QLabel* words = makeQuietLabel(entry.words, TextSize::body, card);
    words->setWordWrap(true);
    words->setMinimumHeight(words->fontMetrics().height() * 3);
    words->setAlignment(Qt::AlignTop);
    texts->addWidget(words);
    QPushButton* button =
        number == 0 ? makePrimaryButton(entry.button, entry.icon, card) : makeButton(entry.button, entry.icon, card);
    connect(button, &QPushButton::clicked, this, entry.run);
    texts->addWidget(button, 0, Qt::AlignLeft);
    texts->addWidget(makeQuietLabel(entry.foot, TextSize::caption, card));
    if (entry.runOther) {
        QPushButton* other = makeButton(entry.otherButton, {}, card);
        connect(other, &QPushButton::clicked, this, entry.runOther);
        texts->addWidget(other, 0, Qt::AlignLeft);
    }
    inside->addLayout(texts);
    inside->addStretch(1);
    return card;
}

/// A card has a tick when what it proposes was done.
void FirstRun::showTicks()
{
    const api::Mirror& state = m_context.mirror.state();
    bool hasDemo = false;
    bool hasOwn = false;
    for (const auto& experiment : state.experiments().list()) {
        const bool isDemo = experiment->spec.name.startsWith(demoName);
        hasDemo = hasDemo || isDemo;
        hasOwn = hasOwn || (!isDemo && !experiment->spec.tags.contains(u"test-run"_s));
    }
    const auto& machines = state.machines().list();
    const bool hasMachines = std::any_of(
        machines.begin(), machines.end(), [](const auto& one) { return one->platformId.value != u"local"_s; });
    const bool done[] = {hasDemo, hasMachines, hasOwn, wasLeftRunning()};
    for (qsizetype i = 0; i < m_ticks.size(); ++i) {
        StateLook look = m_context.theme.state(core::TrialStatus::succeeded);
        m_ticks[i]->setLook(look, tr("Done"));
        m_ticks[i]->setVisible(done[i]);
    }
}

void FirstRun::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showTicks();
}

void FirstRun::refresh()
{
    showTicks();
    QStringList facts;
    for (const auto& machine : m_context.mirror.state().machines().list()) {
        if (machine->cpuCount > 0)
            facts += machine->memoryTotal > 0 ? tr("%n core(s), %1 of memory", nullptr, machine->cpuCount)
                                                    .arg(models::bytesText(machine->memoryTotal))
                                              : tr("%n core(s)", nullptr, machine->cpuCount);
        facts += models::printable(models::modelLine(*machine), 48); // of a whole line of facts
        if (machine->diskFree > 0)
            facts += tr("%1 of disk free").arg(models::bytesText(machine->diskFree));
        break;
    }
    facts.removeAll(QString());
    const QString shown = facts.join(u'\n');
    if (shown == m_shown)
        return;
    m_shown = shown;
    while (QLayoutItem* item = m_facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& fact : facts) {
        auto* one = new StateLabel(this);
        StateLook look = m_context.theme.state(core::TrialStatus::succeeded);
        look.role = &Roles::text;
        one->setLook(look, fact);
        m_facts->addWidget(one);
    }
    m_facts->addStretch(1);
}

} // namespace ui
