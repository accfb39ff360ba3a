"""The manifest: what the standard one contains, and a sentence for every mistake in an edited one (W3)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from realmtable.engine.errors import BadOptions
from realmtable.games.realms_of_etherium.tiles import manifest as manifests
from realmtable.games.realms_of_etherium.tiles.manifest import (
    COLOURS,
    MAX_FILE,
    VERBS,
    Cost,
    parse_manifest,
    standard_manifest,
)
from tests.example_tables import read_table

FILE = Path(manifests.__file__).parents[1] / "data" / "tiles.toml"
TEXT = FILE.read_text(encoding="utf-8")
QUICKEN = 'id = "quicken"\nname = "Quicken"'


def edit(before: str, after: str) -> str:
    """Return the standard manifest with one edit, at the first place where it fits."""
    assert before in TEXT
    return TEXT.replace(before, after, 1)


def edit_tile(tile_id: str, before: str, after: str) -> str:
    """Return the standard manifest with one edit of a tile."""
    start = TEXT.index(f'id = "{tile_id}"')
    assert before in TEXT[start:]
    return TEXT[:start] + TEXT[start:].replace(before, after, 1)


def test_w3_there_are_74_tiles_of_three_classes() -> None:
    manifest = standard_manifest()
    assert manifest.count() == 74
    assert [manifest.count(tile_class=name) for name in ("permanent", "normal", "victory")] == [12, 42, 20]
    counts = [manifest.count(colour=name) for name in (*COLOURS, "none")]
    assert counts == [10, 10, 6, 8, 8, 20, 12]
    assert manifest.count(verb="portal") == manifest.count(verb="disrupt") == 6
    assert {tile.power.verb for tile in manifest.tiles} == {*VERBS}


def test_the_numbers_of_the_game() -> None:
    manifest = standard_manifest()
    assert (manifest.etherium_cap, manifest.control_markers, manifest.mages, manifest.most_mages) == (20, 12, 3, 5)
    assert manifest.points == (12, 10, 8, 6, 4)


def test_kinds_are_triggered_in_five_ways() -> None:
    found = Counter(tile.power.trigger for tile in standard_manifest().tiles)
    assert found == {"static": 1, "enter": 12, "gain": 3, "persistent": 6, "victory": 20}


def test_victory_realms_score_what_the_rulebook_lists() -> None:
    """Six pairs of the four scoring colours, four and five ways to count colours, and four others."""
    powers = [tile.power for tile in standard_manifest().tiles if tile.tile_class == "victory"]
    pairs = {frozenset(power.colours) for power in powers if power.verb == "score_pairs"}
    assert len(pairs) == 6
    assert {colour for pair in pairs for colour in pair} == {"red", "blue", "green", "purple"}
    connected = {power.of for power in powers if power.verb == "score_connected"}
    adjacent = {power.of for power in powers if power.verb == "score_adjacent"}
    assert connected == {"red", "blue", "green", "purple", "yellow"}
    assert adjacent == {"blue", "green", "purple", "yellow", "alteration"}
    controlled = [(power.by, power.where) for power in powers if power.verb == "score_controlled"]
    assert controlled == [("opponents", "adjacent"), ("owner", "connected"), ("owner", "adjacent")]


@pytest.mark.parametrize(
    ("tile_id", "sentence"),
    [
        ("gather", "On entering, gain 1 Black for each adjacent Green Realm."),
        ("transmute", "On entering, turn 2 White into 1 Black or 1 Black into 2 White, as often as you like."),
        ("accord", "Worth 2 points for each pair of adjacent Green and Purple Realms."),
        ("network", "Worth 1 point for each connected Victory Realm."),
        ("generate", "When you gain Black, gain 1 more Black."),
    ],
)
def test_sentences_have_the_numbers_of_the_tile(tile_id: str, sentence: str) -> None:
    assert standard_manifest().tile(tile_id).sentence() == sentence


def test_every_sentence_is_complete() -> None:
    sentences = [tile.sentence() for tile in standard_manifest().tiles]
    assert len({*sentences}) == len(sentences)
    assert not any("{" in sentence or "  " in sentence for sentence in sentences)


def test_costs_and_sources_can_be_read() -> None:
    accord = standard_manifest().tile("accord")
    assert (accord.use, accord.control) == (Cost(0, 0), Cost(2, 2))
    assert dict(accord.sources)["control"] == "ours"
    assert standard_manifest().tile("portal").control is None
    assert parse_manifest(edit('sources = { colour = "deduced", copies = "ours", control = "ours" }\n', "")) is not None


def test_an_unknown_tile_is_refused() -> None:
    with pytest.raises(BadOptions, match='no tile "Generate"; ids are lower case'):
        standard_manifest().tile("Generate")


MISTAKES = {
    "broken": ("[game", "not valid TOML"),
    "long": ("#" * (MAX_FILE + 1), "at most 60,000 characters"),
    "extra": (TEXT + "\n[other]\n", r'\[game\] and entries \[\[tile\]\], but no "other"'),
    "no tiles": ("[game]\n", "at least one entry"),
    "odd tiles": ("tile = 3\n", "at least one entry"),
    "tiles as numbers": ("tile = [3]\n", "at least one entry"),
    "many kinds": (TEXT + '\n[[tile]]\nid = "x"\n' * 30, "at most 64 kinds of tiles, not 72"),
    "no game": (TEXT[TEXT.index("[[tile]]") :], r"needs a table \[game\]"),
    "no id": (edit('id = "quicken"\n', ""), "id of lower-case letters, not nothing"),
    "long id": (edit('id = "quicken"', f'id = "{"q" * 21}"'), "longer than 20 letters"),
    "field": (edit(QUICKEN, f"{QUICKEN}\nspeed = 3"), 'quicken has an unknown field "speed"; the fields are id, name'),
    "missing": (edit_tile("quicken", "copies = 2\n", ""), "quicken needs the field copies"),
    "needs": (edit_tile("generate", ' to = "black",', ""), "react of generate needs the parameter to"),
    "placeholder": (edit_tile("quicken", "once more", "{speed}"), r"unknown placeholder; write one of \{white\}, "),
    "many": (
        TEXT.replace("copies = 3", "copies = 12").replace("copies = 1\n", "copies = 2\n"),
        "at most 96 tiles, not",
    ),
    "large": (edit_tile("swap", "copies = 2", "copies = 0x1" + "0" * 9_999), "12, not a number that large"),
    "no victory": (TEXT.replace("copies = 1\n", "copies = 0\n"), "at least three victory tiles for the Reserve, not 0"),
}
# What is wrong, the tile that is edited, what it has before and after that, and words of the sentence.
EDITS = read_table(r"""
unknown number |  | mages = 3 | wizards = 3 | \[game\] has no "wizards"; it has etherium_cap
number |  | etherium_cap = 20 | etherium_cap = 99 | etherium_cap in .* from 5 to 50, not 99
switch |  | mages = 3 | mages = true | mages in .* from 1 to 5, not True
few points |  | [12, 10, 8, 6, 4] | [12, 10] | five numbers from 1 to 30, for 2 to 6 players, not 12/10
no points |  | [12, 10, 8, 6, 4] | 7 | five numbers from 1 to 30
odd points |  | [12, 10, 8, 6, 4] | [12, 10, 8, 6, 0] | five numbers from 1 to 30
id |  | id = "quicken" | id = "Quick en" | id of lower-case letters, not "Quick en"
name |  | name = "Quicken" | name = "quick step" | name of quicken must be one capitalised word .* not "quick step"
class | quicken | "normal" | "magic" | class of quicken must be permanent, normal or victory
colour | quicken | "purple" | "pink" | colour of quicken must be red, blue, .* not "pink"
copies | quicken | copies = 2 | copies = 13 | copies of quicken must be a number from 0 to 12, not 13
use | swap | "2/0" | "2" | use of swap must be White/Black, such as "2/1", each 0 to 9, not "2"
control | swap | "2/1" | 3 | control of swap must be White/Black, .* not 3
high cost | swap | "2/1" | "10/1" | control of swap must be White/Black, .* not "10/1"
power | swap | { verb = "swap" } | "swap" | power of swap must name a verb, .* not "swap"
verb | swap | verb = "swap" | verb = "juggle" | unknown verb "juggle"; the verbs are portal
parameter | swap | verb = "swap" | verb = "swap", white = 1 | swap of swap has no parameter "white"
nothing | channel | white = 2 | white = 0 | power of channel must give White or Black
much | channel | white = 2 | white = 10 | white of channel must be a number from 0 to 9
no value | accord | points = 2 | points = 0 | points of accord must be a number from 1 to 9
pair | accord | "green", "purple" | "green", "green" | accord must be two different colours, not "green"/"green"
pair colour | accord | "green", "purple" | "green", "pink" | colours of accord must be red
to | generate | to = "black" | to = "grey" | to of generate must be white or black
by | antagonism | "opponents" | "all" | by of antagonism must be owner or opponents
text | quicken | once more. | once more | text of quicken must be a sentence .* not "Your active
brace | quicken | once more | once } more | unknown placeholder
sources | quicken | sources = { | sources = { speed = "ours", | sources of quicken may name .*, not "speed"
source | quicken | "deduced" | "heard" | a source of quicken must be rulebook, deduced or ours
wrong class | swap | "normal" | "victory" | class of swap must be normal, not victory: its verb is swap
yellow | swap | "orange" | "yellow" | cannot be "yellow": Victory Realms are yellow, and no other
colourless | swap | "orange" | "none" | cannot be "none": Permanent Realms have none, and every other
permanent | portal | control = "none" | control = "1/1" | control of portal must be "none", not "1/1"
free | quicken | use = "0/0" | use = "1/0" | use of quicken must be "0/0", not "1/0": this power is free
white only | tribute | use = "1/0" | use = "1/1" | use of tribute must be White only, such as "2/0", not "1/1"
endless | transmute | use = "2/0" | use = "0/0" | use of transmute must be at least 1 White
fixed colour | transmute | "green" | "red" | colour of transmute must stay green, not "red"
same id |  | id = "lessen" | id = "swap" | Two tiles have the id swap
same name |  | name = "Lessen" | name = "Swap" | Two tiles have the name swap
mages |  | most_mages = 5 | most_mages = 2 | mages in .* must be at most most_mages, which is 2, not 3
portals | disruption | "disrupt" | "portal" | one tile must have the verb portal, not 2
no portal | portal | copies = 6 | copies = 0 | at least one Portal
empty cost | swap | "2/1" | "" | control of swap must be .* each 0 to 9, not an empty text
""")
MISTAKES |= {
    name: (edit_tile(tile, before, after) if tile else edit(before, after), sentence)
    for name, tile, before, after, sentence in EDITS
}


@pytest.mark.parametrize(("text", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_w3_every_mistake_has_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadOptions, match=sentence) as caught:
        parse_manifest(text)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 400
