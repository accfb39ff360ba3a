"""What the page of a table says beside the map: chips, the Round, steps, choices, news and ties."""

from __future__ import annotations

import cmath
import itertools
import random
import re

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import CHANCE, View
from realmtable.engine.table_parts import ChoiceCard, NewsCard
from realmtable.games.realms_of_etherium.counting import explain_points, find_counted
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.picture.geometry import center_of, empty_hexes
from realmtable.games.realms_of_etherium.places import describe_empty_hex
from realmtable.games.realms_of_etherium.state import State
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of
from tests.example_tables import read_table
from tests.realms_of_etherium.helpers import random_options, with_reserve

VICTORIES = "tiles=Portal@0,0;Conjure@1,0;Transmute@1,-1;Transmute.2@2,-1;Modularity@0,1{marker};Channel@-1,1 {rest}"


def state_of(text: str) -> State:
    return GAME.decode(with_reserve(text))


def table_view(state: State, seat: int | None) -> View:
    """A view as a table gives it: with the position."""
    return {**GAME.view(state, seat), "position": GAME.encode(state)}


def random_states(games: int, steps: int) -> list[State]:
    """Every third state of random games under random options."""
    found = []
    for seed in range(games):
        rng = random.Random(seed)
        state = GAME.initial(rng.randint(2, 4), random_options(rng, "standard"))
        for seat in range(GAME.count_seats(state)):  # so that they can pay for everything
            state.position[[layout.WHITE + seat, layout.BLACK + seat]] = 20
        for _ in range(steps):
            if GAME.outcome(state) is not None:
                break
            seat = GAME.to_move(state)[0]
            legal = [each.move for each in GAME.chance(state)] if seat == CHANCE else GAME.legal_moves(state, seat)
            taking = [step for step in legal if step.kind.name == "CONTROL"]
            state = GAME.play(state, seat, rng.choice(taking or legal))
            found.append(state)
    return found[::3]


STATES = random_states(12, 500)


# ---- what Victory Realms count


def test_what_a_victory_realm_counts_agrees_with_the_kernels_under_all_options() -> None:
    checked = set()
    for view in (GAME.view(state, None) for state in STATES):
        for realm in view["realms"]:
            tile = tile_of(view, realm["kind"])
            if not realm["points"]:
                continue
            counted = find_counted(view, realm)
            number = len(counted) // 2 if tile.power.colours else len(counted)
            assert number * tile.power.points == realm["points"]
            assert set(counted) <= {other["at"] for other in view["realms"]} - {realm["at"]}
            assert explain_points(view, realm).startswith((f"{number} ", f"{number} linked"))
            checked.add(tile.power.verb)
    assert checked == {"score_adjacent", "score_pairs", "score_connected", "score_controlled", "score_types"}


# ---- where empty hexes are


def find_hexes(words: str, names: dict[str, str], empty: tuple[str, ...]) -> list[str]:
    """The empty hexes that words describe, by the angles in the picture; `names` are given by hex."""
    found = re.fullmatch(r"next to (\w+), (?:(\d)\w\w hex )?clockwise(?: of (\w+))?", words)
    assert found
    tile, number, other = found[1], int(found[2] or 1), found[3]
    places = []
    for at in (at for at in names if names[at] == tile):
        starts = [complex(*center_of(hex_)) for hex_ in names if names[hex_] == other] if other else [None]
        for start, hex_ in itertools.product(starts, empty):
            middle, end = complex(*center_of(at)), complex(*center_of(hex_))
            begin = middle - 1j * abs(end - middle) if start is None else start  # from the top
            turn = cmath.phase((end - middle) / (begin - middle)) * 3 / cmath.pi % 6
            steps = number if start is not None else number - 1
            is_near = all(abs(abs(point - middle) - 173.2) < 1 for point in (begin, end))
            if is_near and abs((turn - steps + 0.5) % 6 - 0.5) < 0.01:
                places.append(hex_)
    return places


