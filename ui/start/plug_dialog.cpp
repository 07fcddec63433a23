// SPDX-License-Identifier: GPL-3.0-or-later
#include "plug_dialog.h"

#include "models/format.h"
#include "ui/kit/ask.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/icons.h"
#include "ui/kit/markup_label.h"
#include "ui/kit/save_as.h"
#include "ui/kit/widgets.h"

#include "services/core/message/localized.h"

#include <QBoxLayout>
#include <QBuffer>
#include <QClipboard>
#include <QDateTime>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QTableWidget>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

/// A timeline in seconds of when the service ran and when each trial reported values.
class Timeline : public QWidget
{
public:
    explicit Timeline(QWidget* parent)
        : QWidget(parent)
    {
        setMinimumHeight(250);
        connect(&themeOf(*this), &Theme::changed, this, qOverload<>(&QWidget::update));
        setAccessibleName(PlugDialog::tr("What happened, on a line of time"));
    }
    const PlugProof* proof = nullptr;

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (!proof || proof->begin == 0)
            return;
        const Theme& theme = themeOf(*this);
        const Roles& c = theme.roles();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const qint64 now = proof->end ? proof->end : QDateTime::currentMSecsSinceEpoch();
        const double left = 96;
        const double right = width() - 16;
        const double span = std::max<double>(10'000, double(now - proof->begin));
        const auto x = [&](qint64 time) { return left + double(time - proof->begin) / span * (right - left); };
        painter.setFont(theme.font(TextSize::header));
        for (qint64 second = 0; second * 1'000 <= qint64(span); second += span > 40'000 ? 10 : 5) {
            const double at = x(proof->begin + second * 1'000);
            painter.setPen(QPen(c.line, 1));
            painter.drawLine(QPointF(at, 24), QPointF(at, height() - 24));
            painter.setPen(c.text2);
            painter.drawText(
                QRectF(at - 30, height() - 22, 60, 16), Qt::AlignCenter, PlugDialog::tr("%1 s").arg(second));
        }
        if (proof->killed) {
            const double from = x(proof->killed);
            const double to = x(proof->back ? proof->back : now);
            painter.fillRect(QRectF(from, 24, to - from, height() - 48), Theme::alpha(c.failed, 0.10));
            painter.setPen(QPen(c.failed, 1, Qt::DashLine));
            painter.drawLine(QPointF(from, 24), QPointF(from, height() - 24));
            painter.drawLine(QPointF(to, 24), QPointF(to, height() - 24));
            painter.setFont(theme.font(TextSize::header, QFont::DemiBold));
            painter.setPen(c.failed);
            painter.drawText(QRectF((from + to) / 2 - 120, 4, 240, 16), Qt::AlignCenter,
                PlugDialog::tr("no service for %1 s")
                    .arg(QString::number(double((proof->back ? proof->back : now) - proof->killed) / 1'000, 'f', 1)));
        }
        painter.setFont(theme.font(TextSize::body, QFont::DemiBold));
        painter.setPen(c.text);
        painter.drawText(QRectF(12, 34, left - 20, 16), Qt::AlignVCenter, PlugDialog::tr("Service"));
        const auto life = [&](qint64 from, qint64 to, qint64 pid) {
            painter.setPen(QPen(c.succeeded, 1));
            painter.setBrush(Theme::alpha(c.succeeded, 0.30));
            const QRectF bar(x(from), 34, std::max(2.0, x(to) - x(from)), 16);
            painter.drawRoundedRect(bar, 2, 2);
            painter.setPen(c.text);
            painter.setFont(theme.font(TextSize::caption));
            painter.drawText(bar.adjusted(6, 0, 0, 0), Qt::AlignVCenter, PlugDialog::tr("process %1").arg(pid));
        };
        life(proof->begin, proof->killed ? proof->killed : now, proof->pidBefore);
        if (proof->back)
            life(proof->back, now, proof->pidAfter);
        double y = 62;
        const double step =
            std::clamp((height() - 24 - y) / std::max<double>(1, double(proof->trials.size())), 20.0, 28.0);
        for (const PlugTrial& trial : proof->trials) {
            painter.setFont(theme.font(TextSize::header));
            painter.setPen(c.text);
            painter.drawText(
                QRectF(12, y, left - 20, 14), Qt::AlignVCenter, PlugDialog::tr("Trial %1").arg(trial.number));
            painter.setPen(QPen(c.running, 1));
            painter.setBrush(Theme::alpha(c.running, 0.18));
            painter.drawRoundedRect(QRectF(x(trial.started), y, x(now) - x(trial.started), 13), 2, 2);
            for (const qint64 value : trial.values) {
                const bool inGap = value > proof->killed && (!proof->back || value < proof->back);
                painter.setPen(QPen(inGap ? c.unknown : c.running, inGap ? 2 : 1));
                painter.drawLine(QPointF(x(value), y + 3), QPointF(x(value), y + 10));
            }
            y += step;
        }
    }
};

constexpr int verdictColumn = 6;

/// Figures are right-aligned.
Qt::Alignment alignmentOf(int column)
{
    return (column == verdictColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

} // namespace

PlugDialog::PlugDialog(std::function<std::unique_ptr<PlugRun>()> makeRun, QWidget* parent)
    : QDialog(parent)
    , m_make(std::move(makeRun))
    , m_title(makeLabel({}, TextSize::pageTitle, QFont::DemiBold, this))
    , m_again(makeButton(tr("Run again"), u"refresh"_s, this))
    , m_timeline(new Timeline(this))
    , m_table(new QTableWidget(0, 7, this))
    , m_steps(new QVBoxLayout)
{
    setWindowTitle(tr("Pull the plug"));
    resize(roomOnScreen(this, QSize(1200, 820) * themeOf(*this).scaled(100) / 100));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(metrics::margin);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addStretch(1);
    QPushButton* copy = makeButton(tr("Copy as text"), u"copy"_s, this);
    QPushButton* save = makeButton(tr("Export proof"), u"export"_s, this);
    for (QPushButton* button : {m_again, copy, save})
        head->addWidget(button);
    layout->addLayout(head);
    auto* figures = new QHBoxLayout;
    figures->setSpacing(metrics::margin);
    for (const QString& words : {tr("running trials adopted"), tr("trials lost"), tr("started twice"),
             tr("values of the gap recovered"), tr("from start to adopted")})
        figures->addWidget(makeFigure(words, {}));
    layout->addLayout(figures);
    auto* body = new QHBoxLayout;
    body->setSpacing(metrics::margin);
    auto* left = new QVBoxLayout;
    left->setSpacing(metrics::margin);
    auto* timelineCard = new Card(this);
    auto* timelineLayout = new QVBoxLayout(timelineCard);
    timelineLayout->setContentsMargins(4, 12, 0, 4);
    auto* legend = new MarkupLabel(TextSize::caption, QFont::Normal, timelineCard);
    legend->setMarkup(coloured("text2",
        tr("%1 value received live, %2 value kept beside the trial and read later")
            .arg(coloured("running", u"<b>|</b>"_s), coloured("unknown", u"<b>|</b>"_s))));
    auto* timelineHead = new QHBoxLayout;
    timelineHead->setContentsMargins(12, 0, 16, 0);
    timelineHead->addWidget(makeLabel(tr("What happened"), TextSize::body, QFont::DemiBold, timelineCard));
    timelineHead->addStretch(1);
    timelineHead->addWidget(legend);
    timelineLayout->addLayout(timelineHead);
    timelineLayout->addWidget(m_timeline, 1);
    left->addWidget(timelineCard, 1);
    auto* tableCard = new Card(this);
    auto* tableLayout = new QVBoxLayout(tableCard);
    tableLayout->setContentsMargins(1, 12, 1, 4);
    QLabel* tableTitle = makeLabel(tr("Trial by trial"), TextSize::body, QFont::DemiBold, tableCard);
    tableTitle->setContentsMargins(15, 0, 0, 4);
    tableLayout->addWidget(tableTitle);
    setUpTable(m_table, tr("Trial by trial"));
    // Limited to the height of eight trials; the remaining height is for the timeline.
    m_table->setMinimumHeight(themeOf(*this).scaled(3 * metrics::control));
    tableCard->setMaximumHeight(themeOf(*this).scaled(9 * metrics::control + 48));
    m_table->setHorizontalHeaderLabels(
        {tr("Trial"), tr("Started"), tr("Starts"), tr("Before"), tr("In the gap"), tr("After"), tr("Verdict")});
    m_table->horizontalHeader()->setStretchLastSection(true);
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->setColumnWidth(column, themeOf(*this).scaled(column == 0 ? 64 : 88));
        m_table->horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
    }
    tableLayout->addWidget(m_table, 1);
    left->addWidget(tableCard, 1);
    body->addLayout(left, 3);
    auto* stepCard = new Card(this);
    auto* stepLayout = new QVBoxLayout(stepCard);
    stepLayout->setContentsMargins(16, 12, 16, 12);
    stepLayout->addWidget(makeLabel(tr("Steps"), TextSize::body, QFont::DemiBold, stepCard));
    m_steps->setSpacing(metrics::gap);
    stepLayout->addLayout(m_steps);
    stepLayout->addStretch(1);
    QLabel* limit = makeQuietLabel(tr("What this does not show: a restart of the computer, or a full disk. The first "
                                      "ends running trials as failed, "
                                      "with the reason machineRestarted."),
        TextSize::caption, stepCard);
    limit->setWordWrap(true);
    stepLayout->addWidget(limit);
    body->addWidget(stepCard, 1);
    layout->addLayout(body, 1);
    connect(m_again, &QPushButton::clicked, this, &PlugDialog::runAgain);
    connect(
        copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_run->proof().text()); });
    connect(save, &QPushButton::clicked, this, &PlugDialog::exportProof);
    runAgain();
}

PlugDialog::~PlugDialog() = default;

QWidget* PlugDialog::makeFigure(const QString& words, const QString& more)
{
    auto* card = new Card(this);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 10, 16, 10);
    layout->setSpacing(2);
    auto* figure = new StateLabel(card);
    figure->setSize(TextSize::pageTitle, QFont::DemiBold);
    layout->addWidget(figure);
    layout->addWidget(makeLabel(words, TextSize::body, QFont::Normal, card));
    QLabel* note = makeQuietLabel(more, TextSize::caption, card);
    layout->addWidget(note);
    m_figures += figure;
    m_notes += note;
    return card;
}

void PlugDialog::runAgain()
{
    m_run = m_make();
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_shownSteps = 0;
    m_table->setRowCount(0);
    static_cast<Timeline*>(m_timeline)->proof = &m_run->proof();
    connect(m_run.get(), &PlugRun::changed, this, &PlugDialog::refresh);
    m_run->start();
    refresh();
}

void PlugDialog::refresh()
{
    const PlugProof& proof = m_run->proof();
    const Theme& theme = themeOf(*this);
    const bool done = m_run->isFinished();
    m_again->setEnabled(done);
    m_title->setText(!done   ? tr("Pull the plug: watching")
            : proof.isGood() ? tr("Pull the plug: nothing was lost")
                             : tr("Pull the plug: not as it should be"));
    StateLook look = theme.state(done ? core::TrialStatus::succeeded : core::TrialStatus::waiting);
    look.role = &Roles::text;
    const auto figure = [&](int at, const QString& text, bool good, const QString& note) {
        StateLook own = look;
        if (done && !good)
            own = theme.state(core::TrialStatus::failed);
        m_figures[at]->setLook(own, text);
        m_notes[at]->setText(note);
    };
    const int running = int(proof.trials.size());
    figure(0, tr("%1 of %2").arg(proof.adoptedCount()).arg(running), running > 0 && proof.adoptedCount() == running,
        tr("same process, same start time"));
    figure(1, QString::number(proof.knownAfter ? proof.lost() : 0), proof.lost() == 0,
        tr("%1 known before, %2 after").arg(proof.knownBefore).arg(proof.knownAfter));
    figure(2, QString::number(proof.startedTwice()), proof.startedTwice() == 0, tr("each start leaves a mark on disk"));
    figure(3, QString::number(proof.gapValues()), !done || proof.gapValues() > 0, tr("no gap in any sequence"));
    figure(4,
        proof.adopted ? tr("%1 s").arg(QString::number(double(proof.adopted - proof.back) / 1'000, 'f', 1)) : u"–"_s,
        proof.adopted > 0,
        proof.back ? tr("service away for %1 s").arg(QString::number(double(proof.back - proof.killed) / 1'000, 'f', 1))
                   : QString());
    for (; m_shownSteps < proof.steps.size(); ++m_shownSteps) {
        const PlugStep& step = proof.steps[m_shownSteps];
        auto* row = new QWidget(this);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins({});
        line->addWidget(
            makeQuietLabel(models::clockText(step.time, step.time, true), TextSize::header, row), 0, Qt::AlignTop);
        auto* mark = new IconLabel(
            step.bad ? u"failed"_s : u"succeeded"_s, step.bad ? &Roles::failed : &Roles::succeeded, metrics::icon, row);
        line->addWidget(mark, 0, Qt::AlignTop);
        QLabel* words = makeLabel(step.text, TextSize::body, step.bad ? QFont::DemiBold : QFont::Normal, row);
        words->setWordWrap(true);
        makeSelectable(words);
        line->addWidget(words, 1);
        m_steps->addWidget(row);
    }
    m_table->setRowCount(running);
    for (int row = 0; row < running; ++row) {
        const PlugTrial& trial = proof.trials[row];
        const auto between = [&](qint64 from, qint64 to) {
            return QString::number(std::count_if(
                trial.values.begin(), trial.values.end(), [&](qint64 time) { return time > from && time <= to; }));
        };
        const QString texts[] = {QString::number(trial.number), models::clockText(trial.started, trial.started, true),
            QString::number(trial.starts), between(0, proof.killed),
            between(proof.killed, proof.back ? proof.back : proof.killed), between(proof.back, proof.end),
            !done                ? QString()
                : trial.isGood() ? tr("same process, complete")
                                 : tr("not as it should be")};
        for (int column = 0; column < 7; ++column) {
            QTableWidgetItem* item = m_table->item(row, column);
            if (!item) {
                m_table->setItem(row, column, item = new QTableWidgetItem);
                item->setTextAlignment(alignmentOf(column));
            }
            if (column == verdictColumn && done)
                item->setIcon(icons::icon(themeOf(*this), trial.isGood() ? u"succeeded"_s : u"failed"_s,
                    trial.isGood() ? &Roles::succeeded : &Roles::failed));
            item->setText(texts[column]);
        }
    }
    m_timeline->update();
}

void PlugDialog::exportProof()
{
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export proof"), u"pull-the-plug.png"_s, tr("Picture (*.png);;Text (*.txt)"));
    if (file.isEmpty())
        return;
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    if (file.endsWith(u".txt"_s))
        bytes.write(m_run->proof().text().toUtf8());
    else
        grab().save(&bytes, "PNG");
    if (const core::Result<> written = writeFile(file, bytes.data()); !written)
        (void)askToChoose(this, tr("Export proof"), tr("Nothing was exported."),
            core::localized(written.error().message), {tr("Close")});
}

} // namespace ui
