// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_table_view.h"

#include "column_settings.h"
#include "trial_delegate.h"

#include "models/format.h"
#include "models/machine_cells.h"
#include "models/selection.h"
#include "models/trials/best_row_model.h"
#include "models/trials/spark_cache.h"
#include "models/trials/trial_model.h"
#include "ui/kit/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

using models::TrialColumn;

namespace {

constexpr int widest = 420;
constexpr int widestCurve = 220;
constexpr int fewestParameters = 2; ///< that are shown even if the table has to be scrolled for them
constexpr int saveDelay = 500;      ///< ms
constexpr qint64 longestDuration = (28 * 24 + 22) * 3'600'000LL; ///< ms; `28 d 22 h` has the widest digits

int usualWidth(int column)
{
    if (column >= models::baseColumns)
        return 70;
    switch (TrialColumn(column)) {
    case TrialColumn::state:
        return 118;
    case TrialColumn::number:
        return 52;
    case TrialColumn::best:
    case TrialColumn::last:
        return 72;
    case TrialColumn::curve:
        return 106;
    case TrialColumn::machine:
        return 80;
    case TrialColumn::ran:
        return 64;
    case TrialColumn::reason:
        return 280;
    case TrialColumn::id:
    case TrialColumn::experiment:
    case TrialColumn::client_id:
    case TrialColumn::submitted:
    case TrialColumn::started:
    case TrialColumn::ended:
    case TrialColumn::last_contact:
        return 130;
    default:
        return 80;
    }
}

int rowHeight(const Theme& theme)
{
    return theme.scaled(metrics::control);
}

} // namespace

TrialTableView::TrialTableView(const Theme& theme, models::TrialModel& model, models::SparkCache& sparks,
    models::Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
    , m_selection(selection)
    , m_best(new models::BestRowModel(model, this))
{
    m_delegate = new TrialDelegate(
        theme, sparks, [this](const QModelIndex& index) { return m_model.trialAt(index.row()).get(); }, this);
    m_pinnedDelegate = new TrialDelegate(
        theme, sparks,
        [this](const QModelIndex&) -> const core::Trial* {
            const auto row = m_model.table().find(m_model.bestTrial());
            return row ? &m_model.table().trial(*row) : nullptr;
        },
        this);
    m_pinnedDelegate->setPinned(true);

    m_pinned = new RowsView(theme, *m_pinnedDelegate, this);
    m_pinned->setModel(m_best);
    m_pinned->setItemDelegate(m_pinnedDelegate);
    m_pinned->setFocusPolicy(Qt::NoFocus);
    m_pinned->setAccessibleName(tr("Best trial"));
    m_pinned->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pinned->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView* header = m_pinned->horizontalHeader();
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setHighlightSections(false);
    header->setFixedHeight(rowHeight(theme));
    header->setFont(theme.font(TextSize::header));
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setSortIndicator(m_model.sortColumn(), m_model.sortOrder());

    m_rows = new RowsView(theme, *m_delegate, this);
    m_rows->setModel(&m_model);
    m_rows->setItemDelegate(m_delegate);
    m_rows->horizontalHeader()->hide();
    m_rows->setAccessibleName(tr("Trials"));
    m_rows->setContextMenuPolicy(Qt::CustomContextMenu);
    m_rows->setTabKeyNavigation(false);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pinned);
    layout->addWidget(m_rows, 1);
    setFocusProxy(m_rows);

    m_saveSoon.setSingleShot(true);
    connect(&m_saveSoon, &QTimer::timeout, this, [this] { saveColumns(m_layoutOf, m_layout); });
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        mirrorSection(column);
        keepColumns();
    });
    connect(header, &QHeaderView::sectionMoved, this, [this](int, int from, int to) {
        m_rows->horizontalHeader()->moveSection(from, to);
        keepColumns();
    });
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder order) {
        m_model.sort(column, order);
        selectionToView();
    });
    connect(header, &QHeaderView::customContextMenuRequested, this, [this, header](const QPoint& at) {
        emit columnMenuWanted(header->logicalIndexAt(at), header->mapToGlobal(at));
    });
    connect(m_rows->horizontalScrollBar(), &QScrollBar::valueChanged, m_pinned->horizontalScrollBar(),
        &QScrollBar::setValue);
    connect(m_rows, &QWidget::customContextMenuRequested, this,
        [this](const QPoint& at) { emit contextMenuWanted(m_rows->viewport()->mapToGlobal(at)); });
    connect(m_rows, &QAbstractItemView::activated, this,
        [this](const QModelIndex& index) { emit activated(m_model.trialAt(index.row())->id); });
    connect(m_rows, &RowsView::acted, this, &TrialTableView::acted);
    connect(&sparks, &models::SparkCache::changed, this, [this] {
        const QHeaderView* columns = m_rows->horizontalHeader();
        const int x = columns->sectionViewportPosition(int(TrialColumn::curve));
        const int width = columns->sectionSize(int(TrialColumn::curve));
        m_rows->viewport()->update(x, 0, width, m_rows->viewport()->height());
        m_pinned->viewport()->update();
    });
    connect(m_best, &QAbstractItemModel::modelReset, this, &TrialTableView::followPinned);
    // The two models announce columns one after the other; the call after the second one takes effect.
    for (const QAbstractItemModel* one : std::initializer_list<const QAbstractItemModel*>{m_best, &m_model})
        connect(one, &QAbstractItemModel::columnsInserted, this, &TrialTableView::placeColumns);
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] {
        placeColumns();
        selectionToView();
    });
    connect(m_rows->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TrialTableView::selectionFromView);
    connect(
        m_rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TrialTableView::selectionFromView);
    connect(m_pinned->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_isSelecting && m_pinned->selectionModel()->hasSelection()) {
            m_selection.set({m_model.bestTrial()}, nullptr);
            m_selection.setCurrent(m_model.bestTrial(), nullptr);
            scrollTo(m_model.bestTrial());
        }
    });
    connect(&m_selection, &models::Selection::changed, this, [this](QObject* origin) {
        if (origin != this)
            selectionToView();
    });
    connect(&m_selection, &models::Selection::currentChanged, this, [this](QObject* origin) {
        if (origin != this)
            selectionToView();
    });
    m_rows->viewport()->installEventFilter(this);
    followPinned();
}

