"""Live tables: events and actions as pure functions, the service that stores them, and what each viewer sees."""
