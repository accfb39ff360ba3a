"""Resampled states fit what a seat may know: known cards stay, hidden cards vary."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.fantasy_realms.cards import CardId, names_of
from realmtable.games.fantasy_realms.state import State
from tests.fantasy_realms.helpers import ALL, GAME, TABLES, card, patch_quick_scores, play, random_game, start, table

MANY = 60


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)


def samples(state: State, seat: int, many: int = MANY) -> list[State]:
    rng = Random(1)
    return [GAME.resample(state, seat, rng) for _ in range(many)]


def possible_places(state: State, seat: int, wanted: CardId) -> set[int | None]:
    """Where a card may be, as far as a seat knows; None is the deck."""
    return {sample.holder(wanted) for sample in samples(state, seat)}


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_resampled_state_looks_the_same_is_whole_and_can_be_played(variant: str, seats: int) -> None:
    rng = Random(seats)
    for state, *_ in list(random_game(start(seats, variant, max_turns=25, max_steps=60), seats))[::4]:
        for seat in range(seats):
            other = GAME.resample(state, seat, rng)
            assert GAME.view(other, seat) == GAME.view(state, seat)
            assert GAME.view(other, None) == GAME.view(state, None)
            assert GAME.to_move(other) == GAME.to_move(state)
            assert GAME.decode(GAME.encode(other)) == other
            assert GAME.view(GAME.resample(other, seat, rng), seat) == GAME.view(state, seat)


def test_a_hidden_card_can_be_anywhere_and_one_of_mine_is_mine() -> None:
    state = table(3)
    assert possible_places(state, 0, card("Candle")) == {1, 2, None}
    assert possible_places(state, 0, card("King")) == {1, 2, None}
    assert possible_places(state, 0, card("Cavern")) == {0}
    assert all(
        set(sample.deck) | {held for hand in sample.hands for held in hand} == ALL for sample in samples(state, 0)
    )


def test_a_card_that_was_taken_stays_with_the_player_who_took_it() -> None:
    state = play(table(3), "deck", "King", "drop King", "take King", "drop Island")
    assert possible_places(state, 0, card("King")) == possible_places(state, 2, card("King")) == {1}
    assert possible_places(state, 2, card("Smoke")) == {0, 1, None}


def test_a_card_that_another_has_just_drawn_stays_hidden() -> None:
    """In the set-up for two only the cards just drawn may be dropped: a card that was taken is none of them."""
    steps = ("first 1", "deck", "King", "Queen", "drop King", "take King", "deck", "Dragon", "Hydra", "drop Dragon")
    state = play(start(2), *steps, "deck", "Smoke", "Candle")
    for sample in samples(state, 0):
        assert sample.hands[1][0] == card("King")
        assert card("King") not in {step.card for step in GAME.legal_moves(sample, 1)}


def test_when_the_game_is_over_nothing_is_hidden() -> None:
    *_, (state, _, _) = random_game(start(3), 2)
    assert GAME.resample(state, 0, Random(1)) == state


# ---- Chaos Realms


TRADED = ("1 offer Forest", "2 bid Island for Forest", "1 accept Island for Forest")


def chaos(*texts: str) -> State:
    return play(table(4, "chaos"), *texts)


def test_all_see_where_a_card_on_offer_goes() -> None:
    state = chaos(*TRADED)
    assert GAME.view(state, None)["known"] == [[], ["Forest"], [], []]
    assert [possible_places(state, seat, card("Forest")) for seat in range(4)] == [{1}] * 4


def test_only_the_player_who_gave_a_card_knows_where_it_is() -> None:
    state = chaos(*TRADED)
    assert possible_places(state, 1, card("Island")) == {0}
    assert possible_places(state, 2, card("Island")) == {0, 1, 3, None}


def test_a_bid_shows_the_owner_where_a_card_is_even_if_it_is_withdrawn() -> None:
    state = chaos("1 offer Forest", "2 bid Island for Forest")
    assert (possible_places(state, 0, card("Island")), possible_places(state, 2, card("Island"))) == (
        {1},
        {0, 1, 3, None},
    )
    assert possible_places(play(state, "2 cancel Island for Forest"), 0, card("Island")) == {1}
    assert possible_places(play(state, "1 refuse Island for Forest"), 0, card("Island")) == {1}


def test_a_card_that_was_given_is_uncertain_once_its_owner_gives_a_card_unseen() -> None:
    state = chaos(*TRADED, "3 offer Candle", "1 bid Mountain for Candle", "3 accept Mountain for Candle")
    assert 0 in possible_places(state, 1, card("Island"))
    assert len(possible_places(state, 1, card("Island"))) > 1
    assert possible_places(state, 2, card("Mountain")) == {2}


def test_a_card_that_was_given_stays_certain_when_its_owner_gives_another_for_all_to_see() -> None:
    state = chaos(*TRADED, "1 offer Mountain", "3 bid Candle for Mountain", "1 accept Candle for Mountain")
    assert possible_places(state, 1, card("Island")) == {0}


def test_a_trade_with_oneself_leaves_what_one_knows_of_the_other() -> None:
    """Azure gave Island to Scarlet; when Scarlet then bids Azure another card Azure knows it was not Island."""
    state = chaos(*TRADED, "2 offer Smoke", "1 bid Cavern for Smoke", "2 accept Cavern for Smoke")
    assert possible_places(state, 1, card("Island")) == {0}
    assert possible_places(state, 0, card("Cavern")) == {1}
    assert possible_places(state, 1, card("Forest")) == {1}


def test_an_open_card_stays_known_to_the_player_who_traded_with_its_owner() -> None:
    state = chaos("2 offer Smoke", "2 withdraw Smoke", *TRADED)
    assert GAME.view(state, None)["known"] == [[], ["Forest"], [], []]  # Azure may have given Smoke
    assert possible_places(state, 0, card("Smoke")) == {1}
    assert len(possible_places(state, 2, card("Smoke"))) > 1


def test_a_card_that_lay_on_offer_is_seen_to_be_given() -> None:
    state = chaos("2 offer Island", "2 offer Smoke", "2 withdraw Smoke", *TRADED)
    assert GAME.view(state, None)["known"] == [["Island"], ["Forest", "Smoke"], [], []]
    assert [possible_places(state, seat, card("Island")) for seat in range(4)] == [{0}] * 4
    assert possible_places(state, 3, card("Smoke")) == {1}


def test_a_card_bid_to_oneself_is_seen_to_be_given_to_another() -> None:
    state = chaos("3 offer Candle", "2 bid Island for Candle", "2 bid Smoke for Candle", *TRADED)
    assert possible_places(state, 2, card("Island")) == {0}
    assert possible_places(state, 2, card("Smoke")) == {1}
    assert len(possible_places(state, 3, card("Smoke"))) > 1


def test_cards_still_on_offer_or_bid_to_oneself_stay_certain() -> None:
    state = chaos("3 offer Candle", "2 offer Smoke", "2 bid Blizzard for Candle", *TRADED)
    assert possible_places(state, 3, card("Smoke")) == possible_places(state, 2, card("Blizzard")) == {1}
    assert len(possible_places(state, 3, card("Blizzard"))) > 1


def test_bids_between_others_are_left_out_and_own_ones_stay() -> None:
    state = chaos("1 offer Forest", "3 offer Candle", "2 bid Island for Forest", "2 bid Smoke for Candle")
    for seat, kept in ((0, 1), (1, 2), (2, 1), (3, 0)):
        assert {len(sample.bids) for sample in samples(state, seat, 5)} == {kept}


def test_others_know_the_cards_bid_to_them_and_nothing_else() -> None:
    state = chaos("1 offer Forest", "2 bid Island for Forest", "3 offer Candle", "4 bid Rangers for Candle")
    assert {sample.seen for sample in samples(state, 1, 5)} == {((card("Island"),), (), (), ())}
    assert names_of(state.seen[2]) == ["Rangers"]


def test_the_necromancers_holder_is_known_when_they_choose() -> None:
    state = chaos("time")
    assert [possible_places(state, seat, card("Necromancer")) for seat in range(4)] == [{3}] * 4
