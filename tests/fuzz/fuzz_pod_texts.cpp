// SPDX-License-Identifier: GPL-3.0-or-later
// What `trialkeeper pod` reads: its options, texts in base64, the kernel's words about its group, and metrics in which it looks for the
// last one.
#include "fuzz_driver.h"

#include "app/trialkeeper/pod/final_watch.h"
#include "app/trialkeeper/pod/memory_events.h"
#include "app/trialkeeper/pod/options.h"
#include "app/trialkeeper/pod/texts.h"
#include "services/wire/names.h"

#include <algorithm>

using namespace trialkeeper;

namespace {

void fuzzOptions(std::string_view data)
{
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at <= data.size() && words.size() < 1000;) {
        const std::size_t end = std::min(data.find('\0', at), data.size());
        words.push_back(data.substr(at, end - at));
        at = end + 1;
    }
    PodOptions options;
    std::string message;
    if (!parsePodOptions(words, options, message)) {
        require(!message.empty(), "a refusal says why");
    } else if (options.action == PodOptions::Action::Run) {
        require(isSafeId(options.id) && !options.folder.empty(), "a run has an id and a folder");
        require(options.graceMs >= 0 && options.graceMs <= 3'600'000, "a grace has bounds");
        require(options.shell.has_value() == options.arguments.empty(), "there is one command");
    }
}

void fuzzTexts(std::string_view data)
{
    Environment environment;
    std::string text;
    std::string message;
    // No files: what a fuzzer names may block, or be long.
    if (!data.starts_with("file:") && !resolveText(data, environment, text, message))
        require(!message.empty(), "a refusal says why");
    std::string bytes;
    if (decodeBase64(data, bytes))
        require(bytes.size() <= data.size() / 4 * 3 + 3, "base64 only shrinks");
    (void)oomKillsIn(data);
    require(groupPathIn(data).starts_with('/'), "a group's path is absolute");
    for (const char c : jsonString(data))
        require(c >= ' ' && c < 0x7f, "a string of JSON is printable");
}

void fuzzMetrics(std::string_view data)
{
    const std::size_t size = data.empty() ? 1 : 1 + std::size_t(std::uint8_t(data.front()));
    for (const PodStream stream : {PodStream::nni, PodStream::file, PodStream::standardOutput}) {
        FinalWatch whole;
        FinalWatch cut;
        (void)whole.feed(stream, 0, data, false);
        for (std::size_t at = 0; at < data.size(); at += size)
            (void)cut.feed(stream, at, data.substr(at, size), false);
        const FinalWatch::Record& last = whole.last();
        require(
            last.bytes == cut.last().bytes && last.offset == cut.last().offset, "it does not matter how bytes are cut");
        require(last.bytes.size() <= FinalWatch::longestRecord
                && data.substr(std::size_t(last.offset), last.bytes.size()) == last.bytes,
            "a record is bytes of the stream");
    }
}

} // namespace

void fuzzOne(std::string_view data)
{
    fuzzOptions(data);
    fuzzTexts(data);
    fuzzMetrics(data);
}
