"""Tiny games that follow the protocol and do what Realm does not: dice, hidden hands, simultaneous choices."""
