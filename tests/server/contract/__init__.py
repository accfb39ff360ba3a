"""What storage and fan-out promise, asked of SQLite + memory and of PostgreSQL + Redis alike.

The second pair needs `eval "$(.ci/services)"`, or addresses in REALMTABLE_TEST_DATABASE_URL (of a role that may create
databases) and REALMTABLE_TEST_REDIS_URL.
"""
