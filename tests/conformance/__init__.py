"""The protocol's promises, checked for every game on random games with random options."""

import pytest

# A failed promise shows the compared values, as a failed test does.
pytest.register_assert_rewrite(
    *(f"{__name__}.{module}" for module in ("picture_promises", "rule_promises", "text_promises", "view_promises"))
)
