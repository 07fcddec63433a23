// SPDX-License-Identifier: GPL-3.0-or-later
// YAML as JSON, with the line of each member. The only place that knows yaml-cpp; its exceptions end here.
#pragma once

#include "services/core/json.h"

#include <QHash>

namespace yaml {

using namespace core;

struct YamlDocument
{
    Json value;
    QHash<QString, int> lines;   ///< from 1, by path: `trial.command`, `machineList[0].ip`
    QHash<QString, int> columns; ///< from 1, in bytes, of the same paths
};

inline constexpr qsizetype maxBytes = 1024 * 1024;
inline constexpr int maxValues = 100'000; ///< after aliases are put in
inline constexpr int maxDepth = 64;

/// One document. Plain words mean what they mean to PyYAML, which NNI reads its files with, except that `1e-3` is a number; no
/// tags but YAML's own. Kind::invalid with line and column when it is no YAML or no UTF-8, leaves a quote open, has a key twice, or
/// is beyond a limit above.
[[nodiscard]] Result<YamlDocument> parseYaml(QByteArrayView text);

} // namespace yaml
