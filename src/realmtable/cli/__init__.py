"""The command `realmtable`, with one file per subcommand."""
