// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that trials post, and those of NNI's keeper.
#include "fuzz_driver.h"

#include "services/core/json_scanner.h"
#include "services/trial/posted_metrics.h"
#include "services/trial/raw_json.h"

#include <QUtf8StringView>

using namespace trial;

static void check(const std::vector<PostedMetric>& metrics, QByteArrayView body)
{
    require(qsizetype(metrics.size()) <= maxPostedLines, "a body has no more records than are taken");
    qsizetype size = 0;
    for (const PostedMetric& posted : metrics) {
        const QByteArray& data = posted.metric.data;
        size += data.size();
        require(posted.offset >= 0, "offsets are from 0");
        require(data.size() <= maxMetricBytes, "no metric is too long");
        require(QUtf8StringView(data).isValidUtf8(), "metrics are UTF-8");
        require(!core::isNestedDeeper(data, core::maxAcceptedDepth), "metrics are not too deep");
    }
    require(size <= body.size(), "what was read was sent");
}

static void lines(QByteArrayView body)
{
    const auto read = readPostedLines(body);
    if (!read) {
        require(!read.error().text.isEmpty(), "a refusal says why");
        return;
    }
    check(*read, body);
    // Written again as lines they are the same; so one line is one record, whatever stands in it.
    QByteArray again;
    for (const PostedMetric& posted : *read) {
        require(wholeRawValue(posted.metric.data).has_value(), "a metric is one value");
        require(posted.metric.type != core::MetricType::request_parameter, "only metrics are posted");
        again += "{\"offset\":" + QByteArray::number(posted.offset) + ",\"metric\":" + posted.metric.data;
        if (posted.metric.step)
            again += ",\"step\":" + QByteArray::number(*posted.metric.step);
        again += ",\"type\":\"" + core::metricTypeName(posted.metric.type).toUtf8() + "\"}\n";
    }
    const auto twice = readPostedLines(again);
    require(twice.has_value() && twice->size() == read->size(), "what was read can be read again");
    for (size_t i = 0; i < read->size(); ++i) {
        const PostedMetric& a = read->at(i);
        const PostedMetric& b = twice->at(i);
        require(a.offset == b.offset && a.metric.data == b.metric.data && a.metric.step == b.metric.step
                && a.metric.type == b.metric.type,
            "it is the same then");
    }
}

void fuzzOne(std::string_view data)
{
    const QByteArrayView body(data.data(), qsizetype(data.size()));
    lines(body);
    if (const auto output = readKeeperOutput(body)) {
        check(output->metrics, body);
        require(output->otherLines == (output->metrics.empty() ? 1 : 0), "a line is a metric's or another one");
    }
    if (const auto metrics = readKeeperMetrics(body))
        check(*metrics, body);
}
