"""The engine by itself, with the toys for what Realm does not have."""
