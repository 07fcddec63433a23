// SPDX-License-Identifier: GPL-3.0-or-later
// A real Slurm of one node to try things on: prints its slurm.conf and its folder, and stays until its standard input ends.
#include "tests/fakes/slurm_cluster.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    SlurmCluster cluster;
    if (SlurmCluster::missingRest().isEmpty())
        cluster.wantRest();
    if (!cluster.start()) {
        std::fprintf(stderr, "%s\n", qPrintable(cluster.error()));
        return 1;
    }
    std::printf("slurmConf=%s\nworkingDirectory=%s\n", qPrintable(cluster.conf()), qPrintable(cluster.folder()));
    if (SlurmCluster::missingRest().isEmpty())
        std::printf("restUrl=%s\nrestToken=%s\n", qPrintable(cluster.restUrl()), cluster.restToken().constData());
    std::fflush(stdout);
    while (std::getchar() != EOF) { }
    return 0;
}
