"""Accounts: sessions, names, tokens, rate limits, quotas and ratings."""
