from __future__ import annotations

import asyncio
import re
import time
from random import Random
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.dice_verification import verify
from realmtable.engine.record import load_record
from realmtable.server.services import Services
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import Person, wait_until
from tests.server.tables.test_rating_conditions import play_turns

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toys")]
DAILY = ("realm", "fantasy_realms")  # a board and cards; the other games are left to the slow tests


async def play(person: Person, table: str, scene: dict[str, Any], rng: Random) -> dict[str, Any]:
    choice = rng.choice(scene["choices"])
    wish = {"version": scene["version"], "move": choice["move"]}
    return await act_and_look(person, f"/api/tables/{table}", "moves", wish)


async def act_and_look(person: Person, path: str, what: str, body: Any = None) -> dict[str, Any]:
    """Act at a table; return the scene after it, whose version was the answer."""
    answer = await person.post(f"{path}/{what}", body)
    after: dict[str, Any] = await person.get(path)
    assert answer == {"version": after["version"]}
    return after


@pytest.mark.long
async def test_two_people_play_a_whole_game(ann: Person, bob: Person, eve: Person) -> None:
    table = await ann.open_table(bob, game="medieval_realm")
    rng = Random(1)
    for _ in range(2_000):
        scenes = [await person.get(f"/api/tables/{table}") for person in (ann, bob)]
        if scenes[0]["status"] == "over":
            break
        acting = scenes[0]["acting"][0]
        assert [scene["your_turn"] for scene in scenes] == [acting == 0, acting == 1]
        await play((ann, bob)[acting], table, scenes[acting], rng)
    watched = await eve.get(f"/api/tables/{table}")
    assert watched["result"]["text"]
    assert watched["you"] == []
    text = (await eve.send("GET", f"/api/tables/{table}/record")).text
    record = load_record(text, registry.game)
    assert record.outcome() is not None
    assert verify(record).is_fair
    assert (await eve.get(f"/api/tables/{table}/fairness"))["kept"]


@pytest.mark.parametrize(
    "game", [pytest.param(info.id, marks=() if info.id in DAILY else pytest.mark.slow) for info in registry.infos()]
)
async def test_a_person_plays_a_bot_at_every_game(ann: Person, game: str) -> None:
    table = await ann.open_table(game=game, seats=["me", "bot:random"])
    rng = Random(2)

    async def my_turn() -> Any:
        scene = await ann.get(f"/api/tables/{table}")
        return scene if scene["your_turn"] or scene["status"] == "over" else None

    for _ in range(8):
        scene = await wait_until(my_turn)
        if scene["status"] == "over":  # a quick end is within the rules
            break
        await play(ann, table, scene, rng)
    assert any(line["seat"] == 1 for line in (await ann.get(f"/api/tables/{table}"))["lines"])


