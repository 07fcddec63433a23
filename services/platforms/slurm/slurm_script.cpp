// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_script.h"

#include "services/trial/trial_command.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

constexpr qsizetype maxName = 200;
constexpr qsizetype maxDirective = 4'000;        ///< bytes of a #SBATCH value; sbatch reads it into 8 KiB
constexpr qsizetype maxScript = 3 * 1024 * 1024; ///< bytes; Slurm's max_script_size is 4 MiB
constexpr qint64 maxTimeLimitSeconds = 10LL * 365 * 86'400;

bool isAsciiLetterOrDigit(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
}

bool hasControl(QStringView text)
{
    return std::any_of(text.begin(), text.end(), [](QChar c) { return c < u' ' || c == QChar(0x7f); });
}

bool isWhole(QStringView text)
{
    return text.isValidUtf16();
}

/// A word of a #SBATCH line: sbatch ends it at a blank outside of quotes, takes `#` for a comment, and a backslash for the next character as it is.
QString escaped(const QString& value)
{
    const auto isPlain = [](QChar c) {
        return c.unicode() >= 0x80 || isAsciiLetterOrDigit(c) || u"-_./=:,+@%"_s.contains(c);
    };
    if (std::all_of(value.begin(), value.end(), isPlain))
        return value;
    QString out = u"\""_s;
    for (const QChar c : value) {
        if (c == u'"' || c == u'\'' || c == u'\\' || c == u'#')
            out += u'\\';
        out += c;
    }
    return out + u'"';
}

Result<> checkValue(const Message& what, const QString& value)
{
    if (hasControl(value) || !isWhole(value))
        return fail(Kind::invalid,
            u"%1 holds a line end or another control character, which no option of sbatch can carry."_m.arg(what));
    if (value.toUtf8().size() > maxDirective)
        return fail(Kind::invalid, u"%1 is longer than %2 bytes."_m.arg(what).arg(maxDirective));
    return {};
}

Result<> checkPath(const Message& what, const QString& path)
{
    if (Result<> checked = checkValue(what, path); !checked)
        return checked;
    if (!path.startsWith(u'/'))
        return fail(
            Kind::invalid, u"%1 must be an absolute path on the shared file system, not \"%2\"."_m.arg(what, path));
    // In the name of an output file a backslash switches Slurm's replacement of %j off, and is lost itself.
    if (path.contains(u'\\'))
        return fail(Kind::invalid,
            u"%1 holds a backslash, which Slurm does not take in the name of an output file."_m.arg(what));
    return {};
}

class Script
{
public:
    explicit Script(const ScriptValues& values)
        : m_values(values)
    {
    }

