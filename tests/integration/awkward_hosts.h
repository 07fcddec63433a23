// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts as they are found in the world: what is awkward about each, how an sshd on loopback is made so, and what must be true there.
#pragma once

#include "services/core/json.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

/// A host of its own: an sshd in a mount namespace of its own, with an account of its own user id. The scripts are sh, run by root with
/// `set -eu`, H (the account's home), F (the folder of this host, which everybody may enter) and U (the account's user id).
struct AwkwardHost
{
    const char* name = "";
    bool always = false;       ///< also by day
    const char* guards = "";   ///< why it is among those of the day
    QByteArray sshd = {};      ///< lines of sshd_config; %F is the host's folder
    QByteArray shell = {};     ///< the account's login shell, /bin/bash by default; %F as above
    const char* home = "home"; ///< its name below F
    QByteArray files = {};     ///< makes files in H, which then belong to the account
    QByteArray inside = {};    ///< runs after that, before sshd: mounts, owners, modes
    QStringList wrapper = {};  ///< words before sshd
    core::Json machine = {};   ///< members of the machine's settings; %F as above
    QStringList needs = {};    ///< programs without which there is no such host
    const char* keyType = "";  ///< of the host's key, ed25519 by default
    const char* address = "127.0.0.1";
    QStringList says = {}; ///< what the sentence must contain that says what is wrong; empty: the trial runs to its end
};

[[nodiscard]] const QList<AwkwardHost>& awkwardHosts();
