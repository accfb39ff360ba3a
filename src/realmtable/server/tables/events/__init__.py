"""The events of a table: how each of them changes it, and what everyone reads of it."""
