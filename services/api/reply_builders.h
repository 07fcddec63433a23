// SPDX-License-Identifier: GPL-3.0-or-later
// Documents that answer a reader, made of records: for the engine, and for an archive that only holds them. Pure.
#pragma once

#include "command.h"
#include "series_reply.h"

#include "services/series/pyramid.h"

namespace api {

/// The reply to ReadSeries: add() once a trial, in their order.
class SeriesReplyBuilder
{
public:
    explicit SeriesReplyBuilder(const ReadSeries& command);
    void add(const TrialId& trial, const series::Pyramid& pyramid);
    [[nodiscard]] Reply reply();

private:
    ReadSeries m_command;
    series::Query m_query;
    std::shared_ptr<SeriesReply> m_reply;
};

/// Puts a metric into a curve when it holds a value of that name.
void appendToCurve(series::Pyramid& pyramid, const Metric& metric, const QString& name);

/// The reply to ReadFailures: failed ones among these by their cause, the most frequent first.
[[nodiscard]] Reply failuresReply(const QList<const Trial*>& trials);

/// Between a trial's reason and the last line that it said in this log.
[[nodiscard]] Message errorLineMark(const QString& log);

} // namespace api
