// SPDX-License-Identifier: GPL-3.0-or-later
// One connection of a trial that speaks HTTP/1: reads a post within its limits, answers it, then reads the next.
#pragma once

#include "ingest_core.h"

namespace http {

/// Takes over a connection that was just accepted.
std::shared_ptr<Connection> startIngestSession(const std::shared_ptr<IngestCore>& core, LinkPtr link);

} // namespace http
