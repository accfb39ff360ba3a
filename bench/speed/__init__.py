"""The speed of rules, searches and environments, each against a named peer in the same run."""
