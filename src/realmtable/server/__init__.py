"""The server: tables, accounts, storage, clocks, bots, web pages and the public HTTP API."""
