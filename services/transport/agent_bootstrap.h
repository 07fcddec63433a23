// SPDX-License-Identifier: GPL-3.0-or-later
// How an agent comes to a machine that has nothing but an account with a shell: one command, run by whatever shell the account
// has, which finds the agent of its processor, or takes it from its standard input, and becomes it. Pure.
#pragma once

#include "services/core/result.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace transport {

using namespace core;

/// A trialkeeper of one processor.
struct KeeperFile
{
    QString arch; ///< as `uname -m` says
    QString path;
    QByteArray sha256; ///< hexadecimal
    qint64 size = 0;
};

/// Where the agent lives, and what it starts with; texts of the person's, which travel on standard input, never on a command line.
struct AgentPlace
{
    QString base;  ///< empty: ~/.local/share/trialdeck-agent
    QString path;  ///< goes before PATH
    QString setup; ///< a line of shell, run first
};

/// The end of what a machine printed, on one line and cut to what a sentence can hold.
[[nodiscard]] QString quoted(const QString& printed);

class AgentBootstrap
{
public:
    enum class Event { none, send, run, failed };

    /// `nonce`: what marks lines as ours among whatever a login shell prints.
    AgentBootstrap(QList<KeeperFile> keepers, AgentPlace place, const QByteArray& nonce);

    /// For the account's shell, whatever it is: one line without ' \ and !.
    [[nodiscard]] QByteArray command() const;
    /// For standard input, at once.
    [[nodiscard]] QByteArray preamble() const;
    /// What the machine printed; ask again with nothing until `none`.
    [[nodiscard]] Event feed(const QByteArray& bytes);

    [[nodiscard]] const KeeperFile& wanted() const { return m_wanted; }         ///< of Event::send
    [[nodiscard]] QByteArray takeRest() { return std::exchange(m_buffer, {}); } ///< behind Event::run
    [[nodiscard]] const Error& error() const { return m_error; }                ///< of Event::failed
    /// What else was printed: a shell that greets, though nobody is there.
    [[nodiscard]] QString noise() const { return QString::fromUtf8(m_noise).trimmed(); }
    /// The end of all that was printed and is not ours, with a line that has no end yet.
    [[nodiscard]] QString lastPrinted() const { return QString::fromUtf8(m_recent + m_buffer).trimmed(); }
    [[nodiscard]] QString arch() const { return m_arch; }
    [[nodiscard]] bool sent() const { return m_sent; }
    /// For a command that ended before the agent ran; `byHand` shows a person what the shell does with one.
    [[nodiscard]] Error endedEarly(int exitCode, const QString& standardError, const QString& byHand) const;
    /// error() with what was printed on standard error before it, where the machine has a preCommand.
    [[nodiscard]] Error failedAfter(const QString& standardError) const;

private:
    void addNoise(const QByteArray& bytes);
    Error refusal(const QByteArray& what, const QString& detail) const;

    QList<KeeperFile> m_keepers;
    AgentPlace m_place;
    QByteArray m_mark;
    QByteArray m_buffer;
    QByteArray m_noise;  ///< its beginning
    QByteArray m_recent; ///< its end
    KeeperFile m_wanted;
    QString m_arch;
    Error m_error;
    bool m_sent = false;
    bool m_failedInSetup = false;
};

} // namespace transport
