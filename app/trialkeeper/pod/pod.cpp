// SPDX-License-Identifier: GPL-3.0-or-later
#include "pod.h"

#include "code_inbox.h"
#include "piece_log.h"
#include "shell_words.h"
#include "supervisor.h"
#include "termination.h"
#include "texts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace trialkeeper {

namespace {

constexpr int wrongOption = 2;
constexpr int notPrepared = 125;
constexpr int refusalPatienceMs = 5000;

/// Descriptors 0 to 2 that are closed would be given to files of ours.
void occupyStandardDescriptors()
{
    for (int fd = 0; fd <= 2; ++fd) {
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/", O_PATH | O_CLOEXEC); // writing to it fails
    }
}

/// Different for each life of a keeper of the same trial.
std::string newRun()
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    char text[20];
    std::snprintf(text, sizeof text, "%" PRIx64 "%04x",
        std::uint64_t(now.tv_sec) * 1000 + std::uint64_t(now.tv_nsec) / 1000000,
        unsigned(now.tv_nsec ^ ::getpid()) & 0xffffU);
    return std::string(text).substr(0, 16);
}

Environment ownEnvironment()
{
    Environment values;
    for (char** at = environ; at && *at; ++at) {
        const std::string_view pair = *at;
        const std::size_t equals = pair.find('=');
        if (equals != std::string_view::npos && equals > 0)
            values[std::string(pair.substr(0, equals))] = pair.substr(equals + 1);
    }
    return values;
}

/// What NNI's SDK asks for, where the cluster's own settings do not say it.
void setDefaults(Environment& environment, const PodOptions& options)
{
    environment.try_emplace("NNI_PLATFORM", "local");
    environment.try_emplace("NNI_EXP_ID", options.id);
    environment.try_emplace("NNI_TRIAL_JOB_ID", options.id);
    environment.try_emplace("NNI_TRIAL_SEQ_ID", "0");
    environment.try_emplace("MULTI_PHASE", "false");
    environment.try_emplace("PYTHONUNBUFFERED", "1"); // its output is a pipe
}

struct PodTexts
{
    std::string parameters = "{}", parameterCfg, shell;
};

bool resolveTexts(const PodOptions& options, Environment& environment, PodTexts& texts, std::string& message)
{
    if ((options.parameters && !resolveText(*options.parameters, environment, texts.parameters, message))
        || (options.parameterCfg && !resolveText(*options.parameterCfg, environment, texts.parameterCfg, message))
        || (options.shell && !resolveText(*options.shell, environment, texts.shell, message)))
        return false;
    if (!options.parameterCfg)
        texts.parameterCfg = parameterCfgOf(texts.parameters, environment["NNI_TRIAL_SEQ_ID"]);
    if (options.shell && (texts.shell.empty() || texts.shell.find('\0') != std::string::npos)) {
        message = "The command is empty or holds a NUL.";
        return false;
    }
    return true;
}

/// Nothing was started: says so in the log, where the service looks.
int refuse(const PodOptions& options, FrameOutput& output, const std::string& reason)
{
    const std::string json = "{\"type\":\"lost\",\"final\":true,\"time\":" + std::to_string(nowMs())
        + ",\"reason\":" + jsonString(reason) + ",\"failureClass\":\"" + failureClass::startFailed + "\"}";
    if (!options.termination.empty())
        (void)writeTermination(options.termination, terminationText(output, {}, json));
    output.end(json);
    const std::int64_t until = steadyMs() + refusalPatienceMs;
    while (!output.isEmpty() && steadyMs() < until) {
        if (!output.write()) {
            pollfd ready{STDOUT_FILENO, POLLOUT, 0};
            ::poll(&ready, 1, 100);
        }
    }
    std::fprintf(stderr, "trialkeeper pod: %s\n", reason.c_str());
    return notPrepared;
}

/// With the output where it goes. The exit code.
int runTrial(const PodOptions& options)
{
    std::string message;
    Environment environment = ownEnvironment();
    setDefaults(environment, options);
    FrameOutput output(STDOUT_FILENO, options.id, newRun());
    output.event("{\"type\":\"begin\",\"time\":" + std::to_string(nowMs()) + ",\"keeper\":\"" TRIALDECK_VERSION "\"}");
    PodTexts texts;
    PodFolder folder;
    if (!resolveTexts(options, environment, texts, message)
        || !preparePodFolder(options, texts.parameters, texts.parameterCfg, folder, message))
        return refuse(options, output, message);
    setFolders(environment, folder.path, folder.outputPath, folder.codePath);
    std::vector<std::string> arguments = options.arguments;
    if (options.shell) {
        const char* shell = podShell();
        const auto plain = shell ? std::nullopt : shellWords(texts.shell);
        if (!shell && !plain)
            return refuse(options, output,
                "The image has no shell (/bin/sh), and the command is more than a program with plain words.");
        arguments = shell ? std::vector<std::string>{shell, "-c", texts.shell} : *plain;
    }
    PodSupervisor supervisor(options, folder, output);
    return supervisor.run(arguments, environment);
}

/// The trial's keeper is a child, so that the end of all of its own children stays its sign for the end of the trial.
int runInPieces(const PodOptions& options)
{
    PieceLog log;
    std::string message;
    std::array<int, 2> ends{-1, -1};
    if (!log.open(options.pieces, message) || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
        std::fprintf(stderr, "trialkeeper pod: %s\n", message.empty() ? errorText(errno).c_str() : message.c_str());
        return notPrepared;
    }
    Fd reader(ends[0]);
    Fd writer(ends[1]);
    const pid_t parent = ::getpid();
    const pid_t keeper = ::fork();
    if (keeper == 0) {
        reader.reset();
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent || ::dup2(writer.get(), STDOUT_FILENO) < 0)
            ::_exit(notPrepared);
        writer.reset();
        ::_exit(runTrial(options));
    }
    writer.reset();
    if (keeper < 0) {
        std::fprintf(stderr, "trialkeeper pod: %s\n", errorText(errno).c_str());
        return notPrepared;
    }
    return relayPieces(log, std::move(reader), keeper);
}

} // namespace

int runPod(int argc, char** argv)
{
    const std::string_view verb = argc == 3 ? argv[1] : "";
    if (verb == "receive" || verb == "unpack")
        return verb == "receive" ? receiveCode(argv[2]) : unpackCode(argv[2]);
    PodOptions options;
    std::string message;
    if (!parsePodOptions({argv + std::min(argc, 1), argv + argc}, options, message)) {
        std::fprintf(stderr, "trialkeeper pod: %s\nSee trialkeeper pod --help.\n", message.c_str());
        return wrongOption;
    }
    if (options.action != PodOptions::Action::Run) {
        if (options.action == PodOptions::Action::Help)
            std::fputs(podHelp(), stdout);
        else
            std::printf("trialkeeper-pod %s\n", TRIALDECK_VERSION);
        return 0;
    }
    occupyStandardDescriptors();
    blockPodSignals();
    return options.pieces.empty() ? runTrial(options) : runInPieces(options);
}

} // namespace trialkeeper
