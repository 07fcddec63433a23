// SPDX-License-Identifier: GPL-3.0-or-later
#include "trial_table.h"

#include "trial_text.h"

#include "services/core/message/localized.h"
#include "services/api/json_slice.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

using core::Trial;
using core::TrialPtr;

namespace {

/// Characters of the text of a nested value (a list, an object) that are shown.
constexpr qsizetype longestNested = 200;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

double optional(const auto& value)
{
    return value ? double(*value) : none;
}

} // namespace

void TrialTable::clear()
{
    const core::Objective objective = m_objective;
    const bool isOfAll = m_isOfAll;
    *this = TrialTable();
    m_objective = objective;
    m_isOfAll = isOfAll;
}

void TrialTable::reserve(size_t rows)
{
    m_trials.reserve(rows);
    m_marks.reserve(rows);
    m_places.reserve(rows);
    m_at.reserve(qsizetype(rows));
}

std::optional<quint32> TrialTable::find(const core::TrialId& id) const
{
    const auto it = m_at.constFind(id);
    return it == m_at.cend() ? std::nullopt : std::optional(*it);
}

bool TrialTable::nameExperiment(const core::ExperimentId& id, const QString& name)
{
    QString& known = m_experimentNames[id];
    const bool isRenamed = !known.isNull() && known != name;
    known = name;
    return isRenamed;
}

quint8 TrialTable::marksOf(const Trial& trial)
{
    const bool isHere = trial.machineId.value == "local"_L1 && trial.platformId.value == "local"_L1;
    return quint8(quint8(trial.status) | (isHere ? here : 0));
}

quint32 TrialTable::placeOf(const Trial& trial)
{
    if (trial.machineId.isEmpty())
        return 0;
    if (trial.gpuIndices.isEmpty())
        return wordOf(machineKey(trial));
    QStringList gpus;
    for (const int gpu : trial.gpuIndices)
        gpus.append(QString::number(gpu));
    return wordOf(machineKey(trial) + u" · "_s + gpus.join(u", "_s));
}

quint32 TrialTable::put(const TrialPtr& trial)
{
    const auto known = m_at.constFind(trial->id);
    if (known != m_at.cend()) {
        const quint32 row = *known;
        const bool sameParameters = m_trials[row]->parameters == trial->parameters;
        m_trials[row] = trial;
        m_marks[row] = marksOf(*trial);
        m_places[row] = placeOf(*trial);
        if (!sameParameters) {
            for (Values& values : m_values) {
                if (row < values.numbers.size())
                    values.numbers[row] = none;
                if (row < values.words.size())
                    values.words[row] = 0;
            }
            readParameters(row, trial->parameters);
        }
        return row;
    }
    const auto row = quint32(m_trials.size());
    m_trials.push_back(trial);
    m_marks.push_back(marksOf(*trial));
    m_places.push_back(placeOf(*trial));
    m_at.insert(trial->id, row);
    readParameters(row, trial->parameters);
    return row;
}

void TrialTable::readParameters(quint32 row, const QByteArray& json)
{
    if (json.isEmpty())
        return;
    // Invalid JSON has no parameters; the record keeps its text.
    const api::JsonSlice object{QByteArrayView(json)};
    if (object.kind() != core::JsonKind::object || !api::checkJson(json))
        return;
    for (api::MemberWalker member(object); member.next();) {
        const QString name = QString::fromUtf8(member.key());
        if (const std::optional<double> number = member.value().number())
            setNumber(name, row, *number);
        else if (member.value().kind() == core::JsonKind::string)
            setWord(name, row, QString::fromUtf8(member.value().string()));
        else
            setWord(name, row,
                QString::fromUtf8(member.value().text().first(std::min(member.value().text().size(), longestNested))));
    }
}

TrialTable::Values* TrialTable::valuesOf(const QString& name)
{
    const auto it = m_byName.constFind(name);
    if (it != m_byName.cend())
        return &m_values[size_t(*it)];
    if (m_names.size() >= maxParameters)
        return nullptr;
    m_byName.insert(name, int(m_names.size()));
    m_names.append(name);
    m_values.emplace_back();
    return &m_values.back();
}

void TrialTable::setNumber(const QString& name, quint32 row, double value)
{
    Values* values = valuesOf(name);
    if (!values)
        return;
    if (values->numbers.size() <= row)
        values->numbers.resize(row + 1, none);
    values->numbers[row] = value;
}

