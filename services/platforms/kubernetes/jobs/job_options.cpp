// SPDX-License-Identifier: GPL-3.0-or-later
#include "job_options.h"

#include "job_names.h"
#include "template_merge.h"

#include "services/platforms/kubernetes/kube_json.h"
#include "services/platforms/kubernetes/kube_paths.h"
#include "services/platforms/memory_size.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

QString trimmedText(const Json& object, const char* name)
{
    return textOf(object, name).trimmed();
}

std::optional<qint64> numberIn(const Json& object, const char* name)
{
    const Json* found = memberOf(object, name);
    return found && found->is_number_integer() ? std::optional(found->get<qint64>()) : std::nullopt;
}

QStringList wordsOf(const QString& text)
{
    QStringList words;
    for (const QString& word : text.split(u',', Qt::SkipEmptyParts))
        if (!word.trimmed().isEmpty())
            words.append(word.trimmed());
    return words;
}

Error badWord(const QString& word, const Message& form)
{
    return Error{Kind::invalid, u"\"%1\" cannot be read: write %2."_m.arg(word, form), {}};
}

/// The field's value, or what is wrong with it behind the field's name.
template <typename T>
Result<> put(T& place, Result<T> value, const char* field)
{
    if (!value)
        return fail(value, QString::fromLatin1(field));
    place = std::move(*value);
    return {};
}

/// An image that could be one; what it really is decides the node.
Result<> checkImage(const QString& image)
{
    static const QRegularExpression form(u"\\A[A-Za-z0-9._:/@-]{1,512}\\z"_s);
    if (!image.isEmpty() && !form.match(image).hasMatch())
        return fail(Kind::invalid, u"image: \"%1\" is no name of an image. Write it as python:3.12-slim."_m.arg(image));
    return {};
}

} // namespace

Result<QMap<QString, QString>> readSelector(const QString& text)
{
    QMap<QString, QString> labels;
    for (const QString& word : wordsOf(text)) {
        const qsizetype equals = word.indexOf(u'=');
        const QString name = word.left(equals).trimmed();
        const QString value = word.mid(equals + 1).trimmed();
        if (equals < 1 || !isLabelKey(name) || !isLabelValue(value) || labels.contains(name))
            return tl::unexpected(badWord(word, u"labels as name=value, each name once"_m));
        labels.insert(name, value);
    }
    return labels;
}

Result<QList<Toleration>> readTolerations(const QString& text)
{
    static const QStringList effects{u"NoSchedule"_s, u"PreferNoSchedule"_s, u"NoExecute"_s};
    QList<Toleration> all;
    for (const QString& word : wordsOf(text)) {
        Toleration one;
        const qsizetype colon = word.lastIndexOf(u':');
        one.effect = colon < 0 ? QString() : word.mid(colon + 1);
        const QString rest = colon < 0 ? word : word.left(colon);
        one.key = rest.section(u'=', 0, 0);
        one.value = rest.section(u'=', 1);
        const bool isGood = (one.key.isEmpty() ? one.value.isEmpty() && !one.effect.isEmpty() : isLabelKey(one.key))
            && isLabelValue(one.value) && (colon < 0 || effects.contains(one.effect));
        if (!isGood)
            return tl::unexpected(badWord(word, u"a taint as name, name=value or name=value:NoSchedule"_m));
        all.append(one);
    }
    return all;
}

Result<QList<ClaimMount>> readClaims(const QString& text)
{
    QList<ClaimMount> all;
    QStringList paths;
    for (const QString& word : wordsOf(text)) {
        const ClaimMount one{word.section(u':', 0, 0), word.section(u':', 1)};
        if (!isDnsSubdomain(one.claim) || !one.path.startsWith(u'/') || one.path.contains(u':')
            || paths.contains(one.path) || one.path.contains("/../"_L1) || one.path.endsWith("/.."_L1)
            || one.path.startsWith("/trialdeck"_L1))
            return tl::unexpected(badWord(word, u"claim:/path, each path once, none below /trialdeck"_m));
        paths.append(one.path);
        all.append(one);
    }
    return all;
}

