#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what `nvidia-smi -q -x` would, for GPUs that are not there: `lab_smi.py COUNT MODEL MIB FOREIGN`, where FOREIGN
is `INDEX=PID:MIB[,…]` or `-`. Trials of a lab are found as real processes: they have the home of its machine, and their GPUs in
CUDA_VISIBLE_DEVICES."""
import os
import sys
import time
import zlib

count, model, memory, foreign = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
if any(word.startswith("--query-gpu") for word in sys.argv[5:]):
    print("\n".join([f"{model}, 550.54.15"] * count))
    sys.exit()
own = os.environ.get("HOME", "")
held = {index: [] for index in range(count)}
for word in foreign.split(","):
    if "=" in word:
        index, rest = word.split("=")
        held[int(index)].append((int(rest.split(":")[0]), int(rest.split(":")[1])))
for name in os.listdir("/proc"):
    if not name.isdigit():
        continue
    try:
        with open(f"/proc/{name}/environ", "rb") as file:
            environment = dict(pair.split(b"=", 1) for pair in file.read().split(b"\0") if b"=" in pair)
        with open(f"/proc/{name}/comm") as file:
            command = file.read().strip()
    except OSError:
        continue
    if environment.get(b"HOME", b"").decode() != own or not command.startswith("python"):
        continue
    for word in environment.get(b"CUDA_VISIBLE_DEVICES", b"").decode().split(","):
        if word.isdigit() and int(word) < count:
            held[int(word)].append((int(name), memory * (35 + int(name) % 23) // 100))

print('<?xml version="1.0" ?>\n<nvidia_smi_log><driver_version>550.54.15</driver_version>'
      f"<attached_gpus>{count}</attached_gpus>")
for index, processes in held.items():
    used = sum(size for _, size in processes)
    busy = min(99, 88 + (index * 7 + int(time.time()) // 5) % 12) if processes else 0
    print(f'<gpu id="00000000:{index + 1:02x}:00.0"><product_name>{model}</product_name>'
          f"<uuid>GPU-{zlib.crc32(own.encode()):08x}-{index}</uuid><fb_memory_usage><total>{memory} MiB</total>"
          f"<used>{used} MiB</used><free>{memory - used} MiB</free></fb_memory_usage>"
          f"<utilization><gpu_util>{busy} %</gpu_util></utilization><temperature><gpu_temp>{38 + busy // 3} C</gpu_temp>"
          "</temperature><processes>")
    for pid, size in processes:
        print(f"<process_info><pid>{pid}</pid><type>C</type><process_name>python3</process_name>"
              f"<used_memory>{size} MiB</used_memory></process_info>")
    print("</processes></gpu>")
print("</nvidia_smi_log>")
