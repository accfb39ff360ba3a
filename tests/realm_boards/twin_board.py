"""The board of the slow twins, from the documents alone: spaces, Realms, lines and seats by their names.

A Realm is named by its Center. Like the twins, this module imports nothing of the product.
"""

from __future__ import annotations

FILES = "abcdefghijkl"
SPACES = [f"{file}{rank}" for rank in range(1, 13) for file in FILES]  # rising by rank, then by file
ORDER = {space: number for number, space in enumerate(SPACES)}
COMPASS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
LETTER = "WB"  # the letter of seat 0 and of seat 1
WHITE, BLACK = 0, 1

Pieces = dict[str, str]  # from space to piece
Pair = tuple[int, int]  # White's number and Black's


def _realm_of(space: str) -> str:
    return f"{FILES[FILES.index(space[0]) // 3 * 3 + 1]}{(int(space[1:]) - 1) // 3 * 3 + 2}"


def _line(space: str, way: str) -> list[str]:  # the spaces seen from a space in one direction, nearest first
    file, rank = FILES.index(space[0]), int(space[1:])
    east, north = COMPASS[way]
    line: list[str] = []
    while 0 <= file + east < 12 and 1 <= rank + north <= 12:
        file, rank = file + east, rank + north
        line.append(f"{FILES[file]}{rank}")
    return line


REALM = {space: _realm_of(space) for space in SPACES}
CENTERS = [space for space in SPACES if REALM[space] == space]
BORDER = {center: [space for space in SPACES if REALM[space] == center != space] for center in CENTERS}
LINE = {(space, way): _line(space, way) for space in SPACES for way in COMPASS}
HOME = (CENTERS[:8], CENTERS[8:])  # the Centers of the eight Realms nearest to each seat
# The next Center in a direction, where there is one.
NEXT_CENTER = {
    (center, way): LINE[center, way][2] for center in CENTERS for way in COMPASS if len(LINE[center, way]) > 2
}


def half_turn(space: str) -> str:
    return f"{FILES[11 - FILES.index(space[0])]}{13 - int(space[1:])}"


def other_letter(letter: str) -> str:
    return "B" if letter == "W" else "W"


def add(pair: Pair, seat: int, amount: int) -> Pair:
    return (pair[0] + amount, pair[1]) if seat == WHITE else (pair[0], pair[1] + amount)
