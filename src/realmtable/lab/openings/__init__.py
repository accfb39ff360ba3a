"""The opening study: placements, figures and the report."""
