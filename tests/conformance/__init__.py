"""The checks of `realmtable.conformance` over every registered game and the toys, and what only this repository promises."""
