# SPDX-License-Identifier: GPL-3.0-or-later
"""Handwriting of a sort: small pictures of the ten digits, made from our own strokes. Standard library only.

Each digit is a few strokes in a unit square. A picture draws them with its own slant, size, shift and pen, then adds noise,
so that no two are alike and a few cannot be told apart even by a person. The same seed gives the same pictures on every
machine.
"""

import math
import random

SIDE = 8  # pixels of a picture's side

# Strokes as lists of points (x to the right, y down), from 0 to 1.
STROKES = {
    0: [[(0.5, 0.0), (0.15, 0.2), (0.15, 0.8), (0.5, 1.0), (0.85, 0.8), (0.85, 0.2), (0.5, 0.0)]],
    1: [[(0.3, 0.2), (0.55, 0.0), (0.55, 1.0)]],
    2: [[(0.15, 0.2), (0.5, 0.0), (0.85, 0.25), (0.15, 1.0), (0.9, 1.0)]],
    3: [[(0.15, 0.05), (0.8, 0.1), (0.4, 0.45), (0.85, 0.7), (0.5, 1.0), (0.1, 0.9)]],
    4: [[(0.65, 1.0), (0.65, 0.0), (0.1, 0.65), (0.95, 0.65)]],
    5: [[(0.85, 0.0), (0.2, 0.0), (0.2, 0.4), (0.75, 0.45), (0.8, 0.8), (0.5, 1.0), (0.1, 0.9)]],
    6: [[(0.75, 0.0), (0.25, 0.4), (0.15, 0.8), (0.5, 1.0), (0.85, 0.75), (0.5, 0.5), (0.2, 0.7)]],
    7: [[(0.1, 0.0), (0.9, 0.0), (0.4, 1.0)]],
    8: [[(0.5, 0.45), (0.2, 0.2), (0.5, 0.0), (0.8, 0.2), (0.5, 0.45), (0.15, 0.75), (0.5, 1.0), (0.85, 0.75), (0.5, 0.45)]],
    9: [[(0.8, 0.3), (0.5, 0.5), (0.2, 0.25), (0.5, 0.0), (0.8, 0.3), (0.7, 0.7), (0.4, 1.0)]],
}


def _draw(digit, rng):
    """One picture: a list of SIDE * SIDE brightnesses between 0 and 1."""
    slant = rng.uniform(-0.25, 0.25)
    width = rng.uniform(3.6, 5.6)
    height = rng.uniform(4.8, 6.4)
    left = (SIDE - 1 - width) / 2 + rng.uniform(-0.9, 0.9)
    top = (SIDE - 1 - height) / 2 + rng.uniform(-0.7, 0.7)
    pen = rng.uniform(0.55, 1.0)

    picture = [0.0] * (SIDE * SIDE)
    for stroke in STROKES[digit]:
        points = [
            (left + width * (x + rng.gauss(0, 0.035) + slant * (0.5 - y)), top + height * (y + rng.gauss(0, 0.035)))
            for x, y in stroke
        ]
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            steps = max(1, round(math.hypot(x1 - x0, y1 - y0) * 1.5))
            for step in range(steps + 1):
                x = x0 + (x1 - x0) * step / steps
                y = y0 + (y1 - y0) * step / steps
                for row in range(max(0, math.ceil(y - pen)), min(SIDE - 1, math.floor(y + pen)) + 1):
                    for column in range(max(0, math.ceil(x - pen)), min(SIDE - 1, math.floor(x + pen)) + 1):
                        ink = 1.0 - math.hypot(x - column, y - row) / (pen + 0.35)
                        if ink > picture[row * SIDE + column]:
                            picture[row * SIDE + column] = ink
    return [min(1.0, max(0.0, ink + rng.gauss(0, 0.08))) for ink in picture]


def make(count, seed):
    """`count` pairs (picture, digit), the ten digits equally often, in a shuffled order."""
    rng = random.Random(seed)
    pairs = [(_draw(index % 10, rng), index % 10) for index in range(count)]
    rng.shuffle(pairs)
    return pairs


def show(picture):
    """A picture as text, to look at one: print(show(make(1, 1)[0][0]))."""
    shades = " .:-=+*#%@"
    return "\n".join(
        "".join(shades[min(9, int(ink * 10))] * 2 for ink in picture[row : row + SIDE])
        for row in range(0, SIDE * SIDE, SIDE)
    )
