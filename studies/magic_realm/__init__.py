"""The bots of Magic Realm, and how many treasures they could find."""
