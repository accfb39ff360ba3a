"""The documentation matches the code: links, examples, games, options, commands, fields, pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import realmtable
from realmtable.cli.main import COMMANDS
from realmtable.engine.record import load_record, parse_record
from realmtable.games.realm.codec import FIELDS, PHASE_WORDS

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "examples", "src", "studies")
PAGES = sorted([*ROOT.glob("*.md"), *(path for name in FOLDERS for path in (ROOT / name).rglob("*.md"))])
INFOS = realmtable.infos()


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) + re.findall(r'<img src="([^"]+)"', text)
    for target in targets:
        if "://" not in target and not target.startswith("/rules/"):  # a page of the site: see test_game_summary.py
            assert (path.parent / target).exists(), target


def test_the_first_screen_of_the_readme_has_the_two_commands_and_a_picture() -> None:
    first = "\n".join(page("README.md").splitlines()[:20])
    assert "make play" in first
    assert "make test" in first
    assert "docs/board.svg" in first


def test_the_readme_s_picture_is_the_end_of_the_magazine_s_game() -> None:
    records = ROOT / "src/realmtable/games/realm/records"
    record = load_record((records / "magazine-game.record").read_text(encoding="utf-8"), realmtable.game)
    match = record.replay()
    assert page("docs/board.svg") == match.game.draw(match.view(None))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert f"realmtable {command}" in page("docs/play/terminal.md")
    assert command in page("docs/design/architecture.md")


@pytest.mark.parametrize("info", INFOS, ids=lambda info: info.id)
def test_options_and_presets_are_in_the_rules(info: realmtable.GameInfo) -> None:
    rules = page(f"src/realmtable/games/{info.id}/RULES.md")
    for option in info.options():
        assert f"`{option.name}`" in rules, option.name
        assert f"**{option.clause}**" in rules, option.clause
        assert option.help.endswith("."), option.name
    for preset in info.presets:
        assert f"`{preset}`" in rules, preset
    assert info.default_preset in info.presets


def test_the_example_record_can_be_read() -> None:
    example = next(block for block in blocks(page("docs/study/record-format.md"), "") if block.startswith("Game:"))
    reading = parse_record(example, realmtable.game)
    assert (reading.fault, reading.warnings) == (None, [])


def test_every_field_of_a_position_is_described() -> None:
    text = page("docs/study/record-format.md")
    for field in ["W:", "B:", "options", *(field.name for field in FIELDS), *PHASE_WORDS]:
        assert f"`{field}`" in text, field


def test_complete_games_names_the_files_of_the_model() -> None:
    table = re.findall(r"^\| (.*?) \|", page("docs/design/complete-games.md"), flags=re.MULTILINE)
    named = [name for cell in table for name in re.findall(r"`(\w+\.py)`", cell)]
    folder = ROOT / "src/realmtable/games/realm"
    assert len(named) > 10
    assert [name for name in named if not (folder / name).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_names_a_machine(path: Path) -> None:
    assert not re.search(r"/(home|root|tmp|work)/", path.read_text(encoding="utf-8"))
