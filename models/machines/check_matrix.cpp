// SPDX-License-Identifier: GPL-3.0-or-later
#include "check_matrix.h"

#include "models/printable.h"

#include "services/core/message/localized.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

using core::CheckState;
using core::CheckStep;
using core::MachineId;

namespace {

/// Display order: the connection first, then the requirements of trials, then the test trial. Unknown checks come before the test
/// trial.
int rankOf(const QString& id)
{
    static const QStringList order{u"login"_s, u"hostKey"_s, u"cleanShell"_s, u"agent"_s, u"clockSkew"_s, u"disk"_s,
        u"gpu"_s, u"python"_s, u"memory"_s, u"folder"_s, u"writing"_s, u"execute"_s, u"shared"_s, u"quota"_s,
        u"mounts"_s, u"logout"_s, u"shell"_s, u"gzip"_s, u"proc"_s, {}, u"process"_s, u"trial"_s};
    const qsizetype at = order.indexOf(id);
    return int(at < 0 ? order.indexOf(QString()) : at);
}

constexpr qsizetype longestGood = 9; ///< characters; a longer text of a passed step is replaced by its state

/// Gives lupdate the context of the free functions here.
struct CheckWords
{
    Q_DECLARE_TR_FUNCTIONS(models::CheckWords)
};

QString stateWord(const core::OpenWord<CheckState>& state)
{
    switch (state.value()) {
    case CheckState::ok:
        return CheckWords::tr("good");
    case CheckState::warn:
        return CheckWords::tr("warning");
    case CheckState::fail:
        return CheckWords::tr("failed");
    case CheckState::skipped:
        return CheckWords::tr("skipped");
    case CheckState::waiting:
        return CheckWords::tr("waits");
    case CheckState::running:
        return CheckWords::tr("running");
    case CheckState::other:
        break;
    }
    return state.word(); // an unknown state of a newer service is shown as received
}

/// Transforms `have` into `wanted` by calls of `remove` and `insert`. Returns false if the common entries are in a different
/// order.
template <typename Remove, typename Insert>
bool bringInLine(QStringList have, const QStringList& wanted, const Remove& remove, const Insert& insert)
{
    for (qsizetype i = have.size() - 1; i >= 0; --i)
        if (!wanted.contains(have[i])) {
            have.removeAt(i);
            remove(int(i));
        }
    QStringList common = wanted;
    common.removeIf([&have](const QString& one) { return !have.contains(one); });
    if (common != have)
        return false;
    for (qsizetype i = 0; i < wanted.size(); ++i)
        if (i >= have.size() || have[i] != wanted[i]) {
            have.insert(i, wanted[i]);
            insert(int(i));
        }
    return true;
}

QStringList keysOf(const QList<CheckMatrix::Column>& columns)
{
    QStringList keys;
    for (const CheckMatrix::Column& column : columns)
        keys += column.key;
    return keys;
}

} // namespace

QString shortWord(const CheckStep& step)
{
    QString word = core::localized(step.detail).section(u'\n', 0, 0);
    qsizetype end = word.size();
    for (const auto& mark : {", "_L1, "; "_L1, " ("_L1, ": "_L1, " as "_L1})
        if (const qsizetype at = word.indexOf(mark); at > 0)
            end = std::min(end, at);
    word.truncate(end);
    return word.isEmpty() ? stateWord(step.state) : word;
}

namespace {

/// What the service's sentences about a connection that was not made come to; empty: the step is another.
QString wayWord(const CheckStep& step)
{
    if (step.id != u"login"_s || step.state != CheckState::fail)
        return {};
    if (step.detail.text().contains(" refused the connection "_L1))
        return CheckWords::tr("refused");
    if (step.detail.text().contains(" did not answer at port "_L1))
        return CheckWords::tr("no answer");
    return step.detail.text().startsWith("No computer is known by the name "_L1) ? CheckWords::tr("no such name")
                                                                                 : QString();
}

} // namespace

QString cellWord(const CheckStep& step)
{
    if (QString word = wayWord(step); !word.isEmpty())
        return word;
    QString word = shortWord(step);
    // `412.3 GiB free` and `780 MiB/s`: show only the figure.
    static const QRegularExpression figure(u"^[0-9][0-9.,]* [^ ]+"_s);
    if (const auto match = figure.match(word); match.hasMatch())
        return match.captured();
    if (word.startsWith(core::localized(step.title) + u' '))
        word.remove(0, core::localized(step.title).size() + 1); // `Python 3.11.2` beside "Python"
    const bool isLong = word.startsWith(u'/') || word.size() > longestGood;
    return isLong && step.state == CheckState::ok ? stateWord(step.state) : word;
}

QString commandOf(const QString& remedy)
{
    if (const qsizetype line = remedy.indexOf(u'\n'); line >= 0)
        return remedy.mid(line + 1);
    const qsizetype at = remedy.lastIndexOf(": "_L1);
    const QString command = at < 0 ? QString() : remedy.mid(at + 2).trimmed();
    // A sentence ends with a full stop, a command does not.
    const bool isCommand = !command.isEmpty() && command.front().isLower() && !command.endsWith(u'.')
        && (command.contains(u' ') || command.contains(u'-'));
    return isCommand ? command : QString();
}

