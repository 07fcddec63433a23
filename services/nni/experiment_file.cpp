// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment_file.h"

#include "platform_sections.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace nni {

namespace {

QString absolutePath(const FileOptions& options, QString path)
{
    if (path == u"~" || path.startsWith(u"~/"_s))
        path.replace(0, 1, options.home);
    return QDir::cleanPath(QDir(options.folder).absoluteFilePath(path));
}

template <typename T>
void put(Json& json, const char* name, const std::optional<T>& value)
{
    if (value)
        json[name] = *value;
}

class FileReader
{
public:
    FileReader(YamlDocument document, const FileOptions& options)
        : m_document(std::move(document))
        , m_options(options)
    {
        m_reading.lines = std::move(m_document.lines);
        m_reading.columns = std::move(m_document.columns);
    }

    Result<ExperimentFile> read()
    {
        const Json& json = m_document.value;
        if (!json.is_object())
            return fail(Kind::invalid, u"This is no experiment file: it holds no mapping of names to values."_m);
        m_file.schema = m_reading.schema = json.contains("trainingServicePlatform") ? 1 : 2;
        Section top(m_reading, json, {});
        if (m_reading.schema == 1)
            readV1(top);
        else
            readV2(top);
        if (const std::optional<Error> error = m_reading.error())
            return tl::unexpected(*error);
        m_file.notes = std::move(m_reading.notes);
        std::stable_sort(m_file.notes.begin(), m_file.notes.end(),
            [](const FileNote& a, const FileNote& b) { return a.line < b.line; });
        return std::move(m_file);
    }

private:
    void readV1(Section& top)
    {
        Json& experiment = m_file.experiment;
        const QString name = top.text("trainingServicePlatform").value_or(QString());
        const PlatformSection* section = choose(name, u"trainingServicePlatform"_s);
        put(experiment, "name", top.text("experimentName"));
        Section trial = top.inner("trial");
        const bool ownRoles = section && section->ownRoles;
        const bool isCommandNeeded = !ownRoles && !(section && hasOwnJob(*section, trial));
        readCommand(trial, ownRoles ? nullptr : "command", isCommandNeeded, "codeDir", ownRoles ? nullptr : "gpuNum");
        top.require("trialConcurrency");
        put(experiment, "trialConcurrency", top.whole("trialConcurrency", 1));
        put(experiment, "maxTrialNumber", top.whole("maxTrialNum", 1));
        put(experiment, "maxDurationSeconds", top.seconds("maxExecDuration"));
        readSearch(top, "searchSpacePath", nullptr);
        readAlgorithms(top, "builtinTunerName", "builtinAssessorName", "builtinAdvisorName");

        if (section) {
            Json options = Json::object();
            if (section->readV1)
                section->readV1(top, trial, {m_file.settings, options, experiment}, namedFiles());
            else
                top.refuse("trainingServicePlatform", u"is %1, which only files of the v2 schema name."_m.arg(name));
            putOptions(std::move(options));
            trial.finish();
            top.finish();
        } else {
            // Another kind's words, of which nothing is known here, stand beside the common ones.
            trial.leave();
            top.leave();
        }
        finishCode(section);
    }

