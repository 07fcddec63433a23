// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/records.h"
#include "ui/kit/page.h"

#include <QTimer>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace models {
class PlatformKinds;
class ReadySince;
} // namespace models

namespace ui {

class CheckList;
class KindForm;
class ProblemLabel;
class StateLabel;

/// The page of platforms: their list at the left, the form of the selected (or a new) one in the middle, and the progress of its
/// check at the right.
class PlatformsPage final : public Page
{
    Q_OBJECT
public:
    explicit PlatformsPage(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Platforms"); }
    void showRecord(const QString& id) override; ///< empty: a new one
    void shown() override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildList();
    QWidget* buildForm();
    QWidget* buildChecks();
    void offerKinds();
    void refresh();
    void showCheck();
    void showRetry();
    void retry();
    void choose(const core::PlatformId& id);
    void beginNew();
    void fill();
    void check();
    void save(bool force = false);
    void remove();
    void tell(const core::Error& error);
    void clearErrors();
    [[nodiscard]] core::PlatformPtr chosen() const;
    [[nodiscard]] QString kind() const;

    models::ReadySince* m_readySince;
    models::PlatformKinds* m_kinds;
    core::PlatformId m_chosen;
    bool m_isNew = false;
    core::OperationId m_request;
    QListWidget* m_list;
    QBoxLayout* m_sides; ///< form and checks
    QLabel* m_formTitle;
    StateLabel* m_state;
    QLabel* m_message;
    QWidget* m_retryBox; ///< of one that could not be opened
    QPushButton* m_retry;
    QLabel* m_retryText; ///< when it is tried again by itself
    QTimer m_retryTick;  ///< each second while the time is shown
    QWidget* m_newBox;
    QPushButton* m_guide; ///< to the guide's page about the kind, where there is one
    QLineEdit* m_id;
    QComboBox* m_kind;
    KindForm* m_form;
    ProblemLabel* m_nameError;
    ProblemLabel* m_error;
    QPushButton* m_check;
    QPushButton* m_save;
    QPushButton* m_force; ///< shown when trials under way stand against these settings
    QPushButton* m_remove;
    CheckList* m_steps;
    QLabel* m_stepsEmpty;
};

} // namespace ui
