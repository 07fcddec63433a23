// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a person writes as settings, options, command and variables: the job that is sent to Azure Machine Learning has our name and tags, and
// its command starts the trial with exactly these texts.
#include "tests/fuzz/fuzz_driver.h"

#include "services/platforms/aml/aml_job.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::aml;

namespace {

QByteArray decoded(const QString& line, const QString& option)
{
    const QString word = line.section(option + u" base64:"_s, 1).section(u' ', 0, 0);
    return QByteArray::fromBase64(word.toLatin1());
}

TrialSpec specIn(const Json& json)
{
    TrialSpec spec;
    spec.id = TrialId(u"t1"_s);
    spec.jobId = u"T"_s;
    spec.experimentId = ExperimentId(u"e1"_s);
    spec.command = textOf(json, "command");
    spec.parameters = textOf(json, "parameters").toUtf8();
    if (const Json* variables = memberOf(json, "environment"); variables && variables->is_object())
        for (const auto& [name, value] : variables->items())
            if (value.is_string())
                spec.environment.insert(QString::fromStdString(name), value.get<QString>());
    return spec;
}

} // namespace

void fuzzOne(std::string_view data)
{
    const Json json = Json::parse(data.begin(), data.end(), nullptr, false);
    const Json nothing = Json::object();
    const Json* settings = memberOf(json, "settings");
    const Json* options = memberOf(json, "options");
    const Result<WorkspacePlace> place = workspacePlace(settings ? *settings : nothing);
    if (!place) {
        require(!place.error().message.isEmpty(), "an error has a sentence");
        return;
    }
    require(!place->id().contains(u"//"_s) && !place->id().contains(u".."_s + u'/'), "an id is a path");
    const Result<JobWish> wish = jobWish(*place, settings ? *settings : nothing, options ? *options : nothing);
    if (!wish) {
        require(!wish.error().message.isEmpty(), "an error has a sentence");
        return;
    }
    const TrialSpec spec = specIn(json);
    const JobValues values{u"td-s-t1"_s, u"s"_s, codeIdOf(*place, codeName("a", u"b"_s)), true};
    const Result<QByteArray> document = jobDocument(*place, *wish, spec, values);
    if (!document) {
        require(!document.error().message.isEmpty(), "an error has a sentence");
        return;
    }
    const Json job = Json::parse(document->constData(), document->constData() + document->size(), nullptr, false);
    const Json* properties = memberOf(job, "properties");
    require(properties && textOf(*properties, "jobType") == "Command"_L1, "a job is a command");
    require(textOf((*properties)["tags"], "trialdeck-s") == "t1"_L1, "that is found by its tag");
    require(
        textOf(*properties, "computeId").startsWith(place->id() + u"/computes/"_s), "on a compute of the workspace");
    const QString line = textOf(*properties, "command");
    require(!line.contains(u'\n') && !line.contains(u"${{"_s), "of one line without expressions");
    require(line.size() <= maxCommand, "and no longer than a shell takes");
    require(decoded(line, u"--shell"_s) == spec.command.toUtf8(), "with the command as it was written");
    require(decoded(line, u"--parameters"_s) == spec.parameters, "and the parameters");
}
