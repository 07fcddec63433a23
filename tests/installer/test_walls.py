# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of the walls between libraries: nothing to complain about in this tree, and each kind of breach is seen when it is planted."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "installer"))
import walls  # noqa: E402 (beside the scripts that use it)

build = None


class Walls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.targets = walls.read_graph(build)
        cls.files = walls.source_files()

    def planted(self, name, line):
        """The complaints about the tree with this line at the end of that file."""
        self.assertIn(name, self.files)
        return walls.wrong_includes(self.targets, {**self.files, name: self.files[name] + "\n" + line + "\n"})

    def linked(self, name, library):
        """The complaints about the graph with this link added."""
        target = self.targets[name]
        return walls.wrong_arrows({**self.targets, name: target._replace(links=target.links + [library],
                                                                         interface=target.interface + [library])})

    def test_this_tree_has_no_breach(self):
        self.assertEqual(walls.wrong_includes(self.targets, self.files), [])
        self.assertEqual(walls.wrong_arrows(self.targets), [])
        self.assertEqual(walls.full_folders(self.files), [])
        self.assertEqual(walls.stale_drawing(self.targets), [])

    def test_include_of_what_is_not_linked(self):
        self.assertEqual(
            self.planted("services/trial/objective.cpp", '#include "services/platforms/platform.h"'),
            ["services/trial/objective.cpp: includes services/platforms/platform.h of trialdeck_platforms, which trialdeck_trial does not link"])
        self.assertEqual(len(self.planted("services/http/api_routes.cpp", '#  include "services/engine/engine.h"')), 1)
        self.assertEqual(len(self.planted("services/wire/frame.cpp", '#include "services/core/json.h"')), 1)
        self.assertEqual(len(self.planted("ui/queue/queue_page.cpp", '#include "ui/machines/machines_page.h"')), 1)

    def test_a_library_of_others_that_is_not_linked(self):
        for line in ("#include <libssh/libssh.h>", "#include <boost/asio.hpp>", "#include <QtWidgets/QWidget>", "#include <archive.h>"):
            self.assertEqual(len(self.planted("services/core/ids.cpp", line)), 1, line)

    def test_a_file_that_nobody_lists(self):
        files = {**self.files, "services/core/forgotten.cpp": "", "tests/services/core/tst_forgotten.cpp": "", "tests/services/own.h": ""}
        self.assertEqual(
            walls.wrong_includes(self.targets, files),
            ["services/core/forgotten.cpp: no CMakeLists.txt lists it", "tests/services/core/tst_forgotten.cpp: no CMakeLists.txt lists it"])

    def test_links_upwards_and_in_circles(self):
        self.assertTrue(any("upwards: ui/kit" in text for text in self.linked("trialdeck_core", "trialdeck_ui_kit")))
        self.assertTrue(any("circle" in text for text in self.linked("trialdeck_core", "trialdeck_trial")))

    def test_links_between_neighbours(self):
        self.assertIn("services/http links services/engine: these two do not know each other",
                      self.linked("trialdeck_http", "trialdeck_engine"))
        self.assertIn("ui/queue links ui/machines: these two do not know each other",
                      self.linked("trialdeck_ui_queue", "trialdeck_ui_machines"))
        self.assertTrue(any("services/wire" in text for text in self.linked("trialdeck_transport", "trialkeeper_base")))

    def test_full_folder(self):
        files = {f"services/core/more{i}.h": "" for i in range(walls.MOST_FILES + 1)}
        self.assertEqual(len(walls.full_folders(files)), 1)


if __name__ == "__main__":
    build = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
