// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_view.h"

#include "icons.h"
#include "style.h"
#include "theme.h"
#include "widgets.h"

#include "models/format.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <chrono>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int leftMargin = metrics::gap;
constexpr qsizetype mostCopied = 100'000;
constexpr auto askNamesEvery = std::chrono::seconds(2);

} // namespace

// ----------------------------------------------------------------------------------------------------------------- LogLines

LogLines::LogLines(const Theme& theme, models::LogModel& model, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
    , m_model(model)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    // Program output is laid out from left to right, whatever the direction of the window.
    setLayoutDirection(Qt::LeftToRight);
    setAccessibleName(tr("Log"));
    verticalScrollBar()->setSingleStep(3);
    connect(&model, &models::LogModel::opened, this, [this] {
        m_from = m_to = -1;
        m_widest = 0;
        updateBars();
        scrollToEnd();
        viewport()->update();
    });
    connect(&model, &models::LogModel::linesAppended, this, [this] {
        updateBars();
        if (m_isFollowed)
            scrollToEnd();
        viewport()->update();
    });
    connect(&model, &models::LogModel::linesPrepended, this, [this](int count) {
        // Keep the visible lines in place.
        m_isMoving = true;
        const int value = verticalScrollBar()->value();
        updateBars();
        verticalScrollBar()->setValue(value + count);
        m_isMoving = false;
        if (m_from >= 0) {
            m_from += count;
            m_to += count;
        }
        viewport()->update();
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (m_isMoving)
            return;
        const bool atEnd = value >= verticalScrollBar()->maximum();
        if (atEnd != m_isFollowed) {
            m_isFollowed = atEnd;
            emit followedChanged(atEnd);
        }
        if (value == 0)
            m_model.readEarlier();
    });
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

int LogLines::lineHeight() const
{
    return m_theme.scaled(20);
}

int LogLines::numberWidth() const
{
    const std::optional<qint64> first = m_model.firstNumber();
    if (!first)
        return leftMargin;
    const QFontMetrics metrics(m_theme.font(TextSize::mono));
    const QString widest = QString::number(*first + m_model.lineCount());
    return leftMargin + metrics.horizontalAdvance(QString(std::max<qsizetype>(3, widest.size()), u'0')) + metrics::gap
        + 4;
}

int LogLines::lineAt(int y) const
{
    return verticalScrollBar()->value() + y / lineHeight();
}

void LogLines::updateBars()
{
    const bool wasMoving = std::exchange(m_isMoving, true);
    const int page = std::max(1, viewport()->height() / lineHeight());
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, m_model.lineCount() - page));
    const QFontMetrics metrics(m_theme.font(TextSize::mono));
    const int width = numberWidth() + m_widest * metrics.horizontalAdvance(u'0') + leftMargin;
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(40);
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    m_isMoving = wasMoving;
}

void LogLines::scrollToEnd()
{
    m_isMoving = true;
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_isMoving = false;
}

void LogLines::setFollowed(bool isFollowed)
{
    m_isFollowed = isFollowed;
    if (isFollowed)
        scrollToEnd();
    viewport()->update();
}

void LogLines::showLine(int line)
{
    m_from = m_to = line;
    const int top = verticalScrollBar()->value();
    const int page = std::max(1, viewport()->height() / lineHeight());
    if (line < top || line >= top + page)
        verticalScrollBar()->setValue(line - page / 2);
    viewport()->update();
}

void LogLines::setSearch(const QRegularExpression& expression)
{
    m_search = expression;
    viewport()->update();
}

