# SPDX-License-Identifier: GPL-3.0-or-later
"""The service never links what draws: it runs on servers that have no Qt Gui at all."""
import subprocess
import sys
import unittest

programs = []


class LinkWall(unittest.TestCase):
    def test_no_gui_library(self):
        self.assertTrue(programs)
        for program in programs:
            needed = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
            self.assertIn("libQt6Core", needed)
            for library in ("Qt6Gui", "Qt6Widgets", "Qt6Charts", "Qt6Svg", "Qt6OpenGL"):
                self.assertNotIn(library, needed)

    def test_the_keeper_needs_nothing(self):
        for program in programs:
            keeper = program.rsplit("/", 1)[0] + "/trialkeeper"
            said = subprocess.run(["ldd", keeper], capture_output=True, text=True)
            self.assertRegex(said.stdout + said.stderr, "not a dynamic executable|statically linked")


if __name__ == "__main__":
    programs = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    unittest.main(argv=sys.argv[:1] + [argument for argument in sys.argv[1:] if argument.startswith("-")])
