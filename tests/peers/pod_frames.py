# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader of the frames of `trialkeeper pod`, from their description in services/wire/pod_frame.h and from nothing else."""

import re
import zlib

ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}


def unescaped(text):
    return re.sub(rb"\\(x[0-9a-f]{2}|.)",
                  lambda found: ESCAPES.get(found[1]) or bytes([int(found[1][1:], 16)]), text)


def streams(log):
    """The bytes of each stream, by letter; the end under x."""
    found = {}
    for line in log.splitlines():
        mark, crc, rest = line.split(b" ", 2)
        assert mark == b"$td1" and int(crc, 16) == zlib.crc32(rest), line
        _, _, letter, offset, text = rest.split(b" ", 4)
        stream = found.setdefault(letter.decode(), bytearray())
        assert letter == b"x" or int(offset) == len(stream), line
        stream += unescaped(text)
    return found
