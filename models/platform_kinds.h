// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_mirror.h"

#include "services/core/json.h"

namespace models {

/// The kinds of platforms of the service and the fields that describe them (GET /platform-kinds), asked for once. GUI thread.
class PlatformKinds : public QObject
{
    Q_OBJECT
public:
    /// `mirror` is not owned and must outlive this.
    explicit PlatformKinds(EngineMirror& mirror, QObject* parent = nullptr);

    /// Asks the service, unless its answer is here or on its way. After a failure the next call asks again.
    void read();
    [[nodiscard]] bool isKnown() const { return m_list.is_array(); }
    /// In the service's order; empty until they are known.
    [[nodiscard]] QStringList names() const;
    /// Empty arrays where the kind is not known or has none.
    [[nodiscard]] core::Json fields(const QString& kind) const;
    [[nodiscard]] core::Json experimentFields(const QString& kind) const;
    /// Whether options of an experiment may say all that runs (`ownRoles`).
    [[nodiscard]] bool hasOwnRoles(const QString& kind) const;
    /// In the language of the window; the kind itself where it is not known.
    [[nodiscard]] QString title(const QString& kind) const;

signals:
    void known();

private:
    [[nodiscard]] const core::Json* find(const QString& kind) const;
    [[nodiscard]] core::Json memberOf(const QString& kind, const char* member) const;

    EngineMirror& m_mirror;
    core::Json m_list; ///< of objects; null: not known yet
    bool m_isAsked = false;
};

/// Calls `done` later with the values that a field may take, or with the sentence why they are not known. Not once `mirror` is gone.
void askChoices(EngineMirror& mirror, const api::PlatformChoices& question,
    const std::function<void(const QStringList& choices, const QString& problem)>& done);

} // namespace models
