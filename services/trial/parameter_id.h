// SPDX-License-Identifier: GPL-3.0-or-later
// The id that a tuner gave a set of parameters. Metrics carry it where it is a number. Pure.
#pragma once

#include <QByteArray>

namespace trial {

/// The characters of `parameter_id` of a trial's parameter.cfg where that is a text (NNI's Hyperband: "0-2_0_0"), else empty.
[[nodiscard]] QByteArray textParameterId(const QByteArray& parameterCfg);

} // namespace trial
