// SPDX-License-Identifier: GPL-3.0-or-later
#include "aml_place.h"

#include <QRegularExpression>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace platforms::aml {

namespace {

bool matches(const QString& text, const QString& pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(text).hasMatch();
}

} // namespace

QString WorkspacePlace::providerId() const
{
    return u"/subscriptions/%1/resourceGroups/%2/providers/Microsoft.MachineLearningServices"_s.arg(
        subscription, group);
}

QString WorkspacePlace::id() const
{
    return providerId() + u"/workspaces/"_s + workspace;
}

Result<WorkspacePlace> workspacePlace(const Json& settings)
{
    WorkspacePlace place;
    place.subscription = textOf(settings, "subscriptionId").trimmed();
    place.group = textOf(settings, "resourceGroup").trimmed();
    place.workspace = textOf(settings, "workspaceName").trimmed();
    if (!matches(place.subscription, u"[A-Za-z0-9-]{1,64}"_s))
        return fail(Kind::invalid,
            u"subscriptionId: \"%1\" is no id of a subscription, as az account list prints them."_m.arg(
                place.subscription));
    if (!matches(place.group, u"[\\p{L}\\p{N}_().-]{0,89}[\\p{L}\\p{N}_()-]"_s))
        return fail(Kind::invalid, u"resourceGroup: \"%1\" is no name of a resource group."_m.arg(place.group));
    if (!matches(place.workspace, u"[A-Za-z0-9][A-Za-z0-9_-]{2,32}"_s))
        return fail(Kind::invalid, u"workspaceName: \"%1\" is no name of a workspace."_m.arg(place.workspace));
    return place;
}

QByteArray targetOf(const QString& id, const QByteArray& query)
{
    QByteArray target = QUrl::toPercentEncoding(id, "/()") + '?' + apiVersion;
    if (!query.isEmpty())
        target += '&' + query;
    return target;
}

QString nameIn(const QString& id)
{
    return id.mid(id.lastIndexOf(u'/') + 1);
}

} // namespace platforms::aml