void LogLines::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const Roles& roles = m_theme.roles();
    painter.fillRect(viewport()->rect(), roles.base);
    if (m_model.lineCount() == 0) {
        painter.setFont(m_theme.font(TextSize::body));
        painter.setPen(roles.text2);
        painter.drawText(viewport()->rect().adjusted(16, 12, -16, -12), int(Qt::AlignLeft) | int(Qt::TextWordWrap),
            m_model.trial().isEmpty() || m_model.isOpening() ? QString() // said above
                : m_model.message().isEmpty()                ? tr("Nothing was written yet.")
                                                             : m_model.message());
    }
    painter.setFont(m_theme.font(TextSize::mono));
    const QFontMetrics metrics = painter.fontMetrics();
    const std::optional<qint64> firstNumber = m_model.firstNumber();
    const int height = lineHeight();
    const int left = numberWidth() - horizontalScrollBar()->value();
    const int first = verticalScrollBar()->value();
    const int from = std::min(m_from, m_to);
    const int to = std::max(m_from, m_to);
    const int before = m_widest;
    for (int line = first, y = 0; line < m_model.lineCount() && y < viewport()->height(); ++line, y += height) {
        const QByteArray bytes = m_model.line(line);
        const QString text = models::logLineText(bytes);
        const QRect row(0, y, viewport()->width(), height);
        if (from >= 0 && line >= from && line <= to)
            painter.fillRect(row, roles.select);
        if (!m_search.pattern().isEmpty()) {
            for (auto match = m_search.globalMatch(text); match.hasNext();) {
                const QRegularExpressionMatch found = match.next();
                if (found.capturedLength() == 0)
                    break;
                const int x = left + metrics.horizontalAdvance(text.left(found.capturedStart()));
                painter.fillRect(x, y + 1, metrics.horizontalAdvance(found.captured()), height - 2,
                    Theme::alpha(roles.unknown, 0.3));
            }
        }
        const models::LogSeverity severity = models::logSeverity(bytes);
        painter.setPen(severity == models::LogSeverity::error ? roles.failed
                : severity == models::LogSeverity::warning    ? roles.unknown
                                                              : roles.text);
        painter.drawText(QRect(left, y, 1 << 20, height), Qt::AlignLeft | Qt::AlignVCenter, text);
        if (firstNumber) {
            const QRect numbers(0, y, numberWidth() - metrics::gap, height);
            if (horizontalScrollBar()->value() > 0)
                painter.fillRect(QRect(0, y, numberWidth() - 4, height), roles.base);
            painter.setPen(roles.text2);
            painter.drawText(numbers, Qt::AlignRight | Qt::AlignVCenter, QString::number(*firstNumber + line));
        }
        m_widest = std::max(m_widest, int(text.size()));
    }
    if (hasFocus()) {
        painter.setPen(QPen(roles.accent, 2));
        painter.drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
    }
    if (m_widest != before)
        QMetaObject::invokeMethod(this, &LogLines::updateBars, Qt::QueuedConnection);
}

void LogLines::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateBars();
    if (m_isFollowed)
        scrollToEnd();
}

void LogLines::scrollContentsBy(int, int)
{
    viewport()->update();
}

void LogLines::mousePressEvent(QMouseEvent* event)
{
    const int line = std::min(lineAt(event->pos().y()), m_model.lineCount() - 1);
    if (event->button() == Qt::LeftButton) {
        if (!event->modifiers().testFlag(Qt::ShiftModifier) || m_from < 0)
            m_from = line;
        m_to = line;
        viewport()->update();
        if (m_from == m_to && line >= 0)
            emit lineChosen(line);
    }
}

void LogLines::mouseMoveEvent(QMouseEvent* event)
{
    if (!event->buttons().testFlag(Qt::LeftButton) || m_from < 0)
        return;
    m_to = std::clamp(lineAt(event->pos().y()), 0, std::max(0, m_model.lineCount() - 1));
    if (event->pos().y() < 0 || event->pos().y() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + (event->pos().y() < 0 ? -1 : 1));
    viewport()->update();
}

