"""Storage: the database of tables and accounts, and the fan-out that notifies other processes of changes."""
