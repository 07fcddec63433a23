// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_model.h"

#include "trial_text.h"

#include <QDateTime>
#include <QLocale>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

using core::Trial;
using core::TrialId;
using core::TrialPtr;

namespace {

/// From here on, beginning anew is cheaper than moving rows one by one, and views stay calmer.
constexpr qsizetype manyRows = 256;
constexpr double last = std::numeric_limits<double>::infinity(); ///< places what has no value
constexpr double wordsBegin = 1e300;                             ///< numbers come before words
constexpr double wordStep = 1e290;

bool isTime(TrialColumn column)
{
    return column == TrialColumn::submitted || column == TrialColumn::started || column == TrialColumn::ended
        || column == TrialColumn::last_contact;
}

QString timeText(qint64 time, qint64 now, bool whole)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(time);
    if (whole)
        return QLocale().toString(when, QLocale::LongFormat);
    const bool today = when.date() == QDateTime::fromMSecsSinceEpoch(now).date();
    return today ? when.toString(u"HH:mm:ss"_s) : QLocale().toString(when, u"d MMM HH:mm"_s);
}

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
}

// ------------------------------------------------------------------------------------------------------ state and changes

void TrialModel::readExperiment(const engine::Mirror& mirror)
{
    const core::ExperimentPtr experiment = mirror.experiments().find(m_experiment);
    m_table.setObjective(experiment ? experiment->spec.objective : core::Objective());
    m_best = experiment && experiment->best ? experiment->best->trialId : TrialId();
}

void TrialModel::load(const engine::Mirror& mirror, const core::ExperimentId& experiment)
{
    beginResetModel();
    m_experiment = experiment;
    m_table.clear();
    readExperiment(mirror);
    const std::vector<TrialPtr> trials = experiment.isEmpty() ? mirror.trials() : mirror.trialsOf(experiment);
    m_table.reserve(trials.size());
    for (const TrialPtr& trial : trials)
        m_table.put(trial);
    m_shownColumns = m_table.columnCount();
    if (m_sortColumn >= m_shownColumns) {
        m_sortColumn = int(TrialColumn::number);
        m_descending = true;
    }
    rebuildOrder();
    endResetModel();
    emit summaryChanged();
}

