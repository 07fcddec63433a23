// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/guide/guide_search.h"

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace ui {

class GuideBrowser;
class GuideResults;
class Theme;

/// The guide in a window of its own: pages and search at the left, the page at the right. Keeps its size in the settings. GUI thread.
class GuideWindow : public QWidget
{
    Q_OBJECT
public:
    /// Where a document of the repository (`README.md`) lies on this computer; empty: nowhere.
    using FindDocument = std::function<QString(const QString& path)>;

    /// `book` and `theme` must outlive the window. With `parent` it ends, too.
    GuideWindow(const models::GuideBook& book, const Theme& theme, FindDocument findDocument, QWidget* parent);
    ~GuideWindow() override;

    /// Shows a page; empty: stays where it is, or begins.
    void openPage(const QString& page, int section = 0);
    [[nodiscard]] QString page() const;
    /// As if a person had typed it, without a delay.
    void search(const QString& words);
    void follow(const QString& link);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Place
    {
        QString page;
        int scrolled = 0; ///< pixels from the top
    };

    QWidget* buildLeft();
    QWidget* buildRight();
    void showPage(const QString& page, int section);
    void remember();
    void goBack(int step);
    void showPlace();
    void showResults();
    void openResult();
    void endSearch();
    void tellDocument(const QString& path);
    void tell(const QString& text, const QString& file);

    const models::GuideBook& m_book;
    const models::GuideSearch m_search;
    const Theme& m_theme;
    FindDocument m_findDocument;
    QSplitter* m_splitter;
    QToolButton* m_back;
    QToolButton* m_forward;
    QLineEdit* m_field;
    QTimer* m_pause; ///< after the last key in the field
    QStackedWidget* m_lists;
    QListWidget* m_pages;
    QLabel* m_count;
    QLabel* m_nothing;
    GuideResults* m_results;
    GuideBrowser* m_browser;
    QWidget* m_notice;
    QLabel* m_noticeText;
    QPushButton* m_noticeOpen;
    QString m_noticeFile;
    QList<Place> m_places; ///< visited ones
    int m_at = -1;         ///< of them
};

} // namespace ui
