"""The balance and the bots of Realms of Etherium."""
