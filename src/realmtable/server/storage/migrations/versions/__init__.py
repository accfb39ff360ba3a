"""The migrations, ordered by their `down_revision`."""
