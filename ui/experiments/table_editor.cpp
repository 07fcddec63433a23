// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_editor.h"

#include "services/core/message/localized.h"
#include "services/core/message/message_json.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/icons.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QGridLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace ui {

using core::Json;
using models::TableProblem;
using models::TableRow;

namespace {

constexpr int linesOfRow = 3; ///< of the grid: cells, cells of rare use, the problem

QString textIn(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<QString>() : QString();
}

bool isSet(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

QString titleIn(const Json& field)
{
    const QString title = core::localized(core::readMessage(field, "title"));
    return title.isEmpty() ? textIn(field, "name") : title;
}

QString helpIn(const Json& field)
{
    return core::localized(core::readMessage(field, "help"));
}

int widthOf(const Json& item)
{
    const auto found = item.find("width");
    return found != item.end() && found->is_number_integer() ? std::clamp<int>(found->get<int>(), 0, 80) : 0;
}

/// What the cell is for, or what it holds where that may be too long for it.
QString tipOf(const Json& item, const QString& text)
{
    return widthOf(item) == 0 && !text.isEmpty() ? text : helpIn(item);
}

bool isNumber(const Json& item)
{
    return textIn(item, "type") == u"integer";
}

/// The items of a row's first line, or those of rare use.
QList<Json> itemsIn(const Json& field, bool areRare)
{
    QList<Json> items;
    const auto found = field.find("items");
    if (found != field.end() && found->is_array())
        for (const Json& item : *found)
            if (item.is_object() && isSet(item, "advanced") == areRare)
                items.append(item);
    return items;
}

} // namespace

QWidget* TableEditor::Cell::widget() const
{
    return line ? static_cast<QWidget*>(line) : list;
}

TableEditor::TableEditor(const Json& field, const Json& value, QWidget* parent)
    : QWidget(parent)
    , m_field(field)
    , m_given(value)
    , m_problem(new ProblemLabel(TextSize::header, this))
{
    const std::optional<QList<TableRow>> rows = models::tableRows(value);
    m_isRead = rows.has_value();
    m_values = rows.value_or(QList<TableRow>());
    auto* card = new Card(this);
    m_card = card;
    m_grid = new QGridLayout(card);
    m_grid->setContentsMargins(metrics::gap, metrics::tight, metrics::gap, metrics::tight);
    m_grid->setHorizontalSpacing(metrics::tight);
    m_grid->setVerticalSpacing(metrics::tight);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::tight);
    layout->addWidget(makeLabel(titleIn(m_field), TextSize::title, QFont::DemiBold, this));
    layout->addWidget(card);
    layout->addWidget(m_problem);
    layout->addWidget(makeFoot());
    setAccessibleName(titleIn(m_field));
    int column = 0;
    for (const Json& item : itemsIn(m_field, false)) {
        QLabel* title = makeQuietLabel(titleIn(item), TextSize::header, card);
        title->setToolTip(helpIn(item));
        m_grid->addWidget(title, 0, column, isNumber(item) ? Qt::AlignRight : Qt::AlignLeft);
        m_grid->setColumnStretch(column++, widthOf(item) > 0 ? 0 : 1);
    }
    if (m_field.contains("leadBy"))
        m_grid->addWidget(makeQuietLabel(tr("Reports"), TextSize::header, card), 0, column, Qt::AlignCenter);
    fill();
}

QWidget* TableEditor::makeFoot()
{
    auto* foot = new QWidget(this);
    m_add = makeButton(tr("Add a row"), u"plus"_s, foot);
    m_add->setFlat(true);
    m_add->setAccessibleDescription(titleIn(m_field));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_add);
    if (!itemsIn(m_field, true).isEmpty()) {
        m_more = new QToolButton(foot);
        m_more->setText(tr("More of each row"));
        m_more->setAccessibleName(m_more->text());
        m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_more->setAutoRaise(true);
        m_more->setCheckable(true);
        m_more->setFocusPolicy(Qt::TabFocus);
        buttons->addWidget(m_more);
        connect(m_more, &QToolButton::toggled, this, &TableEditor::showMore);
    }
    buttons->addStretch();
    auto* layout = new QVBoxLayout(foot);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::tight);
    layout->addLayout(buttons);
    const QString lead =
        m_field.contains("leadBy") ? tr("The trial's values and its end come from the row that reports.") : QString();
    for (const QString& text : {lead, helpIn(m_field)}) {
        if (text.isEmpty())
            continue;
        QLabel* hint = makeQuietLabel(text, TextSize::caption, foot);
        hint->setWordWrap(true);
        layout->addWidget(hint);
    }
    connect(m_add, &QPushButton::clicked, this, &TableEditor::addRow);
    return foot;
}

