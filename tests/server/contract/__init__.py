"""The contracts of storage and fan-out, tested with SQLite and memory, and with PostgreSQL and Redis.

The second pair needs `eval "$(.ci/services)"`, or addresses in REALMTABLE_TEST_DATABASE_URL (of a role that may create
databases) and REALMTABLE_TEST_REDIS_URL.
"""
