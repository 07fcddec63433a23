// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "app/trialkeeper/base/tar.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace trialkeeper;

namespace {

/// Remembers what a reader delivers, one line an entry.
class Recorder : public TarSink
{
public:
    bool entry(const TarEntry& entry) override
    {
        text += "FDSH"[int(entry.type)];
        text += (entry.executable ? "x " : " ") + entry.path;
        if (!entry.target.empty())
            text += " -> " + entry.target;
        text += entry.type == TarEntry::Type::File ? " [" : "";
        m_file = entry.type == TarEntry::Type::File;
        return true;
    }
    bool content(std::string_view bytes) override
    {
        text += bytes;
        return true;
    }
    bool entryEnd() override
    {
        text += m_file ? "]\n" : "\n";
        return true;
    }
    std::string text;

private:
    bool m_file = false;
};

std::string member(char type, const std::string& path, const std::string& body = {}, const std::string& target = {},
    const char* mode = "0000644", const std::string& prefix = {})
{
    std::string head(512, '\0');
    head.replace(0, path.size(), path);
    head.replace(100, 7, mode);
    char size[13];
    std::snprintf(size, sizeof size, "%011zo", body.size());
    head.replace(124, 11, size, 11);
    head[156] = type;
    head.replace(157, target.size(), target);
    head.replace(257, 8,
        std::string("ustar\0"
                    "00",
            8));
    head.replace(345, prefix.size(), prefix);
    head.replace(148, 8, "        ");
    unsigned sum = 0;
    for (const char c : head)
        sum += static_cast<unsigned char>(c);
    char check[9];
    std::snprintf(check, sizeof check, "%06o", sum);
    head.replace(148, 7, check, 7);
    return head + body + std::string((512 - body.size() % 512) % 512, '\0');
}

const std::string endMark(1024, '\0');

std::string paxRecord(const std::string& key, const std::string& value)
{
    const std::string rest = " " + key + "=" + value + "\n";
    std::size_t size = rest.size() + 1;
    while (std::to_string(size).size() + rest.size() != size)
        size = std::to_string(size).size() + rest.size();
    return std::to_string(size) + rest;
}

bool readArchive(const std::string& archive, std::string& text, std::string& error, std::size_t step = 100000)
{
    Recorder recorder;
    TarReader reader(recorder);
    bool good = true;
    for (std::size_t at = 0; good && at < archive.size(); at += step)
        good = reader.feed(std::string_view(archive).substr(at, step));
    good = good && reader.finish();
    text = recorder.text;
    error = reader.error();
    return good;
}

void readsAllKinds()
{
    const std::string longName = std::string(150, 'l') + "/" + std::string(120, 'n') + ".py";
    const std::string archive = member('5', "./") + member('5', "./src/")
        + member('0', "./src/a.py", "print(1)\n", {}, "0000755") + member('0', "empty")
        + member('0', "name", "deep", {}, "0000644", "pre/fix") + member('2', "link", {}, "src/a.py")
        + member('1', "hard", {}, "./src/a.py")
        + member('x', "pax", paxRecord("path", longName) + paxRecord("mtime", "1.5")) + member('0', "short", "pax body")
        + member('L', "././@LongLink", std::string(180, 'g') + '\0') + member('0', "cut", "gnu body")
        + member('g', "global", paxRecord("comment", "x")) + member('0', "last", std::string(512, 'z')) + endMark;
    const std::string expected =
        "D src\nFx src/a.py [print(1)\n]\nF empty []\nF pre/fix/name [deep]\nS link -> src/a.py\nH hard -> src/a.py\nF "
        + longName + " [pax body]\nF " + std::string(180, 'g') + " [gnu body]\nF last [" + std::string(512, 'z')
        + "]\n";
    for (const std::size_t step :
        {std::size_t(1), std::size_t(7), std::size_t(511), std::size_t(512), std::size_t(513), std::size_t(100000)}) {
        std::string text;
        std::string error;
        CHECK(readArchive(archive, text, error, step));
        CHECK(text == expected);
        CHECK(error.empty());
    }
}

void refusesWhatLeadsOutside()
{
    const std::string hostile[] = {
        member('0', "/etc/passwd", "x"),
        member('0', "../x", "x"),
        member('0', "a/../../x", "x"),
        member('0', "a/..", "x"),
        member('5', "../d"),
        member('2', "l", {}, "/etc"),
        member('2', "l", {}, ".."),
        member('2', "d/l", {}, "../../x"),
        member('1', "h", {}, "/etc/passwd"),
        member('1', "h", {}, "../x"),
        member('x', "p", paxRecord("path", "../../x")) + member('0', "fine", "x"),
        member('x', "p", paxRecord("linkpath", "/etc/passwd")) + member('2', "fine", {}, "ok"),
        member('L', "p", "/abs") + member('0', "fine", "x"),
        member('0', "x", "x", {}, "0000644", ".."),
        member('3', "device"),
        member('6', "fifo"),
        member('S', "sparse"),
        member('x', "p", paxRecord("GNU.sparse.major", "1")) + member('0', "fine", "x"),
    };
    for (const std::string& archive : hostile) {
        std::string text;
        std::string error;
        CHECK(!readArchive(archive + endMark, text, error));
        CHECK(!error.empty());
        CHECK(text.empty());
    }
}

void noticesDamage()
{
    const std::string archive = member('0', "a", std::string(700, 'a')) + member('0', "b", "b") + endMark;
    std::string text;
    std::string error;
    CHECK(readArchive(archive, text, error));
    // Cut anywhere before the end mark it is not whole.
    for (std::size_t size = 0; size < archive.size() - endMark.size(); size += 13)
        CHECK(!readArchive(archive.substr(0, size), text, error) && !error.empty());
    std::string flipped = archive;
    flipped[3] ^= 1;
    CHECK(!readArchive(flipped, text, error));
    CHECK(!readArchive(member('x', "p", "99999 path=x\n") + member('0', "f") + endMark, text, error));
    CHECK(!readArchive(member('x', "p", "abc\n") + member('0', "f") + endMark, text, error));
    CHECK(!readArchive(member('L', "p", std::string(70000, 'n')) + member('0', "f") + endMark, text, error));
}

void survivesNoise()
{
    std::mt19937 random(5);
    const std::string whole = member('0', "a", std::string(700, 'a')) + member('x', "p", paxRecord("path", "q"))
        + member('0', "b", "b") + endMark;
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = whole;
        for (unsigned i = 0, n = 1 + random() % 5; i < n; ++i)
            bytes[random() % bytes.size()] = char(random());
        std::string text;
        std::string error;
        const bool good = readArchive(bytes, text, error, 1 + random() % 2000);
        CHECK(good == error.empty());
    }
}

} // namespace

int main()
{
    readsAllKinds();
    refusesWhatLeadsOutside();
    noticesDamage();
    survivesNoise();
    return checkResult();
}
