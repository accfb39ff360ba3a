"""The battle calculator as a page: complete without scripts, shareable by its address, and never on the event loop."""

from __future__ import annotations

from unittest import mock

import httpx
import pytest

from realmtable.engine import battle_calculator
from realmtable.engine.errors import BadInput
from realmtable.server.errors import NotFound
from realmtable.server.services import Services
from realmtable.server.study import battle_chances
from realmtable.server.workers.search_queue import SearchQueue

pytestmark = pytest.mark.anyio

PAGE = "/battle/magic_realm"
HTML = {"accept": "text/html"}


async def fetch(client: httpx.AsyncClient, battle: str | None = None, status: int = 200) -> str:
    answer = await client.get(PAGE, headers=HTML, params={} if battle is None else {"battle": battle})
    assert answer.status_code == status, answer.text
    return answer.text


async def test_the_page_offers_examples(client: httpx.AsyncClient) -> None:
    text = await fetch(client)
    assert "Elf, Light Bow alerted : Giant" in text
    assert "Why" not in text
    assert f'href="{PAGE}?battle=' in text


async def test_a_battle_is_calculated_in_a_worker(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def run(_: SearchQueue, function: object, arguments: tuple[str, str], *__: object) -> object:
        asked.append((function, arguments))
        return battle_chances.compute_report(*arguments)

    monkeypatch.setattr(SearchQueue, "run", run)
    text = await fetch(client, "Elf, Light Bow alerted : Giant")
    assert asked == [(battle_chances.compute_report, ("magic_realm", "Elf, Light Bow alerted : Giant"))]
    for words in ("Elf against Giant", "33%", "44%", "so it always hits", "You win", "Wounds on average"):
        assert words in text
    assert "Killed on average" not in text
    assert "Killed on average: Wolf" in await fetch(client, "Dwarf : Wolf, Imp")


async def test_a_mistake_is_explained_and_the_text_kept(client: httpx.AsyncClient) -> None:
    text = await fetch(client, "Elf : Gobblin <b>", 422)
    assert "There is no monster" in text
    assert 'value="Elf : Gobblin &lt;b&gt;"' in text
    assert (await client.get(PAGE, headers=HTML, params={"battle": "x" * 501})).status_code == 422


async def test_games_without_battles_have_no_page(client: httpx.AsyncClient, services: Services) -> None:
    answer = await client.get("/battle/realm", headers=HTML)
    assert answer.status_code == 404
    assert "no battles to calculate" in answer.text
    assert (await client.get("/battle?battle=Elf", headers=HTML)).headers["location"] == f"{PAGE}?battle=Elf"
    assert (await client.get("/battle", headers=HTML)).headers["location"] == PAGE
    assert services is not None
    with mock.patch.object(battle_calculator, "first_game_with_battles", return_value=None), pytest.raises(NotFound):
        battle_chances.first_game()


def test_the_worker_reports_mistakes() -> None:
    with pytest.raises(BadInput, match="colon"):
        battle_chances.compute_report("magic_realm", "Elf")
