// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_draft.h"

#include "option_table.h"

#include "models/printable.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace models {

using core::Json;

namespace {

/// Gives lupdate the context of the free functions here.
struct DraftWords
{
    Q_DECLARE_TR_FUNCTIONS(models::DraftWords)
};

std::optional<double> numberIn(const QString& text)
{
    bool good = false;
    const double value = text.trimmed().toDouble(&good);
    return good && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

QStringList choicesOf(const SearchRow& row)
{
    QStringList out;
    for (const QString& choice : row.choices.split(u',')) {
        if (!choice.trimmed().isEmpty())
            out.append(choice.trimmed());
    }
    return out;
}

/// Converts text to a JSON number if it is one, else to a string.
Json valueOf(const QString& text)
{
    bool good = false;
    const qlonglong whole = text.toLongLong(&good);
    if (good)
        return whole;
    const double number = text.toDouble(&good);
    if (good && std::isfinite(number))
        return number;
    if (text == u"true" || text == u"false")
        return text == u"true";
    return text;
}

QString textOf(const Json& value)
{
    return value.is_string() ? value.get<QString>() : QString::fromUtf8(core::dumpJson(value));
}

std::optional<DraftProblem> problemOf(const SearchRow& row, int at)
{
    const auto problem = [&](const QString& message, bool canSwap = false) {
        return DraftProblem{DraftField::search, at, message, canSwap};
    };
    if (row.name.trimmed().isEmpty())
        return problem(DraftWords::tr("A parameter needs a name."));
    const QString name = printable(row.name, 40);
    if (row.kind == SearchKind::choice) {
        if (choicesOf(row).isEmpty())
            return problem(DraftWords::tr("%1: write the values to choose from, with commas between them.").arg(name));
        return std::nullopt;
    }
    const auto from = numberIn(row.from);
    const auto to = numberIn(row.to);
    if (!from || !to)
        return problem(
            DraftWords::tr("%1: %2 must be a number.").arg(name, from ? DraftWords::tr("To") : DraftWords::tr("From")));
    if (row.kind == SearchKind::whole && (*from != std::floor(*from) || *to != std::floor(*to)))
        return problem(DraftWords::tr("%1: both ends must be whole numbers.").arg(name));
    if (*from >= *to)
        return problem(DraftWords::tr("%1: From must be below To.").arg(name), *from > *to);
    if (row.kind == SearchKind::log_uniform && *from <= 0)
        return problem(DraftWords::tr("%1: a logarithmic range begins above 0.").arg(name));
    return std::nullopt;
}

QString quotedWord(const QString& word)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./:=@%+,-]+$"_s);
    return plain.match(word).hasMatch() ? word : u'\'' + QString(word).replace(u"'"_s, u"'\\''"_s) + u'\'';
}

SearchRow rowFor(const ScriptArgument& argument)
{
    SearchRow row;
    row.name = argument.name;
    if (!argument.choices.isEmpty()) {
        row.kind = SearchKind::choice;
        row.choices = argument.choices.join(u", "_s);
        return row;
    }
    const auto preset = numberIn(argument.preset);
    const double value = preset.value_or(0.1);
    if (argument.isWhole && value >= 1) {
        row.kind = SearchKind::choice;
        QStringList values;
        for (const double factor : {0.5, 1.0, 2.0})
            values.append(QString::number(std::max<qint64>(1, qint64(value * factor))));
        values.removeDuplicates();
        row.choices = values.join(u", "_s);
    } else if (value > 0 && value <= 0.05) {
        row.kind = SearchKind::log_uniform;
        row.from = QString::number(value / 10, 'g', 3);
        row.to = QString::number(value * 10, 'g', 3);
    } else if (value >= 0 && value < 1) {
        row.from = u"0"_s;
        row.to = QString::number(std::min(0.99, std::max(0.5, value * 2)), 'g', 3);
    } else {
        row.from = QString::number(value > 0 ? value / 2 : value * 2, 'g', 3);
        row.to = QString::number(value > 0 ? value * 2 : value / 2, 'g', 3);
    }
    return row;
}

} // namespace

