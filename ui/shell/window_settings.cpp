// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_settings.h"

#include <QSettings>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr qsizetype mostTrials = 1'000;

QString inspectorKey(const QString& page)
{
    return u"window/inspectors/"_s + page;
}

} // namespace

void savePlace(const WindowPlace& place)
{
    QStringList trials;
    for (const core::TrialId& id : place.trials)
        if (trials.size() < mostTrials)
            trials += id.value;
    QSettings settings;
    settings.setValue(u"window/page"_s, place.page);
    settings.setValue(u"window/experiment"_s, place.experiment.value);
    settings.setValue(u"window/isExperimentChosen"_s, place.isChosen);
    settings.setValue(u"window/trials"_s, trials);
    settings.setValue(u"window/currentTrial"_s, place.current.value);
}

WindowPlace savedPlace()
{
    const QSettings settings;
    WindowPlace place;
    place.page = settings.value(u"window/page"_s).toString();
    place.experiment = core::ExperimentId(settings.value(u"window/experiment"_s).toString());
    place.isChosen = settings.value(u"window/isExperimentChosen"_s, false).toBool();
    for (const QString& id : settings.value(u"window/trials"_s).toStringList().mid(0, mostTrials))
        place.trials.insert(core::TrialId(id));
    place.current = core::TrialId(settings.value(u"window/currentTrial"_s).toString());
    return place;
}

void saveFilters(const QList<models::SidebarModel::SavedFilter>& filters)
{
    QSettings settings;
    settings.beginWriteArray(u"filters"_s);
    for (qsizetype i = 0; i < filters.size(); ++i) {
        settings.setArrayIndex(int(i));
        settings.setValue(u"name"_s, filters[i].name);
        settings.setValue(u"text"_s, filters[i].text);
    }
    settings.endArray();
}

QList<models::SidebarModel::SavedFilter> savedFilters()
{
    QSettings settings;
    const int count = settings.beginReadArray(u"filters"_s);
    QList<models::SidebarModel::SavedFilter> filters;
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        filters.append({settings.value(u"name"_s).toString(), settings.value(u"text"_s).toString()});
    }
    return filters;
}

void saveInspectorWidth(const QString& page, int width)
{
    QSettings().setValue(inspectorKey(page), width);
}

int savedInspectorWidth(const QString& page)
{
    return std::max(0, QSettings().value(inspectorKey(page), 0).toInt());
}

} // namespace ui
