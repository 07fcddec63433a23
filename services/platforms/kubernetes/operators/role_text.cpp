// SPDX-License-Identifier: GPL-3.0-or-later
#include "role_text.h"

#include "framework_manifest.h"

#include "services/core/printable.h"
#include "services/platforms/kubernetes/jobs/job_options.h"
#include "services/platforms/memory_size.h"
#include "services/trial/trial_command.h"
#include "services/yaml/yaml.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr int mostGpus = 1'024; ///< of one pod

/// Reads one entry, and keeps what is wrong with it.
class RoleReader
{
public:
    RoleReader(WorkloadKind kind, const Json& entry, qsizetype index, QList<Message>* problems)
        : m_kind(kind)
        , m_entry(entry)
        , m_place(u"roles[%1]"_s.arg(index))
        , m_problems(problems)
    {
    }

    RoleText read()
    {
        RoleText role;
        if (!m_entry.is_object()) {
            m_problems->append(u"%1: it must be a mapping with a name."_m.arg(m_place));
            return role;
        }
        checkMembers();
        readName(role);
        readCount(role);
        role.command = readText("command").value_or(QString());
        if (const std::optional<QString> image = readText("image"); image && !image->isEmpty() && !isImageName(*image))
            refuse(
                "image", u"\"%1\" is no name of an image. Write it as python:3.12-slim."_m.arg(printable(*image, 200)));
        else
            role.image = image.value_or(QString());
        if (const std::optional<QString> cpus = readText("cpu"))
            put(role.cpus, readCpus(*cpus), "cpu");
        if (const std::optional<QString> memory = readText("memory"))
            put(role.memoryMb, memorySizeMb(*memory), "memory");
        role.gpus = readWhole("gpus", 0, mostGpus);
        role.minFailed = readLimit("minFailed");
        role.minSucceeded = readLimit("minSucceeded");
        return role;
    }

private:
    QStringList names() const
    {
        QStringList known{u"name"_s, u"count"_s, u"command"_s, u"image"_s, u"cpu"_s, u"memory"_s, u"gpus"_s};
        if (m_kind == WorkloadKind::framework)
            known += {u"minFailed"_s, u"minSucceeded"_s};
        return known;
    }

    void refuse(const char* name, const Message& problem)
    {
        m_problems->append(u"%1.%2: %3"_m.arg(m_place, QString::fromLatin1(name), problem));
    }

    const Json* take(const char* name) const
    {
        const auto found = m_entry.find(name);
        return found == m_entry.end() || found->is_null() ? nullptr : &*found;
    }

    void checkMembers()
    {
        for (const auto& [name, value] : m_entry.items())
            if (const QString word = QString::fromStdString(name); !names().contains(word))
                m_problems->append(
                    u"%1 has no \"%2\". There is: %3."_m.arg(m_place, printable(word, 100), names().join(u", "_s)));
    }

    void readName(RoleText& role)
    {
        const QString word = readText("name").value_or(QString()).trimmed();
        role.name = roleName(m_kind, word).value_or(word);
        if (word.isEmpty())
            refuse("name", u"It is missing."_m);
        else if (const Result<> good = checkRoleName(m_kind, role.name); !good)
            refuse("name", good.error().message);
    }

    void readCount(RoleText& role)
    {
        const std::optional<int> count = readWhole("count", 1, mostReplicas);
        role.count = count.value_or(1);
        if (const Result<> good = checkRoleCount(m_kind, {role.name, role.count}); !good)
            refuse("count", good.error().message);
    }

    /// A number counts as its text: `cpu: 4`.
    std::optional<QString> readText(const char* name)
    {
        const Json* value = take(name);
        if (!value)
            return {};
        if (value->is_string())
            return value->get<QString>();
        if (value->is_number())
            return QString::fromStdString(value->dump());
        refuse(name, u"It must be a text."_m);
        return {};
    }

    std::optional<int> readWhole(const char* name, int least, int most)
    {
        const Json* value = take(name);
        if (!value)
            return {};
        const bool isSmall =
            value->is_number_integer() && (!value->is_number_unsigned() || value->get<quint64>() < 1'000'000);
        const qint64 number = isSmall ? value->get<qint64>() : qint64(most) + 1;
        if (number < least || number > most) {
            refuse(name, u"It must be a whole number from %1 to %2."_m.arg(least).arg(most));
            return {};
        }
        return int(number);
    }

    std::optional<int> readLimit(const char* name)
    {
        if (m_kind != WorkloadKind::framework)
            return {};
        const std::optional<int> limit = readWhole(name, -1, mostReplicas);
        if (limit != 0)
            return limit;
        refuse(name, u"It must be 1 or more tasks, or -1 for never."_m);
        return {};
    }

