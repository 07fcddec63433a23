// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_mirror.h"

#include <QAbstractListModel>

namespace models {

/// The sidebar's rows with their counts: views, states, saved filters, services. Rows with a count of zero are kept, so that rows
/// do not move. GUI thread.
class SidebarModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum class Sort { section, view, state, filter, service };
    Q_ENUM(Sort)
    enum Role {
        SortRole = Qt::UserRole + 1, ///< Sort
        NameRole,                    ///< of the page; `running`…; the filter's text; of the service
        IconRole,
        CountRole,  ///< a number, or nothing
        DetailRole, ///< a word instead of a count (`open`)
        StatusRole, ///< int of core::TrialStatus, or nothing
    };

    struct SavedFilter
    {
        QString name;
        QString text;
        bool operator==(const SavedFilter&) const = default;
    };
    /// Returns the number of an experiment's trials (empty: of all) that a filter text matches.
    using FilterCounter = std::function<qint64(const QString& text, const core::ExperimentId& experiment)>;

    explicit SidebarModel(EngineMirror& mirror, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// The experiment whose trials are counted for states and saved filters; empty: all.
    void setExperiment(const core::ExperimentId& experiment);
    void setService(const QString& name, const QString& detail);
    void setSavedFilters(const QList<SavedFilter>& filters);
    void setFilterCounter(FilterCounter counter);
    [[nodiscard]] const QList<SavedFilter>& savedFilters() const { return m_filters; }
    [[nodiscard]] QModelIndex find(Sort sort, const QString& name) const;
    /// Sets the texts again, after the language changed.
    void retranslate();

private:
    struct Row
    {
        Sort sort = Sort::section;
        QString name;
        QString title;
        QString icon;
        std::optional<qint64> count;
        QString detail;
        std::optional<core::TrialStatus> status;
        bool operator==(const Row&) const = default;
    };

    [[nodiscard]] QList<Row> makeRows() const;
    void refresh();
    void refreshSoon();

    EngineMirror& m_mirror;
    core::ExperimentId m_experiment;
    QString m_service;
    QString m_serviceDetail;
    QList<SavedFilter> m_filters;
    FilterCounter m_counter;
    QList<Row> m_rows;
    QTimer m_later;
};

} // namespace models
