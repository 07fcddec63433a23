// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/api/series_reply.h"
#include "services/client/engine_client.h"
#include "services/core/records.h"

#include <QObject>

namespace models {

using api::parseSeries;
using api::SeriesColumn;
using api::SeriesCurve;

enum class SeriesAxis { step, relative, time };

struct SeriesRequest
{
    QList<core::TrialId> trials;
    QString metric = QStringLiteral("default");
    SeriesAxis axis = SeriesAxis::step;
    std::optional<double> from;
    std::optional<double> to;
    int columns = 500;

    bool operator==(const SeriesRequest&) const = default;
};

struct SeriesData
{
    SeriesRequest request;
    std::vector<SeriesCurve> curves;
};
using SeriesDataPtr = std::shared_ptr<const SeriesData>;

/// Requests curves from the client in parts, so that one chart does not block the service for long, and decodes them on a pool
/// thread. A new request replaces one that is waiting. GUI thread.
class SeriesLoader : public QObject
{
    Q_OBJECT
public:
    /// `client` is not owned and must outlive the loader.
    explicit SeriesLoader(client::EngineClient& client, QObject* parent = nullptr);

    void request(const SeriesRequest& request);
    [[nodiscard]] bool isLoading() const { return m_isLoading; }

signals:
    void loaded(const models::SeriesDataPtr& data);
    void failed(const core::Error& error);

private:
    void begin();
    void askNext();
    void take(const core::Result<api::Reply>& reply, size_t part);
    void takePart(core::Result<std::vector<SeriesCurve>> curves, size_t part);
    void fail(const core::Error& error);
    void finish();

    client::EngineClient& m_client;
    bool m_isLoading = false;
    std::optional<SeriesRequest> m_next;
    std::shared_ptr<SeriesData> m_data;
    qsizetype m_asked = 0; ///< number of the request's trials that were asked for
    /// Decoded parts in request order; not set: pending.
    std::vector<std::optional<std::vector<SeriesCurve>>> m_parts;
    int m_round = 0; ///< answers to an older round are dropped
};

} // namespace models
