# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the guide about tuners, typed where NNI and Optuna are installed: python3 test_guide_tuners.py PROGRAM [unittest's arguments]."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "resources"))
from guide_pages import PageTest  # noqa: E402
from nni_peer import AHEAD, ATTEMPTS, PATIENCE  # noqa: E402
from peer_venv import Missing, venv  # noqa: E402
from trialdeck_service import until  # noqa: E402

VERSION = "2.10.1"


class Pages(PageTest):
    def setUp(self):
        super().setUp()
        try:
            peers = [venv(f"nni=={VERSION}"), venv("optuna==5.0.0")]
        except Missing as error:
            if os.environ.get("TRIALDECK_REQUIRE_PEERS") == "1":
                raise
            self.skipTest(str(error))
        # An environment of the test's own, which sees what the kept ones hold: `trialdeck nni register` installs into it.
        own = self.folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", str(own)], check=True)
        packages = next((own / "lib").glob("python3*/site-packages"))
        (packages / "peers.pth").write_text("".join(f"{next((peer / 'lib').glob('python3*/site-packages'))}\n" for peer in peers))
        script = (peers[0] / "bin" / "nnictl").read_text().replace(str(peers[0]), str(own))
        (own / "bin" / "nnictl").write_text(script)
        (own / "bin" / "nnictl").chmod(0o755)
        self.environment |= {"PATH": f"{own / 'bin'}{os.pathsep}{self.environment['PATH']}", "NNI_CONFIG_DIR": str(self.folder / "nni"),
                             "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

    def type(self, command, seconds=600):
        if "nnictl create" not in command:
            return super().type(command, seconds)
        command = command.replace("nnictl create", f"{' '.join(map(quoted, AHEAD))} nnictl create", 1)
        for attempt in range(ATTEMPTS):  # it gives NNI three seconds to begin, however busy the machine is
            try:
                said = super().type(command, seconds)
                break
            except AssertionError:
                if attempt == ATTEMPTS - 1:
                    raise
                super().type("nnictl stop --all || true")
        # A reader looks at it for a while.
        until(PATIENCE, "NNI's four trials have ended", lambda: super(Pages, self).type(
            "trialdeck list --status SUCCEEDED --quiet").split()[3:])
        return said

    def test_driving(self):
        self.addCleanup(subprocess.run, ["nnictl", "stop", "--all"], env=self.environment, capture_output=True, check=False)
        self.run_page("driving.md")


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"


del PageTest  # unittest would run it by itself

if __name__ == "__main__":
    Pages.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
