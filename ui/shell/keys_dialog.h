// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/keys/key_command.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ui {

class FilterField;
class KeyEdit;

/// Commands whose keys act in the same place: on one page, or everywhere.
struct KeyScope
{
    QString title;
    QList<KeyCommand> commands;
    bool isEverywhere = false;
};

/// The command in `scopes` that already has the key where `command` acts; null if none has.
[[nodiscard]] const KeyCommand* commandWithKey(
    const QList<KeyScope>& scopes, const KeyCommand& command, const QKeySequence& key);
/// Whether lists, fields or menus need the key, so that no command may have it.
[[nodiscard]] bool isFixedKey(const QKeySequence& key);

/// Lists what keys do and lets a person change them. A change is kept at once.
class KeysDialog : public QDialog
{
    Q_OBJECT
public:
    explicit KeysDialog(QList<KeyScope> scopes, QWidget* parent = nullptr);

    /// Chooses the command, as a press on its row does.
    void choose(const QString& id);

signals:
    void keysChanged();

private:
    void buildList();
    void showKeys();
    void showMatching(const QString& text);
    void showChosen();
    void take(const QKeySequence& key);
    void apply(const KeyCommand& command, const QList<QKeySequence>& keys);
    void takeFromOther();
    void resetAll();
    [[nodiscard]] const KeyCommand* chosen() const;
    [[nodiscard]] const KeyCommand* commandOf(const QTreeWidgetItem* row) const;

    QList<KeyScope> m_scopes;
    QKeySequence m_wanted; ///< a key that another command has
    FilterField* m_field;
    QTreeWidget* m_list;
    QLabel* m_name;
    KeyEdit* m_edit;
    QPushButton* m_usual;
    QPushButton* m_none;
    QLabel* m_problem;
    QPushButton* m_take;
    QPushButton* m_allUsual;
};

} // namespace ui
