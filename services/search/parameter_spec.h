// SPDX-License-Identifier: GPL-3.0-or-later
// The command line's short spelling of a search space. Pure.
#pragma once

#include "services/core/json.h"
#include "services/core/result.h"

#include <QString>
#include <QStringList>

namespace search {

using namespace core;

/// One SPEC to one entry of NNI's search space:
/// `1e-4..1e-1` uniform · `log:1e-4..1e-1` loguniform · `int:1..9` randint, both ends included · `1,2,4`, `adam,sgd`,
/// `x` choice. What is written as a number stays one (`1` whole, `0.5` and `1e3` not); everything else is a string.
/// Kind::invalid otherwise.
[[nodiscard]] Result<Json> specToSearchSpaceEntry(const QString& spec);

/// `NAME=SPEC` words to a search space, in their order; the first `=` separates. Kind::invalid names the word that is
/// wrong.
[[nodiscard]] Result<Json> parseAssignments(const QStringList& words);

} // namespace search
