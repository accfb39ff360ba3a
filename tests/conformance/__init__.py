"""The checks of `realmtable.conformance` over every registered game and the toys, and what only our games promise."""
