// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform_kinds.h"

#include "services/core/message/localized.h"
#include "services/core/message/message_json.h"

#include <QPointer>

namespace models {

using core::Json;

PlatformKinds::PlatformKinds(EngineMirror& mirror, QObject* parent)
    : QObject(parent)
    , m_mirror(mirror)
{
}

void PlatformKinds::read()
{
    if (isKnown() || m_isAsked)
        return;
    m_isAsked = true;
    m_mirror.execute(api::ReadPlatformKinds{}, [self = QPointer(this)](const core::Result<api::Reply>& reply) {
        if (!self)
            return;
        self->m_isAsked = false;
        const core::Result<Json> document = reply ? client::documentOf(*reply) : core::Result<Json>(core::fail(reply));
        if (!document || !document->is_object())
            return;
        const auto kinds = document->find("kinds");
        if (kinds == document->end() || !kinds->is_array())
            return;
        self->m_list = Json::array();
        for (const Json& kind : *kinds)
            if (kind.is_object() && kind.contains("kind") && kind["kind"].is_string())
                self->m_list.push_back(kind);
        emit self->known();
    });
}

QStringList PlatformKinds::names() const
{
    QStringList names;
    if (isKnown())
        for (const Json& kind : m_list)
            names += kind["kind"].get<QString>();
    return names;
}

const Json* PlatformKinds::find(const QString& kind) const
{
    if (isKnown())
        for (const Json& one : m_list)
            if (one["kind"].get<QString>() == kind)
                return &one;
    return nullptr;
}

Json PlatformKinds::memberOf(const QString& kind, const char* member) const
{
    const Json* one = find(kind);
    const auto found = one ? one->find(member) : Json::const_iterator();
    return one && found != one->end() && found->is_array() ? *found : Json::array();
}

Json PlatformKinds::fields(const QString& kind) const
{
    return memberOf(kind, "fields");
}

Json PlatformKinds::experimentFields(const QString& kind) const
{
    return memberOf(kind, "experimentFields");
}

bool PlatformKinds::hasOwnRoles(const QString& kind) const
{
    const Json* one = find(kind);
    const auto found = one ? one->find("ownRoles") : Json::const_iterator();
    return one && found != one->end() && found->is_boolean() && found->get<bool>();
}

QString PlatformKinds::title(const QString& kind) const
{
    const Json* one = find(kind);
    return one ? core::localized(core::readMessage(*one, "title")) : kind;
}

void askChoices(EngineMirror& mirror, const api::PlatformChoices& question,
    const std::function<void(const QStringList& choices, const QString& problem)>& done)
{
    mirror.ask(question, [done](const core::Result<api::Reply>& reply) {
        const auto document = reply ? client::documentOf(*reply) : core::Result<Json>(core::fail(reply));
        if (!document)
            return done({}, core::localized(document.error().message));
        QStringList choices;
        if (const auto list = document->find("choices"); list != document->end() && list->is_array())
            for (const Json& choice : *list)
                if (choice.is_string())
                    choices += choice.get<QString>();
        done(choices, {});
    });
}

} // namespace models
