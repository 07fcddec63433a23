// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/client/engine_client.h"

#include <QAbstractTableModel>
#include <QTimer>

namespace models {

/// Trials that failed for the same cause.
struct FailureGroup
{
    QString cause;
    QString failureClass;
    QString sample;
    QStringList machines;
    QList<core::TrialId> trials;

    bool operator==(const FailureGroup&) const = default;
};

[[nodiscard]] core::Result<QList<FailureGroup>> failureGroupsFrom(const core::Json& document);

/// The failure groups of one experiment, largest first; requested again when trials fail. GUI thread.
class FailureModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { cause_column, count_column, machines_column, class_column, column_count };

    /// `client` is not owned and must outlive the model.
    explicit FailureModel(client::EngineClient& client, QObject* parent = nullptr);

    void setExperiment(const core::ExperimentId& experiment);
    /// Requests the groups again after a short delay; several calls are combined.
    void refresh();
    [[nodiscard]] const QList<FailureGroup>& groups() const { return m_groups; }
    [[nodiscard]] const QString& message() const { return m_message; }
    /// The first request for this experiment is under way; loaded() is emitted when it ends.
    [[nodiscard]] bool isLoading() const { return m_isLoading; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void loaded();

private:
    void ask();
    void take(const QList<FailureGroup>& groups);

    client::EngineClient& m_client;
    core::ExperimentId m_experiment;
    QTimer m_soon;
    QList<FailureGroup> m_groups;
    QString m_message;
    bool m_isLoading = false;
};

} // namespace models
