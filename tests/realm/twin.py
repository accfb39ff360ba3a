"""The slow twin of Realm: RULES.md said again in plain Python, for comparison with the product.

Written from the documents alone and importing nothing of the product. A position is a dict from space ("g12") to
piece ("WB", "WP", "WES", "WEx"); a Realm is named by its Center space, so `pieces.get(realm)` is the Base there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.realm_boards.twin_board import (  # B1 to B3; S8: spaces rise by rank, then by file
    BORDER,
    CENTERS,
    COMPASS,
    FILES,
    LETTER,
    LINE,
    ORDER,
    REALM,
    Pair,
    Pieces,
    add,
)

Row = tuple[str, int]  # R11: the Realm a player rearranged on his latest turns, and on how many in a row
Position = tuple[frozenset[tuple[str, str]], int, tuple[Row, Row], Pair]

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
NO_ROW: Row = ("", 0)


@dataclass(frozen=True)
class TwinOptions:
    bases: int = 12
    enforcers: int = 8
    powers: int = 3
    free_placement: bool = False
    stop_in_enemy_realm: bool = False
    lone_power_base: bool = False
    capture_replaces: bool = False
    second_moves_first: bool = False
    first_turn_single_power: bool = False
    extra_base_second: bool = False
    choose_seat: str = "none"
    tie_break: str = "enforcers"
    power_sacrifice: bool = False
    rearrange_both: bool = False
    rearrange: str = "free"
    optional_creation: bool = False
    rearrange_limit: bool = True
    agree_end: bool = True
    no_progress: int = 60
    max_turns: int = 300


def is_mobile_enforcer(piece: str) -> bool:
    return piece[1] == "E" and piece[2] != "x"


def class_of(piece: str) -> str:  # V15, S8: "WP" Powers, "WE" mobile Enforcers, "WEx" immobile Enforcers, "WB" Bases
    return piece[:2] if is_mobile_enforcer(piece) else piece


def border_pieces(pieces: Pieces, realm: str) -> Pieces:  # the Powers and Enforcers in a Realm
    return {space: pieces[space] for space in BORDER[realm] if space in pieces}


def powers_in(pieces: Pieces, realm: str, letter: str) -> int:
    return list(border_pieces(pieces, realm).values()).count(letter + "P")


class Rearrangement(NamedTuple):
    """A Rearrangement under way (R11, S8)."""

    realm: str
    before: Pieces  # the border pieces of the Realm as they stood
    to_put: tuple[str, ...]  # classes of the lifted pieces not yet put, in order
    last_class: str = ""  # class and space of the last put
    last_space: str = ""

    def after_put(self, space: str) -> Rearrangement:
        return self._replace(to_put=self.to_put[1:], last_class=self.to_put[0], last_space=space)


@dataclass(frozen=True)
class TurnProgress:
    """What has happened in the turn under way."""

    offered: bool = False  # T1: this turn began with an offer
    moved: bool = False  # at least one piece has moved
    origin: str | None = None  # S4: the Realm whose Dispersal is open
    target: str | None = None  # S4: the Realm whose Concentration is open
    progress: bool = False  # T3: a creation, capture, immobilisation or sacrifice happened
    pending: tuple[str, str] | None = None  # ("E1", Realm), ("E2", Realm) or ("E3", space of the moved Enforcer)
    lift: Rearrangement | None = None  # R11: the Rearrangement under way


@dataclass(frozen=True)
class Twin:
    options: TwinOptions
    pieces: Pieces
    setup: tuple[tuple[str, int], ...]  # S1, S2: what is still to be set up, as (kind, seat); empty in play
    player: int  # whose turn it is (in play)
    bases_left: Pair
    enforcers_left: Pair
    captured: Pair = (0, 0)
    turns: int = 0
    quiet: int = 0
    passes: int = 0  # T5: passes in a row
    rows: tuple[Row, Row] = (NO_ROW, NO_ROW)
    offer_stands: bool = False  # T1: an offer was made in the turn just ended
    seen: dict[Position, int] = field(default_factory=dict)  # T3
    turn: TurnProgress = TurnProgress()
    reason: str | None = None
    cache: dict[str, list[str]] = field(default_factory=dict, init=False, compare=False)  # never carried over

    @classmethod
    def initial(cls, options: TwinOptions) -> Twin:
        o = options
        if o.choose_seat in ("move", "both") and (o.second_moves_first or o.extra_base_second):
            raise ValueError("V8 and V10 are refused with V11 move or both")
        both = (o.bases, o.bases)
        start = cls(o, {}, (), 0, both, (o.enforcers, o.enforcers))  # R1, V1, V2
        if o.choose_seat in ("place", "both"):  # V11, S1
            return replace(start, setup=(("place", 1),))
        return start._with_first_placer(0)  # R2: White

    def _with_first_placer(self, first: int) -> Twin:
        o = self.options
        alternately = [first, 1 - first] * max(o.powers, 3)  # R2, V3: four Bases with four Powers, else three
        first_mover = 1 - first if o.second_moves_first else first  # R4, V8
        setup = [("B", seat) for seat in alternately]
        bases_left = self.bases_left
        if o.extra_base_second:  # V10: after all other Bases
            setup.append(("B", 1 - first_mover))
            bases_left = add(bases_left, 1 - first_mover, 1)
        setup += [("P", seat) for seat in [first, 1 - first] * o.powers]  # R3, V3
        if o.choose_seat in ("move", "both"):  # V11
            setup.append(("move", 1))
        return replace(self, setup=tuple(setup), player=first_mover, bases_left=bases_left)

    def _setup_steps(self) -> list[str]:
        kind, seat = self.setup[0]
        if kind in ("place", "move"):  # S1
            return [f"{kind}:White", f"{kind}:Black"]
        own = [center for center in CENTERS if self.pieces.get(center) == LETTER[seat] + "B"]
        if kind == "P":  # R3
            open_realms = [realm for realm in own if powers_in(self.pieces, realm, LETTER[seat]) == 0]
            return ["P" + space for realm in open_realms for space in BORDER[realm] if space not in self.pieces]
        vacant = [center for center in CENTERS if center not in self.pieces]
        # R2: a Center's row of Realms is told by its rank, its column by its file
        strict = [c for c in vacant if all(c[0] != base[0] and c[1:] != base[1:] for base in own)]
        return ["B" + center for center in (vacant if self.options.free_placement or not strict else strict)]  # V3, V4

    def _play_setup(self, step: str) -> Twin:
        kind, seat = self.setup[0]
        if kind == "place":
            return self._with_first_placer(1 if step == "place:Black" else 0)
        rest = replace(self, setup=self.setup[1:])
        if kind == "move":
            rest = replace(rest, player=1 if step == "move:Black" else 0)
        else:
            rest = replace(rest, pieces={**self.pieces, step[1:]: LETTER[seat] + kind})
            if kind == "B":  # R10: the Bases of the set-up are creations
                rest = replace(rest, bases_left=add(self.bases_left, seat, -1))
        if not rest.setup:  # T3: the start of the first turn is the first appearance of its position
            rest = replace(rest, seen={rest._position(): 1})
        return rest

    def seat(self) -> int | None:
        if self.reason is not None:
            return None
        return self.setup[0][1] if self.setup else self.player

    @property
    def me(self) -> str:
        return LETTER[self.player]

    @property
    def foe(self) -> str:
        return LETTER[1 - self.player]

    def _position(self) -> Position:  # T3
        return (frozenset(self.pieces.items()), self.player, self.rows, self.bases_left)

    def _tie_total(self, seat: int) -> int:  # R13, V12
        mobile = sum(1 for piece in self.pieces.values() if piece[0] == LETTER[seat] and is_mobile_enforcer(piece))
        captures = self.captured[seat] if self.options.tie_break == "enforcers+captures" else 0
        return mobile + self.enforcers_left[seat] + captures

    def summary(self) -> dict[str, object]:
        over: dict[str, object] | None = None
        if self.reason is not None:  # R13
            realms = [list(self.pieces.values()).count(letter + "B") for letter in LETTER]
            tie = [self._tie_total(0), self._tie_total(1)]
            white, black = (realms[0], tie[0]), (realms[1], tie[1])
            winner = None if white == black else 0 if white > black else 1
            over = {"reason": self.reason, "realms": realms, "tie": tie, "winner": winner}
        return {
            "pieces": dict(self.pieces),
            "seat": self.seat(),
            "bases_left": list(self.bases_left),
            "enforcers_left": list(self.enforcers_left),
            "captured": list(self.captured),
            "turns": self.turns,
            "quiet": self.quiet,
            "over": over,
        }

    def steps(self) -> list[str]:
        if "steps" not in self.cache:
            self.cache["steps"] = self._steps()
        return list(self.cache["steps"])

    def _steps(self) -> list[str]:
        if self.reason is not None:
            return []
        if self.setup:
            return self._setup_steps()
        turn = self.turn
        if turn.pending:
            return self._event_steps(*turn.pending)
        if turn.lift:
            return self._put_steps(turn.lift)
        if turn.moved:  # S7
            return [*self._moves(), "end"]
        if turn.origin:  # V13: a sacrifice was made, a move must follow
            return self._moves()
        plays = self._moves()
        if not self._is_single_power_turn():  # V9
            plays += [f"R{realm}" for realm in CENTERS if self._may_rearrange(realm)] + list(self._sacrifices())
        if not plays:  # R9
            plays = ["pass"]
        if self.options.agree_end and not turn.offered:  # T1, S3
            plays += ["offer", "accept"] if self.offer_stands else ["offer"]
        return plays

    def _is_single_power_turn(self) -> bool:  # V9
        return self.options.first_turn_single_power and self.turns == 0

    def _destinations(self, pieces: Pieces, start: str) -> Iterator[str]:  # R7, R8
        piece = pieces[start]
        enemy_base = ("B" if piece[0] == "W" else "W") + "B"
        for way in COMPASS:
            if piece[1] == "E" and way == OPPOSITE[piece[2]]:
                continue
            must_stop_in: str | None = None
            for space in LINE[start, way]:
                if space in pieces:
                    break
                realm = REALM[space]
                if realm == REALM[start]:
                    continue
                if must_stop_in not in (None, realm):  # V5
                    break
                if self.options.stop_in_enemy_realm and pieces.get(realm) == enemy_base:
                    must_stop_in = realm
                if space != realm:
                    yield space

    def _moves(self) -> list[str]:  # R9, S4
        # No piece can move twice: what has moved or was created this turn stands outside the Dispersal's origin and
        # inside the Concentration's target.
        turn = self.turn
        single = self._is_single_power_turn()
        if single and turn.moved:
            return []
        is_first = turn.origin is None and turn.target is None
        moves: list[str] = []
        for start, piece in self.pieces.items():
            if piece[0] != self.me or not (piece[1] == "P" or (is_mobile_enforcer(piece) and not single)):
                continue
            ends = self._destinations(self.pieces, start)
            if not (is_first or REALM[start] == turn.origin):
                ends = (end for end in ends if REALM[end] == turn.target)
            moves.extend(f"{piece[1]}{start}{end}" for end in ends)
        return moves

    def _sacrifices(self) -> Iterator[str]:  # V13
        if not self.options.power_sacrifice:
            return
        for power in [space for space, piece in self.pieces.items() if piece == self.me + "P"]:
            for enforcer, piece in border_pieces(self.pieces, REALM[power]).items():
                if piece != self.me + "Ex":
                    continue
                for facing in COMPASS:
                    if self._can_leave(self._after_sacrifice(power, enforcer, facing), REALM[power]):
                        yield f"xP{power}(E{enforcer}{facing})"

    def _after_sacrifice(self, power: str, enforcer: str, facing: str) -> Pieces:  # V13
        pieces = {**self.pieces, enforcer: self.me + "E" + facing}
        del pieces[power]
        return pieces

    def _can_leave(self, pieces: Pieces, realm: str) -> bool:  # V13: a piece of the player in this Realm can move
        for space, piece in border_pieces(pieces, realm).items():
            can_move = piece[0] == self.me and (piece[1] == "P" or is_mobile_enforcer(piece))
            if can_move and next(self._destinations(pieces, space), None) is not None:
                return True
        return False

    def _pieces_to_lift(self, realm: str) -> Pieces:  # R11, V14
        there = border_pieces(self.pieces, realm)
        if not any(piece[0] == self.me for piece in there.values()):
            return {}
        return {s: piece for s, piece in there.items() if piece[0] == self.me or self.options.rearrange_both}

    def _lift(self, realm: str) -> Rearrangement:  # R11, S8
        order = [letter + kind for letter in (self.me, self.foe) for kind in ("P", "E", "Ex")]
        to_put = sorted((class_of(piece) for piece in self._pieces_to_lift(realm).values()), key=order.index)
        return Rearrangement(realm, border_pieces(self.pieces, realm), tuple(to_put))

    def _may_rearrange(self, realm: str) -> bool:  # R11, S8
        lifted = self._pieces_to_lift(realm)
        if not lifted or self.rows[self.player] == (realm, 2):  # rows stay empty without the limit (V17)
            return False
        lift = self._lift(realm)
        return self._can_complete(lift, {s: piece for s, piece in lift.before.items() if s not in lifted})

    def _put_spaces(
        self, lift: Rearrangement, now: Pieces
    ) -> list[str]:  # S8, V15: for the next piece, its completion apart
        kind = lift.to_put[0]
        spaces = [space for space in BORDER[lift.realm] if space not in now]
        if lift.last_class == kind:
            spaces = [space for space in spaces if ORDER[space] > ORDER[lift.last_space]]
        if self.options.rearrange == "all_move" and kind[0] == self.me:
            stood = [space for space, piece in lift.before.items() if class_of(piece) == kind]
            if len(stood) == 1:
                spaces = [space for space in spaces if space != stood[0]]
        return spaces

    def _can_complete(self, lift: Rearrangement, now: Pieces) -> bool:  # S8
        # `lift.before` and `now` hold the border pieces of the Realm only, for nothing else changes.
        if not lift.to_put:
            return now != lift.before
        for space in self._put_spaces(lift, now):
            piece = lift.to_put[0]
            if piece[1:] == "E":  # facing matters only for being different, so take one that did not stand here
                piece += "E" if lift.before.get(space) == piece + "N" else "N"
            if self._can_complete(lift.after_put(space), {**now, space: piece}):
                return True
        return False

    def _put_steps(self, lift: Rearrangement) -> list[str]:  # S8
        now, kind = border_pieces(self.pieces, lift.realm), lift.to_put[0]
        found: list[str] = []
        for space in self._put_spaces(lift, now):
            found.extend(
                f"{kind[1]}{space}{kind[2:]}{facing}"
                for facing in (COMPASS if kind[1:] == "E" else [""])
                if self._can_complete(lift.after_put(space), {**now, space: kind + facing})
            )
        return found

    def play(self, step: str) -> Twin:
        if step not in self.steps():
            raise ValueError(f"not a legal step: {step}")
        if self.setup:
            return self._play_setup(step)
        turn = self.turn
        if turn.pending:
            return self._play_event(step, *turn.pending)
        if turn.lift:
            return self._play_put(step, turn.lift)
        if step == "offer":  # T1
            return self._with(replace(turn, offered=True))
        if step == "accept":  # T1
            return replace(self, reason="agreement")
        if step in ("pass", "end"):
            return self._complete_turn(NO_ROW, step == "pass")
        if step[0] == "R":
            lifted = self._pieces_to_lift(step[1:])
            left = {space: piece for space, piece in self.pieces.items() if space not in lifted}
            return self._with(replace(turn, lift=self._lift(step[1:])), left)
        if step[0] == "x":  # V13: xPa3(Eb1N)
            power, enforcer = step[2:-1].split("(E")
            pieces = self._after_sacrifice(power, enforcer[:-1], enforcer[-1])
            return self._with(replace(turn, origin=REALM[power], progress=True), pieces)
        return self._play_move(step)

    def _with(self, turn: TurnProgress, pieces: Pieces | None = None) -> Twin:
        return replace(self, turn=turn, pieces=self.pieces if pieces is None else pieces)

    def _play_move(self, step: str) -> Twin:
        cut = max(i for i, letter in enumerate(step) if letter in FILES)
        start, end = step[1:cut], step[cut:]
        turn = self.turn
        is_first = turn.origin is None and turn.target is None
        origin = REALM[start] if is_first or turn.origin == REALM[start] else None  # S4
        target = REALM[end] if is_first or turn.target == REALM[end] else None
        pieces = dict(self.pieces)
        piece = pieces.pop(start)
        if piece[1] == "E":  # R8
            piece = piece[:2] + next(way for way in COMPASS if end in LINE[start, way])
        pieces[end] = piece
        after = self._with(replace(turn, moved=True, origin=origin, target=target), pieces)
        return after._power_event(REALM[end]) if piece[1] == "P" else after._enforcer_event(end)

    def _power_event(self, realm: str) -> Twin:  # R10: E1, E2; the Power stands in the Realm already
        there = border_pieces(self.pieces, realm)
        mine, theirs = powers_in(self.pieces, realm, self.me), powers_in(self.pieces, realm, self.foe)
        if realm not in self.pieces:
            if theirs == 0 and (mine == 1 or not self.options.lone_power_base):  # V6
                return self._pend("E1", realm) if self.options.optional_creation else self._create_base(realm)
        elif self.pieces[realm] == self.me + "B":
            hindered = any(is_mobile_enforcer(piece) for piece in there.values())
            if not hindered and len(there) < 8 and self.enforcers_left[self.player] > 0:
                return self._pend("E2", realm)
        return self

    def _enforcer_event(self, space: str) -> Twin:  # R10: E3, E4; the Enforcer stands on its space already
        realm = REALM[space]
        enemies = self._mobile_enemies(realm)
        if len(enemies) >= 2:  # S6
            return self._pend("E3", space)
        if len(enemies) == 1:
            return self._immobilise(space, enemies[0])
        lead = powers_in(self.pieces, realm, self.me) - powers_in(self.pieces, realm, self.foe)
        if self.pieces.get(realm) != self.foe + "B" or lead <= 0:
            return self
        pieces = dict(self.pieces)
        del pieces[realm]
        if lead == 1:
            pieces[space] = self.me + "Ex"
        after = self._with(replace(self.turn, progress=True), pieces)
        after = replace(after, captured=add(self.captured, self.player, 1))
        return after._create_base(realm) if self.options.capture_replaces else after  # V7

    def _mobile_enemies(self, realm: str) -> list[str]:
        there = border_pieces(self.pieces, realm)
        return [space for space, piece in there.items() if piece[0] == self.foe and is_mobile_enforcer(piece)]

    def _immobilise(self, mover: str, victim: str) -> Twin:  # E3
        realm = REALM[mover]
        pieces = {**self.pieces, victim: self.foe + "Ex"}
        if powers_in(pieces, realm, self.me) <= powers_in(pieces, realm, self.foe):
            pieces[mover] = self.me + "Ex"
        return self._with(replace(self.turn, progress=True, pending=None), pieces)

    def _create_base(self, realm: str) -> Twin:  # E1, V7, R12
        turn = replace(self.turn, progress=True, pending=None)
        after = self._with(turn, {**self.pieces, realm: self.me + "B"})
        bases_left = add(self.bases_left, self.player, -1)
        return replace(after, bases_left=bases_left, reason="last_base" if bases_left[self.player] == 0 else None)

    def _pend(self, event: str, where: str) -> Twin:
        return self._with(replace(self.turn, pending=(event, where)))

    def _event_steps(self, event: str, where: str) -> list[str]:  # S5, S6
        if event == "E3":
            return ["xE" + space for space in self._mobile_enemies(REALM[where])]
        decline = ["-"] if self.options.optional_creation else []  # V16
        if event == "E1":
            return ["B" + where, *decline]
        vacant = [space for space in BORDER[where] if space not in self.pieces]
        return [f"E{space}{facing}" for space in vacant for facing in COMPASS] + decline

    def _play_event(self, step: str, event: str, where: str) -> Twin:
        if step == "-":
            return self._with(replace(self.turn, pending=None))
        if event == "E3":
            return self._immobilise(where, step[2:])
        if event == "E1":
            return self._create_base(where)
        pieces = {**self.pieces, step[1:-1]: self.me + "E" + step[-1]}  # E2
        after = self._with(replace(self.turn, progress=True, pending=None), pieces)
        return replace(after, enforcers_left=add(self.enforcers_left, self.player, -1))

    def _play_put(self, step: str, lift: Rearrangement) -> Twin:  # S8
        kind = lift.to_put[0]
        space = step[1:] if kind[1] == "P" else step[1:-1]
        piece = kind + step[-1] if kind[1:] == "E" else kind
        lift = lift.after_put(space)
        after = self._with(replace(self.turn, lift=lift), {**self.pieces, space: piece})
        if lift.to_put:
            return after
        realm, count = self.rows[self.player]
        return after._complete_turn((lift.realm, count + 1 if realm == lift.realm else 1), False)

    def _complete_turn(self, row: Row, passed: bool) -> Twin:
        if not self.options.rearrange_limit:  # V17
            row = NO_ROW
        after = replace(
            self,
            player=1 - self.player,
            turns=self.turns + 1,
            quiet=0 if self.turn.progress else self.quiet + 1,
            passes=self.passes + 1 if passed else 0,
            rows=(row, self.rows[1]) if self.player == 0 else (self.rows[0], row),
            offer_stands=self.turn.offered,
            turn=TurnProgress(),
        )
        position = after._position()
        seen = {**self.seen, position: self.seen.get(position, 0) + 1}
        return replace(after, seen=seen, reason=after._ending(seen[position]))

    def _ending(self, appearances: int) -> str | None:  # T2 to T5, in the order RULES.md gives
        if self._is_dead():
            return "dead_position"
        if self.passes >= 2:
            return "two_passes"
        if self.quiet >= self.options.no_progress:
            return "no_progress"
        if appearances >= 3:
            return "repetition"
        return "max_turns" if self.turns >= self.options.max_turns else None

    def _is_dead(self) -> bool:  # T2
        pieces = list(self.pieces.values())
        if any(center not in self.pieces for center in CENTERS) or any(self.enforcers_left):
            return False
        if any(is_mobile_enforcer(piece) for piece in pieces):
            return False
        can_sacrifice = any(letter + "P" in pieces and letter + "Ex" in pieces for letter in LETTER)
        return not (self.options.power_sacrifice and can_sacrifice)
