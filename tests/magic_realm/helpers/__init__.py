"""What the tests of Magic Realm share."""
