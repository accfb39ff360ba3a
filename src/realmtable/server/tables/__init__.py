"""Live tables: their rules as pure functions, the house that keeps them, and what every viewer sees."""
