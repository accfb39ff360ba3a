"""Stars and resting, clause by clause: D15, W1."""

from __future__ import annotations

from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    at_site,
    begin,
    chits,
    day,
    labels_of,
    next_actor,
    numbers,
    play,
    refusal,
    texts,
)
from tests.magic_realm.helpers.flow_helpers import CATALOG


class TestW1:
    """Stars."""

    def pay(self, hero: str, *fields: str) -> list[str]:
        return texts(play(at_site("Cairns", *fields, heroes=hero.replace(" ", "_")), "loot Cairns"))

    def test_w1_a_chit_with_one_star_or_one_with_two_stars_for_another(self) -> None:
        berserker = labels_of("Berserker")
        double = next(chit for chit in berserker if chit.endswith("**"))
        kind = double.split()[0]
        single = next(chit for chit in berserker if chit.endswith("*") and chit != double and chit.split()[0] == kind
                      and not chit.endswith("**"))  # fmt: skip
        found = self.pay("Berserker", f"1.tired={numbers('Berserker', single)}")
        assert f"tire {double} for {single}" in found
        assert f"tire {double}" not in found
        world = play(at_site("Cairns", f"1.tired={numbers('Berserker', single)}", heroes="Berserker"), "loot Cairns")
        world = play(world, f"tire {double} for {single}")
        assert chits(world, "fatigued") == [double]

    def test_w1_if_neither_is_possible_a_chit_with_two_stars_is_fatigued_for_one(self) -> None:
        labels = labels_of("Berserker")
        wounded = [str(n) for n, label in enumerate(labels, 1) if label.endswith("*") and not label.endswith("**")]
        found = self.pay("Berserker", f"1.wounded={';'.join(wounded)}")
        assert found == [f"tire {label}" for label in dict.fromkeys(labels) if label.endswith("**")]

    def test_w1_berserk_counts_as_fight_and_duck_as_move(self) -> None:
        found = self.pay("Berserker", f"1.tired={numbers('Berserker', 'Fight H4*')}")
        assert "tire Berserk T4** for Fight H4*" in found
        assert not any(text.startswith("tire Move H4** for") for text in found)
        assert "tire Move T5** for Duck T3*" in self.pay("Dwarf", f"1.tired={numbers('Dwarf', 'Duck T3*')}")


