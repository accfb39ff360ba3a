"""The best hands of Fantasy Realms, and the worth of random ones."""
