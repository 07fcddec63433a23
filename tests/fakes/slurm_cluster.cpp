// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_cluster.h"

#include <QDir>
#include <QFile>
#include <QHostInfo>
#include <QProcessEnvironment>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

#include <csignal>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace {

constexpr int readyMs = 90'000;
constexpr int commandMs = 60'000;

/// Daemons are in sbin, which an ordinary user's PATH lacks.
QString programOf(const QString& name)
{
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {u"/usr/sbin"_s, u"/usr/local/sbin"_s}) : found;
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

QByteArray userName()
{
    const passwd* entry = ::getpwuid(::getuid());
    return entry ? QByteArray(entry->pw_name) : QByteArray::number(::getuid());
}

/// The packages of the programs that are not here; empty: they are.
QString missingPackages(std::initializer_list<QPair<QString, QString>> needed)
{
    QStringList packages;
    for (const auto& [program, package] : needed) {
        if (programOf(program).isEmpty() && !packages.contains(package))
            packages.append(package);
    }
    return packages.isEmpty() ? QString() : u"Slurm is not installed: packages "_s + packages.join(u", "_s);
}

/// Waits until its standard input ends, which it also does when the test crashes; then ends every process of the cluster whose slurm.conf is $1, jobs,
/// too: they have it in their environment. $2: the test itself. $3: the folder, removed if the test is gone.
constexpr const char* cleaner = R"(while read -r line; do :; done
for round in 1 2 3; do
    for environ in $(grep -lsz "^SLURM_CONF=$1\$" /proc/[0-9]*/environ); do
        pid=${environ#/proc/}
        pid=${pid%/environ}
        [ "$pid" = "$2" ] || kill -KILL "$pid" 2>/dev/null
    done
done
kill -0 "$2" 2>/dev/null || rm -rf "$3")";

} // namespace

SlurmCluster::SlurmCluster(QByteArray options, int cpus)
    : m_folder(u"/tmp/slurm-XXXXXX"_s) // short: a socket's path has at most 107 characters
    , m_options(std::move(options))
    , m_cpus(cpus)
    , m_node(QHostInfo::localHostName().section(u'.', 0, 0))
{
}

