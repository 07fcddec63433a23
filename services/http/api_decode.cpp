// SPDX-License-Identifier: GPL-3.0-or-later
#include "api_decode.h"

#include "services/api/json_slice.h"
#include "services/core/json_scanner.h"
#include "services/core/record_json.h"

#include <limits>

using namespace Qt::StringLiterals;

namespace http {

static Result<> checkDepth(QByteArrayView body)
{
    if (isNestedDeeper(body, maxAcceptedDepth))
        return fail(Kind::invalid, u"The body is %1."_m.arg(tooDeepWords()));
    return {};
}

using api::ElementWalker;
using api::JsonSlice;
using api::MemberWalker;
using api::TrialSubmission;

namespace {

constexpr qsizetype maxTags = 64;
constexpr qsizetype maxTagLength = 256;

bool isWord(const QString& text, QStringView more, qsizetype longest)
{
    const auto plain = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
    };
    return !text.isEmpty() && text.size() <= longest && plain(text.front())
        && std::all_of(text.begin(), text.end(), [&](QChar c) { return plain(c) || more.contains(c); });
}

/// Members of one object of the body, with the place of the object in messages (`trials[3].`).
class SliceReader
{
public:
    explicit SliceReader(QString where)
        : m_where(std::move(where))
    {
    }

    void refuse(const char* name, const Message& wanted)
    {
        if (!m_error)
            m_error = Error{Kind::invalid, u"%1%2 must be %3."_m.arg(m_where, QLatin1StringView(name), wanted), {}};
    }
    void unknown(const QByteArray& name)
    {
        if (!m_error)
            m_error = Error{Kind::invalid, u"Unknown field %1%2."_m.arg(m_where, QString::fromUtf8(name)), {}};
    }
    void refuse(const Message& message)
    {
        if (!m_error)
            m_error = Error{Kind::invalid, message, {}};
    }

    void read(const char* name, const JsonSlice& value, bool& out)
    {
        if (const auto boolean = value.boolean())
            out = *boolean;
        else
            refuse(name, u"true or false"_m);
    }
    template <typename T>
    void read(const char* name, const JsonSlice& value, T& out, qint64 low, qint64 high)
    {
        const auto whole = value.whole();
        if (whole && *whole >= low && *whole <= high)
            out = T(*whole);
        else
            refuse(name, low == 0 ? u"a whole number from 0 on"_m : u"a whole number"_m);
    }
    void read(const char* name, const JsonSlice& value, QString& out)
    {
        if (value.kind() == JsonKind::string)
            out = QString::fromUtf8(value.string());
        else
            refuse(name, u"a string"_m);
    }
    void readTags(const char* name, const JsonSlice& value, QStringList& out)
    {
        bool good = value.kind() == JsonKind::array;
        for (ElementWalker element(value); good && element.next();) {
            good = element.value().kind() == JsonKind::string;
            if (good)
                out.append(QString::fromUtf8(element.value().string()));
            good = good && out.size() <= maxTags && out.back().size() <= maxTagLength;
        }
        if (!good)
            refuse(name, u"a list of up to %1 strings of up to %2 characters"_m.arg(maxTags).arg(maxTagLength));
    }

