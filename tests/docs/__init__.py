"""The documentation is true: tested against the code."""
