// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"

#include <QProcess>

namespace fakes {

/// A stand-in for the server of a cluster (tests/peers/stand_ins) as a program beside the test. It and its jobs end with this object.
class StandIn
{
public:
    ~StandIn();

    /// `script`: `openpai_server.py`; `given`: how many NAME=VALUE lines it prints. False: error().
    bool start(const QString& script, const QStringList& arguments, int given);
    [[nodiscard]] const QString& error() const { return m_error; }
    /// A value that it printed.
    [[nodiscard]] QString value(const QString& name) const { return m_values.value(name); }
    [[nodiscard]] QString url() const { return value(QStringLiteral("url")); }

    /// POST and GET of /control/…, waiting with an event loop; null after a failure, which is a warning.
    core::Json post(const QString& control, const core::Json& body = core::Json::object());
    core::Json get(const QString& control);

private:
    core::Json ask(const QString& control, const QByteArray& body, bool isPost);

    QProcess m_process;
    QHash<QString, QString> m_values;
    QString m_error;
};

} // namespace fakes
