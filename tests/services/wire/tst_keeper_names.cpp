// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/trialkeeper/base/sha256.h"
#include "services/wire/names.h"
#include "tests/app/trialkeeper/plain/check.h"

#include <string>

using namespace trialkeeper;
using namespace std::string_literals;

int main()
{
    for (const char* good : {"a", "t000abc", "A.b-c_9", "1", "local"})
        CHECK(isSafeId(good));
    for (const std::string& bad :
        {""s, "."s, ".."s, ".hidden"s, "a..b"s, "a/b"s, "/"s, "a b"s, "a\0b"s, "ä"s, "a\n"s, std::string(97, 'a')})
        CHECK(!isSafeId(bad));
    CHECK(isSafeId(std::string(96, 'a')));

    CHECK(isSha256(std::string(64, 'a')));
    CHECK(!isSha256(std::string(64, 'A')) && !isSha256(std::string(63, 'a')) && !isSha256(std::string(65, '0'))
        && !isSha256("../" + std::string(61, 'a')));

    for (const char* good : {"stdout", "output/model.bin", "output//x", "./a", "a/..b/c..", "..."})
        CHECK(isSafeRelativePath(good));
    for (const std::string& bad :
        {""s, "/etc/passwd"s, ".."s, "../x"s, "a/../b"s, "a/.."s, "output/../../x"s, "a\0b"s, std::string(4001, 'a')})
        CHECK(!isSafeRelativePath(bad));

    struct
    {
        const char *path, *target;
        bool inside;
    } const links[] = {
        {"a", "b", true},
        {"a", "./b/c", true},
        {"a", "..", false},
        {"a", "../b", false},
        {"d/a", "../b", true},
        {"d/a", "../../b", false},
        {"d/e/a", "../../b", true},
        {"a", "/etc/passwd", false},
        {"a", "", false},
        {"a", "b/../..", false},
        {"a", "b/../c", true},
        {"d/../../a", "b", false},
    };
    for (const auto& link : links)
        CHECK(linkStaysInside(link.path, link.target) == link.inside);

    CHECK(isEnvironmentName("A") && !isEnvironmentName("") && !isEnvironmentName("A=B") && !isEnvironmentName("A\0"s));

    // FIPS 180-4 examples.
    const auto digest = [](const std::string& text, std::size_t step) {
        Sha256 sum;
        for (std::size_t at = 0; at < text.size(); at += step)
            sum.add(std::string_view(text).substr(at, step));
        return sum.hexDigest();
    };
    CHECK(digest("", 1) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(digest("abc", 1) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 100)
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    const std::string million(1000000, 'a');
    for (const std::size_t step :
        {std::size_t(1), std::size_t(63), std::size_t(64), std::size_t(65), std::size_t(1000000)})
        CHECK(digest(million, step) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    for (std::size_t size = 0; size < 200; ++size)
        CHECK(digest(std::string(size, 'x'), 1) == digest(std::string(size, 'x'), 7));
    return checkResult();
}
