// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "app/trialkeeper/pod/final_watch.h"
#include "app/trialkeeper/pod/frame_output.h"
#include "app/trialkeeper/pod/memory_events.h"
#include "app/trialkeeper/pod/options.h"
#include "app/trialkeeper/pod/shell_words.h"
#include "app/trialkeeper/pod/termination.h"
#include "app/trialkeeper/pod/texts.h"
#include "services/wire/pod_log_reader.h"

#include "app/trialkeeper/base/io.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace trialkeeper;

namespace {

std::string refusalOf(const std::vector<std::string_view>& words)
{
    PodOptions options;
    std::string message;
    CHECK(!parsePodOptions(words, options, message));
    return message;
}

void readsOptions()
{
    PodOptions options;
    std::string message;
    CHECK(parsePodOptions({"--id", "a.1", "--dir=/d", "--grace", "7", "--shared", "--again", "--output", "/o", "--code",
                              "/c", "--termination=/dev/termination-log", "--parameters", "{}", "--parameter-cfg=env:X",
                              "--", "python3", "--", "-x"},
        options, message));
    CHECK(options.id == "a.1" && options.folder == "/d" && options.graceMs == 7000 && options.shared && options.again);
    CHECK(options.output == "/o" && options.code == "/c" && options.termination == "/dev/termination-log");
    CHECK(options.parameters == "{}" && options.parameterCfg == "env:X" && !options.shell);
    CHECK((options.arguments == std::vector<std::string>{"python3", "--", "-x"}));
    CHECK(parsePodOptions({"--id", "a", "--dir", "d", "train", "--id", "b"}, options, message));
    CHECK(options.id == "a" && options.arguments.size() == 3 && options.graceMs == 5000 && !options.parameters);
    CHECK(parsePodOptions({"--id", "a", "--dir", "d", "--shell", ""}, options, message) && options.shell == "");
    CHECK(parsePodOptions({"--help"}, options, message) && options.action == PodOptions::Action::Help);
    CHECK(
        parsePodOptions({"--id", "a", "--version"}, options, message) && options.action == PodOptions::Action::Version);

    CHECK(refusalOf({}).starts_with("--id"));
    CHECK(refusalOf({"--id", "../a", "--dir", "d", "x"}).starts_with("--id"));
    CHECK(refusalOf({"--id", "a", "x"}).starts_with("--dir"));
    CHECK(refusalOf({"--id", "a", "--dir", "d"}) == "There is no command.");
    CHECK(refusalOf({"--id", "a", "--dir", "d", "--"}) == "There is no command.");
    CHECK(refusalOf({"--id", "a", "--dir", "d", "--", ""}) == "There is no command.");
    CHECK(refusalOf({"--id", "a", "--dir", "d", "--shell", "x", "y"}).find("both") != std::string::npos);
    CHECK(refusalOf({"--id", "a", "--dir", "d", "--again", "x"}).starts_with("--again"));
    CHECK(refusalOf({"--id"}) == "The option --id lacks its value.");
    CHECK(refusalOf({"--idx=3"}) == "The option --idx is not known.");
    for (const char* grace : {"", "-1", "1.5", "3601", "x", "99999999999"})
        CHECK(refusalOf({"--id", "a", "--dir", "d", "--grace", grace, "x"}).starts_with("--grace"));
}

void resolvesTexts()
{
    std::string text;
    std::string message;
    Environment environment{{"P", "{\"a\": 1}"}, {"B", "base64:eyJhIjogMn0="}, {"F", "file:/etc/passwd"}};
    const auto resolved = [&](std::string_view given) {
        return resolveText(given, environment, text, message) ? text : "refused: " + message;
    };
    CHECK(resolved("{\"a\": 0}") == "{\"a\": 0}");
    CHECK(resolved("env:P") == "{\"a\": 1}" && !environment.contains("P"));
    CHECK(resolved("env:P") == "refused: The environment variable P is not set.");
    CHECK(resolved("env:B") == "{\"a\": 2}");
    CHECK(resolved("env:F") == "file:/etc/passwd"); // a value means nothing else
    CHECK(resolved("text:env:P") == "env:P");
    CHECK(resolved("base64:\neyJh\nIjog Mn0\n") == "{\"a\": 2}");
    CHECK(resolved("base64:eyJhIjogMn0===").starts_with("refused"));
    CHECK(resolved("file:/nowhere/at all")
        == "refused: The file /nowhere/at all cannot be read: No such file or directory.");
    CHECK(resolved("file:/dev/zero").starts_with("refused: The file /dev/zero cannot be read"));
    std::string bytes;
    for (const char* wrong : {"A", "A===", "AB=", "A*==", "AB==C", "AR==", "====", "="})
        CHECK(!decodeBase64(wrong, bytes));
    CHECK(decodeBase64("", bytes) && bytes.empty());
    CHECK(decodeBase64("AAECAw==", bytes) && bytes == std::string("\0\1\2\3", 4));
    CHECK(decodeBase64("/+A", bytes) && bytes == "\xff\xe0");

    CHECK(parameterCfgOf("{\"lr\": NaN}", "0012")
        == "{\"parameter_id\": 12, \"parameter_source\": \"algorithm\", \"parameters\": {\"lr\": NaN}, "
           "\"parameter_index\": 0}");
    for (const char* id : {"", "0", "00", "-1", "x", "1234567890123456789"})
        CHECK(parameterCfgOf("{}", id).starts_with("{\"parameter_id\": 0, "));
    CHECK(jsonString("a\"b\\c\n\xff") == "\"a\\\"b\\\\c??\"");
}

void knowsCommandsWithoutAShell()
{
    using Words = std::vector<std::string>;
    CHECK(shellWords("train --lr 0.1") == Words({"train", "--lr", "0.1"}));
    CHECK(shellWords("  /app/train\t--out=/x  -n5 \n") == Words({"/app/train", "--out=/x", "-n5"}));
    CHECK(shellWords("p 'a $b; c' \"d e\" f'g'\"h\" ''") == Words({"p", "a $b; c", "d e", "fgh", ""}));
    CHECK(shellWords("p \"it's\" '\"'") == Words({"p", "it's", "\""}));
    for (const char* text : {"", " \n", "a; b", "a && b", "a | b", "a > f", "a < f", "a &", "a $X", "a `b`", "a \\b",
             "a *", "a ?", "a [b]", "a ~", "a #b", "a !b", "a (b)", "a {b,c}", "a\nb", "X=1 a", "a 'b", "a \"b",
             "a \"$b\"", "a \"`b`\"", "a \"\\n\"", "'' a"})
        CHECK(!shellWords(text));
}

void knowsFinalMetrics()
{
    const std::string value = "\"value\": \"{\\\"type\\\": \\\"PERIODICAL\\\"}\"}\n";
    CHECK(isFinalMetric(PodStream::nni, "ME000094{\"parameter_id\": 0, \"type\": \"FINAL\", " + value));
    CHECK(!isFinalMetric(
        PodStream::nni, "ME000094{\"type\": \"PERIODICAL\", \"value\": \"\\\"type\\\": \\\"FINAL\\\"\"}\n"));
    CHECK(!isFinalMetric(PodStream::nni, "{\"type\": \"FINAL\"}\n"));
    CHECK(!isFinalMetric(PodStream::nni, "ME"));
    CHECK(isFinalMetric(PodStream::file, "{\"metric\": {\"type\": \"x\", \"a\": [1, 2]}, \"type\":\"FINAL\"}"));
    CHECK(!isFinalMetric(PodStream::file, "{\"metric\": {\"type\": \"FINAL\"}}"));
    CHECK(!isFinalMetric(PodStream::file, "{\"type\": \"FIN"));
    CHECK(!isFinalMetric(PodStream::file, "[\"type\", \"FINAL\"]") && !isFinalMetric(PodStream::file, "}{"));
    CHECK(!isFinalMetric(PodStream::file, "{\"x\": \"type\", \"y\": \"FINAL\"}"));
    CHECK(isFinalMetric(PodStream::standardOutput, "50 % NNISDK_MEb'{\"type\": \"FINAL\"}'\n"));
    CHECK(!isFinalMetric(PodStream::standardOutput, "{\"type\": \"FINAL\"}\n"));
    CHECK(!isFinalMetric(PodStream::standardError, "NNISDK_MEb'{\"type\": \"FINAL\"}'\n"));
}

void remembersTheLastFinalMetric()
{
    const std::string first = "{\"metric\": 1, \"type\": \"FINAL\"}\n";
    const std::string second = "{\"metric\": 22, \"type\": \"FINAL\"}\n";
    const std::string other = "{\"metric\": 3}\n";
    const std::string all = first + other + second + other;
    for (std::size_t size = 1; size <= all.size(); ++size) {
        FinalWatch watch;
        for (std::size_t at = 0; at < all.size(); at += size)
            (void)watch.feed(PodStream::file, at, std::string_view(all).substr(at, size), false);
        CHECK(watch.last().bytes == second && watch.last().offset == first.size() + other.size());
    }
    FinalWatch watch;
    CHECK(watch.feed(PodStream::file, 0, first, false));
    // A file that was cut: the half line before is none.
    CHECK(!watch.feed(PodStream::file, first.size(), "{\"metric\": 9, ", false));
    CHECK(!watch.feed(PodStream::file, first.size() + 14, "\"type\": \"FINAL\"}\n", true));
    CHECK(watch.last().bytes == first);
    // One that does not fit: there is none, rather than an older one. What is long and none changes nothing.
    const std::string filler(FinalWatch::longestRecord, 'x');
    CHECK(!watch.feed(PodStream::standardOutput, 0, filler + "\n", false) && watch.last().bytes == first);
    CHECK(watch.feed(PodStream::file, 99, "{\"type\": \"FINAL\", \"metric\": \"" + filler + "\"}\n", false));
    CHECK(watch.last().bytes.empty());
    CHECK(watch.feed(PodStream::file, 9999, second, false) && watch.last().bytes == second);
}

void terminationFits()
{
    FrameOutput output(-1, "ada.1", "18c1");
    FinalWatch::Record last{PodStream::nni, 12, std::string(FinalWatch::longestRecord, '$')};
    const std::string json = "{\"type\":\"exited\",\"final\":true}";
    std::string text = terminationText(output, last, json); // four bytes for each `$`
    CHECK(
        text.size() < maxTermination && text.find(" n ") == std::string::npos && text.find(" x ") != std::string::npos);
    last.bytes.assign(FinalWatch::longestRecord, 'v');
    text = terminationText(output, last, json);
    CHECK(text.size() <= maxTermination && text.find(" n 12 vvv") != std::string::npos);
    CHECK(terminationText(output, {}, {}).empty());
    PodLogReader reader("ada.1");
    std::vector<PodLogPiece> pieces;
    reader.feed(text, pieces);
    CHECK(reader.cursor().ended && pieces.size() == 4 && pieces[2].bytes == last.bytes && pieces[3].bytes == json);
}

void readsMemoryEvents()
{
    CHECK(oomKillsIn("low 0\nhigh 3\nmax 17\noom 2\noom_kill 5\noom_group_kill 0\n") == 5);
    CHECK(oomKillsIn("oom_kill_disable 0\nunder_oom 0\noom_kill 1") == 1);
    for (const char* text : {"", "\n", "oom_kill", "oom_kill x", "xoom_kill 4"})
        CHECK(oomKillsIn(text) == 0);
    CHECK(groupPathIn("1:name=systemd:/a\n0::/kubepods/pod7\n") == "/kubepods/pod7");
    CHECK(groupPathIn("") == "/" && groupPathIn("0::x") == "/");
}

std::string readAvailable(int fd)
{
    std::string bytes(1 << 20, '\0');
    const ssize_t got = ::read(fd, bytes.data(), bytes.size());
    bytes.resize(got > 0 ? std::size_t(got) : 0);
    return bytes;
}

/// Whoever reads slowly stops the trial, and costs no memory.
void aFullPipeStopsTheTrial()
{
    int ends[2];
    CHECK(::pipe2(ends, O_CLOEXEC) == 0);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    FrameOutput output(ends[1], "ada.1", "18c1");
    const std::string part(4000, 'x');
    std::uint64_t added = 0;
    while (output.mayAddLog()) {
        output.add(PodStream::standardOutput, part);
        added += part.size();
        (void)output.write();
    }
    CHECK(added < 300'000 && output.wantsWrite() && output.mayAddMetrics());
    while (output.mayAddMetrics())
        output.add(PodStream::file, part);
    PodLogReader reader("ada.1");
    std::vector<PodLogPiece> pieces;
    output.end("{}");
    while (!reader.cursor().ended) {
        reader.feed(readAvailable(ends[0]), pieces);
        (void)output.write();
    }
    CHECK(reader.cursor().of(PodStream::standardOutput) == added && output.isEmpty());
    for (const PodLogPiece& piece : pieces)
        CHECK(piece.kind != PodLogPiece::Kind::gap);
    ::close(ends[0]);
    output.add(PodStream::standardOutput, "a");
    CHECK(!output.write() && output.isClosed() && output.isEmpty() && output.mayAddLog());
    output.add(PodStream::standardOutput, "b");
    CHECK(output.isEmpty() && output.size(PodStream::standardOutput) == added + 2);
    ::close(ends[1]);
}

/// A disk that is full for a while: the reader learns what is missing of the log, and no metric is.
void aFullDiskCostsLogOnly()
{
    char path[] = "/tmp/tst_keeper_pod_XXXXXX";
    const Fd file(::mkstemp(path));
    ::unlink(path);
    const Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    const int fd = ::fcntl(full.get(), F_DUPFD_CLOEXEC, 10);
    FrameOutput output(fd, "ada.1", "18c1");
    const std::string part(4000, 'x');
    for (int i = 0; i < 100; ++i) {
        CHECK(output.mayAddLog()); // it does not stop the trial
        output.add(PodStream::standardOutput, part);
        CHECK(!output.write());
    }
    CHECK(output.retryAt() > 0 && !output.wantsWrite() && !output.isEmpty());
    std::uint64_t metrics = 0;
    for (; output.mayAddMetrics(); metrics += part.size())
        output.add(PodStream::nni, part);
    CHECK(metrics > 0);
    ::dup2(file.get(), fd); // there is room again
    CHECK(output.write() && output.isEmpty() && output.retryAt() == 0);
    output.add(PodStream::standardOutput, "end");
    output.end("{}");
    CHECK(output.write() && output.isEmpty());
    ::close(fd);
    std::string log(4 << 20, '\0');
    const ssize_t size = ::pread(file.get(), log.data(), log.size(), 0);
    PodLogReader reader("ada.1");
    std::vector<PodLogPiece> pieces;
    reader.feed(std::string_view(log).substr(0, std::size_t(size)), pieces);
    std::uint64_t missing = 0;
    for (const PodLogPiece& piece : pieces) {
        if (piece.kind != PodLogPiece::Kind::gap)
            continue;
        CHECK(piece.stream == PodStream::standardOutput);
        missing += piece.next - piece.offset;
    }
    CHECK(reader.cursor().ended && missing > 200'000 && missing < 400'000);
    CHECK(reader.cursor().of(PodStream::nni) == metrics && reader.cursor().of(PodStream::standardOutput) == 400'003);
}

} // namespace

int main()
{
    ::signal(SIGPIPE, SIG_IGN);
    readsOptions();
    resolvesTexts();
    knowsCommandsWithoutAShell();
    knowsFinalMetrics();
    remembersTheLastFinalMetric();
    terminationFits();
    readsMemoryEvents();
    aFullPipeStopsTheTrial();
    aFullDiskCostsLogOnly();
    return checkResult();
}