    void readV2(Section& top)
    {
        Json& experiment = m_file.experiment;
        put(experiment, "name", top.text("experimentName"));
        if (const auto type = top.text("experimentType"); type && *type != u"hpo")
            top.refuse("experimentType", u"must be hpo: searches for network architectures need NNI."_m);
        top.require("trainingService");
        if (const Json* services = top.take("trainingService"); services && services->is_array()) {
            if (!m_options.otherPlatform)
                top.refuse("trainingService", u"lists several platforms; choose one with --on."_m);
            top.reading().note(u"trainingService"_s, u"is not read."_m);
            readCommand(top, "trialCommand", true, "trialCodeDirectory", "trialGpuNumber");
            readCommonV2(top);
            top.finish();
            finishCode(nullptr);
            return;
        }
        Section service = top.inner("trainingService");
        service.require("platform");
        const QString name = service.text("platform").value_or(QString());
        const PlatformSection* section = choose(name, service.pathOf("platform"));
        // Shortcuts: what stands at the top counts for the training service that does not say otherwise.
        for (const char* shared : {"trialCommand", "trialCodeDirectory", "trialGpuNumber"}) {
            if (service.isGiven(shared) && top.isGiven(shared))
                (void)top.take(shared);
        }
        Section& command = service.isGiven("trialCommand") ? service : top;
        Section& code = service.isGiven("trialCodeDirectory") ? service : top;
        Section& gpus = service.isGiven("trialGpuNumber") ? service : top;
        put(experiment, "trialCommand", command.text("trialCommand"));
        m_codeField = code.pathOf("trialCodeDirectory");
        m_codeDir = code.text("trialCodeDirectory").value_or(u"."_s);
        put(experiment, "gpuNumber", gpus.whole("trialGpuNumber", 0));
        if (!section || !(section->ownRoles || hasOwnJob(*section, service)))
            command.require("trialCommand");
        readCommonV2(top);

        if (section) {
            Json options = Json::object();
            if (section->readV2)
                section->readV2(service, {m_file.settings, options, experiment}, namedFiles());
            else
                service.refuse("platform", u"is %1, which only files of the v1 schema name."_m.arg(name));
            putOptions(std::move(options));
            service.finish();
        } else {
            service.leave();
        }
        top.finish();
        finishCode(section);
    }

    void readCommonV2(Section& top)
    {
        Json& experiment = m_file.experiment;
        top.require("trialConcurrency");
        put(experiment, "trialConcurrency", top.whole("trialConcurrency", 1));
        put(experiment, "maxTrialNumber", top.whole("maxTrialNumber", 1));
        put(experiment, "maxDurationSeconds", top.seconds("maxExperimentDuration"));
        put(experiment, "maxTrialDurationSeconds", top.seconds("maxTrialDuration"));
        readSearch(top, "searchSpaceFile", "searchSpace");
        readAlgorithms(top, "name", "name", "name");
    }

    void putOptions(Json options)
    {
        if (!options.empty())
            m_file.experiment["platformOptions"] = std::move(options);
    }

    /// `command`, `gpus`: null where the section has no such member.
    void readCommand(Section& section, const char* command, bool isNeeded, const char* code, const char* gpus)
    {
        if (command) {
            if (isNeeded)
                section.require(command);
            put(m_file.experiment, "trialCommand", section.text(command));
        }
        m_codeField = section.pathOf(code);
        if (m_reading.schema == 1)
            section.require(code);
        m_codeDir = section.text(code).value_or(u"."_s);
        if (gpus)
            put(m_file.experiment, "gpuNumber", section.whole(gpus, 0));
    }

    void readSearch(Section& top, const char* fileField, const char* spaceField)
    {
        if (top.flag("useAnnotation").value_or(false))
            top.refuse("useAnnotation",
                u"takes the search space out of comments in the code, which only NNI can do. Write it to a file, and "
                "name it with %1."_m.arg(QLatin1String(fileField)));
        const bool inFile = top.isGiven(fileField);
        const bool here = spaceField && top.isGiven(spaceField);
        if (inFile && here)
            top.refuse(spaceField, u"and %1 are both given: one is enough."_m.arg(top.pathOf(fileField)));
        if (here)
            m_space = *top.take(spaceField);
        m_spaceField = top.pathOf(here ? spaceField : fileField);
        const std::optional<QString> name = top.text(fileField);
        if (!name || here)
            return;
        const QString path = absolutePath(m_options, *name);
        const std::optional<QByteArray> text = m_options.readFile(path);
        if (!text) {
            top.refuse(fileField, u"names %1, which cannot be read."_m.arg(path));
            return;
        }
        // JSON that is no YAML is still JSON: tabs, for example.
        Result<Json> space = core::parseJson(*text);
        if (!space) {
            Result<YamlDocument> values = yaml::parseYaml(*text);
            if (!values) {
                top.refuse(
                    fileField, u"names %1, which is neither JSON nor YAML: %2"_m.arg(path, values.error().message));
                return;
            }
            space = std::move(values->value);
        }
        m_space = std::move(*space);
        m_spaceFile = path;
        if (Result<YamlDocument> places = yaml::parseYaml(*text))
            m_spacePlaces = std::move(*places);
    }

