// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "app/trialkeeper/trial/end_state.h"

#include <string>

using namespace trialkeeper;

namespace {

bool reads(const std::string& text)
{
    EndState state;
    return parseExitFile(text, state);
}

std::string recordOf(const EndState& state)
{
    char text[1024];
    const int size = formatFinalRecord(text, sizeof text, state, "user", false);
    return {text, std::size_t(size)};
}

void writtenAndRead()
{
    EndState state{3, 0, false, 2, 1'750'000'000'000, 1'750'000'002'000, 4096, 12, 5, Lost::no};
    char text[200];
    const int size = formatExitFile(text, sizeof text, state);
    EndState read;
    CHECK(parseExitFile({text, std::size_t(size)}, read));
    CHECK(read.code == 3 && read.signal == 0 && !read.cancelled && read.leftovers == 2);
    CHECK(read.startMs == state.startMs && read.endMs == state.endMs && read.peakKiB == 4096);
    CHECK(read.userMs == 12 && read.systemMs == 5 && read.lost == Lost::no);
    CHECK(recordOf(read).find("\"peakMemoryBytes\":4194304,\"userMs\":12,\"systemMs\":5,\"wallMs\":2000")
        != std::string::npos);
    CHECK(parseExitFile("lost machineRestarted 17\n", read) && read.lost == Lost::withMachine && read.endMs == 17);
    CHECK(parseExitFile("lost keeperLost 17\n", read) && read.lost == Lost::withKeeper);
}

/// A trial's command can write the file, too. What no wrapper writes is no end.
void forged()
{
    CHECK(reads("exit 0 0 0 0 1 2 3 4 5\n"));
    CHECK(reads("exit 255 127 1 0 1 2 3 4 5\n"));
    CHECK(!reads(""));
    CHECK(!reads("exit 0 0 0 0 1 2 3 4 5"));
    CHECK(!reads("exit 0 0 0 0 1 2 3 4\n"));
    CHECK(!reads("exit 0 0 0 0 1 2 3 4 5 6\n"));
    CHECK(!reads("exit 256 0 0 0 1 2 3 4 5\n"));
    CHECK(!reads("exit -1 0 0 0 1 2 3 4 5\n"));
    CHECK(!reads("exit 4294967296 0 0 0 1 2 3 4 5\n")); // 0 where it is cut to 32 bits
    CHECK(!reads("exit 0 -9 0 0 1 2 3 4 5\n"));
    CHECK(!reads("exit 0 0 2 0 1 2 3 4 5\n"));
    CHECK(!reads("exit 0 0 0 -1 1 2 3 4 5\n"));
    CHECK(!reads("exit 0 0 0 0 1 2 9223372036854775807 4 5\n"));
    CHECK(!reads("exit 0 0 0 0 1 2 99999999999999999999 4 5\n"));
    CHECK(!reads("exit 0 0 0 0 -9223372036854775808 9223372036854775807 3 4 5\n"));
    CHECK(!reads("lost keeperLost -1\n"));
    CHECK(!reads("lost keeperLost 99999999999999999999\n"));
}

} // namespace

int main()
{
    writtenAndRead();
    forged();
    return checkResult();
}
