// SPDX-License-Identifier: GPL-3.0-or-later
// Ways from outside into a running job of DLTS: what is asked for, and where it is then. Pure. Names and ports are as its RestfulAPI allows.
#pragma once

#include "services/platforms/json_members.h"
#include "services/core/result.h"

#include <QStringList>

namespace platforms::dlts {

struct Endpoint
{
    QString name;    ///< at most 16 characters
    int podPort = 0; ///< in the container, 40000 to 49999; 0: of the name, which is ssh, ipython or tensorboard

    bool operator==(const Endpoint&) const = default;
};

/// Of the option `endpoints`: those names and ports, separated by commas or spaces; each once, names first. Kind::invalid: something else.
[[nodiscard]] Result<QList<Endpoint>> readEndpoints(const QString& option);
/// What a job was asked to have when it was handed over (jobDocument()), from its parameters.
[[nodiscard]] QList<Endpoint> wishedEndpoints(const Json& parameters);
/// The body of `POST …/endpoints`.
[[nodiscard]] QByteArray endpointsBody(const QList<Endpoint>& endpoints);

/// One that the job has.
struct JobEndpoint
{
    QString name;
    bool isOpen = false;
    QString address; ///< for a person; empty: not open, or of no host that can be one
};
/// `GET …/endpoints`.
[[nodiscard]] Result<QList<JobEndpoint>> readJobEndpoints(const Json& json);

} // namespace platforms::dlts
