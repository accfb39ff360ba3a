"""What the page of a table shows of the game besides its picture: `realmtable.engine.table_parts`."""
