# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON web tokens, signed with HMAC and SHA-256."""

import base64
import hashlib
import hmac
import json


def _packed(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _unpacked(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _signature(key, text):
    return _packed(hmac.new(key, text.encode(), hashlib.sha256).digest())


def encode(payload, key):
    head = {"alg": "HS256", "typ": "JWT"}
    text = ".".join(_packed(json.dumps(part, separators=(",", ":")).encode()) for part in (head, payload))
    return f"{text}.{_signature(key, text)}"


def decode(token, key, now):
    """The payload, or None where it was signed with another key, is no token, or has ended."""
    text, _, signature = token.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(key, text).encode()):
        return None
    try:
        payload = json.loads(_unpacked(text.partition(".")[2]))
    except ValueError:
        return None
    return None if payload.get("exp", now + 1) <= now else payload
