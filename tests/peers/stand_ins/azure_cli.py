# SPDX-License-Identifier: GPL-3.0-or-later
"""The program `az` of the Azure stand-in: what it is told is decided by the server, which so records each call (POST /cli/az)."""

import datetime
import json

import json_web_token
from azure_accounts import TENANT
from stand_in import json_reply

PROGRAM = """#!{python} -B
import json, ssl, sys, urllib.request
https = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile={ca!r}))
opener = urllib.request.build_opener(https, urllib.request.ProxyHandler({{}}))
answer = json.load(opener.open({url!r} + "/cli/az", json.dumps(sys.argv[1:]).encode()))
sys.stdout.write(answer["out"])
sys.stderr.write(answer["err"])
sys.exit(answer["code"])
"""


class Cli:
    def __init__(self, application):
        self.application = application
        self.settings = application.settings

    def install(self, folder, python):
        """Makes the program; where it is."""
        folder.mkdir()
        path = folder / "az"
        path.write_text(PROGRAM.format(python=python, url=self.application.url, ca=self.application.ca and str(self.application.ca)))
        path.chmod(0o755)
        return path

    def answer(self, request):
        """None where it is not from that program."""
        if request.path != "/cli/az":
            return None
        words = request.json()
        if words[:2] == ["account", "get-access-token"]:
            return self.token(words)
        if words[:2] == ["account", "show"]:
            return self.say({"id": self.application.subscription, "tenantId": TENANT, "state": "Enabled",
                             "user": {"name": self.application.accounts.user.name, "type": "user"}})
        return self.fail(2, f"'{' '.join(words[:2])}' is misspelled or not recognized by the system.")

    @staticmethod
    def fail(code, text):
        return json_reply({"code": code, "out": "", "err": f"ERROR: {text}\n"})

    def say(self, members):
        if not self.settings["az"]["loggedIn"]:
            return self.fail(1, "Please run 'az login' to setup account.")
        return json_reply({"code": 0, "out": json.dumps(members, indent=2) + "\n", "err": ""})

    def token(self, words):
        wanted = dict(zip(words[2::2], words[3::2]))
        if wanted.get("--tenant", TENANT) != TENANT:
            return self.fail(1, f"AADSTS90002: Tenant '{wanted['--tenant']}' not found.")
        accounts = self.application.accounts
        token = accounts.make_token(accounts.user, wanted.get("--resource", self.application.url).rstrip("/"))
        ends = json_web_token.decode(token, accounts.key, 0)["exp"]
        found = {"accessToken": token,
                 "expiresOn": datetime.datetime.fromtimestamp(ends).strftime("%Y-%m-%d %H:%M:%S.000000"),  # by the clock of the place
                 "expires_on": ends, "subscription": self.application.subscription, "tenant": TENANT, "tokenType": "Bearer"}
        if self.settings["az"]["old"]:
            del found["expires_on"]
        return self.say(found)
