// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared_maps.h"

#include "services/platforms/kubernetes/jobs/config_maps.h"
#include "services/platforms/kubernetes/jobs/job_names.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qint64 believedMs = 60'000;

KubeResource configMapsResource()
{
    return {"", "v1", "configmaps"};
}

QMap<QString, QString> withPart(QMap<QString, QString> labels, const QString& part)
{
    labels.insert(QString::fromLatin1(partLabel), part);
    return labels;
}

} // namespace

SharedMaps::SharedMaps(NamespaceObjects* objects, PackedCodes* codes, Strand* strand, Context context)
    : m_objects(objects)
    , m_strand(strand)
    , m_context(std::move(context))
    , m_codes(codes)
{
}

const QStringList* SharedMaps::fresh(const QString& key) const
{
    const auto seen = m_seen.constFind(key);
    const bool isFresh = seen != m_seen.constEnd() && m_context.clock->steadyMs() - seen->at < believedMs;
    return isFresh ? &seen->names : nullptr;
}

void SharedMaps::see(const QString& key, QStringList names)
{
    m_seen.insert(key, {std::move(names), m_context.clock->steadyMs()});
}

Task<Result<>> SharedMaps::put(QString name, QMap<QString, QString> labels, QString key, QByteArray bytes)
{
    const Json wanted = configMap(name, labels, key, bytes);
    // Somebody may make one of this name, or delete it, between two requests.
    for (int attempt = 0; attempt < 2; ++attempt) {
        auto asking = m_objects->get(m_objects->target(configMapsResource(), name));
        const Result<Json> there = co_await asking;
        if (there) {
            const Json* metadata = memberOf(*there, "metadata");
            const Json* marks = metadata ? memberOf(*metadata, "labels") : nullptr;
            if (marks && textOf(*marks, serviceLabel) == m_context.serviceId)
                co_return Result<>{};
            co_return fail(Kind::conflict,
                u"The ConfigMap %1 in the namespace %2 is not this service's. Delete it, or choose another namespace."_m
                    .arg(name, m_objects->inNamespace()));
        }
        if (there.error().kind != Kind::not_found)
            co_return fail(there);
        auto posting = m_objects->post(m_objects->target(configMapsResource()), wanted);
        const Result<Json> made = co_await posting;
        if (made)
            co_return Result<>{};
        if (made.error().kind != Kind::conflict)
            co_return fail(made, u"The ConfigMap %1 cannot be made"_m.arg(name));
    }
    co_return fail(Kind::network, u"The ConfigMap %1 is made and deleted by somebody else at once."_m.arg(name));
}

Task<Result<QString>> SharedMaps::keeper(QString architecture)
{
    if (const QStringList* names = fresh(architecture))
        co_return names->first();
    const QString own = QSysInfo::currentCpuArchitecture() == "arm64"_L1 ? u"arm64"_s : u"amd64"_s;
    const QString arch = architecture == u"arm64"_s ? u"aarch64"_s
        : architecture == u"amd64"_s                ? u"x86_64"_s
                                                    : architecture;
    QString source = QFileInfo(m_context.keeperPath).absolutePath() + u"/trialkeeper-pod"_s;
    if (architecture != own)
        source += u'-' + arch;
    auto reading = m_strand->run([source] {
        QFile file(source);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    });
    const QByteArray bytes = co_await reading;
    if (bytes.isEmpty())
        co_return fail(
            Kind::invalid, u"There is no trialkeeper-pod for %1 (%2): reinstall Trialdeck."_m.arg(arch, source));
    if (bytes.size() > maxMapBytes)
        co_return fail(Kind::invalid,
            u"trialkeeper-pod has %1 bytes, and a ConfigMap carries %2. Use a release build of Trialdeck."_m
                .arg(bytes.size())
                .arg(maxMapBytes));
    const QString name =
        keeperMapName(m_context.serviceId, arch, QCryptographicHash::hash(bytes, QCryptographicHash::Sha256));
    auto putting = put(name, withPart(serviceLabels(m_context.serviceId), u"keeper"_s), u"trialkeeper-pod"_s, bytes);
    const Result<> there = co_await putting;
    if (!there)
        co_return fail(there);
    see(architecture, {name});
    co_return name;
}

Task<Result<QStringList>> SharedMaps::putCode(ExperimentId experiment, CodeSource code)
{
    auto packing = m_codes->packed(code, m_context.stop);
    const Result<package::PackedCode> packed = co_await packing;
    if (!packed)
        co_return fail(packed);
    const Result<int> parts = codeParts(packed->bytes);
    if (!parts)
        co_return fail(parts);
    QStringList names;
    for (int index = 0; index < *parts; ++index) {
        auto reading = m_strand->run([path = packed->path, index] {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) && file.seek(index * maxMapBytes) ? file.read(maxMapBytes)
                                                                                    : QByteArray();
        });
        const QByteArray bytes = co_await reading;
        // A map cannot be changed once it is made, so none is made of half a file.
        if (bytes.size() != std::min(maxMapBytes, packed->bytes - index * maxMapBytes))
            co_return fail(Kind::resource, u"The packed code %1 cannot be read whole."_m.arg(packed->path));
        const QString name = codeMapName(m_context.serviceId, experiment, code.sha, index);
        auto putting =
            put(name, withPart(experimentLabels(m_context.serviceId, experiment), u"code"_s), u"part"_s, bytes);
        const Result<> there = co_await putting;
        if (!there)
            co_return fail(there);
        names.append(name);
    }
    co_return names;
}

Task<Result<QStringList>> SharedMaps::code(ExperimentId experiment, CodeSource code)
{
    if (code.kind == CodeSource::Kind::none)
        co_return QStringList();
    if (code.kind == CodeSource::Kind::inPlace)
        co_return fail(Kind::invalid, u"Code in place runs only on this computer; this platform needs a snapshot."_m);
    const QString key = experiment.value + u'/' + code.sha;
    if (const QStringList* names = fresh(key))
        co_return *names;
    if (const auto others = m_putting.find(key); others != m_putting.end()) {
        OneShot<Result<QStringList>> shot;
        others->append(shot);
        co_return co_await shot.wait();
    }
    m_putting.insert(key, {});
    auto putting = putCode(experiment, std::move(code));
    const Result<QStringList> names = co_await putting;
    if (names)
        see(key, *names);
    for (OneShot<Result<QStringList>>& other : m_putting.take(key))
        other.set(names);
    co_return names;
}

Task<Result<>> SharedMaps::dropCode(ExperimentId experiment)
{
    m_seen.removeIf([prefix = experiment.value + u'/'](const auto& entry) { return entry.key().startsWith(prefix); });
    auto dropping = m_objects->dropAll(configMapsResource(), experimentLabels(m_context.serviceId, experiment));
    co_return co_await dropping;
}

Task<Result<>> SharedMaps::dropKeeper()
{
    m_seen.removeIf([](const auto& entry) { return !entry.key().contains(u'/'); });
    auto dropping = m_objects->dropAll(configMapsResource(), withPart(serviceLabels(m_context.serviceId), u"keeper"_s));
    co_return co_await dropping;
}

} // namespace platforms::kubernetes
