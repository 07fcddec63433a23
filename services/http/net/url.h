// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"

#include <QByteArrayView>

namespace http {

using namespace core;

/// The segments of a request's path, percent-decoded (none for `/`); a decoded slash stays inside its segment. Nothing for a path that is not
/// absolute, has an empty, `.` or `..` segment, a broken escape, invalid UTF-8 or a control character.
[[nodiscard]] std::optional<QStringList> pathSegments(QByteArrayView path);

/// The parameters of a request's query, read strictly as JsonReader reads members: the first problem is kept, and finish()
/// also refuses parameters that were not read, by name.
class Query
{
public:
    Query() = default;
    /// `text` is what follows the question mark.
    explicit Query(QByteArrayView text);

    [[nodiscard]] bool has(const char* name) const;
    /// Once, not empty.
    void read(const char* name, QString& out);
    /// Within low..high.
    void read(const char* name, qint64& out, qint64 low, qint64 high);
    void read(const char* name, std::optional<qint64>& out, qint64 low, qint64 high);
    void read(const char* name, bool& out);
    /// Several times, or with commas.
    void read(const char* name, QStringList& out);
    void refuse(const Message& message);
    [[nodiscard]] Result<> finish() const;

private:
    struct Parameter
    {
        QString name;
        QString value;
        bool isRead = false;
    };
    std::optional<QString> take(const char* name);

    QList<Parameter> m_parameters;
    std::optional<Error> m_error;
};

} // namespace http
