// SPDX-License-Identifier: GPL-3.0-or-later
// resources/api/openapi.yaml as tests read it: what is documented, and whether a reply is.
#pragma once

#include "services/core/json.h"

namespace contract {

using core::Json;

class OpenApiDocument
{
public:
    /// Throws as yaml-cpp does when the document cannot be read.
    OpenApiDocument();

    [[nodiscard]] const Json& root() const { return m_root; }
    [[nodiscard]] const Json& paths() const { return m_root["paths"]; }
    [[nodiscard]] const Json& resolved(const Json& node) const; ///< follows $ref
    /// What is wrong with `value` by `schema`, in words that begin with `where`; empty: nothing.
    [[nodiscard]] QString problem(const Json& schema, const Json& value, const QString& where) const;
    /// What is wrong with a reply to an operation, its status and media type included; empty: nothing. `method` in lower case.
    [[nodiscard]] QString replyProblem(const std::string& path, const std::string& method, int status,
        const QByteArray& contentType, const QByteArray& body) const;

    static const QStringList methods; ///< in lower case

private:
    Json m_root;
};

} // namespace contract
