// SPDX-License-Identifier: GPL-3.0-or-later
#include "note_view.h"

#include "note_edit.h"

#include "models/printable.h"
#include "ui/kit/icon_label.h"
#include "ui/kit/widgets.h"

#include <QBoxLayout>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostNoteLines = 5;
constexpr qsizetype mostCharacters = 300;

/// The beginning that leaves room for the curve.
QString beginningOf(const QString& note)
{
    const QString lines = note.section(u'\n', 0, mostNoteLines - 1).left(mostCharacters);
    return lines.size() < note.size() ? lines.trimmed() + u" …"_s : lines;
}

} // namespace

NoteView::NoteView(const PageContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_text(makeLabel({}, TextSize::body, QFont::Normal, this))
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setAccessibleName(tr("Note"));
    makeSelectable(m_text);
    auto* icon = new IconLabel(u"note"_s, &Roles::text2, metrics::icon, this);
    QToolButton* edit = makeIconButton(u"edit"_s, tr("Change the note"), this);
    edit->setFixedSize(metrics::smallControl, metrics::smallControl);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, metrics::tight);
    layout->setSpacing(metrics::gap);
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1, Qt::AlignTop);
    layout->addWidget(edit, 0, Qt::AlignTop);
    connect(edit, &QToolButton::clicked, this, [this] { editNote(m_context, {m_trial}, window()); });
    hide();
}

void NoteView::setTrial(const core::TrialPtr& trial)
{
    m_trial = trial ? trial->id : core::TrialId();
    const QString note = trial ? trial->note : QString();
    setVisible(!note.isEmpty());
    const QString shown = models::printableLines(beginningOf(note));
    if (m_text->text() == shown)
        return;
    m_text->setText(shown);
    m_text->setToolTip(models::printableLines(note));
}

} // namespace ui
