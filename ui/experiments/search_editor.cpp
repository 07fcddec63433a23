// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_editor.h"

#include "ui/kit/icon_label.h"
#include "ui/kit/icons.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QComboBox>
#include <QGridLayout>

using namespace Qt::StringLiterals;

namespace ui {

using models::SearchKind;
using models::SearchRow;

SearchEditor::SearchEditor(QWidget* parent)
    : QWidget(parent)
{
    auto* card = new Card(this);
    m_grid = new QGridLayout(card);
    m_grid->setContentsMargins(metrics::gap, metrics::tight, metrics::gap, metrics::tight);
    m_grid->setHorizontalSpacing(metrics::gap);
    m_grid->setVerticalSpacing(metrics::tight);
    int column = 0;
    for (const QString& title : {tr("Name"), tr("Kind"), tr("From"), tr("To"), tr("For example")})
        m_grid->addWidget(makeQuietLabel(title, TextSize::header, card), 0, column++);
    m_grid->setColumnMinimumWidth(0, 110);
    m_grid->setColumnStretch(4, 1);
    m_add = makeButton(tr("Add a parameter"), u"plus"_s, this);
    m_add->setFlat(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::tight);
    layout->addWidget(card);
    showTitles();
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, [this] {
        addRow({QString(), SearchKind::uniform, u"0"_s, u"1"_s, {}});
        m_rows.last().name->setFocus();
        emit edited();
    });
}

void SearchEditor::setRows(const QList<SearchRow>& rows)
{
    if (rows == this->rows())
        return;
    while (!m_rows.isEmpty())
        removeRow(int(m_rows.size()) - 1);
    for (const SearchRow& row : rows)
        addRow(row);
}

QList<SearchRow> SearchEditor::rows() const
{
    QList<SearchRow> out;
    for (const Row& row : m_rows)
        out.append(valueOf(row));
    return out;
}

SearchRow SearchEditor::valueOf(const Row& row) const
{
    return {row.name->text().trimmed(), SearchKind(row.kind->currentIndex()), row.from->text(), row.to->text(),
        row.choices->text()};
}

void SearchEditor::addRow(const SearchRow& value)
{
    Row row{};
    QWidget* card = m_grid->parentWidget();
    row.name = new QLineEdit(value.name, card);
    row.name->setAccessibleName(tr("Name of the parameter"));
    row.name->setFont(themeOf(*this).font(TextSize::mono));
    row.kind = new QComboBox(card);
    row.kind->setAccessibleName(tr("Kind of range"));
    row.kind->addItems({tr("uniform"), tr("log uniform"), tr("choice"), tr("whole numbers")});
    row.kind->setCurrentIndex(int(value.kind));
    row.from = new QLineEdit(value.from, card);
    row.from->setAccessibleName(tr("From"));
    row.to = new QLineEdit(value.to, card);
    row.to->setAccessibleName(tr("To"));
    row.choices = new QLineEdit(value.choices, card);
    row.choices->setAccessibleName(tr("Values to choose from"));
    row.choices->setPlaceholderText(tr("32, 64, 128"));
    for (QLineEdit* end : {row.from, row.to}) {
        end->setAlignment(Qt::AlignRight);
        end->setFixedWidth(86);
    }
    row.choices->setFixedWidth(180);
    row.examples = new ElidedLabel(TextSize::header, QFont::Normal, card);
    row.examples->setForegroundRole(QPalette::PlaceholderText);
    row.examples->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row.remove = makeIconButton(u"close"_s, tr("Remove this parameter"), card);
    row.problem = new QWidget(card);
    auto* line = new QHBoxLayout(row.problem);
    line->setContentsMargins(metrics::gap, 2, metrics::gap, 2);
    auto* mark = new IconLabel(u"failed"_s, &Roles::failed, 12, row.problem);
    row.problemText = new ProblemLabel(TextSize::header, row.problem);
    row.swap = new QToolButton(row.problem);
    row.swap->setText(tr("Swap them"));
    row.swap->setAutoRaise(true);
    line->addWidget(mark);
    line->addWidget(row.problemText, 1);
    line->addWidget(row.swap);
    setFillRole(row.problem, &Roles::tintFailed);

    const int at = 1 + 2 * int(m_rows.size());
    m_grid->addWidget(row.name, at, 0);
    m_grid->addWidget(row.kind, at, 1);
    m_grid->addWidget(row.from, at, 2);
    m_grid->addWidget(row.to, at, 3);
    m_grid->addWidget(row.choices, at, 2, 1, 2);
    m_grid->addWidget(row.examples, at, 4);
    m_grid->addWidget(row.remove, at, 5);
    m_grid->addWidget(row.problem, at + 1, 0, 1, 6);
    row.problem->hide();
    QWidget* before = m_add->previousInFocusChain();
    for (QWidget* control :
        std::initializer_list<QWidget*>{row.name, row.kind, row.from, row.to, row.choices, row.remove, row.swap}) {
        setTabOrder(before, control);
        before = control;
    }
    setTabOrder(before, m_add);
    m_rows.append(row);
    showTitles();
    showKind(row);

    for (QLineEdit* field : {row.name, row.from, row.to, row.choices})
        connect(field, &QLineEdit::textEdited, this, [this, row] {
            showKind(row);
            emit edited();
        });
    connect(row.kind, &QComboBox::activated, this, [this, row] {
        showKind(row);
        emit edited();
    });
    connect(row.swap, &QToolButton::clicked, this, [this, row] {
        const QString from = row.from->text();
        row.from->setText(row.to->text());
        row.to->setText(from);
        showKind(row);
        emit edited();
    });
    connect(row.remove, &QToolButton::clicked, this, [this, name = row.name] {
        for (int i = 0; i < m_rows.size(); ++i) {
            if (m_rows[i].name != name)
                continue;
            QList<SearchRow> left = rows();
            left.removeAt(i);
            // Deferred: the pressed button belongs to the row and must not be deleted in its own signal.
            QMetaObject::invokeMethod(
                this,
                [this, left] {
                    setRows(left);
                    emit edited();
                },
                Qt::QueuedConnection);
            return;
        }
    });
}