async def test_two_clicks_at_one_version_one_wins_and_the_other_is_told(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    scene = await ann.get(f"/api/tables/{table}")
    body = {"version": scene["version"], "move": scene["choices"][0]["move"]}
    other = {"version": scene["version"], "move": scene["choices"][1]["move"]}
    answers = await asyncio.gather(*(ann.send("POST", f"/api/tables/{table}/moves", wish) for wish in (body, other)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    loser = next(answer for answer in answers if answer.status_code == 409).json()
    assert loser["error"]["code"] in ("StaleVersion", "NotYourTurn")
    assert loser.keys() == {"error"}
    assert loser["error"]["version"] == scene["version"] + 1


async def test_the_same_key_twice_gets_the_first_answer_and_moves_once(
    services: Services, ann: Person, bob: Person
) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    scene = await ann.get(f"/api/tables/{table}")
    body = {"version": scene["version"], "move": scene["choices"][0]["move"], "key": "k1"}
    first = await ann.post(f"/api/tables/{table}/moves", body)
    second = await ann.post(f"/api/tables/{table}/moves", body)
    assert first["version"] == second["version"]
    services.table_service.live.clear()  # as after a restart
    third = await ann.post(f"/api/tables/{table}/moves", body)
    assert third["version"] == first["version"]


async def test_a_refusal_names_the_clause_and_links_its_rule(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="realm")
    version = (await ann.get(f"/api/tables/{table}"))["version"]
    error = await ann.expect_refusal("POST", f"/api/tables/{table}/moves", {"version": version, "move": "Ba1"})
    assert error["code"] == "IllegalMove"
    assert error["rules"] == f"/rules/realm#{error['clause']}"
    assert error["version"] == version


@pytest.mark.long
async def test_only_who_sits_there_may_act(ann: Person, bob: Person, eve: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    scene = await ann.get(f"/api/tables/{table}")
    body = {"version": scene["version"], "move": scene["choices"][0]["move"]}
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/moves", body))["code"] == "NotSeated"
    assert (await bob.expect_refusal("POST", f"/api/tables/{table}/moves", body))["code"] == "NotYourTurn"
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/resign", {}))["code"] == "NotSeated"
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/undo", {"version": 4}))["code"] == "NothingToUndo"
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/offers", {"what": "draw"}))["code"] == "NotSeated"
    assert (await eve.expect_refusal("DELETE", f"/api/tables/{table}/seats"))["code"] == "NotRunning"
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/seats", {}))["code"] == "NotRunning"
    assert (await eve.expect_refusal("POST", f"/api/tables/{table}/rematch", {}))["code"] == "NotSeated"
    assert (await ann.get(f"/api/tables/{table}"))["version"] == scene["version"]


async def test_who_sits_is_never_taken_from_the_body(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    scene = await ann.get(f"/api/tables/{table}")
    body = {"version": scene["version"], "move": scene["choices"][0]["move"], "seat": 0, "player_id": "x"}
    assert (await bob.expect_refusal("POST", f"/api/tables/{table}/moves", body))["code"] == "BadInput"


async def test_draws_take_backs_resignation_and_rematch(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    path = f"/api/tables/{table}"
    scene = await play(ann, table, await ann.get(path), Random(1))
    assert "offer_takeback" in scene["can"]
    await ann.post(f"{path}/offers", {"what": "takeback"})
    scene = await bob.get(path)
    words = "White asks to take back their last turn."
    assert scene["offer"] == {"what": "takeback", "seat": 0, "words": words}
    assert "answer" in scene["can"]
    scene = await act_and_look(bob, path, "answers", {"accept": True})
    assert scene["step"] == 0
    await bob.post(f"{path}/offers", {"what": "draw"})
    await ann.post(f"{path}/answers", {"accept": False})
    scene = await act_and_look(bob, path, "resign")
    assert scene["result"]["ranking"] == [1, 2]
    assert "rematch" in scene["can"]
    fresh = await bob.post(f"{path}/rematch")
    scene = await ann.get(path)
    assert (scene["rematch"], scene["rematch_by"]) == (fresh["table"], scene["seats"][1]["player"]["id"])
    assert (await ann.post(f"{path}/rematch"))["table"] == fresh["table"]
    again = await ann.get(f"/api/tables/{fresh['table']}")
    assert again["status"] == "running"
    assert again["you"] == [1]


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"preset": "chaos"}, "Chaos Realms"),
        (
            {"preset": "chaos", "options": {"ring": "together"}},
            "Chaos Realms, cards that blank each other in a ring: blank others too",
        ),
    ],
)
async def test_a_preset_is_named_without_what_it_means(ann: Person, wish: dict[str, Any], told: str) -> None:
    seats = {"game": "fantasy_realms", "seats": ["me", "open", "open"], **wish}
    scene = await ann.get(f"/api/tables/{(await ann.post('/api/tables', seats))['table']}")
    assert told in scene["sub"]
    assert "variant" not in scene["sub"]


async def test_who_leaves_a_game_of_several_is_followed_by_a_bot_and_the_last_person_ends_it(
    services: Services,
) -> None:
    async with open_browsers(services, 3) as (ann, bob, cid):
        wish = {"game": "fantasy_realms", "seats": ["me", "open", "open"]}
        table = (await ann.post("/api/tables", wish))["table"]
        path = f"/api/tables/{table}"
        for person in (bob, cid):
            await person.post(f"{path}/seats")
        assert "offer_draw" not in (await cid.get(path))["can"]
        scene = await act_and_look(cid, path, "resign")
        assert (scene["status"], scene["you"]) == ("running", [])
        assert scene["view"]["hand"] is None
        assert [seat["player"]["kind"] for seat in scene["seats"]] == ["guest", "guest", "bot"]
        assert "Amber left the game; a bot takes over." in [news["words"] for news in scene["news"]]
        await bob.post(f"{path}/resign")
        ended = await act_and_look(ann, path, "resign")
        assert ended["result"]["ranking"] == [3, 1, 1]


@pytest.mark.long
async def test_bots_let_people_take_back_and_rematch(ann: Person) -> None:
    table = await ann.open_table(game="classic_realm", seats=["me", "bot:random"])
    path = f"/api/tables/{table}"

    async def bot_has_moved() -> Any:
        scene = await ann.get(path)
        return scene if len(scene["lines"]) == 2 else None

    await play(ann, table, await ann.get(path), Random(1))
    await wait_until(bot_has_moved)
    await ann.post(f"{path}/offers", {"what": "takeback"})

    async def fetch_if_taken_back() -> Any:
        scene = await ann.get(path)
        return scene if scene["step"] == 0 else None

    assert (await wait_until(fetch_if_taken_back))["your_turn"]
    await ann.post(f"{path}/resign")
    fresh = await ann.post(f"{path}/rematch")
    again = f"/api/tables/{fresh['table']}"
    assert (await ann.get(again))["you"] == [0]  # who lost begins


@pytest.mark.parametrize(("loser", "first_seat"), [(0, 0), (1, 1), (None, 1)])
@pytest.mark.parametrize("first_to_ask", [0, 1])
async def test_who_lost_begins_the_rematch_and_after_a_draw_the_seats_change(
    services: Services, loser: int | None, first_seat: int, first_to_ask: int
) -> None:
    async with open_browsers(services, 2) as pair:
        path = f"/api/tables/{await pair[0].open_table(pair[1], game='classic_realm')}"
        if loser is None:
            await pair[0].post(f"{path}/offers", {"what": "draw"})
            await pair[1].post(f"{path}/answers", {"accept": True})
        else:
            await pair[loser].post(f"{path}/resign")
        fresh = await pair[first_to_ask].post(f"{path}/rematch")
        await pair[1 - first_to_ask].post(f"{path}/rematch")
        again = [(await person.get(f"/api/tables/{fresh['table']}"))["you"] for person in pair]
        assert again == ([[0], [1]] if first_seat == 0 else [[1], [0]])


@pytest.mark.long
async def test_a_clock_that_runs_out_ends_the_game_by_itself(
    ann: Person, bob: Person, clock_ahead: list[float]
) -> None:
    table = await ann.open_table(bob, game="classic_realm", clock={"kind": "move", "seconds": 10})
    await ann.play(table)
    await bob.play(table)
    clock_ahead[0] = 9

    async def over() -> Any:
        scene = await bob.get(f"/api/tables/{table}")
        return scene["result"]

    result = await wait_until(over, 10)
    assert result["reason"] == "time"
    assert result["ranking"] == [2, 1]


async def test_a_late_move_is_not_played(ann: Person, bob: Person, clock_ahead: list[float]) -> None:
    table = await ann.open_table(bob, game="classic_realm", clock={"kind": "game", "seconds": 60})
    await ann.play(table)
    await bob.play(table)
    scene = await ann.get(f"/api/tables/{table}")
    clock_ahead[0] = 61
    after = await play(ann, table, scene, Random(1))
    assert after["result"]["reason"] == "time"
    assert after["step"] == scene["step"]


async def test_from_a_position_or_a_record(ann: Person) -> None:
    position = "W:Bh11,Pg10,Eg12S B:Bh2,Pg3 move=W"
    wish = {"game": "realm", "seats": ["me", "me"], "position": position}
    table = (await ann.post("/api/tables", wish))["table"]
    assert (await ann.get(f"/api/tables/{table}/moments/0"))["position"].startswith("W:Pg10")
    text = "Game: classic_realm\n\n1. " + (await ann.get("/api/tables/" + table))["table"]
    bad = {"game": "classic_realm", "seats": ["me", "me"], "record": text}
    assert (await ann.expect_refusal("POST", "/api/tables", bad))["code"] == "BadRecord"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "chess", "seats": ["me", "open"]}, "UnknownGame"),
        ({"game": "realm", "seats": ["me"]}, "BadSetup"),
        ({"game": "realm", "seats": ["me", "you"]}, "BadInput"),
        ({"game": "realm", "seats": ["me", "bot:nobody"]}, "BadInput"),
        ({"game": "realm", "seats": ["me", "open"], "options": {"bases": 99}}, "BadOptions"),
        ({"game": "realm", "seats": ["me", "open"], "preset": "none such"}, "BadOptions"),
        ({"game": "realm", "seats": ["me", "open"], "position": "nonsense"}, "BadPosition"),
        ({"game": "realm", "seats": ["me", "open"], "clock": {"kind": "move"}}, "BadSetup"),
        ({"game": "realm", "seats": ["me", "me"], "rated": True}, "BadSetup"),
        ({"game": "realm", "seats": ["me", "open"], "preset": "original", "position": "x"}, "BadSetup"),
    ],
)
async def test_tables_that_cannot_be_are_refused_with_the_reason(ann: Person, wish: Any, code: str) -> None:
    error = await ann.expect_refusal("POST", "/api/tables", wish)
    assert error["code"] == code
    assert error["message"].endswith(".")


