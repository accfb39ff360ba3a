"""A manifest as changes to the standard one (F9), and files of manifests (V15)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.cli.command_helpers import options_from_flags
from realmtable.engine.errors import BadInput, BadOptions
from realmtable.engine.options import describe_change
from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import (
    ALTERATION,
    ETHERIUM,
    GAME_BOUNDS,
    VERBS,
    Cost,
    parse_manifest,
    standard_manifest,
)
from realmtable.games.realms_of_etherium.tiles.manifest_changes import (
    changes_from_file,
    describe_changes,
    read_changes,
    write_changes,
)
from tests.realms_of_etherium.test_manifest import TEXT, edit, edit_tile


def test_f9_the_standard_manifest_has_no_changes() -> None:
    assert read_changes("standard") is standard_manifest()
    assert write_changes(standard_manifest()) == "standard"
    assert changes_from_file(TEXT) == "standard"


@pytest.mark.parametrize(
    "text",
    [
        "generate.copies:3",
        "accord.control:1/3",
        "swap.control:none",
        "draw.per:none",
        "channel.per:orange",
        "accord.colours:blue/red;accord.points:3",
        "game.etherium_cap:25;game.points:9/9/8/8/7;portal.copies:8",
        "transmute.use:3/0;displace.use:0/1;shift.colour:green",
        "generate.to:white;generate.white:2;generate.black:0",
        "antagonism.by:owner;antagonism.where:connected",
    ],
)
def test_f9_changes_are_read_and_written(text: str) -> None:
    manifest = read_changes(text)
    assert manifest != standard_manifest()
    assert write_changes(manifest) == text


def test_f9_changes_are_written_in_the_order_of_the_tiles() -> None:
    assert (
        write_changes(read_changes("accord.points:3;draw.copies:3;quicken.copies:2")) == "draw.copies:3;accord.points:3"
    )


def test_changed_numbers_are_in_the_manifest_and_its_sentences() -> None:
    manifest = read_changes("channel.white:3;accord.control:1/3;game.mages:2")
    assert manifest.tile("channel").sentence() == "On entering, gain 3 White."
    assert manifest.tile("accord").control == Cost(1, 3)
    assert manifest.mages == 2


def test_f9_a_file_becomes_its_changes() -> None:
    assert changes_from_file(edit_tile("generate", "copies = 2", "copies = 3")) == "generate.copies:3"
    assert changes_from_file(edit("mages = 3", "mages = 4")) == "game.mages:4"
    assert changes_from_file(edit_tile("quicken", "once more", "one step more")) == "standard"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "like generate.copies:3, not an empty text"),
        ("generate", 'like generate.copies:3, not "generate"'),
        ("generate.copies", 'like generate.copies:3, not "generate.copies"'),
        ("generate:3", 'like generate.copies:3, not "generate:3"'),
        ("generate.copies:", 'like generate.copies:3, not "generate.copies:"'),
        ("generate.copies:3;generate.copies:4", "changes generate.copies twice"),
        ("jester.copies:3", 'no tile "jester"'),
        (
            "generate.name:Breed",
            'generate has no "name" to change; it has colour, copies, use, control, to, white, black',
        ),
        ("generate.copies:many", 'copies of generate must be a number from 0 to 12, not "many"'),
        ("generate.copies:123456", "copies of generate must be a number"),
        ("accord.points:0", "points of accord must be a number from 1 to 9"),
        ("accord.colours:red", "colours of accord must be two different colours"),
        ("game.speed:3", 'game has no "speed" to change; it has etherium_cap'),
        ("game.points:3/3", "points in .game. must be five numbers"),
        ("accord.control:one", 'control of accord must be .*, each 0 to 9, not "one"'),
    ],
)
def test_f9_a_wrong_change_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadOptions, match=sentence):
        read_changes(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (edit('id = "lessen"', 'id = "abate"'), "needs the tiles of the standard one, in its order; abate differs"),
        (edit('name = "Lessen"', 'name = "Abate"'), "The name of lessen must stay Lessen .* not Abate"),
        (edit_tile("lessen", '"lessen" }', '"streamline" }'), "The verb of lessen must stay lessen .* not streamline"),
        (
            TEXT.replace('id = "bond"', 'id = "?"').replace('id = "accord"', 'id = "bond"').replace("?", "accord"),
            "the order differs",
        ),
    ],
    ids=["id", "name", "verb", "order"],
)
def test_f9_what_changes_cannot_express_is_refused(text: str, sentence: str) -> None:
    manifest = parse_manifest(text)
    with pytest.raises(BadOptions, match=sentence):
        write_changes(manifest)


def documented_edits() -> list[str]:
    """Every edit that the header of tiles.toml describes, for every tile: the ends of each range, and each word."""
    colours = ("red", "blue", "green", "purple", "orange")
    words = {
        "per": ("orange", "none"), "to": ETHERIUM, "of": ("green", "yellow", ALTERATION), "by": ("owner", "opponents"),
        "where": ("adjacent", "connected"), "white": ("1", "9"), "black": ("1", "9"), "points": ("1", "9"),
        "colours": ("blue/orange", "orange/blue", "red/yellow", "yellow/red"),
    }  # fmt: skip
    edits = []
    for tile in standard_manifest().tiles:
        verb = VERBS[tile.power.verb]
        is_permanent = tile.tile_class == "permanent"
        is_free_colour = tile.tile_class == "normal" and verb is not VERBS["convert"]
        values = {
            "colour": colours if is_free_colour else (),
            "copies": ("1" if verb is VERBS["portal"] else "0", "12"),
            "use": {"either": ("0/0", "9/9"), "white": ("1/0", "9/0"), "": ()}[verb.prices],
            "control": () if is_permanent else ("none", "0/0", "9/9"),
            **{name: words[name] for name in verb.parameters},
        }
        edits += [f"{tile.id}.{field}:{value}" for field in values for value in values[field]]
    edits += [f"game.{name}:{number}" for name, ends in GAME_BOUNDS.items() for number in ends]
    edits.remove("game.most_mages:1")  # players start with three
    return edits


@pytest.mark.long
def test_f9_every_documented_edit_can_be_played() -> None:
    """Each edit is read, written, stands in the manifest, and has its place in the position."""
    edits = documented_edits()
    assert {"tribute.colour:red", "quicken.copies:12", "displace.copies:12", "draw.per:none"} <= {*edits}
    readings = [EtheriumOptions(alteration=colour) for colour in ("red", "orange")]
    standard = [first_position(3, before) for before in readings]
    for change in edits:
        options = [replace(reading, manifest=change) for reading in readings]
        is_same = options[0].manifest == "standard"
        assert is_same or options[0].manifest == change
        positions = [first_position(3, after) for after in options]
        assert is_same == np.array_equal(standard, positions), change


@given(st.text(alphabet="abcdegnrt.:;/0123456789", max_size=60))
def test_f9_any_text_is_read_or_refused(text: str) -> None:
    try:
        manifest = read_changes(text)
    except BadOptions:
        return
    assert read_changes(write_changes(manifest)) == manifest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("standard", "no change"),
        ("tribute.colour:red", "Tribute colour red instead of orange"),
        (
            "generate.copies:3;game.points:9/9/8/8/7",
            "points 9/9/8/8/7 instead of 12/10/8/6/4, Generate copies 3 instead of 2",
        ),
    ],
)
def test_f9_changes_in_words_name_what_they_replace(text: str, words: str) -> None:
    assert describe_changes(text) == words
    assert describe_change(EtheriumOptions, "manifest", text).endswith(f": {words}")


def test_a_changed_option_in_words_names_its_default() -> None:
    assert describe_change(EtheriumOptions, "max_rounds", 50).endswith(": 50 instead of 60")


# ---- the option `manifest=FILE` of the command line


def options_from_file(folder: Path, text: str) -> EtheriumOptions:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    found: EtheriumOptions = options_from_flags("realms_of_etherium", (f"manifest={path}",), None, None)
    return found


def test_v15_a_manifest_comes_from_a_file_and_is_kept_as_its_changes(tmp_path: Path) -> None:
    options = options_from_file(tmp_path, edit_tile("accord", "2/2", "1/3"))
    assert options.manifest == "accord.control:1/3"
    state = GAME.initial(3, options)
    assert "options=manifest=accord.control:1/3" in GAME.encode(state)
    assert GAME.decode(GAME.encode(state)) == state


def test_v15_a_mistake_in_a_file_gets_one_sentence(tmp_path: Path) -> None:
    for before, after, words in (
        ('"Accord"', '"Accord', "not valid TOML"),
        ('"Accord"', '"Akkord"', "must stay Accord"),
        ("yellow", "pink", "colour"),
    ):
        with pytest.raises(BadOptions, match=words) as refused:
            options_from_file(tmp_path, edit_tile("accord", before, after))
        assert str(refused.value).endswith(".")


def test_v15_elsewhere_no_file_is_read_and_a_missing_one_is_refused(tmp_path: Path) -> None:
    options_from_file(tmp_path, TEXT)
    with pytest.raises(BadOptions, match="only be named on the command line"):
        GAME.options(None, manifest=str(tmp_path / "mine.toml"))
    with pytest.raises(BadInput, match="cannot be read"):
        options_from_flags("realms_of_etherium", (f"manifest={tmp_path / 'none.toml'}",), None, None)
