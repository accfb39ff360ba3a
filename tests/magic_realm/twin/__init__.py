"""An independent, slow implementation of the rules, and tests against it."""