void LogLines::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy)) {
        copy(false);
    } else if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        copy(true);
    } else if (event->matches(QKeySequence::SelectAll)) {
        m_from = 0;
        m_to = m_model.lineCount() - 1;
        viewport()->update();
    } else if (event->key() == Qt::Key_Home) {
        bar->setValue(0);
    } else if (event->key() == Qt::Key_End) {
        bar->setValue(bar->maximum());
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        const int by = event->key() == Qt::Key_Up ? -1 : 1;
        const int line = std::clamp((m_to < 0 ? bar->value() : m_to) + by, 0, std::max(0, m_model.lineCount() - 1));
        const int anchor = m_from;
        showLine(line);
        if (event->modifiers().testFlag(Qt::ShiftModifier) && anchor >= 0)
            m_from = anchor;
        if (m_from == m_to && line < m_model.lineCount())
            emit lineChosen(line);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void LogLines::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    QAction* plain = menu.addAction(tr("Copy lines"), QKeySequence::Copy);
    QAction* numbered = menu.addAction(tr("Copy with line numbers"), QKeySequence(u"Ctrl+Shift+C"_s));
    QAction* all = menu.addAction(tr("Select all"), QKeySequence::SelectAll);
    plain->setEnabled(m_from >= 0);
    numbered->setEnabled(m_from >= 0);
    const QAction* chosen = menu.exec(event->globalPos());
    if (chosen == plain)
        copy(false);
    else if (chosen == numbered)
        copy(true);
    else if (chosen == all) {
        m_from = 0;
        m_to = m_model.lineCount() - 1;
        viewport()->update();
    }
}

QString LogLines::selectedText(bool withNumbers) const
{
    const int from = std::min(m_from, m_to);
    const int to = int(std::min<qsizetype>(std::max(m_from, m_to), from + mostCopied));
    QString out;
    const qint64 first = m_model.firstNumber().value_or(1);
    for (int line = from; line >= 0 && line <= to && line < m_model.lineCount(); ++line) {
        if (withNumbers)
            out += QString::number(first + line) + u'\t';
        out += models::logLineText(m_model.line(line), 1'000'000) + u'\n';
    }
    return out;
}