    void readAlgorithms(Section& top, const char* tunerName, const char* assessorName, const char* advisorName)
    {
        Json& experiment = m_file.experiment;
        struct Algorithm
        {
            const char* field;
            const char* name;
        };
        bool any = false;
        for (const Algorithm& one :
            {Algorithm{"tuner", tunerName}, {"advisor", advisorName}, {"assessor", assessorName}}) {
            if (!top.isGiven(one.field))
                continue;
            Section section = top.inner(one.field);
            const QString name = section.text(one.name).value_or(QString());
            Section arguments = section.inner("classArgs");
            const std::optional<QString> mode = arguments.text("optimize_mode");
            if (mode && *mode != u"maximize" && *mode != u"minimize")
                arguments.refuse("optimize_mode", u"must be maximize or minimize."_m);
            const bool isTuner = qstrcmp(one.field, "assessor") != 0;
            any = any || isTuner;
            if (isTuner && mode)
                experiment["objective"] = Json{{"metric", "default"}, {"direction", *mode}};
            const QString ours = name.compare(u"random", Qt::CaseInsensitive) == 0 ? u"Random"_s
                : name.compare(u"gridsearch", Qt::CaseInsensitive) == 0            ? u"GridSearch"_s
                                                                                   : QString();
            if (qstrcmp(one.field, "tuner") == 0 && !ours.isEmpty()) {
                Json tuner{{"name", ours}};
                if (const auto seed = arguments.whole("seed", 0); seed && ours == u"Random")
                    tuner["classArgs"] = Json{{"seed", *seed}};
                experiment["tuner"] = std::move(tuner);
                arguments.finish();
                section.finish();
            } else if (m_file.needsNni.isEmpty()) {
                // Its arguments are NNI's business.
                const Message what = name.isEmpty() ? u"of your own"_m : Message(name);
                m_file.needsNni =
                    u"The %1 %2 is NNI's, and runs in NNI: register Trialdeck there with `trialdeck nni register`, "
                    "write `trainingService: {platform: trialdeck}` into the file (v2 schema), and start it with "
                    "`nnictl create --config FILE`. Without NNI, the tuners Random and GridSearch can be used."_m.arg(
                        QLatin1String(one.field), what);
            }
        }
        if (!any)
            top.refuse("tuner", u"is missing."_m);
        if (!m_file.needsNni.isEmpty())
            experiment.erase("tuner");
        else if (!m_reading.isRefused(u"useAnnotation"_s) && !m_reading.isRefused(m_spaceField))
            setSpace();
    }

    void setSpace()
    {
        if (m_space.is_null()) {
            m_reading.refuse(m_spaceField, u"is missing: what is to be searched."_m);
            return;
        }
        if (!m_space.is_object() || m_space.empty()) {
            m_reading.refuse(m_spaceField, u"must map names of parameters to what they may be."_m);
            return;
        }
        m_file.experiment["searchSpace"] = m_space;
        if (!m_options.checkSpace)
            return;
        for (const auto& [name, value] : m_space.items())
            if (const Result<> good = m_options.checkSpace(Json{{name, value}}); !good)
                refuseParameter(QString::fromStdString(name), good.error().message);
    }

