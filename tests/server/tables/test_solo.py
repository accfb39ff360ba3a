"""Tables of one player, and results of players who each have their own goal."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import Seat
from realmtable.engine.record import load_record
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.live.live_table import Viewer
from realmtable.server.tables.replay_log import replay
from realmtable.server.workers.bot_workers import choose_moves
from tests.server.support.live_server import Person, wait_until
from tests.server.support.table_harness import TableHarness, start_table

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toys")]


def play_quest(*texts: str, seats: int = 1, options: tuple[str, ...] = ("rounds=1",)) -> TableHarness:
    """A quest in which these steps are taken, each by the first seat to move."""
    quest = start_table("gold_quest", seats=seats, options=options)
    for text in texts:
        quest.act(actions.play, quest.table.acting[0], text)
    return quest


async def open_quest(person: Person, *seats: str, **wishes: Any) -> str:
    body = {"game": "gold_quest", "seats": [*seats], "options": {"rounds": 1}, **wishes}
    table: str = (await person.post("/api/tables", body))["table"]
    return table


async def play_moves(person: Person, table: str, *moves: str) -> dict[str, Any]:
    for move in moves:
        await person.play(table, move)
    scene: dict[str, Any] = await person.get(f"/api/tables/{table}")
    return scene


# ---- tables of one


def test_a_solo_table_is_rebuilt_from_its_log() -> None:
    for quest in (play_quest("Elf", "rest"), play_quest("Elf")):
        assert replay(quest.row, quest.log).result == quest.table.result


async def test_one_person_plays_a_solo_game_again(ann: Person, eve: Person) -> None:
    table = await open_quest(ann, "me", listed=True)
    [entry] = (await eve.get("/api/tables?status=running")) or [None]
    assert [seat["name"] for seat in entry["seats"]] == ["Ann"]
    assert ", solo" in (await eve.client.get("/")).text
    assert "</strong> solo" in (await ann.client.get("/my-games")).text
    scene = await ann.get(f"/api/tables/{table}")
    assert (scene["status"], scene["headline"], scene["acting"]) == ("running", "Your turn", [0])
    assert {"resign", "abort"} <= {*scene["can"]} <= {"resign", "abort", "chat"}
    scene = await play_moves(ann, table, "Elf", "rest")
    assert (scene["status"], scene["headline"]) == ("over", "You reached your goal.")
    assert scene["result"]["reached"] == [True]
    assert [(tally["name"], tally["reached"]) for tally in scene["tallies"]] == [("Ann, the Elf", True)]
    text = (await ann.client.get(f"/api/tables/{table}/record")).text
    record = load_record(text, registry.game)
    outcome = record.outcome()
    assert (outcome and outcome.reached, record.text()) == ((True,), text)
    page = (await ann.client.get(f"/tables/{table}/replay")).text
    assert "Ann reached their goal." in page
    again = (await ann.post(f"/api/tables/{table}/rematch"))["table"]
    assert (await ann.get(f"/api/tables/{again}"))["status"] == "running"
    await ann.post(f"/api/tables/{again}/resign")
    scene = await ann.get(f"/api/tables/{again}")
    assert (scene["headline"], scene["result"]["scores"], "rematch" in scene["can"]) == ("You gave up.", None, True)
    text = (await ann.client.get(f"/api/tables/{again}/record")).text
    assert "Termination: Ann gave up." in text
    player = (await ann.get("/api/me"))["player"]["id"]
    assert "Ann reached their goal." in (await eve.client.get(f"/players/{player}")).text


async def test_a_rated_solo_table_is_refused_with_a_sentence(ann: Person) -> None:
    answer = await ann.send("POST", "/api/tables", {"game": "gold_quest", "seats": ["me"], "rated": True})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("A solo game cannot be rated")


class LocalThinker:
    """Does a worker's task in this process, which knows the toys."""

    async def choose(self, game_id: str, position: str, seat: Seat, bot: str, seed: int) -> list[str]:
        return choose_moves(game_id, position, seat, bot, seed)


async def test_a_lone_bot_plays_while_someone_watches(services: Services, ann: Person) -> None:
    services.table_driver.move_chooser = LocalThinker()
    table = await open_quest(ann, "bot:random")
    live = await services.table_service.find(table)

    async def is_over() -> bool:
        return live.table.status == "over"

    with services.table_service.presence.watch(live, Viewer((), None)):
        services.table_driver.on_table_change(live.table)
        await wait_until(is_over)


async def test_the_set_up_page_offers_a_solo_game(ann: Person) -> None:
    page = (await ann.client.get("/play/gold_quest")).text
    assert '<option value="1">1 (solo)</option>' in page


# ---- goals and names


async def test_names_follow_what_each_viewer_may_know(ann: Person, bob: Person, eve: Person) -> None:
    table = await open_quest(ann, "me", "open", preset="masked", options={}, chat="everyone")
    await bob.post(f"/api/tables/{table}/seats")
    await ann.post(f"/api/tables/{table}/chat", {"text": "Hello"})
    await play_moves(ann, table, "Elf")
    await play_moves(bob, table, "Witch")
    scenes = [await person.get(f"/api/tables/{table}") for person in (ann, bob, eve)]
    names = [[seat["name"] for seat in scene["seats"]] for scene in scenes]
    assert names == [["Ann, the Elf", "Bob"], ["Ann", "Bob, the Witch"], ["Ann", "Bob"]]
    assert [scene["headline"] for scene in scenes] == ["Your turn (you're Ann, the Elf)", *["Ann to move"] * 2]
    assert [scene["news"][-2]["words"] for scene in scenes] == ["Ann, the Elf: Elf", "Ann: …", "Ann: …"]
    assert [message["name"].partition(" (")[2] for message in scenes[0]["chat"]] == ["Ann, the Elf)"]
    assert [message["name"].partition(" (")[2] for message in scenes[1]["chat"]] == [""]
    refusal = (
        await bob.send("POST", f"/api/tables/{table}/moves", {"version": scenes[1]["version"], "move": "dig"})
    ).json()
    assert refusal["error"]["message"] == "It is Ann's turn."
    await ann.post(f"/api/tables/{table}/resign")
    ended = [await person.get(f"/api/tables/{table}") for person in (ann, bob, eve)]
    results = ["Ann, the Elf resigned; Bob wins.", "Ann resigned; Bob, the Witch wins.", "Ann resigned; Bob wins."]
    assert [scene["result"]["text"] for scene in ended] == results
    for person, result in zip((ann, bob, eve), results, strict=True):
        page = (await person.client.get(f"/tables/{table}/replay")).text
        assert f'data-role="sub">{result}</p>' in page
    assert [scene["headline"] for scene in ended[:2]] == ["You lost by resignation.", "You won: Ann resigned."]
    everything = str(scenes) + str(ended)
    assert not [sign for sign in everything if "\ue000" <= sign <= "\uf8ff"]  # every mark has become a name
    [entry] = await bob.get("/api/tables/mine")
    assert entry["result"]["text"] == "Ann resigned; Bob wins."


async def test_a_replay_names_seats_and_goals(ann: Person) -> None:
    table = await open_quest(ann, "me")
    await play_moves(ann, table, "Dwarf", "rest")
    moment = await ann.get(f"/api/tables/{table}/moments/2")
    assert (moment["words"], moment["result"]["text"]) == (
        "Ann, the Dwarf: Rest",
        "The points are 1. Ann, the Dwarf fell short of their goal.",
    )
    assert (await ann.get(f"/api/tables/{table}/moments/0"))["result"] is None