QString TableEditor::name() const
{
    return textIn(m_field, "name");
}

Json TableEditor::value() const
{
    return m_isEdited ? models::tableValue(m_values) : m_given;
}

void TableEditor::setBeside(const Json& beside)
{
    if (beside == m_beside)
        return;
    bool areOthers = false;
    for (const Json& item : itemsIn(m_field, false) + itemsIn(m_field, true))
        areOthers = areOthers || models::cellWords(item, beside) != models::cellWords(item, m_beside);
    m_beside = beside;
    if (areOthers)
        fill();
    else
        check();
}

void TableEditor::fill()
{
    for (const Row& row : std::as_const(m_rows)) {
        for (const Cell& cell : row.cells)
            delete cell.widget();
        for (QWidget* widget : std::initializer_list<QWidget*>{row.mark, row.remove, row.rare, row.problem})
            delete widget;
    }
    m_rows.clear();
    for (qsizetype at = 0; at < m_values.size(); ++at)
        showRow(at);
    m_card->setVisible(!m_rows.isEmpty());
    if (m_more) {
        m_more->setVisible(!m_rows.isEmpty());
        const QList<Json> rare = itemsIn(m_field, true);
        const bool areSet = std::any_of(m_values.begin(), m_values.end(), [&rare](const TableRow& row) {
            return std::any_of(
                rare.begin(), rare.end(), [&row](const Json& item) { return !models::cellText(row, item).isEmpty(); });
        });
        m_more->setChecked(m_more->isChecked() || areSet); // what was set is seen
        showMore(m_more->isChecked());
    }
    check();
    emit rebuilt();
}

void TableEditor::showRow(qsizetype at)
{
    Row row;
    const int line = 1 + linesOfRow * int(at);
    int column = 0;
    for (const Json& item : itemsIn(m_field, false)) {
        row.cells.append(makeCell(item, at, m_card));
        m_grid->addWidget(row.cells.last().widget(), line, column++);
    }
    if (m_field.contains("leadBy")) {
        row.mark = new IconLabel({}, &Roles::accent, metrics::icon, m_card);
        m_grid->addWidget(row.mark, line, column++, Qt::AlignCenter);
    }
    row.remove = makeIconButton(u"close"_s, tr("Remove this row"), m_card);
    m_grid->addWidget(row.remove, line, column++);
    if (const QList<Json> rare = itemsIn(m_field, true); !rare.isEmpty()) {
        row.rare = new QWidget(m_card);
        auto* more = new QHBoxLayout(row.rare);
        more->setContentsMargins(0, 0, 0, metrics::tight);
        more->setSpacing(metrics::gap);
        for (const Json& item : rare) {
            more->addWidget(makeQuietLabel(titleIn(item), TextSize::header, row.rare));
            row.cells.append(makeCell(item, at, row.rare));
            more->addWidget(row.cells.last().widget());
            more->addSpacing(metrics::gap);
        }
        more->addStretch();
        m_grid->addWidget(row.rare, line + 1, 0, 1, column);
    }
    row.problem = new QWidget(m_card);
    auto* told = new QHBoxLayout(row.problem);
    told->setContentsMargins(metrics::gap, 2, metrics::gap, 2);
    told->addWidget(new IconLabel(u"failed"_s, &Roles::failed, 12, row.problem));
    row.problemText = new ProblemLabel(TextSize::header, row.problem);
    told->addWidget(row.problemText, 1);
    setFillRole(row.problem, &Roles::tintFailed);
    m_grid->addWidget(row.problem, line + 2, 0, 1, column);
    row.problem->hide();
    // Deferred: the pressed button belongs to the row and must not be deleted in its own signal.
    connect(
        row.remove, &QToolButton::clicked, this, [this, at] { removeRow(at); }, Qt::QueuedConnection);
    m_rows.append(row);
}