void TrialTable::setWord(const QString& name, quint32 row, const QString& word)
{
    Values* values = valuesOf(name);
    if (!values)
        return;
    if (values->words.size() <= row)
        values->words.resize(row + 1, 0);
    values->words[row] = wordOf(word);
}

quint32 TrialTable::wordOf(const QString& word)
{
    const auto it = m_wordAt.constFind(word);
    if (it != m_wordAt.cend())
        return *it;
    const auto place = quint32(m_words.size());
    m_words.append(word);
    m_wordAt.insert(word, place);
    return place;
}

int TrialTable::parameterColumn(const QString& name) const
{
    const auto it = m_byName.constFind(name);
    return it == m_byName.cend() ? -1 : baseColumns + *it;
}

double TrialTable::number(int column, quint32 row, qint64 now) const
{
    if (column >= baseColumns) {
        const Values& values = m_values[size_t(column - baseColumns)];
        return row < values.numbers.size() ? values.numbers[row] : none;
    }
    const Trial& t = *m_trials[row];
    switch (TrialColumn(column)) {
    case TrialColumn::state: // sorted by relevance to the user
        return double((int(t.status) + int(core::trialStatusCount) - 2) % int(core::trialStatusCount));
    case TrialColumn::number:
        return double(t.sequenceId);
    case TrialColumn::best:
    case TrialColumn::curve:
        return t.bestMetric.value_or(none);
    case TrialColumn::last: {
        const auto& metric = t.finalMetric ? t.finalMetric : t.latestMetric;
        return metric ? metricNumber(metric->value, m_objective.metric).value_or(none) : none;
    }
    case TrialColumn::ran:
        return optional(ranFor(t, now));
    case TrialColumn::waited:
        return double(waitedFor(t, now));
    case TrialColumn::attempt:
        return t.attempt;
    case TrialColumn::exit_code:
        return optional(t.exitCode);
    case TrialColumn::step:
        return t.latestMetric ? optional(t.latestMetric->step) : none;
    case TrialColumn::values:
        return double(t.metricCount);
    case TrialColumn::gpus:
        return optional(t.gpuNumber);
    case TrialColumn::priority:
        return t.priority;
    case TrialColumn::submitted:
        return double(t.submitTime);
    case TrialColumn::started:
        return optional(t.startTime);
    case TrialColumn::ended:
        return optional(t.endTime);
    case TrialColumn::last_contact:
        return t.lastContact ? double(t.lastContact) : none;
    case TrialColumn::peak_memory:
        return t.usage.peakMemoryBytes ? double(t.usage.peakMemoryBytes) : none;
    default:
        return none;
    }
}

const QString* TrialTable::word(int column, quint32 row) const
{
    const quint32 index = column < baseColumns ? 0 : wordIndex(column, row);
    return index > 0 ? &m_words.at(index) : nullptr;
}

bool TrialTable::isInterned(int column) const
{
    return column >= baseColumns || column == int(TrialColumn::machine);
}

quint32 TrialTable::wordIndex(int column, quint32 row) const
{
    if (column < baseColumns)
        return m_places[row];
    const Values& values = m_values[size_t(column - baseColumns)];
    return row < values.words.size() ? values.words[row] : 0;
}

QString TrialTable::text(int column, quint32 row) const
{
    if (isInterned(column))
        return m_words.at(wordIndex(column, row));
    const Trial& t = *m_trials[row];
    switch (TrialColumn(column)) {
    case TrialColumn::state:
        return stateWord(t.status);
    case TrialColumn::reason:
        return core::localized(t.reason);
    case TrialColumn::platform:
        return t.platformId.value;
    case TrialColumn::tags:
        return t.tags.join(u", "_s);
    case TrialColumn::note:
        return t.note;
    case TrialColumn::client_id:
        return t.clientId;
    case TrialColumn::id:
        return t.id.value;
    case TrialColumn::experiment:
        return m_experimentNames.value(t.experimentId, t.experimentId.value);
    default:
        return {};
    }
}

bool TrialTable::isText(int column) const
{
    if (column >= baseColumns)
        return !m_values[size_t(column - baseColumns)].words.empty();
    switch (TrialColumn(column)) {
    case TrialColumn::machine:
    case TrialColumn::reason:
    case TrialColumn::platform:
    case TrialColumn::tags:
    case TrialColumn::note:
    case TrialColumn::client_id:
    case TrialColumn::id:
    case TrialColumn::experiment:
        return true;
    default:
        return false;
    }
}

} // namespace models
