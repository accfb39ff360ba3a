"""Ratings: each game counts once, for all players together, and ratings show their uncertainty."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from sqlalchemy import insert, select, update

from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.ratings import (
    DAY_S,
    display_rating,
    exhausted_pairs,
    leaders,
    list_uncounted_tables,
    mark_not_counted,
    rate,
    rating_history,
    ratings_by_game,
    ratings_of,
)
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from tests.server.support.accounts_app import FAST_HASHER, PASSWORD

pytestmark = pytest.mark.anyio


async def people(database: Database, count: int) -> list[Player]:
    accounts = Accounts(database, hasher=FAST_HASHER)
    guests = [(await accounts.create_guest())[0] for _ in range(count)]
    return [(await accounts.claim(guest, f"Member {number}", PASSWORD))[0] for number, guest in enumerate(guests)]


async def table(database: Database, table_id: str, player: Player, status: str = "over", *, rated: bool = True) -> str:
    row = {
        "id": table_id,
        "game": "realm",
        "rules_version": 1,
        "setup": {"rated": rated},
        "seed": "seed",
        "created_by": player.id,
        "created_at": 0.0,
        "status": status,
        "version": 1,
        "acting": [],
        "bot_due": False,
        "turn": 1,
        "listed": True,
        "updated_at": 0.0,
    }
    async with database.writing() as connection:
        await connection.execute(insert(schema.tables).values(row))
    return table_id


async def test_the_winner_rises_and_the_loser_falls_by_the_same(database: Database) -> None:
    one, two = await people(database, 2)
    changes = await rate(database, await table(database, "t1", one), "realm", [2, 1], [one.id, two.id], 5.0)
    assert changes
    assert changes[one.id]["before"] == changes[two.id]["before"] == display_rating(25.0, 25 / 3, 0)
    found = await ratings_of(database, [one.id, two.id], "realm")
    assert found == {player_id: change["after"] for player_id, change in changes.items()}
    assert found[one.id]["value"] < 1500 < found[two.id]["value"]
    assert found[one.id]["value"] + found[two.id]["value"] == 3000
    assert found[one.id]["plus_minus"] < 667
    assert found[one.id]["games"] == 1
    assert await ratings_of(database, [one.id], "classic_realm") == {}


async def test_a_failure_halfway_counts_nothing(database: Database) -> None:
    one, two = await people(database, 2)
    with pytest.raises(Exception, match=r".*"):
        await rate(database, "no such table", "realm", [1, 2], [one.id, two.id], 5.0)
    await table(database, "t1", one)
    with pytest.raises(Exception, match=r".*"):
        await rate(database, "t1", "realm", [1, 2], [one.id, "nobody"], 5.0)
    assert await ratings_of(database, [one.id, two.id], "realm") == {}
    assert await rate(database, "t1", "realm", [1, 2], [one.id, two.id], 5.0)


async def test_ties_and_many_seats_count(database: Database) -> None:
    players = await people(database, 4)
    ids = [player.id for player in players]
    await rate(database, await table(database, "t1", players[0]), "realm", [1, 2, 2, 4], ids, 5.0)
    found = await ratings_of(database, ids, "realm")
    values = [found[player_id]["value"] for player_id in ids]
    assert values[0] > values[1] == values[2] > values[3]


async def test_nobody_is_rated_alone_or_against_themselves(database: Database) -> None:
    (one,) = await people(database, 1)
    await table(database, "t1", one)
    assert await rate(database, "t1", "realm", [1, 2], [one.id, one.id], 5.0) == {}
    assert await rate(database, "t1", "realm", [1], [one.id], 5.0) == {}
    assert await ratings_of(database, [one.id], "realm") == {}
    with pytest.raises(ValueError, match="rank"):
        await rate(database, "t1", "realm", [1, 2, 3], [one.id], 5.0)


@pytest.mark.long
async def test_about_twenty_games_end_the_provisional_time(database: Database) -> None:
    one, two = await people(database, 2)
    for number in range(20):
        ranking = [1, 2] if number % 2 else [2, 1]
        await rate(
            database, await table(database, f"t{number}", one), "realm", ranking, [one.id, two.id], number * DAY_S
        )
        if number < 10:
            assert (await ratings_of(database, [one.id], "realm"))[one.id]["provisional"]
    assert not (await ratings_of(database, [one.id], "realm"))[one.id]["provisional"]


async def test_three_games_of_two_players_a_day_count(database: Database) -> None:
    one, two, three, bot = [*await people(database, 3), await Accounts(database).bot_player("Greedy")]
    noon = 1000.5 * DAY_S

    async def play(name: str, *players: Player, game: str = "realm", at: float = noon) -> bool:
        ids = [player.id for player in players]
        ranking = [*range(1, len(ids) + 1)]
        return bool(await rate(database, await table(database, name, one), game, ranking, ids, at))

    assert [await play("t1", one, two), await play("t2", two, one, game="classic_realm")] == [True] * 2
    assert await exhausted_pairs(database, [one.id, two.id, three.id], noon) == set()
    assert await play("t3", one, two, three), "of each pair it is at most the third"
    assert await exhausted_pairs(database, [one.id, two.id, three.id], noon) == {frozenset({one.id, two.id})}
    assert not await play("t4", one, two)
    assert not await play("t5", one, two, game="dice_duel")
    assert not await play("t6", one, three, two)
    assert set(await list_uncounted_tables(database)) == {"t4", "t5", "t6"}, "the caller marks them"
    assert [await play(f"b{number}", one, bot) for number in range(4)] == [True, True, True, False]
    assert await play("t7", three, two), "others are not concerned"
    assert not await play("t8", one, two, at=1001 * DAY_S - 1)
    assert await play("t9", one, two, at=1001.0 * DAY_S), "a new day in UTC"
    assert await exhausted_pairs(database, [one.id, two.id], 1001 * DAY_S) == set()
    assert (await ratings_of(database, [one.id], "realm"))[one.id]["games"] == 6


async def put_ratings(database: Database, rows: list[tuple[Player, float, float]]) -> None:
    """Ratings as many games would make them."""
    values = [
        {"player_id": player.id, "game": "realm", "mu": mu, "sigma": sigma, "games": 30, "updated_at": 0.0}
        for player, mu, sigma in rows
    ]
    async with database.writing() as connection:
        await connection.execute(insert(schema.ratings).values(values))


async def put_meetings(database: Database, meetings: list[tuple[Player, Player]]) -> None:
    values = [
        {"player_id": one.id, "game": "realm", "opponent_id": other.id}
        for pair in meetings
        for one, other in (pair, pair[::-1])
    ]
    async with database.writing() as connection:
        await connection.execute(insert(schema.rated_opponents).values(values))


async def test_leaders_are_members_and_bots_by_the_low_end(database: Database) -> None:
    accounts = Accounts(database, hasher=FAST_HASHER)
    guest, _ = await accounts.create_guest()
    bot = await accounts.bot_player("Greedy")
    lucky, steady, third = await people(database, 3)
    known = [bot, lucky, steady, third, guest]
    await put_ratings(database, [(guest, 50, 1), (bot, 28, 1), (lucky, 35, 4.9), (steady, 30, 1), (third, 20, 1)])
    await put_meetings(database, list(combinations(known, 2)))
    found = await leaders(database, "realm", 10)
    assert [player_id for player_id, _ in found] == [steady.id, bot.id, lucky.id, third.id]
    assert found[0][1] == display_rating(30.0, 1.0, 30)
    assert len(await leaders(database, "realm", 2)) == 2
    assert await leaders(database, "classic_realm", 10) == []
    assert await ratings_by_game(database, guest.id) == {"realm": display_rating(50.0, 1.0, 30)}


async def test_nobody_is_listed_on_a_few_games_or_few_opponents(database: Database) -> None:
    lucky, lonely, one, two, three = await people(database, 5)
    others = [one, two, three]
    await put_ratings(database, [(lucky, 60, 5.1), (lonely, 60, 1), *((other, 25, 1) for other in others)])
    await put_meetings(database, [*combinations(others, 2), *((lucky, other) for other in others), (lonely, one)])
    await put_meetings(database, [(lonely, two)])
    # the three have met each other, which makes two, and one or two of them somebody more who is known
    assert [player_id for player_id, _ in await leaders(database, "realm")] == sorted([one.id, two.id])
    assert display_rating(60, 5.1, 30)["provisional"]
    assert not display_rating(60, 5.0, 30)["provisional"]


@pytest.mark.long
async def test_points_taken_from_fresh_accounts_list_nobody(database: Database) -> None:
    """Twenty-five who play one game each, and lose it, made somebody first."""
    cheat, *fresh = await people(database, 26)
    for number, victim in enumerate(fresh):
        await rate(
            database, await table(database, f"t{number}", cheat), "realm", [1, 2], [cheat.id, victim.id], float(number)
        )
    async with database.writing() as connection:  # as if there had been some more
        mine = schema.ratings.c.player_id == cheat.id
        await connection.execute(update(schema.ratings).where(mine).values(sigma=1.0))
    assert not (await ratings_of(database, [cheat.id], "realm"))[cheat.id]["provisional"]
    assert await leaders(database, "realm") == []


async def test_whom_somebody_has_met_is_kept_once(database: Database) -> None:
    one, two, three = await people(database, 3)
    for number in range(2):
        table_id = await table(database, f"t{number}", one)
        await rate(database, table_id, "realm", [1, 2, 3], [one.id, two.id, three.id], 1.0)
    async with database.reading() as connection:
        rows = (await connection.execute(select(schema.rated_opponents))).all()
    assert {(row.player_id, row.opponent_id) for row in rows} == set(permutations([one.id, two.id, three.id], 2))


async def test_a_game_that_does_not_count_is_looked_at_once(database: Database) -> None:
    one, two = await people(database, 2)
    await table(database, "t1", one)
    await mark_not_counted(database, "t1", 1.0)
    await mark_not_counted(database, "t1", 2.0)
    assert await list_uncounted_tables(database) == []
    assert await rate(database, "t1", "realm", [1, 2], [one.id, two.id], 5.0) == {}


async def test_what_a_crash_left_uncounted_is_found(database: Database) -> None:
    one, two = await people(database, 2)
    await table(database, "casual", one, rated=False)
    await table(database, "running", one, "running")
    await table(database, "counted", one)
    await table(database, "forgotten", one)
    await rate(database, "counted", "realm", [1, 2], [one.id, two.id], 5.0)
    assert await list_uncounted_tables(database) == ["forgotten"]
    async with database.writing() as connection:
        await connection.execute(update(schema.tables).values(status="over"))
    assert set(await list_uncounted_tables(database)) == {"forgotten", "running"}
    async with database.reading() as connection:
        assert len((await connection.execute(select(schema.rated_tables))).all()) == 1


async def test_every_rated_game_adds_to_the_history_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await people(database, 2)
    for number in range(4):
        await table(database, f"t{number}", ann)
        for _ in range(2):
            await rate(database, f"t{number}", "realm", [1, 2], [ann.id, bob.id], number * DAY_S)
    history = await rating_history(database, ann.id, "realm")
    assert [point.at for point in history] == [0.0, DAY_S, 2 * DAY_S, 3 * DAY_S]
    shown = (await ratings_of(database, [ann.id], "realm"))[ann.id]
    assert (history[-1].value, history[-1].plus_minus) == (shown["value"], shown["plus_minus"])
    assert [point.value for point in history] == sorted(point.value for point in history)
    assert len(await rating_history(database, bob.id, "realm")) == 4
    assert await rating_history(database, bob.id, "classic_realm") == []
    monkeypatch.setattr("realmtable.server.accounts.ratings.MAX_HISTORY", 2)
    assert [point.at for point in await rating_history(database, ann.id, "realm")] == [2 * DAY_S, 3 * DAY_S]
