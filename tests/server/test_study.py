"""Analyses of finished games: once for everybody, with progress, taken up after a restart, never in a rated game."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.record import load
from realmtable.search.analysis import ENGINE, Analysis
from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.app import create_app
from realmtable.server.services import Realm
from realmtable.server.settings import Settings
from realmtable.server.storage.analyses import AnalysisRow, Wish
from realmtable.server.study import analyses
from realmtable.server.study.analysis_order import AnalysisOrder
from tests.search.glance import blink
from tests.server.serving import WAIT_S, Person, until
from tests.server.studying import RECORDS, analysed, finished, glancing, people, rated_table_of, table_of
from tests.server.tabling import with_toys

pytestmark = pytest.mark.anyio
SHORT = (RECORDS / "realm/records/option-power-sacrifice.record").read_text(encoding="utf-8")


async def test_a_finished_game_is_analysed_once_for_everybody(realm: Realm) -> None:
    engine = glancing(realm)
    async with people(realm, 2) as (ann, eve):
        table = await finished(ann)
        before = await eve.get(f"/api/tables/{table}/analysis")
        assert (before["status"], before["can_ask"], before["analysis"]) == ("none", True, None)
        asked = await eve.post(f"/api/tables/{table}/analysis")
        assert asked["status"] in {"waiting", "running"}
        await ann.post(f"/api/tables/{table}/analysis")
        done = await analysed(ann, f"tables/{table}")
        assert (done["status"], done["can_ask"], done["done"], done["total"]) == ("done", False, 2, 2)
        assert await eve.get(f"/api/tables/{table}/analysis") == done
        text = (await ann.send("GET", f"/api/tables/{table}/record")).text
        turns = load(text, registry.game).turns
        assert [turn["text"] for turn in done["analysis"]["turns"]] == [turn.text for turn in turns]
        thoughts = len(engine.asked)
        assert (await ann.post(f"/api/tables/{table}/analysis")) == done
        assert len(engine.asked) == thoughts


async def test_turning_points_are_those_of_the_analysis(realm: Realm) -> None:
    glancing(realm)
    async with people(realm, 1) as (ann,):
        table = await finished(ann, turns=4)
        await ann.post(f"/api/tables/{table}/analysis")
        done = await analysed(ann, f"tables/{table}")
        found = Analysis.from_dict(done["analysis"])
        assert done["turning_points"] == [list(turn.steps) for turn in found.turning_points()]


async def test_an_imported_record_is_analysed(realm: Realm) -> None:
    glancing(realm)
    async with people(realm, 2) as (ann, eve):
        record = (await ann.post("/api/records", {"text": SHORT}))["record"]
        assert (await eve.get(f"/api/records/{record}/analysis"))["can_ask"]
        await eve.post(f"/api/records/{record}/analysis")
        done = await analysed(ann, f"records/{record}")
        assert done["analysis"]["engine"] == ENGINE
        assert len(done["analysis"]["turns"]) == len(load(SHORT, registry.game).turns)


async def test_progress_is_told_while_it_works(realm: Realm) -> None:
    engine = glancing(realm)
    engine.open.clear()
    async with people(realm, 1) as (ann,):
        table, later = await finished(ann), await finished(ann)
        await ann.post(f"/api/tables/{table}/analysis")
        await ann.post(f"/api/tables/{later}/analysis")

        async def working() -> bool:
            answer = await ann.get(f"/api/tables/{table}/analysis")
            return bool(answer["status"] == "running" and answer["total"] == 2)

        await until(working)
        waiting = await ann.get(f"/api/tables/{later}/analysis")
        assert (waiting["status"], waiting["ahead"]) == ("waiting", 1)
        engine.open.set()
        assert (await analysed(ann, f"tables/{later}"))["status"] == "done"


async def test_many_analyses_of_one_person_let_anothers_go_next_after_the_one_under_way(realm: Realm) -> None:
    engine, made = glancing(realm), list[str]()
    engine.open.clear()
    finish = realm.analysts._finish

    async def noted(row: AnalysisRow) -> None:
        made.append(row.asked_by)
        await finish(row)

    realm.analysts._finish = noted  # type: ignore[method-assign]
    async with people(realm, 2) as (ann, bob):
        games = [await finished(ann) for _ in range(6)]
        own, later = await finished(bob), await finished(bob)
        for table in games:
            await ann.post(f"/api/tables/{table}/analysis")
        async with asyncio.timeout(WAIT_S):
            while not engine.asked:  # noqa: ASYNC110 - until the first is under way
                await asyncio.sleep(0.01)
        assert (await bob.post(f"/api/tables/{own}/analysis"))["ahead"] == 1
        assert (await bob.post(f"/api/tables/{later}/analysis"))["ahead"] == 3
        assert (await ann.get(f"/api/tables/{games[-1]}/analysis"))["ahead"] == 7
        engine.open.set()
        await analysed(ann, f"tables/{games[-1]}")
        names = {(await person.get("/api/me"))["player"]["id"]: name for person, name in ((ann, "a"), (bob, "b"))}
        assert "".join(names[asker] for asker in made)[:2] == "ab"
        assert len(made) == 8


def test_analyses_take_turns_by_address_and_then_by_person() -> None:
    addresses = LatestAddresses()
    for guest in ("g1", "g2", "g3"):
        addresses.note(guest, "1.1.1.1")
    addresses.note("bob", "2.2.2.2")
    order = AnalysisOrder(addresses)
    wishes = [Wish(f"{guest} {number}", guest) for number in range(2) for guest in ("g1", "g2", "g3")]
    made = []
    for turn in range(9):
        if turn == 1:  # while the first is under way
            wishes += [Wish(f"bob {number}", "bob") for number in range(3)]
            assert order.place_of("bob 0", wishes) == 0
            assert order.place_of("g1 1", wishes) == 5
        asker = order.next_asker(wishes)
        assert asker is not None
        made.append(asker)
        wishes.remove(next(wish for wish in wishes if wish.asked_by == asker))
        order.start(asker)
        order.end(60.0)
    assert made == ["g1", "bob", "g2", "bob", "g3", "bob", "g1", "g2", "g3"]
    assert order.next_asker([]) is None
    assert order.place_of("nowhere", []) == 0


async def test_an_analysis_waits_until_the_engine_is_as_strong_as_it_will_be(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = glancing(realm)
    warming = {"realm"}
    monkeypatch.setattr(realm.thinkers, "is_warming", warming.__contains__)
    monkeypatch.setattr(analyses, "RETRY_S", 0.01)
    async with people(realm, 1) as (ann,):
        table = await finished(ann)
        await ann.post(f"/api/tables/{table}/analysis")

        async def waits() -> bool:
            answer = await ann.get(f"/api/tables/{table}/analysis")
            return bool(answer["message"] == analyses.WARMING and answer["status"] == "running")

        await until(waits)
        await asyncio.sleep(0.05)
        assert not engine.asked
        warming.clear()
        done = await analysed(ann, f"tables/{table}")
        assert (done["status"], done["message"]) == ("done", "")


async def test_a_running_game_is_not_analysed(realm: Realm) -> None:
    engine = glancing(realm)
    async with people(realm, 1) as (ann,):
        table = await table_of(ann)
        assert not (await ann.get(f"/api/tables/{table}/analysis"))["can_ask"]
        refusal = await ann.refused("POST", f"/api/tables/{table}/analysis", {})
        assert refusal == {"code": "NotAllowed", "message": "A game can be analysed when it is over."}
        assert not engine.asked


async def test_who_plays_a_rated_game_gets_no_help_with_that_game(realm: Realm) -> None:
    engine = glancing(realm, blink)
    async with people(realm, 3) as (ann, bob, eve):
        over = await finished(ann)
        rated = await rated_table_of(ann, bob)
        record = (await ann.post("/api/records", {"text": SHORT}))["record"]
        free = await table_of(ann)
        wishes: tuple[tuple[str, dict[str, str]], ...] = (
            (f"/api/tables/{over}/analysis", {}),
            (f"/api/records/{record}/analysis", {}),
            (f"/api/tables/{free}/hints", {}),
            ("/api/think", {"game": "realm"}),
        )
        for path, body in wishes:
            refusal = await ann.refused("POST", path, body)
            assert refusal["code"] == "NotAllowed"
            assert "rated game of Realm" in refusal["message"]
        assert not engine.asked
        assert (await ann.post("/api/think", {"game": "medieval_realm"}))["lines"]
        refusal = await eve.refused("POST", "/api/think", {"game": "realm"})  # whom nobody can tell from Ann
        assert refusal["message"].startswith("Somebody at your address is playing a rated game of Realm")
        away = httpx.ASGITransport(realm.app, client=("203.0.113.9", 1))  # type: ignore[attr-defined]
        async with httpx.AsyncClient(transport=away, base_url=realm.settings.public_url) as client:
            assert (await Person(client).post("/api/think", {"game": "realm"}))["lines"]
        await bob.post(f"/api/tables/{rated}/resign")
        assert (await ann.post("/api/think", {"game": "realm"}))["lines"]


async def test_games_with_dice_or_secrets_are_refused(realm: Realm, monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)
    async with people(realm, 1) as (ann,):
        for game in ("dice_duel", "secret_cards"):
            table = (await ann.post("/api/tables", {"game": game, "seats": ["me", "me"]}))["table"]
            await ann.post(f"/api/tables/{table}/resign")
            assert not (await ann.get(f"/api/tables/{table}/analysis"))["can_ask"]
            for path, body in ((f"/api/tables/{table}/analysis", {}), ("/api/think", {"game": game})):
                refusal = await ann.refused("POST", path, body)
                assert refusal["code"] == "BadInput"
                assert "without secrets and dice" in refusal["message"]


async def test_what_is_not_there_is_not_found(realm: Realm) -> None:
    async with people(realm, 1) as (ann,):
        for path in ("/api/tables/nowhere/analysis", "/api/records/nowhere/analysis"):
            for method in ("GET", "POST"):
                refusal = await ann.refused(method, path, {} if method == "POST" else None)
                assert refusal["code"] == "NotFound"
        empty = await table_of(ann)
        await ann.post(f"/api/tables/{empty}/resign")
        assert not (await ann.get(f"/api/tables/{empty}/analysis"))["can_ask"]
        assert (await ann.refused("POST", f"/api/tables/{empty}/analysis", {}))["code"] == "BadInput"


async def test_a_failure_is_told_and_can_be_tried_again(realm: Realm) -> None:
    engine = glancing(realm)
    engine.fails = [TimeoutError(), TimeoutError()]
    async with people(realm, 1) as (ann,):
        table = await finished(ann)
        await ann.post(f"/api/tables/{table}/analysis")
        failed = await analysed(ann, f"tables/{table}")
        assert (failed["status"], failed["can_ask"]) == ("failed", True)
        assert failed["message"] == "The engine could not think about this; try again in a moment."
        await ann.post(f"/api/tables/{table}/analysis")
        assert (await analysed(ann, f"tables/{table}"))["status"] == "done"


@pytest.mark.filterwarnings("ignore")
async def test_a_fault_of_ours_stops_one_analysis_and_no_other(realm: Realm) -> None:
    engine = glancing(realm)
    engine.fails = [ZeroDivisionError()]
    async with people(realm, 1) as (ann,):
        broken, sound = await finished(ann), await finished(ann)
        await ann.post(f"/api/tables/{broken}/analysis")
        assert (await analysed(ann, f"tables/{broken}"))["message"] == analyses.BROKEN
        await ann.post(f"/api/tables/{sound}/analysis")
        assert (await analysed(ann, f"tables/{sound}"))["status"] == "done"


async def test_a_restart_takes_up_what_was_not_done(settings: Settings) -> None:
    first = create_app(settings)
    async with first.router.lifespan_context(first):
        realm = first.state.realm
        realm.app = first
        engine = glancing(realm)
        engine.open.clear()
        async with people(realm, 1) as (ann,):
            table = await finished(ann)
            await ann.post(f"/api/tables/{table}/analysis")

            async def begun() -> bool:
                return bool(engine.asked)

            await until(begun)
    second = create_app(settings)
    async with second.router.lifespan_context(second):
        realm = second.state.realm
        realm.app = second
        glancing(realm)
        async with people(realm, 1) as (eve,):
            assert (await analysed(eve, f"tables/{table}"))["status"] == "done"


async def test_work_of_a_process_that_died_is_taken_up(realm: Realm, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = glancing(realm)
    engine.open.clear()
    async with people(realm, 1) as (ann,):
        table = await finished(ann)
        await ann.post(f"/api/tables/{table}/analysis")

        async def begun() -> bool:
            return bool(engine.asked)

        await until(begun)
        assert realm.analysts._working is not None
        realm.analysts._working.cancel()
        await asyncio.gather(realm.analysts._working, return_exceptions=True)
        engine.open.set()
        monkeypatch.setattr(analyses, "LOOK_EVERY_S", 0.02)
        await realm.analysts.start()
        await asyncio.sleep(0.2)
        assert (await ann.get(f"/api/tables/{table}/analysis"))["status"] == "running"  # its owner may still live
        later = realm.analysts.now() + analyses.STALE_S + 1
        realm.analysts.now = lambda: later
        assert (await analysed(ann, f"tables/{table}"))["status"] == "done"


async def test_an_older_engine_s_analysis_is_shown_until_there_is_a_newer(realm: Realm) -> None:
    glancing(realm)
    async with people(realm, 1) as (ann,):
        table = await finished(ann)
        await ann.post(f"/api/tables/{table}/analysis")
        done = await analysed(ann, f"tables/{table}")
        rows = await realm.analysts.analyses.of(f"table:{table}")
        old = replace(rows[0], source="table:other", engine=ENGINE - 1)
        await realm.analysts.analyses.ask(old)
        found = await realm.analysts.look("table:other")
        assert (found["status"], found["can_ask"], found["analysis"]) == ("done", True, done["analysis"])


async def test_asking_is_rate_limited(settings: Settings) -> None:
    app = create_app(replace(settings, limits_factor=0.1))
    async with app.router.lifespan_context(app):
        realm = app.state.realm
        realm.app = app
        glancing(realm, blink)
        async with people(realm, 1) as (ann,):
            codes = [(await ann.send("POST", "/api/think", {"game": "medieval_realm"})).status_code for _ in range(4)]
            assert codes == [200, 200, 200, 429]