Result<QStringList> readNames(const QString& text)
{
    const QStringList names = wordsOf(text);
    for (const QString& name : names)
        if (!isDnsSubdomain(name))
            return tl::unexpected(badWord(name, u"names of objects, in lower case"_m));
    return names;
}

Result<double> readCpus(const QString& text)
{
    bool isNumber = false;
    const double cpus = text.trimmed().isEmpty() ? 1 : text.trimmed().toDouble(&isNumber);
    if ((!isNumber && !text.trimmed().isEmpty()) || !(cpus >= 0.001) || cpus > 10'000)
        return fail(Kind::invalid, u"\"%1\" is no number of CPUs. Write it as 4 or 0.5."_m.arg(text));
    return cpus;
}

Result<> applyOptions(JobValues& values, const Json& settings, const Json& options)
{
    const auto chosen = [&](const char* name) {
        const QString own = trimmedText(options, name);
        return own.isEmpty() ? trimmedText(settings, name) : own;
    };
    values.image = chosen("image");
    values.gpuResource = chosen("gpuResource");
    if (values.gpuResource.isEmpty())
        values.gpuResource = nvidiaGpu.toString();
    values.priorityClass = chosen("priorityClass");
    values.queue = chosen("queue");
    values.serviceAccount = trimmedText(settings, "serviceAccount");
    values.pullSecret = trimmedText(settings, "imagePullSecret");
    values.pullPolicy = trimmedText(settings, "imagePullPolicy");
    values.codeFolder = chosen("codeFolder");
    values.isCodeSent = chosen("codeDelivery") == "send"_L1;
    values.isRestricted = trimmedText(settings, "podSecurity") == "restricted"_L1;
    values.user = numberIn(settings, "runAsUser").value_or(1'000);
    values.deadlineSeconds = numberIn(options, "timeLimit").value_or(0);
    values.memoryMb = values.sharedMemoryMb = 0;

    Result<> all = checkImage(values.image);
    const auto also = [&all](Result<> one) {
        if (all && !one)
            all = std::move(one);
    };
    also(put(values.cpus, readCpus(trimmedText(options, "trialCpuNumber")), "trialCpuNumber"));
    if (const QString memory = trimmedText(options, "trialMemorySize"); !memory.isEmpty())
        also(put(values.memoryMb, memorySizeMb(memory), "trialMemorySize"));
    if (const QString memory = chosen("sharedMemorySize"); !memory.isEmpty())
        also(put(values.sharedMemoryMb, memorySizeMb(memory), "sharedMemorySize"));
    also(put(values.nodeSelector, readSelector(chosen("nodeSelector")), "nodeSelector"));
    also(put(values.tolerations, readTolerations(chosen("tolerations")), "tolerations"));
    also(put(values.claims, readClaims(chosen("volumes")), "volumes"));
    also(put(values.environmentSecrets, readNames(chosen("environmentSecrets")), "environmentSecrets"));
    also(put(values.podTemplate, readTemplate(chosen("podTemplate")), "podTemplate"));
    if (!values.codeFolder.isEmpty() && !values.codeFolder.startsWith(u'/'))
        also(fail(Kind::invalid, u"codeFolder: an absolute path is needed, not \"%1\"."_m.arg(values.codeFolder)));
    if (!isLabelKey(values.gpuResource))
        also(fail(Kind::invalid,
            u"gpuResource: \"%1\" is no name of a resource. Write it as nvidia.com/gpu."_m.arg(values.gpuResource)));
    const std::pair<const char*, QString> names[] = {{"priorityClass", values.priorityClass}, {"queue", values.queue},
        {"serviceAccount", values.serviceAccount}, {"imagePullSecret", values.pullSecret}};
    for (const auto& [name, word] : names)
        if (!word.isEmpty() && !isDnsSubdomain(word))
            also(fail(Kind::invalid, u"%1: \"%2\" is no name of an object."_m.arg(QString::fromLatin1(name), word)));
    return all;
}

} // namespace platforms::kubernetes
