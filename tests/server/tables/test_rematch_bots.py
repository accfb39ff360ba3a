"""After a game against bots, players are offered easier ones if they lost and stronger ones if they won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo
from realmtable.server.tables.rematches import suggest_bots
from realmtable.server.tables.table import Occupant, Result, Table
from tests.server.support.live_server import Person
from tests.server.support.table_harness import start_table

pytestmark = pytest.mark.anyio


async def lose(person: Person, *seats: str) -> str:
    table: str = await person.open_table(game="classic_realm", seats=["me", *seats])
    await person.post(f"/api/tables/{table}/resign")
    return table


async def test_the_loser_gets_an_easier_bot_at_a_table_with_the_same_rules(ann: Person) -> None:
    table = await lose(ann, "bot:level2")
    assert (await ann.get(f"/api/tables/{table}"))["next_bots"] == "easier"
    opened = await ann.post(f"/api/tables/{table}/rematch", {"bots": "easier"})
    scene = await ann.get(f"/api/tables/{opened['table']}")
    assert [seat["bot"] for seat in scene["seats"]] == [None, "level1"]  # the loser begins
    strong = await ann.post(f"/api/tables/{table}/rematch", {"bots": "level7"})
    assert (await ann.get(f"/api/tables/{strong['table']}"))["seats"][1]["bot"] == "level7"
    again = await ann.post(f"/api/tables/{table}/rematch", {"bots": "easier"})
    assert again["table"] != opened["table"]
    assert (await ann.get(f"/api/tables/{table}"))["rematch"] is None


async def test_bots_that_do_not_exist_are_refused(ann: Person, bob: Person) -> None:
    table = await lose(ann, "bot:level1")
    assert (await ann.get(f"/api/tables/{table}"))["next_bots"] is None
    path = f"/api/tables/{table}/rematch"
    assert "bots of that level" in (await ann.expect_refusal("POST", path, {"bots": "easier"}))["message"]
    assert (await ann.expect_refusal("POST", path, {"bots": "hopeless"}))["code"] == "BadInput"
    assert (await bob.expect_refusal("POST", path, {"bots": "stronger"}))["code"] == "NotSeated"


def limit_levels(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let every game have fewer levels of bots."""
    infos = registry.info

    def limit(game: str) -> GameInfo:
        info = infos(game)
        return replace(info, bot_levels=count, level_words=info.level_words[:count])

    monkeypatch.setattr(registry, "info", limit)


async def test_a_game_with_its_own_bots_refuses_those_that_cannot_play_it(ann: Person) -> None:
    for bot in ("mcts", "uct", "alphabeta"):
        wanted = {"game": "fantasy_realms", "seats": ["me", f"bot:{bot}"]}
        refusal = await ann.expect_refusal("POST", "/api/tables", wanted)
        assert f"The bot {bot} cannot play Fantasy Realms; its bots are level1" in refusal["message"]
        await ann.post("/api/tables", wanted | {"game": "classic_realm"})
    for bot in ("greedy", "ismcts"):
        await ann.post("/api/tables", {"game": "fantasy_realms", "seats": ["open", f"bot:{bot}"]})


async def test_a_game_offers_only_the_levels_that_it_has(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_levels(monkeypatch, 5)
    facts = await ann.get("/api/games/classic_realm")
    assert [bot["name"] for bot in facts["bots"]] == [f"level{number}" for number in range(1, 6)]
    wanted = {"game": "classic_realm", "seats": ["me", "bot:level6"]}
    refusal = await ann.expect_refusal("POST", "/api/tables", wanted)
    assert refusal["message"] == "The strongest bot of Classic Realm is level5."
    table = await lose(ann, "bot:level5")
    path = f"/api/tables/{table}/rematch"
    assert "bots of that level" in (await ann.expect_refusal("POST", path, {"bots": "stronger"}))["message"]
    assert "bots of that level" in (await ann.expect_refusal("POST", path, {"bots": "level6"}))["message"]
    for page in (f"/tables/{table}", "/play/classic_realm"):
        text = (await ann.client.get(page)).text
        assert "Level 5 ·" in text
        assert "Level 6 ·" not in text


def test_nothing_stronger_is_suggested_than_a_game_has(monkeypatch: pytest.MonkeyPatch) -> None:
    table = end_table([None, "level4", "level5"], (1, 2, 3))
    assert suggest_bots(table, (0,)) == "stronger"
    limit_levels(monkeypatch, 5)
    assert suggest_bots(table, (0,)) is None


def end_table(bots: Sequence[str | None], ranking: tuple[int, ...]) -> Table:
    table = start_table("fantasy_realms", seats=len(ranking)).table
    seats = tuple(Occupant(f"p{seat}", bot) for seat, bot in enumerate(bots))
    return replace(table, seats=seats, result=Result(ranking, None, "rules", ""))


@pytest.mark.parametrize(
    ("bots", "ranking", "suggestion"),
    [
        ([None, "level2", "level3"], (1, 2, 3), "stronger"),
        ([None, "level2", "level3"], (2, 1, 3), "easier"),
        ([None, "level2", "level3"], (1, 1, 3), None),  # a shared place
        ([None, "level2", "level8"], (1, 2, 3), None),  # none is stronger
        ([None, None, "level3"], (1, 2, 3), None),  # not only bots
        ([None, "random", "level3"], (1, 2, 3), None),  # not a level
    ],
)
def test_what_is_suggested(bots: list[str | None], ranking: tuple[int, ...], suggestion: str | None) -> None:
    table = end_table(bots, ranking)
    assert suggest_bots(table, (0,)) == suggestion
    assert suggest_bots(table, ()) is None
    assert suggest_bots(replace(table, result=None), (0,)) is None
