"""Steps and holdings name the tiles they are about."""

from __future__ import annotations

from collections import Counter

import realmtable
from realmtable.engine.protocol import CHANCE, NamesUses
from realmtable.games.realms_of_etherium.kernels.layout import KIND_NAMES
from tests.conformance.random_games import play_randomly

GAME = realmtable.game("realms_of_etherium")
NAMED = {"to", "control", "use", "take", "react", "shift", "swap", "with"}
UNCOUNTED = {"mage", "end", "next", "skip"}


def test_the_tile_of_a_step_is_the_one_described() -> None:
    assert isinstance(GAME, NamesUses)
    seen: Counter[str] = Counter()
    for seed in range(3):
        for step in play_randomly(GAME, GAME.initial(2), seed, 1500).steps:
            if step.seat == CHANCE:
                continue
            verb = GAME.format_move(step.state, step.move).split()[0]
            uses = GAME.name_uses(step.state, step.seat, step.move)
            seen[verb] += 1
            if verb in UNCOUNTED:
                assert uses == []
            elif verb in NAMED:
                (use,) = uses
                assert use.split(maxsplit=1)[1] in {*KIND_NAMES, "Portal"}
            else:
                assert uses == [verb]
    assert {"to", "take", "control", "mage", "summon"} <= set(seen)


def test_holdings_are_the_controlled_realms() -> None:
    assert isinstance(GAME, NamesUses)
    found = 0
    for seed in range(3):
        last = play_randomly(GAME, GAME.initial(3), seed, 500).last
        held = GAME.name_holdings(last)
        assert [len(names) for names in held] == [player["controlled"] for player in GAME.view(last, None)["players"]]
        assert all(name.removeprefix("end with ") in KIND_NAMES for names in held for name in names)
        found += sum(map(len, held))
    assert found
