"""Attacks on a server of ours, over loopback and bounded in time: what others feel while somebody misuses it."""
