// SPDX-License-Identifier: GPL-3.0-or-later
// What a scripted service answers to the verbs: one experiment with two trials.
#pragma once

#include "command_harness.h"

// As text: Qt Test would try its own comparisons with what a document converts to.
#define COMPARE_JSON(actual, expected) QCOMPARE(core::dumpJson(actual), core::dumpJson(expected))

namespace commands {

inline QByteArray trial(const QByteArray& id, int sequence, const QByteArray& status, const QByteArray& more = {})
{
    return "{\"id\":\"" + id + "\",\"experimentId\":\"e1\",\"sequenceId\":" + QByteArray::number(sequence)
        + ",\"status\":\"" + status
        + "\",\"parameters\":{\"lr\":0.01},\"submitTime\":1000,\"startTime\":2000,\"endTime\":5000,\"machineId\":"
          "\"box\",\"gpuIndices\":[1],"
          "\"reason\":\"\",\"metricCount\":2,\"finalMetric\":{\"value\":0.93}"
        + (more.isEmpty() ? QByteArray() : ',' + more) + '}';
}

inline QByteArray experiment(const QByteArray& state, const QByteArray& counts, const QByteArray& more = {})
{
    return "{\"id\":\"e1\",\"name\":\"train\",\"state\":\"" + state
        + "\",\"createdTime\":1000,\"startTime\":1000,\"endTime\":61000,\"objective\":{\"metric\":\"default\","
          "\"direction\":\"maximize\"},"
          "\"maxTrialNumber\":4,\"counts\":{"
        + counts + "}" + (more.isEmpty() ? QByteArray() : ',' + more) + '}';
}

inline Json json(const QByteArray& text)
{
    return core::parseJson(text).value_or(Json());
}

/// One experiment e1 with two trials, as the service sends it.
inline void fill(Harness& h)
{
    h.fake.json(
        "GET /api/v1/experiments", "{\"experiments\":[" + experiment("RUNNING", "\"RUNNING\":2") + "],\"revision\":3}");
    h.fake.json("GET /api/v1/experiments/e1", experiment("RUNNING", "\"RUNNING\":2"));
    h.fake.json("GET /api/v1/trials",
        "{\"trials\":[" + trial("t1", 0, "SUCCEEDED") + ',' + trial("t2", 1, "RUNNING")
            + "],\"next\":null,\"total\":2}");
    h.fake.json("GET /api/v1/trials/t1", trial("t1", 0, "SUCCEEDED"));
    h.fake.json("GET /api/v1/trials/t2", trial("t2", 1, "RUNNING"));
    h.fake.json(
        "GET /api/v1/platforms", R"({"platforms":[{"id":"local","kind":"local","state":"READY","message":""}]})");
    h.fake.json("GET /api/v1/platforms/local", R"({"id":"local","kind":"local","state":"READY"})");
}

} // namespace commands
