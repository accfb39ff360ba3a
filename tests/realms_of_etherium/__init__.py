"""Realms of Etherium: the manifest and the options."""