async def test_preview_shows_a_step_and_stores_nothing(ann: Person, bob: Person) -> None:
    table = await ann.open_table(bob, game="classic_realm")
    path = f"/api/tables/{table}"
    scene = await ann.get(path)
    move = scene["choices"][0]["move"]
    shown = await ann.get(f"{path}/preview?move={move}")
    assert shown["picture"].startswith("<svg")
    assert shown["words"]
    assert (await ann.get(path))["version"] == scene["version"]
    assert (await bob.expect_refusal("GET", f"{path}/preview?move={move}"))["code"] == "NotYourTurn"


@pytest.mark.long
async def test_lists_of_open_running_and_own_tables(ann: Person, bob: Person) -> None:
    listed = await ann.open_table(listed=True)
    await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"]})
    assert [entry["table"] for entry in await bob.get("/api/tables?status=open")] == [listed]
    await bob.post(f"/api/tables/{listed}/seats")
    assert await bob.get("/api/tables?status=open") == []
    assert [entry["table"] for entry in await bob.get("/api/tables?status=running&game=realm")] == [listed]
    assert [entry["you"] for entry in await bob.get("/api/tables/mine")] == [[1]]
    assert len(await ann.get("/api/tables/mine")) == 2


async def test_rated_games_move_ratings_once(services: Services, ann: Person, bob: Person) -> None:
    await ann.join("Ann")
    await bob.join("Bob")
    table = await ann.open_table(bob, game="classic_realm", rated=True, clock={"kind": "days", "days": 1})
    await play_turns(ann, bob, table, 6)
    await bob.post(f"/api/tables/{table}/resign")

    async def fetch_if_rated() -> Any:
        seats = (await ann.get(f"/api/tables/{table}"))["seats"]
        return seats if seats[0]["rating"] and seats[0]["rating"]["value"] > seats[1]["rating"]["value"] else None

    seats = await wait_until(fetch_if_rated)
    assert seats[0]["rating"]["provisional"]
    await services.table_service.rate(await services.table_service.table(table))
    assert (await ann.get(f"/api/tables/{table}"))["seats"] == seats