void LogLines::copy(bool withNumbers) const
{
    if (const QString text = selectedText(withNumbers); !text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

// ------------------------------------------------------------------------------------------------------------------ LogView

LogView::LogView(const Theme& theme, client::EngineClient& client, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(client)
{
    m_names = new QComboBox(this);
    m_names->setAccessibleName(tr("Which log"));
    m_names->addItems({u"stdout"_s, u"stderr"_s});
    m_names->setMinimumWidth(88);
    m_search = new QLineEdit(this);
    m_search->setAccessibleName(tr("Search in the log"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setToolTip(tr("Words, or a regular expression as /regex/; Enter goes to the next"));
    m_search->setMinimumWidth(theme.scaled(72));
    m_search->setMaximumWidth(180);
    QToolButton* error = makeIconButton(u"failed"_s, tr("Go to the first error"), this);
    m_follow = new QCheckBox(tr("Follow"), this);
    m_follow->setChecked(true);
    m_state = new ElidedLabel(TextSize::caption, QFont::Normal, this);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_follow->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // the text beside it gives way
    m_lines = new LogLines(theme, m_model, this);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(metrics::margin, metrics::tight, metrics::gap, metrics::tight);
    bar->setSpacing(metrics::gap);
    m_title = makeLabel(tr("Log"), TextSize::header, QFont::DemiBold, this);
    bar->addWidget(m_title);
    bar->addWidget(m_names);
    bar->addWidget(m_state, 1);
    bar->addWidget(m_search, 1);
    bar->addWidget(error);
    bar->addWidget(m_follow);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_lines, 1);

    m_askNames.setSingleShot(true);
    m_askNames.setInterval(askNamesEvery);
    connect(m_lines, &LogLines::lineChosen, this, &LogView::lineChosen);
    connect(&m_askNames, &QTimer::timeout, this, [this] {
        if (!isEmptyByDefault())
            return;
        emit namesWanted();
        m_askNames.start();
    });
    connect(m_names, &QComboBox::activated, this, [this] {
        m_isChosen = true;
        open();
    });
    connect(m_follow, &QCheckBox::toggled, this, [this](bool on) {
        m_lines->setFollowed(on);
        m_model.setFollowed(on);
    });
    connect(m_lines, &LogLines::followedChanged, this, [this](bool on) { m_follow->setChecked(on); });
    connect(m_search, &QLineEdit::textChanged, this, [this] { search(false); });
    connect(m_search, &QLineEdit::returnPressed, this,
        [this] { search(QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)); });
    connect(error, &QToolButton::clicked, this, [this] { m_model.searchError(); });
    connect(&m_model, &models::LogModel::searched, this, [this](int line) {
        m_state->setText(line < 0 ? tr("not found") : QString());
        if (line < 0)
            return;
        m_follow->setChecked(false);
        m_lines->showLine(line);
    });
    connect(&m_model, &models::LogModel::opened, this, &LogView::showState);
    connect(&m_model, &models::LogModel::linesAppended, this, &LogView::showState);
    connect(&m_model, &models::LogModel::linesPrepended, this, &LogView::showState);
}

void LogView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // If there is little room, the controls take precedence over words.
    for (QLabel* words : {m_title, m_state})
        words->setVisible(width() >= m_theme.scaled(420));
}

void LogView::setTrial(const core::Trial* trial)
{
    const core::TrialId id = trial ? trial->id : core::TrialId();
    const bool isLive = trial && !core::isFinal(trial->status);
    // A trial has no files before its start.
    const bool hasFiles = trial && trial->startTime.has_value();
    if (id == m_trial && isLive == m_isLive && hasFiles == m_hasFiles)
        return;
    const bool isOther = id != m_trial || hasFiles != m_hasFiles;
    const bool hasEnded = id == m_trial && m_isLive && !isLive;
    m_trial = id;
    m_isLive = isLive;
    m_hasFiles = hasFiles;
    if (isOther)
        open();
    else
        m_model.setLive(isLive);
    if (hasEnded && !m_isChosen)
        emit namesWanted();
    askNamesLater();
}

bool LogView::isEmptyByDefault() const
{
    return isVisible() && m_isLive && m_hasFiles && !m_isChosen && m_model.size() == 0;
}

void LogView::askNamesLater()
{
    if (isEmptyByDefault())
        m_askNames.start();
}

void LogView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    askNamesLater();
}

void LogView::setNames(const QStringList& names, const QString& output)
{
    if (names.isEmpty())
        return;
    const QString chosen = m_names->currentText();
    m_names->clear();
    m_names->addItems(names);
    const QString wanted = m_isChosen || output.isEmpty() ? chosen : output;
    m_names->setCurrentIndex(std::max(0, m_names->findText(wanted)));
    if (m_names->currentText() != chosen)
        open();
}

void LogView::open()
{
    if (m_trial.isEmpty() || !m_hasFiles)
        m_model.close();
    else
        m_model.open(m_trial, m_names->currentText(), m_isLive);
}

void LogView::showState()
{
    const qint64 size = m_model.size();
    m_state->setText(m_model.isOpening() ? tr("Loading …")
            : size == 0                  ? QString()
            : m_model.hasEarlier()       ? tr("end of %1").arg(models::bytesText(size))
                                         : models::bytesText(size));
}

void LogView::focusSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

void LogView::search(bool backwards)
{
    QString text = m_search->text();
    const bool isExpression = text.size() > 2 && text.startsWith(u'/') && text.endsWith(u'/');
    const QRegularExpression expression(isExpression ? text.mid(1, text.size() - 2) : QRegularExpression::escape(text),
        QRegularExpression::CaseInsensitiveOption);
    setInvalid(m_search, !expression.isValid());
    if (!expression.isValid())
        return;
    m_lines->setSearch(text.isEmpty() ? QRegularExpression() : expression);
    if (text.isEmpty())
        return;
    const bool isNext = sender() == m_search && !m_search->isModified();
    const int from = m_lines->currentLine() < 0 ? 0 : m_lines->currentLine() + (isNext ? (backwards ? -1 : 1) : 0);
    m_search->setModified(false);
    m_model.search(expression, from, backwards);
}

void LogView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Find))
        focusSearch();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ui
