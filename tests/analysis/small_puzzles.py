"""Two hand-made puzzles for tests: White creates the last Base at once, or the last two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from realmtable.analysis import puzzles
from realmtable.analysis.puzzles import CheckedTurn, Puzzle, load_puzzles, puzzle_id

PIECES = "W:Pa1,Bb2,Be2,Bh2,Bk2,Pa4,Bb5,Be5,Bh5 B:Bk5,Pj10,Pl10,Bb11,Be11,Bh11,Bk11 move=W"
POSITION = f"{PIECES} left=1/5 stock=3/3"
LATER = f"{PIECES} left=2/5 stock=3/3"

ONE_TURN_PUZZLE = Puzzle(
    id=puzzle_id("realm", POSITION),
    game="realm",
    position=POSITION,
    seat=0,
    theme="win at once",
    difficulty=1,
    line=("Pa4a7(Bb8)",),
    others=((CheckedTurn("Pa1d1(Ef1N)", 0.25, "Pj10j7(Bk8)"),),),
    value=1.0,
    second=0.25,
    proven=True,
    nodes=40_000,
    seed=1,
)
TWO_TURN_PUZZLE = replace(
    ONE_TURN_PUZZLE,
    id=puzzle_id("realm", LATER),
    position=LATER,
    theme="win in two",
    difficulty=3,
    line=("Pa4a7(Bb8)", "Pj10j7(Bk8)", "Pa7d7(Be8)"),
    others=((), ()),
    second=0.4,
    seed=2,
)


@contextmanager
def install_puzzles(folder: Path, patch: pytest.MonkeyPatch, *shipped: Puzzle) -> Iterator[None]:
    """Give Realm these puzzles, and the other games none."""
    path = folder / "puzzles.jsonl"
    path.write_text("".join(f"{puzzle.as_json()}\n" for puzzle in shipped), encoding="utf-8")
    patch.setattr(puzzles, "puzzle_path", lambda game_id: path if game_id == "realm" else folder / "none")
    load_puzzles.cache_clear()
    yield
    load_puzzles.cache_clear()
