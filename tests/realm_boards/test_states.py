"""A state is a value, its view is plain data that hides nothing, and each step has its number and its clicks."""

from __future__ import annotations

import json
import pickle
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.games.classic_realm.layout import DOUBLE_MOVE_HOLDER, NOBODY, OWED_TURNS, SEAT
from realmtable.games.classic_realm.rules import position_key
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.steps import StepKind
from realmtable.kit.array_state import ArrayState
from tests.classic_realm.helpers import FAR, FULL, RING, WON
from tests.realm.helpers import SETUP
from tests.realm_boards.boards import BOARDS, Board, each_board, list_cases, read_cases

State = ArrayState[Any]
SHOWN = {  # how a state in which White acts shows itself
    "realm": "<Realm W:Pg10,Bh11,Eg12S,Ei12x B:Bh2,Pg3 move=W>",
    "classic_realm": f"<Classic Realm {FAR} move=W>",
    "medieval_realm": "<Medieval Realm W:De2,Mb5,Ma7 B:Mb8,Dh11 move=W>",
    "oriental_realm": "<Oriental Realm W:Ee2,Mc4,Mb5 B:Mb4,Mb6,Eh11 move=W options=warning=on>",
    "modern_realm": "<Modern Realm W:Ce2,Ab4,Hk8,Aa9 B:Ac7,Ab8,Ch11,Al12 move=W>",
}
LINES = {name: shown[shown.index("W:") : -1] for name, shown in SHOWN.items()}
OTHERS = {  # fields that make other states of the same board
    "realm": [
        "options=bases=13", "options=agree_end=off", "quiet=3", "seen=", "rowW=h11*1", "offer=standing", "captured=1/0",
        "passed",
    ],
    "classic_realm": [
        "options=max_plies=20", "options=double_moves=on", "owed=1 options=double_moves=on",
        "right=W owed=0 options=double_moves=on", "right=W owed=0 phase=second options=double_moves=on", "seen=",
    ],
    "medieval_realm": [
        "dukes=1/0", "dukes=0/1", "passed", "seen=", "options=duke_draw=off", "options=max_plies=299",
        "options=duke_squares=front_middle",
    ],
    "oriental_realm": ["options=warning=on", "options=max_turns=20", "seen=", "passed", "from=e2"],
    "modern_realm": ["options=hq_counts=off", "options=counter_agent=k5", "options=max_turns=299", "passed", "from=b5"],
}  # fmt: skip


def example(tested: Board) -> State:
    return tested.game.decode(LINES[tested.game.info.id])


def random_states(tested: Board, seed: int) -> list[State]:
    return [state for state, _ in tested.random_game(seed, **tested.limits)]


# ---- values


@each_board
@pytest.mark.parametrize("seed", range(3))
def test_play_leaves_the_old_state_alone(tested: Board, seed: int) -> None:
    for state, step in tested.random_game(seed, **tested.limits):
        before = state.position.tobytes(), tested.legal(state), hash(state)
        if step is not None:
            assert tested.game.play(state, tested.seat_of(state), step) != state
        assert (state.position.tobytes(), tested.legal(state), hash(state)) == before


@each_board
@pytest.mark.parametrize("seed", range(2))
def test_a_pickle_comes_back_equal(tested: Board, seed: int) -> None:
    for state in random_states(tested, seed)[::3]:
        back = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
        assert (back, hash(back), back.options) == (state, hash(state), state.options)
        assert tested.legal(back) == tested.legal(state)


@each_board
def test_states_differ_by_options_and_history(tested: Board) -> None:
    board = " ".join(tested.game.encode(example(tested)).split()[:2])
    lines = [board, *(f"{board} {fields}" for fields in ("move=B", "turns=3", *OTHERS[tested.game.info.id]))]
    assert len({tested.game.decode(line) for line in lines}) == len(lines)


@each_board
def test_the_same_position_is_the_same_state(tested: Board) -> None:
    one, other = example(tested), example(tested)
    assert one == other
    assert {one, other} == {one}
    assert one != tested.game.encode(one)