TrialTableView::~TrialTableView()
{
    saveNow();
}

/// By the column's kind, but never narrower than its title, the longest duration or the name of this computer; of parameters by the name,
/// within limits.
int TrialTableView::widthOf(int column) const
{
    constexpr int besideTitle = 24; // margins and the arrow of the sorted column
    constexpr int besideText = 16;
    const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const int titleWidth =
        QFontMetrics(m_theme.font(TextSize::header, QFont::Medium)).horizontalAdvance(title) + besideTitle;
    const int usual = usualWidth(column);
    if (column >= models::baseColumns)
        return std::clamp(titleWidth, usual, 150);
    QString text;
    if (TrialColumn(column) == TrialColumn::ran || TrialColumn(column) == TrialColumn::waited)
        text = models::shortDurationText(longestDuration);
    else if (TrialColumn(column) == TrialColumn::machine)
        text = models::platformName(core::PlatformId(u"local"_s));
    const int textWidth = QFontMetrics(m_theme.font(TextSize::body)).horizontalAdvance(text) + besideText;
    return std::max({usual, titleWidth, textWidth});
}

/// Puts all columns where the layout has them; both tables must have them already.
void TrialTableView::placeColumns()
{
    QHeaderView* header = m_pinned->horizontalHeader();
    const int count = header->count();
    if (count != m_model.columnCount() || count != m_model.table().columnCount()
        || m_rows->horizontalHeader()->count() != count)
        return; // one of the two views does not have them yet
    if (!m_hasLayout || m_layoutOf != m_model.experiment()) {
        saveNow();
        m_hasLayout = true;
        m_layoutOf = m_model.experiment();
        m_layout = savedColumns(m_layoutOf);
    }
    std::vector<models::PlacedColumn> placed = models::placeColumns(m_layout, m_model.table());
    hideWhatDoesNotFit(placed);
    std::vector<int> order;
    std::vector<int> wanted;
    for (int visual = 0; visual < count; ++visual) {
        order.push_back(header->logicalIndex(visual));
        wanted.push_back(placed[size_t(visual)].column);
    }
    m_isPlacing = true;
    // Each move causes a new layout of both tables, so there are as few as possible.
    for (const auto& [from, to] : models::movesBetween(std::move(order), wanted))
        header->moveSection(from, to);
    for (const models::PlacedColumn& one : placed) {
        showColumn(one.column, one.isShown);
        const int width = one.width > 0 ? one.width : widthOf(one.column);
        if (one.isShown && TrialColumn(one.column) != TrialColumn::curve && header->sectionSize(one.column) != width)
            header->resizeSection(one.column, width);
        if (one.isShown)
            mirrorSection(one.column);
    }
    m_isPlacing = false;
    fitCurve();
    emit columnsChanged();
}

