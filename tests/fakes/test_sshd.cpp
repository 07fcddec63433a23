// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_sshd.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <csignal>
#include <pwd.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace {

struct Process
{
    qint64 pid = 0;
    qint64 parent = 0;
    QByteArray name;
};

QList<Process> allProcesses()
{
    QList<Process> list;
    for (const QString& entry : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        bool isPid = false;
        const qint64 pid = entry.toLongLong(&isPid);
        const QByteArray stat = isPid ? TestSshd::readFile(u"/proc/%1/stat"_s.arg(pid)) : QByteArray();
        const qsizetype open = stat.indexOf('(');
        const qsizetype close = stat.lastIndexOf(')');
        if (open < 0 || close < open)
            continue;
        const QList<QByteArray> rest = stat.mid(close + 2).split(' ');
        if (rest.value(0) != "Z")
            list += Process{pid, rest.value(1).toLongLong(), stat.mid(open + 1, close - open - 1)};
    }
    return list;
}

} // namespace

QByteArray TestSshd::readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestSshd::writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

bool TestSshd::makeKey(const QString& path, const QString& type, const QString& passphrase)
{
    QFile::remove(path);
    QProcess keygen;
    keygen.start(u"ssh-keygen"_s, {u"-q"_s, u"-t"_s, type, u"-N"_s, passphrase, u"-C"_s, u"test"_s, u"-f"_s, path});
    return keygen.waitForFinished() && keygen.exitCode() == 0;
}

QString TestSshd::userName()
{
    const passwd* entry = ::getpwuid(::getuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : QString();
}

TestSshd::TestSshd(QByteArray options, QByteArray environment)
    : m_options(std::move(options))
    , m_environment(std::move(environment))
{
    QDir().mkpath(home());
    if (!makeKey(userKey()))
        qFatal("no ssh-keygen");
    newHostKey();
    QFile::copy(userKey() + u".pub"_s, m_folder.filePath(u"authorized_keys"_s));
}

TestSshd::~TestSshd()
{
    powerOff();
}

void TestSshd::powerOff()
{
    freeze(false);
    const QList<qint64> sessions = serving();
    stopListening();
    for (const qint64 pid : sessions)
        ::kill(pid_t(pid), SIGKILL);
    // Whatever runs with our folder in its environment was started by a session of ours. None of it sees another one end.
    const QByteArray mark = m_folder.path().toUtf8() + '/';
    QList<Process> started = allProcesses();
    started.removeIf([&mark](const Process& process) {
        return process.pid == getpid() || process.name == "sshd"
            || !readFile(u"/proc/%1/environ"_s.arg(process.pid)).contains("HOME=" + mark);
    });
    for (const int number : {SIGSTOP, SIGKILL})
        for (const Process& process : std::as_const(started))
            ::kill(pid_t(process.pid), number);
}

void TestSshd::newHostKey()
{
    if (!makeKey(m_folder.filePath(u"host_key"_s)))
        qFatal("no ssh-keygen");
}

QByteArray TestSshd::hostPublicKey() const
{
    const QList<QByteArray> words = readFile(m_folder.filePath(u"host_key.pub"_s)).split(' ');
    return words.value(0) + ' ' + words.value(1);
}

QByteArray TestSshd::knownHostsLine() const
{
    return "[127.0.0.1]:" + QByteArray::number(port()) + ' ' + hostPublicKey() + '\n';
}

QByteArray TestSshd::log() const
{
    return readFile(m_folder.filePath(u"log"_s));
}

bool TestSshd::start()
{
    if (::getuid() == 0)
        QDir().mkpath(u"/run/sshd"_s);
    const QByteArray folder = m_folder.path().toUtf8();
    const QByteArray config = m_options + "\nPort " + QByteArray::number(port()) + "\nListenAddress 127.0.0.1\nHostKey "
        + folder + "/host_key\nPidFile none\nAuthorizedKeysFile " + folder
        + "/authorized_keys\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
          "PermitRootLogin yes\nPrintMotd no\nPrintLastLog no\nMaxStartups 500\nLogLevel VERBOSE\nSetEnv HOME="
        + folder + "/home " + m_environment + '\n';
    writeFile(m_folder.filePath(u"config"_s), config);
    const auto listening = [this] { return log().count("Server listening on "); };
    const auto before = listening();
    m_process = std::make_unique<QProcess>();
    QStringList words = m_wrapper;
    words << u"/usr/sbin/sshd"_s << u"-D"_s << u"-E"_s << m_folder.filePath(u"log"_s) << u"-f"_s
          << m_folder.filePath(u"config"_s);
    const QString program = words.takeFirst();
    m_process->start(program, words);
    // No connection of ours tries it: the process that served it would take a place of MaxStartups for a while.
    return QTest::qWaitFor([&] { return listening() > before; }, 30'000);
}

void TestSshd::stopListening()
{
    if (!m_process)
        return;
    m_known = serving();
    m_process->kill(); // not SIGTERM, which would take the connections along
    m_process->waitForFinished();
    m_process.reset();
}

QList<qint64> TestSshd::serving() const
{
    QList<qint64> found = m_known;
    if (m_process && m_process->processId() > 0)
        found += m_process->processId();
    const QList<Process> all = allProcesses();
    for (qsizetype i = 0; i < found.size(); ++i) {
        for (const Process& process : all) {
            if (process.parent == found[i] && process.name == "sshd" && !found.contains(process.pid))
                found += process.pid;
        }
    }
    if (m_process)
        found.removeAll(m_process->processId());
    found.removeIf([&all](qint64 pid) {
        return std::none_of(
            all.begin(), all.end(), [pid](const Process& p) { return p.pid == pid && p.name == "sshd"; });
    });
    return found;
}

void TestSshd::cut()
{
    for (const qint64 pid : serving())
        ::kill(pid_t(pid), SIGKILL);
}

void TestSshd::freeze(bool frozen)
{
    QList<qint64> all = serving();
    if (m_process && m_process->processId() > 0)
        all.append(m_process->processId());
    for (const qint64 pid : std::as_const(all))
        ::kill(pid_t(pid), frozen ? SIGSTOP : SIGCONT);
}
