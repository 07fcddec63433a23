// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_fields.h"

using namespace Qt::StringLiterals;

namespace platforms {

Field containerImageField()
{
    return Field{.name = u"dockerImage"_s,
        .type = u"string"_s,
        .title = u"Container image"_m,
        .help = u"What trials run in; the experiment's, or else the platform's. It needs bash."_m};
}

QList<Field> clusterCallFields(const Message& pollHelp)
{
    return {
        Field{.name = u"caFile"_s,
            .type = u"file"_s,
            .title = u"Certificate authority"_m,
            .help = u"PEM, where the cluster's certificate is not signed by one that this computer trusts."_m,
            .advanced = true},
        Field{.name = u"maxJobs"_s,
            .type = u"integer"_s,
            .defaultValue = 0,
            .title = u"Most jobs at once"_m,
            .help = u"How many jobs may be there at once, waiting ones included; 0 sets no limit of ours."_m,
            .minimum = 0,
            .advanced = true},
        Field{.name = u"pollInterval"_s,
            .type = u"integer"_s,
            .defaultValue = 10,
            .title = u"Seconds between questions"_m,
            .help = pollHelp,
            .minimum = 5,
            .advanced = true},
    };
}

} // namespace platforms
