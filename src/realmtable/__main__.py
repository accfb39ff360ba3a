"""`python -m realmtable` is the command `realmtable`."""

from realmtable.cli.main import main

if __name__ == "__main__":
    main()
