"""How the map comes about (M1 to M3), for the twin of Magic Realm."""

from __future__ import annotations

from tests.magic_realm.twin.twin_data import (
    CLEARINGS,
    EDGES,
    STEPS,
    TILES,
    build_roadways,
    find_connected,
    stock_map,
    tile_of,
)
from tests.magic_realm.twin.twin_table import Table

Hex = tuple[int, int]
Place = tuple[int, int, int]  # hex and turn
EASY_GROUPS = ("V", "W")  # M2, M3
CODES = {row["name"]: code for code, row in TILES.items()}


class MapBuilder:
    def __init__(self, table: Table, seats: int) -> None:
        self.table = table
        self.laid: dict[str, Place] = {}  # by the codes of the tiles
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.put_back: list[str] = []
        table.describe = self.describe

    def describe(self) -> dict[str, object]:
        return {
            "part": "setup",
            "map": {f"{code}:{q},{r},{turn}" for code, (q, r, turn) in self.laid.items()},
            "hands": [{*hand} for hand in self.hands],
            "back": self.put_back,
        }

    def build(self, how: str) -> list[str]:
        """Return the tiles as `AV 1 -1 5`."""
        if how.startswith("stock"):
            return stock_map(how)
        is_whole = self.deal_map() if how == "dealt" else self.let_players_build()
        return self.write_tiles() if is_whole else stock_map("stock1")

    def write_tiles(self) -> list[str]:
        return [f"{code} {q} {r} {turn}" for code, (q, r, turn) in self.laid.items()]

    # Legal places.

    def neighbours(self, q: int, r: int) -> dict[str, str]:
        """The tiles around a hex, by the edge of the hex."""
        hexes = {(column, row): code for code, (column, row, _) in self.laid.items()}
        around = {edge: hexes.get((q + dq, r + dr)) for edge, (dq, dr) in STEPS.items()}
        return {edge: code for edge, code in around.items() if code}

    @staticmethod
    def has_road(code: str, turn: int, edge: str) -> bool:
        unturned = EDGES[(EDGES.index(edge) - turn) % 6]
        return any(road["to"] == unturned for road in TILES[code]["green"]["roads"])

    def find_places(self, code: str) -> list[Place]:
        """M1, M2."""
        taken = {(q, r) for q, r, _ in self.laid.values()}
        hexes = {(q + dq, r + dr) for q, r in taken for dq, dr in STEPS.values()} - taken
        return [(q, r, turn) for q, r in sorted(hexes) for turn in range(6) if self.is_legal(code, (q, r, turn))]

    def is_legal(self, code: str, place: Place) -> bool:
        q, r, turn = place
        around = self.neighbours(q, r)
        if len(around) < min(2, len(self.laid)):
            return False
        for edge, other in around.items():
            opposite = EDGES[(EDGES.index(edge) + 3) % 6]
            if self.has_road(code, turn, edge) != self.has_road(other, self.laid[other][2], opposite):
                return False
        connected = find_connected(build_roadways([*self.write_tiles(), f"{code} {q} {r} {turn}"]))
        joined = [name in connected for name in CLEARINGS if tile_of(name) == code]
        return any(joined) if TILES[code]["group"] in EASY_GROUPS else all(joined)

    # Dealt maps.

    def deal_map(self) -> bool:
        """M3, `dealt`: whether the map could be finished."""
        self.laid["B"] = (0, 0, 0)
        pile = [code for code in TILES if code != "B"]
        failed = 0  # tiles put back since the last one was laid
        while pile or self.put_back:
            if failed == len(pile) + len(self.put_back):
                return False
            waiting = pile or self.put_back[:1]
            code = CODES[self.table.draw({f"draw {TILES[code]['name']}": 1 for code in waiting}).removeprefix("draw ")]
            (pile or self.put_back).remove(code)
            places = self.find_places(code)
            if TILES[code]["group"] in EASY_GROUPS:
                apart = [place for place in places if not self.is_next_to_easy(place)]
                places = apart or places
            if not places:
                self.put_back.append(code)
                failed += 1
                continue
            answer = self.table.draw({f"lay {q} {r} {turn}": 1 for q, r, turn in places})
            q, r, turn = map(int, answer.split()[1:])
            self.laid[code] = (q, r, turn)
            failed = 0
        return True

    def is_next_to_easy(self, place: Place) -> bool:
        around = self.neighbours(place[0], place[1]).values()
        return any(TILES[other]["group"] in EASY_GROUPS for other in around)

    # Maps of the players.

    def let_players_build(self) -> bool:
        """M3, `players`: whether the map could be finished."""
        left = [*TILES]
        seats = len(self.hands)
        while left:
            names = {f"deal {TILES[code]['name']}": 1 for code in left}
            code = CODES[self.table.draw(names).removeprefix("deal ")]
            left.remove(code)
            self.hands[(len(TILES) - 1 - len(left)) % seats].append(code)
        seat = next(seat for seat, hand in enumerate(self.hands) if "B" in hand)
        self.hands[seat].remove("B")
        self.laid["B"] = (0, 0, 0)
        skipped = 0
        while any(self.hands):
            seat = (seat + 1) % seats
            places = {code: self.find_places(code) for code in self.hands[seat]}
            places = {code: row for code, row in places.items() if row}
            if places:
                self.lay_tile(seat, places)
                skipped = 0
            else:
                skipped += 1
            if skipped == seats:
                return False
        return True

    def lay_tile(self, seat: int, places: dict[str, list[Place]]) -> None:
        names = [f"tile {TILES[code]['name']}" for code in places]
        code = CODES[self.table.ask_one(seat, names).removeprefix("tile ")]
        hexes = [*dict.fromkeys(f"place {q} {r}" for q, r, _ in places[code])]
        answer = self.table.ask_one(seat, hexes)
        turns = [f"turn {turn}" for q, r, turn in places[code] if f"place {q} {r}" == answer]
        turn = int(self.table.ask_one(seat, turns).removeprefix("turn "))
        q, r = map(int, answer.split()[1:])
        self.hands[seat].remove(code)
        self.laid[code] = (q, r, turn)
