// SPDX-License-Identifier: GPL-3.0-or-later
#include "result_metric.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace platforms::aml {

QString metricKey(const QString& name)
{
    constexpr qsizetype longest = 250;
    const auto isTaken = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9')
            || u"_-. /"_s.contains(c);
    };
    QString key = name.trimmed().left(longest);
    for (QChar& c : key)
        c = isTaken(c) ? c : u'_';
    // MLflow keeps them as paths.
    if (key.startsWith(u'/') || key.startsWith(u'.') || QDir::cleanPath(key) != key)
        for (QChar& c : key)
            c = c == u'/' || c == u'.' ? u'_' : c;
    return key.isEmpty() ? u"default"_s : key;
}

QByteArray metricBody(const QString& job, const TrialResult& result)
{
    return QByteArray::fromStdString(Json{{"run_id", job}, {"key", metricKey(result.metric)}, {"value", result.value},
        {"timestamp", result.time},
        {"step", result.step}}.dump());
}

} // namespace platforms::aml
