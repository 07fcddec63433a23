# SPDX-License-Identifier: GPL-3.0-or-later
"""The installer's shell functions, with apt, dpkg-query, sudo and id replaced by stubs that write down how they were called."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import check_docs

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "calls").touch()

    def stub(self, name, body):
        path = self.folder / "bin" / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.folder}/calls"\n{body}\n')
        path.chmod(0o755)

    def stub_system(self, installed, known=(), root=True):
        self.stub("dpkg-query", f'for last; do :; done\ncase " {" ".join(installed)} " in *" $last "*) printf installed ;; *) exit 1 ;; esac')
        self.stub("apt-cache", f'for last; do :; done\ncase " {" ".join(known)} " in *" $last "*) ;; *) exit 1 ;; esac')
        self.stub("apt-get", "exit 0")
        self.stub("id", f'echo {0 if root else 1000}')

    def shell(self, text, path_after=os.environ["PATH"]):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{path_after}"}
        return subprocess.run(
            ["sh", "-c", f'root="{ROOT}"; . "$root/installer/common.sh"; steps=9; {text}'],
            env=environment, capture_output=True, text=True, timeout=60,
        )

    def calls(self, program):
        return [line for line in (self.folder / "calls").read_text().splitlines() if line.split()[0] == program]

    def all_names(self):
        return re.findall(r"^build\s+(\S+)", (ROOT / "installer/packages.txt").read_text(), re.M)

    def test_a_second_run_installs_nothing(self):
        self.stub_system(installed=[names.split("|")[-1] for names in self.all_names()])
        done = self.shell(f'ensure_packages "{self.folder}/log" build')
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("All packages are installed", done.stdout)
        self.assertEqual(self.calls("apt-get") + self.calls("apt-cache"), [])

    def test_only_what_is_missing_is_installed_under_the_name_that_apt_knows(self):
        names = self.all_names()
        self.assertIn("pkg-config|pkgconf", names)
        self.stub_system(installed=[n for n in names if n not in ("cmake", "pkg-config|pkgconf")], known=["cmake", "pkgconf"])
        done = self.shell(f'ensure_packages "{self.folder}/log" build')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        install = self.calls("apt-get")[-1]
        self.assertTrue(install.endswith(" cmake pkgconf"), install)
        self.assertIn("--no-install-recommends", install)

    def test_a_package_that_apt_does_not_know_is_named(self):
        self.stub_system(installed=[], known=[])
        done = self.shell(f'ensure_packages "{self.folder}/log" build')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("apt knows no package", done.stdout)
        self.assertIn("universe", done.stdout)

    def test_without_root_and_without_sudo_it_says_what_to_do(self):
        for tool in ("dirname", "mkdir", "date", "sed", "tr", "sh", "cat"):
            (self.folder / "bin" / tool).symlink_to(shutil.which(tool))
        self.stub_system(installed=[], root=False)
        done = self.shell(f'ensure_packages "{self.folder}/log" build', path_after="")
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs root", done.stderr)
        self.assertIn("qt6-base-dev", done.stderr)

    def test_with_sudo_only_apt_runs_through_it(self):
        self.stub_system(installed=[], known=[n.split("|")[0] for n in self.all_names()], root=False)
        self.stub("sudo", '[ "$1" = -v ] || "$@"')
        done = self.shell(f'ensure_packages "{self.folder}/log" build')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([c.split()[1] for c in self.calls("sudo")], ["-v", "apt-get", "env"])

    def test_a_failed_step_shows_the_end_of_its_log_and_keeps_the_code(self):
        done = self.shell(f'''step "Building" "{self.folder}/log" sh -c 'seq 100; echo wrong >&2; exit 7'; echo never''')
        self.assertEqual(done.returncode, 7)
        self.assertIn("[1/9] Building failed", done.stdout)
        self.assertIn("    wrong\n", done.stdout)
        self.assertIn(f"The whole log: {self.folder}/log", done.stdout)
        self.assertNotIn("    50\n", done.stdout)
        self.assertNotIn("never", done.stdout)

    def test_progress_is_read_from_the_log(self):
        for log, wanted in [
            ("[1/20] Building\n[7/20] Linking CXX executable x\n", "7 of 20"),
            ("0 upgraded, 38 newly installed, 0 to remove\nGet:12 http://x/debian y\n", "downloading 12 of 38"),
            ("Setting up cmake (3.25.1) ...\n", "setting up cmake"),
            ("nothing known\n", ""),
        ]:
            (self.folder / "log").write_text(log)
            self.assertEqual(self.shell(f'progress_of "{self.folder}/log"').stdout.strip(), wanted)

    def test_wrong_options_are_usage_errors(self):
        for script in ("run.sh", "test.sh"):
            done = subprocess.run(["sh", f"{ROOT}/installer/{script}", "--nonsense"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"usage: sh installer/{script}", done.stderr)


class Documents(unittest.TestCase):
    def command_line(self):
        command_line = check_docs.CommandLine("unused")
        texts = {(): "--serve", ("run",): "--on PLATFORM --wait", ("experiment", "create"): "--dry-run"}
        command_line.help = lambda *verb: texts.get(verb)
        return command_line

    def test_verbs_and_options_that_exist_pass(self):
        text = "```\ntrialdeck run --on x lr=1..2 --wait -- a --b\nX=1 bin/trialdeckd --serve\ntrialdeck experiment create f --dry-run\n```"
        self.assertEqual(check_docs.problems_of("X", text, set(), self.command_line()), [])

    def test_what_does_not_exist_is_found(self):
        text = "```\nsh installer/gone.sh\ncmake --preset nothing\ntrialdeck frobnicate --on x\ntrialdeck run --onto y\n```\nsee `services/gone/`\n"
        self.assertEqual(
            check_docs.problems_of("X", text, {"dev"}, self.command_line()),
            [
                "X:2: no file installer/gone.sh",
                "X:3: no preset nothing",
                "X:4: the command line knows no frobnicate",
                "X:5: the command line knows no --onto",
                "X: no services/gone/",
            ],
        )


if __name__ == "__main__":
    unittest.main()
