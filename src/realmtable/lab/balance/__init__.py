"""Balance experiments: how rule options and bots change who wins, how long games last and how exciting they are."""