async def test_rules_are_checked_before_a_table_is_opened(ann: Person) -> None:
    checked = await ann.post("/api/games/fantasy_realms/checks", {"seats": 2, "preset": "chaos"})
    assert checked == {
        "seats": [3, 4, 5, 6, 7],
        "fault": {"field": "players", "message": "This game is for 3 to 7 players."},
    }
    record = {"seats": 2, "record": "Game: realm\n\n1. Bh11"}
    assert (await ann.post("/api/games/realm/checks", record))["fault"] is None
    assert (await ann.expect_refusal("POST", "/api/games/none/checks", {"seats": 2}))["code"] == "UnknownGame"


async def test_a_card_says_what_choosing_it_would_do(ann: Person, bob: Person) -> None:
    table = await ann.open_table(game="fantasy_realms", seats=["me"] * 3, listed=True)
    scene = await ann.get(f"/api/tables/{table}")
    await ann.post(f"/api/tables/{table}/moves", {"version": scene["version"], "move": "deck", "key": "a"})
    hand = (await ann.get(f"/api/tables/{table}"))["view"]["hand"]
    address = f"/api/tables/{table}/notes?handle=hand:{hand[0]}"
    note = await ann.get(address)
    assert note["text"].startswith("Your realm without it: ")
    (words,) = note["words"].values()
    assert words.startswith(f"Discard {hand[0]}")
    assert await bob.get(address) == {"text": "", "words": {}}  # a spectator has no choice
    forest = await bob.get("/api/games/fantasy_realms/cards/Forest")
    assert forest["name"] == "Forest"
    assert forest["svg"].startswith("<svg")
    for missing in ("fantasy_realms/cards/Nothing", "realm/cards/Forest"):
        assert (await bob.expect_refusal("GET", f"/api/games/{missing}"))["code"] == "NotFound"


async def test_a_position_explains_what_cannot_be_chosen(ann: Person) -> None:
    start = await ann.post("/api/explore", {"game": "classic_realm"})
    wrong = {"game": "classic_realm", "position": start["position"], "handle": "a1"}
    reason = await ann.post("/api/explore/why", wrong)
    assert reason["sentence"].startswith("a1")
    assert reason["rules"] == f"/rules/classic_realm#{reason['clause']}"
    nothing = await ann.post("/api/explore/why", {**wrong, "handle": "no such place"})
    assert (nothing["clause"], nothing["rules"]) == (None, None)


