// SPDX-License-Identifier: GPL-3.0-or-later
#include "failure_model.h"

#include "failure_word.h"

#include "models/machine_cells.h"
#include "models/printable.h"

#include "services/core/message/localized.h"

#include <QLocale>
#include <QPointer>

#include <chrono>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace models {

using core::Json;
using core::Result;

Result<QList<FailureGroup>> failureGroupsFrom(const Json& document)
{
    core::JsonReader reader(document);
    const Json* list = reader.take("groups");
    if (!list || !list->is_array())
        return core::fail(core::Kind::internal, u"The service answered without groups of failures."_s);
    QList<FailureGroup> out;
    for (const Json& json : *list) {
        FailureGroup group;
        core::JsonReader members(json, u"group"_s);
        QStringList ids;
        members.read("cause", group.cause);
        members.read("failureClass", group.failureClass);
        members.read("sample", group.sample);
        members.read("machines", group.machines);
        members.read("trialIds", ids);
        for (QString& machine : group.machines)
            if (machine == u"local"_s) // its id, which is its platform's, too
                machine = platformName(core::PlatformId(machine));
        for (const QString& id : std::as_const(ids))
            group.trials.append(core::TrialId(id));
        out.append(std::move(group));
    }
    return out;
}

FailureModel::FailureModel(client::EngineClient& client, QObject* parent)
    : QAbstractTableModel(parent)
    , m_client(client)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &FailureModel::ask);
}

void FailureModel::setExperiment(const core::ExperimentId& experiment)
{
    if (experiment == m_experiment)
        return;
    m_experiment = experiment;
    m_isLoading = !experiment.isEmpty();
    m_message.clear();
    take({});
    ask();
}

void FailureModel::refresh()
{
    if (!m_soon.isActive())
        m_soon.start(500ms);
}

void FailureModel::ask()
{
    if (m_experiment.isEmpty())
        return;
    m_client.execute(api::ReadFailures{m_experiment},
        [self = QPointer(this), experiment = m_experiment](const Result<api::Reply>& reply) {
            if (!self || self->m_experiment != experiment)
                return;
            const Result<Json> document = reply ? client::documentOf(*reply) : Result<Json>(core::fail(reply));
            const auto groups =
                document ? failureGroupsFrom(*document) : Result<QList<FailureGroup>>(core::fail(document));
            self->m_isLoading = false;
            self->m_message = groups ? QString() : core::localized(groups.error().message);
            if (groups)
                self->take(*groups);
            emit self->loaded();
        });
}

void FailureModel::take(const QList<FailureGroup>& groups)
{
    if (groups == m_groups)
        return;
    // The same causes in the same order: no reset, so that the selection is kept.
    const bool same = groups.size() == m_groups.size()
        && std::equal(groups.begin(), groups.end(), m_groups.begin(),
            [](const FailureGroup& a, const FailureGroup& b) { return a.cause == b.cause; });
    if (same) {
        m_groups = groups;
        emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
        return;
    }
    beginResetModel();
    m_groups = groups;
    endResetModel();
}

int FailureModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_groups.size());
}

int FailureModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(column_count);
}

QVariant FailureModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const FailureGroup& group = m_groups[index.row()];
    if (role == Qt::TextAlignmentRole)
        return QVariant((index.column() == count_column ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == cause_column)
        return printable(group.sample.isEmpty() ? group.cause : group.sample, 1000);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    switch (index.column()) {
    case cause_column:
        return printable(group.cause, 300);
    case count_column:
        return QLocale().toString(group.trials.size());
    case machines_column:
        return group.machines.size() <= 3 || role != Qt::DisplayRole
            ? printable(group.machines.join(u", "_s), 2000)
            : tr("%n machine(s)", nullptr, int(group.machines.size()));
    case class_column:
        return failureWord(group.failureClass, group.cause, group.sample);
    default:
        return {};
    }
}

QVariant FailureModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == count_column ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case cause_column:
        return tr("Cause");
    case count_column:
        return tr("Trials");
    case machines_column:
        return tr("Machines");
    case class_column:
        return tr("Class");
    default:
        return {};
    }
}

} // namespace models
