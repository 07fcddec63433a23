// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's experiment files, of both schemas, for the file's platform and for another one.
#include "fuzz_driver.h"

#include "services/core/record_json.h"
#include "services/nni/experiment_file.h"

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    nni::FileOptions options;
    options.folder = QStringLiteral("/w");
    options.home = QStringLiteral("/home/me");
    options.readFile = [](const QString&) { return QByteArray(R"({"x":{"_type":"choice","_value":[1]}})"); };
    options.isFolder = [](const QString&) { return true; };
    for (const bool other : {false, true}) {
        options.otherPlatform = other;
        const auto read = nni::readExperimentFile(text, options);
        if (read) {
            (void)core::dumpJson(read->settings);
            (void)core::experimentSpecFromJson(read->experiment);
        }
    }
}
