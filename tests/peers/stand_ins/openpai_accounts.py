# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and tokens of the OpenPAI stand-in."""

import base64
import binascii
import dataclasses
import os
import re

import json_web_token
from stand_in import Refusal, json_reply


def refuse(status, code, message):
    raise Refusal(json_reply({"code": code, "message": message}, status))


@dataclasses.dataclass
class User:
    name: str
    password: str
    admin: bool = False
    clusters: set = dataclasses.field(default_factory=lambda: {"default"})
    storages: set = dataclasses.field(default_factory=set)
    tokens: list = dataclasses.field(default_factory=list)  # that are allowed
    revoked: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Caller:
    user: User
    token: str
    application: bool

    def must_be_person(self):
        if self.application:
            refuse(403, "ForbiddenUserError", "Applications are not allowed to do this operation.")


class Accounts:
    def __init__(self, application, users):
        self.application = application
        self.users = {user.name: user for user in users}
        self.key = os.urandom(32)

    def make_token(self, user, for_application=False):
        """Two of one second are the same."""
        now = int(self.application.now())
        payload = {"username": user.name, "application": for_application, "jobSpecific": False, "iat": now}
        if not for_application:
            payload["exp"] = now + self.application.settings["tokenSeconds"]
        token = json_web_token.encode(payload, self.key)
        if token not in user.tokens:
            user.tokens.append(token)
        return token

    def payload(self, token):
        return json_web_token.decode(token, self.key, self.application.now())

    def caller(self, request):
        header = request.header("Authorization")
        if not header:
            refuse(401, "UnauthorizedUserError", "Guest is not allowed to do this operation.")
        scheme, _, token = header.partition(" ")
        name = None
        if scheme == "Basic":
            try:
                name, _, token = base64.b64decode(token, validate=True).decode().partition(":")
            except (binascii.Error, UnicodeDecodeError):
                token = ""
        payload = self.payload(token.strip()) or {}
        user = self.users.get(payload.get("username"))
        if user is None or token.strip() not in user.tokens or (scheme == "Basic" and (name != user.name or not payload["application"])):
            refuse(401, "UnauthorizedUserError", "Your token is invalid.")
        return Caller(user, token.strip(), payload["application"])

    def log_in(self, request):
        try:
            members = request.json()
        except ValueError:
            members = {}
        name, password = str(members.get("username", "")), str(members.get("password", ""))
        if not re.fullmatch(r"[\w.-]+", name):
            refuse(400, "InvalidParametersError", f"child \"username\" fails because [\"username\" with value \"{name}\" fails to match "
                                                  "the required pattern: /^[\\w.-]+$/]")
        if len(password) < 6:
            refuse(400, "InvalidParametersError",
                   "child \"password\" fails because [\"password\" length must be at least 6 characters long]")
        lifetime = members.get("expiration")
        if lifetime is not None and (not isinstance(lifetime, int) or not 60 <= lifetime <= 604800):
            refuse(400, "InvalidParametersError", "child \"expiration\" fails because [\"expiration\" must be between 60 and 604800]")
        user = self.users.get(name)
        if user is None:
            refuse(400, "NoUserError", f"User {name} is not found.")
        if password != user.password:
            refuse(400, "IncorrectPasswordError", f"Password for user {name} is incorrect.")
        return json_reply({"user": name, "token": self.make_token(user), "admin": user.admin})

    def revoke(self, caller, token):
        caller.must_be_person()
        owner = next((user for user in self.users.values() if token in user.tokens), None)
        if owner is None:
            refuse(400, "InvalidParametersError", "Your token is invalid.")
        if owner is not caller.user and not caller.user.admin:
            refuse(403, "ForbiddenUserError", f"User {caller.user.name} is not allowed to do this operation.")
        owner.tokens.remove(token)
        return json_reply({"message": "revoke successfully"})

    def control(self, members):
        """{"revoke":true} makes all tokens of `user` (without it, of all users) invalid, {"allow":true} takes that back."""
        for user in self.users.values():
            if members.get("user", user.name) == user.name:
                if members.get("revoke"):
                    user.tokens, user.revoked = [], user.revoked + user.tokens
                elif members.get("allow"):
                    user.tokens, user.revoked = user.tokens + user.revoked, []
                else:
                    raise ValueError("revoke or allow?")
        return {}
