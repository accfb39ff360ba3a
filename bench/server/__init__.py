"""A server that is started for a measurement, and lightweight clients of it."""
