// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/trialkeeper/plain/check.h"

#include "services/wire/crc32.h"
#include "services/wire/pod_log_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

using namespace trialkeeper;

namespace {

using Kind = PodLogPiece::Kind;
using Pieces = std::vector<PodLogPiece>;

const PodFrameWriter ada("ada.1", "18c1");

std::string framesOf(std::string_view bytes, std::uint64_t offset = 0, PodStream stream = PodStream::standardOutput)
{
    std::string out;
    ada.addBytes(out, stream, offset, bytes);
    return out;
}

std::string eventFrame(std::string_view json, std::uint64_t offset, char letter = 'k')
{
    std::string out;
    CHECK(ada.addWhole(out, letter, offset, json));
    return out;
}

/// A frame with whatever fields, and the right sum.
std::string anyFrame(const std::string& fields)
{
    char sum[16];
    std::snprintf(sum, sizeof sum, "%08x ", unsigned(crc32(fields)));
    return "$td1 " + (sum + fields) + '\n';
}

Pieces read(PodLogReader& reader, std::string_view log, std::size_t piece = std::string::npos)
{
    Pieces pieces;
    for (std::size_t at = 0; at < log.size(); at += std::min(piece, log.size() - at))
        reader.feed(log.substr(at, piece), pieces);
    return pieces;
}

Pieces readAll(std::string_view log)
{
    PodLogReader reader("ada.1");
    Pieces pieces = read(reader, log);
    reader.finish(pieces);
    return pieces;
}

std::string bytesOf(const Pieces& pieces, PodStream stream)
{
    std::string all;
    for (const PodLogPiece& piece : pieces) {
        if (piece.kind == Kind::bytes && piece.stream == stream)
            all += piece.bytes;
    }
    return all;
}

std::size_t count(const Pieces& pieces, Kind kind)
{
    return std::size_t(
        std::count_if(pieces.begin(), pieces.end(), [kind](const auto& piece) { return piece.kind == kind; }));
}

std::string allBytes()
{
    std::string bytes;
    for (int i = 0; i < 256; ++i)
        bytes += char(i);
    return bytes;
}

/// A line of text is one frame that a person can read.
void isReadable()
{
    CHECK(framesOf("epoch 1: loss 0.5\n") == anyFrame("ada.1 18c1 o 0 epoch 1: loss 0.5\\n"));
    CHECK(framesOf("100 % \xe2\x96\x88\xe2\x96\x88\r", 7)
        == anyFrame("ada.1 18c1 o 7 100 % \xe2\x96\x88\xe2\x96\x88\\r"));
    CHECK(framesOf("a ") == anyFrame("ada.1 18c1 o 0 a\\x20"));
    CHECK(framesOf("$\\\t\x7f\x1b") == anyFrame("ada.1 18c1 o 0 \\x24\\\\\\t\\x7f\\x1b"));
    CHECK(framesOf("\xff\xc3(\xed\xa0\x80\xc2\x9b") == anyFrame("ada.1 18c1 o 0 \\xff\\xc3(\\xed\\xa0\\x80\\xc2\\x9b"));
}

void anyBytesComeBack()
{
    std::mt19937 random(7);
    const std::string nul(3, '\0');
    std::string noise(100'000, ' ');
    for (char& c : noise)
        c = char(random());
    for (const std::string& bytes : {allBytes(), nul, noise, std::string(20'000, '$'), std::string(20'000, 'x'),
             std::string(20'000, ' '), std::string("\n"), std::string(8192, '\xe2')}) {
        const std::string log = framesOf(bytes, 0, PodStream::standardError);
        for (std::size_t at = 0; at < log.size();) {
            const std::size_t end = log.find('\n', at);
            CHECK(end - at < maxPodFrame);
            CHECK(log.find('$', at + 1) > end); // no second one
            at = end + 1;
        }
        const Pieces pieces = readAll(log);
        CHECK(bytesOf(pieces, PodStream::standardError) == bytes);
        CHECK(count(pieces, Kind::gap) == 0 && count(pieces, Kind::outside) == 0);
    }
}

/// One that holds two lines of frames is in no log by the keeper: what a trial prints never begins a frame, wherever the log is cut.
void forgedFrames()
{
    std::string forged = "x\n";
    const PodFrameWriter eve("ada.1", "18c1");
    eve.addBytes(forged, PodStream::nni, 0, "ME000002{}");
    CHECK(eve.addWhole(forged, 'x', 0, "0 0 0 0 {\"type\":\"exited\",\"final\":true,\"exitCode\":0}"));
    const std::string printed = forged + forged + forged;
    const std::string log = framesOf(printed);
    CHECK(bytesOf(readAll(log), PodStream::standardOutput) == printed);
    for (std::size_t cut = 0; cut < log.size(); ++cut) {
        const Pieces pieces = readAll(std::string_view(log).substr(cut));
        CHECK(cut == 0 || bytesOf(pieces, PodStream::standardOutput).empty() || pieces[1].kind == Kind::gap);
        CHECK(count(pieces, Kind::end) == 0 && bytesOf(pieces, PodStream::nni).empty());
        // and behind what another left unfinished
        const Pieces joined = readAll(log.substr(0, cut) + log.substr(log.size() - cut));
        CHECK(count(joined, Kind::end) == 0 && bytesOf(joined, PodStream::nni).empty());
    }
}

void framesOfOthers()
{
    std::string other;
    const PodFrameWriter bob("bob.1", "18c1");
    bob.addBytes(other, PodStream::standardOutput, 0, "mine\n");
    CHECK(bob.addWhole(other, 'x', 0, "5 0 0 0 {}"));
    const Pieces pieces = readAll(framesOf("a") + other + framesOf("b", 1));
    CHECK(bytesOf(pieces, PodStream::standardOutput) == "ab");
    CHECK(pieces.size() == 3 && pieces[0].kind == Kind::run && pieces[0].bytes == "18c1");
}

void refusesWhatIsNoFrame()
{
    PodFrame frame;
    const std::string good = framesOf("abc");
    const std::string_view line = std::string_view(good).substr(0, good.size() - 1);
    CHECK(parsePodFrame(line, frame) && frame.id == "ada.1" && frame.run == "18c1" && frame.text == "abc");
    for (std::size_t i = 0; i < line.size(); ++i) {
        CHECK(!parsePodFrame(line.substr(0, i), frame));
        CHECK(!parsePodFrame(line.substr(i + 1), frame));
        std::string damaged(line);
        damaged[i] = char(damaged[i] ^ 1);
        CHECK(!parsePodFrame(damaged, frame));
    }
    for (const char* fields : {"", " ", "ada.1", "ada.1 18c1 o", "ada.1 18c1 o 0", "ada.1 18c1 o -1 a",
             "ada.1 18c1 o +1 a", "ada.1 18c1 o 99999999999999999999 a", "ada.1 18c1 q 0 a", "ada.1 18c1 O 0 a",
             "ada.1 18c1 oo 0 a", "ada.1 18C1 o 0 a", "ada.1  o 0 a", "ada.1 0123456789abcdef0 o 0 a",
             "../x 18c1 o 0 a", " 18c1 o 0 a", "ada.1 18c1  0 a", "ada.1 18c1 K 0 a", "ada.1 18c1 X 0 a"}) {
        const std::string made = anyFrame(fields);
        CHECK(!parsePodFrame(std::string_view(made).substr(0, made.size() - 1), frame));
    }
    std::string bytes;
    for (const char* text : {"\\", "a\\", "\\y", "\\x", "\\x1", "\\x1G", "\\xAA"})
        CHECK(!decodePodText(text, bytes));
    // An offset at which the stream would end beyond any number.
    CHECK(readAll(anyFrame("ada.1 18c1 o 18446744073709551615 ab")).empty());
    // Totals of an end that are none.
    for (const char* text : {"", "1 2 3 {}", "1 2 3 x {}", "1 2 3", "-1 0 0 0 {}"})
        CHECK(count(readAll(eventFrame(text, 0, 'x')), Kind::end) == 0);
}

void fitsOrIsRefused()
{
    std::string out = "before";
    CHECK(!ada.addWhole(out, 'k', 0, std::string(maxPodFrame, 'x')) && out == "before");
    CHECK(!ada.addWhole(out, 'n', 0, std::string(200, 'x'), 200) && out == "before");
    CHECK(!ada.addWhole(out, 'n', 0, "x", 20) && out == "before");
    CHECK(ada.addWhole(out, 'n', 0, std::string(100, 'x'), 200) && out.size() <= 206);
}

void gapsAreNamed()
{
    const std::string a = framesOf("0123");
    const std::string b = framesOf("4567", 4);
    const std::string c = framesOf("89", 8);
    const Pieces pieces = readAll(a + c);
    CHECK(pieces.size() == 4);
    CHECK(pieces[2].kind == Kind::gap && pieces[2].stream == PodStream::standardOutput && pieces[2].offset == 4
        && pieces[2].next == 8);
    CHECK(pieces[3].bytes == "89" && pieces[3].offset == 8 && pieces[3].next == 10);

    // What is missing at the end shows by the totals of the last frame.
    const std::string end = eventFrame("10 3 0 7 {\"final\":true}", 20, 'x');
    const Pieces ended = readAll(a + end);
    CHECK(count(ended, Kind::gap) == 4 && ended.back().kind == Kind::end && ended.back().bytes == "{\"final\":true}");
    CHECK(ended[2].stream == PodStream::standardOutput && ended[2].offset == 4 && ended[2].next == 10);
    CHECK(ended[3].stream == PodStream::standardError && ended[3].next == 3);
    CHECK(ended[4].stream == PodStream::file && ended[4].next == 7);
    CHECK(ended[5].stream == PodStream::events && ended[5].next == 20);

    // A damaged line is passed over, and what comes again makes it whole.
    std::string torn = b;
    torn[torn.size() - 3] = 'z';
    PodLogReader reader("ada.1");
    CHECK(bytesOf(read(reader, a + torn), PodStream::standardOutput) == "0123" && reader.damagedLines() == 1);
    reader.reconnected();
    const Pieces again = read(reader, a + b + c);
    CHECK(bytesOf(again, PodStream::standardOutput) == "456789" && count(again, Kind::gap) == 0);
}

void doublesAreDropped()
{
    const std::string end = eventFrame("4 0 0 0 {}", 2, 'x');
    const std::string log = eventFrame("{}", 0) + framesOf("0123") + end;
    PodLogReader reader("ada.1");
    CHECK(read(reader, log).size() == 4 && reader.cursor().ended);
    for (int i = 0; i < 3; ++i) {
        reader.reconnected();
        CHECK(read(reader, log).empty());
    }
    // Frames of other borders: only what is new of them.
    PodLogReader other("ada.1");
    const Pieces pieces = read(other, framesOf("0123") + framesOf("123456", 1) + framesOf("34", 3));
    CHECK(bytesOf(pieces, PodStream::standardOutput) == "0123456" && pieces.size() == 3);
    CHECK(pieces[2].offset == 4 && pieces[2].next == 7);
    // A reader with the cursor of an earlier one.
    PodLogReader third("ada.1", other.cursor());
    CHECK(read(third, framesOf("0123") + framesOf("456", 4)).empty());
    CHECK(bytesOf(read(third, framesOf("456789", 4)), PodStream::standardOutput) == "789");
}

void cutFilesAreReset()
{
    std::string log;
    ada.addBytes(log, PodStream::nni, 0, "ME0000");
    ada.addBytes(log, PodStream::nni, 6, "ME000002{}", true);
    ada.addBytes(log, PodStream::file, 0, {}, true);
    CHECK(log.find(" N 6 ") != std::string::npos);
    const Pieces pieces = readAll(log);
    CHECK(pieces.size() == 4 && !pieces[1].reset && pieces[2].reset && pieces[2].offset == 6);
    CHECK(pieces[3].reset && pieces[3].stream == PodStream::file && pieces[3].bytes.empty());
    PodLogReader reader("ada.1");
    (void)read(reader, log);
    reader.reconnected();
    for (const PodLogPiece& piece : read(reader, log))
        CHECK(piece.stream == PodStream::file && piece.bytes.empty()); // a reset that comes again changes nothing
}

void runsFollowEachOther()
{
    std::string second;
    const PodFrameWriter again("ada.1", "18c2");
    again.addBytes(second, PodStream::standardOutput, 0, "new");
    PodLogReader reader("ada.1");
    const Pieces pieces = read(reader, framesOf("old") + eventFrame("3 0 0 0 {}", 0, 'x') + second);
    CHECK(count(pieces, Kind::run) == 2 && count(pieces, Kind::end) == 1 && !reader.cursor().ended);
    CHECK(pieces.back().bytes == "new" && pieces.back().offset == 0);
    CHECK(reader.cursor().earlierRuns == std::vector<std::string>{"18c1"});
    CHECK(read(reader, framesOf("late", 3) + second).empty());
    for (int i = 0; i < 20; ++i) {
        std::string more;
        PodFrameWriter("ada.1", "ff" + std::to_string(i)).addBytes(more, PodStream::standardOutput, 0, "x");
        CHECK(read(reader, more).size() == 2);
    }
    CHECK(reader.cursor().earlierRuns.size() == PodLogCursor::maxEarlierRuns);
}

void linesOfTheCluster()
{
    const std::string frame = framesOf("a");
    PodLogReader reader("ada.1");
    const Pieces pieces = read(reader,
        "slurmstepd: error: *** JOB 5 CANCELLED ***\r\n\n2026-01-02T03:04:05.000000006Z " + frame
            + "warning: $HOME is unset\n" + "oom-kill: " + framesOf("b", 1));
    CHECK(pieces.size() == 6);
    CHECK(pieces[0].kind == Kind::outside && pieces[0].bytes == "slurmstepd: error: *** JOB 5 CANCELLED ***");
    CHECK(pieces[3].bytes == "warning: $HOME is unset" && pieces[4].bytes == "oom-kill: ");
    CHECK(reader.timeStamp() == "2026-01-02T03:04:05.000000006Z");
    // A connection that is lost inside a frame, and the next one in its middle.
    reader.reconnected();
    CHECK(read(reader, "rest of a line\\n\n" + framesOf("c", 2)).size() == 1);
    CHECK(read(reader, framesOf("d", 3).substr(0, 20)).empty());
    const Pieces joined = read(reader, framesOf("de", 3));
    CHECK(joined.size() == 1 && joined[0].bytes == "de");
    // A terminal's line ends.
    std::string crlf = framesOf("f", 5);
    crlf.insert(crlf.size() - 1, "\r");
    CHECK(bytesOf(read(reader, crlf), PodStream::standardOutput) == "f");
}

/// Lines without end and without frames cost no memory, and the frame behind them is read.
void longLines()
{
    PodLogReader reader("ada.1");
    Pieces pieces;
    std::size_t bytes = 0;
    const std::string part(5000, 'y');
    for (int i = 0; i < 2000; ++i) {
        reader.feed(part, pieces);
        for (const PodLogPiece& piece : pieces)
            bytes += piece.bytes.size();
        CHECK(pieces.size() <= 2);
        pieces.clear();
    }
    CHECK(bytes > 9'900'000 && bytes <= 10'000'000);
    reader.feed(framesOf("a"), pieces);
    CHECK(bytesOf(pieces, PodStream::standardOutput) == "a");
}

/// 10,000 values and 10 MB of log: over a connection that is lost at random bytes and takes up again at a line before.
void survivesCuts()
{
    std::mt19937_64 random(20260102);
    const auto below = [&](std::size_t n) { return std::size_t(random() % n); };
    std::array<std::string, podByteStreams> sent;
    std::string log;
    std::vector<std::size_t> lines{0};
    const auto add = [&](PodStream stream, const std::string& bytes) {
        std::string& all = sent[std::size_t(stream)];
        ada.addBytes(log, stream, all.size(), bytes);
        all += bytes;
    };
    for (int i = 0; i < 10'000; ++i) {
        const std::string value = "{\"metric\": " + std::to_string(i) + "}\n";
        char header[16];
        std::snprintf(header, sizeof header, "ME%06d", int(value.size()));
        add(PodStream::nni, header + value);
        std::string text(below(2000), 'l');
        for (std::size_t at = 0; at < text.size(); at += 1 + below(80))
            text[at] = char(random());
        add(below(4) ? PodStream::standardOutput : PodStream::standardError, text);
    }
    CHECK(ada.addWhole(log, 'x', 0,
        std::to_string(sent[0].size()) + ' ' + std::to_string(sent[1].size()) + ' ' + std::to_string(sent[2].size())
            + " 0 {}"));
    CHECK(sent[0].size() + sent[1].size() > 9'500'000);
    for (std::size_t at = 0; (at = log.find('\n', at)) != std::string::npos;)
        lines.push_back(++at);

    PodLogReader reader("ada.1");
    std::array<std::string, podByteStreams> got;
    Pieces pieces;
    std::size_t at = 0;
    int connections = 0;
    while (!reader.cursor().ended) {
        // At the latest line that is complete or some before, as a log that is asked for since a whole second.
        const auto line = std::upper_bound(lines.begin(), lines.end(), at) - lines.begin();
        at = lines[std::size_t(std::max<std::ptrdiff_t>(0, line - 1 - std::ptrdiff_t(below(200))))];
        const std::size_t end = std::min(log.size(), at + below(300'000));
        while (at < end) {
            const std::size_t size = std::min(end - at, 1 + below(9000));
            reader.feed(std::string_view(log).substr(at, size), pieces);
            at += size;
        }
        for (const PodLogPiece& piece : pieces) {
            CHECK(piece.kind != Kind::gap && piece.kind != Kind::outside);
            if (piece.kind != Kind::bytes)
                continue;
            std::string& all = got[std::size_t(piece.stream)];
            CHECK(piece.offset == all.size() && piece.next == all.size() + piece.bytes.size());
            all += piece.bytes;
        }
        pieces.clear();
        if (++connections % 7 == 0)
            reader = PodLogReader("ada.1", reader.cursor()); // the service was restarted
        else if (connections % 2 == 0)
            reader.reconnected();
    }
    CHECK(connections > 30);
    CHECK(got == sent);
}

/// One byte lost, doubled or changed anywhere, or two logs joined: each byte that is given is right, and each that is missing is named.
void damageIsNeverSilent()
{
    std::string log = eventFrame("{}", 0);
    std::string sent;
    for (int i = 0; i < 12; ++i) {
        const std::string text = "line " + std::to_string(i) + " costs $" + std::to_string(i) + '\n';
        log += framesOf(text, sent.size());
        sent += text;
    }
    log += eventFrame(std::to_string(sent.size()) + " 0 0 0 {}", 2, 'x');
    for (std::size_t at = 0; at < log.size(); ++at) {
        for (const int kind : {0, 1, 2, 3}) {
            std::string damaged = log;
            if (kind == 0)
                damaged.erase(at, 1);
            else if (kind == 1)
                damaged.insert(at, 1, damaged[at]);
            else if (kind == 2)
                damaged[at] = char(damaged[at] ^ 0x20);
            else
                damaged.erase(at, 100);
            PodLogReader reader("ada.1");
            Pieces pieces = read(reader, damaged);
            reader.finish(pieces);
            std::uint64_t next = 0;
            for (const PodLogPiece& piece : pieces) {
                if (piece.stream != PodStream::standardOutput || (piece.kind != Kind::bytes && piece.kind != Kind::gap))
                    continue;
                CHECK(piece.offset == next);
                next = piece.next;
                if (piece.kind == Kind::bytes)
                    CHECK(piece.bytes == sent.substr(std::size_t(piece.offset), piece.bytes.size()));
            }
            CHECK(!reader.cursor().ended || next == sent.size());
            CHECK(reader.cursor().ended || at + 100 > log.size() - 60);
        }
    }
}

} // namespace

int main()
{
    isReadable();
    anyBytesComeBack();
    forgedFrames();
    framesOfOthers();
    refusesWhatIsNoFrame();
    fitsOrIsRefused();
    gapsAreNamed();
    doublesAreDropped();
    cutFilesAreReset();
    runsFollowEachOther();
    linesOfTheCluster();
    longLines();
    survivesCuts();
    damageIsNeverSilent();
    return checkResult();
}
