# SPDX-License-Identifier: GPL-3.0-or-later
"""Cgroups of a node, of version 1 or 2: they lie below those of the process that makes them."""

import os
import pathlib

from kubernetes.base import until


class Hierarchy:
    """A hierarchy of cgroups: where it is mounted, its version, its controllers (or name=NAME), and where this process is in it."""

    def __init__(self, place, version, controllers, path):
        self.place, self.version, self.controllers, self.path = place, version, controllers, path


def hierarchies():
    of_process = [line.split(":", 2)[1:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()]
    found = []
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        words, (kind, _, options) = before.split(), after.split(" ", 2)
        for controllers, path in of_process:
            names = [name for name in controllers.split(",") if name]
            version = 1 if names else 2
            if kind == ("cgroup" if names else "cgroup2") and set(names) <= set(options.split(",")):
                inside = os.path.normpath(os.path.join(words[4], os.path.relpath(path, words[3])))
                found.append(Hierarchy(words[4], version, names, inside))
    return found


def is_single(found):
    return len(found) == 1 and found[0].version == 2


def own_cgroups(name):
    """The folders of new cgroups, one a hierarchy, within the cgroups that this process is in, so its limits hold for them, too.
    In the single hierarchy of version 2 they lie at the top: there a cgroup with processes has none below that has controllers."""
    found = hierarchies()
    return [pathlib.Path(one.place if is_single(found) else one.path, name) for one in found]


def make_cgroup(folder):
    folder.mkdir()
    controllers = folder.parent / "cgroup.subtree_control"
    if controllers.exists():
        there = (folder.parent / "cgroup.controllers").read_text().split()
        controllers.write_text(" ".join(f"+{name}" for name in there if name in ("cpu", "cpuset", "io", "memory", "pids")))
    for name in ("cpuset.cpus", "cpuset.mems"):
        if (folder / name).exists() and not (folder / name).read_text().strip() and (folder.parent / name).exists():
            (folder / name).write_text((folder.parent / name).read_text())


def remove_cgroup(folder):
    """With all below. What was killed in it may take a moment."""
    def gone():
        for place, _, _ in os.walk(folder, topdown=False):
            try:
                os.rmdir(place)
            except FileNotFoundError:
                pass
            except OSError:
                return False
        return True

    until(30, f"the end of the processes in {folder}", gone)