TableEditor::Cell TableEditor::makeCell(const Json& item, qsizetype row, QWidget* parent)
{
    Cell cell;
    cell.item = item;
    const QString text = models::cellText(m_values[row], item);
    if (const QStringList words = models::cellWords(item, m_beside); !words.isEmpty()) {
        cell.list = makeList(words, text, parent);
        connect(cell.list, &QComboBox::currentTextChanged, this,
            [this, row, item](const QString& now) { takeText(row, item, now); });
    } else {
        cell.line = makeLine(item, parent);
        cell.line->setText(text);
        cell.line->setCursorPosition(0);
        connect(cell.line, &QLineEdit::textEdited, this,
            [this, row, item](const QString& now) { takeText(row, item, now); });
    }
    cell.widget()->setAccessibleName(tr("%1, row %2").arg(titleIn(item)).arg(row + 1));
    cell.widget()->setAccessibleDescription(helpIn(item));
    cell.widget()->setToolTip(tipOf(item, text));
    return cell;
}

QLineEdit* TableEditor::makeLine(const Json& item, QWidget* parent)
{
    auto* line = new QLineEdit(parent);
    if (const Json preset = item.value("default", Json()); !preset.is_null())
        line->setPlaceholderText(models::cellText({{"value", preset}}, {{"name", "value"}}));
    else if (!isSet(item, "required") && !isSet(item, "advanced"))
        line->setPlaceholderText(tr("inherit"));
    if (isNumber(item))
        line->setAlignment(Qt::AlignRight);
    if (const int width = widthOf(item); width > 0) {
        line->setFixedWidth(line->fontMetrics().horizontalAdvance(u'0') * width + 2 * metrics::gap + metrics::tight);
    } else {
        line->setFont(themeOf(*this).font(TextSize::mono));
        line->setMinimumWidth(themeOf(*this).scaled(64));
    }
    return line;
}

QComboBox* TableEditor::makeList(const QStringList& words, const QString& text, QWidget* parent)
{
    auto* list = new QComboBox(parent);
    list->addItems(words);
    int widest = 0;
    for (const QString& word : words)
        widest = std::max(widest, list->fontMetrics().horizontalAdvance(word));
    list->setFixedWidth(
        widest + 4 * metrics::gap + metrics::tight);     // the same in all rows; the arrow takes half of the rest
    int at = list->findText(text, Qt::MatchFixedString); // in any case
    if (at < 0) {
        list->addItem(text); // what is no such word stays until another one is chosen
        at = list->count() - 1;
    }
    list->setCurrentIndex(at);
    return list;
}

void TableEditor::takeText(qsizetype row, const Json& item, const QString& text)
{
    models::setCell(m_values[row], item, text);
    for (const Cell& cell : std::as_const(m_rows[row].cells))
        if (cell.item == item)
            cell.widget()->setToolTip(tipOf(item, text));
    m_isEdited = true;
    check();
    emit edited();
}

void TableEditor::addRow()
{
    TableRow row = Json::object();
    const QList<Json> items = itemsIn(m_field, false);
    if (!items.isEmpty()) {
        // The first word that no row has yet.
        for (const QString& word : models::cellWords(items.first(), m_beside)) {
            const bool isThere = std::any_of(m_values.begin(), m_values.end(), [&](const TableRow& other) {
                return models::cellText(other, items.first()).compare(word, Qt::CaseInsensitive) == 0;
            });
            if (isThere)
                continue;
            models::setCell(row, items.first(), word);
            break;
        }
    }
    m_values.append(row);
    m_isEdited = m_isRead = true;
    fill();
    if (!m_rows.last().cells.isEmpty())
        m_rows.last().cells.first().widget()->setFocus(Qt::TabFocusReason);
    emit edited();
}