void TrialModel::apply(const engine::Mirror& mirror, const engine::Change& change)
{
    const auto isOurs = [&](const TrialId& id) { return m_table.find(id).has_value(); };
    const bool lostTrials = std::any_of(change.removed.trials.begin(), change.removed.trials.end(), isOurs);
    const bool lostExperiment = !change.removed.experiments.isEmpty()
        && (m_experiment.isEmpty() || change.removed.experiments.contains(m_experiment));
    if (change.full || lostTrials || lostExperiment) {
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

    int lowest = rowCount();
    int highest = -1;
    for (const quint32 source : touched) {
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

/// Notes whether the row must move, come or go.
void TrialModel::take(quint32 source)
{
    const bool fits = m_filter.matches(m_table, source, m_now);
    if (fits != m_shown[source] || (fits && keyOf(source) != m_keys[source]))
        m_stale.insert(source);
    if (m_shown[source])
        widenHeat(source);
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
    // A view takes half a millisecond for a row that moves; sorting what is nearly sorted is cheaper than many of those.
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

/// Takes the row out of its place, and puts it where it belongs now, if it still does.
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
    // Where it would stand among the others: they are in order, it is passed over.
    m_keys[source] = key;
    auto to = from;
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
    // New trials in the order of their numbers: one block at the end, however many.
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
        widenHeat(source);
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
    m_order.clear();
    m_keys.assign(m_table.size(), last);
    m_shown.assign(m_table.size(), false);
    for (quint32 source = 0; source < m_table.size(); ++source) {
        if (m_filter.matches(m_table, source, m_now)) {
            m_order.push_back(source);
            m_shown[source] = true;
        }
    }
    findKeys();
    sortOrderVector();
    measureHeat();
}

void TrialModel::setFilter(const TrialFilter& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    reset();
}

qsizetype TrialModel::countMatching(TrialFilter filter) const
{
    filter.bind(m_table);
    qsizetype count = 0;
    for (quint32 source = 0; source < m_table.size(); ++source)
        count += filter.matches(m_table, source, m_now) ? 1 : 0;
    return count;
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
    m_sortColumn = column;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<quint32> sources;
    sources.reserve(size_t(before.size()));
    for (const QModelIndex& index : before)
        sources.push_back(sourceRow(index.row()));
    m_descending = order == Qt::DescendingOrder;
    findKeys();
    sortOrderVector();
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
    // What has no value comes last, whichever way the order runs.
    const double absent = m_descending ? -last : last;
    if (m_table.isText(m_sortColumn)) {
        const QString text = m_table.text(m_sortColumn, source);
        if (!text.isEmpty())
            return rankOf(text);
    }
    const double number = m_table.number(m_sortColumn, source, m_now);
    if (std::isnan(number))
        return absent;
    return std::isinf(number) ? std::copysign(wordsBegin / 2, number) : number;
}

/// Of all rows that are shown. A word is looked up once for each of them and compared only with other words: its rank is a number,
/// with room for words to come. Those that came one by one crowd between their neighbours; here they get room again.
void TrialModel::findKeys()
{
    m_ranks.clear();
    m_rankOf.clear();
    if (!m_table.isText(m_sortColumn)) {
        for (const quint32 source : m_order)
            m_keys[source] = keyOf(source);
        return;
    }
    std::vector<double*> rankOfRow(m_order.size(), nullptr); // into m_ranks, whose entries stay where they are
    QHash<QString, double*> known;
    for (size_t i = 0; i < m_order.size(); ++i) {
        const QString text = m_table.text(m_sortColumn, m_order[i]);
        if (text.isEmpty())
            continue;
        double*& rank = known[text];
        if (!rank)
            rank = &m_ranks.emplace(text, 0.0).first->second;
        rankOfRow[i] = rank;
    }
    double next = wordsBegin;
    for (auto& [text, rank] : m_ranks)
        m_rankOf.insert(text, rank = next += wordStep);
    for (size_t i = 0; i < m_order.size(); ++i)
        m_keys[m_order[i]] = rankOfRow[i] ? *rankOfRow[i] : keyOf(m_order[i]);
}

double TrialModel::rankOf(const QString& text)
{
    if (const auto it = m_rankOf.constFind(text); it != m_rankOf.cend())
        return *it;
    const auto known = m_ranks.lower_bound(text);
    const double above = known == m_ranks.end() ? 0 : known->second;
    const double below = known == m_ranks.begin() ? wordsBegin : std::prev(known)->second;
    const double rank = known == m_ranks.end() ? below + wordStep : below + (above - below) / 2;
    m_ranks.emplace_hint(known, text, rank);
    m_rankOf.insert(text, rank);
    return rank;
}

void TrialModel::sortOrderVector()
{
    struct Entry
    {
        double key;
        quint32 source;
    };
    std::vector<Entry> entries;
    entries.reserve(m_order.size());
    for (const quint32 source : m_order)
        entries.push_back({m_keys[source], source});
    const auto less = [](const Entry& a, const Entry& b) {
        return a.key != b.key ? a.key < b.key : a.source < b.source;
    };
    if (!std::is_sorted(entries.begin(), entries.end(), less))
        std::sort(entries.begin(), entries.end(), less);
    for (size_t i = 0; i < entries.size(); ++i)
        m_order[i] = entries[i].source;
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

void TrialModel::measureHeat()
{
    m_heatLow = last;
    m_heatHigh = -last;
    for (const quint32 source : m_order)
        widenHeat(source);
}

void TrialModel::widenHeat(quint32 source)
{
    const std::optional<double>& best = m_table.trial(source).bestMetric;
    if (!best || !std::isfinite(*best))
        return;
    m_heatLow = std::min(m_heatLow, *best);
    m_heatHigh = std::max(m_heatHigh, *best);
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
    const Trial& trial = m_table.trial(source);
    const auto kind = column >= baseColumns ? TrialColumn::parameter : TrialColumn(column);
    switch (role) {
    case StatusRole:
        return int(trial.status);
    case IdRole:
        return trial.id.value;
    case BestRole:
        return trial.id == m_best;
    case NumberRole:
        return m_table.number(column, source, m_now);
    case OddRole:
        return kind == TrialColumn::last && [&] {
            const auto& metric = trial.finalMetric ? trial.finalMetric : trial.latestMetric;
            const auto value = metric ? metricNumber(metric->value, m_table.objective().metric) : std::nullopt;
            return value && !std::isfinite(*value);
        }();
    case HeatRole: {
        const std::optional<double>& best = trial.bestMetric;
        if (kind != TrialColumn::best || !best || !std::isfinite(*best) || m_heatHigh < m_heatLow)
            return {};
        const double span = m_heatHigh - m_heatLow;
        const double q = span > 0 ? (*best - m_heatLow) / span : 1.0;
        return std::clamp(m_table.objective().maximize ? q : 1 - q, 0.0, 1.0);
    }
    case Qt::TextAlignmentRole:
        return kind == TrialColumn::curve || kind == TrialColumn::state
                || (m_table.isText(column) && kind != TrialColumn::parameter)
            ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
            : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        break;
    default:
        return {};
    }

    const bool whole = role != Qt::DisplayRole;
    if (kind == TrialColumn::state)
        return whole && !trial.reason.isEmpty() ? stateWord(trial.status) + u". "_s + printable(trial.reason)
                                                : stateWord(trial.status);
    if (kind == TrialColumn::last) {
        const auto& metric = trial.finalMetric ? trial.finalMetric : trial.latestMetric;
        if (!metric)
            return QString();
        const auto value = metricNumber(metric->value, m_table.objective().metric);
        return value ? (whole ? QString::number(*value, 'g', 17) : metricText(*value)) : tr("not a number");
    }
    if (const QString text = m_table.text(column, source); !text.isEmpty())
        return printable(text, whole ? 2000 : 120);
    const double number = m_table.number(column, source, m_now);
    if (std::isnan(number))
        return QString();
    switch (kind) {
    case TrialColumn::best:
        return whole ? QString::number(number, 'g', 17) : metricText(number);
    case TrialColumn::curve:
        return whole ? tr("%n value(s)", nullptr, int(trial.metricCount)) : QString();
    case TrialColumn::ran:
    case TrialColumn::waited:
        return whole ? durationText(qint64(number)) : shortDurationText(qint64(number));
    case TrialColumn::peak_memory:
        return sizeText(qint64(number));
    case TrialColumn::parameter:
        return whole ? QString::number(number, 'g', 17) : parameterText(number);
    case TrialColumn::number:
    case TrialColumn::values:
    case TrialColumn::step:
        return whole || number < 10'000 ? QString::number(qint64(number)) : QLocale().toString(qint64(number));
    default:
        return isTime(kind) ? timeText(qint64(number), m_now, whole) : parameterText(number);
    }
}

QVariant TrialModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_shownColumns)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const auto kind = section >= baseColumns ? TrialColumn::parameter : TrialColumn(section);
        const bool left = kind == TrialColumn::curve || kind == TrialColumn::state
            || (kind != TrialColumn::parameter && m_table.isText(section));
        return QVariant((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    if (section >= baseColumns)
        return printable(m_table.parameterName(section), 80);
    if (TrialColumn(section) == TrialColumn::best && role != Qt::DisplayRole)
        return tr("Best %1 so far").arg(m_table.objective().metric);
    return columnTitle(TrialColumn(section));
}

QString TrialModel::columnTitle(TrialColumn column)
{
    switch (column) {
    case TrialColumn::state:
        return tr("State");
    case TrialColumn::number:
        return u"#"_s;
    case TrialColumn::best:
        return tr("Best");
    case TrialColumn::last:
        return tr("Last");
    case TrialColumn::curve:
        return tr("Curve");
    case TrialColumn::machine:
        return tr("Machine");
    case TrialColumn::ran:
        return tr("Ran");
    case TrialColumn::waited:
        return tr("Waited");
    case TrialColumn::attempt:
        return tr("Attempt");
    case TrialColumn::reason:
        return tr("Reason");
    case TrialColumn::exit_code:
        return tr("Exit code");
    case TrialColumn::step:
        return tr("Step");
    case TrialColumn::values:
        return tr("Values");
    case TrialColumn::gpus:
        return tr("GPUs");
    case TrialColumn::platform:
        return tr("Platform");
    case TrialColumn::priority:
        return tr("Priority");
    case TrialColumn::tags:
        return tr("Tags");
    case TrialColumn::submitted:
        return tr("Submitted");
    case TrialColumn::started:
        return tr("Started");
    case TrialColumn::ended:
        return tr("Ended");
    case TrialColumn::last_contact:
        return tr("Last contact");
    case TrialColumn::peak_memory:
        return tr("Peak memory");
    case TrialColumn::client_id:
        return tr("Client id");
    case TrialColumn::id:
        return tr("Id");
    case TrialColumn::parameter:
        break;
    }
    return {};
}

} // namespace models
