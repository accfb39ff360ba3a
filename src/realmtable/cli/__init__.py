"""The command `realmtable`: one module per subcommand, and their helpers."""
