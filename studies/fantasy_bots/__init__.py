"""The bots of Fantasy Realms: their strength, and the training of their network."""
