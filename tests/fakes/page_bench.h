// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fake_actions.h"
#include "fake_engine_port.h"

#include "models/engine_mirror.h"
#include "models/selection.h"
#include "services/client/local_engine_client.h"
#include "ui/kit/page.h"
#include "ui/kit/style.h"
#include "ui/kit/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QTest>

#include <algorithm>

namespace fakes {

/// What a page or dialog stands on, over an engine that only records what it is asked; the test starts `client`.
class PageBench
{
public:
    PageBench()
    {
        theme.setScheme(ui::Theme::Scheme::light);
        QApplication::setStyle(new ui::Style(theme));
    }
    ~PageBench() { QApplication::setStyle(QStringLiteral("fusion")); } // ours uses the theme
    Q_DISABLE_COPY_MOVE(PageBench)

    template <typename CommandType>
    [[nodiscard]] QList<CommandType> asked()
    {
        port.settle();
        QList<CommandType> out;
        for (const api::Command& command : port.commands()) {
            if (const auto* one = std::get_if<CommandType>(&command))
                out.append(*one);
        }
        return out;
    }
    /// Publishes the first sample trial with this status and machine, starts the client and waits until the mirror has it.
    void startWithTrial(core::TrialStatus status, const core::MachineId& machine)
    {
        core::Trial trial = sampleTrial(1);
        trial.status = status;
        trial.machineId = machine;
        api::Change change;
        change.trials = {shared(trial)};
        port.publish(change);
        client.start();
        (void)QTest::qWaitFor([&] {
            const auto seen = mirror.state().isReady() ? mirror.state().trial(trial.id) : nullptr;
            return seen && seen->machineId == machine;
        });
    }

    ui::Theme theme;
    FakeEnginePort port;
    client::LocalEngineClient client{port};
    models::EngineMirror mirror{client};
    models::Selection selection;
    FakeActions window;
    ui::PageContext context{mirror, selection, theme, window};
};

/// The button with this text that can be seen below a widget; null: none.
[[nodiscard]] inline QAbstractButton* button(const QWidget& in, const QString& text)
{
    const auto buttons = in.findChildren<QAbstractButton*>();
    const auto found = std::find_if(buttons.begin(), buttons.end(),
        [&](const QAbstractButton* one) { return one->text() == text && one->isVisibleTo(&in); });
    return found == buttons.end() ? nullptr : *found;
}

/// Whether a label that can be seen below a widget has these words.
[[nodiscard]] inline bool shows(const QWidget& in, const QString& words)
{
    const auto labels = in.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
        [&](const QLabel* one) { return one->isVisible() && one->text().contains(words); });
}

} // namespace fakes