SlurmCluster::~SlurmCluster()
{
    // The controller first: it keeps its state, and would only count the node as lost.
    stopRest();
    for (const auto& process : {&m_controller, &m_daemon, &m_munged}) {
        if (*process)
            (*process)->terminate();
    }
    for (const auto& process : {&m_controller, &m_daemon, &m_munged}) {
        if (*process && !(*process)->waitForFinished(2'000)) {
            (*process)->kill();
            (*process)->waitForFinished(5'000);
        }
    }
    if (m_cleaner) {
        m_cleaner->closeWriteChannel();
        m_cleaner->waitForFinished(60'000);
    }
}

QString SlurmCluster::missing()
{
    return missingPackages({{u"munged"_s, u"munge"_s}, {u"slurmctld"_s, u"slurmctld"_s}, {u"slurmd"_s, u"slurmd"_s},
        {u"sbatch"_s, u"slurm-client"_s}, {u"squeue"_s, u"slurm-client"_s}});
}

QString SlurmCluster::missingRest()
{
    const QString lacking = missing();
    return lacking.isEmpty() ? missingPackages({{u"slurmrestd"_s, u"slurmrestd and slurm-wlm-jwt-plugin"_s}}) : lacking;
}

bool SlurmCluster::fail(const QString& why)
{
    m_error = why + u'\n' + QString::fromUtf8(log());
    return false;
}

bool SlurmCluster::writeSettings()
{
    QDir folder(m_folder.path());
    for (const char* name : {"state", "spool", "log"})
        folder.mkpath(QString::fromLatin1(name));
    QByteArray key;
    for (int i = 0; i < 128; ++i)
        key += char(QRandomGenerator::system()->bounded(256));
    writeFile(path(u"munge.key"_s), key);

    // A GPU must be a character device: as root a copy of the null device, else a terminal's.
    const QByteArray at = m_folder.path().toUtf8();
    QByteArray device = at + "/gpu[0-1]";
    for (int i = 0; i < 2; ++i) {
        if (::mknod((at + "/gpu" + QByteArray::number(i)).constData(), S_IFCHR | 0600, makedev(1, 3)) != 0)
            device = "/dev/tty[0-1]";
    }
    writeFile(path(u"gres.conf"_s), "Name=gpu Type=fake File=" + device + '\n');

    const QByteArray user = userName();
    const QByteArray node = m_node.toUtf8();
    // Times are short: a job that ended leaves the queue after a minute, one that is cancelled is killed after 10 s, which is more
    // than the grace of a keeper.
    writeFile(conf(),
        "ClusterName=test\nSlurmctldHost=" + node
            + "(127.0.0.1)\nSlurmctldPort=" + QByteArray::number(m_controllerPort.number())
            + "\nSlurmdPort=" + QByteArray::number(m_nodePort.number()) + "\nSlurmUser=" + user + "\nSlurmdUser=" + user
            + "\nAuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket=" + at + "/munge.sock\nStateSaveLocation="
            + at + "/state\nSlurmdSpoolDir=" + at + "/spool\nSlurmctldPidFile=" + at + "/slurmctld.pid\nSlurmdPidFile="
            + at + "/slurmd.pid\nSlurmctldLogFile=" + at + "/log/slurmctld.log\nSlurmdLogFile=" + at
            + "/log/slurmd.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/"
              "none\nMpiDefault=none\n"
              "SelectType=select/"
              "cons_tres\nSelectTypeParameters=CR_Core_Memory\nReturnToService=2\nKillWait=10\nMinJobAge=60\n"
              "MailProg=/bin/true\nJobCompType=jobcomp/none\n"
              "GresTypes=gpu\nMessageTimeout="
            + QByteArray::number(m_messageTimeout) + "\nBatchStartTimeout=" + QByteArray::number(2 * m_messageTimeout)
            + "\nSlurmdParameters=config_overrides\n"
              "SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0\n"
              "NodeName="
            + node + " NodeAddr=127.0.0.1 CPUs=" + QByteArray::number(m_cpus)
            + " RealMemory=2000 Gres=gpu:fake:2 State=UNKNOWN\n"
            + "PartitionName=debug Nodes=ALL Default=YES MaxTime=60 State=UP\n"
              "PartitionName=long Nodes=ALL MaxTime=INFINITE State=UP\n"
              "PartitionName=closed Nodes=ALL State=DOWN\n"
            + m_options + '\n'
            + (m_wantsRest ? "AuthAltTypes=auth/jwt\nAuthAltParameters=jwt_key=" + at + "/jwt.key\n" : QByteArray()));
    if (m_wantsRest)
        writeFile(path(u"jwt.key"_s), key.left(32));
    return true;
}

bool SlurmCluster::launch(std::unique_ptr<QProcess>& process, const QStringList& words, const Variables& variables)
{
    process = std::make_unique<QProcess>();
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(u"SLURM_CONF"_s, conf());
    for (auto it = variables.cbegin(); it != variables.cend(); ++it)
        values.insert(it.key(), *it);
    // What runs in a job is not ours to check, and the preloaded libraries of sanitizers would be in each of its processes.
    values.remove(u"LD_PRELOAD"_s);
    process->setProcessEnvironment(values);
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->setStandardOutputFile(path(u"log/%1.out"_s.arg(words.first())), QIODevice::Append);
    process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    process->start(programOf(words.first()), words.mid(1));
    return process->waitForStarted(30'000);
}

bool SlurmCluster::start()
{
    if (const QString lacking = missing(); !lacking.isEmpty())
        return fail(lacking);
    m_cleaner = std::make_unique<QProcess>();
    m_cleaner->start(u"sh"_s,
        {u"-c"_s, QString::fromLatin1(cleaner), u"cleaner"_s, conf(), QString::number(::getpid()), m_folder.path()});
    if (!m_cleaner->waitForStarted(30'000))
        return fail(u"there is no sh"_s);
    if (!writeSettings())
        return false;
    // Without --force munged refuses a folder below /tmp, which is writable for all.
    if (!launch(m_munged,
            {u"munged"_s, u"--foreground"_s, u"--force"_s, u"--key-file="_s + path(u"munge.key"_s),
                u"--socket="_s + path(u"munge.sock"_s), u"--pid-file="_s + path(u"munged.pid"_s),
                u"--log-file="_s + path(u"log/munged.log"_s), u"--seed-file="_s + path(u"munge.seed"_s),
                u"--num-threads=2"_s}))
        return fail(u"munged does not start"_s);
    if (!QTest::qWaitFor([this] { return QFile::exists(path(u"munge.sock"_s)); }, readyMs))
        return fail(u"munged does not listen"_s);
    if (!startController() || !launch(m_daemon, {u"slurmd"_s, u"-D"_s, u"-f"_s, conf()}) || !waitForNode({u"idle"_s})
        || (m_wantsRest && !startRest()))
        return fail(u"the node does not become idle"_s);
    return true;
}

bool SlurmCluster::startController()
{
    if (!launch(m_controller, {u"slurmctld"_s, u"-D"_s, u"-f"_s, conf()}))
        return fail(u"slurmctld does not start"_s);
    const bool answers = QTest::qWaitFor(
        [this] {
            return m_controller->state() == QProcess::NotRunning || run({u"scontrol"_s, u"ping"_s}).exitCode == 0;
        },
        readyMs);
    if (!answers || m_controller->state() != QProcess::Running)
        return false;
    // Beside load Slurm 22.05 sometimes starts without its sched_interval: jobs wait for "Resources" on an idle node until something
    // wakes its scheduler up (3 of some 15 restarts; none of 17 with this).
    return run({u"scontrol"_s, u"reconfigure"_s}).exitCode == 0
        || fail(u"slurmctld does not read its settings again"_s);
}

void SlurmCluster::stopController()
{
    m_controller->terminate();
    if (!m_controller->waitForFinished(60'000)) {
        m_controller->kill();
        m_controller->waitForFinished(5'000);
    }
}

QString SlurmCluster::restUrl() const
{
    return u"http://127.0.0.1:%1"_s.arg(m_restPort.number());
}

QByteArray SlurmCluster::restToken(int seconds) const
{
    return run({u"scontrol"_s, u"token"_s, u"lifespan=%1"_s.arg(seconds)}).out.trimmed().mid(qstrlen("SLURM_JWT="));
}

bool SlurmCluster::startRest()
{
    // It refuses to run as the cluster's own user, and then as root, unless it is told that this is a test.
    // Its plugin for slurmdbd ends it where there is none, so the other one is named, which is another since 23.11.
    const bool isOld = run({u"sinfo"_s, u"--version"_s}).out.contains(" 22.");
    const Variables variables{{u"SLURMRESTD_SECURITY"_s, u"disable_user_check"_s}, {u"SLURM_JWT"_s, u"daemon"_s}};
    if (!launch(m_rest,
            {u"slurmrestd"_s, u"-a"_s, u"rest_auth/jwt"_s, u"-s"_s,
                isOld ? u"openapi/v0.0.38"_s : u"openapi/slurmctld"_s, u"127.0.0.1:%1"_s.arg(m_restPort.number())},
            variables))
        return fail(u"slurmrestd does not start"_s);
    return QTest::qWaitFor(
               [this] {
                   QTcpSocket socket;
                   socket.connectToHost(QHostAddress::LocalHost, quint16(m_restPort.number()));
                   return m_rest->state() == QProcess::NotRunning || socket.waitForConnected(100);
               },
               readyMs)
        && m_rest->state() == QProcess::Running;
}

void SlurmCluster::stopRest()
{
    if (!m_rest)
        return;
    m_rest->kill();
    m_rest->waitForFinished(5'000);
}

bool SlurmCluster::waitForNode(const QStringList& states, int ms)
{
    return QTest::qWaitFor(
        [this, &states] {
            if (m_controller->state() == QProcess::NotRunning || m_daemon->state() == QProcess::NotRunning)
                return false;
            return states.contains(
                QString::fromUtf8(run({u"sinfo"_s, u"-h"_s, u"-N"_s, u"-p"_s, u"debug"_s, u"-o"_s, u"%T"_s}).out)
                    .trimmed());
        },
        ms);
}

bool SlurmCluster::drain(const QString& reason)
{
    return run({u"scontrol"_s, u"update"_s, u"NodeName="_s + m_node, u"State=DRAIN"_s, u"Reason="_s + reason}).exitCode
        == 0;
}

bool SlurmCluster::resume()
{
    return run({u"scontrol"_s, u"update"_s, u"NodeName="_s + m_node, u"State=RESUME"_s}).exitCode == 0;
}

bool SlurmCluster::startRequeued(const QString& job)
{
    return run({u"scontrol"_s, u"update"_s, u"JobId="_s + job, u"StartTime=now+2"_s}).exitCode == 0;
}

QMap<QString, QString> SlurmCluster::environment() const
{
    return {{u"SLURM_CONF"_s, conf()}};
}

SlurmCluster::Output SlurmCluster::run(const QStringList& words, const QByteArray& input) const
{
    QProcess process;
    QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
    values.insert(u"SLURM_CONF"_s, conf());
    values.insert(u"SLURM_TIME_FORMAT"_s, u"%s"_s);
    values.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(values);
    process.start(words.first(), words.mid(1));
    process.write(input);
    process.closeWriteChannel();
    Output output;
    if (!process.waitForFinished(commandMs)) {
        process.kill();
        process.waitForFinished(5'000);
        output.err = process.errorString().toUtf8();
        return output;
    }
    const bool crashed = process.exitStatus() == QProcess::CrashExit;
    output.exitCode = process.exitCode();
    output.signal = crashed ? process.exitCode() : 0;
    output.out = process.readAllStandardOutput();
    output.err = process.readAllStandardError();
    return output;
}

QByteArray SlurmCluster::log() const
{
    QByteArray all;
    for (const QString& name : QDir(path(u"log"_s)).entryList(QDir::Files)) {
        QFile file(path(u"log/"_s + name));
        if (file.open(QIODevice::ReadOnly))
            all += name.toUtf8() + ":\n" + file.readAll().right(3'000) + '\n';
    }
    return all;
}
