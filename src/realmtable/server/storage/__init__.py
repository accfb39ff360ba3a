"""What is kept: the log of tables and people in a database, and the way to tell other processes of it."""
