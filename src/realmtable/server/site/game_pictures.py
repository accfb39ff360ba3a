"""Pictures of games in progress with the usual rules: from the middle of a long record, or of a random game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from html import escape, unescape
from itertools import groupby, pairwise
from random import Random
from typing import Any, Final

import tinycss2

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.options import make_options
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, HasExcerpts, HasSetup, State
from realmtable.engine.record import Record, parse_record
from realmtable.search.baselines import RandomBot
from realmtable.server.tables.setup import playable_counts

SAMPLE_PART: Final = 0.6  # the part of a game after which its board is liveliest
MIN_TURNS: Final = 10  # records with fewer turns are not used
RANDOM_STEPS: Final = 30  # length of a random game
CROP: Final = (1.6, 1.2)  # the width and height of the part of a large picture, as multiples of its suggested view
_ROOT: Final = re.compile(r"<svg\b[^>]*>")
_MARKUP: Final = re.compile(r'\s(?:data-[\w-]+|aria-[\w-]+|role|tabindex)="[^"]*"')
_CLASSES: Final = re.compile(r'\bclass="([^"]*)"')
_INTERACTIVE: Final = re.compile(r"\[data-(?!theme)|:hover|:focus")
_STYLES: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_TITLES: Final = re.compile(r"<title>[^<]*</title>")
FIRST_SEAT: Final = 0  # whose hand the picture of a preset shows
OPENING_STEPS: Final = 10  # steps after which the picture of a preset is drawn …
SETUP_STEPS: Final = 400  # … or up to so many, until a set-up with chance is over


@cache
def picture(game_id: str, theme: str = "auto") -> str:
    """Return a picture of the game in progress as SVG, the same for every call."""
    match = sample_match(game_id)
    return _draw_part(match, theme)  # with a hand, where players have one


@cache
def image(game_id: str, theme: str = "auto") -> str:
    """Return the same picture for an `img` element, without what only the elements of a page need."""
    return strip_markup(picture(game_id, theme))


def strip_markup(picture: str) -> str:
    """Return a picture without handles, labels and styles of what it does not show, which nobody misses in an image."""
    bare = _TITLES.sub("", _MARKUP.sub("", picture))
    classes = {name for names in _CLASSES.findall(bare) for name in names.split()}

    def strip_style(style: re.Match[str]) -> str:
        rules = tinycss2.parse_stylesheet(unescape(style[1]), skip_comments=True, skip_whitespace=True)
        return f"<style>{escape(_keep_used_rules(rules, classes), quote=False)}</style>"

    return _STYLES.sub(strip_style, bare)


def _keep_used_rules(nodes: Sequence[Any], classes: Collection[str]) -> str:
    """Return the rules of a style sheet that a picture with some classes may need."""
    return "".join([_keep_used_parts(node, classes) for node in nodes])


def _keep_used_parts(node: Any, classes: Collection[str]) -> str:  # noqa: ANN401 - the library has no types
    if node.type == "at-rule" and node.at_keyword == "media":
        inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
        return f"@media{tinycss2.serialize(node.prelude)}{{{_keep_used_rules(inner, classes)}}}"
    if node.type != "qualified-rule":
        return str(node.serialize())
    kept = [text for text in _split_selectors(node.prelude, classes) if not _INTERACTIVE.search(text)]
    return f"{','.join(kept)}{{{tinycss2.serialize(node.content)}}}" if kept else ""


def _split_selectors(prelude: Sequence[Any], classes: Collection[str]) -> Iterator[str]:
    """Yield the selectors in front of a rule that may select something in a picture with some classes."""
    for is_comma, tokens in groupby(prelude, key=lambda part: bool(part == ",")):
        selector = [*tokens]
        wanted = [name.value for dot, name in pairwise(selector) if dot == "." and name.type == "ident"]
        if not is_comma and all(name in classes for name in wanted):
            yield tinycss2.serialize(selector).strip()


def _draw_part(match: Match, theme: str) -> str:
    """Draw the part of a picture that fits a small place."""
    game, view = match.game, match.view(FIRST_SEAT)
    return crop_large(draw_whole(game, game.excerpt(view) if isinstance(game, HasExcerpts) else view, theme))


@cache
def sample_match(game_id: str) -> Match:
    """Return a match of the game with its default options, stopped around its middle."""
    game = registry.game(game_id)
    usual = [record for record in records(game_id) if game.options_of(record.replay(0).state) == game.options()]
    longest = max(usual, key=lambda record: len(record.turns), default=None)
    if longest is None or len(longest.turns) < MIN_TURNS:
        return _play_random_match(game, game.initial(game.info.seats[0], game.options()), RANDOM_STEPS)
    return longest.replay(round(len(longest.turns) * SAMPLE_PART))


@cache
def records(game_id: str) -> list[Record]:
    """Return the records in a game's folder, sorted by name."""
    paths = sorted((registry.game_folder(game_id) / "records").glob("*.record"))
    readings = [parse_record(path.read_text(encoding="utf-8"), registry.game) for path in paths]
    return [reading.record for reading in readings if reading.record is not None and reading.fault is None]


@lru_cache(maxsize=400)
def preset_picture(game_id: str, preset: str, theme: str = "auto") -> str:
    """Return a small picture of the beginning of a game with a preset as SVG, the same for every call."""
    game = registry.game(game_id)
    options: Any = make_options(game.info.options_type, game.info.presets, preset, {})
    counts = playable_counts(game, options)
    match = _play_random_match(game, game.initial(counts[(len(counts) - 1) // 2], options), OPENING_STEPS)
    return strip_markup(_draw_part(match, theme))


def crop_large(picture: str) -> str:
    """Return the middle of a picture that can be panned, not much larger than the view it suggests for a phone."""
    root = _ROOT.match(picture)
    focus, box = (re.search(rf'\b{name}="([^"]+)"', root[0]) if root else None for name in ("data-focus", "viewBox"))
    if root is None or focus is None or box is None:
        return picture
    left, top, wide, high = map(float, box[1].split())
    part = [min(size, factor * float(focus[1].split()[2])) for size, factor in zip((wide, high), CROP, strict=True)]
    seen = f"{left + (wide - part[0]) / 2:g} {top + (high - part[1]) / 2:g} {part[0]:g} {part[1]:g}"
    place = f'x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}"'
    inside = root[0].replace('width="100%"', place, 1) + picture[root.end() :]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{seen}" width="100%">{inside}</svg>'


def _play_random_match(game: AnyGame, start: State, steps: int) -> Match:
    rng, bot = Random(7), RandomBot()  # noqa: S311 - only for a picture
    match = Match.start(game, start, seed="gallery")
    for number in range(max(steps, SETUP_STEPS)):
        acting = game.to_move(match.state)
        if not acting or (number >= steps and not _deals_setup(game, match.state)):
            return match
        sample = game.resample(match.state, acting[0], rng)
        match = match.play(acting[0], bot.choose(game, sample, acting[0], rng))
    return match


def _deals_setup(game: AnyGame, state: State) -> bool:
    """Whether a set-up with chance is not over, before which a picture would show little of the game."""
    return game.info.chance and isinstance(game, HasSetup) and game.is_in_setup(state)
