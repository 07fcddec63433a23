// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_model.h"

#include "trial_cell.h"

#include "models/printable.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QtConcurrentMap>

#include <cmath>

namespace models {

using core::TrialId;
using core::TrialPtr;

namespace {

/// With more rows than this a model reset is cheaper than moving rows one by one, and causes fewer view updates.
constexpr qsizetype manyRows = 256;
constexpr double last = std::numeric_limits<double>::infinity(); ///< key of rows without a value

} // namespace

TrialModel::TrialModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_now(QDateTime::currentMSecsSinceEpoch())
{
    m_holdEnd.setSingleShot(true);
    connect(&m_holdEnd, &QTimer::timeout, this, [this] {
        m_isHeld = false;
        settle();
    });
    connect(&m_indexing, &QTimer::timeout, this, &TrialModel::indexMore);
}

// ------------------------------------------------------------------------------------------------------ state and changes

void TrialModel::readExperiment(const api::Mirror& mirror)
{
    const core::ExperimentPtr experiment = mirror.experiments().find(m_experiment);
    m_table.setObjective(experiment ? experiment->spec.objective : core::Objective());
    m_best = experiment && experiment->best ? experiment->best->trialId : TrialId();
}

/// True if one had another name before.
bool TrialModel::nameExperiments(const QList<core::ExperimentPtr>& experiments)
{
    bool isRenamed = false;
    for (const core::ExperimentPtr& one : experiments)
        isRenamed = m_table.nameExperiment(one->id, one->spec.name) || isRenamed;
    return isRenamed;
}

void TrialModel::load(const api::Mirror& mirror, const core::ExperimentId& experiment)
{
    beginResetModel();
    m_experiment = experiment;
    m_table.setOfAll(experiment.isEmpty());
    m_table.clear();
    readExperiment(mirror);
    nameExperiments(mirror.experiments().list());
    const std::vector<TrialPtr> trials = experiment.isEmpty() ? mirror.trials() : mirror.trialsOf(experiment);
    m_table.reserve(trials.size());
    for (const TrialPtr& trial : trials)
        m_table.put(trial);
    m_index.clear();
    m_isAllOrdered = false;
    m_shownColumns = m_table.columnCount();
    if (m_sortColumn >= m_shownColumns) {
        m_sortColumn = int(TrialColumn::number);
        m_descending = true;
    }
    rebuildOrder();
    endResetModel();
    if (!isIndexed())
        m_indexing.start();
    emit summaryChanged();
}

bool TrialModel::isIndexed() const
{
    return m_index.size() == m_table.size() || m_table.size() < indexedRows || m_index.isFull();
}

void TrialModel::indexMore()
{
    constexpr qint64 slice = 4; // milliseconds
    QElapsedTimer clock;
    clock.start();
    while (!isIndexed() && clock.elapsed() < slice)
        for (int i = 0; i < 256 && !isIndexed(); ++i)
            m_index.append(m_table.trial(m_index.size()));
    if (isIndexed())
        m_indexing.stop();
}

/// To be called when a row was added to the table or its record changed.
void TrialModel::noteChanged(quint32 source)
{
    if (source < m_index.size())
        m_index.replace(source, m_table.trial(source));
    if (!m_isChanged[source])
        m_changed.push_back(source);
    m_isChanged[source] = 1;
}

void TrialModel::apply(const api::Mirror& mirror, const api::Change& change)
{
    const auto isOurs = [&](const TrialId& id) { return m_table.find(id).has_value(); };
    const bool lostTrials = std::any_of(change.removed.trials.begin(), change.removed.trials.end(), isOurs);
    const bool lostExperiment = !change.removed.experiments.isEmpty()
        && (m_experiment.isEmpty() || change.removed.experiments.contains(m_experiment));
    // Another name is rare, and may be what the rows are sorted or filtered by.
    if (change.full || lostTrials || lostExperiment || nameExperiments(change.experiments)) {
        load(mirror, m_experiment);
        return;
    }
    const TrialId formerBest = m_best;
    readExperiment(mirror);

    std::vector<quint32> touched;
    for (const TrialPtr& trial : change.trials) {
        if (m_experiment.isEmpty() || trial->experimentId == m_experiment)
            touched.push_back(m_table.put(trial));
    }
    if (m_table.columnCount() != m_shownColumns)
        showColumns(m_shownColumns);
    m_keys.resize(m_table.size(), last);
    m_shown.resize(m_table.size(), false);
    m_isChanged.resize(m_table.size(), 0);
    if (!isIndexed() && !m_indexing.isActive())
        m_indexing.start();

    int lowest = rowCount();
    int highest = -1;
    for (const quint32 source : touched) {
        noteChanged(source);
        take(source);
        if (!m_shown[source])
            continue;
        const auto at = std::lower_bound(
            m_order.begin(), m_order.end(), source, [this](quint32 a, quint32 b) { return before(a, b); });
        const int row = rowAt(size_t(at - m_order.begin()));
        lowest = std::min(lowest, row);
        highest = std::max(highest, row);
        if (touched.size() <= size_t(manyRows))
            emit dataChanged(index(row, 0), index(row, m_shownColumns - 1));
    }
    if (touched.size() > size_t(manyRows) && highest >= 0)
        emit dataChanged(index(lowest, 0), index(highest, m_shownColumns - 1));
    if (!m_isHeld)
        settle();
    if (m_best != formerBest) {
        for (const TrialId& id : {formerBest, m_best}) {
            if (const int row = rowOf(id); row >= 0)
                emit dataChanged(index(row, 0), index(row, m_shownColumns - 1));
        }
    }
    if (!touched.empty() || m_best != formerBest)
        emit summaryChanged();
}

/// Adds the row to m_stale if it must be moved, inserted or removed.
void TrialModel::take(quint32 source)
{
    const bool fits = m_filter.matches(m_table, source, m_now);
    if (fits != m_shown[source] || (fits && keyOf(source) != m_keys[source]))
        m_stale.insert(source);
    if (m_shown[source])
        noteHeat(source);
}

void TrialModel::showColumns(int before)
{
    const int after = m_table.columnCount();
    beginInsertColumns({}, before, after - 1);
    m_shownColumns = after;
    endInsertColumns();
    m_filter.bind(m_table);
}

void TrialModel::hold(int milliseconds)
{
    m_isHeld = true;
    m_holdEnd.start(milliseconds);
}

void TrialModel::settle()
{
    if (m_stale.isEmpty())
        return;
    std::vector<quint32> coming;
    std::vector<quint32> moving;
    for (const quint32 source : std::as_const(m_stale))
        (m_shown[source] ? moving : coming).push_back(source);
    m_stale.clear();
    if (moving.size() > size_t(manyRows)) {
        reset();
        return;
    }
    std::sort(moving.begin(), moving.end());
    const bool allStay = std::all_of(
        moving.begin(), moving.end(), [this](quint32 source) { return m_filter.matches(m_table, source, m_now); });
    // A view needs half a millisecond per moved row; sorting the nearly sorted table is cheaper than many moves.
    if (allStay && moving.size() > 8 + m_order.size() / 4000) {
        sort(m_sortColumn, sortOrder());
    } else {
        for (const quint32 source : moving)
            placeOne(source);
    }
    std::erase_if(coming, [this](quint32 source) { return !m_filter.matches(m_table, source, m_now); });
    if (!coming.empty())
        insertSorted(coming);
    emit summaryChanged();
}

/// Moves the row to the place of its current key, or removes it if it does not match the filter any more.
void TrialModel::placeOne(quint32 source)
{
    const auto less = [this](quint32 a, quint32 b) { return before(a, b); };
    const auto from = size_t(std::lower_bound(m_order.begin(), m_order.end(), source, less) - m_order.begin());
    if (!m_filter.matches(m_table, source, m_now)) {
        const int row = rowAt(from);
        beginRemoveRows({}, row, row);
        m_order.erase(m_order.begin() + qsizetype(from));
        m_shown[source] = false;
        endRemoveRows();
        return;
    }
    const double key = keyOf(source);
    const double former = m_keys[source];
    if (key == former)
        return;
    // Its place among the other rows, which are sorted; the row itself is skipped.
    m_keys[source] = key;
    size_t to = 0;
    if (key > former)
        to = size_t(
                 std::lower_bound(m_order.begin() + qsizetype(from) + 1, m_order.end(), source, less) - m_order.begin())
            - 1;
    else
        to = size_t(
            std::lower_bound(m_order.begin(), m_order.begin() + qsizetype(from), source, less) - m_order.begin());
    if (to == from)
        return;
    const int rowFrom = rowAt(from);
    const int rowTo = rowAt(to);
    beginMoveRows({}, rowFrom, rowFrom, {}, rowTo > rowFrom ? rowTo + 1 : rowTo);
    const auto begin = m_order.begin();
    if (to > from)
        std::rotate(begin + qsizetype(from), begin + qsizetype(from) + 1, begin + qsizetype(to) + 1);
    else
        std::rotate(begin + qsizetype(to), begin + qsizetype(from), begin + qsizetype(from) + 1);
    endMoveRows();
}

void TrialModel::insertSorted(std::vector<quint32>& sources)
{
    for (const quint32 source : sources)
        m_keys[source] = keyOf(source);
    const auto less = [this](quint32 a, quint32 b) { return before(a, b); };
    std::sort(sources.begin(), sources.end(), less);
    // Fast path: if all new rows belong at the end, insert them as one block.
    if (m_order.empty() || before(m_order.back(), sources.front())) {
        const int first = m_descending ? 0 : int(m_order.size());
        beginInsertRows({}, first, first + int(sources.size()) - 1);
        m_order.insert(m_order.end(), sources.begin(), sources.end());
        for (const quint32 source : sources)
            m_shown[source] = true;
        endInsertRows();
    } else if (sources.size() > size_t(manyRows)) {
        reset();
        return;
    } else {
        for (const quint32 source : sources) {
            const auto to = std::lower_bound(m_order.begin(), m_order.end(), source, less);
            const auto at = size_t(to - m_order.begin());
            const int row = m_descending ? int(m_order.size() - at) : int(at);
            beginInsertRows({}, row, row);
            m_order.insert(to, source);
            m_shown[source] = true;
            endInsertRows();
        }
    }
    for (const quint32 source : sources)
        noteHeat(source);
}

void TrialModel::reset()
{
    beginResetModel();
    rebuildOrder();
    endResetModel();
    emit summaryChanged();
}

void TrialModel::rebuildOrder()
{
    m_filter.bind(m_table);
    m_stale.clear();
    m_keys.resize(m_table.size(), last);
    m_isChanged.resize(m_table.size(), 0);
    orderAll();
    showThose(fitting(m_filter));
    measureHeat();
}

/// Precondition: orderAll().
void TrialModel::showThose(const std::vector<char>& fits)
{
    m_shown.assign(m_table.size(), false);
    m_order.clear();
    for (const quint32 source : m_all) {
        if (fits[source]) {
            m_order.push_back(source);
            m_shown[source] = true;
        }
    }
}

/// Whether each row matches, computed on all processors, because it runs at each key press. The table is not modified meanwhile.
std::vector<char> TrialModel::fitting(const TrialFilter& filter) const
{
    constexpr quint32 block = TrialTextIndex::blockRows;
    std::vector<char> fits(m_table.size());
    std::vector<quint32> parts;
    for (quint32 begin = 0; begin < m_table.size(); begin += block)
        parts.push_back(begin);
    const auto lookAt = [&](quint32 begin) {
        const size_t count = std::min(block, m_table.size() - begin);
        filter.matchRows(m_table, m_index, begin, m_now, std::span(fits).subspan(begin, count));
    };
    if (parts.size() < 8)
        std::for_each(parts.begin(), parts.end(), lookAt);
    else
        QtConcurrent::blockingMap(parts, lookAt);
    return fits;
}

void TrialModel::setFilter(const TrialFilter& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    reset();
}

void TrialModel::setNow(qint64 now)
{
    m_now = now;
}

// ---------------------------------------------------------------------------------------------------------------- order

void TrialModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= m_shownColumns)
        return;
    const bool isSame = m_sortColumn == column && m_descending == (order == Qt::DescendingOrder);
    m_sortColumn = column;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<quint32> sources;
    sources.reserve(size_t(before.size()));
    for (const QModelIndex& index : before)
        sources.push_back(sourceRow(index.row()));
    m_descending = order == Qt::DescendingOrder;
    m_isAllOrdered = m_isAllOrdered && isSame;
    orderAll();
    std::vector<quint32> shown;
    shown.reserve(m_order.size());
    std::copy_if(
        m_all.begin(), m_all.end(), std::back_inserter(shown), [this](quint32 source) { return m_shown[source]; });
    m_order = std::move(shown);
    QModelIndexList after;
    after.reserve(before.size());
    const auto less = [this](quint32 a, quint32 b) { return this->before(a, b); };
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto at = std::lower_bound(m_order.begin(), m_order.end(), sources[size_t(i)], less);
        after.append(index(rowAt(size_t(at - m_order.begin())), before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

double TrialModel::keyOf(quint32 source)
{
    // Rows without a value come last in both sort orders.
    const double absent = m_descending ? -last : last;
    if (m_table.isText(m_sortColumn)) {
        const QString text = m_table.text(m_sortColumn, source);
        if (!text.isEmpty())
            return m_words.rankOf(text);
    }
    const double number = m_table.number(m_sortColumn, source, m_now);
    if (std::isnan(number))
        return absent;
    // Numbers come before words.
    return std::isinf(number) ? std::copysign(WordRanks::begin / 2, number) : number;
}

/// Computes the keys of all rows. Ranks of words that were inserted one by one are spread evenly again.
void TrialModel::findKeys()
{
    m_words.clear();
    if (!m_table.isText(m_sortColumn)) {
        for (quint32 source = 0; source < m_table.size(); ++source)
            m_keys[source] = keyOf(source);
        return;
    }
    // Each distinct word is sorted once: those that the table keeps are looked up once each, others once a row.
    const bool isInterned = m_table.isInterned(m_sortColumn);
    std::vector<const double*> ranks(m_table.size(), nullptr);
    std::vector<const double*> known(isInterned ? size_t(m_table.words().size()) : 0, nullptr);
    for (quint32 source = 0; source < m_table.size(); ++source) {
        const double*& rank = isInterned ? known[m_table.wordIndex(m_sortColumn, source)] : ranks[source];
        if (!rank)
            if (const QString text = m_table.text(m_sortColumn, source); !text.isEmpty())
                rank = m_words.note(text);
        ranks[source] = rank;
    }
    m_words.spread();
    for (quint32 source = 0; source < m_table.size(); ++source)
        m_keys[source] = ranks[source] ? *ranks[source] : keyOf(source);
}

/// Brings m_all and all keys up to date. What did not change since the last time is not sorted again.
void TrialModel::orderAll()
{
    constexpr int mostAddedWords = 30; // they may all stand between the same two
    const bool isDuration =
        m_sortColumn == int(TrialColumn::ran) || m_sortColumn == int(TrialColumn::waited); // grows by itself
    if (m_isAllOrdered && !isDuration && m_words.addedCount() < mostAddedWords) {
        mergeChanged();
        return;
    }
    findKeys();
    sortAll();
    m_isAllOrdered = true;
    m_changed.clear();
    m_isChanged.assign(m_table.size(), 0);
}

void TrialModel::mergeChanged()
{
    if (m_changed.empty())
        return;
    const auto less = [this](quint32 a, quint32 b) { return before(a, b); };
    for (const quint32 source : m_changed)
        m_keys[source] = keyOf(source);
    std::sort(m_changed.begin(), m_changed.end(), less);
    std::erase_if(m_all, [this](quint32 source) { return m_isChanged[source] != 0; });
    const auto middle = m_all.insert(m_all.end(), m_changed.begin(), m_changed.end());
    std::inplace_merge(m_all.begin(), middle, m_all.end(), less);
    for (const quint32 source : m_changed)
        m_isChanged[source] = 0;
    m_changed.clear();
}

void TrialModel::sortAll()
{
    struct Entry
    {
        double key;
        quint32 source;
    };
    std::vector<Entry> entries;
    entries.reserve(m_table.size());
    for (quint32 source = 0; source < m_table.size(); ++source)
        entries.push_back({m_keys[source], source});
    const auto less = [](const Entry& a, const Entry& b) {
        return a.key != b.key ? a.key < b.key : a.source < b.source;
    };
    if (!std::is_sorted(entries.begin(), entries.end(), less))
        std::sort(entries.begin(), entries.end(), less);
    m_all.resize(entries.size());
    for (size_t i = 0; i < entries.size(); ++i)
        m_all[i] = entries[i].source;
}

int TrialModel::rowOf(const TrialId& id) const
{
    const auto source = m_table.find(id);
    if (!source || *source >= m_shown.size() || !m_shown[*source])
        return -1;
    const auto at = std::lower_bound(
        m_order.begin(), m_order.end(), *source, [this](quint32 a, quint32 b) { return before(a, b); });
    return rowAt(size_t(at - m_order.begin()));
}

// ----------------------------------------------------------------------------------------------------------------- heat

/// Of very many rows a sample, because this runs at each key press in the filter.
void TrialModel::measureHeat()
{
    constexpr size_t mostMeasured = 20'000;
    const size_t stride = m_order.size() / mostMeasured + 1;
    std::vector<double> values;
    values.reserve(m_order.size() / stride + 1);
    for (size_t i = 0; i < m_order.size(); i += stride) {
        if (const std::optional<double>& best = m_table.trial(m_order[i]).bestMetric)
            values.push_back(*best);
    }
    m_heat = QuantileScale(std::move(values));
    m_heatNews = 0;
}

/// Call for a row whose value may have changed. Once there are many of them, all are measured again, so the cost per value is constant.
void TrialModel::noteHeat(quint32 source)
{
    const std::optional<double>& best = m_table.trial(source).bestMetric;
    if (best && std::isfinite(*best) && ++m_heatNews * 4 > m_heat.count())
        measureHeat();
}

/// 0 worst to 1 best of the rows shown, by rank.
QVariant TrialModel::heatOf(quint32 source) const
{
    const std::optional<double>& best = m_table.trial(source).bestMetric;
    if (!best || !std::isfinite(*best) || m_heat.isEmpty())
        return {};
    const double place = m_heat.placeOf(*best);
    return m_table.objective().maximize || m_heat.valueAt(0) == m_heat.valueAt(1) ? place : 1 - place;
}

std::pair<double, double> TrialModel::rangeOf(int column) const
{
    double low = last;
    double high = -last;
    for (const quint32 source : m_order) {
        const double value = m_table.number(column, source, m_now);
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    const double none = std::numeric_limits<double>::quiet_NaN();
    return low <= high ? std::pair(low, high) : std::pair(none, none);
}

// ---------------------------------------------------------------------------------------------------------------- cells

int TrialModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_order.size());
}

int TrialModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_shownColumns;
}

