# SPDX-License-Identifier: GPL-3.0-or-later
"""Which requests fail, and how.

A fault is an object with the member `kind`:

    status              {"status":503}, with "retryAfter":SECONDS ("date":true sends it as a date) and "body"
    html                an error page of a gateway, {"status":502}
    redirect            {"status":302,"location":URL}; without it to the same place by https
    delay               {"seconds":2} before the first byte; all other kinds take `seconds`, too
    drip                a byte of the body each {"interval":0.1} seconds; with "head":true of the head, too
    closeAfterHeaders   the connection ends after the head
    truncate            … after half of the body
    short               half of the body, as if it were all
    contentType         {"contentType":"text/plain"}
    gzip                where the client accepts that; "always":true where not
    drop                the request is done, and the connection ends without an answer
    refuse              the same, but the request is not done
    close               the connection ends after the whole answer

`status`, `html` and `redirect` answer instead of the application; with "accepted":true the request is done, and its answer is lost.
Where a connection ends, "reset":true resets it.

Which requests: `method`, `path` and `query` (regular expressions, found anywhere; of the query as NAME=VALUE&…), `skip` so many first,
then `times` so many; without `times` all, until /control/clear. The first fault that fits is taken.
"""

import itertools
import random
import re

KINDS = ("status", "html", "redirect", "delay", "drip", "closeAfterHeaders", "truncate", "short", "contentType", "gzip", "drop", "refuse",
         "close")
MEMBERS = {"kind", "status", "retryAfter", "date", "body", "location", "seconds", "interval", "head", "contentType", "always", "accepted",
           "reset", "method", "path", "query", "skip", "times", "id"}


def checked(fault):
    if fault.get("kind") not in KINDS:
        raise ValueError(f"no kind {fault.get('kind')!r} of faults")
    unknown = set(fault) - MEMBERS
    if unknown:
        raise ValueError(f"a fault has no {sorted(unknown)}")
    if fault["kind"] == "status" and "status" not in fault:
        raise ValueError("which status?")
    for pattern in ("path", "query"):
        re.compile(fault.get(pattern, ""))
    return dict(fault)


class Faults:
    def __init__(self):
        self.planned = []
        self.share = None  # of all requests: members as `at_random` takes them
        self.dice = random.Random()
        self.ids = itertools.count(1)

    def add(self, fault):
        self.planned.append(checked(fault) | {"id": next(self.ids)})
        return {"id": self.planned[-1]["id"]}

    def at_random(self, members):
        """`share` of the requests with `method` and `path`, each in one of `kinds`: names, or faults with their members."""
        kinds = [checked(kind if isinstance(kind, dict) else {"kind": kind}) for kind in members["kinds"]]
        self.share = {"share": float(members["share"]), "kinds": kinds, "method": members.get("method"), "path": members.get("path", "")}
        self.dice = random.Random(members.get("seed"))
        return {}

    def clear(self):
        self.planned = []
        self.share = None

    def all(self):
        return {"planned": self.planned, "random": self.share}

    def take(self, method, path, query):
        """The fault of this request, or None."""
        text = "&".join(f"{name}={value}" for name, value in query.items())
        for fault in list(self.planned):
            if fault.get("method", method) != method or not re.search(fault.get("path", ""), path):
                continue
            if not re.search(fault.get("query", ""), text):
                continue
            if fault.get("skip", 0) > 0:
                fault["skip"] -= 1
                continue
            if "times" in fault:
                fault["times"] -= 1
                if fault["times"] <= 0:
                    self.planned.remove(fault)
                if fault["times"] < 0:
                    continue
            return fault
        share = self.share
        if share and share["method"] in (None, method) and re.search(share["path"], path) and self.dice.random() < share["share"]:
            return self.dice.choice(share["kinds"])
        return None
