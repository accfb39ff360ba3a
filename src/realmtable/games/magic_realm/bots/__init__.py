"""Bots of Magic Realm and the advice they give. They read nothing but a view."""
