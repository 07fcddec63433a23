// SPDX-License-Identifier: GPL-3.0-or-later
#include "verb_table.h"

namespace app {

namespace {

using T = ValueType;

const OptionSpec dryRun{"dry-run", 0, T::flag, "", "show what would be done, and do nothing"};
const OptionSpec platformOption{"option", 0, T::text, "NAME=VALUE",
    "an option of the platform's kind; NAME=@FILE: from a file; may be given more than once", true};
const OptionSpec yes{"yes", 'y', T::flag, "", "do not ask"};
const OptionSpec givesUp{"force", 0, T::flag, "", "do not ask, and give up what is on machines that do not answer"};
const OptionSpec onPlatform{"on", 0, T::text, "PLATFORM", "the platform (default: local)"};
const OptionSpec ofExperiment{"experiment", 'e', T::text, "E", "trials of this experiment"};
const OptionSpec ofStatus{
    "status", 's', T::status, "STATUS", "only trials with this status; may be given more than once", true};
const OptionSpec timeout{
    "timeout", 0, T::seconds, "S", "give up after so many seconds (exit code 5); the trials go on"};
const OptionSpec follow{"follow", 'f', T::flag, "", "go on with what is new, until the trial has ended"};

const char* const idText =
    "ID is a whole id, a unique beginning or end of one, `12` (trial 12 of the newest experiment), `E/12`,\n"
    "or `@last` (the newest).";
const char* const selectionText =
    "Trials are named by ID, or selected by --experiment and --status. More than one asks first; --yes does not.\n"
    "ID is a whole id, a unique beginning or end of one, `12` (trial 12 of the newest experiment), `E/12`, or `@last`.";

const char* const retryText =
    "Trials are named by ID, or selected by --experiment and --status (default: FAILED and SYS_CANCELED). More than "
    "one asks\n"
    "first; --yes does not. ID is a whole id, a unique beginning or end of one, `12`, `E/12`, or `@last`.";

std::vector<VerbSpec> makeTable()
{
    std::vector<VerbSpec> table;
    table.push_back({.name = "run",
        .arguments = "[NAME=SPEC...] -- COMMAND...",
        .least = 0,
        .most = -1,
        .summary = "Run a command as trials: once, repeated, or over a search space.",
        .more = "SPEC: 1e-4..1e-1 uniform · log:1e-4..1e-1 · 1,2,4 choice · int:1..9\n"
                "In COMMAND, {name} becomes that parameter and {args} becomes `--name value` for all of them; nothing "
                "needs quoting.\n"
                "A COMMAND that is one word with spaces is taken as a line for the shell.\n"
                "Without SPEC the command runs once, or N times with --sample N. With SPEC and neither --sample nor "
                "--grid: every\n"
                "combination when all are choices, else 10 random samples. The current folder is copied as the trials' "
                "code.\n"
                "Exit code with --wait: 0 all succeeded (or were stopped early on purpose), 4 some did not.",
        .options = {onPlatform,
            {"gpus", 0, T::count, "N", "GPUs that each trial needs (default: no GPU is reserved, all are seen)"},
            {"concurrency", 'c', T::positive, "N", "trials at the same time (default: 1)"},
            {"sample", 'n', T::positive, "N", "N random samples; without SPEC, N repetitions"},
            {"grid", 0, T::flag, "", "every combination"},
            {"metric", 0, T::text, "REGEX",
                "lines of stdout that report a value: a regular expression with a group `value`"},
            {"maximize", 0, T::text, "NAME", "the metric to maximize (default: `default`)"},
            {"minimize", 0, T::text, "NAME", "the metric to minimize"},
            {"name", 0, T::text, "NAME", "name of the experiment (default: from the command)"},
            {"code", 0, T::folder, "DIR", "folder of the trials' code (default: the current one)"},
            {"no-code", 0, T::flag, "", "no code folder"},
            {"in-place", 0, T::flag, "", "run in the code folder itself instead of a copy"},
            {"max-trial-seconds", 0, T::positive, "S", "a trial is ended after so long"}, platformOption,
            {"tag", 0, T::text, "TAG", "a tag of the experiment; may be given more than once", true},
            {"wait", 'w', T::flag, "", "stay until all trials have ended, show progress, and name the best"}, timeout,
            dryRun},
        .command = true,
        .exclusive = "sample|grid maximize|minimize code|no-code no-code|in-place"});
    table.push_back({.name = "submit",
        .summary = "Add trials to an experiment.",
        .more = "--parameters takes a JSON object, @FILE with one JSON object a line, or `-` for the same from stdin.\n"
                "Without it, one trial without parameters is added.",
        .options = {{"experiment", 'e', T::text, "E", "the experiment", false, true},
            {"parameters", 'p', T::text, "JSON", "parameters of a trial; may be given more than once", true},
            {"gpus", 0, T::count, "N", "GPUs that each of these trials needs"},
            {"priority", 0, T::text, "N", "higher goes first (default: 0)"},
            {"hold", 0, T::flag, "", "accept, but do not start yet"},
            {"tag", 0, T::text, "TAG", "a tag of these trials; may be given more than once", true},
            {"wait", 'w', T::flag, "", "stay until these trials have ended"}, timeout}});

    table.push_back({.name = "list",
        .summary = "List trials, the newest first.",
        .options = {ofExperiment, ofStatus, {"platform", 0, T::text, "P", "trials of this platform"},
            {"machine", 0, T::text, "M", "trials of this machine"},
            {"sort", 0, T::text, "FIELD", "sort by a field, `queue`, `parameters.NAME` or `metrics.NAME`"},
            {"order", 0, T::text, "asc|desc", "ascending or descending (default: desc, of `queue` asc)"},
            {"limit", 0, T::positive, "N", "at most so many (default: 100)"}}});
    table.push_back({.name = "show",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Show everything about one trial.",
        .more = idText});
    table.push_back({.name = "why",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Say why a trial waits, failed, or is where it is; of an experiment, what its trials wait for.",
        .more = idText});
    table.push_back({.name = "cancel",
        .arguments = "(ID... | --experiment E)",
        .least = 0,
        .most = -1,
        .summary = "Cancel trials.",
        .more = selectionText,
        .options = {ofExperiment, ofStatus,
            {"early-stopped", 0, T::flag, "", "end them as EARLY_STOPPED: on purpose, with a result"},
            {"force", 0, T::flag, "", "give up those that are UNKNOWN: they end here, and may run on where they are"},
            yes, dryRun}});
    table.push_back({.name = "retry",
        .arguments = "(ID... | --experiment E)",
        .least = 0,
        .most = -1,
        .summary = "Run ended trials again with the same parameters.",
        .more = retryText,
        .options = {ofExperiment, ofStatus, {"on", 0, T::text, "PLATFORM", "on another platform"},
            {"machine", 0, T::text, "M", "on this machine"}, {"gpus", 0, T::count, "N", "with another number of GPUs"},
            yes, dryRun}});
    table.push_back({.name = "wait",
        .arguments = "(ID... | --experiment E)",
        .least = 0,
        .most = -1,
        .summary = "Wait until trials, or an experiment, have ended.",
        .more = "Exit code: 0 all succeeded (or were stopped early on purpose), 4 some did not, 5 the time ran out.\n"
                "ID is a whole id, a unique beginning or end of one, `12` (trial 12 of the newest experiment), `E/12`, "
                "or `@last`.",
        .options = {ofExperiment, timeout}});
    table.push_back({.name = "note",
        .arguments = "ID [TEXT]",
        .least = 1,
        .most = 2,
        .summary = "Write a note on a trial, or show it.",
        .more = "TEXT is kept with the trial and replaces what was there; \"\" takes the note away. Without TEXT it is "
                "shown.\n"
                "ID is a whole id, a unique beginning or end of one, `12` (trial 12 of the newest experiment), `E/12`, "
                "or `@last`."});
    table.push_back({.name = "metrics",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Show the values that a trial reported.",
        .more = idText,
        .options = {follow, {"limit", 0, T::positive, "N", "the last N values only"}}});
    table.push_back({.name = "logs",
        .arguments = "[ID]",
        .least = 0,
        .most = 1,
        .summary = "Show what a trial printed (default: the newest trial).",
        .more = idText,
        .options = {follow, {"stderr", 0, T::flag, "", "its stderr instead of stdout"},
            {"name", 0, T::text, "NAME", "another log of the trial, by name"},
            {"tail", 'n', T::count, "N", "the last N lines only"},
            {"raw", 0, T::flag, "", "its bytes as they are, on a terminal, too"}},
        .exclusive = "stderr|name"});
    table.push_back({.name = "pull",
        .arguments = "ID [PATH]",
        .least = 1,
        .most = 2,
        .summary = "Download a trial's output files to ./trial-<sequence>/.",
        .more = "PATH is one file or folder of the output; without it, all files."});

    table.push_back({.name = "experiment create",
        .arguments = "FILE",
        .least = 1,
        .most = 1,
        .summary = "Create an experiment from a JSON file, or from one of NNI's YAML files.",
        .more =
            "A JSON file holds what POST /api/v1/experiments takes; a relative codeDir counts from the file's folder.\n"
            "A YAML file (.yml, .yaml) is NNI's, of any version; the tuners Random and GridSearch run here, others in "
            "NNI.\n"
            "What such a file says of its platform is looked for among the platforms, or added; --on leaves it aside.\n"
            "--option sets what the platform wants to know besides, over what the file says.\n"
            "--dry-run shows the experiment as it is understood, and the files that would be copied.",
        .options = {{"on", 0, T::text, "PLATFORM", "the platform, instead of the file's"}, platformOption, dryRun}});
    table.push_back({.name = "experiment list", .summary = "List experiments, the newest first."});
    table.push_back(
        {.name = "experiment show", .arguments = "E", .least = 1, .most = 1, .summary = "Show one experiment."});
    table.push_back({.name = "experiment pause",
        .arguments = "E",
        .least = 1,
        .most = 1,
        .summary = "Start no further trials; running ones go on."});
    table.push_back(
        {.name = "experiment resume", .arguments = "E", .least = 1, .most = 1, .summary = "Start trials again."});
    table.push_back({.name = "experiment set",
        .arguments = "E NAME=VALUE...",
        .least = 2,
        .most = -1,
        .summary = "Change limits while it runs.",
        .more = "NAME: name, trialConcurrency, maxTrialNumber, maxDurationSeconds, maxTrialDurationSeconds, tags, "
                "searchSpace.\n"
                "The VALUE `none` removes a limit."});
    table.push_back({.name = "experiment stop",
        .arguments = "E",
        .least = 1,
        .most = 1,
        .summary = "Start no further trials and cancel those that have not ended.",
        .options = {givesUp, yes, dryRun}});
    table.push_back({.name = "experiment cleanup",
        .arguments = "E",
        .least = 1,
        .most = 1,
        .summary = "Remove the trials' folders from the platform; the history stays.",
        .options = {givesUp, yes, dryRun}});
    table.push_back({.name = "experiment delete",
        .arguments = "E",
        .least = 1,
        .most = 1,
        .summary = "Remove an experiment with its history.",
        .options = {givesUp, yes, dryRun}});

    table.push_back({.name = "nni register",
        .summary = "Make Trialdeck a training service of an NNI.",
        .more = "Installs the adapter into the Python that NNI is in, and enters it where `nnictl trainingservice "
                "register`\n"
                "does. Then `trainingService: {platform: trialdeck}` in an experiment's file is all that is needed.",
        .options = {{"python", 0, T::file, "PYTHON", "the Python with NNI (default: that of nnictl, else python3)"}},
        .service = false});
    table.push_back({.name = "nni unregister",
        .summary = "Take Trialdeck out of an NNI again.",
        .options = {{"python", 0, T::file, "PYTHON", "the Python with NNI (default: that of nnictl, else python3)"}},
        .service = false});
    table.push_back({.name = "nni show",
        .arguments = "DIR",
        .least = 1,
        .most = 1,
        .summary = "Show an experiment that NNI ran, from its folder in ~/nni-experiments.",
        .more = "Reads its database (NNI 1.9 to 3.0), and changes nothing.",
        .service = false});

    table.push_back({.name = "platform list", .summary = "List the platforms."});
    table.push_back({.name = "platform add",
        .arguments = "(FILE.json | KIND [NAME=VALUE...])",
        .least = 1,
        .most = -1,
        .summary = "Add a platform.",
        .more = "FILE.json holds {\"id\", \"kind\", \"settings\"}. A secret is given as NAME=@FILE, never on the "
                "command line.",
        .options = {{"id", 0, T::text, "ID", "its id (default: the kind)"},
            {"replace", 0, T::flag, "", "change the settings of one that is there"}, dryRun}});
    table.push_back({.name = "platform check",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Check that a platform works."});
    table.push_back({.name = "platform retry",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Open a platform again that could not be opened."});
    table.push_back(
        {.name = "platform remove", .arguments = "ID", .least = 1, .most = 1, .summary = "Remove a platform."});

    table.push_back(
        {.name = "external list", .summary = "List the programs of your own that run trials.", .service = false});
    table.push_back({.name = "external add",
        .arguments = "NAME -- PROGRAM [ARG...]",
        .least = 1,
        .most = 1,
        .summary = "Add a program of your own that runs trials, as the kind external.NAME.",
        .more = "It is run once and asked to describe itself; the protocol is resources/api/external-platform.md.",
        .options = {{"replace", 0, T::flag, "", "in place of another one of this name"}, dryRun},
        .command = true,
        .service = false});
    table.push_back({.name = "external remove",
        .arguments = "NAME",
        .least = 1,
        .most = 1,
        .summary = "Forget such a program.",
        .options = {{"force", 0, T::flag, "", "also with platforms of its kind"}},
        .service = false});

    table.push_back({.name = "conformance",
        .arguments = "(PLATFORM | FILE.json)",
        .least = 1,
        .most = 1,
        .summary = "Try whether a training service keeps what all of them promise.",
        .more = "A service of its own is started for it, with this platform as it is configured here, or as FILE.json "
                "says; it is "
                "killed\n"
                "several times. A line for each promise; exit code 1 where one is broken.",
        .options = {{"option", 0, T::text, "NAME=VALUE", "an option of the experiments (platformOptions)", true},
            {"only", 0, T::text, "PROMISE", "this promise alone", true},
            {"patience", 0, T::positive, "SECONDS", "how long a cluster may take for one thing (default: 300)"},
            {"keep", 0, T::flag, "", "do not remove the service's data directory"}},
        .service = false});

    table.push_back({.name = "machine list", .summary = "List the machines."});
    table.push_back({.name = "machine add",
        .arguments = "(USER@HOST... | --from-ssh-config)",
        .least = 0,
        .most = -1,
        .summary = "Add machines over SSH, and examine them.",
        .more = "HOST may be one of your ~/.ssh/config; user, port, key and jump hosts then come from there. Nothing "
                "needs to be\n"
                "installed on the machine. Passwords and passphrases are asked for, never given on the command line.",
        .options = {{"platform", 0, T::text, "P", "the platform to add them to (default: remote)"},
            {"from-ssh-config", 0, T::flag, "", "all hosts that ~/.ssh/config names"},
            {"no-check", 0, T::flag, "", "do not examine them"}, yes, dryRun}});
    table.push_back({.name = "machine trust",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Trust the new host key of a machine.",
        .options = {
            {"fingerprint", 0, T::text, "SHA256:...", "the key's fingerprint, as its administrator says"}, yes}});
    table.push_back({.name = "machine check",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Examine a machine (the doctor)."});
    table.push_back({.name = "machine drain",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Place no new trials on a machine; running ones go on."});
    table.push_back(
        {.name = "machine undrain", .arguments = "ID", .least = 1, .most = 1, .summary = "Place trials on it again."});
    table.push_back({.name = "machine remove",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Take a machine out of its platform, and delete everything of Trialdeck there.",
        .more = "Without --force it is refused while trials run there. With it they are given up: they end here as "
                "cancelled and\n"
                "may run on there, and what cannot be deleted because the machine does not answer stays there.",
        .options = {
            {"force", 0, T::flag, "", "also with trials under way there, or when the machine is gone"}, yes, dryRun}});
    table.push_back({.name = "gpus", .summary = "Show every GPU: how busy it is, and who holds it."});

    table.push_back({.name = "events",
        .summary = "Show what changes.",
        .more = "Without options it prints where the service stands, as EPOCH.REV, for a later --since.",
        .options = {{"since", 0, T::text, "EPOCH.REV", "what changed after that"},
            {"follow", 'f', T::flag, "", "go on with what is new"}}});
    table.push_back({.name = "prompts", .summary = "List the questions that wait for a person."});
    table.push_back({.name = "answer",
        .arguments = "ID",
        .least = 1,
        .most = 1,
        .summary = "Answer a question.",
        .more = "Answers are read from the terminal, or one a line from stdin; never from the command line.",
        .options = {{"accept", 0, T::flag, "", "accept (a host key)"}, {"reject", 0, T::flag, "", "refuse it"},
            {"no-remember", 0, T::flag, "", "for this time only"}},
        .exclusive = "accept|reject"});

    table.push_back({.name = "token list", .summary = "List the tokens that the service accepts."});
    table.push_back({.name = "token create",
        .arguments = "NAME",
        .least = 1,
        .most = 1,
        .summary = "Make a token for another program or person; it is printed once.",
        .more = "SCOPE: read sees everything; run starts and ends trials, too, which is running commands as you; admin "
                "also\n"
                "changes platforms, machines and tokens.",
        .options = {{"scope", 0, T::text, "SCOPE", "read, run or admin (default: read)"},
            {"expires-in", 0, T::positive, "DAYS", "it is valid for so many days (default: until it is revoked)"}}});
    table.push_back({.name = "token revoke",
        .arguments = "NAME",
        .least = 1,
        .most = 1,
        .summary = "Accept a token no more; its connections end."});
    table.push_back({.name = "token rotate",
        .summary = "Replace the token of the data directory; clients on this computer read the new one."});

    table.push_back({.name = "service install", .summary = "Let systemd run the service whenever you are logged in."});
    table.push_back({.name = "service status",
        .summary = "Say whether the service runs, where, and what it does.",
        .service = false});
    table.push_back({.name = "service stop",
        .summary = "End the service; its trials go on running.",
        .options = {timeout},
        .service = false});
    table.push_back({.name = "completion",
        .arguments = "(bash | zsh | fish)",
        .least = 1,
        .most = 1,
        .summary = "Print the completion script of a shell.",
        .more = "For bash: source <(trialdeck completion bash)\nFor zsh:  source <(trialdeck completion zsh)\n"
                "For fish: trialdeck completion fish | source",
        .service = false,
        .words = "bash|zsh|fish"});
    table.push_back({.name = "manual",
        .summary = "Print the manual page; `trialdeck manual | man -l -` shows it.",
        .service = false});
    table.push_back({.name = "help",
        .arguments = "[VERB]",
        .least = 0,
        .most = 2,
        .summary = "Show the help of a verb.",
        .service = false});
    return table;
}

} // namespace

const std::vector<VerbSpec>& verbTable()
{
    static const std::vector<VerbSpec> table = makeTable();
    return table;
}

const std::vector<OptionSpec>& globalOptions()
{
    static const std::vector<OptionSpec> options = {
        {"data-dir", 0, T::folder, "DIR", "keep data, settings and logs under this folder"},
        {"url", 0, T::text, "URL", "the service to use: http://…, or ssh://USER@HOST (also: TRIALDECK_URL)"},
        {"token-file", 0, T::file, "FILE", "file with its token (also: TRIALDECK_TOKEN_FILE)"},
        {"insecure", 0, T::flag, "",
            "let the token travel in clear: over http:// beyond this computer, or with --serve --listen"},
        {"no-start", 0, T::flag, "", "do not start a service when none runs"},
        {"json", 0, T::flag, "", "print JSON"},
        {"quiet", 'q', T::flag, "", "print ids only"},
        {"verbose", 'v', T::flag, "", "print the log to stderr, too"},
        {"help", 'h', T::flag, "", "show this help"},
        {"version", 0, T::flag, "", "show the version"},
    };
    return options;
}

const std::vector<OptionSpec>& programOptions()
{
    static const std::vector<OptionSpec> options = {
        {"serve", 0, T::flag, "", "run the service, without a window"},
        {"demo", 0, T::flag, "", "run the demo experiment on this computer"},
        {"connect", 0, T::text, "URL",
            "show the service at this address: http://… (see --token-file), or ssh://USER@HOST"},
        {"screenshot", 0, T::file, "FILE.png", "draw the window into a picture and exit"},
        {"page", 0, T::text, "NAME",
            "the page to begin with: overview experiments trials queue machines charts failures events platforms, or "
            "guide"},
        {"size", 0, T::text, "WxH", "size of the window (default: 1440x900)"},
        {"theme", 0, T::text, "light|dark", "instead of the system's"},
        {"locale", 0, T::text, "LOCALE", "language of the window, for example zh_CN"},
        {"listen", 0, T::listen, "ADDR:PORT",
            "with --serve: where to listen (default: 127.0.0.1:8643, or a free port)"},
        {"ingest", 0, T::listen, "ADDR:PORT", "with --serve: where trials may post their metrics (default: nowhere)"},
        {"ingest-url", 0, T::text, "URL", "with --ingest: how trials reach that address"},
        {"tls-cert", 0, T::file, "FILE", "with --serve: the TLS certificate"},
        {"tls-key", 0, T::file, "FILE", "with --serve: its key"},
    };
    return options;
}

} // namespace app
