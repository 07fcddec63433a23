// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets.h"

#include "icons.h"
#include "style.h"

#include "models/format.h"
#include "models/printable.h"
#include "ui/keys/key_command.h"
#include "ui/keys/list_keys.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace ui {

using core::TrialStatus;

QLabel* makeLabel(const QString& text, TextSize size, int weight, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setFont(themeOf(*label).font(size, weight));
    label->setTextFormat(Qt::PlainText); // untrusted text must not be interpreted as markup
    return label;
}

QLabel* makeQuietLabel(const QString& text, TextSize size, QWidget* parent)
{
    QLabel* label = makeLabel(text, size, QFont::Normal, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void makeSelectable(QLabel* label)
{
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
}

namespace {

/// Sets one colour of a widget's palette, and again whenever the theme changes.
void keepColor(QWidget* widget, QPalette::ColorRole where, QColor Roles::*role)
{
    const auto apply = [widget, where, role] {
        QPalette palette; // set only this colour and inherit the others
        palette.setResolveMask(0);
        palette.setColor(where, themeOf(*widget).roles().*role);
        widget->setPalette(palette);
    };
    apply();
    QObject::connect(&themeOf(*widget), &Theme::changed, widget, apply);
}

} // namespace

void setTextRole(QLabel* label, QColor Roles::*role)
{
    keepColor(label, QPalette::WindowText, role);
}

void setFillRole(QWidget* widget, QColor Roles::*role)
{
    widget->setAutoFillBackground(true);
    keepColor(widget, QPalette::Window, role);
}

QPushButton* makeButton(const QString& text, const QString& iconName, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    if (!iconName.isEmpty())
        button->setIcon(icons::icon(themeOf(*button), iconName, &Roles::text));
    button->setAutoDefault(false);
    return button;
}

QPushButton* makePrimaryButton(const QString& text, const QString& iconName, QWidget* parent)
{
    QPushButton* button = makeButton(text, {}, parent);
    if (!iconName.isEmpty())
        button->setIcon(icons::icon(themeOf(*button), iconName, &Roles::onAccent));
    setPrimary(button);
    return button;
}

void setBusy(QPushButton* button, bool busy)
{
    static constexpr auto hadFocus = "hadFocus";
    QWidget* around = button->parentWidget();
    if (busy) {
        button->setProperty(hadFocus, button->hasFocus());
        if (button->hasFocus())
            around->setFocus(Qt::OtherFocusReason);
        button->setEnabled(false);
        return;
    }
    button->setEnabled(true);
    if (button->property(hadFocus).toBool() && around->hasFocus())
        button->setFocus(Qt::OtherFocusReason);
    button->setProperty(hadFocus, false);
}

QToolButton* makeIconButton(const QString& iconName, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icons::icon(themeOf(*button), iconName, &Roles::text));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QWidget* makeSegments(const QStringList& texts, int chosen, const std::function<void(int)>& choose, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* group = new QButtonGroup(box);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        auto* button = new QToolButton(box);
        button->setText(texts[i]);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setCheckable(true);
        button->setChecked(i == chosen);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(texts[i]);
        group->addButton(button, int(i));
        layout->addWidget(button);
    }
    QObject::connect(group, &QButtonGroup::idClicked, box, choose);
    return box;
}

QSize roomOnScreen(const QWidget* window, QSize wanted)
{
    // The size of a frame is unknown before the window is shown; most are not larger than this.
    constexpr QSize frame(8, 36);
    return wanted.boundedTo(window->screen()->availableSize() - frame);
}

void setUpTable(QTableView* table, const QString& accessibleName)
{
    useListKeys(table);
    table->setAccessibleName(accessibleName);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setMinimumSectionSize(1); // first: setDefaultSectionSize() rejects smaller sizes
    const Theme& theme = themeOf(*table);
    table->verticalHeader()->setDefaultSectionSize(theme.scaled(metrics::control));
    table->horizontalHeader()->setFixedHeight(theme.scaled(metrics::control));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setFont(theme.font(TextSize::header));
    table->horizontalHeader()->setMinimumSectionSize(theme.scaled(32)); // the usual one is as wide as the widest letter
    table->setMouseTracking(true);
}

Card::Card(QWidget* parent)
    : QFrame(parent)
{
    setFrameShape(QFrame::NoFrame);
}

void Card::setEdge(QColor Roles::*role)
{
    m_edge = role;
    update();
}

void Card::setFill(QColor Roles::*role)
{
    m_fill = role;
    update();
}

void Card::paintEvent(QPaintEvent*)
{
    const Roles& c = themeOf(*this).roles();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.line2, 1));
    painter.setBrush(c.*m_fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radiusBox, metrics::radiusBox);
    if (m_edge) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.*m_edge);
        painter.drawRoundedRect(QRectF(0, 0, 3, height()), 1.5, 1.5);
    }
}