def test_words_for_an_empty_hex_fit_it_alone() -> None:
    for state in STATES:
        view = GAME.view(state, None)
        names = {realm["at"]: realm["name"].replace(".", "") for realm in view["realms"]}  # every tile by its own name
        empty = empty_hexes(view)
        for hex_ in empty:
            assert find_hexes(describe_empty_hex(hex_, names), names, empty) == [hex_]
    assert describe_empty_hex("9,9", {"0,0": "Portal", "1,0": "Draw"}) == "away from all Realms"


def test_no_words_on_the_page_have_coordinates() -> None:
    coordinates = re.compile(r"-?\d+,-?\d+")
    for state in STATES[::4]:
        for seat in (seat for seat in GAME.to_move(state) if seat >= 0):
            words = [GAME.describe_move(state, step) for step in GAME.legal_moves(state, seat)]
            words += re.findall(r'(?:aria-label|data-now)="([^"]*)"', GAME.draw(GAME.view(state, seat)))
            for step in (
                "to 3,-3",
                "summon 2,2",
                "summon 20,0",
                "shift 1,0",
                "put 4,0",
                "with 0,0",
                "to 0,0",
                "swap 5,5",
            ):
                try:
                    GAME.play(state, seat, GAME.parse_move(state, step))
                except IllegalMove as refusal:
                    words.append(str(refusal))
            assert not [text for text in words if coordinates.search(text)]


# ---- chips, the Round, the steps of a turn


def test_chips_say_what_a_seat_has() -> None:
    view = GAME.view(
        state_of(f"{VICTORIES.format(marker=':1', rest='mages=portal;1,0x/portal etherium=2.1/0.3')}"), None
    )
    scarlet, azure = GAME.seat_chips(view)
    assert scarlet.icon == "seat0"
    assert [(fact.icon, fact.value) for fact in scarlet.facts] == [
        ("white", "2"), ("black", "1"), ("mage", "1/2"), ("flag", "1"),
    ]  # fmt: skip
    assert scarlet.total is not None
    assert (scarlet.total.value, scarlet.total.of, scarlet.total.share) == ("3", "12", 0.25)
    assert [fact.value for fact in azure.facts] == ["0", "3", "1/1", "0"]


def test_the_moment_is_the_round() -> None:
    text = "mages=portal/portal round=4 turn=9"
    assert GAME.moment(GAME.view(state_of(text), None))[:2] == ("Round 4", "12 stars start the last Round")
    assert GAME.moment(GAME.view(state_of(f"{text} triggered"), None)).text == "the last Round"
    assert (
        GAME.moment(GAME.view(state_of(f"{text} triggered phase=over end=points"), None)).title == "4 Rounds are over"
    )
    assert GAME.moment(GAME.view(GAME.initial(2), None)).title == "Set-up"


