// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubernetes_node.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace {

constexpr int startMs = 3'000'000; ///< with the build of its programs
constexpr int commandMs = 180'000;
constexpr int missingCode = 77;

/// The next line that the process prints; empty: it ended, or the time did.
QString lineOf(QProcess& process, int ms)
{
    QElapsedTimer time;
    time.start();
    while (!process.canReadLine()) {
        const qint64 left = ms - time.elapsed();
        if (left <= 0 || (!process.waitForReadyRead(int(left)) && !process.canReadLine()))
            return {};
    }
    return QString::fromUtf8(process.readLine()).trimmed();
}

} // namespace

KubernetesNode::~KubernetesNode()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(60'000)) {
        m_process.kill();
        m_process.waitForFinished(5'000);
    }
}

bool KubernetesNode::start(const QStringList& options)
{
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.start(u"python3"_s,
        QStringList{u"-B"_s, QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/peers/kubernetes_lab.py")} + options);
    for (;;) {
        const QString line = lineOf(m_process, startMs);
        if (line.isEmpty())
            break;
        if (line.startsWith("kubeconfig="_L1))
            m_kubeconfig = line.mid(11);
        if (line.startsWith("ready="_L1))
            return true;
    }
    const bool hasEnded = m_process.waitForFinished(5'000);
    const QString words = QString::fromUtf8(m_process.readAllStandardError()).trimmed().right(2'000);
    (hasEnded && m_process.exitCode() == missingCode ? m_missing : m_error) =
        words.isEmpty() ? u"the Kubernetes node did not start"_s : words;
    return false;
}

QString KubernetesNode::command(const QStringList& words)
{
    QStringList quoted;
    for (QString word : words)
        quoted.append(u'\'' + word.replace(u'\'', u"'\\''"_s) + u'\'');
    m_process.write(quoted.join(u' ').toUtf8() + '\n');
    const QString answer = lineOf(m_process, commandMs);
    if (answer != u"ok"_s && !answer.startsWith("ok "_L1))
        qFatal("%s: %s", qPrintable(words.join(u' ')), qPrintable(answer));
    return answer.mid(3);
}
