// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/core/json.h"

#include <QWidget>

#include <functional>

class QFormLayout;

namespace ui {

class ProblemLabel;

/// A form drawn from the fields that a kind describes (GET /platform-kinds): there is no widget a platform. Knows what was set before,
/// so that secrets stay unless they are typed anew.
class PlatformForm : public QWidget
{
    Q_OBJECT
public:
    explicit PlatformForm(QWidget* parent = nullptr);

    /// `fields` as the kind tells them; `settings` as the platform shows them.
    void setFields(const core::Json& fields, const core::Json& settings);
    /// What the form says; absent where it equals the default and was not set before.
    [[nodiscard]] core::Json settings() const;
    /// Marks the field that an error names, with the sentence below it; false when it names none.
    bool showError(const QString& message);
    void clearErrors();
    /// Moves the focus to the first field with an error, else to the first field.
    void focusFirst();

signals:
    void edited();

private:
    struct Row
    {
        std::string name;
        std::string type;
        core::Json defaultValue;
        core::Json before;
        bool secret = false;
        QWidget* editor = nullptr;
        ProblemLabel* error = nullptr;
        QList<PlatformForm*> entries; ///< of a list of objects, one form each
        core::Json items;
        QWidget* entryBox = nullptr;
    };

    void addRow(const core::Json& field, const core::Json& settings);
    QWidget* makeEditor(Row& row, const core::Json& field);
    QWidget* makeList(Row& row);
    void addEntry(qsizetype row, const core::Json& settings);
    [[nodiscard]] core::Json valueOf(const Row& row) const;

    QFormLayout* m_form;
    QList<Row> m_rows;
};

} // namespace ui