StateLabel::StateLabel(QWidget* parent)
    : QWidget(parent)
{
    connect(&themeOf(*this), &Theme::changed, this, [this] { update(); });
}

void StateLabel::setLook(const StateLook& look, const QString& words)
{
    m_look = look;
    m_words = words.isEmpty() ? look.word : words;
    setAccessibleName(m_words);
    updateGeometry();
    update();
}

void StateLabel::setSize(TextSize size, int weight)
{
    m_size = size;
    m_weight = weight;
    updateGeometry();
}

QSize StateLabel::sizeHint() const
{
    const QFontMetrics font(themeOf(*this).font(m_size, m_weight));
    const int icon = m_look.icon.isEmpty() ? 0 : metrics::icon + 6;
    return {icon + font.horizontalAdvance(m_words) + 2, std::max(20, font.height())};
}

void StateLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(themeOf(*this).font(m_size, m_weight));
    const Roles& roles = themeOf(*this).roles();
    QRect text = rect();
    if (!m_look.icon.isEmpty()) {
        icons::paint(painter, QRectF(0, 0, metrics::icon, height()), m_look.icon, m_look.color(roles));
        text.setLeft(metrics::icon + 6);
    }
    painter.setPen(m_look.color(roles));
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
        painter.fontMetrics().elidedText(m_words, Qt::ElideRight, text.width()));
}

FilterField::FilterField(const QString& placeholder, QWidget* parent)
    : QLineEdit(parent)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setClearButtonEnabled(true);
    setTextMargins(22, 0, 24, 0);
    auto* pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(80);
    connect(this, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
    connect(pause, &QTimer::timeout, this, [this] { emit filterChanged(text()); });
}

void FilterField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    const Roles& c = themeOf(*this).roles();
    QPainter painter(this);
    icons::paint(painter, QRectF(8, 0, metrics::icon, height()), u"filter"_s, c.text2);
    if (!text().isEmpty() || hasFocus())
        return;
    const QString keys = keysText(keysOf(filterKey()).mid(0, 1));
    if (keys.isEmpty())
        return;
    painter.setFont(themeOf(*this).font(TextSize::caption));
    const int wide = std::max(18, painter.fontMetrics().horizontalAdvance(keys) + 10);
    const QRectF key(width() - wide - 8, (height() - 18) / 2.0, wide, 18);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(c.line2);
    painter.drawRoundedRect(key.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(c.text2);
    painter.drawText(key, Qt::AlignCenter, keys);
}

void FilterField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        return;
    }
    const bool isLeaving = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
        || event->key() == Qt::Key_Down || event->key() == Qt::Key_Escape;
    if (m_list && isLeaving) {
        emit filterChanged(text()); // without the delay, because the next key acts on the filtered list
        m_list->setFocus(Qt::OtherFocusReason);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

ElidedLabel::ElidedLabel(TextSize size, QFont::Weight weight, QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setFont(themeOf(*this).font(size, weight));
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), 8 * fontMetrics().averageCharWidth()), QLabel::minimumSizeHint().height()};
}

bool ElidedLabel::isCut() const
{
    return fontMetrics().horizontalAdvance(text()) > contentsRect().width();
}

void ElidedLabel::paintEvent(QPaintEvent* event)
{
    if (!isCut()) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(),
        fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()), foregroundRole());
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
        setToolTip(isCut() ? text() : QString());
    return QLabel::event(event);
}

ProblemLabel::ProblemLabel(TextSize size, QWidget* parent)
    : QLabel(parent)
{
    setFont(themeOf(*this).font(size));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    makeSelectable(this);
    setTextRole(this, &Roles::failed);
    hide();
}

void ProblemLabel::tell(const QString& problem)
{
    constexpr int most = 1'000;
    const QString shown = models::printable(problem, most);
    const bool isNew = shown != text() && !shown.isEmpty();
    setText(shown);
    setVisible(!shown.isEmpty());
    if (isNew) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

StateBar::StateBar(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(8);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themeOf(*this), &Theme::changed, this, [this] { update(); });
}

