// SPDX-License-Identifier: GPL-3.0-or-later
// What ReadSeries answers: as values in this process, as text for those in another one.
#pragma once

#include "services/core/ids.h"
#include "services/core/result.h"

#include <memory>
#include <vector>

namespace api {

/// What a column of pixels shows of one curve. A value that is no number is NaN.
struct SeriesColumn
{
    double x = 0;
    double min = 0;
    double max = 0;
    double first = 0;
    double last = 0;
    double firstX = 0; ///< where `first` and `last` were reported
    double lastX = 0;
    qint64 count = 0;
    qint64 nanCount = 0;
};

struct SeriesCurve
{
    core::TrialId trial;
    qint64 total = 0; ///< values of the whole curve
    double from = 0;
    double to = 0;
    std::vector<SeriesColumn> columns; ///< those that hold values

    /// Whether the columns tell every value.
    [[nodiscard]] bool isRaw() const;
    [[nodiscard]] qint64 count() const; ///< values inside from..to
};

struct SeriesReply
{
    QString metric;
    QString x;
    std::vector<SeriesCurve> curves;
};

/// The body of the answer to POST /series.
[[nodiscard]] QByteArray seriesText(const SeriesReply& reply);
/// Its curves; Kind::internal for anything else.
[[nodiscard]] core::Result<std::vector<SeriesCurve>> parseSeries(QByteArrayView json);

} // namespace api
