"""Every folder of `realmtable.games` is a game, found without a list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import realmtable
from realmtable import games
from realmtable.engine import registry
from realmtable.engine.errors import UnknownGame
from realmtable.engine.protocol import Presentation


def folders() -> list[str]:
    return sorted(path.parent.name for path in Path(games.__path__[0]).glob("*/__init__.py"))


def test_every_folder_is_a_game() -> None:
    assert [info.id for info in registry.infos()] == folders()
    assert "realm" in folders()


@pytest.mark.parametrize("name", folders())
def test_a_game_has_its_facts_and_its_rules(name: str) -> None:
    assert registry.info(name) in registry.infos()
    assert registry.game(name).info is registry.info(name)
    assert registry.game(name) is registry.game(name)
    folder = registry.game_folder(name)
    assert folder == Path(games.__path__[0]) / name
    assert (folder / "RULES.md").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", ["", "chess", "Realm", "realm.rules", "../realm", "__init__", "x" * 10_000])
def test_an_unknown_game_is_refused_with_the_list(name: str) -> None:
    for find in (registry.info, registry.game):
        with pytest.raises(UnknownGame, match=r"the games are .*realm") as caught:
            find(name)
        assert len(str(caught.value)) < 500


def test_the_package_offers_what_people_need() -> None:
    for name in realmtable.__all__:
        assert getattr(realmtable, name) is not None
    assert realmtable.game("realm").info.title == "Realm"


def test_a_set_up_suggests_the_preset_for_a_first_game_or_else_the_default_one() -> None:
    info = registry.info("realm")
    assert info.suggested_preset == info.default_preset
    assert replace(info, presentation=Presentation(first_preset="free_placement")).suggested_preset == "free_placement"


def test_presets_have_titles_in_words() -> None:
    info = registry.info("magic_realm")
    assert info.preset_title("encounter2") == "treasure hunt with combat"
    assert info.preset_title("first_fights") == "first fights"


def test_rules_are_read_with_their_further_chapters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "game_folder", lambda _: tmp_path)
    assert registry.read_rules("realm") == ""
    (tmp_path / "RULES.md").write_text("# One", encoding="utf-8")
    (tmp_path / "RULES-more.md").write_text("## Two", encoding="utf-8")
    assert registry.read_rules("realm") == "# One\n## Two"
