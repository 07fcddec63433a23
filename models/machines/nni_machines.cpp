// SPDX-License-Identifier: GPL-3.0-or-later
#include "nni_machines.h"

#include "services/nni/experiment_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace models {

using core::Json;
using core::Kind;
using core::Result;

namespace {

constexpr qint64 longestFile = 1024 * 1024; ///< bytes

struct NniWords
{
    Q_DECLARE_TR_FUNCTIONS(models::NniMachines)
};

} // namespace

Result<Json> machinesOfNniFile(const QString& file, const QString& home)
{
    const QString name = QFileInfo(file).fileName();
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly))
        return core::fail(Kind::invalid, NniWords::tr("%1 cannot be read: %2.").arg(name, input.errorString()));
    const QByteArray text = input.read(longestFile + 1);
    if (text.size() > longestFile)
        return core::fail(Kind::invalid, NniWords::tr("%1 is too long for an experiment's file.").arg(name));
    const Result<nni::ExperimentFile> read = nni::readExperimentFile(text, nni::optionsFor(file, home));
    if (!read)
        return core::fail(read, name);
    const auto list = read->settings.find("machineList");
    if (list == read->settings.end() || !list->is_array() || list->empty())
        return core::fail(Kind::invalid,
            NniWords::tr("%1 names no machines: its platform is %2. Choose a file whose platform is remote.")
                .arg(name, read->kind.isEmpty() ? u"-"_s : read->kind));
    return *list;
}

} // namespace models