@each_board
def test_a_state_shows_itself(tested: Board) -> None:
    game, state = tested.game, example(tested)
    assert repr(state) == SHOWN[game.info.id]
    assert state._repr_svg_().startswith("<svg")
    assert state._repr_svg_() == game.draw(game.view(state, None))
    assert game.sketch(game.view(state, None))


@each_board
def test_nothing_is_hidden_and_nothing_left_to_chance(tested: Board) -> None:
    game, state = tested.game, example(tested)
    assert game.resample(state, 0, Random(1)) == state
    assert game.chance(state) == []
    views = [game.view(state, viewer) for viewer in (0, 1, None)]
    assert [view.pop("viewer") for view in views] == [0, 1, None]
    assert views[0] == views[1] == views[2]
    assert game.legal_moves(state, 1) == []


@pytest.mark.parametrize("name", BOARDS)
def test_the_game_is_found_by_its_name(name: str) -> None:
    game, state = realmtable.game(name), example(BOARDS[name])
    assert game.info == realmtable.info(name) == BOARDS[name].game.info
    assert (game.info.id, game.info.compiled, game.info.seat_names) == (name, True, ("White", "Black"))
    assert game.options_of(state) == state.options


@pytest.mark.parametrize("name", ["realm", "classic_realm", "medieval_realm", "oriental_realm"])
def test_what_lies_beyond_the_seen_keys_does_not_matter(name: str) -> None:
    state = example(BOARDS[name])
    other, seen = (ArrayState(state.rules, state.position.copy(), state.options) for _ in range(2))
    other.position[-1] = 7
    assert (other, hash(other)) == (state, hash(state))
    assert state.rules.history is not None
    seen.position[state.rules.history.first] += 1
    assert seen != state


def test_positions_of_frogs_have_other_keys_if_the_turn_or_the_right_to_a_double_move_differs() -> None:
    """T2 compares them by their key, so two of these must not have the same."""
    keys = set()
    changed = BOARDS["classic_realm"].at(FAR).position.copy()
    for seat in range(2):
        for holder in (NOBODY, 0, 1):
            for owed in range(3):
                changed[SEAT], changed[DOUBLE_MOVE_HOLDER], changed[OWED_TURNS] = seat, holder, owed
                keys.add(position_key(changed))
    assert len(keys) == 2 * 3 * 3


def test_a_key_follows_the_frogs_there_and_back() -> None:
    tested = BOARDS["classic_realm"]
    state, back = tested.at(FAR), tested.at(FAR, RING)
    assert tested.game.rules.key(back.position) == tested.game.rules.key(state.position)
    assert back != state  # the turns


DIFFERENT = {  # what differs in one place only
    "classic_realm": [(FAR, FAR.replace("~e5*4,~h8*3", "~e5*3,~h8*4"))],
    "medieval_realm": [("W:De2,Mb5,Ma7 B:Dh11,Mb8", "W:De2,Mb5,Ma4 B:Dh11,Mb8")],
    "oriental_realm": [("W:Ee3,Mb5,Mc4 B:Eh11", "W:Ee3,Mb5,Mc4 B:Eh11 from=e2")],
}


@pytest.mark.parametrize(("tested", "one", "other"), list_cases(DIFFERENT))
def test_where_a_piece_is_matters(tested: Board, one: str, other: str) -> None:
    assert tested.at(one) != tested.at(other)


def test_what_is_in_hand() -> None:
    tested, line = BOARDS["realm"], LINES["realm"]
    for steps, kinds in (("", []), ("Rh11", [2, 5, 7]), ("Rh11 Pg10 Eg11N", [7])):
        assert [piece & 7 for piece in pieces_in_hand(tested.at(line, steps).position)] == kinds


def test_a_finished_game_has_no_steps() -> None:
    assert BOARDS["modern_realm"].at("W:Aa1 B:Al12 end=max_turns turns=300").legal_codes() == []


# ---- turns

