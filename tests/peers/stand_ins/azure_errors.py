# SPDX-License-Identifier: GPL-3.0-or-later
"""How Azure Resource Manager and the services behind it say that something failed."""

from stand_in import Refusal, json_reply


def error_reply(status, code, message, **more):
    return json_reply({"error": {"code": code, "message": message, "target": None, "details": [], "additionalInfo": [
        {"type": "ComponentName", "info": {"value": "managementfrontend"}}]}}, status, **more)


def refuse(status, code, message, **more):
    raise Refusal(error_reply(status, code, message, **more))
