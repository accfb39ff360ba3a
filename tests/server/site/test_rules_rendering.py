from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadPosition, IllegalMove
from realmtable.server.site import game_pictures, rules_rendering, setup_choices
from realmtable.server.site.rules_rendering import CLAUSE

GAMES = [info.id for info in registry.infos()]
START = "W:Pi4,Bh5,Pf7,Be8,Pc10,Bb11 B:Bb2,Pa3,Be5,Pf6,Pg7,Bh8 move=W"


class Links(HTMLParser):
    """The anchors of a text of HTML, and the links to them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "a" and str(found.get("href")).startswith("#"):
            self.targets.append(str(found["href"])[1:])


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_an_anchor_and_every_link_finds_one(game: str) -> None:
    rules = rules_rendering.rules(game)
    written = re.findall(rf"^\s*- \*\*({CLAUSE.pattern})\*\*", registry.read_rules(game), re.MULTILINE)
    links = Links(rules.html)
    assert list(rules.clauses) == written
    assert len(links.ids) == len(set(links.ids))
    assert set(links.targets) <= set(links.ids)
    assert set(written) <= set(links.ids)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_names_a_clause_of_the_rules(game: str) -> None:
    clauses = rules_rendering.rules(game).clauses
    assert {option.clause for option in registry.info(game).options()} <= set(clauses)


def test_the_contents_list_the_chapters() -> None:
    rules = rules_rendering.rules("realm")
    assert [heading.id for heading in rules.contents][:2] == ["the-board", "pieces-and-set-up"]
    assert rules.title == "Realm, the featured game"
    assert "<h1" not in rules.html


def test_markup_in_rules_stays_text() -> None:
    game = registry.game("realm")
    rules = rules_rendering.render(game, "# T\n\n- **R1** a < b & R1 <b>x</b>\n")
    assert "a &lt; b &amp;" in rules.html
    assert '<a href="#R1">R1</a> <b>x</b>' in rules.html  # our own file may hold markup; nobody else's text gets here


# ---- examples


def test_a_fenced_board_becomes_a_drawn_figure() -> None:
    game = registry.game("realm")
    text = f"- **R7** A rule.\n\n```board\n{START} > Pc10g10, end\nA Power goes <east>\nand stays.\n```\n"
    rules = rules_rendering.render(game, text)
    (figure,) = rules.figures
    assert figure.caption == "A Power goes <east> and stays."
    assert game.encode(figure.match.state).endswith("move=B turns=1")
    assert "A Power goes &lt;east&gt; and stays." in rules.html
    assert f"/positions/realm?p={'W%3APi4'}" in rules.html
    assert "<pre>" not in rules.html


@pytest.mark.parametrize(
    ("line", "error"), [("W:Zz99 move=W", BadPosition), (f"{START} > Pc10c12", IllegalMove)], ids=["position", "move"]
)
def test_a_board_that_cannot_be_drawn_is_an_error_of_ours(line: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        rules_rendering.render(registry.game("realm"), f"```board\n{line}\nA caption.\n```\n")


@pytest.mark.parametrize("game", GAMES)
def test_records_give_examples_at_their_clauses(game: str) -> None:
    rules = rules_rendering.rules(game)
    found = [example for example in rules.figures if example.clauses]
    assert {example.title for example in found} == {example.title for example in rules_rendering.examples(game)}
    assert len(found) >= 6
    for number, example in enumerate(rules.figures):
        if not example.clauses:
            continue
        clause = next(name for name in example.clauses if name in rules.clauses)
        item = rules.html.index(f'id="{clause}"')
        figure = rules.html.index(f'id="example-{number + 1}"')
        assert rules.html.rfind("<details", 0, figure) > item


def test_an_example_shows_the_turn_that_speaks_of_its_clause() -> None:
    found = {example.title: example for example in rules_rendering.examples("realm")}
    capture = found["three Powers against two"]
    assert capture.clauses == ("E4",)
    assert "the Base falls" in capture.caption
    assert "xBh8" in capture.text
    ending = found["the last Base in the middle of a turn"]
    assert ending.match.outcome() is not None


def test_the_first_board_of_a_chapter_lies_open() -> None:
    game, shown = registry.game("realm"), rules_rendering.examples("realm")
    folded = rules_rendering.render(game, "## One\n\n- **E3** x\n- **E4** y\n\n## Two\n\n- **R11** z\n", shown).html
    assert re.findall(r'<details class="drawn"( open)?>', folded) == [" open", "", "", "", "", " open"]
    behind = rules_rendering.render(game, f"## One\n\n```board\n{START}\nA caption.\n```\n\n- **R11** z\n", shown).html
    assert re.findall(r'<details class="drawn"( open)?>', behind) == [""]


def test_pictures_of_examples() -> None:
    light, dark = (rules_rendering.figure_picture("realm", 0, theme) for theme in ("light", "dark"))
    assert None not in (light, dark)
    assert light != dark
    assert rules_rendering.figure_picture("realm", 10_000, "auto") is None
    assert rules_rendering.figure_picture("realm", -1, "auto") is None


# ---- presets


def test_presets_are_explained() -> None:
    presets = {preset.name: preset for preset in setup_choices.presets("realm")}
    original = presets["original"]
    assert original.note == "Orbanes's original rules, with 13 Bases each and the sacrifice of Powers."
    assert original.changes[:2] == ["Bases: 13.", "Tie-break: Enforcers left and captures."]
    assert "Limit of Rearrangements: off." in original.changes
    assert original.values["bases"] == 13
    assert presets["conquest"].note == ""
    assert setup_choices.presets("realm")[0].name == registry.info("realm").default_preset


@pytest.mark.parametrize("game", GAMES)
def test_what_a_preset_shows_is_what_the_game_makes_of_it(game: str) -> None:
    for preset in setup_choices.presets(game):
        options = registry.game(game).options(preset=preset.name)
        assert {name: getattr(options, name) for name in preset.values} == preset.values


# ---- pictures


@pytest.mark.parametrize("game", GAMES)
def test_the_gallery_shows_a_game_that_is_under_way(game: str) -> None:
    match = game_pictures.sample_match(game)
    assert match.outcome() is None
    assert len(match.turns()) >= 6
    assert match.game.options_of(match.state) == match.game.options()  # as on the set-up page at first
    assert game_pictures.picture(game, "dark") != game_pictures.picture(game, "light")
