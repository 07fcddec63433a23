// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/guide/guide_search.h"

#include <QListView>

class QStandardItemModel;

namespace ui {

/// What a search in the guide has found: the page's title, the heading, and a line with the words in bold. GUI thread.
class GuideResults : public QListView
{
    Q_OBJECT
public:
    explicit GuideResults(QWidget* parent = nullptr);

    void setHits(const QList<models::GuideHit>& hits, const QStringList& words);
    /// Makes the next row the current one, or with -1 the one before.
    void step(int by);
    /// Of the current row; null: nothing was found.
    [[nodiscard]] const models::GuideHit* current() const;
    [[nodiscard]] const QList<models::GuideHit>& hits() const { return m_hits; }

signals:
    /// By a click, or Enter in the list.
    void chosen();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QStandardItemModel* m_model;
    QList<models::GuideHit> m_hits;
};

} // namespace ui
