# SPDX-License-Identifier: GPL-3.0-or-later
"""What the other files here share."""

import os
import subprocess
import time

CNI = "/usr/lib/cni"  # where the plugins are that make networks of pods


def until(seconds, what, condition):
    """The first true answer of `condition`."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.1)


def run(*words, **options):
    """The output of a program that must succeed."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise OSError(f"{' '.join(str(word) for word in words)}: {done.stdout.strip()[-1000:]}")
    return done.stdout


def replace_file(path, text):
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.chmod(0o600)
    os.rename(new, path)
