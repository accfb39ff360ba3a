"""An independent, slow implementation of a day of Magic Realm, written from RULES.md and the data alone.

    day = play_day(setup, plans, dice, choices)

plays one day from sunrise to the end of daylight; the evening is in twin_evening.py, whole games are in twin_game.py,
and the score is in twin_score.py. All arguments are plain data. Where RULES.md is unclear, twin_readings.md says how
the twin reads it.

`setup`, of which only `heroes` is required:

- `heroes`: by seats, a dict of the characters. `at` is a clearing or roadway; optional are `hidden` (default True),
  `goods` (`["Light Bow-1+", "Golden Crown"]`, `+` for active ones, in the order in which they came), `fatigued` and
  `wounded` (numbers of chits, 1 to 12), `knows` (roadways, sites, site cards), `seen` (`["CG Howl-4"]`), `gold`,
  `orders` (`{"block": "never"}`, Z9), `anywhere` (T5), `curses` (`["Eyemist"]`, C27).
- `map`: `stock1` (default) to `stock3`, or a list of tiles such as `"AV 1 -1 5"`.
- `options`: `follow`, `recording`, `two_rows` and `encounter`, as in V3 to V5 and V8. `day`: its number, 1 by default.
- `rows`: the rows that prowl; without it the die is rolled (B5).
- `chits`: the map chits of tiles, `{"CG": ["Bones", "Howl-4"], "CN": ["Dank", "Lost City"]}`, and `stacks`, the chits
  that wait: `{"Lost City": [...]}` (empty once they lie in the tile). `face_up`, `summoned`, `public` (known to
  everyone): lists such as `["CG Howl-4"]`.
- `dwellings`: `{"Inn": "BV5"}`. `monsters`: those on the map, `{"Giant-1": "CG6"}`; the others are in their boxes.
  `held`: monsters that have blocked or been blocked. `ghosts`: the clearing where the Ghosts started.
- `boxes`: the treasures of sites and special cards, from the top, `{"Hoard": ["Golden Crown"]}`. `piles`: those of
  clearings. `open`: whether the Vault is open. A card that nobody draws that day can be written `large` or `small`.

`plans`: the entries that each hero has written, in the notation of Z12: `{"Elf": ["M CG2", "M CG2", "H"]}`. A day that
may not be written raises RefusedPlanError with its clause; `may_write` asks for it beforehand.

`dice`: a list of `label: numbers`, taken by label in the order given. Labels are `prowl`, `next` (a name: whose counter
is drawn; the next hero by seats if it is left out) and hero and table, `Elf hide: 6 2`, `Woods Girl peer: 3`. The
tables are hide, peer, locate, loot, sight, and the three site cards in lower case. Entries without a label (`d 6 2`,
`die 4`, `next Elf`, as in Z7) fit any. A wrong number of dice raises ScriptError, so a test sees who rolls one die.

`choices`: a list of `hero: answer` in the notation of Z13, taken in order for each hero. By default an answer waits
until it is legal, and until then the twin goes on: `go`, `pass`, `along`, `later`, `keep`, `put back`, the first chit.
With `strict=True` every question that Z3 does not answer takes the next entry; use it to follow a record. What a hero
does in a Search phase always has to be given. Dice and choices that are not used raise ScriptError.

`Day` has for each hero `places`, `hidden`, `blocked`, `phases` (each as `M CG2: done`, `climbs`, `lost D9` or `blank`;
the blank phase of B3 is not among them), `lost` (number of the phase, entry, clause), `used` (the phases it used),
`goods`, `alerted`, `fatigued`, `wounded`, `knows`, `seen`, `found`, `gold`, `curses`, `came`; and `berserk`,
`monsters`, `held`, `piles`, `boxes`, `gone`, `dwellings`, `chits`, `face_up`, `summoned`, `public`, `rows`, `first`,
the `log` and the questions that were `asked`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.magic_realm.twin.twin_blocking import Blocking
from tests.magic_realm.twin.twin_data import CLEARINGS, GHOSTS, GOODS, is_cave, is_mountain
from tests.magic_realm.twin.twin_state import Hero, RefusedPlanError, Script, World
from tests.magic_realm.twin.twin_written_day import find_refusal, is_pony_move, move_target

FORBIDDEN: Final = {"S": "Eyemist", "H": "Squeak", "R": "Ill Health"}  # C27: activities, and the curses against them


@dataclass
class Day:
    places: dict[str, str]
    hidden: dict[str, bool]
    blocked: dict[str, bool]
    phases: dict[str, list[str]]
    lost: dict[str, list[tuple[int, str, str]]]
    used: dict[str, list[str]]
    goods: dict[str, list[str]]
    alerted: dict[str, set[str]]
    berserk: set[str]
    fatigued: dict[str, list[int]]
    wounded: dict[str, list[int]]
    knows: dict[str, set[str]]
    seen: dict[str, set[str]]
    found: dict[str, set[str]]
    gold: dict[str, int]
    curses: dict[str, set[str]]
    came: dict[str, str | None]
    monsters: dict[str, str]
    held: set[str]
    piles: dict[str, list[str]]
    boxes: dict[str, list[str]]
    gone: list[str]
    dwellings: dict[str, str]
    chits: dict[str, list[str]]
    face_up: set[str]
    summoned: set[str]
    public: set[str]
    rows: list[int]
    first: str | None
    log: list[str]
    asked: list[tuple[str, list[str], str]]


def may_write(setup: dict[str, Any], hero: str, plan: list[str]) -> str | None:
    """The clause by which a hero may not write this day, or None."""
    world = World(setup, Script([], [], strict=False))
    return find_refusal(world, world.heroes[hero], plan)


def play_day(
    setup: dict[str, Any],
    plans: dict[str, list[str]],
    dice: Sequence[str] = (),
    choices: Sequence[str] = (),
    *,
    strict: bool = False,
    script: Script | None = None,
) -> Day:
    """Play a day; `script` can replace dice and choices, for tests that answer as they go."""
    script = script or Script(dice, choices, strict=strict)
    twin = Twin(setup, script)
    for name, plan in plans.items():
        clause = find_refusal(twin, twin.heroes[name], plan)
        if clause:
            raise RefusedPlanError(clause)
        twin.heroes[name].plan = [*plan]
    twin.rise(setup)
    twin.take_turns()
    script.check_empty()
    return twin.report()


class Twin(Blocking):
    """Sunrise and daylight."""

    # Sunrise.

    def rise(self, setup: dict[str, Any]) -> None:
        """B4 to B6."""
        for hero in self.heroes.values():
            if hero.plan and hero.plan[0].startswith("F "):
                hero.guide = hero.plan[0].removeprefix("F ")
        guides = {hero.name: self.find_guide(hero) for hero in self.heroes.values() if hero.guide}
        for name, guide in guides.items():
            hero = self.heroes[name]
            hero.plan = []
            if guide is None:  # a circle: no turn that day
                hero.done = True
                self.log.append(f"{name} follows in a circle: B4")
            else:
                hero.guide = guide.name
        if "rows" not in setup:
            two = {"solo": self.seat_count == 1, "always": True, "never": False}[self.options.get("two_rows", "never")]
            for _ in range(1 + two):
                self.rows = sorted({*self.rows, *self.script.roll("prowl", 1)})
        if self.day_number % 7 == 0:  # B6
            for name in [*self.monsters]:
                if name in GHOSTS:
                    self.monsters[name] = self.ghosts or self.monsters[name]
                elif self.prowls(name):
                    del self.monsters[name]

    def find_guide(self, hero: Hero) -> Hero | None:
        """The hero at the end of a chain of followers, or None if the chain ends in a circle."""
        seen = [hero]
        while seen[-1].guide:
            seen.append(self.heroes[seen[-1].guide])
            if len(seen) > len(self.heroes):
                return None
        return seen[-1]

    # Daylight.

    def take_turns(self) -> None:
        """D1."""
        while True:
            waiting = [hero.name for hero in self.heroes.values() if not hero.done and hero.guide is None]
            if not waiting:
                return
            name = self.choose_next(waiting)
            self.first = self.first or name
            self.take_turn(self.heroes[name])

    def choose_next(self, waiting: list[str]) -> str:
        others = [name for name in waiting if name != "Swordsman"]
        if "Swordsman" in waiting:
            options = ["now", "later"] if others else ["now"]
            if self.script.choose("Swordsman", options, "later") == "now":
                return "Swordsman"
        return self.script.draw_next(others)

    def take_turn(self, hero: Hero) -> None:
        """D2, D3."""
        self.acting = hero.name
        hero.hidden = False
        for follower in self.followers_of(hero):
            follower.hidden = False
        if self.options["recording"] == "written":
            for entry in hero.plan:
                if not hero.blocked:
                    self.do_phase(hero, entry)
        else:
            hero.plan = []
            while not hero.blocked:
                entries = self.find_choices(hero)
                if not entries:
                    break
                entry = self.script.choose(hero.name, [*entries, "done"], "done", always=True)
                if entry == "done":
                    break
                hero.plan.append(entry)
                self.do_phase(hero, entry)
        if not hero.phases:  # B3: one blank phase, in which nothing else happens
            self.block_after_phase(hero)
        # Following stops when the guide's turn ends, so arriving monsters find the followers there (D24, L4).
        followers = self.followers_of(hero)
        for follower in followers:
            follower.guide = None
            follower.done = True
        self.end_turn(hero)
        for follower in followers:
            self.end_turn(follower)
        self.acting = None

    def do_phase(self, hero: Hero, entry: str) -> None:
        """D3: rearranging, stopping, the activity, blocking, and the turns of those who are left behind."""
        began_with = {item.name for item in hero.goods if item.active}
        self.left_behind: list[Hero] = []
        for other in [hero, *self.followers_of(hero)]:
            self.rearrange(other)
        if self.options["follow"] == "may_stop":
            for follower in self.followers_of(hero):
                options = ["along", "stop"] if follower.orders.get("follow") == "ask" else ["along"]
                if self.script.choose(follower.name, options, "along") == "stop":
                    self.leave_behind(follower)
        climbs, hero.climbs = hero.climbs, None
        outcome = self.do_activity(hero, entry, began_with, climbs)
        hero.phases.append(f"{entry}: {outcome}")
        self.log.append(f"{hero.name} {entry}: {outcome}")
        self.block_after_phase(hero)
        for follower in self.left_behind:
            self.end_turn(follower)

    def leave_behind(self, follower: Hero) -> None:
        """D24: it no longer follows, and ends its turn at the end of this phase."""
        follower.guide = None
        follower.done = True
        self.left_behind.append(follower)

    def do_activity(self, hero: Hero, entry: str, began_with: set[str], climbs: str | None) -> str:
        source = self.find_source(hero, entry, began_with)
        if source is None:
            return f"lost {'D6' if is_pony_move(entry) else 'T1' if entry[0] == 'P' else 'D5'}"
        hero.used.append(source)
        if entry == "-":
            return "blank"
        if entry != "R" and not hero.active_chits():
            return "lost D8"
        target = move_target(entry)
        if target:
            return self.move(hero, target, climbs, is_pony=is_pony_move(entry))
        if hero.at not in CLEARINGS:
            return "lost D30"
        if entry == f"P {hero.at}":  # it must be another mountain clearing
            return "lost T1"
        if FORBIDDEN.get(entry) in hero.curses:
            return "lost C27"
        self.act_in_clearing(hero, [hero, *self.followers_of(hero)], entry)
        return "done"

    def act_in_clearing(self, hero: Hero, group: list[Hero], entry: str) -> None:
        """D13 to D16, T1; without combat an Alert does nothing (D14)."""
        if entry == "H":
            if not hero.hidden and self.roll_on(hero, "hide") < 6:
                for other in group:
                    other.hidden = "Squeak" not in other.curses
        elif entry == "R":
            for other in group:
                if "Ill Health" not in other.curses:
                    self.rest(other, may_stop=other is not hero)
        elif entry == "A" and self.options["encounter"] == "2":
            for other in group:
                self.alert(other, may_pass=other is not hero)
        elif entry == "S":
            self.search(hero, group)
        elif entry.startswith("P "):
            self.use_table(hero, group, "peer", entry.removeprefix("P "))

    def move(self, hero: Hero, target: str, climbs: str | None, *, is_pony: bool) -> str:
        """D9 to D11, D24."""
        roadway = self.roadway_to(hero, target)
        if roadway is None or not self.is_open(hero, roadway):
            return "lost D9"
        if is_cave(target) and "sunlight" in hero.used:
            return "lost D4"
        self.shed_followers(hero, is_pony=is_pony)
        if is_mountain(target) and climbs != target:
            hero.climbs = target
            return "climbs"
        group = [hero, *self.followers_of(hero)]
        if self.roadways[roadway]["kind"] in {"hidden", "secret"}:
            self.discover(group[1:], [roadway])
            self.spy_on_group(group, [roadway], [*self.roadways[roadway]["ends"]])
        for other in group:
            self.drop_heavy(other)
        for other in group:
            other.at = target
            other.came = roadway
            other.was_in_cave |= is_cave(target)
            self.settle(other)
        return "done"

    def shed_followers(self, hero: Hero, *, is_pony: bool) -> None:
        """D24: a pony's Move leaves those without a pony behind; a hidden guide may leave others behind."""
        for follower in self.followers_of(hero):
            if is_pony and not any(GOODS[name]["breed"] == "pony" for name in follower.active_goods("horse")):
                self.leave_behind(follower)
        while hero.hidden and hero.orders.get("shed", "keep") == "ask":
            names = [other.name for other in self.followers_of(hero) if "all" not in other.found]
            if not names:
                return
            answer = self.script.choose(hero.name, [*(f"shed {name}" for name in names), "go"], "go")
            if answer == "go":
                return
            self.leave_behind(self.heroes[answer.removeprefix("shed ")])

    # The result.

    def report(self) -> Day:
        heroes = self.heroes
        return Day(
            places={name: hero.at for name, hero in heroes.items()},
            hidden={name: hero.hidden for name, hero in heroes.items()},
            blocked={name: hero.blocked for name, hero in heroes.items()},
            phases={name: hero.phases for name, hero in heroes.items()},
            lost={name: self.find_lost(hero) for name, hero in heroes.items()},
            used={name: hero.used for name, hero in heroes.items()},
            goods={name: [i.name + "+" * i.active for i in hero.goods] for name, hero in heroes.items()},
            alerted={name: {i.name for i in hero.goods if i.alerted} for name, hero in heroes.items()},
            berserk={name for name, hero in heroes.items() if hero.berserk},
            fatigued={name: self.chit_numbers(hero, "fatigued") for name, hero in heroes.items()},
            wounded={name: self.chit_numbers(hero, "wounded") for name, hero in heroes.items()},
            knows={name: hero.knows for name, hero in heroes.items()},
            seen={name: hero.seen for name, hero in heroes.items()},
            found={name: hero.found for name, hero in heroes.items()},
            gold={name: hero.gold for name, hero in heroes.items()},
            curses={name: hero.curses for name, hero in heroes.items()},
            came={name: hero.came for name, hero in heroes.items()},
            monsters=self.monsters,
            held=self.held,
            piles={name: pile for name, pile in self.piles.items() if pile},
            boxes=self.boxes,
            gone=self.gone,
            dwellings=self.dwellings,
            chits=self.chits,
            face_up=self.face_up,
            summoned=self.summoned,
            public=self.public,
            rows=self.rows,
            first=self.first,
            log=self.log,
            asked=self.script.asked,
        )

    @staticmethod
    def find_lost(hero: Hero) -> list[tuple[int, str, str]]:
        cut = [phase.partition(": lost ") for phase in hero.phases]
        return [(number, entry, clause) for number, (entry, _, clause) in enumerate(cut, 1) if clause]

    @staticmethod
    def chit_numbers(hero: Hero, state: str) -> list[int]:
        return [i for i, chit in enumerate(hero.chits, 1) if chit.state == state]
