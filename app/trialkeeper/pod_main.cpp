// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/trialkeeper/pod/pod.h"

#include <sys/stat.h>

int main(int argc, char** argv)
{
    // As in main.cpp: a umask that takes the account's own rights away is not intended.
    ::umask(::umask(077) & 077);
    return trialkeeper::runPod(argc, argv);
}
