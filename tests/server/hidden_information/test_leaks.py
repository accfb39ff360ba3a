"""Only what a viewer may know leaves the server: the tests read every byte sent during whole games.

A game is played twice in worlds that differ in nothing but what is hidden: all that a watcher received until the
secrets were shown must be the same to the byte. Whatever must never leave at all (the seed, sessions, passwords) is
looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import select

from realmtable.server.request_bounds import list_routes
from realmtable.server.storage import schema
from tests.server.support.leak_watchers import (
    OTHER_PATHS,
    PASSWORD,
    RARE_PATHS,
    READ_PATHS,
    SEED,
    GameScript,
    WatchedGame,
    Watcher,
    play_watched,
)
from tests.server.support.live_server import SocketTap, make_app, make_settings
from tests.server.support.table_harness import register_toys
from tests.toys import add_games
from tests.toys.hex_map import HexMap

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    add_games(monkeypatch, HexMap(fog=True))


def check_same(evenings: Sequence[WatchedGame], name: str) -> None:
    """All that a watcher received is the same in both evenings, to the byte."""
    first, second = evenings
    here, there = (played.watchers[name].received for played in (first, second))
    assert [what for what, *_ in here] == [what for what, *_ in there]
    for one, other in zip(here, there, strict=True):
        assert one == other, f"{name}: {one[0]}"
    streams = [[tap.received for tap in played.streams.get(name, [])] for played in (first, second)]
    assert streams[0] == streams[1], f"the streams of {name}"


# Ann is dealt three cards, then Bob; where cards are dealt later, each gets one after the first round.
HANDS = [
    # Bob's cards are the same, Ann's are not, but for the one that all see after the first round.
    pytest.param(
        GameScript("123456", ((0, "1"), (1, "4"), (0, "2"))),
        GameScript("516456", ((0, "1"), (1, "4"), (0, "5"))),
        id="hand",
    ),
    # The same hands, another commitment.
    pytest.param(GameScript("123456", ((0, "1"),)), GameScript("123456", ((0, "3"),)), id="commitment"),
    # A pair or none, and other cards later.
    pytest.param(
        GameScript("33412615", ((0, "3"), (1, "2"), (0, "4")), options=(("refill", True),)),
        GameScript("31612625", ((0, "3"), (1, "2"), (0, "6")), options=(("refill", True),)),
        id="refill",
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("one", "other"), HANDS)
async def test_nobody_receives_a_byte_that_depends_on_a_hidden_card(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, one: GameScript, other: GameScript
) -> None:
    evenings = []
    for number, world in enumerate((one, other)):
        async with play_watched(monkeypatch, tmp_path / str(number), world) as played:
            for seat, move in world.plays:
                await _meddle(played)
                await played.play(seat, move)
                if seat == 0:
                    await played.read_everything()
            await _meddle(played)
            evenings.append(played)
    for name in ("opponent", "spectator", "nobody"):
        check_same(evenings, name)


async def _meddle(played: WatchedGame) -> None:
    """Send moves that must be refused: others' cards, several at once, too early, nonsense."""
    scene = await played.scene(1)
    waiting = 1 not in scene["acting"]
    cards = [card for card in "123456" if waiting or card not in scene["view"]["hand"]]
    several = [*(f"{card},x" for card in "123456"), "1,2", "6,6,6", "7"]
    for name, texts in (("opponent", [*cards, *several]), ("spectator", ["1", "5", *several[:3]]), ("nobody", ["5"])):
        await played.watchers[name].try_moves(played.table, scene["version"], texts)
        await try_on_socket(played, name, scene["version"], texts)
    await played.watchers["opponent"].try_moves(played.table, 1, ["1", "1,2"])
    answer = await played.watchers["spectator"].read("POST", f"/api/tables/{played.table}/chat", {"text": "And you?"})
    assert answer.is_client_error, "who sees one hand must not tell another"


async def try_on_socket(played: WatchedGame, name: str, version: int, texts: Sequence[str]) -> None:
    [tap] = [each for each in played.streams[name] if isinstance(each, SocketTap)]
    for index, text in enumerate(texts):
        key = f"{version}-{index}"
        assert "refused" in await tap.ask({"do": "move", "key": key, "version": version, "move": text}), text


