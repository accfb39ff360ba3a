"""Lists and numbers in words."""

from __future__ import annotations

import pytest

from realmtable.kit.wording import end_sentence, format_count, join_words


def test_nouns_have_a_plural() -> None:
    assert [format_count(number, "Fortress", "Fortresses") for number in (1, 2)] == ["1 Fortress", "2 Fortresses"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a or b"),
        (["a", "b", "c"], "a, b or c"),
        (["a", "b", "c", "d"], "a, b, c or d"),
    ],
)
def test_any_number_of_words_is_joined(words: list[str], text: str) -> None:
    assert join_words(words, "or") == text


@pytest.mark.parametrize("text", ["It is over.", "Is it over?", "It is over!", "It goes on…"])
def test_a_sentence_ends_once(text: str) -> None:
    assert end_sentence(text) == text
    assert end_sentence(text[:-1]) == f"{text[:-1]}."
