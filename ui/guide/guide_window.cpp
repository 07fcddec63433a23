// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_window.h"

#include "guide_browser.h"
#include "guide_results.h"

#include "ui/keys/list_keys.h"
#include "ui/kit/icons.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QAction>
#include <QBoxLayout>
#include <QDesktopServices>
#include <QDir>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int pauseMs = 60;     ///< between the last key and the search
constexpr int mostPlaces = 100; ///< to go back to
constexpr int leftWidth = 288;  ///< at 100 %
constexpr int leftLeast = 220;
constexpr QSize usualSize(1180, 820);
constexpr QSize leastSize(720, 480);
const QString geometrySetting = u"guide/geometry"_s;
const QString splitterSetting = u"guide/splitter"_s;

} // namespace

GuideWindow::GuideWindow(const models::GuideBook& book, const Theme& theme, FindDocument findDocument, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_book(book)
    , m_search(book)
    , m_theme(theme)
    , m_findDocument(std::move(findDocument))
    , m_splitter(new QSplitter(this))
{
    setWindowTitle(tr("Guide – Trialdeck"));
    setMinimumSize(leastSize);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(buildLeft());
    m_splitter->addWidget(buildRight());
    m_splitter->setStretchFactor(1, 1);
    const int left = theme.scaled(leftWidth);
    m_splitter->setSizes({left, usualSize.width() - left});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_splitter);

    const auto atKey = [this](const QKeySequence& key, auto&& run) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, std::forward<decltype(run)>(run));
    };
    atKey(QKeySequence(QKeySequence::Find), [this] {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    });
    atKey(QKeySequence(Qt::ALT | Qt::Key_Left), [this] { goBack(-1); });
    atKey(QKeySequence(Qt::ALT | Qt::Key_Right), [this] { goBack(1); });

    QSettings settings;
    resize(roomOnScreen(this, usualSize * theme.scaled(100) / 100));
    restoreGeometry(settings.value(geometrySetting).toByteArray());
    m_splitter->restoreState(settings.value(splitterSetting).toByteArray());
    m_browser->setFocus(Qt::OtherFocusReason);
}

GuideWindow::~GuideWindow()
{
    QSettings settings;
    settings.setValue(geometrySetting, saveGeometry());
    settings.setValue(splitterSetting, m_splitter->saveState());
}