/// Of parameters that nothing was chosen for, the last ones, until the columns are as wide as the table.
void TrialTableView::hideWhatDoesNotFit(std::vector<models::PlacedColumn>& placed) const
{
    if (models::withoutParameters(m_layout).size() != m_layout.size())
        return; // the person chose among the parameters
    int width = 0;
    int parameters = 0;
    for (const models::PlacedColumn& one : placed)
        if (one.isShown) {
            width += one.width > 0 ? one.width : widthOf(one.column);
            parameters += one.column >= models::baseColumns ? 1 : 0;
        }
    for (auto one = placed.rbegin(); one != placed.rend(); ++one) {
        if (width <= m_rows->viewport()->width() || parameters <= fewestParameters)
            return;
        if (one->isShown && one->column >= models::baseColumns) {
            one->isShown = false;
            width -= widthOf(one->column);
            --parameters;
        }
    }
}

/// Reads from the header what the person made of the columns, to save it soon.
void TrialTableView::keepColumns()
{
    if (m_isPlacing || !m_hasLayout)
        return;
    const QHeaderView* header = m_pinned->horizontalHeader();
    QHash<QString, int> widths; // by name, as chosen before
    for (const models::ColumnChoice& choice : std::as_const(m_layout))
        widths.insert(choice.name, choice.width);
    models::ColumnLayout now;
    for (const int column : columnsInOrder()) {
        const QString name = models::columnName(m_model.table(), column);
        const bool shown = isColumnShown(column);
        const int width = header->sectionSize(column);
        const bool isUsual = TrialColumn(column) == TrialColumn::curve || width == widthOf(column);
        now.append({name, shown, !shown ? widths.value(name) : isUsual ? 0 : width});
        widths.remove(name);
    }
    // Of parameters that no trial has yet, the choices stay.
    for (const models::ColumnChoice& choice : std::as_const(m_layout))
        if (widths.contains(choice.name))
            now.append(choice);
    m_layout = now;
    m_saveSoon.start(saveDelay);
    emit columnsChanged();
}

void TrialTableView::saveNow()
{
    if (!m_saveSoon.isActive())
        return;
    m_saveSoon.stop();
    saveColumns(m_layoutOf, m_layout);
}

void TrialTableView::mirrorSection(int logical)
{
    const QHeaderView* header = m_pinned->horizontalHeader();
    if (logical < m_rows->horizontalHeader()->count() && !header->isSectionHidden(logical))
        m_rows->horizontalHeader()->resizeSection(logical, std::min(header->sectionSize(logical), widest));
}

void TrialTableView::showColumn(int column, bool shown)
{
    if (isColumnShown(column) == shown && m_rows->isColumnHidden(column) != shown)
        return;
    m_pinned->setColumnHidden(column, !shown);
    m_rows->setColumnHidden(column, !shown);
}

void TrialTableView::chooseColumns(const QList<int>& columns, bool shown)
{
    m_isPlacing = true;
    for (const int column : columns) {
        showColumn(column, shown);
        mirrorSection(column);
    }
    m_isPlacing = false;
    keepColumns();
    fitCurve();
}

void TrialTableView::moveColumn(int column, int before)
{
    QHeaderView* header = m_pinned->horizontalHeader();
    const int from = header->visualIndex(column);
    int to = before < 0 ? header->count() : header->visualIndex(before);
    if (from < to)
        --to; // taking it out moves what is behind it
    if (from >= 0 && from != to)
        header->moveSection(from, to);
}

void TrialTableView::useUsualColumns()
{
    m_layout.clear();
    m_saveSoon.stop();
    saveColumns(m_layoutOf, {});
    placeColumns();
}

