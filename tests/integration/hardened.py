# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs as people get them (arguments): position-independent, relocations read-only from the start, nothing writable and
executable, stacks and buffers watched."""

import re
import subprocess
import sys
import unittest

PROGRAMS = [argument for argument in sys.argv[1:] if argument != "-v"]
del sys.argv[1 : 1 + len(PROGRAMS)]


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], capture_output=True, text=True, check=True, timeout=60).stdout


class Hardened(unittest.TestCase):
    def test_programs(self):
        self.assertTrue(PROGRAMS)
        for program in PROGRAMS:
            with self.subTest(program):
                self.assertRegex(readelf("-h", program), r"Type:\s+DYN ")
                dynamic = readelf("-d", program)
                self.assertRegex(dynamic, r"\(FLAGS_1\).*\bNOW\b.*\bPIE\b")
                self.assertNotRegex(dynamic, r"\((RPATH|RUNPATH|TEXTREL)\)")
                segments = re.findall(r"(?m)^\s+(\w+)(?:\s+0x[0-9a-f]+){5}\s+([R W E]{3})\s+0x", readelf("-l", program))
                self.assertTrue({"LOAD", "GNU_STACK", "GNU_RELRO"} <= {name for name, _ in segments})
                self.assertEqual([name for name, flags in segments if "W" in flags and "E" in flags], [])
                symbols = set(re.findall(r"\bUND\s+([A-Za-z0-9_]+)", readelf("--dyn-syms", program)))
                self.assertIn("__stack_chk_fail", symbols)
                self.assertTrue(any(name.endswith("_chk") for name in symbols), symbols)

    def test_libcurl_is_loaded_by_clients_alone(self):
        for program in PROGRAMS:
            self.assertNotIn("libcurl", readelf("-d", program))  # with all that it needs: 3 MB in an idle service


if __name__ == "__main__":
    unittest.main()
