"""What happened last at a table, in one line: the latest turn, or with many seats all since one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from realmtable.engine.protocol import Seat

MAX_STEPS: Final = 5  # steps of a long turn that are told,
MAX_STEPS_OF_MANY: Final = 14  # and of what several seats did
TWO: Final = 2

NewsItem = Mapping[str, Any]  # as a scene has it


def describe_latest(news: Sequence[NewsItem], you: Sequence[Seat], names: Sequence[str]) -> str:
    """The line for somebody on the seats `you` of those named: "Black: Power from g2 to g4; End of the turn"."""
    told = [each for each in news if each["words"]]
    if not told:
        return ""
    last = told[-1]
    if last["kind"] == "hinted":
        return str(last["words"])
    if len(names) > TWO and len(you) == 1 and last["seat"] != you[0]:
        return _join_news(_news_since(told, you[0])[-MAX_STEPS_OF_MANY:], names)
    return _join_news(_latest_seat_news(told)[-MAX_STEPS:], names)


def _news_since(told: Sequence[NewsItem], seat: Seat) -> Sequence[NewsItem]:
    """All since a seat's own latest step, or since the beginning."""
    own = [place for place, each in enumerate(told) if each["seat"] == seat or each["kind"] == "started"]
    return told[own[-1] + 1 :] if own and own[-1] + 1 < len(told) else told[-1:] if own else told


def _latest_seat_news(told: Sequence[NewsItem]) -> Sequence[NewsItem]:
    """The latest steps of one seat, or of chance."""
    last = told[-1]
    other = [place for place, each in enumerate(told) if (each["seat"], each["kind"]) != (last["seat"], last["kind"])]
    return told[other[-1] + 1 :] if other else told


def _join_news(told: Sequence[NewsItem], names: Sequence[str]) -> str:
    """One thing behind the other; whoever did several in a row is named once."""
    line, before = "", None
    for each in told:
        words = str(each["words"])
        who = "You" if words.startswith("You ") else "" if each["seat"] is None else names[each["seat"]]
        again = bool(line) and who == before
        if again and words.startswith(f"{who} "):
            line += f", {words[len(who) + 1 :]}"
        else:
            line += f"; {words.partition(': ')[2] if again and ': ' in words else words}"
        before = who
    return line.removeprefix("; ")
