"""The rules of the day: one module for each activity or group of clauses."""
