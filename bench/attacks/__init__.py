"""Time-limited attacks on a server on the loopback interface; each returns how another user was affected."""