QList<DraftProblem> problemsOf(const ExperimentDraft& draft)
{
    QList<DraftProblem> out;
    if (draft.name.trimmed().isEmpty())
        out.append({DraftField::name, -1, DraftWords::tr("Give it a name.")});
    if (draft.command.trimmed().isEmpty() && !draft.hasOwnRoles)
        out.append(
            {DraftField::command, -1, DraftWords::tr("Write the command that runs one trial, or choose a script.")});
    QStringList names;
    for (int at = 0; at < draft.search.size(); ++at) {
        const SearchRow& row = draft.search[at];
        if (auto problem = problemOf(row, at))
            out.append(*problem);
        else if (names.contains(row.name.trimmed()))
            out.append({DraftField::search, at, DraftWords::tr("%1 stands here twice.").arg(printable(row.name, 40))});
        names.append(row.name.trimmed());
    }
    if (!draft.search.isEmpty()) {
        for (const TemplateName& used : templateNames(draft.command)) {
            if (!names.contains(used.name)) {
                out.append({DraftField::command, -1,
                    DraftWords::tr("{%1} is in the command, but not in the search.").arg(used.name)});
                break;
            }
        }
    }
    if (draft.metric.trimmed().isEmpty())
        out.append({DraftField::metric, -1,
            DraftWords::tr("Name the metric; a script that reports plain numbers reports \"default\".")});
    if (!draft.pattern.isEmpty()) {
        const QRegularExpression expression(draft.pattern);
        if (!expression.isValid())
            out.append({DraftField::pattern, -1,
                DraftWords::tr("It is no regular expression: %1.").arg(expression.errorString())});
        else if (!expression.namedCaptureGroups().contains(u"value"_s))
            out.append({DraftField::pattern, -1,
                DraftWords::tr("It needs a group called value, for example acc=(?P<value>[\\d.]+)")});
    }
    if (draft.platform.isEmpty())
        out.append({DraftField::platform, -1, DraftWords::tr("Choose where it runs.")});
    return out;
}

core::ExperimentSpec specOf(const ExperimentDraft& draft)
{
    core::ExperimentSpec spec = draft.base;
    spec.name = draft.name.trimmed();
    spec.platformId = draft.platform;
    spec.platformOptions = draft.options;
    spec.trialCommand = draft.command.simplified();
    spec.codeDir = draft.codeDir.trimmed();
    if (!spec.codeDir.isEmpty())
        spec.codeHash.clear();
    spec.gpuNumber = draft.gpus;
    spec.trialConcurrency = draft.atOnce;
    spec.maxTrialNumber = draft.trials;
    spec.maxTrialDurationSeconds = draft.secondsATrial;
    spec.objective = {draft.metric.trimmed(), draft.maximize};
    spec.metricPattern = draft.pattern;
    spec.interpreter = draft.interpreter.trimmed();
    spec.setup = draft.setup.trimmed();
    spec.tags.clear();
    for (const QString& tag : draft.tags.split(u',', Qt::SkipEmptyParts)) {
        if (!tag.trimmed().isEmpty())
            spec.tags.append(tag.trimmed());
    }
    spec.searchSpace = Json();
    spec.tunerName.clear();
    if (draft.search.isEmpty())
        return spec;
    spec.searchSpace = Json::object();
    for (const SearchRow& row : draft.search) {
        Json values = Json::array();
        const char* type = "choice";
        if (row.kind == SearchKind::choice) {
            for (const QString& choice : choicesOf(row))
                values.push_back(valueOf(choice));
        } else {
            type = row.kind == SearchKind::uniform    ? "uniform"
                : row.kind == SearchKind::log_uniform ? "loguniform"
                                                      : "randint";
            values.push_back(valueOf(row.from.trimmed()));
            // The upper bound of NNI's randint is exclusive; the one in the form is inclusive.
            values.push_back(row.kind == SearchKind::whole ? Json(qint64(row.to.trimmed().toDouble()) + 1)
                                                           : valueOf(row.to.trimmed()));
        }
        spec.searchSpace[row.name.trimmed().toStdString()] = {{"_type", type}, {"_value", values}};
    }
    spec.tunerName = draft.isGrid ? u"GridSearch"_s : u"Random"_s;
    if (draft.isGrid || !spec.tunerArgs.is_object())
        spec.tunerArgs = Json::object();
    return spec;
}

