"""Live tables: people, storage, events, clocks, bots, pages and the public HTTP API."""
