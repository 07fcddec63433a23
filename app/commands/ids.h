// SPDX-License-Identifier: GPL-3.0-or-later
// From what a person writes to an id: the whole id, a unique beginning or end of one, `12`, `E/12`, or `@last`.
#pragma once

#include "app/client/service_client.h"

#include <QStringList>

namespace commands {

using namespace app;

/// How a text for a trial parses, without asking the service.
struct TrialText
{
    enum class Kind { word, sequence, last };
    Kind kind = Kind::word;
    QString word; ///< of a word: id, or a part of one
    qint64 sequence = 0;
    QString experiment; ///< of a sequence or `E/@last`; empty: the newest experiment
    bool operator==(const TrialText&) const = default;
};
/// Pure. Kind::invalid for what can be no trial's name.
[[nodiscard]] Result<TrialText> parseTrialText(const QString& text);

/// Pure. The one of `ids` that is `text`, or begins or ends with it; `noun` is for the sentence: Kind::not_found when none does,
/// Kind::conflict when several do.
[[nodiscard]] Result<QString> pickId(const QString& text, const QStringList& ids, const QString& noun);

/// The trial's document (GET /trials/{id}).
[[nodiscard]] Result<Json> findTrial(ServiceClient& client, const QString& text);
/// Several, in the order written; each of them once.
[[nodiscard]] Result<QList<Json>> findTrials(ServiceClient& client, const QStringList& texts);
/// The experiment's document.
[[nodiscard]] Result<Json> findExperiment(ServiceClient& client, const QString& text);
/// An id among the entries of a list reply: `GET path` gives `{list: [{id}…]}`.
[[nodiscard]] Result<QString> findListed(
    ServiceClient& client, const QString& path, const char* list, const QString& text, const QString& noun);

/// Calls `each` with every page of trials that fit; stops early when it returns false.
[[nodiscard]] Result<> pageTrials(
    ServiceClient& client, QUrlQuery query, const std::function<bool(const Json& trials)>& each);

} // namespace commands
