# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains a small neural network to read digits, on one core, in about two seconds. Standard library only.

Trialdeck's demo searches its learning rate, momentum and batch size. It reports as any script can: it prints what it does,
and where TRIALDECK_METRICS_FILE is set, it appends one JSON line an epoch to that file and a FINAL one at the end.
"""

import argparse
import json
import math
import os
import random
from operator import mul

import digits

PIXELS = digits.SIDE * digits.SIDE
CLASSES = 10


class Diverged(ArithmeticError):
    """The loss is no number any more; going on would only waste the machine."""


class Network:
    """Pixels, one hidden layer of leaky rectified units, ten classes; weights are plain lists, a row's last is the bias."""

    LEAK = 0.1  # the slope below zero: no unit ever dies

    def __init__(self, hidden, seed):
        rng = random.Random(seed)
        self.first = [[rng.gauss(0, math.sqrt(2 / PIXELS)) for _ in range(PIXELS)] + [0.0] for _ in range(hidden)]
        self.second = [[rng.gauss(0, math.sqrt(1 / hidden)) for _ in range(hidden)] + [0.0] for _ in range(CLASSES)]

    def forward(self, picture):
        """The hidden units and the probabilities of the classes; `picture` ends with 1 for the bias."""
        hidden = [s if s > 0.0 else self.LEAK * s for s in (sum(map(mul, row, picture)) for row in self.first)]
        hidden.append(1.0)
        scores = [sum(map(mul, row, hidden)) for row in self.second]
        highest = max(scores)
        exponents = [math.exp(score - highest) for score in scores]
        total = sum(exponents)
        return hidden, [e / total for e in exponents]


def _add(into, factor, row):
    return [a + factor * b for a, b in zip(into, row)]


def train_epoch(network, velocity, pairs, lr, momentum, batch):
    """One pass over `pairs` in batches, by gradient descent with momentum. Returns the mean loss."""
    loss = 0.0
    velocity_first, velocity_second = velocity
    for start in range(0, len(pairs), batch):
        part = pairs[start : start + batch]
        # Momentum enters once a batch, the gradient of each picture as it comes: no second copy of the weights is needed.
        velocity_first[:] = [[momentum * v for v in row] for row in velocity_first]
        velocity_second[:] = [[momentum * v for v in row] for row in velocity_second]
        rate = lr / len(part)
        for picture, digit in part:
            hidden, probabilities = network.forward(picture)
            loss -= math.log(max(probabilities[digit], 1e-300))
            error = probabilities
            error[digit] -= 1.0
            back = [0.0] * len(hidden)
            for index, e in enumerate(error):
                back = _add(back, e, network.second[index])
                velocity_second[index] = _add(velocity_second[index], -rate * e, hidden)
            for index, e in enumerate(back[:-1]):
                slope = 1.0 if hidden[index] > 0.0 else network.LEAK
                velocity_first[index] = _add(velocity_first[index], -rate * e * slope, picture)
        network.first = [_add(row, 1.0, v) for row, v in zip(network.first, velocity_first)]
        network.second = [_add(row, 1.0, v) for row, v in zip(network.second, velocity_second)]
        if not math.isfinite(sum(map(sum, network.second))):
            return math.nan
    return loss / len(pairs)


def evaluate(network, pairs):
    """The share that is read right, and how often each digit (row) was read as each (column)."""
    table = [[0] * CLASSES for _ in range(CLASSES)]
    for picture, digit in pairs:
        _, probabilities = network.forward(picture)
        table[digit][probabilities.index(max(probabilities))] += 1
    return sum(table[d][d] for d in range(CLASSES)) / len(pairs), table


def report(metric, **more):
    """One line, one write: the line is whole or not there, also when the trial is killed."""
    path = os.environ.get("TRIALDECK_METRICS_FILE")
    if path:
        with open(path, "ab", buffering=0) as file:
            file.write((json.dumps({"metric": metric, **more}) + "\n").encode())


def save(network, table):
    """What a person may want to fetch afterwards: the weights, and what was confused with what."""
    folder = os.environ.get("TRIALDECK_OUTPUT_DIR")
    if not folder:
        return
    with open(os.path.join(folder, "confusion.txt"), "w", encoding="utf-8") as file:
        file.write("rows: the digit drawn; columns: the digit read\n\n    " + "".join(f"{d:5}" for d in range(10)) + "\n")
        for digit, row in enumerate(table):
            file.write(f"{digit:4}" + "".join(f"{count:5}" for count in row) + "\n")
    with open(os.path.join(folder, "model.json"), "w", encoding="utf-8") as file:
        json.dump({"first": network.first, "second": network.second}, file)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Trains a small network to read digits.")
    parser.add_argument("--lr", type=float, default=0.1, help="learning rate")
    parser.add_argument("--momentum", type=float, default=0.5)
    parser.add_argument("--batch", type=int, default=16, help="pictures a step")
    parser.add_argument("--hidden", type=int, default=16, help="units of the hidden layer")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--train", type=int, default=1200, help="pictures to learn from")
    parser.add_argument("--test", type=int, default=400, help="pictures to be judged by")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    pairs = [(picture + [1.0], digit) for picture, digit in digits.make(options.train + options.test, seed=2026)]
    learn, judge = pairs[: options.train], pairs[options.train :]
    network = Network(options.hidden, options.seed)
    velocity = tuple([[0.0] * len(row) for row in layer] for layer in (network.first, network.second))
    print(f"{len(learn)} pictures to learn from, {len(judge)} to be judged by", flush=True)

    rng = random.Random(options.seed)
    for epoch in range(1, options.epochs + 1):
        rng.shuffle(learn)
        loss = train_epoch(network, velocity, learn, options.lr, options.momentum, options.batch)
        if not math.isfinite(loss):
            raise Diverged(f"the loss is {loss} in epoch {epoch}: learning rate {options.lr:g} is too large")
        accuracy, table = evaluate(network, judge)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.4f}", flush=True)
        report({"accuracy": accuracy, "loss": loss}, step=epoch)

    save(network, table)
    report({"accuracy": accuracy, "loss": loss}, type="FINAL")
    print(f"final accuracy {accuracy:.4f}", flush=True)


if __name__ == "__main__":
    main()
