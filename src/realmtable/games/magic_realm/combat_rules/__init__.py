"""Combat: what happens in a round, as pure functions over plain descriptions (RULES-combat.md).

Nothing here knows a world. `pieces` describes monsters and gear of the catalog, `resolve` says what a melee does, and
the other modules answer single questions of an evening: who can be lured, what can be played, what has to be paid.
"""