    const QString& where() const { return m_where; }
    const std::optional<Error>& error() const { return m_error; }

private:
    QString m_where;
    std::optional<Error> m_error;
};

void readForm(SliceReader& reader, const JsonSlice& form, TrialSubmission& out)
{
    if (form.kind() != JsonKind::object) {
        reader.refuse("form", u"an object"_m);
        return;
    }
    out.hasForm = true;
    bool hasValue = false;
    for (MemberWalker member(form); member.next();) {
        if (member.key() == "sequenceId") {
            reader.read("form.sequenceId", member.value(), out.formSequenceId, 0, std::numeric_limits<qint64>::max());
        } else if (member.key() == "hyperParameters" && member.value().kind() == JsonKind::object) {
            for (MemberWalker inner(member.value()); inner.next();) {
                if (inner.key() == "value" && inner.value().kind() == JsonKind::string) {
                    out.formValue = inner.value().string();
                    hasValue = true;
                } else if (inner.key() == "index") {
                    reader.read(
                        "form.hyperParameters.index", inner.value(), out.formIndex, 0, std::numeric_limits<int>::max());
                } else if (inner.key() == "value") {
                    reader.refuse("form.hyperParameters.value", u"a string: the text of parameter.cfg"_m);
                } else {
                    reader.unknown("form.hyperParameters." + inner.key());
                }
            }
        } else if (member.key() == "hyperParameters") {
            reader.refuse("form.hyperParameters", u"an object"_m);
        } else {
            reader.unknown("form." + member.key());
        }
    }
    if (!hasValue)
        reader.refuse(u"%1form.hyperParameters.value is required: the text of parameter.cfg."_m.arg(reader.where()));
}

Result<TrialSubmission> decodeTrial(const JsonSlice& slice, const QString& where)
{
    if (slice.kind() != JsonKind::object)
        return fail(
            Kind::invalid, u"%1 must be an object."_m.arg(where.isEmpty() ? u"The body"_m : Message(where.chopped(1))));
    TrialSubmission trial;
    SliceReader reader(where);
    bool hasParameters = false;
    for (MemberWalker member(slice); member.next();) {
        const QByteArray& name = member.key();
        const JsonSlice& value = member.value();
        const bool isNull = value.isNull();
        if (name == "parameters") {
            if (isNull)
                continue;
            hasParameters = true;
            trial.parameters = value.text().toByteArray();
            if (value.kind() != JsonKind::object)
                reader.refuse("parameters", u"an object"_m);
        } else if (name == "form") {
            if (!isNull)
                readForm(reader, value, trial);
        } else if (name == "clientId") {
            if (isNull)
                continue;
            reader.read("clientId", value, trial.clientId);
            if (!isClientId(trial.clientId))
                reader.refuse("clientId",
                    u"1 to 128 characters of letters, digits, \".\", \"_\", \":\" and \"-\", and begin with a letter or digit"_m);
        } else if (name == "tags") {
            reader.readTags("tags", value, trial.tags);
        } else if (name == "priority") {
            reader.read(
                "priority", value, trial.priority, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
        } else if (name == "hold") {
            reader.read("hold", value, trial.hold);
        } else if (name == "rerun") {
            reader.read("rerun", value, trial.rerun);
        } else if (name == "gpuNumber") {
            if (!isNull)
                reader.read("gpuNumber", value, trial.gpuNumber.emplace(), 0, 10'000);
        } else if (name == "platformId") {
            if (!isNull)
                reader.read("platformId", value, trial.platformId.value);
        } else if (name == "machineId") {
            if (!isNull)
                reader.read("machineId", value, trial.machineId.value);
        } else {
            reader.unknown(name);
        }
    }
    if (hasParameters && trial.hasForm)
        reader.refuse(u"%1parameters and form exclude each other: give one of them."_m.arg(where));
    if (!hasParameters && !trial.hasForm)
        trial.parameters = "{}";
    if (reader.error())
        return tl::unexpected(*reader.error());
    return trial;
}

/// A JSON object inside another, read with its own reader; problems go to the outer one.
template <typename F>
void readInner(JsonReader& outer, const char* name, F read)
{
    const Json* member = outer.take(name);
    if (!member)
        return;
    JsonReader inner(*member, QString::fromLatin1(name));
    read(inner);
    if (auto good = inner.finish(); !good)
        outer.refuse(good.error().message);
}

void checkTags(JsonReader& reader, const QStringList& tags)
{
    if (tags.size() > maxTags
        || std::any_of(tags.begin(), tags.end(), [](const QString& t) { return t.size() > maxTagLength; }))
        reader.refuse(
            u"tags must be a list of up to %1 strings of up to %2 characters."_m.arg(maxTags).arg(maxTagLength));
}

/// A limit: absent stays, null removes, a number sets.
void readLimit(JsonReader& reader, const char* name, std::optional<std::optional<qint64>>& out)
{
    if (!reader.has(name))
        return;
    std::optional<qint64> value;
    reader.read(name, value);
    if (value && *value < 1)
        reader.refuse(u"%1 must be greater than 0, or null for no limit."_m.arg(QLatin1StringView(name)));
    out = value;
}

template <typename T>
Result<T> finished(JsonReader& reader, T value)
{
    if (auto good = reader.finish(); !good)
        return fail(good);
    return value;
}

TrialId resolved(const api::Mirror& mirror, const QString& id)
{
    const TrialPtr trial = findTrial(mirror, id);
    return trial ? trial->id : TrialId(id);
}

} // namespace

bool isPlatformId(const QString& id)
{
    return isWord(id, u"._-", 64);
}

bool isClientId(const QString& id)
{
    return isWord(id, u"._:-", 128);
}

TrialPtr findTrial(const api::Mirror& mirror, const QString& id)
{
    if (TrialPtr trial = mirror.trial(TrialId(id)))
        return trial;
    return mirror.trialByClientId({}, id);
}

Result<QList<TrialSubmission>> decodeTrials(QByteArrayView body)
{
    if (auto shallow = checkDepth(body); !shallow)
        return fail(shallow);
    if (auto good = api::checkJson(body); !good)
        return fail(good);
    const JsonSlice whole(body);
    QList<TrialSubmission> out;
    const std::optional<JsonSlice> list = whole.member("trials");
    if (!list) {
        auto trial = decodeTrial(whole, {});
        if (!trial)
            return fail(trial);
        out.append(*std::move(trial));
        return out;
    }
    for (MemberWalker member(whole); member.next();) {
        if (member.key() != "trials")
            return fail(Kind::invalid, u"Unknown field %1 beside trials."_m.arg(QString::fromUtf8(member.key())));
    }
    if (list->kind() != JsonKind::array)
        return fail(Kind::invalid, u"trials must be a list."_m);
    for (ElementWalker element(*list); element.next();) {
        if (out.size() == maxTrialsPerRequest)
            return fail(Kind::invalid,
                u"trials holds more than %1 trials; send them in several requests."_m.arg(maxTrialsPerRequest));
        auto trial = decodeTrial(element.value(), u"trials[%1]."_s.arg(out.size()));
        if (!trial)
            return fail(trial);
        out.append(*std::move(trial));
    }
    if (out.isEmpty())
        return fail(Kind::invalid, u"trials is empty."_m);
    return out;
}

Result<Json> decodeObject(QByteArrayView body, bool optional)
{
    if (optional && body.trimmed().isEmpty())
        return Json::object();
    if (auto shallow = checkDepth(body); !shallow)
        return fail(shallow);
    auto json = parseJson(body);
    if (json && !json->is_object())
        return fail(Kind::invalid, u"The body must be a JSON object."_m);
    return json;
}

Result<api::TrialOverrides> decodeOverrides(const Json& json, const QString& where)
{
    api::TrialOverrides out;
    JsonReader reader(json, where);
    reader.read("gpuNumber", out.gpuNumber);
    if (out.gpuNumber && *out.gpuNumber < 0)
        reader.refuse(u"gpuNumber must not be negative."_m);
    reader.read("platformId", out.platformId.value);
    reader.read("machineId", out.machineId.value);
    if (reader.has("tags")) {
        reader.read("tags", out.tags.emplace());
        checkTags(reader, *out.tags);
    }
    if (reader.has("note")) {
        std::optional<QString> note;
        reader.read("note", note);
        out.note = note.value_or(QString());
        if (out.note->size() > maxNoteLength)
            reader.refuse(u"note must be a text of up to %1 characters."_m.arg(maxNoteLength));
    }
    reader.read("priority", out.priority);
    reader.read("hold", out.hold);
    readInner(reader, "form", [&](JsonReader& form) {
        qint64 ignored = 0; // an update keeps the trial's own
        form.read("sequenceId", ignored);
        readInner(form, "hyperParameters", [&](JsonReader& parameters) {
            QString value;
            if (parameters.read("value", value))
                out.formValue = value.toUtf8();
            parameters.read("index", out.formIndex);
        });
        if (!out.formValue)
            form.refuse(u"form.hyperParameters.value is required: the text of the next parameters."_m);
    });
    return finished(reader, std::move(out));
}

api::TrialSelection readSelection(JsonReader& reader, const api::Mirror& mirror)
{
    api::TrialSelection out;
    const bool hasIds = reader.has("ids");
    const bool hasFilter = reader.has("filter");
    if (hasIds == hasFilter) {
        reader.take("ids");
        reader.take("filter");
        reader.refuse(u"Give either ids or filter: which trials are meant."_m);
        return out;
    }
    if (hasIds) {
        reader.read("ids", out.ids);
        for (QString& id : out.ids)
            id = resolved(mirror, id).value;
        return out;
    }
    out.byFilter = true;
    readInner(reader, "filter", [&](JsonReader& filter) {
        filter.read("experimentId", out.experimentId.value);
        filter.read("platformId", out.platformId.value);
        filter.read("machineId", out.machineId.value);
        filter.read("tags", out.tags);
        QStringList words;
        if (const Json* status = filter.has("status") ? filter.take("status") : nullptr) {
            if (status->is_string())
                words = QString::fromStdString(status->get<std::string>()).split(u',', Qt::SkipEmptyParts);
            else
                filter.read("status", words);
            if (words.isEmpty())
                filter.refuse(u"filter.status must be a status, or a list of them."_m);
        }
        for (const QString& word : words) {
            if (const auto status = statusFromName(word))
                out.statuses.append(*status);
            else
                filter.refuse(u"\"%1\" is no status of a trial."_m.arg(word));
        }
        const bool any = !out.experimentId.isEmpty() || !out.platformId.isEmpty() || !out.machineId.isEmpty()
            || !out.tags.isEmpty() || !out.statuses.isEmpty();
        if (!any)
            filter.refuse(u"filter is empty; name at least an experiment, a platform, a machine, a tag or a status."_m);
    });
    return out;
}

Result<PlatformInput> decodePlatform(QByteArrayView body)
{
    auto json = decodeObject(body);
    if (!json)
        return fail(json);
    PlatformInput out;
    JsonReader reader(*json);
    reader.read("id", out.id.value);
    if (!reader.has("kind"))
        reader.refuse(u"kind is required: the kind of the platform, for example \"local\" or \"remote\"."_m);
    reader.read("kind", out.kind);
    if (const Json* settings = reader.take("settings")) {
        if (settings->is_object())
            out.settings = *settings;
        else
            reader.refuse(u"settings must be a JSON object."_m);
    }
    return finished(reader, std::move(out));
}

Result<api::PatchExperiment> decodeExperimentPatch(QByteArrayView body)
{
    auto json = decodeObject(body);
    if (!json)
        return fail(json);
    api::PatchExperiment out;
    JsonReader reader(*json);
    reader.read("name", out.name);
    reader.read("trialConcurrency", out.trialConcurrency);
    if (out.trialConcurrency && (*out.trialConcurrency < 1 || *out.trialConcurrency > 99'999))
        reader.refuse(u"trialConcurrency must be between 1 and 99999."_m);
    readLimit(reader, "maxTrialNumber", out.maxTrialNumber);
    readLimit(reader, "maxDurationSeconds", out.maxDurationSeconds);
    readLimit(reader, "maxTrialDurationSeconds", out.maxTrialDurationSeconds);
    if (reader.has("tags")) {
        reader.read("tags", out.tags.emplace());
        checkTags(reader, *out.tags);
    }
    if (const Json* space = reader.take("searchSpace")) {
        if (space->is_object())
            out.searchSpace = *space;
        else
            reader.refuse(u"searchSpace must be a JSON object."_m);
    }
    return finished(reader, std::move(out));
}

Result<api::RenewLease> decodeLease(QByteArrayView body)
{
    constexpr qsizetype longestText = 500;
    constexpr qint64 mostSeconds = 86'400;
    auto json = decodeObject(body);
    if (!json)
        return fail(json);
    api::RenewLease out;
    JsonReader reader(*json);
    reader.read("holder", out.holder);
    if (out.holder.trimmed().isEmpty())
        reader.refuse(u"holder is required: who asks for the experiment's trials, for example \"NNI's manager\"."_m);
    reader.read("remedy", out.remedy);
    if (out.holder.size() > longestText || out.remedy.size() > longestText)
        reader.refuse(u"holder and remedy have at most %1 characters."_m.arg(longestText));
    if (!reader.read("seconds", out.seconds) || out.seconds < 0 || out.seconds > mostSeconds)
        reader.refuse(u"seconds must be between 0 (the lease is given back) and %1."_m.arg(mostSeconds));
    return finished(reader, std::move(out));
}

Result<PromptAnswer> decodePromptAnswer(QByteArrayView body)
{
    auto json = decodeObject(body);
    if (!json)
        return fail(json);
    PromptAnswer out;
    JsonReader reader(*json);
    const bool hasAnswers = reader.read("answers", out.answers);
    reader.read("accept", out.accept);
    reader.read("cancel", out.cancel);
    reader.read("remember", out.remember);
    if (int(hasAnswers) + int(out.accept) + int(out.cancel) != 1)
        reader.refuse(u"Give exactly one of answers, accept and cancel."_m);
    return finished(reader, std::move(out));
}

Result<api::ReadMetrics> decodeMetricCursors(QByteArrayView body, const api::Mirror& mirror)
{
    auto json = decodeObject(body);
    if (!json)
        return fail(json);
    api::ReadMetrics out;
    JsonReader reader(*json);
    reader.read("limit", out.limit);
    if (out.limit < 1 || out.limit > maxListLimit)
        reader.refuse(u"limit must be a whole number from 1 to %1."_m.arg(maxListLimit));
    const Json* cursors = reader.take("cursors");
    if (!cursors || !cursors->is_array() || cursors->empty() || cursors->size() > size_t(maxListLimit)) {
        reader.refuse(u"cursors must be a list of 1 to %1 objects with trialId and since."_m.arg(maxListLimit));
        return finished(reader, std::move(out));
    }
    for (const Json& entry : *cursors) {
        JsonReader cursor(entry, u"cursors[%1]"_s.arg(out.cursors.size()));
        QString id;
        qint64 since = 0;
        if (!cursor.read("trialId", id) || id.isEmpty())
            cursor.refuse(u"cursors[%1].trialId is required."_m.arg(out.cursors.size()));
        cursor.read("since", since);
        if (since < 0)
            cursor.refuse(u"cursors[%1].since must not be negative."_m.arg(out.cursors.size()));
        if (auto good = cursor.finish(); !good)
            return fail(good);
        out.cursors.append({resolved(mirror, id), since});
    }
    return finished(reader, std::move(out));
}

Result<api::ReadSeries> decodeSeries(QByteArrayView body, const api::Mirror& mirror)
{
    auto json = decodeObject(body);
    if (!json)
        return fail(json);
    api::ReadSeries out;
    JsonReader reader(*json);
    QStringList ids;
    reader.read("trialIds", ids);
    if (ids.isEmpty() || ids.size() > maxListLimit)
        reader.refuse(u"trialIds must be a list of 1 to %1 ids."_m.arg(maxListLimit));
    for (const QString& id : ids)
        out.trials.append(resolved(mirror, id));
    reader.read("metric", out.metric);
    reader.read("x", out.x);
    if (out.x != u"step" && out.x != u"time" && out.x != u"relative")
        reader.refuse(u"x must be \"step\", \"time\" or \"relative\"."_m);
    reader.read("from", out.from);
    reader.read("to", out.to);
    reader.read("columns", out.columns);
    if (out.columns < 1 || out.columns > 10'000)
        reader.refuse(u"columns must be a whole number from 1 to 10000."_m);
    return finished(reader, std::move(out));
}

Result<std::optional<qint64>> decodeIfMatch(QByteArrayView header)
{
    QByteArrayView text = header.trimmed();
    if (text == "*")
        return std::optional<qint64>();
    if (text.startsWith("W/"))
        text = text.sliced(2);
    if (text.size() >= 2 && text.startsWith('"') && text.endsWith('"'))
        text = text.sliced(1, text.size() - 2);
    bool good = false;
    const qint64 version = text.toByteArray().toLongLong(&good);
    if (!good)
        return fail(Kind::invalid, u"If-Match must be the ETag of what is changed, or *."_m);
    return std::optional(version);
}

} // namespace http
