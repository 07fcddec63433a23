// SPDX-License-Identifier: GPL-3.0-or-later
#include "stats.h"

#include "api_routes.h"

using namespace Qt::StringLiterals;

namespace http {

void Histogram::observe(double seconds)
{
    ++m_count;
    m_sum += seconds;
    for (size_t i = 0; i < bounds.size(); ++i) {
        if (seconds <= bounds[i]) {
            ++m_buckets[i];
            break;
        }
    }
}

void Histogram::write(QByteArray& out, const QByteArray& name, const QByteArray& labels) const
{
    const QByteArray comma = labels.isEmpty() ? QByteArray() : labels + ',';
    quint64 sum = 0;
    for (size_t i = 0; i < bounds.size(); ++i) {
        sum += m_buckets[i];
        out += name + "_bucket{" + comma + "le=\"" + QByteArray::number(bounds[i]) + "\"} " + QByteArray::number(sum)
            + '\n';
    }
    out += name + "_bucket{" + comma + "le=\"+Inf\"} " + QByteArray::number(m_count) + '\n';
    const QByteArray braces = labels.isEmpty() ? QByteArray() : '{' + labels + '}';
    out += name + "_sum" + braces + ' ' + QByteArray::number(m_sum, 'g', 12) + '\n';
    out += name + "_count" + braces + ' ' + QByteArray::number(m_count) + '\n';
}

static void head(QByteArray& out, const char* name, const char* type, const char* help)
{
    out += QByteArray("# HELP ") + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
}

static void value(QByteArray& out, const QByteArray& name, const QByteArray& labels, qint64 number)
{
    out += name + (labels.isEmpty() ? QByteArray() : '{' + labels + '}') + ' ' + QByteArray::number(number) + '\n';
}

QByteArray prometheusText(const api::Mirror& mirror, const Stats& stats)
{
    QByteArray out;
    head(out, "trialdeck_trials", "gauge", "Trials by status.");
    for (const TrialStatus status : allTrialStatuses)
        value(out, "trialdeck_trials", "status=\"" + statusName(status).toLatin1() + '"',
            mirror.counts()[size_t(status)]);

    // A GPU counts once: as a trial's, a person's or another service's; else as busy with foreign processes, or free.
    std::array<qint64, 5> gpus{};
    static constexpr std::array<const char*, 5> gpuStates = {"free", "busy", "trial", "person", "service"};
    for (const MachinePtr& machine : mirror.machines().list()) {
        for (const Gpu& gpu : machine->gpus) {
            size_t state = 0;
            if (std::any_of(gpu.processes.begin(), gpu.processes.end(), [](const GpuProcess& p) { return p.compute; }))
                state = 1;
            for (const GpuReservation& reservation : gpu.reservations)
                state = reservation.holder == GpuHolder::trial ? 2 : reservation.holder == GpuHolder::person ? 3 : 4;
            ++gpus[state];
        }
    }
    head(out, "trialdeck_gpus", "gauge", "GPUs by who holds them.");
    for (size_t i = 0; i < gpus.size(); ++i)
        value(out, "trialdeck_gpus", QByteArray("state=\"") + gpuStates[i] + '"', gpus[i]);

    head(out, "trialdeck_queue_length", "gauge", "Trials that wait to be placed.");
    value(out, "trialdeck_queue_length", {}, mirror.counts()[size_t(TrialStatus::waiting)]);
    head(out, "trialdeck_http_connections", "gauge", "Open connections.");
    value(out, "trialdeck_http_connections", {}, stats.connections);
    head(out, "trialdeck_event_listeners", "gauge", "Clients that follow events.");
    value(out, "trialdeck_event_listeners", {}, stats.listeners);
    head(out, "trialdeck_http_responses_total", "counter", "Answers by class of status.");
    for (size_t i = 2; i < stats.statuses.size(); ++i)
        value(out, "trialdeck_http_responses_total", "code=\"" + QByteArray::number(qint64(i)) + "xx\"",
            qint64(stats.statuses[i]));

    if (stats.ingest) {
        head(out, "trialdeck_ingest_posts_total", "counter", "Posts of trials that were read.");
        value(out, "trialdeck_ingest_posts_total", {}, qint64(stats.ingest->posts));
        head(out, "trialdeck_ingest_refused_total", "counter", "Posts without the token of their trial.");
        value(out, "trialdeck_ingest_refused_total", {}, qint64(stats.ingest->refused));
        head(out, "trialdeck_ingest_dropped_lines_total", "counter",
            "Lines of output from NNI's keeper, which are not kept.");
        value(out, "trialdeck_ingest_dropped_lines_total", {}, qint64(stats.ingest->otherLines));
    }

    head(out, "trialdeck_event_lag_seconds", "histogram", "From a change to its being written to a listener.");
    stats.eventLag.write(out, "trialdeck_event_lag_seconds", {});
    head(out, "trialdeck_http_request_seconds", "histogram", "From a request's header to the end of its answer.");
    for (size_t i = 0; i < stats.latency.size(); ++i) {
        if (stats.latency[i].count() == 0)
            continue;
        const Route& route = routes()[i];
        stats.latency[i].write(out, "trialdeck_http_request_seconds",
            "method=\"" + methodName(route.method) + "\",route=\"" + route.pattern + '"');
    }
    return out;
}

} // namespace http
