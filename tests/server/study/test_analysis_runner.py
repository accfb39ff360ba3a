"""Analyses of finished games: run once for all, with progress, resumed after a restart, never in rated games."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from realmtable.analysis.game_analysis import ENGINE_VERSION, Analysis
from realmtable.engine import registry
from realmtable.engine.record import load_record
from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.app import create_app
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage.analyses import AnalysisRequest, AnalysisRow
from realmtable.server.study import analysis_runner
from realmtable.server.study.analysis_runner import AnalysisSchedule
from tests.analysis.fake_think import think_first_moves, think_of_shares
from tests.server.support.fake_workers import (
    RECORDS,
    FakeWorkers,
    open_browsers,
    open_late_table,
    open_rated_table,
    play_and_resign,
    use_fake_workers,
    wait_for_analysis,
)
from tests.server.support.live_server import WAIT_S, Person, wait_until
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio
SHORT = (RECORDS / "realm/records/option-power-sacrifice.record").read_text(encoding="utf-8")


async def analyse(person: Person, source: str) -> dict[str, Any]:
    """Request an analysis and wait until it has ended; return the answer."""
    await person.post(f"/api/{source}/analysis")
    return await wait_for_analysis(person, source)


async def wait_for_question(engine: FakeWorkers) -> None:
    """Wait until the engine has been asked something."""
    async with asyncio.timeout(WAIT_S):
        while not engine.questions:  # noqa: ASYNC110 - set by another task
            await asyncio.sleep(0.01)


@pytest.mark.long
async def test_a_finished_game_is_analysed_once_for_everybody(services: Services, ann: Person, eve: Person) -> None:
    engine = use_fake_workers(services)
    table = await play_and_resign(ann)
    before = await eve.get(f"/api/tables/{table}/analysis")
    assert (before["status"], before["can_ask"], before["analysis"]) == ("none", True, None)
    asked = await eve.post(f"/api/tables/{table}/analysis")
    assert asked["status"] in {"waiting", "running"}
    done = await analyse(ann, f"tables/{table}")
    assert (done["status"], done["can_ask"], done["done"], done["total"]) == ("done", False, 2, 2)
    assert await eve.get(f"/api/tables/{table}/analysis") == done
    text = (await ann.send("GET", f"/api/tables/{table}/record")).text
    turns = load_record(text, registry.game).turns
    assert [turn["text"] for turn in done["analysis"]["turns"]] == [turn.text for turn in turns]
    thoughts = len(engine.questions)
    assert (await ann.post(f"/api/tables/{table}/analysis")) == done
    assert len(engine.questions) == thoughts


@pytest.mark.long
async def test_a_game_for_several_seats_is_analysed_with_the_mistakes_of_each(services: Services, ann: Person) -> None:
    use_fake_workers(services, think_of_shares)
    lines = (RECORDS / "realms_of_etherium/records/game-three-players.record").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines[:16] if not line.startswith(("Result", "Seed", "Commitment")))
    record = (await ann.post("/api/records", {"text": text}))["record"]
    done = await analyse(ann, f"records/{record}")
    found = Analysis.from_dict(done["analysis"])
    assert {len(turn.shares) for turn in found.turns} == {3}
    assert done["mistakes"] == [seat.describe() for seat in found.sum_up_mistakes()]
    refused = await ann.expect_refusal("POST", "/api/think", {"game": "realms_of_etherium"})
    assert refused["code"] == "BadInput"


@pytest.mark.long
async def test_an_imported_record_is_analysed(services: Services, ann: Person, eve: Person) -> None:
    use_fake_workers(services)
    record = (await ann.post("/api/records", {"text": SHORT}))["record"]
    assert (await eve.get(f"/api/records/{record}/analysis"))["can_ask"]
    done = await analyse(eve, f"records/{record}")
    assert done["analysis"]["engine"] == ENGINE_VERSION
    found = Analysis.from_dict(done["analysis"])
    assert len(found.turns) == len(load_record(SHORT, registry.game).turns)
    assert done["turning_points"] == [list(turn.steps) for turn in found.turning_points()] != []


@pytest.mark.long
async def test_progress_is_told_while_it_works(services: Services, ann: Person) -> None:
    engine = use_fake_workers(services)
    engine.open.clear()
    table, later = await play_and_resign(ann), await play_and_resign(ann)
    await ann.post(f"/api/tables/{table}/analysis")
    await ann.post(f"/api/tables/{later}/analysis")

    async def working() -> bool:
        answer = await ann.get(f"/api/tables/{table}/analysis")
        return bool(answer["status"] == "running" and answer["total"] == 2)

    await wait_until(working)
    waiting = await ann.get(f"/api/tables/{later}/analysis")
    assert (waiting["status"], waiting["ahead"]) == ("waiting", 1)
    engine.open.set()
    assert (await wait_for_analysis(ann, f"tables/{later}"))["status"] == "done"


@pytest.mark.long
async def test_many_analyses_of_one_person_let_anothers_go_next_after_the_one_under_way(
    services: Services, ann: Person, bob: Person
) -> None:
    engine, made = use_fake_workers(services), list[str]()
    engine.open.clear()
    finish = services.analysis_runner._run_analysis

    async def note_and_finish(row: AnalysisRow) -> None:
        made.append(row.asked_by)
        await finish(row)

    services.analysis_runner._run_analysis = note_and_finish  # type: ignore[method-assign]
    games = [await play_and_resign(ann) for _ in range(6)]
    own, later = await play_and_resign(bob), await play_and_resign(bob)
    for table in games:
        await ann.post(f"/api/tables/{table}/analysis")
    await wait_for_question(engine)
    assert (await bob.post(f"/api/tables/{own}/analysis"))["ahead"] == 1
    assert (await bob.post(f"/api/tables/{later}/analysis"))["ahead"] == 3
    assert (await ann.get(f"/api/tables/{games[-1]}/analysis"))["ahead"] == 7
    engine.open.set()
    await wait_for_analysis(ann, f"tables/{games[-1]}")
    names = {(await person.get("/api/me"))["player"]["id"]: name for person, name in ((ann, "a"), (bob, "b"))}
    assert "".join(names[player] for player in made)[:2] == "ab"
    assert len(made) == 8


def test_analyses_take_turns_by_address_and_then_by_person() -> None:
    addresses = LatestAddresses()
    for guest in ("g1", "g2", "g3"):
        addresses.note(guest, "1.1.1.1")
    addresses.note("bob", "2.2.2.2")
    order = AnalysisSchedule(addresses)
    wishes = [AnalysisRequest(f"{guest} {number}", guest) for number in range(2) for guest in ("g1", "g2", "g3")]
    made = []
    for turn in range(9):
        if turn == 1:  # while the first is under way
            wishes += [AnalysisRequest(f"bob {number}", "bob") for number in range(3)]
            assert order.position_of("bob 0", wishes) == 0
            assert order.position_of("g1 1", wishes) == 5
        player = order.next_player(wishes)
        assert player is not None
        made.append(player)
        wishes.remove(next(wish for wish in wishes if wish.asked_by == player))
        order.start(player)
        order.end()
    assert made == ["g1", "bob", "g2", "bob", "g3", "bob", "g1", "g2", "g3"]
    assert order.next_player([]) is None
    assert order.position_of("nowhere", []) == 0


@pytest.mark.long
async def test_an_analysis_waits_until_the_engine_is_as_strong_as_it_will_be(
    services: Services, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = use_fake_workers(services)
    warming = {"realm"}
    monkeypatch.setattr(services.search_queue, "is_warming", warming.__contains__)
    monkeypatch.setattr(analysis_runner, "RETRY_S", 0.01)
    table = await play_and_resign(ann)
    await ann.post(f"/api/tables/{table}/analysis")

    async def waits() -> bool:
        answer = await ann.get(f"/api/tables/{table}/analysis")
        return bool(answer["message"] == analysis_runner.WARMING_MESSAGE and answer["status"] == "running")

    await wait_until(waits)
    await asyncio.sleep(0.05)
    assert not engine.questions
    warming.clear()
    done = await wait_for_analysis(ann, f"tables/{table}")
    assert (done["status"], done["message"]) == ("done", "")


async def test_a_running_game_is_not_analysed(services: Services, ann: Person) -> None:
    engine = use_fake_workers(services)
    table = await open_late_table(ann)
    assert not (await ann.get(f"/api/tables/{table}/analysis"))["can_ask"]
    refusal = await ann.expect_refusal("POST", f"/api/tables/{table}/analysis", {})
    assert refusal == {"code": "NotAllowed", "message": "A game can be analysed only when it is over."}
    assert not engine.questions


@pytest.mark.long
async def test_who_plays_a_rated_game_gets_no_help_with_that_game(
    services: Services, ann: Person, bob: Person, eve: Person
) -> None:
    engine = use_fake_workers(services, think_first_moves)
    over = await play_and_resign(ann)
    rated = await open_rated_table(ann, bob)
    record = (await ann.post("/api/records", {"text": SHORT}))["record"]
    free = await open_late_table(ann)
    wishes: tuple[tuple[str, dict[str, str]], ...] = (
        (f"/api/tables/{over}/analysis", {}),
        (f"/api/records/{record}/analysis", {}),
        (f"/api/tables/{free}/hints", {}),
        ("/api/think", {"game": "realm"}),
    )
    for path, body in wishes:
        refusal = await ann.expect_refusal("POST", path, body)
        assert refusal["code"] == "NotAllowed"
        assert "rated game of Realm" in refusal["message"]
    assert not engine.questions
    assert (await ann.post("/api/think", {"game": "medieval_realm"}))["lines"]
    refusal = await eve.expect_refusal("POST", "/api/think", {"game": "realm"})  # whom nobody can tell from Ann
    assert refusal["message"].startswith("Someone at your address is playing a rated game of Realm")
    away = httpx.ASGITransport(services.app, client=("203.0.113.9", 1))  # type: ignore[attr-defined]
    async with httpx.AsyncClient(transport=away, base_url=services.settings.public_url) as client:
        assert (await Person(client).post("/api/think", {"game": "realm"}))["lines"]
    await bob.post(f"/api/tables/{rated}/resign")
    assert (await ann.post("/api/think", {"game": "realm"}))["lines"]


async def test_games_with_dice_or_secrets_are_refused(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    for game, reason in (("dice_duel", "the engine cannot search its dice"), ("secret_cards", "it has secrets")):
        table = await ann.open_table(game=game, seats=["me", "me"])
        await ann.post(f"/api/tables/{table}/resign")
        assert not (await ann.get(f"/api/tables/{table}/analysis"))["can_ask"]
        for path, body in ((f"/api/tables/{table}/analysis", {}), ("/api/think", {"game": game})):
            refusal = await ann.expect_refusal("POST", path, body)
            assert refusal["code"] == "BadInput"
            assert f"cannot be analysed: {reason}" in refusal["message"]


async def test_what_is_not_there_is_not_found(ann: Person) -> None:
    for path in ("/api/tables/nowhere/analysis", "/api/records/nowhere/analysis"):
        for method in ("GET", "POST"):
            refusal = await ann.expect_refusal(method, path, {} if method == "POST" else None)
            assert refusal["code"] == "NotFound"
    empty = await open_late_table(ann)
    await ann.post(f"/api/tables/{empty}/resign")
    assert not (await ann.get(f"/api/tables/{empty}/analysis"))["can_ask"]
    assert (await ann.expect_refusal("POST", f"/api/tables/{empty}/analysis", {}))["code"] == "BadInput"


@pytest.mark.long
async def test_a_failure_is_told_and_can_be_tried_again(services: Services, ann: Person) -> None:
    engine = use_fake_workers(services)
    engine.fails = [TimeoutError(), TimeoutError()]
    table = await play_and_resign(ann)
    failed = await analyse(ann, f"tables/{table}")
    assert (failed["status"], failed["can_ask"]) == ("failed", True)
    assert failed["message"] == "The engine could not analyse this position; try again in a moment."
    assert (await analyse(ann, f"tables/{table}"))["status"] == "done"


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
async def test_a_fault_of_ours_stops_one_analysis_and_no_other(services: Services, ann: Person) -> None:
    engine = use_fake_workers(services)
    engine.fails = [ZeroDivisionError()]
    broken, sound = await play_and_resign(ann), await play_and_resign(ann)
    assert (await analyse(ann, f"tables/{broken}"))["message"] == analysis_runner.BROKEN_MESSAGE
    assert (await analyse(ann, f"tables/{sound}"))["status"] == "done"


@pytest.mark.long
async def test_a_restart_takes_up_what_was_not_done(settings: Settings) -> None:
    first = create_app(settings)
    async with first.router.lifespan_context(first):
        services = first.state.services
        services.app = first
        engine = use_fake_workers(services)
        engine.open.clear()
        async with open_browsers(services, 1) as (ann,):
            table = await play_and_resign(ann)
            await ann.post(f"/api/tables/{table}/analysis")
            await wait_for_question(engine)
    second = create_app(settings)
    async with second.router.lifespan_context(second):
        services = second.state.services
        services.app = second
        use_fake_workers(services)
        async with open_browsers(services, 1) as (eve,):
            assert (await wait_for_analysis(eve, f"tables/{table}"))["status"] == "done"


@pytest.mark.long
async def test_work_of_a_process_that_died_is_taken_up(
    services: Services, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = use_fake_workers(services)
    engine.open.clear()
    table = await play_and_resign(ann)
    await ann.post(f"/api/tables/{table}/analysis")
    await wait_for_question(engine)
    assert services.analysis_runner._work_task is not None
    services.analysis_runner._work_task.cancel()
    await asyncio.gather(services.analysis_runner._work_task, return_exceptions=True)
    engine.open.set()
    monkeypatch.setattr(analysis_runner, "POLL_S", 0.02)
    await services.analysis_runner.start()
    await asyncio.sleep(0.2)
    assert (await ann.get(f"/api/tables/{table}/analysis"))["status"] == "running"  # its owner may still live
    later = services.analysis_runner.now() + analysis_runner.STALE_S + 1
    services.analysis_runner.now = lambda: later
    assert (await wait_for_analysis(ann, f"tables/{table}"))["status"] == "done"


@pytest.mark.long
async def test_an_older_engine_s_analysis_is_shown_until_there_is_a_newer(services: Services, ann: Person) -> None:
    use_fake_workers(services)
    table = await play_and_resign(ann)
    done = await analyse(ann, f"tables/{table}")
    rows = await services.analysis_runner.analyses.find(f"table:{table}")
    old = replace(rows[0], source="table:other", engine=ENGINE_VERSION - 1)
    await services.analysis_runner.analyses.add_request(old)
    found = await services.analysis_runner.report("table:other")
    assert (found["status"], found["can_ask"], found["analysis"]) == ("done", True, done["analysis"])


@pytest.mark.long
async def test_asking_is_rate_limited(settings: Settings) -> None:
    app = create_app(replace(settings, limits_factor=0.1))
    async with app.router.lifespan_context(app):
        services = app.state.services
        services.app = app
        use_fake_workers(services, think_first_moves)
        async with open_browsers(services, 1) as (ann,):
            codes = [(await ann.send("POST", "/api/think", {"game": "medieval_realm"})).status_code for _ in range(4)]
            assert codes == [200, 200, 200, 429]


# ---- games that judge their steps themselves


async def import_fantasy_record(person: Person, name: str) -> str:
    """Import a shipped record of Fantasy Realms and return its address in the API."""
    text = (RECORDS / f"fantasy_realms/records/{name}.record").read_text(encoding="utf-8")
    return f"records/{(await person.post('/api/records', {'text': text}))['record']}"


async def test_a_game_with_secrets_is_analysed_by_what_each_player_knew(services: Services, ann: Person) -> None:
    engine = use_fake_workers(services)
    answer = await analyse(ann, await import_fantasy_record(ann, "end-max-turns"))
    found = Analysis.from_dict(answer["analysis"])
    assert (answer["status"], found.unit) == ("done", "points")
    assert list(found.turns[-1].shares) == [106, 91, 110]
    assert len(answer["mistakes"]) == 3
    views = [view for _, view, _ in engine.questions]
    assert all(view["hand"] is not None and view["scores"] is None for view in views)


async def test_a_game_that_cannot_be_judged_says_why(services: Services, ann: Person) -> None:
    use_fake_workers(services)
    source = await import_fantasy_record(ann, "end-all-ready")
    before = await ann.get(f"/api/{source}/analysis")
    assert (before["status"], before["can_ask"]) == ("none", False)
    assert "Chaos Realms are not analysed" in before["message"]
    refusal = await ann.send("POST", f"/api/{source}/analysis", {})
    assert before["message"] in refusal.text