@pytest.mark.long
async def test_a_watcher_does_not_receive_any_hand_of_three(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Viewers without cards must not see any hand."""
    worlds = [
        GameScript("123456135", ((0, "1"), (2, "3"))),
        GameScript("355126246", ((0, "3"), (2, "6"))),
    ]
    evenings = []
    for number, world in enumerate(worlds):
        async with play_watched(monkeypatch, tmp_path / str(number), world, seats=3) as played:
            for seat, move in world.plays:
                await played.play(seat, move)
            await played.read_everything()
            evenings.append(played)
    for name in ("spectator", "nobody"):
        check_same(evenings, name)


@pytest.mark.long
async def test_nobody_receives_a_byte_of_the_land_that_another_player_has_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A layer of the picture shows what its viewer has found, and its key depends on nothing else."""
    worlds = [GameScript(draws, ((0, "A2"), (1, "D4"), (0, "A3")), "fog_map") for draws in ("152", "654")]
    evenings, owned = [], []
    for number, world in enumerate(worlds):
        async with play_watched(monkeypatch, tmp_path / str(number), world) as played:
            for seat, move in world.plays:
                await played.play(seat, move)
                await played.read_everything()
            scene = await played.players[0].get(f"/api/tables/{played.table}?pictures=true")
            owned.append(scene["layers"][0]["key"])
            for watcher in played.watchers.values():  # what Ann sees, and could have seen
                for key in ("1" * 32, owned[0]):
                    answer = await watcher.read("GET", f"/api/tables/{played.table}/layers/{key}.svg")
                    assert answer.status_code == 404
            evenings.append(played)
    assert owned[0] != owned[1]
    for name in ("opponent", "spectator", "nobody"):
        check_same(evenings, name)


PANEL_PATHS = (
    "/api/tables/{table}?pictures=true",
    "/api/tables/{table}/why?handle={handle}",
    "/api/tables/{table}/moments/{step}",
    "/tables/{table}",
    "/tables/{table}/replay",
)


@pytest.mark.long
async def test_panels_prompts_and_reasons_do_not_show_what_a_player_has_packed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ann packs another ware in each evening; nobody else receives a byte that depends on it."""
    plays = ((0, "walk:A"), (0, "sell:a"), (1, "pack:d"), (1, "walk:B"), (1, "sell:d"))
    worlds = [
        GameScript("", ((0, "pack:a"), *plays, (0, f"pack:{ware}"), (0, "walk:C")), "market_day") for ware in ("b", "n")
    ]
    evenings = []
    for number, world in enumerate(worlds):
        async with play_watched(monkeypatch, tmp_path / str(number), world) as played:
            for seat, move in world.plays:
                await played.play(seat, move)
                if (seat, move) in (*plays[2:4], *world.plays[-2:]):
                    await played.read_everything(PANEL_PATHS, tries=())
            evenings.append(played)
    for name in ("opponent", "spectator", "nobody"):
        check_same(evenings, name)


@pytest.mark.long
async def test_dice_do_not_show_before_they_are_thrown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worlds = [GameScript(f"36{later}", ((0, "roll"), (0, "roll")), "dice_duel") for later in ("24", "65")]
    evenings = []
    for number, world in enumerate(worlds):
        async with play_watched(monkeypatch, tmp_path / str(number), world) as played:
            for seat, move in world.plays:
                await played.play(seat, move)
                await played.watchers["opponent"].try_moves(played.table, 9, ["roll", "hold", "1", "roll,roll"])
            mover = played.watchers["mover"] = Watcher("mover", played.players[0])
            version = (await played.scene())["version"]
            await mover.try_moves(played.table, version, ["roll,hold", "roll,roll", "roll,x", "2", "roll,2"])
            for text in ("roll", "hold", "roll,hold", "roll,roll,hold"):
                await mover.read("GET", f"/api/tables/{played.table}/preview?move={text}")
            await played.read_everything()
            evenings.append(played)
    for name in ("mover", "opponent", "spectator", "nobody"):
        check_same(evenings, name)


@pytest.mark.long
async def test_the_tests_above_would_notice_a_hand_that_shows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Once a card is shown, the games differ, and the comparison notices."""
    evenings = []
    for number, draws in enumerate(("123456", "523456")):
        world = GameScript(draws, ((0, draws[0]), (1, "4")))
        async with play_watched(monkeypatch, tmp_path / str(number), world) as played:
            for seat, move in world.plays:
                await played.play(seat, move)
            await played.read_everything()
            evenings.append(played)
    for name in ("opponent", "spectator", "nobody"):
        with pytest.raises(AssertionError):
            check_same(evenings, name)


WHOLE = [
    pytest.param(GameScript("123456", ((0, "1"), (1, "4"), (1, "5"), (0, "3"))), marks=pytest.mark.long),
    pytest.param(
        GameScript(
            "3345" * 20, tuple((seat % 2, move) for seat in range(20) for move in ("roll", "hold")), "dice_duel"
        ),
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.parametrize("world", WHOLE, ids=lambda world: world.game)
async def test_secrets_stay_in_the_house_over_a_whole_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, world: GameScript
) -> None:
    async with play_watched(monkeypatch, tmp_path / "whole", world) as played:
        kept = await _collect_secrets(played)
        for number, (seat, move) in enumerate(world.plays):
            if number % 9 == 0:
                await played.read_everything()
            assert SEED.encode() not in played.all_bytes(), "the seed stays secret while the game runs"
            if (await played.play(seat, move))["status"] == "over":
                break
        await played.read_everything()
        assert SEED.encode() in played.all_bytes(), "the seed is told when the game is over"
    received = played.all_bytes()
    for secret in kept:
        assert secret.encode() not in received


async def _collect_secrets(played: WatchedGame) -> list[str]:
    """Return the stored hashes, and the session and CSRF tokens of everyone."""
    async with played.services.database.reading() as connection:
        hashes = [
            *(await connection.execute(select(schema.players.c.password_hash))).scalars(),
            *(await connection.execute(select(schema.sessions.c.token_hash))).scalars(),
            *(await connection.execute(select(schema.tokens.c.token_hash))).scalars(),
        ]
    people = [*played.players, *(watcher.person for watcher in played.watchers.values())]
    sessions = [str(cookie.value) for person in people for cookie in person.client.cookies.jar]
    csrf = played.players[0].csrf
    found = [PASSWORD, csrf, *sessions, *(kept for kept in hashes if kept)]
    assert len(found) >= 2 + 3 + 4, found
    assert all(len(secret) > 12 for secret in found)
    return found


async def test_every_route_that_can_be_read_is_read(tmp_path: Path) -> None:
    app = make_app(make_settings(tmp_path))
    templates_read = {_template(path) for path in (*READ_PATHS, *RARE_PATHS)}
    routes = {route.path for route in list_routes(app) if "GET" in (route.methods or ())}
    assert len(routes) > 40
    assert templates_read | OTHER_PATHS >= routes, routes - templates_read - OTHER_PATHS


def _template(path: str) -> str:
    plain = path.partition("?")[0]
    return plain.replace("{table}", "{table_id}").replace("{player}", "{player_id}")
