// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor_words.h"

#include "known_sentences.h"

namespace platforms {

using namespace core;

Message doctorMessage(const QString& text)
{
    // What a machine's programs say stands in gaps, so these are of any text; the order counts where one could be taken for another.
    static const KnownSentences titles(KnownSentences::Gap::word,
        {u"Folder for trials"_m, u"Writing"_m, u"Running programs from there"_m, u"Free disk space"_m, u"Shell"_m,
            u"GPUs"_m, u"Shared folder"_m, u"Disk quota"_m, u"After the logout"_m, u"Network mounts"_m, u"Processes"_m,
            u"Date"_m, u"Watching files"_m, u"Memory"_m, u"The check"_m});
    static const KnownSentences details(KnownSentences::Gap::anything,
        {
            u"allowed"_m,
            u"none"_m,
            u"none is reached"_m,
            u"processes go on"_m,
            u"processes go on (lingering is on)"_m,
            u"on a disk of this machine"_m,
            u"/proc can be used"_m,
            u"The folder is mounted with noexec."_m,
            u"%1 GiB free"_m,
            u"%1 GiB free, only %2 more files"_m,
            u"%1 GiB, %2 GiB available"_m,
            u"bash is not installed; commands run by sh."_m,
            u"python3 was not found in PATH."_m,
            u"gzip -dc does not unpack, so code cannot be brought here."_m,
            u"gzip -dc does not unpack, so code cannot be brought here: %1"_m,
            u"An NVIDIA driver is loaded, but nvidia-smi is not installed."_m,
            u"%1 GPU: %2"_m,
            u"%1 GPUs: %2"_m,
            u"%1. The driver was updated, but the old kernel module is still loaded."_m,
            u"nvidia-smi failed."_m,
            u"on %1: machines that share it keep apart by their names"_m,
            u"This machine ends all processes of who logs out (KillUserProcesses)."_m,
            u"%1 answer"_m,
            u"%1 does not answer."_m,
            u"/proc is not mounted, so no trial can be started, and nothing is known of those that may run."_m,
            u"/proc is mounted, but what trials need of it (/proc/PID/stat, /proc/sys/kernel/random/boot_id) cannot be read."_m,
            u"%1 s since 1970"_m,
            u"No file can be watched (%1); metrics arrive up to a second late."_m,
            u"It did not end within 60 seconds."_m,
            u"It cannot be started: %1."_m,
        });
    static const KnownSentences remedies(KnownSentences::Gap::anything,
        {
            u"Choose another folder (scratchDir), or make this one writable."_m,
            u"Free some space on this disk."_m,
            u"Choose a faster disk for trials (scratchDir)."_m,
            u"Choose a folder on another mount if trials start programs of their code folder directly."_m,
            u"Free some space, or choose another folder (scratchDir)."_m,
            u"Install bash if commands use its features."_m,
            u"Install Python, or set interpreter, setup or loginShell of the experiment."_m,
            u"Install gzip."_m,
            u"Install nvidia-smi (package nvidia-smi or nvidia-utils)."_m,
            u"Restart the machine, or reload the module while nothing uses a GPU: %1"_m,
            u"Restart the machine, or install the driver again."_m,
            u"Run once on it: %1"_m,
            u"Ask the administrator to unmount it: %1"_m,
            u"Have it mounted by root: %1"_m,
            u"Let this account read it: a container must not hide /proc/sys, and hidepid must not hide its own processes."_m,
            u"Set the clock (NTP)."_m,
            u"Raise fs.inotify.max_user_watches and max_user_instances."_m,
            u"A file system or a driver of the machine hangs."_m,
        });
    for (const KnownSentences* all : {&titles, &details, &remedies})
        if (Message found = all->find(text); found.hasKey())
            return found;
    return text;
}

} // namespace platforms
