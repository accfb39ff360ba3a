"""Who is there: sessions, names, tokens, what they may do how often, and how strong they play."""
