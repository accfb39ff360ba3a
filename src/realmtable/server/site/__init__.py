"""The pages of the browser table."""
