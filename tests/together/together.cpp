// SPDX-License-Identifier: GPL-3.0-or-later
#include "together.h"

#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace {

using Run = int (*)(int argc, char** argv);

/// By name: `tst_clock` of `…/tst_clock.cpp`.
std::map<std::string, Run, std::less<>>& all()
{
    static std::map<std::string, Run, std::less<>> tests;
    return tests;
}

} // namespace

together::Test::Test(const char* file, Run run)
{
    std::string_view name(file);
    name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
    all().emplace(name.substr(0, name.rfind('.')), run);
}

int main(int argc, char** argv)
{
    const auto test = argc > 1 ? all().find(std::string_view(argv[1])) : all().end();
    if (test == all().end()) {
        std::fprintf(stderr, "usage: %s TEST [options of Qt Test]\n\nTEST is one of:\n", argv[0]);
        for (const auto& [name, run] : all())
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    // Settings and the like are kept under the program's name: tests that run at once share none.
    static std::string program = argv[0];
    program.replace(program.rfind('/') + 1, std::string::npos, test->first);
    argv[1] = program.data();
    return test->second(argc - 1, argv + 1);
}