void StateBar::setCounts(const std::array<qint64, core::trialStatusCount>& counts, qint64 total)
{
    m_counts = counts;
    m_total = total;
    setAccessibleName(countsSentence(counts));
    setToolTip(countsSentence(counts));
    update();
}

void StateBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(*this);
    const Roles& c = theme.roles();
    QPainter painter(this);
    painter.fillRect(rect(), c.base);
    const auto of = [&](TrialStatus status) { return m_counts[size_t(status)]; };
    const std::pair<qint64, QColor> parts[] = {
        {of(TrialStatus::succeeded), c.succeeded},
        {of(TrialStatus::running), c.running},
        {of(TrialStatus::unknown), c.unknown},
        {of(TrialStatus::failed), c.failed},
        {of(TrialStatus::user_canceled) + of(TrialStatus::sys_canceled) + of(TrialStatus::early_stopped), c.cancelled},
    };
    double at = 0;
    for (const auto& [count, color] : parts) {
        if (count <= 0 || m_total <= 0)
            continue;
        // A count above zero is at least 3 px wide.
        const double width = std::max(3.0, double(count) / double(m_total) * this->width());
        painter.fillRect(QRectF(at, 0, width - 1, height()), color);
        at += width;
    }
    painter.setPen(c.control);
    painter.setBrush(Qt::NoBrush);
    if (at < width() - 1)
        painter.drawRect(QRectF(std::max(0.0, at) + 0.5, 0.5, width() - at - 1, height() - 1));
}

namespace {

/// A drawing of empty table rows in line colours.
class Example : public QWidget
{
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override { return {280, 56}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Roles& c = themeOf(*this).roles();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const double left = (width() - 272) / 2.0;
        for (int row = 0; row < 3; ++row) {
            const double y = 6 + row * 18;
            for (const auto& [x, w] : {std::pair(0, 8), {20, 56}, {92, 40}, {224, 48}}) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(c.line);
                painter.drawRoundedRect(QRectF(left + x, y, w, 7), 2, 2);
            }
            painter.setPen(QPen(c.line2, 1.5));
            painter.setBrush(Qt::NoBrush);
            QPainterPath curve(QPointF(left + 148, y + 8));
            curve.cubicTo(left + 160, y - 2, left + 170, y - 1, left + 190 + row * 6, y - 2);
            painter.drawPath(curve);
        }
    }
};

} // namespace

EmptyState::EmptyState(const QString& title, const QString& sentence, const QString& button, QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel(title, TextSize::title, QFont::DemiBold))
    , m_sentence(makeQuietLabel(sentence))
    , m_button(makeButton(button))
{
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(metrics::gap);
    layout->addStretch(2);
    auto* example = new Example(this);
    example->setFixedHeight(60);
    layout->addWidget(example);
    layout->addSpacing(metrics::gap);
    m_title->setAlignment(Qt::AlignCenter);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence);
    layout->addSpacing(metrics::gap);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    m_button->setVisible(!button.isEmpty());
    connect(m_button, &QPushButton::clicked, this, &EmptyState::pressed);
}

void EmptyState::setTexts(const QString& title, const QString& sentence, const QString& button)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
}

QString countsSentence(const std::array<qint64, core::trialStatusCount>& counts)
{
    const auto of = [&](TrialStatus status) { return counts[size_t(status)]; };
    const auto tr = [](const char* text) { return QCoreApplication::translate("ui::Counts", text); };
    QStringList parts;
    const auto put = [&](qint64 count, const char* text) {
        if (count > 0)
            parts += tr(text).arg(models::countText(count));
    };
    put(of(TrialStatus::succeeded), QT_TRANSLATE_NOOP("ui::Counts", "%1 succeeded"));
    put(of(TrialStatus::running), QT_TRANSLATE_NOOP("ui::Counts", "%1 running"));
    put(of(TrialStatus::unknown), QT_TRANSLATE_NOOP("ui::Counts", "%1 unknown"));
    put(of(TrialStatus::failed), QT_TRANSLATE_NOOP("ui::Counts", "%1 failed"));
    put(of(TrialStatus::user_canceled) + of(TrialStatus::sys_canceled) + of(TrialStatus::early_stopped),
        QT_TRANSLATE_NOOP("ui::Counts", "%1 cancelled or stopped early"));
    put(of(TrialStatus::waiting), QT_TRANSLATE_NOOP("ui::Counts", "%1 waiting"));
    return parts.join(u"    "_s);
}

} // namespace ui
