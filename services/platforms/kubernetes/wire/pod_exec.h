// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/platforms/kubernetes/exec_channels.h"
#include "services/platforms/kubernetes/kube_client.h"

#include <functional>

namespace platforms::kubernetes {

/// What a command's standard input is made of: the next bytes, empty at the end.
using PodInput = std::function<Task<Result<QByteArray>>()>;

struct PodRun
{
    static constexpr qsizetype maxBytes = 16 * 1024; ///< of each that is kept, the last ones

    int exitCode = 0;
    QByteArray output;
    QByteArray errors;
};

/// Runs a command in a container to its end. An error: it did not run (Kind::auth: the right is missing; not_found: the pod or its
/// container is gone), or its connection ended before its end was told, so that it may run on; or the error of `input`. `client` outlives it.
[[nodiscard]] Task<Result<PodRun>> runInPod(
    KubeClient* client, PodCommand command, PodInput input, std::stop_token stop);

} // namespace platforms::kubernetes
