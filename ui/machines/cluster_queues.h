// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/machines/cluster_queue_model.h"

#include <QTableView>

namespace ui {

/// The partitions and queues of clusters with what is free in each, above their machines. As high as its rows, up to six; hidden where
/// there is none.
class ClusterQueues : public QTableView
{
    Q_OBJECT
public:
    explicit ClusterQueues(models::EngineMirror& mirror, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void shareWidth();

    models::ClusterQueueModel* m_model;
};

} // namespace ui