STEPS = read_table("""
mages=portal;portal/portal | choose one, now; , later; , later; 1 Mage left, later
mages=0,1;portal/portal etherium=1.3/0.0 phase=act active=1 held=0,1 | in Modularity, done; 1 left, now; can pay, now; 1 Mage left, later
mages=0,1;portalx/portal etherium=1.1/0.0 phase=act active=1 held=0,1 | in Modularity, done; 1 left, now; 2 Black short, later; your last Mage, later
mages=0,1;portalx/portal etherium=1.3/0.0 phase=act active=1 held=0,1 moved=1 | in Modularity, done; done, done; can pay, now; your last Mage, later
mages=0,1;portalx/0,1 etherium=1.3/0.0 phase=act active=1 held=0,1 moved=1 | in Modularity, done; done, done; not here, lost; your last Mage, now
mages=portal;1,0/portal phase=source active=1 hex=-1,0 | in the Portal, done; choose a tile, now; not here, later; 1 Mage left, later
mages=1,0;portal/portal etherium=0.3/0.0 phase=enter active=1 entering=1.1 held=1,0 | in Conjure, done; use Conjure, now; 1 White short, later; 1 Mage left, later
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("rest", "steps"), STEPS)
def test_the_steps_of_a_turn(rest: str, steps: str) -> None:
    state = state_of(VICTORIES.format(marker="", rest=rest))
    found = GAME.turn_steps(table_view(state, 0))
    assert [step.title for step in found] == ["Mage", "Move", "Control", "End"]
    assert [f"{step.note}, {step.state}" for step in found] == steps.split("; ")
    assert GAME.turn_steps(table_view(state, 1)) == GAME.turn_steps(table_view(state, None)) == []


# ---- choices


def cards_of(rest: str, *, marker: str = "", tiles: str = "") -> dict[str, ChoiceCard]:
    text = VICTORIES.format(marker=marker, rest=rest)
    state = state_of(text.replace("Channel@-1,1", tiles) if tiles else text)
    return {card.title: card for card in GAME.choice_cards(table_view(state, GAME.to_move(state)[0]))}


def test_control_says_what_it_costs_and_brings() -> None:
    at_realm = "mages=0,1;portal/portal phase=act active=1 held=0,1"
    card = cards_of(f"{at_realm} etherium=1.3/0.0")["Take Control of Modularity"]
    assert (card.handles, card.cost, card.gain, card.is_main) == (("control",), "1 White, 3 Black", "+3 stars", True)
    assert card.note == "3 linked Green Realms · you reach 3 of 12"
    last = cards_of(f"{at_realm} etherium=1.3/0.0 options=points=3")["Take Control of Modularity"]
    assert last.note.endswith("you reach 3 of 3 · the last Round begins")
    assert cards_of(f"{at_realm} etherium=0.1/0.0")["Take Control of Modularity"].off == "1 White and 2 Black short"
    assert "Take Control of Modularity" not in cards_of(f"{at_realm} etherium=1.3/0.0", marker=":1")
    other = cards_of("mages=0,1;portal/0,1 phase=act active=1 held=0,1 etherium=1.3/0.0")
    assert other["Take Control of Modularity"].off == "Another player's Mage is in Modularity"
    plain = cards_of("mages=1,0;portal/portal phase=act active=1 held=1,0 etherium=1.1/0.0")["Take Control of Conjure"]
    assert (plain.gain, plain.is_main, plain.note) == ("", False, "it stays in the world, and Realms break ties")


def test_moves_and_powers_say_where_or_why_not() -> None:
    cards = cards_of("mages=1,0;portal/portal phase=act active=1 held=1,0")
    assert {*cards["Move"].handles} == {"portal", "hex:0,1", "hex:1,-1", "hex:2,-1"}
    assert cards["Move"].note == "4 glow"
    assert cards["Summon"].note == f"{len(cards['Summon'].handles)} glow"
    assert cards["End"].handles == ("end",)
    moved = cards_of("mages=1,0;portal/portal phase=act active=1 held=1,0 moved=1")
    assert moved["Move"].off == moved["Summon"].off == "no move left"
    alone = state_of("tiles=Portal@0,0 mages=portal;portal/portal phase=act active=1")
    off = {card.title: card.off for card in GAME.choice_cards(table_view(alone, 0)) if card.off}
    assert off == {"Move": "no Realm is next to it"}
    push = "mages=-1,1;portal/-1,1 phase=act active=1 held=-1,1"
    assert cards_of(push, tiles="Displace@-1,1")["Push Mages out"].off == "1 White short"
    assert cards_of(f"{push} etherium=1.0/0.0", tiles="Displace@-1,1")["Push Mages out"].cost == "1 White"
    nobody = push.replace("/-1,1", "/portal")
    nobody_there = cards_of(f"{nobody} etherium=1.0/0.0", tiles="Displace@-1,1")["Push Mages out"]
    assert nobody_there.off == "There is no Mage to push out of this place"


def test_every_question_has_cards() -> None:
    cards = cards_of("mages=1,0;portal/portal etherium=0.3/0.0 phase=enter active=1 entering=1.1 held=1,0")
    assert [(card.title, card.cost, *card.handles) for card in cards.values()] == [
        ("Get a new Mage", "3 Black", "use"), ("Leave Conjure unused", "", "skip"),
    ]  # fmt: skip
    converting = cards_of("mages=1,-1;portal/portal etherium=4.1/0.0 phase=enter active=1 entering=1.1 held=1,-1")
    assert {title: card.cost for title, card in converting.items() if card.cost} == {
        "Make 1 Black": "2 White", "Make 2 Black": "4 White", "Make 2 White": "1 Black",
    }  # fmt: skip
    sources = cards_of("mages=portal;portal/portal phase=source active=1 hex=-1,0")
    assert [len(card.handles) for card in sources.values()] == [6, 1, 1]
    mages = cards_of("mages=portal;1,0;1,0x/portal")
    assert [*mages] == ["Activate the Mage in the Portal", "Activate the Mage in Conjure"]


def test_cards_lead_to_legal_steps_and_leave_none_out() -> None:
    kinds = set()
    for state in STATES:
        for seat in (seat for seat in GAME.to_move(state) if seat >= 0):
            view = table_view(state, seat)
            starts = {GAME.handles(view, step)[0] for step in GAME.legal_moves(state, seat)}
            cards = GAME.choice_cards(view)
            offered = [handle for card in cards for handle in card.handles]
            assert len(offered) == len({*offered})
            assert {*offered} == (starts if cards else set())
            assert all(bool(card.handles) != bool(card.off) for card in cards)
            assert cards or view["phase"] in {"react", "colours"}
            kinds.add(view["phase"])
    assert {"mage", "act", "source", "enter", "tribute", "protect", "push"} <= kinds


def test_spectators_and_views_without_a_position_get_no_cards() -> None:
    state = state_of("mages=portal/portal")
    assert GAME.choice_cards(table_view(state, None)) == GAME.choice_cards(GAME.view(state, 0)) == []


# ---- news


def news_of(text: str, step: str) -> NewsCard | None:
    state = state_of(text)
    return GAME.news_card(state, GAME.to_move(state)[0], GAME.parse_move(state, step), None)


NEWS = read_table("""
mages=0,1;portal/portal etherium=1.3/0.0 phase=act active=1 held=0,1 | control | Scarlet took Control of Modularity | For 1 White and 3 Black; worth 3 stars now: 3 linked Green Realms | hex:0,1
mages=0,1;portal/portal etherium=1.3/0.0 phase=act active=1 held=0,1 options=points=3 | control | Scarlet has 3 stars | This is the last Round. The most stars win. | hex:0,1
mages=portal;portal/portal phase=act active=1 | to -1,1 | Scarlet gained 2 White | | hex:-1,1
mages=portal;portal/portal phase=draw active=1 supply=realm hex=0,-1 | reveal Lessen | Scarlet summoned Lessen | Purple, Orange and Green powers cost you 1 White less. | hex:0,-1
mages=portal;portal/portal phase=draw active=1 supply=realm hex=0,-1 | reveal Condense | Scarlet gained 1 Black | Scarlet summoned Condense | hex:0,-1
mages=1,0;portal/portal etherium=0.3/0.0 phase=enter active=1 entering=1.1 held=1,0 | use | Scarlet has a new Mage | For 3 Black | hex:1,0
mages=1,-1;portal/portal etherium=2.0/0.0 phase=enter active=1 entering=1.1 held=1,-1 | make 1 black | Scarlet gained 1 Black | | hex:1,-1
mages=1,0;portalx/portalx phase=act active=1 held=1,0 | end | Round 2 begins | All Mages stand up. Azure is first. |
mages=portal;portal/portal | mage 1 | | |
""")  # noqa: E501 - a row is one example


@pytest.mark.parametrize(("rest", "step", "title", "text", "handle"), NEWS)
def test_news_say_what_happened_and_where(rest: str, step: str, title: str, text: str, handle: str) -> None:
    card = news_of(VICTORIES.format(marker="", rest=rest), step)
    if not title:
        assert card is None
        return
    assert card is not None
    assert (card.title, card.text, card.handles) == (title, text, (handle,) if handle else ())


def test_news_concern_those_whom_they_harm() -> None:
    tribute = "tiles=Portal@0,0;Tribute@1,0;Channel@1,-1 mages=1,0;portal/1,-1;portal etherium=1.0/2.2 phase=tribute "
    card = news_of(f"{tribute} active=1 entering=1.1 asked=2.1 held=1,0", "collect white")
    assert card is not None
    assert (card.title, card.concerns) == ("Scarlet took 1 White from Azure", (1,))
    paralyze = (
        "tiles=Portal@0,0;Paralyze@1,0;Draw@1,-1 mages=1,0;portal/1,-1;1,-1x etherium=0.1/0.0 phase=enter active=1"
    )
    card = news_of(f"{paralyze} entering=1.1 held=1,0", "use")
    assert card is not None
    assert (card.title, card.concerns) == ("Azure's Mage 1 became Exhausted", (1,))
    swap = "tiles=Portal@0,0;Channel@0,-1;Protection@2,-1;Quicken@0,1;Swap@1,0;Affinity@1,-1:2"
    card = news_of(
        f"{swap} mages=1,0;1,-1x/portal;0,-1x phase=with active=1 entering=1.1 held=1,0 picked=0,-1 used=1@1,0",
        "with 0,1",
    )
    assert card is not None
    assert (card.title, card.text, card.concerns) == (
        "Scarlet swapped Channel with Quicken",
        "Azure has 2 stars now.",
        (1,),
    )


# ---- the end


def tie_of(mages: str, etherium: str, markers: str) -> tuple[str, int, str] | None:
    text = f"tiles=Portal@0,0;Conjure@1,0{markers[0:2]};Draw@0,1{markers[2:4]};Swap@-1,1{markers[4:6]};Multiply@-1,0"
    view = GAME.view(state_of(f"{text} mages={mages} etherium={etherium} phase=over end=max_rounds"), None)
    found = GAME.tie_break(view)
    return None if found is None else (found.title, found.decides, found.text)


TIES = read_table("""
:1:1:2 | 0.0/3.0 | Equal stars, so Realms decide: 2 to 1 | 1 | With 1 more Realm, Azure would have won. 1 was free.
:1:1:2 | 0.0/0.0 | Equal stars, so Realms decide: 2 to 1 | 1 | With 2 more Realms, Azure would have won.
:1:2 | 0.3/4.1 | Equal stars and Realms, so Black decides: 3 to 1 | 2 | With 2 more Black, Azure would have won.
:1:2 | 4.1/2.1 | Equal stars, Realms and Black, so White decides: 4 to 2 | 3 | With 3 more White, Azure would have won.
:1:2 | 2.1/2.1 | Scarlet and Azure share first place | -1 |
""")


@pytest.mark.parametrize(("markers", "etherium", "title", "decides", "text"), TIES)
def test_ties_are_explained_in_the_order_of_the_rules(
    markers: str, etherium: str, title: str, decides: str, text: str
) -> None:
    assert tie_of("portalx/portalx", etherium, markers) == (title, int(decides), text)


def test_more_of_what_was_missing_would_have_won() -> None:
    """The numbers are right: with them the winner would be another, and with one less not."""
    rng = random.Random(1)
    for _ in range(300):
        amounts = [[rng.randint(0, 2) for _ in range(4)] for _ in range(3)]
        view = {**GAME.view(state_of("mages=portalx/portalx/portalx phase=over end=max_rounds"), None)}
        names = ("points", "controlled", "black", "white")
        view["players"] = [dict(zip(names, row, strict=True)) for row in amounts]
        ranking = [1 + sum(other > row for other in amounts) for row in amounts]
        found = GAME.tie_break({**view, "outcome": {**view["outcome"], "ranking": ranking}})
        assert found is not None
        if found.decides < 0:
            assert ranking.count(1) > 1
            continue
        second = amounts[("Scarlet", "Azure", "Amber").index(re.search(r"(\w+) would", found.text)[1])]  # type: ignore[index]  # it says so
        missing, best = int(re.search(r"\d+", found.text)[0]), max(amounts)  # type: ignore[index]  # as above
        second[found.decides] += missing
        assert second > best
        second[found.decides] -= 1
        assert not second > best


def test_before_the_end_nothing_is_decided() -> None:
    assert GAME.tie_break(GAME.view(state_of("mages=portal/portal"), None)) is None