ROUNDS = "1W 1B 2W 2B 3W 3B 4W 4B 5W 5B 6W 6B"
TURNS = {  # position or options; steps; the number and the seat of the turn before the first step and after each
    "realm": f"""
        # pairs of placements, then of turns, as the magazine counts
        | {SETUP} Pi10f10 end Pg3f3 end Rb5 Pa4 | {ROUNDS} 7W 7W 7B 7B 8W 8W 8B
        extra_base_second=on | {SETUP.replace("Bb8", "Bb8 Bk11")} | 1W 1B 2W 2B 3W 3B 4B 5W 5B 6W 6B 7W 7B 8W
        second_moves_first=on | {SETUP} | {ROUNDS} 7B
    """,
    "oriental_realm": """
                       | Mb5b6 end Mb8b9 end Mb6b5 | 1W 1W 1B 1B 2W 2W
        free_setup=on  | Mb2 Me2 Mh2               | 1W 1B 2W 2B
        emperor=choose | Ee2                       | 1W 1B
    """,
    "modern_realm": """
        | Ab5b7 Ab11d11 Ak5k7 | 1W 1B 2W 2B
    """,
}


@pytest.mark.parametrize(("tested", "where", "steps", "turns"), read_cases(TURNS))
def test_turns_are_numbered_in_pairs(tested: Board, where: str, steps: str, turns: str) -> None:
    texts = steps.split()
    states = [tested.at(where, " ".join(texts[:count])) for count in range(len(texts) + 1)]
    found = [tested.game.turn(state) for state in states]
    assert " ".join(f"{number}{'WB'[seat]}" for number, seat in found) == turns


# ---- views


@each_board
@pytest.mark.parametrize("seed", range(3))
def test_a_view_is_plain_data(tested: Board, seed: int) -> None:
    game = tested.game
    for state in random_states(tested, seed)[::3]:
        view = game.view(state, 0)
        assert json.loads(json.dumps(view)) == view
        assert view["to_move"] == list(game.to_move(state))
        assert (view["outcome"] is None) == (game.outcome(state) is None)


