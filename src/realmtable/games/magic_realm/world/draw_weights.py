"""The exact weights with which chance fills an undecided slot (X5).

Chits and treasures are not shuffled at the start: a slot stays open until someone looks, and chance then draws its
content. The weights below are those of a full shuffle, given everything drawn so far, in whatever order slots are
looked at. All are whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

Weights = list[tuple[int, int]]  # what can be drawn, ascending, with its weight


def weigh_equally(candidates: Sequence[int]) -> Weights:
    """Return the weights where all candidates are equally likely.

    >>> weigh_equally([2, 5])
    [(2, 1), (5, 1)]
    """
    return [(candidate, 1) for candidate in sorted(candidates)]


def weigh_group_slot(chits: Sequence[int], special: int | None, open_slots: int) -> Weights:
    """Return the weights for a slot of a group of tiles that shares one special chit, such as the Lost City (M4).

    `chits` are the sounds and sites not drawn yet, `special` is the special chit unless it has been drawn, and
    `open_slots` counts the open slots of the group, this one included. The special chit is in each of them with the
    same chance.

    >>> weigh_group_slot([3, 4], 18, 5)
    [(3, 4), (4, 4), (18, 2)]
    """
    if special is None:
        return weigh_equally(chits)
    if not chits:
        return [(special, 1)]
    weights = [(special, len(chits)), *((chit, open_slots - 1) for chit in chits)]
    return sorted((chit, weight) for chit, weight in weights if weight)


def weigh_site_slot(large: Sequence[int], within: Sequence[int], open_slots: int) -> Weights:
    """Return the weights for a large treasure of a site (M7).

    `large` and `within` are the large treasures and the cards with their own boxes that have not been drawn, and
    `open_slots` counts the open large slots of all sites, this one included. Each of the `within` cards is in each of
    these slots with the same chance.

    >>> weigh_site_slot([1, 2], [7], 3)
    [(1, 2), (2, 2), (7, 2)]
    """
    if not large:
        return weigh_equally(within)
    weights = [*((card, len(large)) for card in within), *((card, open_slots - len(within)) for card in large)]
    return sorted((card, weight) for card, weight in weights if weight)