QWidget* GuideWindow::buildLeft()
{
    auto* left = new QWidget(this);
    left->setMinimumWidth(m_theme.scaled(leftLeast));
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(0, metrics::gap, 0, 0);
    layout->setSpacing(metrics::gap);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(metrics::gap, 0, metrics::gap, 0);
    bar->setSpacing(metrics::tight);
    m_back = makeIconButton(u"chevron-left"_s, tr("Back"), left);
    m_back->setToolTip(tr("Back (%1)").arg(QKeySequence(Qt::ALT | Qt::Key_Left).toString(QKeySequence::NativeText)));
    m_forward = makeIconButton(u"chevron-right"_s, tr("Forward"), left);
    m_forward->setToolTip(
        tr("Forward (%1)").arg(QKeySequence(Qt::ALT | Qt::Key_Right).toString(QKeySequence::NativeText)));
    m_field = new QLineEdit(left);
    m_field->setPlaceholderText(tr("Search the guide"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_field->setToolTip(
        tr("All words must be there (%1)").arg(QKeySequence(QKeySequence::Find).toString(QKeySequence::NativeText)));
    m_field->addAction(icons::icon(m_theme, u"search"_s, &Roles::text2), QLineEdit::LeadingPosition);
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    bar->addWidget(m_back);
    bar->addWidget(m_forward);
    bar->addWidget(m_field, 1);
    layout->addLayout(bar);

    m_pages = new QListWidget(left);
    m_pages->setAccessibleName(tr("Pages of the guide"));
    m_pages->setFrameShape(QFrame::NoFrame);
    m_pages->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pages->setTextElideMode(Qt::ElideRight);
    useListKeys(m_pages);
    m_pages->viewport()->setBackgroundRole(QPalette::Window);
    for (const QString& page : m_book.pages()) {
        auto* item = new QListWidgetItem(m_book.title(page), m_pages);
        item->setData(Qt::UserRole, page);
        item->setToolTip(item->text());
    }
    auto* found = new QWidget(left);
    auto* foundLayout = new QVBoxLayout(found);
    foundLayout->setContentsMargins({});
    foundLayout->setSpacing(metrics::tight);
    m_count = makeQuietLabel({}, TextSize::header, found);
    m_count->setContentsMargins(m_theme.scaled(12), 0, m_theme.scaled(12), 0);
    m_results = new GuideResults(found);
    foundLayout->addWidget(m_count);
    foundLayout->addWidget(m_results, 1);
    m_nothing = makeQuietLabel({}, TextSize::body, left);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_nothing->setContentsMargins(m_theme.scaled(12), metrics::gap, m_theme.scaled(12), 0);
    m_lists = new QStackedWidget(left);
    for (QWidget* one : {static_cast<QWidget*>(m_pages), found, static_cast<QWidget*>(m_nothing)})
        m_lists->addWidget(one);
    layout->addWidget(m_lists, 1);

    m_pause = new QTimer(this);
    m_pause->setSingleShot(true);
    m_pause->setInterval(pauseMs);
    connect(m_pause, &QTimer::timeout, this, &GuideWindow::showResults);
    connect(m_field, &QLineEdit::textChanged, m_pause, qOverload<>(&QTimer::start));
    connect(m_pages, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item)
            openPage(item->data(Qt::UserRole).toString());
    });
    connect(m_pages, &QListWidget::itemClicked, this,
        [this](QListWidgetItem* item) { openPage(item->data(Qt::UserRole).toString()); });
    connect(m_pages, &QListWidget::itemActivated, this, [this] { m_browser->setFocus(Qt::OtherFocusReason); });
    connect(m_results, &GuideResults::chosen, this, &GuideWindow::openResult);
    connect(m_back, &QToolButton::clicked, this, [this] { goBack(-1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { goBack(1); });
    return left;
}

QWidget* GuideWindow::buildRight()
{
    auto* right = new QWidget(this);
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    m_browser = new GuideBrowser(m_book, m_theme, right);
    layout->addWidget(m_browser, 1);
    m_notice = new QWidget(right);
    setFillRole(m_notice, &Roles::tintWarn);
    auto* notice = new QHBoxLayout(m_notice);
    notice->setContentsMargins(metrics::margin, metrics::gap, metrics::gap, metrics::gap);
    notice->setSpacing(metrics::gap);
    m_noticeText = makeLabel({}, TextSize::body, QFont::Normal, m_notice);
    m_noticeText->setWordWrap(true);
    makeSelectable(m_noticeText);
    m_noticeOpen = makeButton(tr("Open the file"), u"file"_s, m_notice);
    QToolButton* close = makeIconButton(u"close"_s, tr("Close this notice"), m_notice);
    notice->addWidget(m_noticeText, 1);
    notice->addWidget(m_noticeOpen);
    notice->addWidget(close);
    m_notice->hide();
    layout->addWidget(m_notice);
    connect(m_noticeOpen, &QPushButton::clicked, this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_noticeFile)); });
    connect(close, &QToolButton::clicked, this, [this] {
        m_notice->hide();
        m_browser->setFocus(Qt::OtherFocusReason);
    });
    connect(m_browser, &GuideBrowser::linkChosen, this, &GuideWindow::follow);
    return right;
}

QString GuideWindow::page() const
{
    return m_browser->page();
}

/// The place that is left, with how far it was read.
void GuideWindow::remember()
{
    if (m_at >= 0)
        m_places[m_at].scrolled = m_browser->verticalScrollBar()->value();
}

void GuideWindow::openPage(const QString& page, int section)
{
    const QString wanted = !page.isEmpty() ? page : this->page().isEmpty() ? m_book.pages().value(0) : QString();
    if (wanted.isEmpty() || !m_book.has(wanted))
        return;
    remember();
    showPage(wanted, section);
    const int scrolled = m_browser->verticalScrollBar()->value();
    if (m_at >= 0 && m_places[m_at].page == wanted && m_places[m_at].scrolled == scrolled)
        return;
    m_places.resize(m_at + 1);
    m_places.append({wanted, scrolled});
    if (m_places.size() > mostPlaces)
        m_places.removeFirst();
    m_at = int(m_places.size()) - 1;
    showPlace();
}