    template <typename T>
    void put(std::optional<T>& member, const Result<T>& value, const char* name)
    {
        if (value)
            member = *value;
        else
            refuse(name, value.error().message);
    }

    const WorkloadKind m_kind;
    const Json& m_entry;
    const QString m_place;
    QList<Message>* m_problems;
};

RoleText defaultRole(WorkloadKind kind)
{
    RoleText role;
    switch (kind) {
    case WorkloadKind::pytorchJob:
        role.name = u"Master"_s;
        break;
    case WorkloadKind::tfJob:
        role.name = u"Worker"_s;
        break;
    case WorkloadKind::mpiJob:
        role.name = u"Launcher"_s;
        break;
    case WorkloadKind::trainJob:
        role.name = u"node"_s;
        break;
    case WorkloadKind::framework:
        role.name = u"worker"_s;
        break;
    }
    return role;
}

QList<RoleSize> textSizes(const QList<RoleText>& roles)
{
    QList<RoleSize> sizes;
    for (const RoleText& role : roles)
        sizes.append({role.name, role.count});
    return sizes;
}

Result<QList<RoleText>> readList(WorkloadKind kind, const Json& list)
{
    if (!list.is_array() || list.size() > size_t(mostRoles))
        return fail(Kind::invalid,
            u"roles: it must be a list of 1 to %1 roles, each with a name: - {name: worker, count: 2}"_m.arg(
                mostRoles));
    QList<RoleText> roles;
    QStringList names;
    QList<Message> problems;
    for (const Json& entry : list) {
        const QString place = u"roles[%1]"_s.arg(roles.size());
        roles.append(RoleReader(kind, entry, roles.size(), &problems).read());
        if (const QString& name = roles.last().name; !name.isEmpty() && names.contains(name))
            problems.append(
                u"%1.%2: %3"_m.arg(place, u"name"_s, u"The role \"%1\" is there twice."_m.arg(printable(name, 100))));
        names.append(roles.last().name);
    }
    if (problems.isEmpty())
        if (const Result<> good = checkRoles(kind, textSizes(roles)); !good)
            problems.append(u"roles: %1"_m.arg(good.error().message));
    if (!problems.isEmpty())
        return fail(Kind::invalid, join(problems, u"\n"_s));
    return roles;
}

} // namespace

bool isImageName(const QString& image)
{
    static const QRegularExpression form(u"\\A[A-Za-z0-9._:/@-]{1,512}\\z"_s);
    return form.match(image).hasMatch();
}

Result<QList<RoleText>> readRoles(WorkloadKind kind, const Json& roles)
{
    if (!roles.is_null() && !roles.is_string())
        return readList(kind, roles);
    const QString text = roles.is_string() ? roles.get<QString>() : QString();
    if (text.trimmed().isEmpty())
        return QList<RoleText>{defaultRole(kind)};
    const Result<yaml::YamlDocument> document = yaml::parseYaml(text.toUtf8());
    return document ? readList(kind, document->value) : fail(document, u"roles"_s);
}

Result<QList<RoleValues>> roleValues(
    WorkloadKind kind, const QList<RoleText>& roles, const PodValues& base, const QByteArray& setup)
{
    const QList<CompletionPolicy> policies = defaultPolicies(textSizes(roles));
    QList<RoleValues> all;
    for (const RoleText& role : roles) {
        RoleValues values{.name = role.name, .count = role.count, .pod = base};
        PodValues& pod = values.pod;
        if (!role.command.isEmpty()) {
            const Result<QString> command = trial::renderCommand(role.command, base.parameters);
            if (!command)
                return fail(command, role.name);
            pod.command = setup.isEmpty() ? command->toUtf8() : setup + '\n' + command->toUtf8();
        } else if (kind == WorkloadKind::mpiJob && role.name == "Worker"_L1) {
            pod.command = "exec sleep 365d"; // the launcher starts the ranks in it
        }
        if (!role.image.isEmpty())
            pod.image = role.image;
        pod.cpus = role.cpus.value_or(base.cpus);
        pod.memoryMb = role.memoryMb.value_or(base.memoryMb);
        if (role.gpus)
            pod.gpus = role.gpus;
        values.completion = policies.at(all.size());
        values.completion.minFailed = role.minFailed.value_or(values.completion.minFailed);
        values.completion.minSucceeded = role.minSucceeded.value_or(values.completion.minSucceeded);
        if (pod.command.isEmpty())
            return fail(
                Kind::invalid, u"The role \"%1\" has no command, and the experiment has none either."_m.arg(role.name));
        if (pod.image.isEmpty())
            return fail(Kind::invalid,
                u"The role \"%1\" has no image, and neither the experiment nor the platform has one."_m.arg(role.name));
        all.append(std::move(values));
    }
    return all;
}

} // namespace platforms::kubernetes
