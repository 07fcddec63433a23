// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that the HTTP side makes: answers, problem documents (RFC 9457), and the one table from Kind to status.
#pragma once

#include "services/api/command.h"
#include "services/api/mirror.h"

namespace http {

using namespace core;

struct Answer
{
    int status = 200;
    QByteArray contentType = "application/json";
    QByteArray body;
    QList<std::pair<QByteArray, QByteArray>> headers;

    void setHeader(const QByteArray& name, const QByteArray& value) { headers.emplaceBack(name, value); }
};

[[nodiscard]] QByteArray statusText(int status); ///< `Not Found`

/// The status of what the engine refused; `ifMatch`: the request named the version it changes.
[[nodiscard]] int statusOf(const Error& error, bool ifMatch = false);

/// A problem document. `detail` is a sentence for a person.
[[nodiscard]] Answer problem(int status, Kind kind, const Message& detail);
/// Of a request that could not be read: Kind::invalid is 400 here.
[[nodiscard]] Answer requestProblem(const Error& error, bool ifMatch = false);
/// Of an engine's refusal.
[[nodiscard]] Answer engineProblem(const Error& error, bool ifMatch = false);

/// What an engine's reply is as an answer: 200, 201 or 202. `fallback` is the body of a reply that holds none.
[[nodiscard]] Answer answerOf(const api::Reply& reply, QByteArray fallback);

/// `"EPOCH.REVISION"` with quotes.
[[nodiscard]] QByteArray revisionTag(const api::Mirror& mirror);

} // namespace http
