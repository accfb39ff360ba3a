"""Bounded attacks on a server that listens on the loopback; each returns what another user felt meanwhile."""
