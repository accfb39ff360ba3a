"""Every folder of `realmtable.games` is a game, found without a list; so is what other packages offer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import realmtable
from realmtable import games
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, UnknownGame
from realmtable.engine.protocol import Presentation
from tests.toys.dice_duel import DiceDuel


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


# ---- games of other packages

TINY = """
from realmtable.cli.skeleton.my_game import GAME as MODEL, MyGame
from dataclasses import replace
INFO = replace(MODEL.info, id={name!r})
class Tiny(MyGame):
    info = INFO
GAME = Tiny()
"""


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Return a function that installs a module with the entry point of a game for one test."""
    entries: list[EntryPoint] = []

    def write(name: str, source: str, *, game_id: str = "", value: str = "") -> None:
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        entries.append(EntryPoint(game_id or name, value or name.replace("/__init__", ""), registry.PACKAGE))

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: entries if group == registry.PACKAGE else [])
    cached = (registry._find_games, registry._load)
    for function in cached:
        function.cache_clear()
    yield write
    for function in cached:
        function.cache_clear()


def test_a_game_of_another_module_is_found(install: Callable[..., None], tmp_path: Path) -> None:
    install("tiny_game", TINY.format(name="tiny_game"))
    assert [info.id for info in registry.infos()] == [*folders(), "tiny_game"]
    assert registry.games_elsewhere() == ["tiny_game"]
    assert registry.problems() == {}
    assert registry.game("tiny_game").info is registry.info("tiny_game")
    assert registry.source_path("tiny_game") == tmp_path / "tiny_game.py"
    assert registry.game_folder("tiny_game") == tmp_path / "tiny_game"
    assert registry.read_rules("tiny_game") == ""


def test_the_docstring_of_a_module_is_its_rules_if_it_numbers_clauses(
    install: Callable[..., None], tmp_path: Path
) -> None:
    install("told_game", '"""A game.\n\n- **R1** Play.\n"""\n' + TINY.format(name="told_game"))
    assert registry.read_rules("told_game") == "A game.\n\n- **R1** Play."
    (tmp_path / "told_game").mkdir()
    (tmp_path / "told_game" / "RULES.md").write_text("# Told", encoding="utf-8")
    assert registry.read_rules("told_game") == "# Told"


def test_a_game_of_another_package_is_found(install: Callable[..., None], tmp_path: Path) -> None:
    install("tiny_package/__init__", "from tiny_package.game import INFO\n", game_id="tiny_package")
    (tmp_path / "tiny_package" / "game.py").write_text(TINY.format(name="tiny_package"), encoding="utf-8")
    assert registry.game("tiny_package").info.id == "tiny_package"
    assert registry.source_path("tiny_package") == registry.game_folder("tiny_package") == tmp_path / "tiny_package"


def test_games_that_cannot_be_used_are_left_out_with_a_reason(install: Callable[..., None]) -> None:
    install("broken_game", "import no_such_module\n")
    install("empty_game", "")
    install("loud_game", "raise RuntimeError('Not today')\n")
    install("leaving_game", "raise SystemExit(3)\n")
    install("ruleless_game", TINY.format(name="ruleless_game").replace("GAME = Tiny()", ""))
    install("class_game", TINY.format(name="class_game").replace("Tiny()", "Tiny"))
    install("other_game", TINY.format(name="another_id"))
    install("second_realm", TINY.format(name="realm"), game_id="realm")
    install("object_game", TINY.format(name="object_game"), value="object_game:GAME")
    install("good_game", TINY.format(name="good_game"))
    assert [info.id for info in registry.infos()] == [*folders(), "good_game"]
    assert registry.problems() == {
        "broken_game": "The game broken_game of broken_game is left out: "
        "ModuleNotFoundError: No module named 'no_such_module'",
        "empty_game": "The game empty_game of empty_game is left out: "
        "AttributeError: module 'empty_game' has no attribute 'INFO'",
        "loud_game": "The game loud_game of loud_game is left out: RuntimeError: Not today",
        "leaving_game": "The game leaving_game of leaving_game is left out: SystemExit: 3",
        "ruleless_game": "The game ruleless_game of ruleless_game is left out: its module has no GAME.",
        "class_game": "The game class_game of class_game is left out: GAME must be a game, not its class.",
        "other_game": "The game other_game of other_game is left out: "
        "its entry point must be named another_id, like the game's id.",
        "realm": "The game realm of second_realm is left out: its id is taken by realmtable.games.realm.",
        "object_game": "The game object_game of object_game:GAME is left out: "
        "its entry point must name a module, not a Tiny.",
    }
    assert registry.game("realm").info.title == "Realm"
    with pytest.raises(UnknownGame, match="Not today"):
        registry.game("loud_game")


def test_a_game_added_in_this_process_must_have_an_id_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ADDED", {})
    duel = DiceDuel()
    registry.add(duel)
    assert registry.game("dice_duel") is duel
    assert registry.info("dice_duel") is duel.info
    assert registry.read_rules("dice_duel") == ""
    assert not registry.source_path("dice_duel").exists()
    duel.info = replace(duel.info, id="realm")
    with pytest.raises(BadInput, match="There is already a game 'realm'"):
        registry.add(duel)
