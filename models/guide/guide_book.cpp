// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide_book.h"

#include <QDir>
#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

namespace {

const QString indexPage = u"index.md"_s;
const QString fallbackLanguage = u"en"_s;
const QString rootFolder = u"resources"_s; ///< in the repository

/// `path` below the folder, both in the repository; empty: outside of it.
QString joinedPath(const QString& folder, const QString& path)
{
    QStringList parts = folder.split(u'/', Qt::SkipEmptyParts);
    for (const QString& part : path.split(u'/', Qt::SkipEmptyParts)) {
        if (part == u"."_s)
            continue;
        if (part != u".."_s)
            parts.append(part);
        else if (!parts.isEmpty())
            parts.removeLast();
        else
            return {};
    }
    return parts.join(u'/');
}

} // namespace

GuideBook::GuideBook(QString root, const QString& language)
    : m_root(std::move(root))
{
    for (const QString& one : {language, fallbackLanguage})
        if (!one.isEmpty() && !m_languages.contains(one) && QDir(u"%1/guide/%2"_s.arg(m_root, one)).exists())
            m_languages.append(one);
    findPages();
}

void GuideBook::findPages()
{
    QStringList there;
    for (const QString& language : std::as_const(m_languages))
        there += QDir(u"%1/guide/%2"_s.arg(m_root, language)).entryList({u"*.md"_s}, QDir::Files, QDir::Name);
    std::sort(there.begin(), there.end());
    there.removeDuplicates();
    QStringList wanted{indexPage};
    for (const QString& language : std::as_const(m_languages)) {
        QFile index(u"%1/guide/%2/%3"_s.arg(m_root, language, indexPage));
        if (!index.open(QIODevice::ReadOnly))
            continue;
        for (const QString& link : parseGuidePage(QString::fromUtf8(index.readAll())).links)
            wanted += link.section(u'#', 0, 0);
    }
    for (const QString& name : wanted + there)
        if (there.contains(name) && !m_pages.contains(name))
            m_pages.append(name);
}

QString GuideBook::fileOf(const QString& page) const
{
    if (!page.endsWith(u".md"_s))
        return {};
    if (page.contains(u'/')) {
        const QString file = m_root + u'/' + page;
        return QFile::exists(file) ? file : QString();
    }
    for (const QString& language : m_languages)
        if (QString file = u"%1/guide/%2/%3"_s.arg(m_root, language, page); QFile::exists(file))
            return file;
    return {};
}

bool GuideBook::has(const QString& page) const
{
    return !fileOf(page).isEmpty();
}

QString GuideBook::markdown(const QString& page) const
{
    QFile file(fileOf(page));
    return !file.fileName().isEmpty() && file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

const GuidePage& GuideBook::page(const QString& page) const
{
    auto found = m_read.find(page);
    if (found == m_read.end())
        found = m_read.insert(page, parseGuidePage(markdown(page)));
    return *found;
}

QString GuideBook::title(const QString& page) const
{
    const QString title = this->page(page).title;
    return title.isEmpty() ? page : title;
}

int GuideBook::section(const QString& page, const QString& anchor) const
{
    if (anchor.isEmpty())
        return 0;
    const QList<GuideSection>& sections = this->page(page).sections;
    for (qsizetype i = 0; i < sections.size(); ++i)
        if (sections[i].level > 0 && sections[i].anchor == anchor)
            return int(i);
    return -1;
}

GuideTarget GuideBook::resolve(const QString& from, const QString& link) const
{
    GuideTarget target;
    if (link.startsWith(u"https://"_s) || link.startsWith(u"http://"_s)) {
        target.kind = GuideTarget::Kind::web;
        target.address = link;
        return target;
    }
    const QString path = link.section(u'#', 0, 0);
    const QString anchor = link.contains(u'#') ? link.section(u'#', 1) : QString();
    // Every language has the same folders around it.
    const QString folder = from.contains(u'/') ? rootFolder + u'/' + from.section(u'/', 0, -2)
                                               : u"%1/guide/%2"_s.arg(rootFolder, fallbackLanguage);
    const QString whole =
        path.isEmpty() ? joinedPath(folder, from.section(u'/', -1)) : joinedPath(folder, QString(path));
    if (whole.isEmpty())
        return target;
    QString name = whole.startsWith(rootFolder + u'/') ? whole.mid(rootFolder.size() + 1) : QString();
    if (name.startsWith(u"guide/"_s) && name.count(u'/') == 2)
        name = name.section(u'/', -1); // also a link into another language's folder
    if (!has(name)) {
        target.kind = GuideTarget::Kind::document;
        target.address = whole;
        return target;
    }
    const int at = section(name, anchor);
    if (at < 0)
        return target;
    target.kind = GuideTarget::Kind::page;
    target.page = name;
    target.section = at;
    return target;
}

QString GuideBook::picture(const QString& from, const QString& link) const
{
    const QString folder = from.contains(u'/') ? from.section(u'/', 0, -2) : u"guide/"_s + fallbackLanguage;
    const QString path = joinedPath(folder, link);
    const QString file = m_root + u'/' + path;
    return !path.isEmpty() && QFile::exists(file) ? file : QString();
}

QString guidePageOfKind(const QString& kind)
{
    static const QHash<QString, QString> pages = {{u"local"_s, u"local.md"_s}, {u"remote"_s, u"ssh-machines.md"_s},
        {u"slurm"_s, u"slurm.md"_s}, {u"kubernetes"_s, u"kubernetes.md"_s}, {u"kubeflow"_s, u"kubeflow.md"_s},
        {u"frameworkcontroller"_s, u"frameworkcontroller.md"_s}, {u"openpai"_s, u"openpai.md"_s},
        {u"dlts"_s, u"dlts.md"_s}, {u"aml"_s, u"azure-ml.md"_s}};
    return kind.startsWith(u"external."_s) ? u"own-training-service.md"_s : pages.value(kind);
}

} // namespace models
