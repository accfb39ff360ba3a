"""The course of combat in one clearing: who decides what, and when, without a world (RULES-combat.md).

A `Fight` is a value that holds everything combat depends on. `machine` says who is to decide, lists the answers, and
plays them, with the rules in `combat`. So bots can play out fights that happen nowhere, and the table can store and
resume one at every question.
"""
