"""Made-up lines for the tests of positions in one line."""

from __future__ import annotations

from hypothesis import strategies as st


def overwrite_line(data: st.DataObject, text: str, alphabet: str) -> str:
    """A line with one to three places written over."""
    for _ in range(data.draw(st.integers(1, 3))):
        spot = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:spot] + data.draw(st.text(alphabet=alphabet, max_size=3)) + text[spot + length :]
    return text