VIEWS: dict[str, list[tuple[str, str, dict[str, Any], list[dict[str, Any]]]]] = {
    # position or options; steps; some of the view; some of its pieces
    "realm": [
        (
            "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3 offer=standing captured=1/2",
            "",
            {
                "offered": True, "phase": "turn", "turn": {"number": 7, "seat": 0}, "to_move": [0], "outcome": None,
                "stock": [{"bases": 9, "enforcers": 6, "captured": 1}, {"bases": 10, "enforcers": 8, "captured": 2}],
            },
            [
                {"at": "h2", "seat": 1, "kind": "base", "facing": None, "mobile": True},
                {"at": "g12", "seat": 0, "kind": "enforcer", "facing": "S", "mobile": True},
                {"at": "i12", "seat": 0, "kind": "enforcer", "facing": None, "mobile": False},
                {"at": "g10", "seat": 0, "kind": "power", "facing": None, "mobile": True},
            ],
        ),
    ],
    "classic_realm": [
        (
            f"{FULL} turns=6 owed=1 options=double_moves=on",
            "",
            {
                "phase": "turn", "turn": {"number": 4, "seat": 0}, "to_move": [0], "pads": [4, 3], "water": [4, 5],
                "unplaced": [0, 0], "right": {"seat": 1, "owed": 1}, "outcome": None,
            },
            [{"at": "b2", "seat": 0, "swims": False}, {"at": "d4", "seat": 0, "swims": True}],
        ),
        ("free_setup=on", "Fb2 Fk11 Fe2", {"phase": "place", "unplaced": [6, 7], "right": None}, []),
    ],
    "medieval_realm": [
        (
            "W:De2,Mb5,Ma7 B:Dh11,Mb8 dukes=2/1 turns=5",
            "",
            {
                "off": [{"dukes": 1, "men": 4}, {"dukes": 1, "men": 5}], "phase": "turn",
                "turn": {"number": 3, "seat": 0}, "duke_rows": [2, 1], "duke_draw": True,
            },
            [
                {"at": "e2", "seat": 0, "kind": "duke", "down": False},
                {"at": "b5", "seat": 0, "kind": "man", "down": False},
                {"at": "a7", "seat": 0, "kind": "man", "down": True},
                {"at": "b8", "seat": 1, "kind": "man", "down": False},
                {"at": "h11", "seat": 1, "kind": "duke", "down": False},
            ],
        ),
        ("W:Ma7 B:Mb8", "", {"phase": "pass"}, []),
    ],
    "oriental_realm": [
        (
            "W:Ee2,Mb5,Mc4 B:Eh11,Mb4,Mb6",
            "Mc4c9",
            {
                "phase": "turn", "turn": {"number": 1, "seat": 0}, "to_move": [0], "realm": "b5", "unmoved": ["b5"],
                "warned": [], "surrounded": [], "left": [{"mandarins": 0, "emperors": 0}] * 2, "outcome": None,
                "viewer": 1, "game": "oriental_realm",
            },
            [
                {"at": "e2", "seat": 0, "kind": "emperor", "pinned": False},
                {"at": "b5", "seat": 0, "kind": "mandarin", "pinned": True},
            ],
        ),
        (
            "free_setup=on",
            "Mb2 Ee2 Mh2",
            {"left": [{"mandarins": 5, "emperors": 1}, {"mandarins": 7, "emperors": 0}]},
            [],
        ),
    ],
    "modern_realm": [
        (
            "W:Ab4,Aa9,Ce2,Hk8 B:Ab8,Ac7,Al12,Ch11",
            "",
            {
                "phase": "turn", "turn": {"number": 1, "seat": 0}, "to_move": [0], "headquarters": [1, 0],
                "stock": [7, 8], "open": {"origin": None, "left": []}, "dislodged": None,
            },
            [
                {"at": "a9", "seat": 0, "kind": "agent", "mobile": False},
                {"at": "b8", "seat": 1, "kind": "agent", "mobile": True},
                {"at": "h11", "seat": 1, "kind": "counter", "mobile": True},
                {"at": "k8", "seat": 0, "kind": "hq", "mobile": False},
            ],
        ),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("tested", "where", "steps", "facts", "pieces"), list_cases(VIEWS))
def test_what_a_view_says(
    tested: Board, where: str, steps: str, facts: dict[str, Any], pieces: list[dict[str, Any]]
) -> None:
    view = tested.game.view(tested.at(where, steps), 1)
    assert {name: view[name] for name in facts} == facts
    shown = {piece["at"]: piece for piece in view["pieces"]}
    assert [shown[piece["at"]] for piece in pieces] == pieces
    assert len(shown) == len(view["pieces"])


ENDS: dict[str, list[tuple[str, str, list[float], int | None, str, str]]] = {
    # position; steps; scores, winner, reason and text
    "realm": [
        ("W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3 phase=over end=max_turns", "", [1, 1], 1, "max_turns",
         "The game reached its last turn. 1 Realms each; Black wins on the tie-break, 8 to 7."),
    ],
    "classic_realm": [
        (WON, "", [1, 0], 0, "all_in_water", "All of Black's frogs are in the water: White wins."),
    ],
    "medieval_realm": [
        ("W:Mb11 B:Mb8", "Mb11off", [8, 7], 0, "borne_off", "White has borne off all eight pieces and wins."),
    ],
    "oriental_realm": [
        ("W:Ma1 B:Ma2,Mb5 move=B", "Mb5b1", [0, 1], 1, "surrounded",
         "Black surrounded one of White's groups and wins."),
        ("W: B:", "pass pass", [0.5, 0.5], None, "two_passes", "Neither player can move: a draw."),
    ],
    "modern_realm": [
        ("W:Hb8,Aa1 B:Al12 turns=300 end=max_turns", "", [1, 0], None, "max_turns",
         "The game reached its last turn: a draw at 1 to 0."),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("tested", "where", "steps", "scores", "winner", "reason", "text"), list_cases(ENDS))
def test_the_view_of_a_game_that_is_over(  # noqa: PLR0913, PLR0917 - a row of the table
    tested: Board, where: str, steps: str, scores: list[float], winner: int | None, reason: str, text: str
) -> None:
    view = tested.game.view(tested.at(where, steps), None)
    assert (view["to_move"], view["phase"]) == ([], "over")
    assert view["outcome"] == {"scores": scores, "winner": winner, "reason": reason, "text": text}


def test_pins_count_for_the_other_seat() -> None:
    tested = BOARDS["oriental_realm"]
    state = tested.at("W:Mb5,Me5,Mk9 B:Ma5,Mc5,Md5,Mf5,Mk8,Mk10 move=W")
    assert tested.game.gains(state) == {"pin": [0, 3]}
    assert tested.game.gains(tested.at("W:Ma5,Mc5,Mk9 B:Mb5,Mk8,Mk10 move=W")) == {"pin": [1, 1]}


# ---- steps


@each_board
def test_every_step_has_one_number(tested: Board) -> None:
    table, codes = tested.game.spec.step_table, range(tested.game.rules.step_codes)
    steps = [table.step_of(code) for code in codes]
    assert [table.code_of(step) for step in steps] == [table.make_code(step) for step in steps] == list(codes)
    assert steps == sorted(steps)


@each_board
def test_there_are_no_other_steps(tested: Board) -> None:
    for code in (-1, tested.game.rules.step_codes):
        with pytest.raises(ValueError, match="there is no step"):
            tested.game.step_of(code)


@each_board
@pytest.mark.parametrize("seed", range(4))
def test_legal_steps_are_sorted_and_unique_and_so_are_their_clicks(tested: Board, seed: int) -> None:
    game = tested.game
    for number, state in enumerate(random_states(tested, seed)):
        steps = tested.steps(state)
        assert steps == sorted(set(steps))
        if number % 4 == 0:
            view = game.view(state, None)
            assert len({game.handles(view, step) for step in steps}) == len(steps)


@pytest.mark.parametrize("seed", range(3))
def test_no_two_steps_of_a_long_game_with_variants_share_their_clicks(seed: int) -> None:
    tested, rng = BOARDS["realm"], Random(seed)
    state = tested.start(optional_creation=True, power_sacrifice=True, rearrange_both=True)
    view = tested.game.view(state, 0)
    for _ in range(150):
        if not tested.game.to_move(state):
            return
        steps = tested.steps(state)
        assert len({tested.game.handles(view, step) for step in steps}) == len(steps)
        state = tested.game.play(state, tested.seat_of(state), tested.random_step(rng, state))


def test_moves_come_first_and_agreements_last() -> None:
    assert StepKind.MOVE == min(StepKind) < max(StepKind) == StepKind.ACCEPT


CLICKS = {  # position or options; step; the handles that are clicked
    "realm": f"""
        {LINES["realm"]} | Pg10g7       | g10 g7
        {LINES["realm"]} | Bh11         | h11
        {LINES["realm"]} | Eg12S        | g12 face:S
        {LINES["realm"]} | Eg12x        | g12
        {LINES["realm"]} | xEg12        | g12
        {LINES["realm"]} | Rh11         | rearrange h11
        {LINES["realm"]} | xPg10(Ei12N) | sacrifice g10 i12 face:N
        {LINES["realm"]} | place:White  | first:White
        {LINES["realm"]} | move:Black   | first:Black
        {LINES["realm"]} | -            | decline
        {LINES["realm"]} | end          | end
        {LINES["realm"]} | pass         | pass
        {LINES["realm"]} | offer        | offer offer
        {LINES["realm"]} | accept       | accept accept
    """,
    "classic_realm": """
        | Fb2e2 | b2 e2
        | Fb2   | b2
        | end   | end
        | pass  | pass
    """,
    "medieval_realm": """
        | De2e5   | e2 e5
        | Mb11off | b11 off
        | pass    | pass
    """,
    "oriental_realm": """
                       | Mb5b7 | b5 b7
                       | end   | end
                       | pass  | pass
        free_setup=on  | Mb2   | hand:Mandarin b2
        free_setup=on  | Eb2   | hand:Emperor b2
        emperor=choose | Eb2   | b2
    """,
    "modern_realm": """
        | Ab4b7 | b4 b7
        | xAb9  | b9
        | Ce2   | e2
        | pass  | pass
    """,
}


@pytest.mark.parametrize(("tested", "where", "text", "clicks"), read_cases(CLICKS))
def test_the_clicks_that_mean_a_step(tested: Board, where: str, text: str, clicks: str) -> None:
    state = tested.at(where)
    assert tested.game.handles(tested.game.view(state, 0), tested.game.parse_move(state, text)) == tuple(clicks.split())
