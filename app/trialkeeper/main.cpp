// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/trialkeeper/agent/code_store.h"
#include "app/trialkeeper/agent/doctor.h"
#include "app/trialkeeper/agent/agent_server.h"
#include "app/trialkeeper/agent/launcher.h"
#include "app/trialkeeper/agent/removal.h"
#include "app/trialkeeper/pod/pod.h"
#include "app/trialkeeper/trial/run.h"
#include "services/wire/protocol.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/stat.h>

namespace {

void usage(std::FILE* out)
{
    std::fprintf(out,
        "usage: trialkeeper host DIR      the agent of a machine, on standard input and output\n"
        "       trialkeeper doctor DIR    what trials need of this machine, as lines of JSON\n"
        "       trialkeeper launch        the agent for the service that is connected to standard input\n"
        "       trialkeeper pod ...       a trial's keeper in a container or batch job: see trialkeeper pod --help\n"
        "       trialkeeper --version\n"
        "started by the agent itself: run FOLDER TICKET, run --adopt FOLDER, unpack ARCHIVE FOLDER, erase\n");
}

} // namespace

int main(int argc, char** argv)
{
    using namespace trialkeeper;
    // Agent and keeper open again what they make, and so does a trial: a umask that takes the account's own rights away is meant by nobody.
    ::umask(::umask(077) & 077);
    const std::string_view verb = argc > 1 ? argv[1] : "";
    if (verb == "run" && argc == 4)
        return std::string_view(argv[2]) == "--adopt"
            ? runKeeper(argv[3], 0, true)
            : runKeeper(argv[2], unsigned(std::strtoul(argv[3], nullptr, 10)), false);
    if (verb == "pod")
        return runPod(argc - 1, argv + 1);
    if (verb == "host" && argc == 3)
        return runHost(argv[2]);
    if (verb == "launch" && argc == 2)
        return launchHost();
    if (verb == "doctor" && argc == 3)
        return examineMachine(argv[2]);
    if (verb == "unpack" && argc == 4)
        return unpackArchive(argv[2], argv[3]);
    if (verb == "erase" && argc == 2)
        return eraseListed();
    if (verb == "--version" || verb == "version") {
        std::printf("trialkeeper %s protocol %d\n", TRIALDECK_VERSION, protocolVersion);
        return 0;
    }
    usage(verb == "--help" ? stdout : stderr);
    return verb == "--help" ? 0 : 2;
}
