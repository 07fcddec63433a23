// SPDX-License-Identifier: GPL-3.0-or-later
// A real Kubernetes of one node (tests/peers/kubernetes_lab.py), in namespaces of its own. As root alone.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

class KubernetesNode
{
public:
    ~KubernetesNode(); ///< ends the node and all that ran on it; it also ends when this process dies

    /// Starts it, with these options of kubernetes_lab.py; where its programs are not there yet, builds them, which takes a quarter of an
    /// hour. False: missing() says why there can be none here, or error() what went wrong.
    [[nodiscard]] bool start(const QStringList& options = {});
    [[nodiscard]] QString missing() const { return m_missing; }
    [[nodiscard]] QString error() const { return m_error; }

    [[nodiscard]] QString kubeconfig() const { return m_kubeconfig; }
    /// Has the node do something (kubernetes_lab.py --help) and returns what it answered. A failure ends the test.
    QString command(const QStringList& words);
    /// Puts one of the kept images on the node: `python`, `static`. Its name.
    [[nodiscard]] QString image(const QString& name) { return command({QStringLiteral("image"), name}); }

private:
    QProcess m_process;
    QString m_missing;
    QString m_error;
    QString m_kubeconfig;
};