ExperimentDraft draftOf(const core::ExperimentSpec& spec)
{
    ExperimentDraft draft;
    draft.base = spec;
    draft.name = spec.name;
    draft.command = spec.trialCommand;
    draft.interpreter = spec.interpreter;
    draft.isGrid = spec.tunerName == u"GridSearch";
    draft.maximize = spec.objective.maximize;
    draft.metric = spec.objective.metric;
    draft.pattern = spec.metricPattern;
    draft.platform = spec.platformId;
    draft.options = spec.platformOptions;
    draft.gpus = spec.gpuNumber;
    draft.atOnce = std::max(1, spec.trialConcurrency);
    draft.trials = spec.maxTrialNumber;
    draft.secondsATrial = spec.maxTrialDurationSeconds;
    draft.codeDir = spec.codeDir;
    draft.setup = spec.setup;
    draft.tags = spec.tags.join(u", "_s);
    if (!spec.searchSpace.is_object())
        return draft;
    for (const auto& [name, entry] : spec.searchSpace.items()) {
        if (!entry.is_object() || !entry.contains("_type") || !entry.contains("_value") || !entry["_value"].is_array())
            continue;
        const QString type = textOf(entry["_type"]);
        const Json& values = entry["_value"];
        SearchRow row;
        row.name = QString::fromStdString(name);
        if (type == u"choice") {
            row.kind = SearchKind::choice;
            QStringList words;
            for (const Json& value : values)
                words.append(textOf(value));
            row.choices = words.join(u", "_s);
        } else if (values.size() >= 2 && values[0].is_number() && values[1].is_number()) {
            row.kind = type == u"loguniform" || type == u"qloguniform" ? SearchKind::log_uniform
                : type == u"randint"                                   ? SearchKind::whole
                                                                       : SearchKind::uniform;
            row.from = textOf(values[0]);
            row.to = row.kind == SearchKind::whole ? QString::number(values[1].get<qint64>() - 1) : textOf(values[1]);
        }
        draft.search.append(row);
    }
    return draft;
}

void proposeFromScript(ExperimentDraft& draft, const QString& file, const QString& text)
{
    const QFileInfo info(file);
    draft.script = file;
    draft.codeDir = info.absolutePath();
    const QString suffix = info.suffix().toLower();
    const QString script = quotedWord(info.fileName());
    draft.command = suffix == u"py" ? u"python3 "_s + script
        : suffix == u"sh"           ? u"sh "_s + script
        : suffix == u"r"            ? u"Rscript "_s + script
        : suffix == u"jl"           ? u"julia "_s + script
                                    : u"./"_s + script;
    if (draft.name.trimmed().isEmpty())
        draft.name = info.dir().dirName().isEmpty() ? info.completeBaseName() : info.dir().dirName();
    draft.search.clear();
    for (const ScriptArgument& argument : scanScript(text)) {
        // Arguments that set the length of a training are not searched.
        static const QRegularExpression fixed(
            u"^(epochs?|num_epochs|steps?|max_steps|num_workers|workers|print_freq|log_interval|rank|world_size)$"_s);
        if (fixed.match(argument.name).hasMatch())
            continue;
        draft.command += u' ' + argument.flag + u" {"_s + argument.name + u'}';
        draft.search.append(rowFor(argument));
    }
}

QString commandsOf(const ExperimentDraft& draft)
{
    QStringList commands{draft.command};
    for (const auto& [name, value] : draft.options.items())
        for (const TableRow& row : tableRows(value).value_or(QList<TableRow>()))
            if (const auto command = row.find("command"); command != row.end() && command->is_string())
                commands.append(command->get<QString>());
    return commands.join(u'\n');
}

void addMissingRows(ExperimentDraft& draft)
{
    for (const TemplateName& used : templateNames(commandsOf(draft))) {
        const bool isThere = std::any_of(draft.search.begin(), draft.search.end(),
            [&](const SearchRow& row) { return row.name.trimmed() == used.name; });
        if (!isThere)
            draft.search.append(SearchRow{used.name, SearchKind::uniform, u"0"_s, u"1"_s, {}});
    }
}

QStringList unusedRows(const ExperimentDraft& draft)
{
    QStringList out;
    const QString commands = commandsOf(draft);
    if (commands.contains(u"{args}"_s))
        return out;
    const QList<TemplateName> used = templateNames(commands);
    for (const SearchRow& row : draft.search) {
        if (std::none_of(
                used.begin(), used.end(), [&](const TemplateName& name) { return name.name == row.name.trimmed(); }))
            out.append(row.name.trimmed());
    }
    return out;
}

QString examplesOf(const SearchRow& row)
{
    if (problemOf(row, 0))
        return {};
    QStringList out;
    const QStringList choices = choicesOf(row);
    // Fixed positions, so that the examples do not change while the user types.
    for (const double place : {0.62, 0.14, 0.87}) {
        if (row.kind == SearchKind::choice) {
            out.append(choices[int(place * double(choices.size()))]);
            continue;
        }
        const double from = *numberIn(row.from);
        const double to = *numberIn(row.to);
        const double value =
            row.kind == SearchKind::log_uniform ? from * std::pow(to / from, place) : from + (to - from) * place;
        out.append(
            row.kind == SearchKind::whole ? QString::number(std::llround(value)) : QString::number(value, 'g', 2));
    }
    out.removeDuplicates();
    return out.join(u", "_s);
}

} // namespace models