void GuideWindow::showPage(const QString& page, int section)
{
    m_notice->hide();
    m_browser->showPage(page, section);
    const bool isFirst = page == m_book.pages().value(0);
    setWindowTitle(isFirst ? tr("Guide – Trialdeck") : tr("%1 – Guide – Trialdeck").arg(m_book.title(page)));
    const QSignalBlocker quiet(m_pages);
    m_pages->setCurrentRow(int(m_book.pages().indexOf(page))); // none, for a document that is not in the list
}

void GuideWindow::showPlace()
{
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_places.size());
}

void GuideWindow::goBack(int step)
{
    const int wanted = m_at + step;
    if (wanted < 0 || wanted >= m_places.size())
        return;
    remember();
    m_at = wanted;
    const Place place = m_places[m_at];
    showPage(place.page, 0);
    m_browser->verticalScrollBar()->setValue(place.scrolled);
    showPlace();
}

void GuideWindow::follow(const QString& link)
{
    const models::GuideTarget target = m_book.resolve(page(), link);
    switch (target.kind) {
    case models::GuideTarget::Kind::page:
        openPage(target.page, target.section);
        return;
    case models::GuideTarget::Kind::web:
        QDesktopServices::openUrl(QUrl(target.address));
        return;
    case models::GuideTarget::Kind::document:
        tellDocument(target.address);
        return;
    case models::GuideTarget::Kind::nothing:
        tell(tr("This link leads nowhere: %1").arg(link), {});
        return;
    }
}

void GuideWindow::tellDocument(const QString& path)
{
    const QString file = m_findDocument ? m_findDocument(path) : QString();
    if (file.isEmpty())
        tell(tr("%1 is not a page of the guide. It is in the sources of Trialdeck.").arg(path), {});
    else
        tell(tr("%1 is not a page of the guide. It is on this computer: %2")
                 .arg(path.section(u'/', -1), QDir::toNativeSeparators(file)),
            file);
}

void GuideWindow::tell(const QString& text, const QString& file)
{
    m_noticeFile = file;
    m_noticeText->setText(text);
    m_noticeOpen->setVisible(!file.isEmpty());
    m_notice->show();
}

void GuideWindow::search(const QString& words)
{
    m_field->setText(words);
    showResults();
}

void GuideWindow::showResults()
{
    m_pause->stop();
    const QStringList words = models::guideWords(m_field->text());
    if (words.isEmpty()) {
        m_lists->setCurrentWidget(m_pages);
        m_browser->setMarked({});
        return;
    }
    const QList<models::GuideHit> hits = m_search.find(m_field->text());
    m_results->setHits(hits, words);
    m_count->setText(tr("%n place(s)", nullptr, int(hits.size())));
    m_nothing->setText(words.size() == 1 ? tr("The guide does not have “%1”.").arg(words.first())
                                         : tr("No part of the guide has all of these words. Try fewer."));
    m_lists->setCurrentWidget(hits.isEmpty() ? static_cast<QWidget*>(m_nothing) : m_results->parentWidget());
    m_browser->setMarked(words);
}

void GuideWindow::openResult()
{
    if (m_pause->isActive()) // what is shown is of an earlier text
        showResults();
    const models::GuideHit* hit = m_results->current();
    if (!hit)
        return;
    m_browser->setMarked(models::guideWords(m_field->text()));
    openPage(hit->page, hit->section);
    m_browser->setFocus(Qt::OtherFocusReason);
}

void GuideWindow::endSearch()
{
    m_field->clear();
    showResults();
}

bool GuideWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool isSearching = !models::guideWords(m_field->text()).isEmpty();
    switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        if (m_pause->isActive())
            showResults();
        else if (isSearching)
            m_results->step(key == Qt::Key_Down ? 1 : -1);
        else
            m_pages->setFocus(Qt::OtherFocusReason);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (isSearching)
            openResult();
        return true;
    case Qt::Key_Escape:
        if (m_field->text().isEmpty())
            return false; // closes the window
        endSearch();
        return true;
    default:
        return false;
    }
}

void GuideWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (m_notice->isVisible())
        m_notice->hide();
    else if (!m_field->text().isEmpty())
        endSearch();
    else
        close();
}

void GuideWindow::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::BackButton)
        goBack(-1);
    else if (event->button() == Qt::ForwardButton)
        goBack(1);
    else
        QWidget::mousePressEvent(event);
}

} // namespace ui