class TestD15:
    """Rest."""

    def rest(self, hero: str, *fields: str, plan: str = "R;H", **more: str) -> World:
        usual = ("1.at=B2", f"1.plan={plan}", "1.goods=-")
        return begin(day(*usual, *fields, heroes=more.get("heroes", hero.replace(" ", "_"))), hero)

    def test_d15_a_fatigued_chit_becomes_active(self) -> None:
        labels = labels_of("Elf")
        starred = [label for label in dict.fromkeys(labels) if label.count("*") == 1]
        world = self.rest("Elf", f"1.tired={numbers('Elf', *starred[:2])}")
        assert texts(world) == [f"rest {label}" for label in starred[:2]]
        assert refusal(world, "enough") == "D15"
        assert refusal(world, f"rest {next(label for label in labels if '*' not in label)}") == "D15"
        assert chits(play(world, f"rest {starred[0]}"), "fatigued") == starred[1:2]

    def test_d15_wounded_chits(self) -> None:
        labels = labels_of("Elf")
        plain = next(label for label in labels if "*" not in label)
        starred = next(label for label in labels if label.count("*") == 1)
        world = self.rest("Elf", f"1.wounded={numbers('Elf', plain, starred)}")
        healed = play(world, f"rest {plain}")
        assert (chits(healed, "wounded"), chits(healed, "fatigued")) == ([starred], [])
        tired = play(world, f"rest {starred}")
        assert (chits(tired, "wounded"), chits(tired, "fatigued")) == ([plain], [starred])

    def test_d15_a_chit_with_two_stars_takes_another_that_becomes_fatigued(self) -> None:
        labels = labels_of("Berserker")
        double = next(label for label in labels if label.endswith("**"))
        world = self.rest("Berserker", f"1.tired={numbers('Berserker', double)}", plan="R;R;H")
        enough, *ways = texts(world)
        assert all(text.startswith(f"rest {double} with ") for text in ways)
        change = ways[0].partition(" with ")[2]
        declined = play(world, enough)  # making change is an offer: S says "can"
        assert (enough, chits(declined, "fatigued"), declined.heroes[0].phase) == ("enough", [double], 1)
        world = play(world, ways[0])
        assert chits(world, "active").count(double) == labels.count(double)
        # the next phase rests the other chit; it is the only way, so the table takes it
        assert (next_actor(world), chits(world, "fatigued")) == ("hide", [])
        assert change in labels

    def test_d15_without_a_chit_to_rest_the_phase_is_done(self) -> None:
        world = self.rest("Elf")
        assert (next_actor(world), world.heroes[0].phase) == ("hide", 1)

    def test_d15_the_dwarf_rests_two_stars(self) -> None:
        labels = labels_of("Dwarf")
        double = next(label for label in labels if label.endswith("**"))
        singles = [label for label in dict.fromkeys(labels) if label.count("*") == 1][:3]
        alone = self.rest("Dwarf", f"1.tired={numbers('Dwarf', double)}", plan="R;H")
        assert (next_actor(alone), chits(alone, "fatigued")) == ("hide", [])
        world = self.rest("Dwarf", f"1.tired={numbers('Dwarf', double, *singles[:2])}")
        assert texts(world) == sorted([f"rest {double}", *(f"rest {label}" for label in singles[:2])], key=labels_key)
        whole = play(world, f"rest {double}")
        assert (next_actor(whole), chits(whole, "fatigued")) == ("hide", sort_chits("Dwarf", singles[:2]))
        world = play(world, f"rest {singles[0]}")
        assert (next_actor(world), texts(world)[0]) == ("Dwarf", "enough")
        assert f"rest {double} with {singles[0]}" in texts(world)
        assert chits(play(world, "enough"), "fatigued") == sort_chits("Dwarf", [double, singles[1]])
        assert chits(play(world, f"rest {singles[1]}"), "fatigued") == [double]

    def test_z2_chits_with_one_label_in_two_states_are_told_apart(self) -> None:
        labels = labels_of("Elf")
        twice = next(label for label in labels if labels.count(label) > 1)
        first, second = [n for n, label in enumerate(labels, 1) if label == twice][:2]
        world = self.rest("Elf", f"1.wounded={first}", f"1.tired={second}")
        assert texts(world) == [f"rest fatigued {twice}", f"rest wounded {twice}"]
        assert chits(play(world, f"rest fatigued {twice}"), "wounded") == [twice]
        assert chits(play(world, f"rest wounded {twice}"), "wounded") == []

    def test_d24_followers_may_rest_or_not_after_the_guide(self) -> None:
        starred = next(label for label in labels_of("Witch") if label.count("*") == 1)
        following = ("2.at=B2", "2.guide=1", "2.plan=F_Elf", "2.goods=-", f"2.tired={numbers('Witch', starred)}")
        world = self.rest("Elf", *following, heroes="Elf;Witch")
        assert (next_actor(world), texts(world)) == ("Witch", ["enough", f"rest {starred}"])
        assert chits(play(world, "enough"), "fatigued", 1) == [starred]
        assert chits(play(world, f"rest {starred}"), "fatigued", 1) == []

    def test_d8_the_exhausted_can_rest(self) -> None:
        world = self.rest("Elf", "1.tired=" + ";".join(map(str, range(1, 13))))
        assert texts(world)[0].startswith("rest ")


def labels_key(text: str) -> int:
    """Sort answers as the table does: by the number of the label."""
    labels = [*dict.fromkeys(chit.label for row in CATALOG.characters for chit in row.chits)]
    return labels.index(text.removeprefix("rest "))


def sort_chits(hero: str, labels: list[str]) -> list[str]:
    """Return labels in the order of a hero's chits."""
    return sorted(labels, key=labels_of(hero).index)
