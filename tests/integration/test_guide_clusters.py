# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the guide that want machines and clusters, typed against those of this computer: python3 test_guide_clusters.py PROGRAM
[unittest's arguments]."""

import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
for name in ("peers", "peers/stand_ins", "resources"):
    sys.path.insert(0, str(TESTS / name))
from guide_pages import PageTest, merged  # noqa: E402
from loopback_sshd import Sshd  # noqa: E402
from slurm_lab import SlurmLab  # noqa: E402
from stand_in_client import StandIn  # noqa: E402


class Pages(PageTest):
    def setUp(self):
        super().setUp()
        self.storage = self.folder / "storage"
        self.storage.mkdir()

    def server(self, program, *arguments, lines):
        server = StandIn(program, *arguments, lines=lines).start()
        self.addCleanup(server.stop)
        return server

    def hosts(self, *names):
        """Machines that ~/.ssh/config has under these names, each at an address of its own."""
        addresses = [f"127.0.0.{number}" for number, _ in enumerate(names, 1)]
        sshd = Sshd(self.folder / "machine", addresses)
        self.addCleanup(sshd.stop)
        sshd.start()
        ssh = self.folder / "home" / ".ssh"
        ssh.mkdir(mode=0o700)
        user = sshd.machine["user"]
        (ssh / "config").write_text("".join(
            f"Host {name}\n  HostName {address}\n  Port {sshd.port}\n  User {user}\n  IdentityFile {sshd.folder}/user_key\n"
            for name, address in zip(names, addresses)))
        (ssh / "known_hosts").write_text(sshd.known_hosts_line)
        return sshd

    def test_ssh_machines(self):
        self.hosts("lab1", "lab2")
        self.run_page("ssh-machines.md")
        self.assertEqual(self.type("trialdeck list --json --limit 6").count('"SUCCEEDED"'), 6)

    def test_slurm(self):
        lab = SlurmLab(self.program)
        self.addCleanup(lab.stop)
        lab.start()
        settings = {"transport": "cli", "host": None, "partition": None, **lab.settings}
        self.run_page("slurm.md", {"slurm.json": lambda text: merged(text, settings)})

    def test_openpai(self):
        server = self.server("openpai_server.py", "--root", str(self.folder), "--storage", f"confignfs={self.storage}", lines=("url", "token"))
        token = self.folder / "token"
        token.write_text(server.settings["token"])
        settings = {"host": server.url, "username": "u", "tokenFile": str(token), "localStorageMountPoint": str(self.storage),
                    "containerStorageMountPoint": str(self.folder / "mnt")}
        self.run_page("openpai.md", {"openpai.json": lambda text: merged(text, settings)})
        self.assertEqual(len(server.jobs()), 4, "that of the check, and three trials")

    def test_dlts(self):
        server = self.server("dlts_server.py", "--root", str(self.folder), "--share", f"share={self.storage}", lines=("url", "password"))
        password = self.folder / "password"
        password.write_text(server.settings["password"])
        settings = {"dashboard": server.url, "cluster": None, "email": "u@x.com", "passwordFile": str(password),
                    "localStorageMountPoint": str(self.storage), "containerStorageMountPoint": str(self.folder / "share")}
        self.run_page("dlts.md", {"dlts.json": lambda text: merged(text, settings)})
        self.assertEqual(len(server.jobs()), 4, "that of the check, and three trials")

    def test_azure_ml(self):
        server = self.server("azure_server.py", "--compute", "gpu=4", lines=(
            "url", "tenant", "client", "secret", "token", "identity", "subscription", "group", "workspace", "az", "ca"))
        server.control("compute", name="gpu", idle=1)
        facts = server.settings
        settings = {"auth": "serviceprincipal", "tenantId": facts["tenant"], "clientId": facts["client"], "clientSecret": facts["secret"],
                    "armEndpoint": server.url, "loginEndpoint": server.url, "caFile": facts["ca"],
                    "subscriptionId": facts["subscription"], "resourceGroup": facts["group"], "workspaceName": facts["workspace"]}
        self.run_page("azure-ml.md", {"azure.json": lambda text: merged(text, settings)})

    def test_server(self):
        programs = self.hosts("server").folder / "home" / ".local" / "bin"
        programs.mkdir(parents=True)
        (programs / "trialdeckd").symlink_to(self.program)  # it is installed there
        self.addCleanup(self.stop, "--data-dir", str(self.folder / "home" / "deck"))
        self.run_page("server.md")


del PageTest  # unittest would run it by itself

if __name__ == "__main__":
    Pages.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
