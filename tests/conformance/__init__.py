"""What every game promises, checked on random games under random options."""
