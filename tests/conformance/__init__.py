"""The protocol's promises, checked for every game on random games with random options."""
