"""The bench signatures: a commit that changes play changes this file, and says so.

Where a change is meant, `python -m bench.search --signatures` prints the new lines.
"""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine.protocol import AnyGame
from realmtable.kit.compile import is_compiling
from realmtable.kit.rules import HasRules
from realmtable.search.bench_signature import signature

SIGNATURES: dict[str, str] = {
    "classic_realm": "1,311 5d778bfb",
    "medieval_realm": "1,048 32fc7aa4",
    "modern_realm": "2,007 41180aea",
    "oriental_realm": "1,968 1cd43596",
    "realm": "624 4e585c9e",
    "realms_of_etherium": "4,430 6ba74686",
}
KERNEL_GAMES = [game for info in realmtable.infos() if isinstance(game := realmtable.game(info.id), HasRules)]
LARGE = {"modern_realm", "oriental_realm", "realms_of_etherium"}  # searching them interpreted takes seconds


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.slow if game.info.id in LARGE else (), id=game.info.id)
        for game in KERNEL_GAMES
    ],
)
def test_search_does_what_it_did(game: AnyGame) -> None:
    """The signature is the same interpreted and compiled."""
    if is_compiling() and game.info.id != "classic_realm":
        pytest.skip("compiling one search shows that the compiler changes nothing")
    assert signature(game) == SIGNATURES[game.info.id]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", KERNEL_GAMES, ids=lambda game: game.info.id)
def test_search_compiled_does_what_it_did(game: AnyGame) -> None:
    """This compiles the search of every game."""
    assert signature(game) == SIGNATURES[game.info.id]
