// SPDX-License-Identifier: GPL-3.0-or-later
#include "column_settings.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostExperiments = 100;

QString recentKey()
{
    return u"columns/recent"_s;
}

QString lastKey()
{
    return u"columns/last"_s;
}

QString keyOf(const QString& experiment)
{
    return u"columns/of/"_s + experiment;
}

QString nameOf(const core::ExperimentId& experiment)
{
    return experiment.isEmpty() ? u"all"_s : experiment.value;
}

} // namespace

models::ColumnLayout savedColumns(const core::ExperimentId& experiment)
{
    const QSettings settings;
    const models::ColumnLayout own = models::layoutOf(settings.value(keyOf(nameOf(experiment))).toString());
    return !own.isEmpty() ? own : models::forAnotherExperiment(models::layoutOf(settings.value(lastKey()).toString()));
}

void saveColumns(const core::ExperimentId& experiment, const models::ColumnLayout& layout)
{
    QSettings settings;
    const QString name = nameOf(experiment);
    QStringList recent = settings.value(recentKey()).toStringList();
    recent.removeAll(name);
    if (layout.isEmpty()) {
        settings.remove(keyOf(name));
        settings.remove(lastKey());
    } else {
        recent.prepend(name);
        settings.setValue(keyOf(name), models::layoutText(layout));
        settings.setValue(lastKey(), models::layoutText(models::forAnotherExperiment(layout)));
    }
    while (recent.size() > mostExperiments)
        settings.remove(keyOf(recent.takeLast()));
    settings.setValue(recentKey(), recent);
}

} // namespace ui
