"""The parts of the page on balance that do not depend on the games."""

from __future__ import annotations

from typing import Final

PRICE_WORDS: Final = {
    "cheap": "Victory Realms 1 Black cheaper",
    "dear": "Victory Realms 1 Black dearer",
    "equal": "1/2 for every Victory Realm",
    "network": "Network for 2/4 instead of 1/3",
}
INTRODUCTION: Final = """# Realms of Etherium: balance

Made by `python -m studies.etherium.balance --games 10000 --write` from the games in `balance.jsonl`. They were played
inside compiled code, almost half of them [on a GPU](../../docs/study/gpu.md). Every seat is played by the same bot,
`quick`: it searches its own turn only (6 nodes of the search that `greedy` uses with 40), so that many games are
possible. With two players, it won 47 of 48 games against `random` and 9 of 32 against `greedy`. The last table repeats
some settings with a bot that also looks at replies.

This page rests on {total:,.0f} games. The tables say how many each setting has; another run with the same file of
results adds to them and writes the page again.

Shares count a win shared by *n* players as 1/*n*. *Par* is what equal players would win. The brackets hold the 95%
interval (Wilson). **Bold** shares differ clearly from par: a 99.8% interval excludes it, so of 500 fair rows one would
be bold by chance."""
POWERS: Final = (
    "The rulebook calls its six player powers optional and untested. Each player draws one; no two have the same."
)
ADVICE: Final = """\
*What would even them out.* The powers are rules (Y1 to Y6) and not part of the manifest, so no option can change their
numbers. We changed two of them in a copy of the rules: Yellow may save Black only if a tile lists no White, and Blue's
extra White comes only with Realms that give White themselves. In 680 games of `quick` (120 to 160 for each number of
players), Yellow won 1.28 times par (1.12–1.43), Blue 1.09 (0.94–1.24), Green 1.06 (0.90–1.21), Orange 0.97 (0.82–1.13),
Red 0.81 (0.66–0.96) and Purple 0.78 (0.63–0.94)."""
CHANGED_POWERS: Final = {  # these figures: the multiple of par and its interval
    "red": (0.81, 0.66, 0.96),
    "blue": (1.09, 0.94, 1.24),
    "green": (1.06, 0.90, 1.21),
    "purple": (0.78, 0.63, 0.94),
    "orange": (0.97, 0.82, 1.13),
    "yellow": (1.28, 1.12, 1.43),
}
TILES: Final = """\
How often each tile was summoned and its Control taken per game under the standard rules, and how often the
players who took it won. Players who take Control win more often than others, since points come from Control: compare
the tiles with each other rather than with par."""
PRICES_TEXT: Final = """\
The prices of Control are ours, since the rulebook's pictures are lost. Games with other prices (option
`manifest`):"""
SELECTION: Final = """\
Players who are ahead can pay more, so a share of takers shows which tiles go with winning, not how much a tile is
worth."""
STRONGER: Final = """\
The same figures for `search`: 30 nodes of the search that the levels use, which looks at replies. They show whether the
answers depend on how far the bot looks."""
CAUTION: Final = """\
- Intervals cover chance, not the bot. All figures describe games between equal bots with these habits; people
  may use a power better or worse.
- A bot that sees only its own turn plans no ambush, so powers that hurt opponents (Orange, Purple) may be worth more
  to people than here. Powers that save Etherium (Yellow, Green, Blue) need little planning.
- Shares of one setting add up to 100%, so if one power is above par, others must be below."""
