// SPDX-License-Identifier: GPL-3.0-or-later
// What a person gives the window: a filter of trials, a training script that is looked through, a command with names in it.
#include "fuzz_driver.h"

#include "models/experiments/script_scan.h"
#include "models/trials/trial_filter.h"

#include <cmath>
#include <cstring>

using namespace Qt::StringLiterals;
using namespace models;

static TrialTable sampleTable()
{
    TrialTable table;
    table.setObjective({u"accuracy"_s, true});
    for (int i = 0; i < 3; ++i) {
        core::Trial trial;
        trial.id = core::TrialId(u"t0000000000000%1"_s.arg(i));
        trial.sequenceId = i;
        trial.status = i == 0 ? core::TrialStatus::failed : core::TrialStatus::running;
        trial.machineId = core::MachineId(u"lab3"_s);
        trial.reason = u"The command ended with exit code 1. Last line of stderr: CUDA out of memory"_s;
        trial.tags = {u"baseline"_s};
        trial.parameters = QByteArray(R"({"lr": 0.0%1, "optimizer": "AdamW", "nested": {"a": [1, 2]}})")
                               .replace("%1", QByteArray::number(i));
        trial.submitTime = 1'000'000;
        trial.startTime = 1'060'000;
        trial.exitCode = i == 0 ? std::optional<int>(1) : std::nullopt;
        trial.bestMetric = i == 1 ? std::optional<double>() : 0.91 + i;
        table.put(std::make_shared<const core::Trial>(trial));
    }
    return table;
}

static TrialTextIndex sampleIndex(const TrialTable& table)
{
    TrialTextIndex index;
    for (quint32 row = 0; row < table.size(); ++row)
        index.append(table.trial(row));
    return index;
}

static void fuzzFilter(const QString& text)
{
    static const TrialTable table = sampleTable();
    constexpr qint64 now = 2'000'000;
    auto filter = TrialFilter::parse(text);
    if (!filter) {
        require(!filter.error().message.isEmpty(), "a refusal says why");
        return;
    }
    filter->bind(table);
    // One term, so its negation selects the others.
    const bool isOneTerm = !text.isEmpty()
        && std::none_of(text.begin(), text.end(), [](QChar c) { return c.isSpace() || c == u'"' || c == u'!'; });
    auto inverted = isOneTerm ? TrialFilter::parse(u'!' + text) : filter;
    require(inverted.has_value(), "a term can be negated");
    inverted->bind(table);
    static const TrialTextIndex index = sampleIndex(table);
    std::array<char, 3> fitting{};
    filter->matchRows(table, index, 0, now, fitting);
    for (quint32 row = 0; row < table.size(); ++row) {
        const bool fits = filter->matches(table, row, now);
        require(fits == (fitting[row] != 0), "the index finds what the records say");
        require(filter->isEmpty() ? fits : true, "an empty filter fits all");
        require(!isOneTerm || filter->isEmpty() || inverted->matches(table, row, now) != fits,
            "a negated term fits what the term does not");
    }
}

/// A brush's range is a filter that can be read.
static void fuzzRange(std::string_view data)
{
    double ends[2] = {};
    if (data.size() < sizeof ends)
        return;
    std::memcpy(ends, data.data(), sizeof ends);
    if (!std::isfinite(ends[0]) || !std::isfinite(ends[1]) || ends[0] > ends[1])
        return;
    for (const QString& name : {u"lr"_s, QString::fromUtf8(data.substr(0, 24))}) {
        if (name.contains(u"stat"_s, Qt::CaseInsensitive))
            continue; // of trials: its values are words
        require(TrialFilter::parse(rangeFilter(name, ends[0], ends[1])).has_value(), "a range is a filter");
        require(TrialFilter::parse(wordsFilter(name, {u"adam"_s, name + u'x'})).has_value(), "words are a filter");
    }
}

static void fuzzScript(const QString& text)
{
    QStringList names;
    for (const ScriptArgument& argument : scanScript(text)) {
        require(argument.flag.startsWith(u"--"), "an argument has its flag");
        require(!argument.name.isEmpty() && !names.contains(argument.name), "an argument is named once");
        require(argument.isNumber || !argument.choices.isEmpty(), "an argument has values to search through");
        require(!argument.isWhole || argument.isNumber, "a whole number is a number");
        names += argument.name;
    }
    qsizetype after = 0;
    for (const TemplateName& name : templateNames(text)) {
        require(name.at >= after && text.mid(name.at, name.length) == u'{' + name.name + u'}',
            "a name is where it says, and they do not overlap");
        require(name.at == 0 || text[name.at - 1] != u'$', "a shell's variable is no name");
        after = name.at + name.length;
    }
}

void fuzzOne(std::string_view data)
{
    const QString text = QString::fromUtf8(data.data(), qsizetype(data.size()));
    fuzzFilter(text.left(200));
    fuzzRange(data);
    fuzzScript(text);
}