bool TrialTableView::isColumnShown(int column) const
{
    return !m_pinned->isColumnHidden(column);
}

int TrialTableView::shownColumns() const
{
    const QHeaderView* header = m_pinned->horizontalHeader();
    return header->count() - header->hiddenSectionCount();
}

QList<int> TrialTableView::columnsInOrder() const
{
    QList<int> out;
    const QHeaderView* header = m_pinned->horizontalHeader();
    for (int visual = 0; visual < header->count(); ++visual)
        out.append(header->logicalIndex(visual));
    return out;
}

void TrialTableView::followPinned()
{
    const bool hasBest = m_best->rowCount() > 0;
    m_pinned->setFixedHeight(rowHeight(m_theme) * (hasBest ? 2 : 1));
    placeColumns();
    selectionToView();
}

void TrialTableView::selectionFromView()
{
    if (m_isSelecting)
        return;
    m_isSelecting = true;
    QSet<core::TrialId> trials;
    for (const QItemSelectionRange& range : m_rows->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            trials.insert(m_model.trialAt(row)->id);
    }
    const QModelIndex current = m_rows->currentIndex();
    m_selection.set(trials, this);
    if (current.isValid() && !trials.isEmpty())
        m_selection.setCurrent(m_model.trialAt(current.row())->id, this);
    m_pinned->clearSelection();
    if (trials.contains(m_model.bestTrial()))
        m_pinned->selectRow(0);
    m_isSelecting = false;
}

void TrialTableView::selectionToView()
{
    if (m_isSelecting)
        return;
    m_isSelecting = true;
    QList<int> rows;
    for (const core::TrialId& trial : m_selection.trials()) {
        if (const int row = m_model.rowOf(trial); row >= 0)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    QItemSelection selection;
    const int right = std::max(0, m_model.columnCount() - 1);
    for (qsizetype i = 0; i < rows.size();) {
        qsizetype end = i;
        while (end + 1 < rows.size() && rows[end + 1] == rows[end] + 1)
            ++end;
        selection.append(QItemSelectionRange(m_model.index(rows[i], 0), m_model.index(rows[end], right)));
        i = end + 1;
    }
    m_rows->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (const int row = m_model.rowOf(m_selection.current()); row >= 0 && row != m_rows->currentIndex().row()) {
        // Scrolling to the trial is left to the caller that changed the selection.
        m_rows->setAutoScroll(false);
        m_rows->selectionModel()->setCurrentIndex(m_model.index(row, 0), QItemSelectionModel::NoUpdate);
        m_rows->setAutoScroll(true);
    }
    m_pinned->clearSelection();
    if (m_selection.trials().contains(m_model.bestTrial()))
        m_pinned->selectRow(0);
    m_isSelecting = false;
}

void TrialTableView::scrollTo(const core::TrialId& trial)
{
    if (const int row = m_model.rowOf(trial); row >= 0)
        m_rows->scrollTo(m_model.index(row, 0), QAbstractItemView::EnsureVisible);
}

void TrialTableView::moveCurrent(int by)
{
    const int row = std::clamp(m_rows->currentIndex().row() + by, 0, std::max(0, m_model.rowCount() - 1));
    m_rows->setCurrentIndex(m_model.index(row, 0));
}

void TrialTableView::updateDurations()
{
    m_rows->viewport()->update();
    m_pinned->viewport()->update();
}

/// The curve's column takes the remaining width, within limits.
void TrialTableView::fitCurve()
{
    constexpr int curve = int(TrialColumn::curve);
    QHeaderView* header = m_pinned->horizontalHeader();
    if (header->isSectionHidden(curve))
        return;
    const int others = header->length() - header->sectionSize(curve);
    const bool wasPlacing = std::exchange(m_isPlacing, true);
    header->resizeSection(curve, std::clamp(m_rows->viewport()->width() - others, usualWidth(curve), widestCurve));
    m_isPlacing = wasPlacing;
}

bool TrialTableView::eventFilter(QObject* watched, QEvent* event)
{
    // Keep the pinned row aligned with the rows when a scroll bar appears or disappears.
    if (event->type() == QEvent::Resize) {
        placeColumns();
        m_pinned->horizontalScrollBar()->setValue(m_rows->horizontalScrollBar()->value());
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