async def test_what_if_lines_and_moments(ann: Person) -> None:
    start = await ann.post("/api/explore", {"game": "classic_realm"})
    moves = [start["choices"][0]["move"]]
    tried = await ann.post("/api/explore", {"game": "classic_realm", "moves": moves})
    assert tried["acting"] == [1]
    assert tried["text"] == moves[0]
    assert start["prompt"]["text"] == "Move one of your frogs."
    error = await ann.expect_refusal("POST", "/api/explore", {"game": "classic_realm", "moves": [*moves, *moves]})
    assert error["code"] == "IllegalMove"
    table = await ann.open_table(game="classic_realm", seats=["me", "me"])
    rng = Random(5)
    for _ in range(4):
        await play(ann, table, await ann.get(f"/api/tables/{table}"), rng)
    for step in range(5):
        assert (await ann.get(f"/api/tables/{table}/moments/{step}"))["step"] == step
    picture = await ann.send("GET", f"/api/tables/{table}/moments/3.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert (await ann.expect_refusal("GET", f"/api/tables/{table}/moments/5"))["code"] == "NotFound"


@pytest.mark.parametrize(
    ("clock", "told"), [({"kind": "game", "seconds": 300, "increment_s": 3}, "5 min + 3 s"), ({"kind": "none"}, None)]
)
async def test_a_record_has_the_day_and_the_clock(ann: Person, clock: Any, told: str | None) -> None:
    wish = {"game": "classic_realm", "seats": ["me", "open"]}
    path = f"/api/tables/{(await ann.post('/api/tables', wish))['table']}"
    assert "Date: " not in (await ann.send("GET", f"{path}/record")).text  # it has not begun
    wish = {"game": "classic_realm", "seats": ["me", "me"], "clock": clock}
    days = {time.strftime("%Y-%m-%d", time.gmtime())}
    path = f"/api/tables/{(await ann.post('/api/tables', wish))['table']}"
    await play(ann, path.rpartition("/")[2], await ann.get(path), Random(5))
    text = (await ann.send("GET", f"{path}/record")).text
    headers = load_record(text, registry.game).headers
    assert headers.pop("Date") in days | {time.strftime("%Y-%m-%d", time.gmtime())}
    assert headers.pop("Clock", None) == told
    older = load_record(re.sub(r"(?m)^(Date|Clock): .*\n", "", text), registry.game)
    assert older.headers == headers
    kept = await ann.post("/api/records", {"text": text})
    assert (await ann.send("GET", f"/api/records/{kept['record']}/record")).text == text


async def test_records_are_kept_and_looked_at(ann: Person, bob: Person) -> None:
    table = await ann.open_table(game="classic_realm", seats=["me", "me"])
    for _ in range(4):
        await play(ann, table, await ann.get(f"/api/tables/{table}"), Random(5))
    text = (await ann.send("GET", f"/api/tables/{table}/record")).text
    kept = await bob.post("/api/records", {"text": text})
    replay = await ann.get(f"/api/records/{kept['record']}")
    assert replay["steps"] == 4
    assert (await ann.get(f"/api/records/{kept['record']}/moments/2"))["step"] == 2
    assert (await ann.send("GET", f"/api/records/{kept['record']}/record")).text == text
    assert (await ann.expect_refusal("GET", "/api/records/none"))["code"] == "NotFound"
    assert (await bob.expect_refusal("POST", "/api/records", {"text": "Game: realm\n\n1. zz"}))["code"] == "BadRecord"


async def test_a_table_that_is_not_there(ann: Person) -> None:
    for path in ("", "/record", "/fairness", "/moments/1", "/preview?move=a", "/events"):
        assert (await ann.expect_refusal("GET", f"/api/tables/none{path}"))["code"] == "NotFound"


async def test_a_newcomer_becomes_known_before_sitting_down(ann: Person) -> None:
    me = await ann.request_json("POST", "/api/me")
    assert me["kind"] == "guest"
    assert (await ann.request_json("POST", "/api/me"))["id"] == me["id"]


async def test_refusals_are_counted_by_their_code(services: Services, ann: Person) -> None:
    assert (await ann.expect_refusal("GET", "/api/tables/none"))["code"] == "NotFound"
    count = services.metrics.registry.get_sample_value("realmtable_refusals_total", {"code": "NotFound"})
    assert count == 1
