// SPDX-License-Identifier: GPL-3.0-or-later
#include "exec_credential.h"

#include "services/core/printable.h"
#include "services/transport/http/redaction.h"
#include "services/transport/http/wire/response_head.h"

#include <QDateTime>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

constexpr qsizetype mostErrorLines = 3;
constexpr qsizetype longestHint = 300;
constexpr int notThere = 127;
constexpr int notExecutable = 126;

tl::unexpected<Error> uselessAnswer(const Message& why)
{
    return fail(Kind::auth,
        u"The plugin that gives the cluster's credentials answered, but %1 Run it by hand to see what it prints."_m.arg(
            why));
}

/// The last lines that a program printed, in one line, without what looks like a secret.
QString lastWords(const QByteArray& errors)
{
    QStringList kept;
    const QString text = QString::fromUtf8(errors.last(std::min<qsizetype>(errors.size(), 4'096)));
    for (const QString& line : text.split(u'\n')) {
        const QString shown = printable(transport::redacted(line.trimmed()), 200);
        if (!shown.isEmpty())
            kept += shown;
    }
    return kept.mid(std::max<qsizetype>(0, kept.size() - mostErrorLines)).join(u" / "_s);
}

} // namespace

QByteArray execInfo(const QString& apiVersion, const Json& cluster)
{
    Json json = {
        {"kind", "ExecCredential"}, {"apiVersion", apiVersion.toStdString()}, {"spec", {{"interactive", false}}}};
    if (!cluster.is_null())
        json["spec"]["cluster"] = cluster;
    return dumpJson(json);
}

Result<ExecCredential> readExecCredential(const QByteArray& output, const QString& apiVersion)
{
    if (output.trimmed().isEmpty())
        return uselessAnswer(u"it printed nothing."_m);
    const Result<Json> json = parseJson(output);
    if (!json)
        return uselessAnswer(u"what it printed is no JSON."_m);
    if (textOf(*json, "kind") != "ExecCredential"_L1)
        return uselessAnswer(u"what it printed is no ExecCredential."_m);
    if (textOf(*json, "apiVersion") != apiVersion)
        return uselessAnswer(
            u"in another version than the kubeconfig's %1: correct apiVersion there."_m.arg(apiVersion));
    const Json* status = memberOf(*json, "status");
    if (!status || !status->is_object())
        return uselessAnswer(u"it printed no status: it gave no credentials."_m);
    for (const char* name : {"token", "clientCertificateData", "clientKeyData", "expirationTimestamp"}) {
        const Json* member = memberOf(*status, name);
        if (member && !member->is_null() && !member->is_string())
            return uselessAnswer(u"its %1 is no text."_m.arg(QString::fromLatin1(name)));
    }
    ExecCredential credential;
    credential.token = textOf(*status, "token").trimmed().toUtf8();
    credential.certificate = textOf(*status, "clientCertificateData").toUtf8();
    credential.key = textOf(*status, "clientKeyData").toUtf8();
    if (!transport::isFieldValue(credential.token))
        return uselessAnswer(u"its token holds characters that none has."_m);
    if (credential.certificate.isEmpty() != credential.key.isEmpty())
        return uselessAnswer(u"it gave a client certificate without its key, or a key without its certificate."_m);
    if (credential.token.isEmpty() && credential.certificate.isEmpty())
        return uselessAnswer(u"it gave neither a token nor a client certificate."_m);
    if (const QString expiry = textOf(*status, "expirationTimestamp"); !expiry.isEmpty()) {
        const QDateTime time = QDateTime::fromString(expiry, Qt::ISODateWithMs);
        if (!time.isValid())
            return uselessAnswer(u"its expirationTimestamp is no time."_m);
        credential.expiresMs = time.toMSecsSinceEpoch();
    }
    return credential;
}

Error execError(const ExecPlugin& plugin, const ExecEnd& end)
{
    const QString program = printable(plugin.command, 150);
    const QString words = lastWords(end.errors);
    if (end.timedOut)
        return {Kind::timeout,
            u"The program %1, which gives the cluster's credentials, did not end in time. Run it by hand: it may want a login."_m
                .arg(program),
            words};
    if (end.cut)
        return {Kind::auth,
            u"The program %1, which gives the cluster's credentials, printed more than any credentials."_m.arg(program),
            words};
    if (end.exitCode == notThere || end.exitCode == notExecutable) {
        const Message missing = end.exitCode == notThere
            ? u"The program %1, which gives the cluster's credentials, is not there. Install it, or give its path in the kubeconfig."_m
                  .arg(program)
            : u"The program %1, which gives the cluster's credentials, cannot be executed."_m.arg(program);
        const QString hint = printable(plugin.installHint.trimmed(), longestHint);
        return {Kind::auth, hint.isEmpty() ? missing : missing + u' ' + u"The kubeconfig says: %1"_m.arg(hint), words};
    }
    if (words.isEmpty())
        return {Kind::auth,
            u"The program %1, which gives the cluster's credentials, failed (exit code %2) and said nothing."_m
                .arg(program)
                .arg(end.exitCode),
            {}};
    return {Kind::auth,
        u"The program %1, which gives the cluster's credentials, failed (exit code %2): %3"_m.arg(program)
            .arg(end.exitCode)
            .arg(words),
        words};
}

} // namespace platforms::kubernetes
