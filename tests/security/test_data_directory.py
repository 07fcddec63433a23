# SPDX-License-Identifier: GPL-3.0-or-later
"""A data directory, or a token in it, that somebody else made or may change is not used."""

import contextlib
import os
import pathlib
import stat
import subprocess
import unittest

from stranger import NOBODY, PROGRAMS, Attack, main, needs_root


@needs_root
class DataDirectory(Attack):
    def refused(self, *words):
        done = subprocess.run([str(PROGRAMS / "trialdeckd"), "--serve", "--listen", "127.0.0.1:0", "--data-dir",
                               str(self.service.folder)], capture_output=True, text=True, timeout=30, check=False)
        self.assertNotEqual(done.returncode, 0)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_of_another_user(self):
        self.service.folder.mkdir(mode=0o700)
        os.chown(self.service.folder, NOBODY, NOBODY)
        self.refused("nobody", "--data-dir")

    def test_that_others_may_write(self):
        self.service.folder.mkdir()
        os.chmod(self.service.folder, 0o777)
        self.refused("chmod go-w")

    def test_that_others_may_read(self):
        self.service.start()
        self.service.stop()
        os.chmod(self.service.folder, 0o755)
        self.service.start()
        self.assertEqual(self.service.folder.stat().st_mode & 0o777, 0o700)

    def test_with_files_of_others(self):
        # What a person shares on purpose stays as it is.
        self.service.folder.mkdir(mode=0o755)
        (self.service.folder / "notes").write_text("mine\n")
        self.service.start()
        self.assertEqual(self.service.folder.stat().st_mode & 0o777, 0o755)

    def test_folders_in_it(self):
        for name in ("config", "state"):
            with self.subTest(name):
                folder = self.service.folder / name
                folder.mkdir(parents=True, exist_ok=True)
                os.chown(folder, NOBODY, NOBODY)
                self.refused(str(folder))
                os.chown(folder, 0, 0)

    def test_token_of_another_user(self):
        self.service.folder.mkdir(mode=0o700)
        token = self.service.folder / "token"
        token.write_text("known-to-somebody-else\n")
        os.chown(token, NOBODY, NOBODY)
        self.refused(str(token), "nobody")

    def test_token_that_others_may_read(self):
        self.service.folder.mkdir(mode=0o700)
        token = self.service.folder / "token"
        token.write_text("0123456789\n")
        os.chmod(token, 0o644)
        self.service.start()
        self.assertEqual(token.stat().st_mode & 0o777, 0o600)
        self.assertIn("token rotate", (self.service.folder / "state" / "trialdeck.log").read_text())

    def test_clients_refuse_it_too(self):
        self.service.start()
        os.chmod(self.service.folder, 0o777)
        code, _, errors = self.trialdeck("platform", "list", "--data-dir", self.service.folder)
        self.assertNotEqual(code, 0)
        self.assertIn("chmod go-w", errors)
        os.chmod(self.service.folder, 0o700)

    def test_what_we_make_is_ours_alone(self):
        self.service.start()
        for path in [self.service.folder, *self.service.folder.rglob("*")]:
            with contextlib.suppress(FileNotFoundError):  # The service lives.
                mode = path.lstat().st_mode
                if not stat.S_ISLNK(mode):
                    self.assertEqual(mode & 0o022, 0, path)
        for name in ("token", "endpoint.json", "state/audit.log"):
            path = self.service.folder / name
            if path.exists():
                self.assertEqual(path.stat().st_mode & 0o077, 0, path)


if __name__ == "__main__":
    main()
