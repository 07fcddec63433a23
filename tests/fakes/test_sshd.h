// SPDX-License-Identifier: GPL-3.0-or-later
// A real sshd of our own on a loopback port, for the current user: its own keys, settings and home folder, so that several of them
// are several machines.
#pragma once

#include "held_port.h"

#include <QByteArray>
#include <QList>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <memory>

class TestSshd
{
public:
    /// `options` are lines of sshd_config that win over ours; `environment`: NAME=VALUE … of its sessions.
    explicit TestSshd(QByteArray options = {}, QByteArray environment = {});
    ~TestSshd(); ///< ends sshd, its sessions, and every process that has our folder in its environment

    bool start(); ///< true once it listens; no connection was made
    /// No new connections; those that are go on.
    void stopListening();
    /// Every connection ends as if a cable was cut.
    void cut();
    /// Everything that a session of ours started ends, and the sessions, too: a machine that loses its power.
    void powerOff();
    /// Stops and continues sshd with its sessions: silence without a closed connection, also for a new one.
    void freeze(bool frozen);
    /// Words before the program, from the next start() on.
    void setWrapper(const QStringList& words) { m_wrapper = words; }
    void setOptions(const QByteArray& options) { m_options = options; } ///< from the next start() on
    void newHostKey();                                                  ///< from the next start() on

    [[nodiscard]] int port() const { return m_port.number(); }
    [[nodiscard]] QString home() const { return m_folder.filePath(QStringLiteral("home")); } ///< $HOME of its sessions
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] QString userKey() const { return m_folder.filePath(QStringLiteral("user_key")); }
    [[nodiscard]] QByteArray hostPublicKey() const; ///< `TYPE BASE64`
    [[nodiscard]] QByteArray knownHostsLine() const;
    [[nodiscard]] QByteArray log() const;
    [[nodiscard]] int connections() const { return int(serving().size()); }
    /// Makes a key pair at the path.
    static bool makeKey(
        const QString& path, const QString& type = QStringLiteral("ed25519"), const QString& passphrase = {});
    static QString userName();
    static void writeFile(const QString& path, const QByteArray& bytes);
    static QByteArray readFile(const QString& path);

private:
    [[nodiscard]] QList<qint64> serving() const;

    QTemporaryDir m_folder;
    QByteArray m_options;
    QByteArray m_environment;
    QStringList m_wrapper;
    std::unique_ptr<QProcess> m_process;
    mutable QList<qint64> m_known; ///< serving processes of an sshd that stopped listening
    HeldPort m_port;
};