void TableEditor::removeRow(qsizetype at)
{
    if (at >= m_values.size())
        return;
    m_values.removeAt(at);
    m_isEdited = true;
    fill();
    QWidget* next = m_add;
    if (!m_rows.isEmpty())
        next = m_rows[std::min(at, m_rows.size() - 1)].remove;
    next->setFocus(Qt::TabFocusReason);
    emit edited();
}

void TableEditor::showMore(bool isShown)
{
    m_more->setIcon(icons::icon(themeOf(*this), isShown ? u"chevron-down"_s : u"chevron-right"_s));
    for (const Row& row : std::as_const(m_rows))
        row.rare->setVisible(isShown);
}

void TableEditor::check()
{
    const qsizetype leading = models::leadingRow(m_field, m_values, m_beside);
    for (qsizetype at = 0; at < m_rows.size(); ++at) {
        const Row& row = m_rows[at];
        if (!row.mark)
            continue;
        row.mark->setIcon(at == leading ? u"check"_s : QString(), &Roles::accent);
        row.mark->setToolTip(at == leading ? tr("The trial's values and its end come from here.") : QString());
        if (!row.cells.isEmpty())
            row.cells.first().widget()->setAccessibleDescription(at == leading ? row.mark->toolTip() : QString());
    }
    m_problems = models::tableProblems(m_field, m_values, m_beside);
    if (!m_isRead)
        m_problems.append({-1, {},
            tr("%1 is a text that cannot be shown as a table. It stays as it is until you add a row.")
                .arg(titleIn(m_field))});
    showProblems(m_problems);
    if (!m_isRead)
        m_problems.clear(); // the service may take it
}

void TableEditor::showProblems(const QList<TableProblem>& problems)
{
    for (qsizetype at = 0; at < m_rows.size(); ++at) {
        const Row& row = m_rows[at];
        QStringList said;
        for (const TableProblem& one : problems)
            if (one.row == at)
                said.append(one.message);
        row.problem->setVisible(!said.isEmpty());
        row.problemText->tell(said.join(u' '));
        for (const Cell& cell : row.cells)
            setInvalid(cell.widget(), std::any_of(problems.begin(), problems.end(), [&](const TableProblem& one) {
                return one.row == at && one.item == textIn(cell.item, "name");
            }));
    }
    const auto whole = std::find_if(problems.begin(), problems.end(),
        [this](const TableProblem& one) { return one.row < 0 || one.row >= m_rows.size(); });
    m_problem->tell(whole == problems.end() ? QString() : whole->message);
}

bool TableEditor::showError(const QString& message)
{
    const QList<TableProblem> said = models::problemsInError(m_field, message);
    if (said.isEmpty())
        return false;
    m_problems = said;
    showProblems(said);
    return focusProblem();
}

void TableEditor::clearErrors()
{
    check();
}

bool TableEditor::focusProblem()
{
    if (m_problems.isEmpty())
        return false;
    const TableProblem& first = m_problems.first();
    QWidget* place = m_add;
    if (first.row >= 0 && first.row < m_rows.size() && !m_rows[first.row].cells.isEmpty()) {
        const Row& row = m_rows[first.row];
        place = row.cells.first().widget();
        for (const Cell& cell : row.cells)
            if (textIn(cell.item, "name") == first.item)
                place = cell.widget();
        if (row.rare && row.rare->isAncestorOf(place))
            m_more->setChecked(true); // a hidden field takes no focus
    }
    place->setFocus(Qt::OtherFocusReason);
    return true;
}

QList<QWidget*> TableEditor::controls() const
{
    QList<QWidget*> all;
    for (const Row& row : m_rows) {
        for (const Cell& cell : row.cells)
            if (!row.rare || !row.rare->isAncestorOf(cell.widget()))
                all += cell.widget();
        all += row.remove;
        for (const Cell& cell : row.cells)
            if (row.rare && row.rare->isAncestorOf(cell.widget()))
                all += cell.widget();
    }
    all += m_add;
    if (m_more)
        all += m_more;
    return all;
}

} // namespace ui
