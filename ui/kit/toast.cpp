// SPDX-License-Identifier: GPL-3.0-or-later
#include "toast.h"

#include "icon_label.h"
#include "theme.h"
#include "widgets.h"

#include "ui/keys/key_command.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int tickMs = 50;
constexpr int toastWidth = 416;

} // namespace

Toast::Toast(QWidget* window)
    : QFrame(window)
    , m_icon(new IconLabel(this))
    , m_text(makeLabel({}))
    , m_undo(makeButton(tr("Undo")))
    , m_close(makeIconButton(u"close"_s, tr("Close this message"), this))
{
    setAccessibleName(tr("Message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 10);
    layout->addWidget(m_icon);
    m_text->setParent(this);
    m_text->setWordWrap(true);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_undo);
    layout->addWidget(m_close);
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &Toast::tick);
    connect(m_undo, &QPushButton::clicked, this, [this] { undo(); });
    connect(m_close, &QToolButton::clicked, this, [this] {
        // Closing only hides the toast: a pending action is still executed when its time is over.
        if (m_entries.empty())
            return;
        if (m_entries.back().canUndo)
            hide();
        else
            drop(m_entries.size() - 1, false);
    });
    hide();
}

void Toast::offerUndo(UndoText text, int seconds, std::function<void()> doIt, std::function<void()> undone)
{
    push({std::move(text), u"undo"_s, false, true, seconds * 1'000, seconds * 1'000, std::move(doIt),
        std::move(undone)});
}

void Toast::tell(const QString& text, const QString& iconName, bool isError)
{
    const int ms = isError ? 12'000 : 4'000;
    push({[text](const QString&) { return text; }, iconName.isEmpty() ? (isError ? u"failed"_s : u"info"_s) : iconName,
        isError, false, ms, ms, {}, {}});
}

void Toast::push(Entry entry)
{
    // A new entry replaces messages; pending actions are kept.
    std::erase_if(m_entries, [](const Entry& other) { return !other.canUndo; });
    m_entries.push_back(std::move(entry));
    show(m_entries.back());
    m_timer.start();
}

void Toast::show(const Entry& entry)
{
    m_icon->setIcon(entry.icon, entry.isError ? &Roles::failed : entry.canUndo ? &Roles::cancelled : &Roles::accent);
    m_undo->setVisible(entry.canUndo);
    const QString keys = keysText(keysOf(undoKey()).mid(0, 1));
    m_undo->setText(keys.isEmpty() ? tr("Undo") : tr("Undo  %1").arg(keys));
    update();
    place(m_above);
    QFrame::show();
    raise();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void Toast::update()
{
    const Entry& entry = m_entries.back();
    const QString text = entry.text(QString::number((entry.leftMs + 999) / 1'000));
    if (m_text->text() != text) {
        m_text->setText(text);
        setAccessibleDescription(text);
    }
    QFrame::update();
}

void Toast::tick()
{
    const bool held = isVisible() && (underMouse() || (focusWidget() && focusWidget()->hasFocus()));
    for (size_t i = m_entries.size(); i-- > 0;) {
        const bool shown = i + 1 == m_entries.size();
        if (shown && held)
            continue;
        m_entries[i].leftMs -= tickMs;
        if (m_entries[i].leftMs <= 0) {
            drop(i, true);
            return;
        }
    }
    if (!m_entries.empty())
        update();
}

void Toast::drop(size_t at, bool doIt)
{
    const Entry entry = std::move(m_entries[at]);
    m_entries.erase(m_entries.begin() + qsizetype(at));
    if (m_entries.empty()) {
        m_timer.stop();
        hide();
    } else {
        show(m_entries.back());
    }
    if (doIt && entry.doIt)
        entry.doIt();
    if (!doIt && entry.undone)
        entry.undone();
}

bool Toast::undo()
{
    for (size_t i = m_entries.size(); i-- > 0;)
        if (m_entries[i].canUndo) {
            drop(i, false);
            return true;
        }
    return false;
}

void Toast::finishAll()
{
    while (!m_entries.empty())
        drop(0, true);
}

bool Toast::hasPending() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const Entry& entry) { return entry.canUndo; });
}

void Toast::place(int above)
{
    m_above = above;
    const int width = std::min(toastWidth, parentWidget()->width() - 32);
    setFixedWidth(width);
    const int height =
        std::max(metrics::toast, heightForWidth(width) > 0 ? heightForWidth(width) : sizeHint().height());
    setGeometry(parentWidget()->width() - width - 16, parentWidget()->height() - above - height - 16, width, height);
}

void Toast::paintEvent(QPaintEvent*)
{
    const Roles& c = themeOf(*this).roles();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.control, 1));
    painter.setBrush(c.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radiusBox, metrics::radiusBox);
    if (m_entries.empty() || !m_entries.back().canUndo)
        return;
    const double share = double(m_entries.back().leftMs) / std::max(1, m_entries.back().totalMs);
    painter.fillRect(QRectF(1, height() - 3, (width() - 2) * share, 2), c.accent);
}

} // namespace ui