QVariant TrialModel::data(const QModelIndex& index, int role) const
{
    return index.isValid() ? cell(index.column(), sourceRow(index.row()), role) : QVariant();
}

QVariant TrialModel::cell(int column, quint32 source, int role) const
{
    switch (role) {
    case StatusRole:
        return int(m_table.trial(source).status);
    case IdRole:
        return m_table.trial(source).id.value;
    case BestRole:
        return m_table.trial(source).id == m_best;
    case NumberRole:
        return m_table.number(column, source, m_now);
    case OddRole: {
        const auto value = kindOf(column) == TrialColumn::last ? lastValue(m_table, source) : std::nullopt;
        return value && !std::isfinite(*value);
    }
    case HeatRole:
        return kindOf(column) == TrialColumn::best ? heatOf(source) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((isLeftAligned(m_table, column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return cellText(m_table, column, source, m_now, role != Qt::DisplayRole);
    default:
        return {};
    }
}

QVariant TrialModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_shownColumns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((isLeftAligned(m_table, section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    const TrialColumn kind = kindOf(section);
    if (kind == TrialColumn::parameter)
        return printable(m_table.parameterName(section), 80);
    if (kind == TrialColumn::best && role != Qt::DisplayRole)
        return tr("Best %1 so far").arg(printable(m_table.objective().metric, 80));
    return columnTitle(kind);
}

} // namespace models