void SearchEditor::removeRow(int at)
{
    const Row row = m_rows.takeAt(at);
    for (QWidget* widget : std::initializer_list<QWidget*>{
             row.name, row.kind, row.from, row.to, row.choices, row.examples, row.remove, row.problem}) {
        m_grid->removeWidget(widget);
        delete widget;
    }
    showTitles();
}

/// The titles are hidden if there are no rows.
void SearchEditor::showTitles()
{
    m_grid->parentWidget()->setVisible(!m_rows.isEmpty());
}

void SearchEditor::showKind(const Row& row)
{
    const bool isChoice = row.kind->currentIndex() == int(SearchKind::choice);
    row.from->setVisible(!isChoice);
    row.to->setVisible(!isChoice);
    row.choices->setVisible(isChoice);
    row.examples->setText(models::examplesOf(valueOf(row)));
}

void SearchEditor::setProblems(const QList<models::DraftProblem>& problems, const QStringList& unused)
{
    for (int i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const auto found = std::find_if(problems.begin(), problems.end(),
            [&](const models::DraftProblem& p) { return p.field == models::DraftField::search && p.row == i; });
        const bool isWrong = found != problems.end();
        const bool isUnused = !isWrong && unused.contains(row.name->text().trimmed());
        row.problem->setVisible(isWrong || isUnused);
        row.swap->setVisible(isWrong && found->canSwap);
        row.problemText->tell(isWrong ? found->message
                : isUnused            ? tr("The command does not use {%1}.").arg(row.name->text().trimmed())
                                      : QString());
        setInvalid(row.from, isWrong && row.kind->currentIndex() != int(SearchKind::choice));
        setInvalid(row.to, isWrong && row.kind->currentIndex() != int(SearchKind::choice));
        setInvalid(row.choices, isWrong);
        setInvalid(row.name, isWrong && row.name->text().trimmed().isEmpty());
    }
}

void SearchEditor::focusRow(int row)
{
    if (row < 0 || row >= m_rows.size())
        return;
    const Row& found = m_rows[row];
    (found.choices->isVisibleTo(this) ? found.choices : found.from)->setFocus();
}

} // namespace ui
