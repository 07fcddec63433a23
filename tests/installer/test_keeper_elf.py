# SPDX-License-Identifier: GPL-3.0-or-later
"""trialkeeper and trialkeeper-pod as they were built (arguments: a program and the folder of its object files, for each program and
processor): one file that needs no other, hardened, and small, since it is copied to every machine and runs beside every trial."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

LARGEST = 1_300_000  # bytes
LARGEST_POD = 1_000_000  # of trialkeeper-pod: a ConfigMap of Kubernetes holds 1,048,576 bytes in all

given = [pathlib.Path(argument) for argument in sys.argv[1:] if argument != "-v"]
del sys.argv[1 : 1 + len(given)]
KEEPERS = list(zip(given[::2], given[1::2]))


def readelf(*arguments):
    done = subprocess.run(["readelf", "-W", *arguments], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout


@unittest.skipUnless(shutil.which("readelf"), "no readelf (binutils) here")
class KeeperElf(unittest.TestCase):
    def setUp(self):
        self.assertTrue(KEEPERS)

    def test_it_needs_nothing_else_and_lies_anywhere(self):
        for program, _ in KEEPERS:
            with self.subTest(program):
                self.assertRegex(readelf("-h", program), r"Type:\s+DYN ")
                self.assertNotRegex(readelf("-l", program), r"(?m)^\s+INTERP\b")
                dynamic = readelf("-d", program)
                self.assertRegex(dynamic, r"\(FLAGS_1\).*\bPIE\b")
                self.assertNotRegex(dynamic, r"\((NEEDED|RPATH|RUNPATH|TEXTREL)\)")

    def test_nothing_is_writable_and_executable_and_relocations_are_read_only(self):
        for program, _ in KEEPERS:
            with self.subTest(program):
                segments = re.findall(r"(?m)^\s+(\w+)(?:\s+0x[0-9a-f]+){5}\s+([R W E]{3})\s+0x", readelf("-l", program))
                self.assertIn("LOAD", [name for name, _ in segments])
                self.assertEqual([name for name, flags in segments if "W" in flags and "E" in flags], [])
                self.assertIn("GNU_STACK", [name for name, _ in segments])
                self.assertIn("GNU_RELRO", [name for name, _ in segments])
                dynamic = readelf("-d", program)
                self.assertRegex(dynamic, r"\(FLAGS\).*\bBIND_NOW\b")
                self.assertRegex(dynamic, r"\(FLAGS_1\).*\bNOW\b")

    def test_stacks_and_buffers_are_watched(self):
        for _, objects in KEEPERS:
            with self.subTest(objects):
                wanted = set()
                for file in objects.rglob("*.o"):
                    wanted.update(re.findall(r"\bUND\s+(\S+)", readelf("-s", file)))
                self.assertEqual({"__stack_chk_fail", "__snprintf_chk"} - wanted, set())

    def test_it_stays_small(self):
        for program, _ in KEEPERS:
            with self.subTest(program):
                largest = LARGEST_POD if program.name.startswith("trialkeeper-pod") else LARGEST
                self.assertLess(program.stat().st_size, largest)


if __name__ == "__main__":
    unittest.main()