    void refuseParameter(const QString& name, const Message& problem)
    {
        if (m_spaceFile.isEmpty()) {
            m_reading.refuse(m_spaceField + u'.' + name, u": "_s + problem);
            return;
        }
        const int line = m_spacePlaces.lines.value(name);
        const Message place =
            line > 0 ? u"line %1, column %2: "_m.arg(line).arg(m_spacePlaces.columns.value(name)) : Message();
        m_reading.problems.push_back({m_spaceField + u'.' + name, m_reading.lines.value(m_spaceField),
            u"%1, %2%3"_m.arg(m_spaceFile, place, problem)});
    }

    NamedFiles namedFiles() const
    {
        return {[this](const QString& path) { return absolutePath(m_options, path); }, m_options.readFile};
    }

    static bool hasOwnJob(const PlatformSection& section, const Section& job)
    {
        return std::any_of(std::begin(section.ownJobs), std::end(section.ownJobs),
            [&](const char* member) { return member && job.isGiven(member); });
    }

    /// The reader of the file's platform; null when it is to be left aside.
    const PlatformSection* choose(const QString& name, const QString& field)
    {
        const PlatformSection* section = platformSection(name);
        m_file.kind = section && section->kind ? QString::fromLatin1(section->kind) : name;
        if (section || m_options.otherPlatform)
            return section;
        if (const Message gone = whyGone(name); !gone.isEmpty())
            m_reading.refuse(field, gone);
        else if (isPlatformOfNni(name))
            m_reading.refuse(field,
                u"is %1, whose settings are not read from NNI's files yet. Add the platform with `trialdeck platform "
                "add`, and name it with --on."_m.arg(name));
        else if (name == u"trialdeck")
            m_reading.refuse(field,
                u"is trialdeck: this file is for NNI with Trialdeck as its training service. Start it with `nnictl "
                u"create "
                "--config FILE`, or name a platform with --on to run it without NNI."_m);
        else if (!name.isEmpty())
            m_reading.refuse(
                field, u"is %1, which is no platform of NNI's. There is: %2."_m.arg(name, platformsOfNni()));
        return nullptr;
    }

    void finishCode(const PlatformSection* section)
    {
        if (m_reading.isRefused(m_codeField))
            return;
        const QString folder = absolutePath(m_options, m_codeDir);
        if (!m_options.isFolder(folder)) {
            m_reading.refuse(m_codeField, u"is %1, which is no folder."_m.arg(folder));
            return;
        }
        m_file.experiment["codeDir"] = folder;
        // On this computer NNI runs trials in the code itself, and scripts may count on that.
        if (section && section->inPlace && !m_options.otherPlatform)
            m_file.experiment["codeMode"] = "inPlace";
    }

    YamlDocument m_document;
    const FileOptions& m_options;
    FileReading m_reading;
    ExperimentFile m_file;
    QString m_codeField;
    QString m_codeDir;
    QString m_spaceField;
    Json m_space;
    QString m_spaceFile; ///< empty: the space stands in the experiment's own file
    YamlDocument m_spacePlaces;
};

} // namespace

FileOptions optionsFor(const QString& file, const QString& home)
{
    FileOptions options;
    options.folder = QFileInfo(file).absolutePath();
    options.home = home;
    options.readFile = [](const QString& path) -> std::optional<QByteArray> {
        QFile input(path);
        if (!input.open(QIODevice::ReadOnly))
            return std::nullopt;
        return input.read(1024 * 1024 + 1);
    };
    options.isFolder = [](const QString& path) { return QFileInfo(path).isDir(); };
    return options;
}

Result<ExperimentFile> readExperimentFile(QByteArrayView text, const FileOptions& options)
{
    if (text.size() > yaml::maxBytes)
        return fail(Kind::invalid, u"This is no experiment file: it is larger than 1 MiB."_m);
    Result<YamlDocument> document = yaml::parseYaml(text);
    if (!document)
        return fail(document);
    return FileReader(std::move(*document), options).read();
}

} // namespace nni