QList<CheckStep> findingsOf(const QList<CheckStep>& steps)
{
    QList<CheckStep> findings;
    for (const CheckState state : {CheckState::fail, CheckState::warn})
        for (const CheckStep& step : steps)
            if (step.state == state)
                findings += step;
    return findings;
}

QList<MachineId> machinesOf(const core::Operation& request)
{
    QList<MachineId> machines;
    for (const CheckStep& step : request.steps)
        if (!machines.contains(step.machineId))
            machines += step.machineId;
    return machines;
}

QList<CheckStep> stepsOf(const core::Operation& request, const MachineId& machine)
{
    QList<CheckStep> steps = request.steps;
    steps.removeIf([&machine](const CheckStep& step) { return step.machineId != machine; });
    if (machine.isEmpty()) // of a cluster, whose steps follow each other
        return steps;
    std::stable_sort(
        steps.begin(), steps.end(), [](const CheckStep& a, const CheckStep& b) { return rankOf(a.id) < rankOf(b.id); });
    return steps;
}

core::OperationPtr latestCheck(const QList<core::OperationPtr>& requests, const core::Machine& machine)
{
    core::OperationPtr latest;
    for (const core::OperationPtr& request : requests) {
        const bool isOfPlatform =
            request->subject == machine.platformId.value && machinesOf(*request).contains(machine.id);
        if ((!isOfPlatform && request->subject != machine.id.value)
            || (latest && latest->createdTime > request->createdTime))
            continue;
        latest = request;
        if (isOfPlatform) {
            core::Operation own = *request;
            own.steps = stepsOf(*request, machine.id);
            // The request's state covers all machines; derive this machine's from its own steps.
            const bool failed = std::any_of(own.steps.begin(), own.steps.end(),
                [](const CheckStep& step) { return step.state == CheckState::fail; });
            if (own.state != core::OperationState::running)
                own.state = failed ? core::OperationState::failed : core::OperationState::succeeded;
            own.message.clear();
            latest = std::make_shared<const core::Operation>(std::move(own));
        }
    }
    return latest;
}

void CheckMatrix::setColumns(const QList<Column>& columns)
{
    if (columns == m_columns)
        return;
    bringColumns(columns);
    bringRows();
    if (!m_rows.isEmpty() && !m_columns.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void CheckMatrix::bringColumns(const QList<Column>& wanted)
{
    const auto remove = [this](int at) {
        beginRemoveColumns({}, at, at);
        m_columns.removeAt(at);
        endRemoveColumns();
    };
    const auto insert = [this, &wanted](int at) {
        beginInsertColumns({}, at, at);
        m_columns.insert(at, wanted[at]);
        endInsertColumns();
    };
    if (bringInLine(keysOf(m_columns), keysOf(wanted), remove, insert)) {
        m_columns = wanted;
        return;
    }
    beginResetModel();
    m_columns = wanted;
    endResetModel();
}

void CheckMatrix::bringRows()
{
    QStringList wanted;
    for (const Column& column : std::as_const(m_columns))
        for (const CheckStep& step : column.steps) {
            m_titles.insert(step.id, core::localized(step.title));
            if (!wanted.contains(step.id))
                wanted += step.id;
        }
    std::stable_sort(
        wanted.begin(), wanted.end(), [](const QString& a, const QString& b) { return rankOf(a) < rankOf(b); });
    const auto remove = [this](int at) {
        beginRemoveRows({}, at, at);
        m_rows.removeAt(at);
        endRemoveRows();
    };
    const auto insert = [this, &wanted](int at) {
        beginInsertRows({}, at, at);
        m_rows.insert(at, wanted[at]);
        endInsertRows();
    };
    if (!bringInLine(m_rows, wanted, remove, insert)) {
        beginResetModel();
        m_rows = wanted;
        endResetModel();
    }
}

const CheckStep* CheckMatrix::step(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= m_rows.size() || index.column() >= m_columns.size())
        return nullptr;
    const QList<CheckStep>& steps = m_columns[index.column()].steps;
    const auto found = std::find_if(
        steps.begin(), steps.end(), [id = m_rows[index.row()]](const CheckStep& step) { return step.id == id; });
    return found == steps.end() ? nullptr : &*found;
}

QModelIndex CheckMatrix::find(const QString& key, const QString& step) const
{
    const QModelIndex at = index(int(m_rows.indexOf(step)), int(keysOf(m_columns).indexOf(key)));
    return this->step(at) ? at : QModelIndex();
}

int CheckMatrix::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int CheckMatrix::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant CheckMatrix::data(const QModelIndex& index, int role) const
{
    const CheckStep* step = this->step(index);
    if (!step)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return printable(cellWord(*step), 200);
    case StateRole:
        return step->state.word();
    case Qt::ToolTipRole:
        return printableLines(QStringList{step->title, step->detail, step->remedy}.join(u'\n').trimmed(), 600);
    case Qt::AccessibleTextRole:
        return printable(
            tr("%1 on %2: %3, %4")
                .arg(step->title, m_columns[index.column()].title, stateWord(step->state), cellWord(*step)));
    default:
        return {};
    }
}

QVariant CheckMatrix::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Horizontal)
        return section < m_columns.size() ? printable(m_columns[section].title, 200) : QVariant();
    return section < m_rows.size() ? printable(m_titles.value(m_rows[section]), 200) : QVariant();
}

} // namespace models