    Result<QByteArray> write()
    {
        if (const Result<> checked = checkValues(); !checked)
            return fail(checked);
        const Result<TrialShell> shell = trialShell(m_values);
        if (!shell)
            return fail(shell);
        m_text = "#!/bin/bash\n";
        addDirectives();
        m_text += ":\n"; // sbatch reads no #SBATCH line from here on
        addSurroundings(shell->exports);
        addPreamble();
        addKeeper(shell->words);
        if (m_text.size() > maxScript)
            return fail(Kind::invalid,
                u"The job's script is %1 KiB, and Slurm takes at most 4 MiB: put long values into files."_m.arg(
                    m_text.size() / 1'024));
        return m_text;
    }

private:
    Result<> checkValues() const
    {
        if (m_values.name.isEmpty() || m_values.name.size() > maxName
            || !std::all_of(m_values.name.begin(), m_values.name.end(),
                [](QChar c) { return isAsciiLetterOrDigit(c) || c == u'_' || c == u'-'; }))
            return fail(Kind::invalid,
                u"A job's name is made of letters, digits, '_' and '-', not \"%1\"."_m.arg(m_values.name));
        const std::pair<Message, QString> paths[] = {{u"The trial's folder"_m, m_values.folder},
            {u"The log"_m, m_values.log}, {u"The path of the keeper"_m, m_values.keeper}};
        for (const auto& [what, path] : paths) {
            if (Result<> checked = checkPath(what, path); !checked)
                return checked;
        }
        const std::pair<Message, QString> texts[] = {{u"The partition"_m, m_values.partition},
            {u"The account"_m, m_values.account}, {u"The QOS"_m, m_values.qos},
            {u"The reservation"_m, m_values.reservation}, {u"The constraint"_m, m_values.constraint},
            {u"The GPU type"_m, m_values.gpuType}, {u"The container image"_m, m_values.image}};
        for (const auto& [what, text] : texts) {
            if (Result<> checked = checkValue(what, text); !checked)
                return checked;
        }
        if (m_values.gpuType.contains(u',') || m_values.gpuType.contains(u':') || m_values.gpuType.contains(u'='))
            return fail(Kind::invalid,
                u"The GPU type is one word, without ',', ':' and '=', not \"%1\"."_m.arg(m_values.gpuType));
        if (m_values.gpus.value_or(0) < 0 || m_values.cpus < 1 || m_values.memoryMb < 0 || m_values.timeLimitSeconds < 0
            || m_values.timeLimitSeconds > maxTimeLimitSeconds || m_values.signalSecondsBefore < 0
            || m_values.signalSecondsBefore > 65'535 || m_values.graceSeconds < 0 || m_values.graceSeconds > 3'600)
            return fail(Kind::invalid, u"A number of GPUs, CPUs, memory or time is out of its range."_m);
        if (m_values.preamble.contains(QChar(0)) || !isWhole(m_values.preamble))
            return fail(Kind::invalid, u"The preamble holds a NUL character, which no script can carry."_m);
        if (Result<> checked = checkContainer(); !checked)
            return checked;
        return checkExtraArguments(m_values.extraArguments);
    }

    Result<> checkContainer() const
    {
        if (m_values.runtime == ContainerRuntime::none)
            return {};
        if (m_values.image.isEmpty())
            return fail(Kind::invalid, u"A container runtime is chosen, but no container image."_m);
        if (m_values.image.startsWith(u'-'))
            return fail(Kind::invalid, u"The container image must not begin with '-'."_m);
        for (const QString& mount : m_values.mounts) {
            if (Result<> checked = checkPath(u"A folder of the container"_m, mount); !checked)
                return checked;
            if (mount.contains(u':') || mount.contains(u','))
                return fail(Kind::invalid,
                    u"The folder \"%1\" cannot be given to a container: its name holds ':' or ','. Choose another working directory."_m
                        .arg(mount));
        }
        return {};
    }

    void directive(const QString& option, const QString& value)
    {
        if (!value.isEmpty())
            m_text += "#SBATCH " + option.toUtf8() + '=' + escaped(value).toUtf8() + '\n';
    }
    void flag(const char* option) { m_text += QByteArray("#SBATCH ") + option + '\n'; }

    void addDirectives()
    {
        const ScriptValues& v = m_values;
        directive(u"--job-name"_s, v.name);
        directive(u"--comment"_s, v.name);
        directive(u"--chdir"_s, v.folder);
        directive(u"--output"_s, QString(v.log).replace(u'%', u"%%"_s));
        flag("--open-mode=append"); // a requeued job writes behind what its first run wrote
        flag("--nodes=1");
        flag("--ntasks=1");
        directive(u"--cpus-per-task"_s, QString::number(v.cpus));
        if (v.memoryMb > 0)
            directive(u"--mem"_s, QString::number(v.memoryMb) + u'M');
        if (v.timeLimitSeconds > 0)
            directive(u"--time"_s, QString::number((v.timeLimitSeconds + 59) / 60));
        if (v.gpus.value_or(0) > 0) {
            const QString wish = (v.gpuType.isEmpty() ? QString() : v.gpuType + u':') + QString::number(*v.gpus);
            directive(v.gpusOption ? u"--gpus-per-node"_s : u"--gres"_s, v.gpusOption ? wish : u"gpu:"_s + wish);
        }
        directive(u"--partition"_s, v.partition);
        directive(u"--account"_s, v.account);
        directive(u"--qos"_s, v.qos);
        directive(u"--reservation"_s, v.reservation);
        directive(u"--constraint"_s, v.constraint);
        if (v.exclusive)
            flag("--exclusive");
        flag(v.requeue ? "--requeue" : "--no-requeue");
        if (v.signalSecondsBefore > 0)
            directive(u"--signal"_s, u"B:USR1@%1"_s.arg(v.signalSecondsBefore));
        for (qsizetype at = 0; at < v.extraArguments.size(); ++at) {
            m_text += "#SBATCH " + escaped(v.extraArguments[at]).toUtf8();
            if (at + 1 < v.extraArguments.size() && !v.extraArguments[at + 1].startsWith(u'-'))
                m_text += ' ' + escaped(v.extraArguments[++at]).toUtf8();
            m_text += '\n';
        }
    }

    void addSurroundings(const QByteArray& exports)
    {
        if (m_values.isBare) // bash takes the account's folder for ~ where there is no HOME
            m_text +=
                "[ -n \"${HOME-}\" ] || { unset HOME; HOME=~; export HOME; }\n"
                "[ -n \"${USER-}\" ] || { USER=${SLURM_JOB_USER:-$(id -un)}; LOGNAME=$USER; export USER LOGNAME; }\n";
        m_text += "export TRIALDECK_NODE=\"${SLURMD_NODENAME-}\"\n"; // the keeper says it
        m_text += exports;
    }

    void addPreamble()
    {
        QString lines = m_values.preamble;
        lines.replace(u"\r\n"_s, u"\n"_s);
        if (!lines.isEmpty())
            m_text += lines.toUtf8() + '\n';
    }

    void addKeeper(const QStringList& words)
    {
        m_text += "exec";
        for (const QString& word : starter() + words)
            m_text += ' ' + trial::shellQuoted(word).toUtf8();
        // Slurm counts how often it put the job back into its queue.
        if (m_values.shared && m_values.requeue)
            m_text += " ${SLURM_RESTART_COUNT:+--again}";
        m_text += '\n';
    }

    /// The words in front of the keeper's.
    [[nodiscard]] QStringList starter() const
    {
        const ScriptValues& v = m_values;
        switch (v.runtime) {
        case ContainerRuntime::none:
            return {};
        case ContainerRuntime::apptainer: {
            QStringList words{u"apptainer"_s, u"exec"_s};
            if (v.gpus.value_or(0) > 0)
                words += u"--nv"_s;
            for (const QString& mount : v.mounts)
                words += {u"--bind"_s, mount};
            return words << v.image;
        }
        case ContainerRuntime::pyxis: {
            // Slurm 22.05 and newer does not pass the job's --cpus-per-task on to its steps.
            QStringList words{u"srun"_s, u"--ntasks=1"_s, u"--unbuffered"_s, u"--export=ALL"_s,
                u"--cpus-per-task=%1"_s.arg(v.cpus), u"--container-image="_s + v.image};
            QStringList mounts;
            for (const QString& mount : v.mounts)
                mounts += mount + u':' + mount;
            if (!mounts.isEmpty())
                words += u"--container-mounts="_s + mounts.join(u',');
            return words;
        }
        }
        Q_UNREACHABLE();
    }

    const ScriptValues& m_values;
    QByteArray m_text;
};

/// Options that the script sets, or that would change what sbatch prints or does.
constexpr const char* ownOptions[] = {"job-name", "comment", "chdir", "workdir", "output", "error", "input",
    "open-mode", "nodes", "ntasks", "array", "parsable", "wrap", "wait", "test-only", "requeue", "no-requeue",
    "clusters", "cluster", "help", "usage", "version", "quiet", "verbose", "export", "export-file", "signal", "uid",
    "gid", "hold", "begin"};
constexpr QLatin1StringView ownLetters("JDoeiNnaWMhVQvH");

} // namespace

Result<> checkExtraArguments(const QStringList& arguments)
{
    bool takesValue = false;
    for (const QString& argument : arguments) {
        const Message what = u"The extra argument \"%1\""_m.arg(argument);
        if (Result<> checked = checkValue(what, argument); !checked)
            return checked;
        if (!argument.startsWith(u'-')) {
            if (!takesValue || argument.isEmpty())
                return fail(Kind::invalid,
                    u"%1 is no option of sbatch: options begin with '-', for example --constraint=a100."_m.arg(what));
            takesValue = false;
            continue;
        }
        takesValue = !argument.contains(u'=');
        const bool isLong = argument.startsWith("--"_L1);
        const QString name = isLong ? argument.mid(2).section(u'=', 0, 0) : argument.mid(1, 1);
        // sbatch takes any unique beginning of an option's name.
        const bool own = isLong ? std::any_of(std::begin(ownOptions), std::end(ownOptions),
                             [&name](const char* one) { return QLatin1StringView(one).startsWith(name); })
                                : name.isEmpty() || ownLetters.contains(name[0]);
        if (own || name.isEmpty())
            return fail(Kind::invalid, u"%1 cannot be used: Trialdeck sets this itself, or depends on it."_m.arg(what));
    }
    return {};
}

Result<> noRestArguments()
{
    return fail(Kind::invalid,
        u"extraArgs: slurmrestd takes no arguments of sbatch. Leave them out, or let Slurm's commands be called (transport cli or ssh)."_m);
}

Result<QByteArray> batchScript(const ScriptValues& values)
{
    return Script(values).write();
}

} // namespace platforms::slurm
