// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod_template.h"

#include "job_names.h"
#include "template_merge.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr const char* binFolder = "/trialdeck/bin";
constexpr const char* archiveFolder = "/trialdeck/archive";
constexpr const char* ownCodeFolder = "/trialdeck/code";
constexpr const char* trialFolder = "/trialdeck/trial";
constexpr const char* terminationPath = "/dev/termination-log";

void putWord(Json& object, const char* name, const QString& value)
{
    if (!value.isEmpty())
        object[name] = value.toStdString();
}

Json mountOf(const char* volume, const std::string& path, bool isReadOnly)
{
    Json mount = {{"name", volume}, {"mountPath", path}};
    if (isReadOnly)
        mount["readOnly"] = true;
    return mount;
}

/// "1500m" of 1.5.
std::string cpuQuantity(double cpus)
{
    return std::to_string(std::llround(cpus * 1'000)) + "m";
}

/// Kubernetes puts the value of a variable for $(NAME) into arguments and variables, and one $ for $$.
std::string unexpanded(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
        escaped += c == '$' ? std::string("$$") : std::string(1, c);
    return escaped;
}

class Template
{
public:
    explicit Template(const PodValues& values)
        : m_values(values)
    {
    }

    Result<Json> make()
    {
        const auto arguments = keeperArguments();
        if (!arguments)
            return fail(arguments);
        if (m_values.image.isEmpty() || m_values.image.contains(u' '))
            return fail(Kind::invalid, u"image: a container image is needed, for example python:3.12-slim."_m);
        addVolumes();
        Json pod = Json::object();
        pod["metadata"] = {{"labels", objectOf(m_values.labels)},
            {"annotations", {{"sidecar.istio.io/inject", "false"}}}}; // a sidecar would keep the pod for ever
        pod["spec"] = podSpec(*arguments);
        if (!m_values.podTemplate.is_null())
            pod = mergedUnder(m_values.podTemplate, std::move(pod));
        return pod;
    }

private:
    /// As `trialkeeper-pod` reads a text: "text:…", or where it is no plain text base64.
    static std::string textWord(const QByteArray& bytes)
    {
        const QString plain = QString::fromUtf8(bytes);
        const bool isPlain = plain.toUtf8() == bytes
            && std::none_of(plain.begin(), plain.end(), [](QChar c) { return c.unicode() < 0x20 && c != u'\n'; });
        return isPlain ? "text:" + bytes.toStdString() : "base64:" + bytes.toBase64().toStdString();
    }

    Result<Json> keeperArguments() const
    {
        const PodValues& v = m_values;
        const std::pair<Message, QByteArray> texts[] = {{u"The command"_m, v.command},
            {u"The text of the parameters"_m, v.parameters},
            {u"The text of parameter.cfg"_m, v.parameterCfg.value_or(QByteArray())}};
        for (const auto& [what, bytes] : texts)
            if (qsizetype(textWord(bytes).size()) > maxKeeperArgument)
                return fail(Kind::invalid,
                    u"%1 is too long for a Job: %2 KiB, and %3 KiB can be given."_m.arg(what)
                        .arg(bytes.size() / 1'024)
                        .arg(maxKeeperArgument * 3 / 4 / 1'024));
        if (v.command.isEmpty())
            return fail(Kind::invalid, u"There is no command."_m);
        const std::string code = !v.codeFolder.isEmpty() ? v.codeFolder.toStdString()
            : v.codeMaps.isEmpty() && !v.isCodeSent      ? trialFolder
                                                         : ownCodeFolder;
        Json words = {keeperProgram, "--id", v.trialId.toStdString(), "--dir", trialFolder, "--code", code, "--grace",
            std::to_string(v.graceSeconds), "--termination", terminationPath, "--parameters", textWord(v.parameters),
            "--shell", textWord(v.command)};
        if (v.parameterCfg) {
            words.push_back("--parameter-cfg");
            words.push_back(textWord(*v.parameterCfg));
        }
        if (v.lingerSeconds > 0) {
            words.push_back("--linger");
            words.push_back(std::to_string(v.lingerSeconds));
        }
        for (Json& word : words)
            word = unexpanded(word.get<std::string>());
        return words;
    }

    void addVolumes()
    {
        const auto emptyFolder = [this](const char* name, Json how) {
            m_volumes.push_back(Json{{"name", name}, {"emptyDir", std::move(how)}});
        };
        m_volumes.push_back(Json{{"name", "trialdeck-bin"},
            {"configMap", {{"name", m_values.keeperMap.toStdString()}, {"defaultMode", 0555}}}});
        m_mounts.push_back(mountOf("trialdeck-bin", binFolder, true));
        emptyFolder("trialdeck-trial", Json::object());
        m_mounts.push_back(mountOf("trialdeck-trial", trialFolder, false));
        if (!m_values.codeMaps.isEmpty()) {
            Json sources = Json::array();
            int index = 0;
            for (const QString& map : m_values.codeMaps) {
                const std::string file = u"%1"_s.arg(index++, 3, 10, QChar(u'0')).toStdString();
                sources.push_back(Json{{"configMap",
                    {{"name", map.toStdString()}, {"items", Json::array({{{"key", "part"}, {"path", file}}})}}}});
            }
            m_volumes.push_back(Json{{"name", "trialdeck-archive"}, {"projected", {{"sources", std::move(sources)}}}});
        }
        if (!m_values.codeMaps.isEmpty() || m_values.isCodeSent) {
            emptyFolder("trialdeck-code", Json::object());
            Json mount = mountOf("trialdeck-code", ownCodeFolder, false);
            if (m_values.isCodeSent)
                mount["subPath"] = "code"; // beside it lies what only the container that waits needs
            m_mounts.push_back(std::move(mount));
        }
        if (m_values.sharedMemoryMb > 0) {
            emptyFolder(
                "trialdeck-shm", {{"medium", "Memory"}, {"sizeLimit", std::to_string(m_values.sharedMemoryMb) + "Mi"}});
            m_mounts.push_back(mountOf("trialdeck-shm", "/dev/shm", false));
        }
        int index = 0;
        for (const ClaimMount& one : m_values.claims) {
            const std::string name = "claim-" + std::to_string(index++);
            m_volumes.push_back(
                Json{{"name", name}, {"persistentVolumeClaim", {{"claimName", one.claim.toStdString()}}}});
            m_mounts.push_back(mountOf(name.c_str(), one.path.toStdString(), false));
        }
    }

    Json resources() const
    {
        Json limits = Json::object();
        limits["cpu"] = cpuQuantity(m_values.cpus);
        if (m_values.memoryMb > 0)
            limits["memory"] = std::to_string(m_values.memoryMb) + "Mi";
        if (m_values.gpus.value_or(0) > 0)
            limits[m_values.gpuResource.toStdString()] = std::to_string(*m_values.gpus);
        return {{"limits", limits}};
    }

    Json containerSecurity() const
    {
        return {{"allowPrivilegeEscalation", false}, {"capabilities", {{"drop", Json::array({"ALL"})}}}};
    }

    Json environment() const
    {
        Json list = Json::array();
        const auto add = [&list](const std::string& name, const std::string& value) {
            list.push_back(Json{{"name", name}, {"value", unexpanded(value)}});
        };
        for (auto it = m_values.environment.cbegin(); it != m_values.environment.cend(); ++it)
            add(it.key().toStdString(), it->toStdString());
        list.push_back(Json{{"name", "TRIALDECK_NODE"}, // the keeper says it
            {"valueFrom", {{"fieldRef", {{"fieldPath", "spec.nodeName"}}}}}});
        if (m_values.gpus == 0) // images of CUDA would show all of the node's
            add("CUDA_VISIBLE_DEVICES", "-1");
        if (m_values.isRestricted && !m_values.environment.contains(u"HOME"_s))
            add("HOME", trialFolder); // the account has none in the image
        return list;
    }

    Json codeInit() const
    {
        Json init = {{"name", codeContainerName}, {"image", m_values.image.toStdString()}, {"resources", resources()}};
        if (m_values.isCodeSent) {
            init["command"] = Json::array({keeperProgram, "receive", inboxFolder});
            init["volumeMounts"] =
                Json::array({mountOf("trialdeck-bin", binFolder, true), mountOf("trialdeck-code", inboxFolder, false)});
        } else {
            init["command"] = Json::array(
                {"sh", "-c", "cat " + std::string(archiveFolder) + "/* | gzip -dc | tar -xf - -C " + ownCodeFolder});
            init["volumeMounts"] = Json::array(
                {mountOf("trialdeck-archive", archiveFolder, true), mountOf("trialdeck-code", ownCodeFolder, false)});
        }
        putWord(init, "imagePullPolicy", m_values.pullPolicy);
        if (m_values.isRestricted)
            init["securityContext"] = containerSecurity();
        return init;
    }

    Json podSpec(const Json& arguments) const
    {
        const PodValues& v = m_values;
        Json container = {{"name", v.containerName.toStdString()}, {"image", v.image.toStdString()},
            {"command", arguments}, {"env", environment()}, {"resources", resources()}, {"volumeMounts", m_mounts},
            {"terminationMessagePath", terminationPath}, {"workingDir", trialFolder}};
        putWord(container, "imagePullPolicy", v.pullPolicy);
        if (!v.environmentSecrets.isEmpty()) {
            container["envFrom"] = Json::array();
            for (const QString& secret : v.environmentSecrets)
                container["envFrom"].push_back(Json{{"secretRef", {{"name", secret.toStdString()}}}});
        }
        Json spec = {{"restartPolicy", "Never"},
            // SIGTERM to the keeper, which passes it on, and after its grace SIGKILL to what is left.
            {"terminationGracePeriodSeconds", v.graceSeconds + v.lingerSeconds + 10}, {"enableServiceLinks", false},
            {"volumes", m_volumes}};
        if (v.isRestricted) {
            container["securityContext"] = containerSecurity();
            spec["securityContext"] = {{"runAsNonRoot", true}, {"runAsUser", v.user}, {"runAsGroup", v.user},
                {"fsGroup", v.user}, {"seccompProfile", {{"type", "RuntimeDefault"}}}};
        }
        if (!v.codeMaps.isEmpty() || v.isCodeSent)
            spec["initContainers"] = Json::array({codeInit()});
        spec["containers"] = Json::array({std::move(container)});
        if (!v.nodeSelector.isEmpty())
            spec["nodeSelector"] = objectOf(v.nodeSelector);
        if (!v.tolerations.isEmpty()) {
            spec["tolerations"] = Json::array();
            for (const Toleration& one : v.tolerations) {
                Json toleration = Json::object();
                putWord(toleration, "key", one.key);
                toleration["operator"] = one.value.isEmpty() ? "Exists" : "Equal";
                putWord(toleration, "value", one.value);
                putWord(toleration, "effect", one.effect);
                spec["tolerations"].push_back(std::move(toleration));
            }
        }
        putWord(spec, "priorityClassName", v.priorityClass);
        putWord(spec, "serviceAccountName", v.serviceAccount);
        if (v.serviceAccount.isEmpty())
            spec["automountServiceAccountToken"] = false;
        if (!v.pullSecret.isEmpty())
            spec["imagePullSecrets"] = Json::array({{{"name", v.pullSecret.toStdString()}}});
        return spec;
    }

    const PodValues& m_values;
    Json m_volumes = Json::array();
    Json m_mounts = Json::array();
};

} // namespace

Result<Json> podTemplate(const PodValues& values)
{
    return Template(values).make();
}

} // namespace platforms::kubernetes
