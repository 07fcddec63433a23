// SPDX-License-Identifier: GPL-3.0-or-later
// POST /experiments, strictly: every member is known by name and type, and what can be judged without the service is judged.
#include "record_json.h"

#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace core {

namespace {

constexpr qint64 maxNumber = 9'000'000'000'000'000;

/// Members of an experiment under our names and NNI v2's. Null is the same as absent.
class SpecReader
{
public:
    explicit SpecReader(const Json& json)
        : m_reader(json)
    {
    }

    JsonReader& reader() { return m_reader; }

    /// The one of the two names that is given, or null.
    const char* given(const char* name, const char* alias = nullptr)
    {
        const bool hasName = isGiven(name);
        const bool hasAlias = alias && isGiven(alias);
        if (hasName && hasAlias) {
            m_reader.refuse(
                u"%1 and %2 mean the same: give one of them."_m.arg(QLatin1String(name), QLatin1String(alias)));
            m_reader.take(alias);
        }
        return hasName ? name : hasAlias ? alias : nullptr;
    }

    template <typename T>
    void read(const char* name, T& out, const char* alias = nullptr)
    {
        if (const char* present = given(name, alias))
            m_reader.read(present, out);
    }

    void readText(const char* name, QString& out, const char* alias = nullptr)
    {
        const char* present = given(name, alias);
        if (present && m_reader.read(present, out) && out.contains(QChar(0)))
            m_reader.refuse(
                u"%1 holds a character with code 0, which no program can be given."_m.arg(QLatin1String(present)));
    }

    void readLimit(const char* name, std::optional<qint64>& out)
    {
        if (const char* present = given(name)) {
            m_reader.read(present, out);
            if (out && *out <= 0)
                m_reader.refuse(u"%1 must be greater than 0; leave it out for no limit."_m.arg(QLatin1String(present)));
        }
    }

    /// Seconds under our name; under NNI's also a text such as "2h".
    void readSeconds(const char* name, const char* alias, std::optional<qint64>& out)
    {
        const char* present = given(name, alias);
        if (!present || present == name) {
            readLimit(name, out);
            return;
        }
        const Json* member = m_reader.take(alias);
        out = seconds(*member);
        if (!out)
            m_reader.refuse(u"%1 must be seconds, or a number with a unit: \"90s\", \"30m\", \"2h\", \"1d\"."_m.arg(
                QLatin1String(alias)));
    }

    /// An object, or nothing.
    void readObject(const char* name, Json& out)
    {
        if (!given(name))
            return;
        const Json* member = m_reader.take(name);
        if (member->is_object())
            out = *member;
        else
            m_reader.refuse(u"%1 must be a JSON object."_m.arg(QLatin1String(name)));
    }

    /// A member that is an object of its own, read by `decode`; its problems are ours.
    template <typename F>
    void readInner(const char* name, F decode)
    {
        if (!given(name))
            return;
        JsonReader inner(*m_reader.take(name), QString::fromLatin1(name));
        decode(inner);
        if (auto good = inner.finish(); !good)
            m_reader.refuse(good.error().message);
    }

private:
    bool isGiven(const char* name)
    {
        if (!m_reader.has(name))
            return false;
        // Marked as read either way: a null is known by name, and means that nothing was said.
        const Json* member = m_reader.take(name);
        return !member->is_null();
    }

    static std::optional<qint64> seconds(const Json& json)
    {
        double number = 0;
        if (json.is_number()) {
            number = json.get<double>();
        } else if (json.is_string()) {
            static const QRegularExpression pattern(u"^\\s*([0-9]+(?:\\.[0-9]+)?)\\s*([dhms]?)\\s*$"_s);
            const QString text = QString::fromStdString(json.get_ref<const std::string&>());
            const QRegularExpressionMatch match = pattern.match(text);
            if (!match.hasMatch())
                return std::nullopt;
            const QString unit = match.captured(2);
            const double factor = unit == u"d" ? 86'400 : unit == u"h" ? 3'600 : unit == u"m" ? 60 : 1;
            number = match.captured(1).toDouble() * factor;
        } else {
            return std::nullopt;
        }
        number = std::ceil(number);
        if (!(number > 0) || number > double(maxNumber))
            return std::nullopt;
        return qint64(number);
    }

