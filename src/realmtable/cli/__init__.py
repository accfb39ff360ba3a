"""The command `realmtable`, one file a command."""
