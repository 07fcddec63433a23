// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "services/wire/names.h"

#include <algorithm>
#include <charconv>

namespace trialkeeper {

namespace {

constexpr int longestSeconds = 3600;

bool readSeconds(std::string_view text, int& milliseconds)
{
    int seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > longestSeconds)
        return false;
    milliseconds = seconds * 1000;
    return true;
}

/// The option's place for its value; null where it takes none or is not known.
std::string* valueOf(PodOptions& options, std::string_view name)
{
    return name == "--id"           ? &options.id
        : name == "--dir"           ? &options.folder
        : name == "--output"        ? &options.output
        : name == "--code"          ? &options.code
        : name == "--termination"   ? &options.termination
        : name == "--pieces"        ? &options.pieces
        : name == "--parameters"    ? &options.parameters.emplace()
        : name == "--parameter-cfg" ? &options.parameterCfg.emplace()
        : name == "--shell"         ? &options.shell.emplace()
                                    : nullptr;
}

bool checkPodOptions(const PodOptions& options, std::string& message)
{
    if (!isSafeId(options.id))
        message = "--id is missing, or is not made of letters, digits, '.', '_' and '-'.";
    else if (options.folder.empty())
        message = "--dir, the trial's folder, is missing.";
    else if (options.again && !options.shared)
        message = "--again has a meaning only with --shared.";
    else if (options.shell && !options.arguments.empty())
        message = "There is a command both by --shell and by words of its own.";
    else if (!options.shell && (options.arguments.empty() || options.arguments.front().empty()))
        message = "There is no command.";
    return message.empty();
}

} // namespace

bool parsePodOptions(const std::vector<std::string_view>& words, PodOptions& options, std::string& message)
{
    options = {};
    message.clear();
    std::size_t at = 0;
    for (; at < words.size(); ++at) {
        std::string_view name = words[at];
        if (name == "--") {
            ++at;
            break;
        }
        if (!name.starts_with('-'))
            break;
        if (name == "--help" || name == "--version") {
            options.action = name == "--help" ? PodOptions::Action::Help : PodOptions::Action::Version;
            return true;
        }
        if (name == "--shared" || name == "--again") {
            (name == "--shared" ? options.shared : options.again) = true;
            continue;
        }
        const std::size_t equals = name.find('=');
        const bool inside = equals != std::string_view::npos;
        std::string_view value = inside ? name.substr(equals + 1) : std::string_view();
        name = name.substr(0, equals);
        std::string* place = valueOf(options, name);
        int* seconds = name == "--grace" ? &options.graceMs : name == "--linger" ? &options.lingerMs : nullptr;
        if (!place && !seconds) {
            message = "The option " + std::string(name) + " is not known.";
            return false;
        }
        if (!inside && ++at == words.size()) {
            message = "The option " + std::string(name) + " lacks its value.";
            return false;
        }
        if (!inside)
            value = words[at];
        if (place) {
            *place = value;
        } else if (!readSeconds(value, *seconds)) {
            message = std::string(name) + " takes whole seconds, from 0 to 3600.";
            return false;
        }
    }
    options.arguments.assign(words.begin() + std::ptrdiff_t(std::min(at, words.size())), words.end());
    return checkPodOptions(options, message);
}

const char* podHelp()
{
    return "usage: trialkeeper pod --id ID --dir DIR [OPTION...] [--] COMMAND [ARGUMENT...]\n"
           "       trialkeeper pod --id ID --dir DIR [OPTION...] --shell TEXT\n"
           "       trialkeeper pod receive INBOX, trialkeeper pod unpack INBOX\n"
           "\n"
           "Runs one command in a container or batch job, and writes its output, its metrics and its end to standard\n"
           "output as frames of text, a line each (services/wire/pod_frame.h). Also as a program of its own,\n"
           "trialkeeper-pod, which needs nothing else in an image.\n"
           "\n"
           "  --id ID              of the trial or attempt, in each frame: letters, digits, '.', '_', '-'\n"
           "  --dir DIR            the trial's folder (NNI_SYS_DIR), made where it is missing, and emptied of an "
           "earlier\n"
           "                       run's parameters and metrics; only it, --output and --termination are written\n"
           "  --output DIR         NNI_OUTPUT_DIR, made where it is missing (DIR/output)\n"
           "  --code DIR           the working directory (the current one)\n"
           "  --shell TEXT         a text for bash where there is one, else for sh; where there is neither, plain\n"
           "                       words are started as they are\n"
           "  --parameters TEXT    the parameters, JSON ({})\n"
           "  --parameter-cfg TEXT all of parameter.cfg (made of the parameters and NNI_TRIAL_SEQ_ID)\n"
           "  --grace SECONDS      from SIGTERM to SIGKILL (5)\n"
           "  --linger SECONDS     to stay after all is written (0), where the log goes with the container: time to "
           "read it.\n"
           "                       No signal but SIGKILL shortens it\n"
           "  --termination FILE   where the last final metric and the end go, too, at most 4096 bytes:\n"
           "                       terminationMessagePath of the container\n"
           "  --pieces DIR         the frames go there instead, into files that are named by the offset of their first "
           "byte\n"
           "                       and appear whole: for a storage that shows a file only once it is closed\n"
           "  --shared             the service reads DIR, too: stdout, stderr, journal and exit are written there, "
           "and\n"
           "                       what was started there once is not started again\n"
           "  --again              with --shared: start it again; what the earlier run wrote there is replaced\n"
           "\n"
           "TEXT is a text as it stands, or base64:TEXT, env:NAME (the value of a variable), file:PATH, or text:TEXT "
           "for\n"
           "one that begins like these. At most 1 MiB.\n"
           "\n"
           "SIGTERM, SIGINT, SIGHUP and SIGQUIT end the command with SIGTERM, and after the grace with SIGKILL; "
           "SIGUSR1\n"
           "and SIGUSR2 are passed on. The exit code is the command's, 128 + N if signal N ended it, 126 or 127 if it\n"
           "could not be started, 125 if its folder could not be prepared, 2 for a wrong option.\n"
           "\n"
           "receive waits in a container for code, which unpack, started there beside it, reads from its standard\n"
           "input as a tar; it lies in INBOX/code then.\n";
}

} // namespace trialkeeper