    JsonReader m_reader;
};

void readCode(SpecReader& in, ExperimentSpec& spec)
{
    in.readText("codeDir", spec.codeDir, "trialCodeDirectory");
    in.readText("codeHash", spec.codeHash);
    QString mode = u"snapshot"_s;
    in.readText("codeMode", mode);
    if (mode != u"snapshot" && mode != u"inPlace")
        in.reader().refuse(u"codeMode must be \"snapshot\" or \"inPlace\"."_m);
    spec.codeInPlace = mode == u"inPlace";
    if (spec.codeHash.isEmpty())
        return;
    static const QRegularExpression sha256(u"^[0-9a-f]{64}$"_s);
    if (!sha256.match(spec.codeHash).hasMatch())
        in.reader().refuse(u"codeHash must be the SHA-256 of an upload: 64 digits of 0-9 and a-f."_m);
    else if (!spec.codeDir.isEmpty())
        in.reader().refuse(u"codeDir and codeHash are both given: give the folder, or the upload."_m);
    else if (spec.codeInPlace)
        in.reader().refuse(u"codeMode \"inPlace\" needs codeDir: an upload has no folder to run in."_m);
}

void readEnvironment(SpecReader& in, QMap<QString, QString>& environment)
{
    Json members = Json::object();
    in.readObject("environment", members);
    for (const auto& [key, value] : members.items()) {
        const QString name = QString::fromStdString(key);
        if (name.isEmpty() || name.contains(u'=') || name.contains(QChar(0))) {
            in.reader().refuse(u"environment has a name that is no variable's: it is empty or holds \"=\"."_m);
        } else if (!value.is_string()) {
            in.reader().refuse(u"environment.%1 must be a string."_m.arg(name));
        } else {
            const QString text = QString::fromStdString(value.get_ref<const std::string&>());
            if (text.contains(QChar(0)))
                in.reader().refuse(u"environment.%1 holds a character with code 0."_m.arg(name));
            environment.insert(name, text);
        }
    }
}

void readObjective(SpecReader& in, Objective& objective)
{
    in.readInner("objective", [&](JsonReader& inner) {
        inner.read("metric", objective.metric);
        if (objective.metric.isEmpty())
            inner.refuse(u"objective.metric must not be empty; \"default\" is what NNI's report functions give."_m);
        QString direction = u"maximize"_s;
        inner.read("direction", direction);
        if (direction != u"maximize" && direction != u"minimize")
            inner.refuse(u"objective.direction must be \"maximize\" or \"minimize\"."_m);
        objective.maximize = direction != u"minimize";
    });
}

void readTuner(SpecReader& in, ExperimentSpec& spec)
{
    in.readInner("tuner", [&](JsonReader& inner) {
        if (!inner.read("name", spec.tunerName) || spec.tunerName.isEmpty())
            inner.refuse(u"tuner.name is required; leave tuner out when trials come from outside."_m);
        const Json* arguments = inner.take("classArgs");
        if (!arguments || arguments->is_null())
            return;
        if (arguments->is_object())
            spec.tunerArgs = *arguments;
        else
            inner.refuse(u"tuner.classArgs must be a JSON object."_m);
    });
}

} // namespace

Result<ExperimentSpec> experimentSpecFromJson(const Json& json)
{
    SpecReader in(json);
    ExperimentSpec spec;
    in.readText("name", spec.name, "experimentName");
    QString platform;
    in.readText("platformId", platform);
    spec.platformId = PlatformId(platform);
    in.readText("trialCommand", spec.trialCommand);
    readCode(in, spec);

    in.read("gpuNumber", spec.gpuNumber, "trialGpuNumber");
    if (spec.gpuNumber && *spec.gpuNumber < 0)
        in.reader().refuse(u"gpuNumber must not be negative; leave it out to let trials see every GPU."_m);
    in.read("trialConcurrency", spec.trialConcurrency);
    if (spec.trialConcurrency < 1 || spec.trialConcurrency > 99'999)
        in.reader().refuse(u"trialConcurrency must be between 1 and 99999."_m);
    in.readLimit("maxTrialNumber", spec.maxTrialNumber);
    in.readSeconds("maxDurationSeconds", "maxExperimentDuration", spec.maxDurationSeconds);
    in.readSeconds("maxTrialDurationSeconds", "maxTrialDuration", spec.maxTrialDurationSeconds);

    readObjective(in, spec.objective);
    in.readObject("searchSpace", spec.searchSpace);
    readTuner(in, spec);
    in.readText("metricPattern", spec.metricPattern);
    in.readText("interpreter", spec.interpreter);
    in.readText("setup", spec.setup);
    in.read("loginShell", spec.loginShell);
    readEnvironment(in, spec.environment);
    in.read("tags", spec.tags);
    in.readObject("platformOptions", spec.platformOptions);
    if (auto good = in.reader().finish(); !good)
        return fail(good);
    return spec;
}

} // namespace core
