"""Sentences that people read: whole format strings with named fields, marked so that translators can find them.

A sentence is never put together from pieces: languages order their words differently. `translate` and `translate_count`
mark a sentence for gettext; the fields are filled in after it has been translated.
"""

from __future__ import annotations

from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final

TRANSLATIONS: Final[ContextVar[NullTranslations]] = ContextVar("translations", default=NullTranslations())  # noqa: B039 - it has no state


def translate(sentence: str, /, **fields: object) -> str:
    """Return a sentence in the reader's language with its fields filled in.

    >>> translate("{player} takes Control of {tile}.", player="Azure", tile="Synergy")
    'Azure takes Control of Synergy.'
    """
    text = TRANSLATIONS.get().gettext(sentence)
    return text.format(**fields) if fields else text


def translate_count(one: str, many: str, /, count: int, **fields: object) -> str:
    """Return the sentence for one or for `count` things, which is a field, too.

    >>> [translate_count("{count} Realm", "{count} Realms", count) for count in (1, 2)]
    ['1 Realm', '2 Realms']
    """
    return TRANSLATIONS.get().ngettext(one, many, count).format(count=count, **fields)
