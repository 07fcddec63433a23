// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_reason.h"

#include "services/core/printable.h"

#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms::kubernetes {

namespace {

bool saysAny(const QString& text, std::initializer_list<QLatin1StringView> words)
{
    return std::any_of(
        words.begin(), words.end(), [&text](QLatin1StringView one) { return text.contains(one, Qt::CaseInsensitive); });
}

/// The end of what the runtime and the registry say, each in front of the other: there the cause stands.
QString lastCause(const QString& message)
{
    QString text = message.trimmed();
    if (const qsizetype at = text.lastIndexOf(" desc = "_L1); at >= 0)
        text = text.mid(at + 8);
    return printable(text.size() > 300 ? u"\u2026"_s + text.right(300) : text);
}

WaitingReason pullReason(const QString& image, const QString& message)
{
    QString said = message; // without the name, which may hold any of the words below
    if (!image.isEmpty())
        said.remove(image);
    const auto because = [&message](Message sentence, bool needsAPerson) {
        if (const QString cause = lastCause(message); !cause.isEmpty())
            sentence += u" (%1)"_m.arg(cause);
        return WaitingReason{sentence, needsAPerson};
    };
    // An answer of Docker Hub names both causes where it does not want to say whether the image is there.
    if (saysAny(said, {"may require"_L1, "repository does not exist or"_L1}))
        return because(
            u"The registry has no image %1, or shows it only to who has signed in. Correct the image, or set an image pull secret."_m
                .arg(image),
            true);
    if (saysAny(said, {"toomanyrequests"_L1, "too many requests"_L1, "rate limit"_L1}))
        return because(
            u"The registry limits how often images are downloaded, and does not give %1 now. It is tried again."_m.arg(
                image),
            false);
    if (saysAny(
            said, {"no match for platform"_L1, "no matching manifest"_L1, "does not match the specified platform"_L1}))
        return because(
            u"The image %1 is not there for the processor of its node. Choose another image, or other nodes."_m.arg(
                image),
            true);
    if (saysAny(said,
            {"unauthorized"_L1, "forbidden"_L1, "denied"_L1, "insufficient_scope"_L1, "no basic auth"_L1,
                "authentication required"_L1, "authorization failed"_L1}))
        return because(
            u"The registry does not let the cluster have the image %1. Set an image pull secret that may."_m.arg(image),
            true);
    if (saysAny(said, {"x509:"_L1, "certificate"_L1, "server gave HTTP response to HTTPS client"_L1}))
        return because(
            u"The node does not trust the registry of the image %1. An administrator must set the registry's certificate."_m
                .arg(image),
            true);
    if (saysAny(said, {"no space left"_L1}))
        return because(u"The disk of its node is full, so the image %1 cannot be stored."_m.arg(image), false);
    if (saysAny(said, {"not found"_L1, "manifest unknown"_L1, "name unknown"_L1, "does not exist"_L1}))
        return because(u"The registry has no image %1. Correct its name or its tag."_m.arg(image), true);
    if (saysAny(said,
            {"no such host"_L1, "i/o timeout"_L1, "connection refused"_L1, "connection reset"_L1, "timeout"_L1,
                "deadline exceeded"_L1, "no route to host"_L1, "network is unreachable"_L1, "RegistryUnavailable"_L1,
                "503 Service"_L1, "502 Bad"_L1, ": EOF"_L1}))
        return because(
            u"The registry of the image %1 does not answer its node. It is tried again; if it stays so, look at the registry's name and the network."_m
                .arg(image),
            false);
    return because(u"The image %1 cannot be downloaded. It is tried again."_m.arg(image), false);
}

} // namespace

WaitingReason imageReason(const QString& word, const QString& image, const QString& message)
{
    const QString name = image.isEmpty() ? u"?"_s : printable(image, 300);
    if (word == "InvalidImageName"_L1)
        return {u"\"%1\" is no name of an image. Correct it in the settings."_m.arg(name), true};
    if (word == "ErrImageNeverPull"_L1)
        return {
            u"Its node does not have the image %1 and may not download it (imagePullPolicy: Never)."_m.arg(name), true};
    if (word == "RegistryUnavailable"_L1)
        return pullReason(name, message.isEmpty() ? word : word + u": "_s + message);
    if (word == "ErrImagePull"_L1 || word == "ImagePullBackOff"_L1)
        return pullReason(name, message);
    if (word == "ImageInspectError"_L1)
        return {u"Its node cannot read the image %1 (%2)."_m.arg(name, lastCause(message)), true};
    if (word == "SignatureValidationFailed"_L1)
        return {u"The signature of the image %1 is not accepted (%2)."_m.arg(name, lastCause(message)), true};
    return {};
}

} // namespace platforms::kubernetes
