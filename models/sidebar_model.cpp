// SPDX-License-Identifier: GPL-3.0-or-later
#include "sidebar_model.h"

#include "printable.h"

using namespace Qt::StringLiterals;

namespace models {

using namespace core;

SidebarModel::SidebarModel(EngineMirror& mirror, QObject* parent)
    : QAbstractListModel(parent)
    , m_mirror(mirror)
{
    m_later.setSingleShot(true);
    m_later.setInterval(100); // counts need not follow every frame
    connect(&m_later, &QTimer::timeout, this, &SidebarModel::refresh);
    connect(&mirror, &EngineMirror::changed, this, &SidebarModel::refreshSoon);
    m_rows = makeRows();
}

int SidebarModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant SidebarModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[index.row()];
    const QString title = printable(row.title, 200);
    switch (role) {
    case Qt::DisplayRole:
        return title;
    case Qt::AccessibleTextRole:
        return row.count           ? tr("%1, %2").arg(title).arg(*row.count)
            : row.detail.isEmpty() ? title
                                   : tr("%1, %2").arg(title, printable(row.detail, 200));
    case Qt::ToolTipRole:
        return row.sort == Sort::filter ? QVariant(printable(row.name, 2'000)) : QVariant();
    case SortRole:
        return QVariant::fromValue(row.sort);
    case NameRole:
        return row.name;
    case IconRole:
        return row.icon;
    case CountRole:
        return row.count ? QVariant(*row.count) : QVariant();
    case DetailRole:
        return printable(row.detail, 200);
    case StatusRole:
        return row.status ? QVariant(int(*row.status)) : QVariant();
    default:
        return {};
    }
}

Qt::ItemFlags SidebarModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    return m_rows[index.row()].sort == Sort::section ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QList<SidebarModel::Row> SidebarModel::makeRows() const
{
    const api::Mirror& state = m_mirror.state();
    std::array<qint64, trialStatusCount> all{};
    for (const ExperimentPtr& experiment : state.experiments().list())
        for (size_t i = 0; i < trialStatusCount; ++i)
            all[i] += experiment->counts[i];
    std::array<qint64, trialStatusCount> counts = all;
    if (const ExperimentPtr experiment = state.experiments().find(m_experiment))
        counts = experiment->counts;
    const auto of = [&](TrialStatus status) { return counts[size_t(status)]; };
    qint64 total = 0;
    for (const qint64 count : counts)
        total += count;

    const auto view = [](const QString& name, const QString& title, std::optional<qint64> count) {
        return Row{Sort::view, name, title, name, count, {}, {}};
    };
    const auto section = [](const QString& title) { return Row{Sort::section, {}, title, {}, {}, {}, {}}; };
    const auto status = [&](const QString& name, const QString& title, TrialStatus which, qint64 count) {
        return Row{Sort::state, name, title, name, count, {}, which};
    };
    QList<Row> rows{
        view(u"overview"_s, tr("Overview"), {}),
        view(u"experiments"_s, tr("Experiments"), state.experiments().list().size()),
        view(u"trials"_s, tr("Trials"), total),
        view(u"queue"_s, tr("Queue"), of(TrialStatus::waiting)),
        view(u"machines"_s, tr("Machines"), state.machines().list().size()),
        view(u"charts"_s, tr("Charts"), {}),
        view(u"failures"_s, tr("Failures"), of(TrialStatus::failed)),
        view(u"events"_s, tr("Events"), {}),
        view(u"platforms"_s, tr("Platforms"), state.platforms().list().size()),
        section(tr("State")),
        Row{Sort::state, u"all"_s, tr("All"), {}, total, {}, {}},
        status(u"running"_s, tr("Running"), TrialStatus::running, of(TrialStatus::running)),
        status(u"waiting"_s, tr("Waiting"), TrialStatus::waiting, of(TrialStatus::waiting)),
        status(u"succeeded"_s, tr("Succeeded"), TrialStatus::succeeded, of(TrialStatus::succeeded)),
        status(u"failed"_s, tr("Failed"), TrialStatus::failed, of(TrialStatus::failed)),
        status(u"unknown"_s, tr("Unknown"), TrialStatus::unknown, of(TrialStatus::unknown)),
        status(u"cancelled"_s, tr("Cancelled"), TrialStatus::user_canceled,
            of(TrialStatus::user_canceled) + of(TrialStatus::sys_canceled)),
        status(u"early"_s, tr("Early stopped"), TrialStatus::early_stopped, of(TrialStatus::early_stopped)),
    };
    if (!m_filters.isEmpty()) {
        rows += section(tr("Saved filters"));
        for (const SavedFilter& filter : m_filters)
            rows += Row{Sort::filter, filter.text, filter.name, u"filter"_s,
                m_counter ? std::optional(m_counter(filter.text, m_experiment)) : std::nullopt, {}, {}};
    }
    if (!m_service.isEmpty()) {
        rows += section(tr("Services"));
        rows += Row{Sort::service, m_service, m_service, u"computer"_s, {}, m_serviceDetail, {}};
    }
    return rows;
}

void SidebarModel::refreshSoon()
{
    if (!m_later.isActive())
        m_later.start();
}

void SidebarModel::refresh()
{
    m_later.stop();
    QList<Row> rows = makeRows();
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (qsizetype i = 0; i < rows.size(); ++i) {
        if (rows[i] == m_rows[i])
            continue;
        m_rows[i] = rows[i];
        emit dataChanged(index(int(i)), index(int(i)));
    }
}

void SidebarModel::setExperiment(const ExperimentId& experiment)
{
    m_experiment = experiment;
    refresh();
}

void SidebarModel::setService(const QString& name, const QString& detail)
{
    m_service = name;
    m_serviceDetail = detail;
    refresh();
}

void SidebarModel::setSavedFilters(const QList<SavedFilter>& filters)
{
    m_filters = filters;
    refresh();
}

void SidebarModel::setFilterCounter(FilterCounter counter)
{
    m_counter = std::move(counter);
    refresh();
}

void SidebarModel::retranslate()
{
    refresh();
}

QModelIndex SidebarModel::find(Sort sort, const QString& name) const
{
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].sort == sort && m_rows[i].name == name)
            return index(int(i));
    return {};
}

} // namespace models
