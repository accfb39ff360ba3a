"""The scorer of hands that people hold at a real table.

Reading a hand needs no rules; what does need them is imported by the methods, after the caller has chosen how the rules
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from realmtable.engine.options import OptionInfo
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.scoring import hand_text
from realmtable.games.fantasy_realms.scoring.hand_text import Question, choice_kind
from realmtable.kit.calculators import CardList, HandScorer

SLOW_CHOICES: Final = {"copy", "change"}  # of cards that become others or change them
MIN_SLOW_CHOICES: Final = 2  # from which on advice takes long


class FantasyHandScorer:
    """Scores hands; see `realmtable.kit.calculators.HandScorer` for what each member promises."""

    def read(
        self, hand: CardList, discard: CardList = (), choose: Iterable[str] = (), options: Sequence[str] = ()
    ) -> Question:
        """A question from texts."""
        return hand_text.read(hand, discard, choose, options)

    def list_known_cards(self, text: str) -> list[str]:
        """The names that can be read."""
        return hand_text.list_known_cards(text)

    def describe_unusual_size(self, question: Question) -> str:
        """What is unusual about the size of a hand."""
        return hand_text.describe_unusual_size(question.hand)

    def effort(self, question: Question) -> int:
        """How many ways of choosing are tried."""
        from realmtable.games.fantasy_realms.hand_scorer.score_sheet import effort  # noqa: PLC0415 - see above

        return effort(question)

    def best_score(self, question: Question) -> dict[str, Any]:
        """The score with the best choices."""
        from realmtable.games.fantasy_realms.scoring.score import best_score, score_to_json  # noqa: PLC0415 - see above

        return score_to_json(best_score(question.hand, question.discard, question.options))

    def sheet(self, question: Question) -> dict[str, Any]:
        """The score with every choice."""
        from realmtable.games.fantasy_realms.hand_scorer.score_sheet import sheet  # noqa: PLC0415 - see above

        return sheet(question)

    def check_advice(self, question: Question, seats: int, taken: CardList) -> None:
        """Refuse a question on which there is no advice."""
        from realmtable.games.fantasy_realms.bots.advice import knowledge_from_question  # noqa: PLC0415 - see above

        knowledge_from_question(question, seats, taken)

    def is_advice_slow(self, question: Question) -> bool:
        """Whether compiling saves time."""
        return sum(choice_kind(CARDS[card]) in SLOW_CHOICES for card in question.hand) >= MIN_SLOW_CHOICES

    def advise(self, question: Question, seats: int, taken: CardList, rng: Random) -> dict[str, Any]:
        """What to do next with a hand."""
        from realmtable.games.fantasy_realms.bots.advice import advise_question  # noqa: PLC0415 - see above

        return advise_question(question, seats, taken, rng)

    def card_tiles(self) -> Mapping[str, Any]:
        """All cards for a page."""
        from realmtable.games.fantasy_realms.hand_scorer.score_sheet import card_tiles  # noqa: PLC0415 - see above

        return card_tiles()

    def scoring_options(self) -> list[OptionInfo]:
        """The options that a score depends on."""
        from realmtable.games.fantasy_realms.hand_scorer.score_sheet import scoring_options  # noqa: PLC0415 - see above

        return scoring_options()


SCORER: Final[HandScorer[Question]] = FantasyHandScorer()
